"""Repeated measures by projections, for tests: each effect is what a matrix leaves of the values of all cells.

The matrix is the Kronecker product, over the units and the factors, of the mean (for those that an effect averages
over) or of what is left without the mean (for those that it is about).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Any

import numpy as np


def squares(values: Sequence[float], shape: Sequence[int], varied: Sequence[int]) -> float:
    """The sum of squares of the values projected on what varies along these axes alone."""
    parts = []
    for axis, length in enumerate(shape):
        mean = np.full((length, length), 1 / length)
        parts.append(np.eye(length) - mean if axis in varied else mean)
    left: Any = reduce(np.kron, parts) @ np.asarray(values, dtype=float)
    return float(left @ left)


def epsilon(values: Sequence[float], shape: Sequence[int], varied: Sequence[int]) -> float:
    """Greenhouse and Geisser's: how equal the variances of orthonormal contrasts are (their eigenvalues, squared)."""
    contrasts = []
    for axis, length in enumerate(shape[1:], 1):
        mean = np.full((1, length), length**-0.5)
        others = np.linalg.svd(mean)[2][1:]  # orthonormal, and at right angles to the mean
        contrasts.append(others if axis in varied else mean)
    scores: Any = np.reshape(values, (shape[0], -1)) @ reduce(np.kron, contrasts).T
    result = np.linalg.eigvalsh(np.atleast_2d(np.cov(scores, rowvar=False)))
    return float(result.sum() ** 2 / (len(result) * (result**2).sum()))

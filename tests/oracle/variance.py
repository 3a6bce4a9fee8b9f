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

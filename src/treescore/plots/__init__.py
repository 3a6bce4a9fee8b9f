"""Plots of a report: functions that return a `matplotlib.figure.Figure`, and `write`, which makes files of them.

They need matplotlib: `pip install 'treescore[plot]'`. Figures are made without pyplot, so that no window opens and
nothing is left behind; in a notebook they show themselves. The numbers are those of `treescore.analysis.series`.

>>> import treescore
>>> report = treescore.evaluate("(S (NP (NN a)) (VB b))", "(S (NN a) (VB b))", "parseval|profile:none")
>>> histogram(report)  # doctest: +SKIP
<Figure size 700x440 with 1 Axes>
"""

from __future__ import annotations

from .figures import by_label, by_length, confusion, histogram, levels, overview, scatter
from .writing import KINDS, check, suffix, write

__all__ = [
    "KINDS",
    "by_label",
    "by_length",
    "check",
    "confusion",
    "histogram",
    "levels",
    "overview",
    "scatter",
    "suffix",
    "write",
]

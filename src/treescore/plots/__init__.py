"""Plots of a report: functions that return a `matplotlib.figure.Figure`, and `write`, which writes files.

They need matplotlib: `pip install 'treescore[plot]'`. Figures do not use pyplot, so no window opens and no state is
kept; notebooks show them. The numbers are from `treescore.analysis.series`.

>>> import treescore
>>> report = treescore.evaluate("(S (NP (NN a)) (VB b))", "(S (NN a) (VB b))", "parseval|profile:none")
>>> histogram(report)  # doctest: +SKIP
<Figure size 700x440 with 1 Axes>
"""

from __future__ import annotations

from .figures import by_label, by_length, confusion, histogram, levels, overview, profiles, scatter
from .systems import comparison
from .writing import KINDS, check, suffix, write

__all__ = [
    "KINDS",
    "by_label",
    "by_length",
    "check",
    "comparison",
    "confusion",
    "histogram",
    "levels",
    "overview",
    "profiles",
    "scatter",
    "suffix",
    "write",
]

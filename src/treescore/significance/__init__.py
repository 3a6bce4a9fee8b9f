"""How sure is a score, and is a difference more than chance?

>>> import treescore
>>> from treescore import significance
>>> metric = treescore.metric("parseval|profile:none")
>>> counts = metric.counts(treescore.read("(S (NN a)) (S (NP (NN a)))"), treescore.read("(S (NN a)) (S (VP (NN a)))"))
>>> significance.interval(metric, counts, n=200).high
1.0
"""

from __future__ import annotations

from .intervals import LEVEL, SAMPLES, SEED, Interval, interval, intervals, quantile
from .sampling import samples

__all__ = ["LEVEL", "SAMPLES", "SEED", "Interval", "interval", "intervals", "quantile", "samples"]

"""Confidence intervals of scores, and tests of differences between systems.

>>> import treescore
>>> from treescore import significance
>>> metric = treescore.metric("parseval|profile:none")
>>> gold, test = treescore.read("(S (NN a)) (S (NP (NN a)))"), treescore.read("(S (NN a)) (S (VP (NN a)))")
>>> counts = metric.counts(treescore.Pair(gold, test))
>>> significance.interval(metric, counts, n=200).high
1.0
>>> significance.paired_randomization(metric, counts, counts).p
1.0
"""

from __future__ import annotations

from .intervals import LEVEL, METHODS, SAMPLES, SEED, Interval, interval, intervals, quantile
from .paired import KINDS, TRIALS, PairedTest, holm, letters, paired_bootstrap, paired_randomization
from .sampling import coins, samples
from .units import by_unit, units_of_ids

__all__ = [
    "KINDS",
    "LEVEL",
    "METHODS",
    "SAMPLES",
    "SEED",
    "TRIALS",
    "Interval",
    "PairedTest",
    "by_unit",
    "coins",
    "holm",
    "interval",
    "intervals",
    "letters",
    "paired_bootstrap",
    "paired_randomization",
    "quantile",
    "samples",
    "units_of_ids",
]

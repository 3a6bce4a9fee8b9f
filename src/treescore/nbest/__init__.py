"""n-best lists of parses, and the choice of a parse by minimum Bayes risk (MBR).

>>> from treescore import nbest
>>> text = "(S (NP (NN a)) (VB b))\\n(S (NN a) (VB b))\\n(S (NN a) (VP (VB b)))\\n"
>>> [choice] = nbest.mbr(text)
>>> str(choice.tree), choice.rank, round(choice.expected, 3)
('(S (NN a) (VB b))', 2, 0.905)
"""

from __future__ import annotations

from .curves import Curves
from .lists import FORMS, NBest
from .reading import read
from .risk import WEIGHTS, Choice, WeightedCandidate, mbr

__all__ = ["FORMS", "WEIGHTS", "Choice", "Curves", "NBest", "WeightedCandidate", "mbr", "read"]

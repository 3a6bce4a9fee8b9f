"""The experiments of papers as functions: `from treescore.studies import length; length.study(gold, test)`.

The function `study` of each module returns a `Study`: tables, findings, and a figure.

>>> from treescore import studies
>>> studies.names() == sorted(studies.STUDIES)
True
"""

from __future__ import annotations

from ..values.suggestions import suggestion
from .base import Study, Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

#: The studies, each with a module in this package, and their questions.
STUDIES = {
    "ambiguity": "how do plausible and random trees of an ambiguous phrase score? (STRUCT-IOU paper, table 1)",
    "perturbation": "how does the score change if word boundaries are moved, inserted or deleted? (the same, figure 5)",
    "correlation": "do two metrics agree on small groups of sentences? (the same, figures 3 and 7)",
    "length": "how do sentence-level and corpus-level scores differ by sentence length? (the same, figure 6)",
    "morphology": "how much does another tokenisation of the same trees lower the score? (the same, section 5.3)",
    "sensitivity": "how do wrong words, wrong sentence boundaries and edits affect scores of speech? (SParseval paper)",
    "metrics": "which metrics rank systems alike, where do they disagree, and on which sentences?",
}


def names() -> list[str]:
    """The names of all studies."""
    return sorted(STUDIES)


def module(name: str) -> Any:
    """The module of a study."""
    from importlib import import_module

    from ..values.problem import UsageError

    if name not in STUDIES:
        raise UsageError(f"there is no study {name!r}; {suggestion(name, names())}")
    return import_module(f".{name}", __name__)


__all__ = ["STUDIES", "Study", "Table", "module", "names"]

"""Results as text. Nothing here computes a score.

Each kind of result has a module here with a function `render`, which this table names.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

#: The kinds of results, and the modules that render them.
RENDERERS = {
    "Agreement": "agreement",
    "Breakdown": "breakdowns",
    "Report": "reports",
    "Study": "studies",
    "Summary": "comparisons",
    "WordAlignment": "word_alignments",
    "WordReport": "word_alignments",
}


def render(result: object, form: str, **options: Any) -> str:
    """A result in one of its formats; which options there are depends on the kind of result."""
    from importlib import import_module

    name = next(RENDERERS[kind.__name__] for kind in type(result).__mro__ if kind.__name__ in RENDERERS)
    text: str = import_module(f".{name}", __name__).render(result, form, **options)
    return text

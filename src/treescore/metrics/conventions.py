"""Conventions in which two files of one text may differ although the parser is not to blame, with their remedies.

Each is counted in a column of the metrics (`native/outcome.hpp`), and an option of the metric is its remedy.

>>> [convention.column for convention in CONVENTIONS if convention.is_reconciled]
['outer_differs', 'failed_by_tags', 'failed_by_escapes']
"""

from __future__ import annotations

from ..values.value import Value
from ..words.normal import Normal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


class Convention(Value):
    """A convention: `title` describes all sentences that differ in it, `reason` a sentence that failed because of it.

    If it `is_reconciled`, the option does not change what is compared.
    """

    column: str
    title: str
    reason: str
    option: str
    value: str
    is_reconciled: bool

    def __init__(
        self, column: str, title: str, option: str, value: str, *, reason: str = "", is_reconciled: bool = True
    ) -> None:
        self._store(column=column, title=title, option=option, value=value)
        self._store(reason=reason, is_reconciled=is_reconciled)

    def remedy(self, options: Mapping[str, str]) -> dict[str, str]:
        """The option that is the remedy, for a metric that has these options: steps of `text` are added to its own.

        >>> CONVENTIONS[2].remedy({"text": "nfkc"})
        {'text': 'nfkc+escapes'}
        """
        if self.option != "text":
            return {self.option: self.value}
        known = Normal.parse(options.get("text", "none")).steps
        return {"text": str(Normal(steps=(*known, self.value)))}


CONVENTIONS = (
    Convention("outer_differs", "Outer bracket differs", "outer", "ignored"),
    Convention(
        *("failed_by_tags", "Tags delete different words", "delete-by", "gold"), reason="tags delete different words"
    ),
    Convention(
        *("failed_by_escapes", "Escapes differ", "text", "escapes"),
        reason="words differ in escapes such as -LSB- for [",
    ),
    Convention(
        *("failed_by_case", "Upper and lower case differ", "text", "fold"),
        reason="words differ in case",
        is_reconciled=False,
    ),
)


def remedies(conventions: Iterable[Convention], options: Mapping[str, str]) -> dict[str, str]:
    """The options that are the remedy for all of these, for a metric that has these options.

    >>> remedies(CONVENTIONS[1:], {"text": "none"})
    {'delete-by': 'gold', 'text': 'fold+escapes'}
    """
    found: dict[str, str] = {}
    for convention in conventions:
        found |= convention.remedy({**options, **found})
    return found

"""Which rows belong together: sentences of a document, or of a side of a conversation, are not drawn one by one.

>>> from treescore.counts import Counts
>>> by_unit(Counts({"matched": [1, 2, 3]}), ["a", "b", "a"])["matched"].tolist()
[4, 2]
"""

from __future__ import annotations

import re

from ..counts import Counts
from ..problem import UsageError
from ..text import number_of, visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

#: The end of an id that tells the sentences of a document apart: -12, .s12, _utt_12.
_SENTENCE = re.compile(r"[-_.:#/, ]+(?:s|u|sent|sentence|utt|turn)?[-_.:#]?\d+$", re.IGNORECASE)


def by_unit(counts: Counts, names: Sequence[str]) -> Counts:
    """Rows with equal names added up, in the order in which the names come first."""
    groups = [group.total() for group in counts.grouped(names).values()]
    return Counts({name: [total[name] for total in groups] for name in counts.columns})


def units_of_ids(ids: Sequence[str] | None, unit: str) -> list[str]:
    """The document, or side, of each sentence by its id: what remains without the number of the sentence.

    >>> units_of_ids(["GUM_news_bank-1", "GUM_news_bank-2", "sw2005.A.s3"], "document")
    ['GUM_news_bank', 'GUM_news_bank', 'sw2005.A']
    """
    options = "(--units or --ci-units FILE, in Python units=[…])"
    advice = f"say it by a file with a line for each sentence, the name of its {unit} {options}"
    if ids is None:
        raise UsageError(f"the sentences have no ids, so nobody knows to which {unit} they belong; {advice}")
    names = [_SENTENCE.sub("", name) for name in ids]
    if len(set(names)) == len(names) > 1:
        raise UsageError(f"ids such as {visible(ids[0])!r} do not tell which {unit} a sentence belongs to; {advice}")
    return names


def check_units(names: Sequence[str], sentences: int) -> list[str]:
    """One name for each sentence, or an error."""
    if isinstance(names, str) or len(names) != sentences:
        given = "one text" if isinstance(names, str) else number_of(len(names), "name")
        wanted = number_of(sentences, "sentence")
        raise UsageError(f"units must be a list with a name for each of {wanted}, not {given}")
    return [str(name) for name in names]

"""Head tables that signatures name: a known table, a file, or the hash of a table seen before."""

from __future__ import annotations

from ..heads import CITATIONS, HeadTable, get as head_table
from ..helpers.text import encode
from ..values.signature_text import SignatureError
from ..values.suggestions import suggestion
from .known_files import check_may_open, remember

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

#: Tables from files seen so far, by their hashes in signatures.
_tables: dict[str, HeadTable] = {}


def named_table(heads: str | HeadTable) -> tuple[str, HeadTable | None]:
    """The name of a head table in a signature, and the table; None for the name `none`.

    >>> named_table("collins")
    ('collins', <HeadTable: 24 rules>)
    """
    if isinstance(heads, str):
        if heads == "none":
            return heads, None
        if heads in CITATIONS:
            return heads, head_table(heads)
        if heads in _tables:
            return heads, _tables[heads]
        check_may_open(heads, "head table")
        try:
            heads = HeadTable.read(heads)
        except FileNotFoundError:
            advice = suggestion(str(heads), [*CITATIONS, "none"])
            raise SignatureError(f"there is no head table and no file {heads!r}; {advice}") from None
        except OSError as problem:
            raise SignatureError(f"the head table {heads!r} cannot be read: {problem.strerror}") from None
    name = remember(encode(str(heads)))
    _tables[name] = heads
    return name, heads


def numbered_groups(
    groups: Iterable[tuple[str, tuple[str, ...]]], number: Callable[[str], int]
) -> list[tuple[bool, list[int]]]:
    """The groups of a rule for the native engine."""
    return [(direction == "l", [number(label) for label in labels]) for direction, labels in groups]

"""EVALB's parameter files.

>>> parameters = Parameters()
>>> parameters.add(b"DELETE_LABEL TOP\\nEQ_LABEL ADVP PRT\\nLABELLED 1\\n")
['Unknown keyword (LABELLED 1) in parameter file']
>>> parameters.recipe()
Recipe(delete=('TOP',), equal=(('ADVP', 'PRT'),))
"""

from __future__ import annotations

from ..helpers.text import decode
from ..recipe import Recipe
from ..values.problem import InputError, Problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

BLANKS = b" \t\n\v\f\r"
_LONGEST_LINE = 499
_NUMBERS = {b"DEBUG": "debug", b"MAX_ERROR": "max_error", b"CUTOFF_LEN": "cutoff", b"LABELED": "labelled"}
_LISTS = {b"DELETE_LABEL": "delete", b"DELETE_LABEL_FOR_LENGTH": "length_ignores", b"QUOTE_LABEL": "quotes"}
_PAIRS = {b"EQ_LABEL": "equal", b"EQ_WORD": "equal_words"}
# Keys of disco-dop that EVALB does not have and that affect the counts of brackets.
_DISCODOP_NUMBERS = {b"DISC_ONLY": "discontinuous_only"}
_DISCODOP_LISTS = {b"DELETE_WORD": "delete_forms"}
# Alternatives to disco-dop's keys.
_ADVICE = {
    **dict.fromkeys([*_DISCODOP_NUMBERS, *_DISCODOP_LISTS], "use the profile discodop (--profile discodop)"),
    b"LA": "use the metric leaf_ancestor",
    b"TED": "use the metric tree_distance",
    b"DEP": "use the metric dependencies",
    b"DELETE_ROOT_PRETERMS": "treescore has no such option",
}

#: Keywords of lines with words, including SParseval's.
_KEYWORDS = frozenset(
    (*_LISTS, *_PAIRS, *_DISCODOP_LISTS, b"EMPTY_NODE", b"EDIT_LABEL", b"CLOSED_CLASS", b"CLOSED_WORD", b"EQ_WORDS")
)
_PAUSES = b"FILLED_PAUSE"  # followed by the name of a group


class Parameters:
    """The parameters of EVALB's files and options; lists of several files are joined, numbers are overwritten.

    With `discodop`, also the parameters of disco-dop. With `advises`, complaints are longer than EVALB's.
    """

    def __init__(self, *, discodop: bool = False, advises: bool = False) -> None:
        self.discodop, self.advises = discodop, advises
        self._numbers = {**_NUMBERS, **_DISCODOP_NUMBERS} if discodop else _NUMBERS
        self._lists = {**_LISTS, **_DISCODOP_LISTS} if discodop else _LISTS
        self.debug = 0
        self.max_error = 10
        self.cutoff = 40
        self.labelled = 1
        self.discontinuous_only = 0
        self.delete_forms: list[str] = []
        self.delete: list[str] = []
        self.length_ignores: list[str] = []
        self.quotes: list[str] = []
        self.equal: list[tuple[str, str]] = []
        self.equal_words: list[tuple[str, str]] = []

    def add(self, data: bytes) -> list[str]:
        """Add the content of a file and return EVALB's complaints about it."""
        complaints = []
        for line in _lines(data):
            keyword, value = _split(line)
            if keyword in self._numbers or keyword in self._lists or keyword in _PAIRS:
                complaint = self._set(keyword, value)
            else:
                complaint = f"Unknown keyword ({decode(line)}) in parameter file"
                if self.advises and keyword in _ADVICE:
                    complaint += f"; it is a key of disco-dop: {_ADVICE[keyword]}"
            if complaint:
                complaints.append(complaint)
        return complaints

    def _set(self, keyword: bytes, value: bytes) -> str | None:
        if not value:
            return f"{keyword.decode()} requires a value"
        if keyword in self._numbers:
            setattr(self, self._numbers[keyword], leading_number(value))
        elif keyword in self._lists:
            getattr(self, self._lists[keyword]).append(decode(value))
        else:
            both = value.split()
            if len(both) != 2:
                return f"{keyword.decode()} requires two values"
            getattr(self, _PAIRS[keyword]).append((decode(both[0]), decode(both[1])))
        return None

    def recipe(self) -> Recipe:
        """The parameters that affect the counts, as applied by EVALB or disco-dop."""
        return Recipe(
            delete_by="gold" if self.discodop else "own",
            cut_tags=self.discodop,
            delete_forms=self.delete_forms,
            only="discontinuous" if self.discontinuous_only else "all",
            labels=self.labelled != 0,
            delete=self.delete,
            length_ignores=self.length_ignores,
            quotes=self.quotes,
            equal=_closed(self.equal) if self.discodop else self.equal,
            equal_words=self.equal_words,
        )

    def spmrl_recipe(self) -> Recipe:
        """The parameters that affect the counts, as applied by EVALB_SPMRL."""
        return self.recipe().replace(cut="-=#", cut_tags=True, cut_delete=True, delete_words=False)


def _closed(pairs: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """The transitive closure: with A = B and B = C also A = C, like disco-dop.

    >>> _closed([("A", "B"), ("B", "C")])
    [('A', 'B'), ('A', 'C'), ('B', 'C')]
    """
    groups: list[list[str]] = []
    for pair in pairs:
        joined = [label for group in groups if set(pair) & set(group) for label in group]
        groups = [group for group in groups if not set(pair) & set(group)]
        groups.append(list(dict.fromkeys([*joined, *pair])))
    return [(a, b) for group in groups for place, a in enumerate(group) for b in group[place + 1 :]]


def _lines(data: bytes) -> Iterator[bytes]:
    """Lines as EVALB reads them: at most 499 bytes, up to a NUL, without trailing blanks and comments."""
    at = 0
    while at < len(data):
        newline = data.find(b"\n", at, at + _LONGEST_LINE)
        end = newline + 1 if newline >= 0 else at + _LONGEST_LINE
        piece = data[at:end].split(b"\0", 1)[0]
        at = end
        line = piece[:1] + piece[1:].rstrip(BLANKS)
        if len(line) >= 3 and not line.startswith(b"#"):
            yield line


def is_parameters(start: bytes) -> bool:
    """Does a text with this start look like a parameter file? The first line that is not a comment decides.

    >>> is_parameters(b"# usual\\n\\nDEBUG 0\\n"), is_parameters(b"DEBUG (S (NN a))"), is_parameters(b"(S (NN a))")
    (True, False, False)
    """
    return _is_setting(next(_lines(start), b""))


def _is_setting(line: bytes) -> bool:
    keyword, value = _split(line)
    if keyword in _NUMBERS or keyword in _DISCODOP_NUMBERS:
        return value.isdigit()
    return bool(value) and (keyword in _KEYWORDS or keyword.startswith(_PAUSES))


def check_parameters(data: bytes, name: str | None, program: str = "EVALB") -> None:
    """Refuse data that is clearly not a parameter file: binary data, or trees without any parameter."""
    from ..helpers.binary import ENOUGH, check_narrow, check_text

    start = data[:ENOUGH]
    check_text(start, name)
    check_narrow(start, name)
    if _are_trees(start) and not any(map(_is_setting, _lines(data))):
        message = (
            f"this is a file of trees, not a parameter file of {program}, which has lines such as DELETE_LABEL TOP"
        )
        raise InputError(Problem("not-parameters", message, file=name))


def _are_trees(start: bytes) -> bool:
    from .conllu import is_conllu
    from .sources import form_of

    start = start.removeprefix(b"\xef\xbb\xbf")
    first = next((line for line in start.splitlines() if line.strip() and not line.startswith(b"#")), b"")
    return (
        first.lstrip().startswith((b"(", b"<", b"{", b"[")) or form_of(start) in ("export", "named") or is_conllu(start)
    )


def _split(line: bytes) -> tuple[bytes, bytes]:
    for place, byte in enumerate(line):
        if byte in BLANKS:
            return line[:place], line[place:].lstrip(BLANKS)
    return line, b""


def leading_number(text: bytes) -> int:
    """The number at the beginning of the text like C's atoi: 0 if there is none, the lower 32 bits if it is too large.

    >>> leading_number(b" -12x"), leading_number(b"x"), leading_number(b"9" * 30)
    (-12, 0, -1)
    """
    text = text.lstrip(BLANKS)
    end = 1 if text[:1] in (b"+", b"-") else 0
    begin = end
    while end < len(text) and 48 <= text[end] <= 57:
        end += 1
    digits = text[begin:end].lstrip(b"0")
    number = int(digits[:19] or b"0") if len(digits) < 20 else 2**63
    number = max(-(2**63), -number) if text[:1] == b"-" else min(2**63 - 1, number)
    return (number + 2**31) % 2**32 - 2**31

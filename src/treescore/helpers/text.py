"""Bytes of treebanks as text and back, and text as it can be shown."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

#: Begin and end of text that has a direction of its own, whatever stands around it.
_ISOLATE, _END_ISOLATE = "\u2068", "\u2069"
#: Characters that set the direction of the text after them, up to the end of the line if nobody stops them.
_DIRECTIONS = {code: f"\\u{code:04x}" for code in (*range(0x202A, 0x202F), *range(0x2066, 0x206A))}

#: Pieces of text with more characters are not cut into lines.
_LONGEST_PIECE = 1_000

_ESCAPES = str.maketrans({"(": "-LRB-", ")": "-RRB-", **dict.fromkeys(" \t\n\v\f\r", "_")})


def decode(text: bytes) -> str:
    """Bytes of a treebank as text; what is not UTF-8 survives the way back."""
    return text.decode("utf-8", "surrogateescape")


def encode(text: str) -> bytes:
    """The bytes behind `decode`."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # half a surrogate pair, which no file can hold
        return text.encode("utf-8", "surrogatepass")


def number_of(count: int, what: str) -> str:
    """A number with its noun.

    >>> number_of(1, "tree"), number_of(2000, "tree"), number_of(2, "boundary")
    ('1 tree', '2,000 trees', '2 boundaries')
    """
    if count != 1:
        what = f"{what[:-1]}ies" if what.endswith("ry") else f"{what}s"
    return f"{count:,} {what}"


def percent(share: float) -> str:
    """A share in percent, with all digits that it has.

    >>> percent(0.95), percent(0.9999999)
    ('95 %', '99.99999 %')
    """
    return f"{100 * share:.14g} %"


def escaped(text: str) -> str:
    """A label or word as it can stand in brackets.

    >>> escaped("a (b)")
    'a_-LRB-b-RRB-'
    """
    return text.translate(_ESCAPES)


def visible(text: str) -> str:
    """Text on one line without control characters, which would be obeyed where it is shown.

    >>> visible("a\\nb\\x1b[31m")
    'a\\\\nb\\\\x1b[31m'
    """
    return text if text.isprintable() else "".join(map(_visible, text))


def _visible(character: str) -> str:
    shown = character.isprintable() or ord(character) >= 160
    return character if shown else ascii(character)[1:-1]


def width(text: str) -> int:
    """How many columns of a terminal a text takes: two for each wide character, none for marks upon others.

    >>> width("cat"), width("猫"), width("e\\u0301"), width("한")
    (3, 2, 1, 2)
    """
    if text.isascii():
        return len(text)
    from unicodedata import category, east_asian_width

    columns = 0
    for character in text:
        if "\u1160" <= character <= "\u11ff" or category(character) in ("Mn", "Me", "Cf"):
            continue
        columns += 2 if east_asian_width(character) in "WF" else 1
    return columns


def padded(text: str, columns: int) -> str:
    """The text with blanks behind it, so that it takes so many columns.

    >>> padded("猫", 3) + "|"
    '猫 |'
    """
    return text + " " * (columns - width(text))


def isolated(text: str) -> str:
    """Text as it can be shown in a column: what is written from right to left does not move what stands beside it.

    >>> isolated("cat"), ascii(isolated("חתול")) == r"'\\u2068\\u05d7\\u05ea\\u05d5\\u05dc\\u2069'"
    ('cat', True)
    """
    text = visible(text)
    if text.isascii():
        return text
    from unicodedata import bidirectional

    text = text.translate(_DIRECTIONS)
    leftwards = any(bidirectional(character) in ("R", "AL", "AN") for character in text)
    return f"{_ISOLATE}{text}{_END_ISOLATE}" if leftwards else text


def clipped(text: str, columns: int) -> str:
    """The text, or as much of its beginning as fits into so many columns, and an ellipsis.

    >>> clipped("telescope", 9), clipped("telescope", 5)
    ('telescope', 'tele…')
    """
    if len(text) <= columns and width(text) <= columns:
        return text
    kept = text[: max(columns - 1, 0)]
    while kept and width(kept) >= columns:
        kept = kept[:-1]
    return f"{kept}…"


def shortened(words: Sequence[str], columns: int) -> str:
    """The words as they can be shown, in so many columns; if they do not fit, those in the middle are left out.

    >>> shortened("the cat with the telescope".split(), 30)
    'the cat with the telescope'
    >>> shortened("the cat with the telescope".split(), 20)
    'the cat … telescope'
    """
    if len(words) <= columns:
        whole = visible(" ".join(words))
        if width(whole) <= columns:
            return whole
    if len(words) == 1:
        return clipped(visible(words[0]), columns)
    room = columns - 3
    first = clipped(visible(words[0]), max(room // 2, room - width(visible(words[-1]))))
    last = clipped(visible(words[-1]), room - width(first))
    room -= width(first) + width(last)
    ends = [[first], [last]]
    for taken in range(2, len(words)):
        side = taken % 2
        word = visible(words[taken // 2] if side == 0 else words[-1 - taken // 2])
        room -= width(word) + 1
        if room < 0:
            break
        ends[side].append(word)
    return f"{' '.join(ends[0])} … {' '.join(reversed(ends[1]))}"


def wrapped(words: Iterable[str], columns: int, first: int | None = None) -> list[str]:
    """Words on lines of so many columns, the first of which may have another number; what does not fit is clipped.

    >>> wrapped("the cat with a telescope".split(), 9, first=4)
    ['the', 'cat with', 'a', 'telescope']
    """
    lines: list[list[str]] = [[]]
    room = columns if first is None else first
    for word in words:
        shown = clipped(visible(word), max(columns, 1))
        needed = width(shown) + bool(lines[-1])
        if needed > room and (lines[-1] or room < columns):
            lines.append([])
            room, needed = columns, width(shown)
        lines[-1].append(shown)
        room -= needed
    return [" ".join(line) for line in lines]


def pieces(text: str) -> list[str]:
    """A text cut behind blanks and bars, where a line may end: signatures have no blanks.

    >>> pieces("parseval|labels:yes of it")
    ['parseval|', 'labels:yes ', 'of ', 'it']
    """
    return text.replace("|", "|\0").replace(" ", " \0").split("\0")


def lines_of(pieces: Iterable[str], fits: Callable[[str], bool], indent: str = "") -> list[str]:
    """Pieces put together to lines that fit; all but the first begin with the indent.

    >>> lines_of(pieces("parseval|labels:yes|profile:collins"), lambda line: len(line) <= 22, "  ")
    ['parseval|labels:yes|', '  profile:collins']
    """
    lines = [""]
    for piece in pieces:
        if lines[-1].strip() and not fits(lines[-1] + piece.rstrip()):
            lines.append(indent)
        lines[-1] += piece
    return [line.rstrip() for line in lines]


def cut_to_fit(piece: str, fits: Callable[[str], bool]) -> list[str]:
    """A piece in parts that fit, cut behind slashes where that is enough, so that paths are seen to their ends.

    Very long ones, which no line of text has, are left as they are.

    >>> cut_to_fit("/home/me/gold.mrg:17: ", lambda part: len(part) <= 12)
    ['/home/me/', 'gold.mrg:17: ']
    >>> cut_to_fit("telescope", lambda part: len(part) <= 4)
    ['tele', 'scop', 'e']
    """
    if len(piece) > _LONGEST_PIECE or fits(piece.rstrip()):
        return [piece]
    units = (part if not fits(part) else [part] for part in piece.rstrip().replace("/", "/\0").split("\0"))
    *parts, last = lines_of((unit for part in units for unit in part), fits)
    return [*parts, last + piece[len(piece.rstrip()) :]]


def p_text(p: float) -> str:
    """A p-value as it is shown; one that is too small for a number is not 0.

    >>> p_text(8.16e-43), p_text(0.0)
    ('8.16e-43', '<1e-300')
    """
    return f"{p:.3g}" if p >= 1e-300 else "<1e-300"

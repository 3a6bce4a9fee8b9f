"""Decoding and encoding of treebanks, and text prepared for display."""

from __future__ import annotations

from ..values.brief import brief

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

#: Start and end of text whose direction is independent of the surrounding text.
_ISOLATE, _END_ISOLATE = "\u2068", "\u2069"
#: Characters that set the direction of the text after them.
_DIRECTIONS = {code: f"\\u{code:04x}" for code in (*range(0x202A, 0x202F), *range(0x2066, 0x206A))}

#: Pieces of text with more characters are not cut into lines.
_LONGEST_PIECE = 1_000

_ESCAPES = str.maketrans({"(": "-LRB-", ")": "-RRB-", **dict.fromkeys(" \t\n\v\f\r", "_")})


def decode(text: bytes) -> str:
    """Bytes of a treebank as text; `encode` restores bytes that are not UTF-8."""
    return text.decode("utf-8", "surrogateescape")


def encode(text: str) -> bytes:
    """The inverse of `decode`."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # half a surrogate pair, which no file can hold
        return text.encode("utf-8", "surrogatepass")


def without_surrogates(text: str) -> str:
    """The text with bytes that are not UTF-8 as escapes, for columns of tables.

    >>> without_surrogates(decode(b"caf\\xe9")), without_surrogates("café")
    ('caf\\\\udce9', 'café')
    """
    return text.encode("utf-8", "backslashreplace").decode()


def number_of(count: int, what: str) -> str:
    """A number with its noun.

    >>> number_of(1, "tree"), number_of(2000, "tree"), number_of(2, "boundary")
    ('1 tree', '2,000 trees', '2 boundaries')
    """
    if count != 1:
        what = f"{what[:-1]}ies" if what.endswith("ry") else f"{what}s"
    return f"{count:,} {what}"


def percent(share: float) -> str:
    """A share in percent, with all its digits.

    >>> percent(0.95), percent(0.9999999)
    ('95 %', '99.99999 %')
    """
    return f"{100 * share:.14g} %"


def escaped(text: str) -> str:
    """A label or word with brackets and white space escaped.

    >>> escaped("a (b)")
    'a_-LRB-b-RRB-'
    """
    return text.translate(_ESCAPES)


def visible(text: str) -> str:
    """Text on one line with control characters escaped, which a terminal would obey.

    >>> visible("a\\nb\\x1b[31m")
    'a\\\\nb\\\\x1b[31m'
    """
    return text if text.isprintable() else "".join(map(_visible, text))


def _visible(character: str) -> str:
    shown = character.isprintable() or ord(character) >= 160
    return character if shown else ascii(character)[1:-1]


def width(text: str) -> int:
    """The width of a text in columns of a terminal: two for a wide character, none for a combining one.

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
    """The text, padded with blanks to this width.

    >>> padded("猫", 3) + "|"
    '猫 |'
    """
    return text + " " * (columns - width(text))


def isolated(text: str) -> str:
    """Text for a column of a table: text from right to left does not change the order of its neighbours.

    Very long words are shortened.

    >>> isolated("cat"), ascii(isolated("חתול")) == r"'\\u2068\\u05d7\\u05ea\\u05d5\\u05dc\\u2069'"
    ('cat', True)
    """
    text = visible(brief(text))
    if text.isascii():
        return text
    from unicodedata import bidirectional

    text = text.translate(_DIRECTIONS)
    leftwards = any(bidirectional(character) in ("R", "AL", "AN") for character in text)
    return f"{_ISOLATE}{text}{_END_ISOLATE}" if leftwards else text


def clipped(text: str, columns: int) -> str:
    """The text, or an ellipsis after as much of it as fits into this width.

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
    """The words as text of at most this width; if they do not fit, words in the middle are left out.

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
    for number in range(2, len(words)):
        side = number % 2
        word = visible(words[number // 2] if side == 0 else words[-1 - number // 2])
        room -= width(word) + 1
        if room < 0:
            break
        ends[side].append(word)
    return f"{' '.join(ends[0])} … {' '.join(reversed(ends[1]))}"


def without_middle(text: str, most: int) -> str:
    """The first and the last lines of a long text, of which `most` characters are kept, more of them at the end.

    >>> print(without_middle("one two three four", 8))
    on
    [… 10 characters …]
    e four
    """
    if len(text) <= most:
        return text
    first, last = text[: most // 4], text[most // 4 - most :]
    return f"{first}\n[… {len(text) - most:,} characters …]\n{last}"


def wrapped(words: Iterable[str], columns: int, first: int | None = None) -> list[str]:
    """Words on lines of this width, the `first` line may have another; words that do not fit are clipped.

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
    """A text cut after blanks and bars, where a line may end: signatures have no blanks.

    >>> pieces("parseval|labels:yes of it")
    ['parseval|', 'labels:yes ', 'of ', 'it']
    """
    return text.replace("|", "|\0").replace(" ", " \0").split("\0")


def lines_of(pieces: Iterable[str], fits: Callable[[str], bool], indent: str = "") -> list[str]:
    """Pieces joined to lines that fit; all lines but the first are indented.

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
    """A piece in parts that fit, preferably cut after slashes, so that paths remain readable.

    Very long pieces are returned unchanged.

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
    """A p-value as text; one that is too small for a float is not shown as 0.

    >>> p_text(8.16e-43), p_text(0.0)
    ('8.16e-43', '<1e-300')
    """
    return f"{p:.3g}" if p >= 1e-300 else "<1e-300"

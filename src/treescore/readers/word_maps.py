"""Word maps: the surface word, delimited by blanks in the raw text, of each segment of a sentence.

Either one line per sentence with the number of the surface word for each segment, or one line per segment, whose last
column, after a tab, is this number, and an empty line after each sentence.

>>> word_map = read_word_map(b"1 1 2\\n1\\n")
>>> len(word_map), word_map.sentences()
(2, [[1, 1, 2], [1]])
>>> read_word_map(b"B\\t1\\nCL\\t1\\nHM\\t2\\n\\nKN\\t1\\n").sentences()
[[1, 1, 2], [1]]
"""

from __future__ import annotations

from array import array

from .lines import Lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from .. import _core


class WordMap:
    """The surface words of many sentences in columns: the end of each sentence, and the numbers of all segments."""

    __slots__ = ("ends", "words")

    def __init__(self) -> None:
        self.ends, self.words = array("q"), array("q")

    def __len__(self) -> int:
        return len(self.ends)

    def size(self, sentence: int) -> int:
        """The number of segments of a sentence."""
        return self.ends[sentence] - (self.ends[sentence - 1] if sentence else 0)

    def sentences(self) -> list[list[int]]:
        """The numbers, sentence by sentence."""
        return [list(self.words[end - self.size(place) : end]) for place, end in enumerate(self.ends)]


def read_word_map(data: _core.Buffer, *, name: str | None = None) -> WordMap:
    """Read a word map; text that is not a number, or a decreasing number, is an `InputError` with its position."""
    lines = Lines(data, name=name)
    by_segment = b"\t" in lines.data
    word_map = WordMap()
    before = 0
    content = lines.data.removesuffix(b"\n").removesuffix(b"\r").count(b"\n") + 1 if lines.data else 0
    for line in lines.all():
        if lines.number > content:
            break
        items = line.split()
        for place, text in enumerate(items[-1:] if by_segment else items):
            if not text.isdigit() or len(text) > 9 or (by_segment and len(items) < 2):
                column = len(items) - 1 if by_segment else place
                lines.fault("word-map", "this should be the number of a surface word", lines.column(line, column))
            number = int(text)
            if number < max(before, 1):
                message = f"surface word {number} after {before}" if before else "surface words are counted from 1"
                lines.fault("word-map", message, lines.column(line, len(items) - 1 if by_segment else place))
            word_map.words.append(number)
            before = number
        if not by_segment or not items or lines.number == content:
            word_map.ends.append(len(word_map.words))
            before = 0
    return word_map


def written_map(words: Sequence[int]) -> bytes:
    """The map of one sentence, the inverse of `read_word_map`.

    >>> written_map([1, 1, 2])
    b'1 1 2\\n'
    """
    return " ".join(map(str, words)).encode() + b"\n"

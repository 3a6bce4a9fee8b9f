"""Pronunciations of English words that no dictionary has, from an n-gram model of letters and phones.

A word is divided into pieces of one or two letters, each with its phones. The model gives the probability of a piece
after the pieces before it. `scripts/train_letter_to_sound.py` trains the model from the dictionary of PocketSphinx.

>>> model = load()
>>> [" ".join(phones) for phones in model.guesses("kowalski", 2)]
['K AW AA L S K IY', 'K AW AH L S K IY']
>>> model.guesses("日本", 2)
()
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from functools import cache, lru_cache
from itertools import accumulate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    Phones = tuple[str, ...]
    Piece = tuple[str, Phones]
    #: An n-gram in the file: its last piece, its cost, its back-off weight, and the number of n-grams that extend it.
    Node = tuple[int, int, int, int]
    Context = tuple[int, ...]
    Hypothesis = tuple[Context, Phones]
    Hypotheses = dict[Hypothesis, int]

#: Costs are negative logarithms of probabilities, in steps of 1/12.
STEPS = 12
#: The back-off weight 1 in the file; smaller numbers are weights above 1.
NO_BACKOFF = 40
_VERSION = "treescore letter-to-sound 1"
_EDGE = 0  # the piece at the beginning and the end of each word
_WIDTH = 60  # hypotheses
_BEAM = 12 * STEPS  # cost above the best hypothesis
_LONGEST = 40  # letters; longer words are not words


class LetterToSound:
    """A model in memory. Costs are whole numbers, so the guesses are the same on every computer."""

    def __init__(self, content: bytes) -> None:
        version, names, sizes, columns = content.split(b"\n", 3)
        if version.decode() != _VERSION:
            raise ValueError(f"the model is {version!r}, not {_VERSION!r}")
        #: Letters and phones of each piece; the first is the edge of a word.
        self.pieces = [_piece(name) for name in names.decode().split(" ")]
        self._by_letters: dict[str, list[int]] = {}
        for number, (letters, _) in enumerate(self.pieces):
            self._by_letters.setdefault(letters, []).append(number)
        self._levels = []
        for size in map(int, sizes.split()):
            self._levels.append(_Level(columns[: 6 * size], size))
            columns = columns[6 * size :]
        self._node = lru_cache(1 << 16)(self._find_node)
        self._choices = lru_cache(1 << 14)(self._find_choices)

    def guesses(self, word: str, most: int) -> tuple[Phones, ...]:
        """Different pronunciations of a word of the letters a to z and apostrophes, most probable first.

        There are none for other words.
        """
        return tuple(phones for _, phones in self.costs(word)[:most])

    def costs(self, word: str) -> list[tuple[int, Phones]]:
        """Pronunciations with their costs, lowest first."""
        if not 0 < len(word) <= _LONGEST:
            return []
        waiting: list[Hypotheses] = [{} for _ in range(len(word) + 1)]
        waiting[0][(_EDGE,), ()] = 0
        for place in range(len(word)):
            hypotheses = _best(waiting[place])
            for end in range(place + 1, min(place + 2, len(word)) + 1):
                self._extend(hypotheses, word[place:end], waiting[end])
        ends: dict[Phones, int] = {}
        for (context, phones), cost in waiting[len(word)].items():
            total = cost + self.cost(context, _EDGE)
            if phones and total < ends.get(phones, total + 1):
                ends[phones] = total
        return sorted((cost, phones) for phones, cost in ends.items())

    def _extend(self, hypotheses: Iterable[tuple[int, Hypothesis]], letters: str, longer: Hypotheses) -> None:
        """Extend hypotheses by all pieces with these letters."""
        for cost, (context, phones) in hypotheses:
            for more, piece, after in self._choices(context, letters):
                hypothesis = after, phones + self.pieces[piece][1]
                total = cost + more
                if total < longer.get(hypothesis, total + 1):
                    longer[hypothesis] = total

    def cost(self, context: Context, piece: int) -> int:
        """The cost of a piece after other pieces."""
        total = 0
        while True:
            node = self._node(context)
            if node is not None:
                child = self._child(len(context), node, piece)
                if child is not None:
                    return total + self._levels[len(context)].costs[child]
                if context and self._has_children(len(context), node):
                    total += self._levels[len(context) - 1].backoffs[node] - NO_BACKOFF
            if not context:
                raise KeyError(piece)
            context = context[1:]

    def _find_choices(self, context: Context, letters: str) -> list[tuple[int, int, Context]]:
        """The pieces with these letters: their costs, and the contexts after them."""
        choices = []
        for piece in self._by_letters.get(letters, ()):
            after = (*context, piece)[-(len(self._levels) - 1) :]
            while after and ((node := self._node(after)) is None or not self._has_children(len(after), node)):
                after = after[1:]
            choices.append((self.cost(context, piece), piece, after))
        return choices

    def _find_node(self, context: Context) -> int | None:
        """The number of an n-gram among those of its length; 0 for the empty one."""
        node = 0
        for length, piece in enumerate(context):
            child = self._child(length, node, piece)
            if child is None:
                return None
            node = child
        return node

    def _child(self, length: int, node: int, piece: int) -> int | None:
        """The n-gram that extends one of this length."""
        pieces = self._levels[length].pieces
        begin, end = self._children(length, node)
        child = bisect_left(pieces, piece, begin, end)
        return child if child < end and pieces[child] == piece else None

    def _children(self, length: int, node: int) -> tuple[int, int]:
        if length == 0:
            return 0, len(self._levels[0].pieces)
        ends = self._levels[length - 1].ends
        return (ends[node - 1] if node else 0), ends[node]

    def _has_children(self, length: int, node: int) -> bool:
        begin, end = self._children(length, node)
        return begin < end


class _Level:
    """The n-grams of one length, ordered by their pieces."""

    def __init__(self, columns: bytes, size: int) -> None:
        low, high, self.costs, self.backoffs, *children = (columns[at * size : (at + 1) * size] for at in range(6))
        #: The last piece of each n-gram.
        self.pieces = array("H", (number & 0xFFFF for number in accumulate(_numbers(low, high))))
        #: The end of the longer n-grams that extend each n-gram; they begin where those before end.
        self.ends = array("L", accumulate(_numbers(*children)))


def _numbers(low: bytes, high: bytes) -> Iterable[int]:
    return map(int.__add__, low, map((256).__mul__, high))


def _best(hypotheses: Hypotheses) -> list[tuple[int, Hypothesis]]:
    """The hypotheses worth continuing, in an order that depends only on them."""
    limit = min(hypotheses.values(), default=0) + _BEAM
    return sorted((cost, hypothesis) for hypothesis, cost in hypotheses.items() if cost <= limit)[:_WIDTH]


def packed(pieces: Iterable[Piece], levels: Sequence[Sequence[Node]]) -> bytes:
    """The content of a model: n-grams of each length, ordered by their pieces.

    Each number is divided into a low and a high byte, and each column of bytes is separate, which compresses well.
    """
    names = " ".join(f"{letters}:{'+'.join(phones)}" for letters, phones in pieces)
    parts = [f"{_VERSION}\n{names}\n{' '.join(str(len(level)) for level in levels)}\n".encode()]
    for level in levels:
        last, costs, backoffs, children = zip(*level, strict=True)
        steps = [(piece - before) & 0xFFFF for piece, before in zip(last, (0, *last), strict=False)]
        low, high = (bytes(step >> shift & 0xFF for step in steps) for shift in (0, 8))
        few, many = (bytes(number >> shift & 0xFF for number in children) for shift in (0, 8))
        parts += [low, high, bytes(costs), bytes(backoffs), few, many]
    return b"".join(parts)


def _piece(name: str) -> Piece:
    letters, _, phones = name.partition(":")
    return letters, tuple(phones.split("+")) if phones else ()


@cache
def load() -> LetterToSound:
    """The model that comes with treescore."""
    from lzma import decompress

    from ..helpers.files import packaged

    return LetterToSound(decompress(packaged("letter_to_sound.xz").read_bytes()))

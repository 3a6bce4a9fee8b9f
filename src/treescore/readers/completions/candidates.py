"""The candidates for the tree of a completion, and the choice among them.

Only the words of the sentence are used, and only to distinguish trees from other text: never to choose the best tree.
"""

from __future__ import annotations

from .folding import BLANKS
from .pieces import pieces, runs
from .tree_text import BRACKET_OR_WORD, EMPTY_BRACKET, without_empty_brackets, words_of, written

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from .folding import Sentence
    from .pieces import Group, Run
    from .repairs import Mended

#: Reasons why groups are no candidates, the first of which is reported.
_REASONS = ("unbalanced", "rootless", "no-words")
#: Of the rolling hash of words: a Mersenne prime, and the base of the digits.
_MODULUS, _BASE = (1 << 61) - 1, 1_000_003


class Candidate:
    """A group that may be the tree: on one line, after these repairs. `is_alone`: is it all there is in a fence?"""

    __slots__ = ("is_alone", "repairs", "tree", "words")

    def __init__(self, tree: str, repairs: list[str], is_alone: bool) -> None:
        self.tree, self.repairs, self.is_alone = tree, repairs, is_alone
        self.words = words_of(tree)

    @property
    def has_brackets_inside(self) -> bool:
        """Is it more than a label and words?"""
        return "(" in self.tree[1:]


class Candidates:
    """The candidates of a text in their order, and why other groups are none."""

    __slots__ = ("_allowed", "_reasons", "_sentence", "all")

    def __init__(self, sentence: Sentence, allowed: frozenset[str]) -> None:
        self.all: list[Candidate] = []
        self._sentence = sentence
        self._allowed = allowed
        self._reasons: set[str] = set()

    @property
    def reason(self) -> str:
        """Why none of them was chosen."""
        if any(candidate.has_brackets_inside for candidate in self.all):
            return "other-words"
        return next((reason for reason in _REASONS if reason in self._reasons), "no-tree")

    def add_block(self, block: Mended, is_fenced: bool) -> None:
        """Add the candidates of a block of text."""
        text = block.text
        if "(" not in text:
            return
        begin, end = len(text) - len(text.lstrip(BLANKS)), len(text.rstrip(BLANKS))
        for piece, offset in pieces(text):
            for run in runs(piece, offset):
                is_alone = is_fenced and (run.groups[0].begin, run.end) == (begin, end)
                self._add_run(block, run, is_alone)

    def _add_run(self, block: Mended, run: Run, is_alone: bool) -> None:
        is_single = len(run.groups) == 1
        if run.surplus and not is_single:
            self._reasons.add("unbalanced")
            return
        candidates = [self._candidate(block, run, group, is_alone and is_single) for group in run.groups]
        present = [candidate for candidate in candidates if candidate]
        if not is_single and self._have_words_of_sentence(present):
            self._reasons.add("rootless")
            return
        self.all += [candidate for candidate in present if self._allowed.issuperset(candidate.repairs)]

    def _have_words_of_sentence(self, candidates: Iterable[Candidate]) -> bool:
        if sum(len(candidate.words) for candidate in candidates) != len(self._sentence.words):
            return False
        return self._sentence.has_notation_of([word for candidate in candidates for word in candidate.words])

    def _candidate(self, block: Mended, run: Run, group: Group, is_alone: bool) -> Candidate | None:
        text = block.text[group.begin : group.end] + ")" * group.missing
        repairs = ["close"] if group.missing else []
        if run.surplus:
            repairs.append("surplus")
        repairs += block.repairs(group.begin, group.end)
        if not EMPTY_BRACKET.search(text):
            return Candidate(written(text), repairs, is_alone)
        if not group.missing:
            repairs.append("empty")
        tree = without_empty_brackets(text)
        if tree:
            return Candidate(tree, repairs, is_alone)
        if tree is not None and text.count("(") > 1:
            self._reasons.add("no-words")
        return None

    def chosen(self) -> Candidate | None:
        """The last candidate that may be the tree of the sentence."""
        left = [candidate for candidate in self.all if candidate.has_brackets_inside or candidate.is_alone]
        about = [candidate for candidate in left if self._is_about_sentence(candidate)]
        left = about or [candidate for candidate in left if candidate.is_alone]
        if len(left) > 1:
            left = list(_not_explaining(left))
            left = self._long_enough(left)
            left = [candidate for candidate in left if not candidate.repairs] or left
        return left[-1] if left else None

    def _is_about_sentence(self, candidate: Candidate) -> bool:
        """Are at least half of its words words of the sentence?"""
        words = candidate.words
        return words == self._sentence.words or 2 * sum(map(self._sentence.knows, words)) >= len(words)

    def _long_enough(self, candidates: list[Candidate]) -> list[Candidate]:
        """Those with at least half as many words as the sentence, or the longest."""
        longest = max(len(candidate.words) for candidate in candidates)
        least = min(longest, (len(self._sentence.words) + 1) // 2)
        return [candidate for candidate in candidates if len(candidate.words) >= least]


def _not_explaining(candidates: list[Candidate]) -> Iterator[Candidate]:
    """Those that do not have the words of a phrase of an earlier, longer candidate.

    Words are compared by hashes first, so that the time does not depend on the depth of the trees.
    """
    numbers: dict[str, int] = {}
    phrases: dict[tuple[int, int], tuple[list[str], int]] = {}  # length and hash, then where such words are
    for candidate in candidates:
        words = candidate.words
        hashes = _prefix_hashes(numbers.setdefault(word, len(numbers) + 1) for word in words)
        place = phrases.get((len(words), hashes[-1]))
        if place is None or place[0][place[1] : place[1] + len(words)] != words:
            yield candidate
        for begin, end in _phrases(candidate.tree):
            if end - begin < len(words):
                power = pow(_BASE, end - begin, _MODULUS)
                key = (end - begin, (hashes[end] - hashes[begin] * power) % _MODULUS)
                phrases.setdefault(key, (words, begin))


def _prefix_hashes(numbers: Iterable[int]) -> list[int]:
    hashes = [0]
    for number in numbers:
        hashes.append((hashes[-1] * _BASE + number) % _MODULUS)
    return hashes


def _phrases(tree: str) -> Iterator[tuple[int, int]]:
    """First word and end of each bracket of a written tree."""
    count = 0
    begins: list[int] = []
    for token in BRACKET_OR_WORD.findall(tree):
        if token == "(":
            begins.append(count)
        elif token == ")":
            yield begins.pop(), count
        else:
            count += 1

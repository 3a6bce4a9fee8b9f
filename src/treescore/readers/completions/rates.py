"""The rates of a language model: how many completions are trees, how many are repaired, how many are faithful.

>>> from .completion import Completion
>>> completions = [
...     Completion("(S (NN a))", "valid", "(S (NN a))", True),
...     Completion("(S (NN b)", "repaired", "(S (NN b))", False, repairs=["close"], difference="wrong"),
...     Completion("No.", "rejected", reason="no-tree"),
... ]
>>> rates = rates_of(completions, [["a"], ["a"], ["a"]])
>>> rates.in_one_line()
'3 completions: 1 valid as printed, 0 extracted, 1 repaired, 1 rejected; 1 faithful'
>>> rates.words
{'changed': 1, 'added': 0, 'dropped': 0}
"""

from __future__ import annotations

from collections import Counter

from ...helpers.text import number_of
from ...values.value import Value
from .completion import DIFFERENCES, OUTCOMES, REASONS, REPAIRS
from .tree_text import words_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from .completion import Completion

#: The outcomes as reports name them.
_TITLES = {"valid": "valid as printed"}
#: The rates that reports give, and those that are better when higher.
RATES = (*OUTCOMES, "faithful")
GATED = ("valid", "faithful")


class Rates(Value):
    """Numbers of completions: all of them, those with each outcome, and the faithful ones.

    `repairs`, `reasons` of rejections and `differences` of words have the numbers of completions with each of them.
    `words` are the changed, added and dropped words of the unfaithful trees, by the alignment with the fewest of them,
    and `sentence_words` the words of the sentences of all trees.
    """

    number: int
    outcomes: dict[str, int]
    faithful: int
    repairs: dict[str, int]
    reasons: dict[str, int]
    differences: dict[str, int]
    words: dict[str, int]
    sentence_words: int

    def number_of(self, name: str) -> int:
        """The number of completions with an outcome, or of "faithful" ones."""
        return self.faithful if name == "faithful" else self.outcomes[name]

    def shares(self) -> dict[str, float | None]:
        """The shares of all outcomes and of faithful completions; None if there are no completions."""
        return {name: self.number_of(name) / self.number if self.number else None for name in RATES}

    def in_one_line(self) -> str:
        """The numbers in one line."""
        parts = [f"{count:,} {_TITLES.get(name, name)}" for name, count in self.outcomes.items()]
        return f"{number_of(self.number, 'completion')}: {', '.join(parts)}; {self.faithful:,} faithful"

    def rows(self) -> Iterator[tuple[str, int, int]]:
        """The rows of a table: a title, a number, and the number of which it is a part."""
        for outcome, count in self.outcomes.items():
            yield _TITLES.get(outcome, outcome), count, self.number
            details = {"repaired": self.repairs, "rejected": self.reasons}.get(outcome, {})
            yield from ((f"  {name}", part, self.number) for name, part in details.items())
        yield "faithful (same words)", self.faithful, self.number
        yield from ((f"  not: {name}", count, self.number) for name, count in self.differences.items())
        if any(self.words.values()):
            yield from ((f"words {name}", count, self.sentence_words) for name, count in self.words.items())

    def data(self) -> dict[str, Any]:
        """All numbers and shares by name."""
        return {**self.values(), "shares": self.shares()}


def rates_of(completions: Sequence[Completion], sentences: Sequence[Sequence[str]]) -> Rates:
    """The rates of completions for these sentences, one for each."""
    outcomes = Counter(completion.outcome for completion in completions)
    counted = {
        "repairs": _counts(REPAIRS, (name for completion in completions for name in completion.repairs)),
        "reasons": _counts(REASONS, (completion.reason for completion in completions)),
        "differences": _counts(DIFFERENCES, (completion.difference for completion in completions)),
    }
    trees = [number for number, completion in enumerate(completions) if completion.tree is not None]
    return Rates(
        number=len(completions),
        outcomes={name: outcomes[name] for name in OUTCOMES},
        faithful=sum(completion.faithful is True for completion in completions),
        words=_word_changes((completions[number], sentences[number]) for number in trees),
        sentence_words=sum(len(sentences[number]) for number in trees),
        **counted,
    )


def _counts(names: Sequence[str], given: Iterator[str | None]) -> dict[str, int]:
    """How often each of these names is given, without those that are not."""
    counts = Counter(given)
    return {name: counts[name] for name in names if counts[name]}


def _word_changes(pairs: Iterator[tuple[Completion, Sequence[str]]]) -> dict[str, int]:
    """The changed, added and dropped words of unfaithful trees."""
    from ...pairing.word_alignment import WordCounts, align_words

    total = WordCounts()
    for completion, sentence in pairs:
        if completion.faithful is False:
            total += align_words(
                list(sentence), words_of(completion.tree or ""), costs=(1, 1, 1), fold_case=False
            ).counts
    return {"changed": total.substitutions, "added": total.insertions, "dropped": total.deletions}

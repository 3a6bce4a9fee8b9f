"""Contractions that one text uses and another text expands.

A list has one rule per line: the contraction, `=`, and its expansion. Words that begin with `-` are ends of words; two
words on both sides describe the first word before the second, and both written as one word. `#` begins a comment.

>>> rules = Contractions.parse("-n't = -not\\nca n't = can not\\ndu = de le")
>>> rules.expanded("don't"), rules.expanded("can't"), rules.expanded("du"), rules.expanded("ca")
('donot', 'cannot', 'dele', 'ca')
>>> rules.before
(('ca', "n't", 'can'),)
"""

from __future__ import annotations

from ..helpers.files import packaged
from ..values.problem import InputError, Problem
from ..values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

#: The languages of the lists in `data/contractions`; none is an empty list.
LANGUAGES = ("none", "en", "de", "es", "fr", "it", "pt")


def built_in(language: str) -> str:
    """The list of a language."""
    return "" if language == "none" else packaged(f"contractions/{language}.txt").read_text(encoding="utf-8")


class Contractions(Value):
    """Rules for ends of words, whole words, and words before others."""

    ends: tuple[tuple[str, str], ...] = ()
    words: tuple[tuple[str, str], ...] = ()
    before: tuple[tuple[str, str, str], ...] = ()

    @classmethod
    def parse(cls, text: str, *, name: str | None = None, same: Callable[[str], str] = str) -> Contractions:
        """The rules of a list; `same` normalises words before they are compared."""
        ends, words, before = [], [], []
        for number, line in enumerate(text.splitlines(), 1):
            rule = line.partition("#")[0].split()
            if not rule:
                continue
            contraction, expansion = _sides(rule)
            ends_of_words = all(
                len(side) == 1 and side[0].startswith("-") and side[0] != "-" for side in (contraction, expansion)
            )
            if ends_of_words:
                ends.append((same(contraction[0][1:]), same(expansion[0][1:])))
            elif len(contraction) == 1 and expansion and not contraction[0].startswith("-"):
                words.append((same(contraction[0]), "".join(map(same, expansion))))
            elif len(contraction) == len(expansion) == 2:
                before.append((same(contraction[0]), same(contraction[1]), same(expansion[0])))
                words.append(("".join(map(same, contraction)), "".join(map(same, expansion))))
            else:
                message = (
                    f"{line.strip()!r} is not a rule of the form du = de le, -n't = -not (ends of words) "
                    "or ca n't = can not"
                )
                raise InputError(Problem("contractions", message, file=name, line=number))
        return cls(tuple(ends), tuple(words), tuple(before))

    def expanded(self, word: str) -> str:
        """The expansion of a normalised word."""
        return self.expander()(word)

    def expander(self) -> Callable[[str], str]:
        """A function that expands many words."""
        words, ends = dict(reversed(self.words)), dict(reversed(self.ends))
        longest = max(map(len, ends), default=0)

        def expand(word: str) -> str:
            if word in words:
                return words[word]
            for size in range(min(longest, len(word)), 0, -1):
                if word[-size:] in ends:
                    return word[:-size] + ends[word[-size:]]
            return word

        return expand


def _sides(rule: list[str]) -> tuple[list[str], list[str]]:
    if rule.count("=") != 1:
        return [], []
    index = rule.index("=")
    return rule[:index], rule[index + 1 :]

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

from ..values.problem import InputError, Problem
from ..values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

#: The lists included in treescore, by language.
LANGUAGES = {
    "none": "",
    "en": """
        -n't = -not
        ca n't = can not
        wo n't = will not
        sha n't = shall not
        """,
    "de": """
        am = an dem
        ans = an das
        beim = bei dem
        im = in dem
        ins = in das
        vom = von dem
        zum = zu dem
        zur = zu der
        """,
    "es": """
        al = a el
        del = de el
        conmigo = con mí
        contigo = con ti
        """,
    "fr": """
        au = à le
        aux = à les
        du = de le
        des = de les
        auquel = à lequel
        auxquels = à lesquels
        auxquelles = à lesquelles
        duquel = de lequel
        desquels = de lesquels
        desquelles = de lesquelles
        """,
    "it": """
        al = a il
        allo = a lo
        alla = a la
        ai = a i
        agli = a gli
        alle = a le
        dal = da il
        dallo = da lo
        dalla = da la
        dai = da i
        dagli = da gli
        dalle = da le
        del = di il
        dello = di lo
        della = di la
        dei = di i
        degli = di gli
        delle = di le
        nel = in il
        nello = in lo
        nella = in la
        nei = in i
        negli = in gli
        nelle = in le
        sul = su il
        sullo = su lo
        sulla = su la
        sui = su i
        sugli = su gli
        sulle = su le
        """,
    "pt": """
        ao = a o
        aos = a os
        à = a a
        às = a as
        da = de a
        das = de as
        do = de o
        dos = de os
        na = em a
        nas = em as
        no = em o
        nos = em os
        pela = por a
        pelas = por as
        pelo = por o
        pelos = por os
        """,
}


class Contractions(Value):
    """Rules for ends of words, whole words, and words before others."""

    ends: tuple[tuple[str, str], ...]
    words: tuple[tuple[str, str], ...]
    before: tuple[tuple[str, str, str], ...]

    def __init__(
        self,
        *,
        ends: Iterable[tuple[str, str]] = (),
        words: Iterable[tuple[str, str]] = (),
        before: Iterable[tuple[str, str, str]] = (),
    ) -> None:
        self._store(ends=tuple(ends), words=tuple(words), before=tuple(before))

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
        return cls(ends=ends, words=words, before=before)

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

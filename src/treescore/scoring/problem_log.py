"""Problems in the order of their sentences, each kind once per sentence; all are counted, and the first are kept.

Several metrics may fail on one sentence, each for its own reason: only the first metric's reason is kept.

>>> log = ProblemLog(most=1)
>>> log.add([Problem("words", "…", unit=2), Problem("words", "… again", unit=2), Problem("length", "…", unit=1)])
>>> [problem.unit for problem in log.problems], log.codes()
([1], {'length': 1, 'words': 1})
"""

from __future__ import annotations

from ..values.problem import FAILED, MOST_PROBLEMS, Problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

#: Maximum number of problems that are kept where all problems are written beside their rows.
FEW_PROBLEMS = 10


class ProblemLog:
    """The problems of any number of sentences. The result does not depend on the order in which sentences are added.

    All problems of a sentence must be added together. Problems without a sentence come first, each of them once.
    """

    __slots__ = ("_codes", "_general", "_kept", "_most")

    def __init__(self, most: int = MOST_PROBLEMS) -> None:
        self._most = most
        self._kept: list[Problem] = []
        self._codes: dict[str, tuple[int, int]] = {}  # number of problems, and the first sentence
        self._general: dict[Problem, None] = {}

    def add(self, problems: Iterable[Problem]) -> None:
        """Add problems of further sentences, and general problems."""
        seen: set[tuple[str, int, str | None]] = set()
        added = []
        for problem in problems:
            if problem.unit is None:
                self._general[problem] = None
                continue
            kinds = {problem.code, FAILED} if problem.action == FAILED else {problem.code}
            keys = {(kind, problem.unit, problem.file) for kind in kinds}
            if keys.isdisjoint(seen):
                added.append(problem)
                self._count(problem.code, 1, problem.unit)
            seen |= keys
        self._keep(added)

    def merge(self, other: ProblemLog) -> None:
        """Add the problems of other sentences."""
        for code, (number, first) in other._codes.items():
            self._count(code, number, first)
        self._general.update(other._general)
        self._keep(other._kept)

    def count(self, code: str, number: int) -> None:
        """Count problems whose sentences are unknown."""
        if number:
            self._count(code, number, 0)

    def _count(self, code: str, number: int, unit: int) -> None:
        known, first = self._codes.get(code, (0, unit))
        self._codes[code] = known + number, min(first, unit)

    def _keep(self, added: list[Problem]) -> None:
        if not added:
            return
        self._kept += added
        self._kept.sort(key=_unit)
        del self._kept[self._most :]

    @property
    def problems(self) -> list[Problem]:
        """General problems, then the problems of sentences in their order."""
        return [*sorted(self._general, key=_text), *self._kept][: self._most]

    def codes(self) -> dict[str, int]:
        """The number of problems of each kind, in the order in which kinds first occur."""
        counts: dict[str, int] = {}
        for problem in sorted(self._general, key=_text):
            counts[problem.code] = counts.get(problem.code, 0) + 1
        for code, (number, _) in sorted(self._codes.items(), key=lambda item: (item[1][1], item[0])):
            counts[code] = counts.get(code, 0) + number
        return counts

    @property
    def in_sentences(self) -> int:
        """The number of problems of single sentences."""
        return sum(number for number, _ in self._codes.values())

    def copy(self) -> ProblemLog:
        """An independent log with the same problems."""
        log = ProblemLog(self._most)
        log._codes, log._kept, log._general = dict(self._codes), list(self._kept), dict(self._general)
        return log

    def as_data(self) -> dict[str, Any]:
        """The log as data for JSON."""
        return {
            "codes": [[code, number, first] for code, (number, first) in self._codes.items()],
            "general": [problem.values() for problem in self._general],
            "kept": [problem.values() for problem in self._kept],
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any], most: int = MOST_PROBLEMS) -> ProblemLog:
        """The inverse of `as_data`."""
        log = cls(most)
        log._codes = {code: (number, first) for code, number, first in data["codes"]}
        log._general = {Problem(**values): None for values in data["general"]}
        log._kept = [Problem(**values) for values in data["kept"]]
        return log


def _unit(problem: Problem) -> int:
    return problem.unit or 0


def _text(problem: Problem) -> tuple[str, str]:
    return problem.code, str(problem)

"""Head tables: rules that determine the head child of a phrase.

>>> table = HeadTable({"NP": [("r", ("NN", "NNS")), ("l", ("NP",))]}, [("l", ())], conjunctions=["CC"])
>>> print(table, end="")
*default* (l)
*conjunctions* (l CC)
NP (r NN NNS) (l NP)
>>> HeadTable.read(str(table)) == table
True
"""

from __future__ import annotations

from ..helpers.new_files import replacing
from ..helpers.text import encode, visible
from ..values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from os import PathLike

    from ..values.problem import Problem


Group = tuple[str, tuple[str, ...]]  # direction "l" or "r", and labels; none stand for any label
Groups = tuple[Group, ...]

#: Names of special lines.
DEFAULT, CONJUNCTIONS, SKIP = "*default*", "*conjunctions*", "*skip*"
#: White space in a table, which labels cannot contain.
BLANKS = " \t\r\v\f"
_FORBIDDEN = frozenset(BLANKS + "\n()")


class HeadTable(Value):
    """Rules for finding heads, immutable.

    A rule has groups, tried in order. A group is a direction and labels: the leftmost ("l") or rightmost ("r") child
    with one of these labels is the head. The default follows the groups of every rule.

    `conjunctions`: if one of these immediately precedes the head, the child before it becomes the head.
    `skip`: tags that are heads only if there are no others, such as punctuation and traces.
    """

    rules: tuple[tuple[str, Groups], ...]
    default: Groups
    conjunctions: tuple[str, ...]
    skip: tuple[str, ...]
    problems: tuple[Problem, ...]

    def __init__(
        self,
        rules: Mapping[str, Iterable[tuple[str, Iterable[str]]]]
        | Iterable[tuple[str, Iterable[tuple[str, Iterable[str]]]]],
        default: Iterable[tuple[str, Iterable[str]]],
        *,
        conjunctions: Iterable[str] = (),
        skip: Iterable[str] = (),
        problems: Iterable[Problem] = (),
    ) -> None:
        pairs = rules.items() if hasattr(rules, "items") else rules
        self._store(
            rules=tuple((category, _groups(category, groups)) for category, groups in pairs),
            default=_groups(DEFAULT, default),
            conjunctions=_labels(CONJUNCTIONS, conjunctions),
            skip=_labels(SKIP, skip),
            problems=tuple(problems),
        )
        seen: set[str] = set()
        for category, _ in self.rules:
            _check_label("a category", category)
            if category.startswith("#") or category in (DEFAULT, CONJUNCTIONS, SKIP, *seen):
                raise ValueError(f"{visible(category)!r} cannot be a category, or is one twice")
            seen.add(category)

    @classmethod
    def read(cls, source: str | bytes | PathLike[str], *, name: str | None = None) -> HeadTable:
        """Read a table in SParseval's form from a path, or from text that has a line end or a bracket.

        Questionable lines are in `problems`.

        >>> table = HeadTable.read("*default* (l)\\nNP (r NN)\\nNP (l NP)\\n")
        >>> print(*table.problems)
        <text>:3:1: a second rule for NP; the first counts, as in SParseval (left out)
        """
        from .table_files import read_table

        return read_table(source, name)

    @property
    def coordination(self) -> bool:
        """Does the head move before conjunctions?"""
        return bool(self.conjunctions)

    def groups(self, category: str) -> Groups:
        """The groups of a category; empty without a rule.

        >>> HeadTable({"NP": [("r", ["NN"])]}, [("l", [])]).groups("NP")
        (('r', ('NN',)),)
        """
        for known, groups in self.rules:
            if known == category:
                return groups
        return ()

    def write(self, path: str | PathLike[str]) -> None:
        """Write the table to a file in SParseval's form; the original takes the switches for rules it never needs."""
        with replacing(path) as file:
            file.write(encode(str(self)))

    def __str__(self) -> str:
        lines: list[tuple[str, Groups]] = [(DEFAULT, self.default)]
        lines += [(name, (("l", labels),)) for name, labels in self._switches() if labels]
        lines += self.rules
        return "".join(
            f"{category} {' '.join(_group_text(*group) for group in groups)}\n" for category, groups in lines
        )

    def _switches(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        return (CONJUNCTIONS, self.conjunctions), (SKIP, self.skip)

    def __repr__(self) -> str:
        number = len(self.rules)
        return f"<HeadTable: {number} rule{'' if number == 1 else 's'}>"

    def _parts(self) -> tuple[object, ...]:
        return self.rules, self.default, self.conjunctions, self.skip

    def __eq__(self, other: object) -> bool:  # ignores the source and its problems
        return isinstance(other, HeadTable) and self._parts() == other._parts()

    def __hash__(self) -> int:
        return hash(self._parts())


def _groups(category: str, groups: Iterable[tuple[str, Iterable[str]]]) -> Groups:
    result = tuple((direction, _labels(category, labels)) for direction, labels in groups)
    if not result:
        raise ValueError(
            f"the rule for {visible(category)} has no group; ('r', ()) is the rightmost child of any label"
        )
    for direction, _ in result:
        if direction not in ("l", "r"):
            raise ValueError(f"the direction of a group for {visible(category)} must be 'l' or 'r', not {direction!r}")
    return result


def _labels(category: str, labels: Iterable[str]) -> tuple[str, ...]:
    if isinstance(labels, str):
        raise ValueError(f"the labels of {visible(category)} must be a list of labels, not one text")
    result = tuple(labels)
    for label in result:
        _check_label(f"a label of {visible(category)}", label)
    return result


def _check_label(what: str, label: str) -> None:
    if not label or not _FORBIDDEN.isdisjoint(label):
        raise ValueError(f"{what} must be a word without blanks and brackets, not {label!r}")


def _group_text(direction: str, labels: tuple[str, ...]) -> str:
    return f"({' '.join((direction, *labels))})"

"""SParseval's output, byte for byte."""

from __future__ import annotations

import struct

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..readers.sparseval_files import Parameters

RULE = "=" * 33 + "  " + "=" * 19 + "  " + "=" * 19 + "\n"
_DASHES = "-" * 38 + "\n"
#: The printed columns: brackets, head dependencies, and head dependencies of the open class.
COLUMNS = (
    *("matched", "gold", "test", "crossing"),
    *("head_matched", "head_gold", "head_test"),
    *("open_matched", "open_gold", "open_test"),
)


def banner(name: str, files: Sequence[str], params: str, switches: str, heads: str, alignment: str) -> str:
    """The output of -v before scoring."""
    first, second = [*files, "NOT PROVIDED", "NOT PROVIDED"][:2]
    return (
        f"  command: {name}\n  arg1: {first}\n  arg2: {second}\n  params file:{params}\n  switches:"
        + "".join(f" -{letter}" for letter in switches)
        + f"\n  head percolation: {heads}\n  alignment: {alignment}\n"
    )


def information(parameters: Parameters) -> bytes:
    """The lists of the parameter file, as printed by -z."""
    shown = [b"Evaluation parameterizations:\n"]
    for key, values in (
        (b"DELETE_LABEL", parameters.deleted),
        (b"EMPTY_NODE", parameters.empty),
        (b"EQ_LABEL", [b" ".join(pair) for pair in parameters.rewritten]),
        (b"EDIT_LABEL", parameters.edits),
        (b"CLOSED_CLASS", parameters.closed),
    ):
        shown += [b"  %b %b\n" % (key, value) for value in reversed(values)]
    return b"".join([*shown, RULE.encode(), b"\n"])


def header(unlabelled: bool) -> str:
    kind = "Unlabeled" if unlabelled else "Labeled"
    before, *between, after = (17, 14, 11, 5) if unlabelled else (18, 16, 13, 7)
    words = " " * before + (kind + " " * between[0]) + (kind + " " * between[1]) + kind + " " * after
    return (
        f"{words}\n Sent. ---------- Brackets ------  ---- Head-depen ---  -- Open-class hh --\n"
        f"  ID   match   gold   test  cross  match   gold   test  match   gold   test\n{RULE}"
    )


def row(name: str, counts: Sequence[int]) -> str:
    return name + " ".join(f"{count:6d}" for count in counts) + "\n"


def unit(number: int, counts: Sequence[int]) -> str:
    return row(f"{number:5d} ", counts)


class Totals:
    """The sums for the summary."""

    def __init__(self) -> None:
        self.sums = [0] * len(COLUMNS)
        self.units = self.complete = self.uncrossed = self.hardly_crossed = 0

    def add(self, counts: Sequence[int]) -> None:
        self.units += 1
        self.sums = [total + count for total, count in zip(self.sums, counts, strict=True)]
        matched, gold, test, crossing = counts[:4]
        self.complete += matched == gold == test
        self.uncrossed += crossing == 0
        self.hardly_crossed += crossing < 3


def summary(totals: Totals, *, unlabelled: bool, brackets: bool) -> str:
    kind = "Unlabeled " if unlabelled else "Labeled "
    matched, gold, test, crossing, *dependencies = totals.sums
    text = f"\nSummary\n{_DASHES}Number of sentences:{' ' * 15}{totals.units:10d}\n"

    def shares(name: str, widths: tuple[int, int, int], counts: Sequence[int]) -> str:
        figures = zip(("Recall", "Precision", "F-measure"), widths, _rates(*counts), strict=True)
        return "".join(f"{kind}{name} {figure}:{' ' * width}{_number(rate)}\n" for figure, width, rate in figures)

    if brackets:
        text += shares("Bracketing", (19, 16, 16), (matched, gold, test))
        text += f"Complete match:{' ' * 20}{totals.complete:10d}\n{_DASHES}"
        text += f"Average Crossing Brackets:{' ' * 11}{_number(_divide(crossing, totals.units))}\n"
        text += f"No Crossing Brackets:{' ' * 16}{_number(_divide(100 * totals.uncrossed, totals.units))}\n"
        text += f"Two or less Crossing:{' ' * 16}{_number(_divide(100 * totals.hardly_crossed, totals.units))}\n"
        text += _DASHES
    text += shares("Head-dependency", (15, 12, 12), dependencies[:3]) + _DASHES
    return text + shares("Open-class head-dependency", (4, 1, 1), dependencies[3:])


def _single(number: float) -> float:
    """The number in single precision, which the original uses."""
    rounded: float = struct.unpack("f", struct.pack("f", number))[0]
    return rounded


def _divide(above: float, below: float) -> float | None:
    """The quotient in single precision; None for 0/0."""
    above, below = _single(above), _single(below)
    if below == 0:
        return None if above == 0 else float("inf")
    return _single(above / below)


def _rates(matched: int, gold: int, test: int) -> tuple[float | None, float | None, float | None]:
    recall, precision = _divide(100 * matched, gold), _divide(100 * matched, test)
    if recall is None or precision is None:
        return recall, precision, None
    if recall == precision == 0:
        return recall, precision, 0.0
    return recall, precision, _divide(_single(_single(2 * precision) * recall), _single(precision + recall))


def _number(value: float | None) -> str:
    return "    -nan" if value is None else f"{value:8.2f}"

"""Both sides of an evaluation: read, paired by the ids of their sentences, and checked."""

from __future__ import annotations

from itertools import pairwise

from ..helpers.text import visible
from ..readers.sources import is_text, read
from ..values.problem import InputError, Problem
from .pair import Pair
from .unequal import check_equal_number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..readers.sources import Readable
    from ..trees import Treebank


def read_sides(
    gold: Readable, test: Readable, *, layout: str = "auto", on_error: str = "keep"
) -> tuple[Treebank, Treebank]:
    """Both sides as treebanks, not yet paired."""
    gold_bank = read(gold, layout=layout, on_error=on_error, name=side_name(gold, "<gold>"))
    name = side_name(test, "<test>")
    return gold_bank, read(test, layout=layout, on_error=on_error, name=name, gold=gold_bank)


def read_both(
    gold: Readable, test: Readable, *, layout: str = "auto", on_error: str = "keep"
) -> tuple[Treebank, Treebank]:
    """Both sides as treebanks of equal size, paired by id."""
    gold_bank, test_bank = read_sides(gold, test, layout=layout, on_error=on_error)
    banks = paired_by_id(printable(gold_bank, test_bank), test_bank)
    check_equal_number(*banks)
    for bank in banks:
        check_readable(bank)
    return banks


def pair_up(gold: Treebank, test: Treebank, *, required: bool) -> Pair:
    """Both sides, with sentences paired by id if both sides have ids.

    If pairing is not `required`, because the metrics align sentences, ids on one side only are a problem, and the
    sentences keep the order in which they were read.
    """
    gold = printable(gold, test)
    pair = Pair(gold, test)
    if gold.ids is None or test.ids is None or gold.ids == test.ids:
        return pair
    if sorted(gold.ids) == sorted(test.ids) and len(set(gold.ids)) == len(gold.ids):
        return Pair(*paired_by_id(gold, test))
    problem = Problem("id", "gold and test do not have the same ids", file=test.source.name, action="not paired by ids")
    as_read = Pair(gold, test.with_problems([problem]))
    return Pair(*paired_by_id(gold, test), as_read=as_read) if required else as_read


def printable(gold: Treebank, test: Treebank) -> Treebank:
    """Gold as a language model could print it: without traces, and with a row for each completion of a sentence."""
    if test.completions is None:
        return gold
    from ..words.other_leaves import without_traces

    places = [completion.index for completion in test.completions]
    return without_traces(gold if places == list(range(len(gold))) else gold.select(places))


def check_readable(bank: Treebank) -> None:
    """Raise an error if there are several trees and none is readable."""
    if len(bank) > 1 and bank.problems and all(map(bank.native.faulty, range(len(bank)))):
        raise unreadable(bank.problems[0])


def unreadable(first: Problem) -> InputError:
    """The error of a file without any readable tree."""
    return InputError(Problem("not-trees", f"not one tree could be read; the first problem: {first}", file=first.file))


def paired_by_id(
    gold: Treebank,
    test: Treebank,
    *,
    sides: tuple[str, str] = ("gold", "test"),
    instead: str = "taken for a sentence without a parse",
) -> tuple[Treebank, Treebank]:
    """Both sides in gold order if both have ids that differ.

    A gold sentence that is missing in test has no parse; a test sentence that is missing in gold is left out. Both are
    problems, which call the sides by the names in `sides`; `instead` says what is done about the former.
    """
    if gold.ids is None or test.ids is None or gold.ids == test.ids:
        return gold, test
    for bank in (gold, test):
        ids = bank.ids or ()
        if len(set(ids)) < len(ids):
            twice = next(name for name, other in pairwise(sorted(ids)) if name == other)
            message = (
                f"the sentence {visible(twice)!r} occurs twice, and the ids of {' and '.join(sides)} differ, so "
                "sentences cannot be paired"
            )
            raise InputError(Problem("id", message, file=bank.source.name))
    indices = {name: index for index, name in enumerate(test.ids)}
    known = set(gold.ids)
    if not known & set(indices):
        message = (
            f"{' and '.join(sides)} have no common ids: {visible(gold.ids[0])!r} is the first in {sides[0]}, "
            f"{visible(test.ids[0])!r} in {sides[1]}; give both files the same ids"
            if gold.ids and test.ids
            else "one of the files has no sentences"
        )
        raise InputError(Problem("id", message, file=test.source.name))
    problems = [
        test.problem(index, "id", f"{sides[0]} has no sentence {visible(name)!r}", "left out of the score").replace(
            unit=None
        )
        for name, index in indices.items()
        if name not in known
    ]
    selected = test.select(map(indices.get, gold.ids))
    for unit, name in enumerate(gold.ids, 1):
        if name not in indices:
            message = f"{sides[1]} has no sentence {visible(name)!r}"
            problems.append(Problem("id", message, file=test.source.name, unit=unit, action=instead))
    if not problems:
        message = f"the sentences of {' and '.join(sides)} are in different orders"
        problems = [Problem("id", message, file=test.source.name, action="paired by their ids")]
    return gold, selected.with_problems(problems)


def side_name(source: Readable, side: str) -> str | None:
    """A name for trees without one."""
    if isinstance(source, str):
        return side if is_text(source) else None
    return None if hasattr(source, "__fspath__") or hasattr(source, "read") else side

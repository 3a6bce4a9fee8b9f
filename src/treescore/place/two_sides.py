"""Both sides of an evaluation: read, paired by the ids of their sentences, and checked."""

from __future__ import annotations

import os
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
    """Both sides as they are read."""
    return (
        read(gold, layout=layout, on_error=on_error, name=side_name(gold, "<gold>")),
        read(test, layout=layout, on_error=on_error, name=side_name(test, "<test>")),
    )


def read_both(
    gold: Readable, test: Readable, *, layout: str = "auto", on_error: str = "keep"
) -> tuple[Treebank, Treebank]:
    """Both sides as treebanks of the same size, paired by their ids."""
    banks = paired_by_id(*read_sides(gold, test, layout=layout, on_error=on_error))
    check_equal_number(*banks)
    for bank in banks:
        check_readable(bank)
    return banks


def pair_up(gold: Treebank, test: Treebank, *, required: bool) -> Pair:
    """Both sides, their sentences paired by ids if both have them.

    If it is not `required` that sentences are paired, because the metrics align them, ids that only one side has are a
    problem, and the sentences stay in the order in which they were read.
    """
    pair = Pair(gold, test)
    if gold.ids is None or test.ids is None or gold.ids == test.ids:
        return pair
    if sorted(gold.ids) == sorted(test.ids) and len(set(gold.ids)) == len(gold.ids):
        return Pair(*paired_by_id(gold, test))
    problem = Problem("id", "gold and test do not have the same ids", file=test.source.name, action="not paired by ids")
    as_read = Pair(gold, test.with_problems([problem]))
    return Pair(*paired_by_id(gold, test), as_read=as_read) if required else as_read


def check_readable(bank: Treebank) -> None:
    """An error where there are several trees, and not one could be read."""
    if len(bank) > 1 and bank.problems and all(map(bank.native.faulty, range(len(bank)))):
        raise unreadable(bank.problems[0])


def unreadable(first: Problem) -> InputError:
    """The error of a file in which no tree could be read."""
    return InputError(Problem("not-trees", f"not one tree could be read; the first problem: {first}", file=first.file))


def paired_by_id(gold: Treebank, test: Treebank) -> tuple[Treebank, Treebank]:
    """Both sides in the order of gold where the sentences of both have names, and not the same ones at the same places.

    A sentence that only gold has is one without a parse in test; one that only test has is left out. Both are problems.
    """
    if gold.ids is None or test.ids is None or gold.ids == test.ids:
        return gold, test
    for bank in (gold, test):
        ids = bank.ids or ()
        if len(set(ids)) < len(ids):
            twice = next(name for name, other in pairwise(sorted(ids)) if name == other)
            message = (
                f"the sentence {visible(twice)!r} is there twice, and the ids of gold and test differ, so that it is "
                "not known which sentences belong together"
            )
            raise InputError(Problem("id", message, file=bank.source.name))
    place = {name: index for index, name in enumerate(test.ids)}
    known = set(gold.ids)
    if not known & set(place):
        message = (
            f"no sentence of test has the id of one of gold: {visible(gold.ids[0])!r} is the first in gold, "
            f"{visible(test.ids[0])!r} in test; give both files the same ids"
            if gold.ids and test.ids
            else "one of the files has no sentences"
        )
        raise InputError(Problem("id", message, file=test.source.name))
    problems = [
        test.problem(index, "id", f"gold has no sentence {visible(name)!r}", "left out of the score").replace(unit=None)
        for name, index in place.items()
        if name not in known
    ]
    selected = test.select(place.get(name) for name in gold.ids)
    for unit, name in enumerate(gold.ids, 1):
        if name not in place:
            message = f"test has no sentence {visible(name)!r}"
            action = "taken for a sentence without a parse"
            problems.append(Problem("id", message, file=test.source.name, unit=unit, action=action))
    if not problems:
        message = "the sentences of gold and test stand in different orders"
        problems = [Problem("id", message, file=test.source.name, action="paired by their ids")]
    return gold, selected.with_problems(problems)


def side_name(source: Readable, side: str) -> str | None:
    """A name for trees that have none of their own."""
    if isinstance(source, bytes) or (isinstance(source, str) and is_text(source)):
        return side
    return None if isinstance(source, str | os.PathLike) or hasattr(source, "read") else side

"""The repairs of each sentence for the page, with the phrases that they repair. `script/data.js` reads this format.

A sentence is the number of its numbers, then its steps: some fields of a step, the labels of its nodes, and its
phrases, each number increased by 1. The page fills in the sentences of `analysis.errors`.
"""

from __future__ import annotations

from operator import itemgetter

from ..analysis.errors.explaining import SENTENCES, STEP_FIELDS
from ..analysis.errors.pack import STEPS
from .columns import shown, varints
from .data import BLOCK, packed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from typing import Any

    from ..analysis.errors.explaining import ErrorAnalysis

#: The fields of a step that the page needs.
_FIELDS = (
    *("repair", "of_class", "label", "new_label", "parent", "new_parent", "first_leaf", "end_leaf", "added_start"),
    *("children", "gold_phrases", "test_phrases"),
)
_fields_of = itemgetter(*map(STEP_FIELDS.index, _FIELDS))
_SIZE, _CHILDREN = STEP_FIELDS.index("size"), STEP_FIELDS.index("children")


def repair_facts(analyses: Sequence[ErrorAnalysis], classes: Mapping[str, int]) -> dict[str, Any]:
    """What the page needs to read steps; `classes` has the numbers of the titles of error classes on the page."""
    return {
        "fields": _FIELDS,
        "types": [name for name, _ in sorted(STEPS.items(), key=lambda item: int(item[1]))],
        "wording": SENTENCES,
        "labels": [list(map(shown, analysis.labels)) for analysis in analyses],
        "classes": [
            [classes.get(analysis.pack.title(name)) for name in analysis.pack.classes] for analysis in analyses
        ],
    }


def repair_blocks(analyses: Sequence[ErrorAnalysis], count: int, without: Collection[int]) -> Iterator[str]:
    """The steps of all sentences and systems in blocks of sentences, except those of the sentences in `without`."""
    for begin in range(0, count, BLOCK):
        numbers: list[int] = []
        for index in range(begin, min(begin + BLOCK, count)):
            for analysis in analyses:
                steps = [] if index in without else _shortened(analysis.step_numbers(index))
                numbers.append(len(steps))
                numbers += [number + 1 for number in steps]
        yield packed(varints(numbers))


def _shortened(numbers: Sequence[int]) -> list[int]:
    """The numbers of the steps of a sentence without those that the page does not need."""
    out: list[int] = []
    start = 0
    while start < len(numbers):
        step = numbers[start : start + numbers[start + _SIZE]]
        nodes_end = len(STEP_FIELDS) + 3 * step[_CHILDREN]
        out += _fields_of(step)
        out += step[len(STEP_FIELDS) : nodes_end : 3]
        out += step[nodes_end:]
        start += len(step)
    return out

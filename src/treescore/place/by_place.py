"""Times of leaves by their places: leaf k of a tree is segment k of its utterance, whatever their words are.

>>> import treescore
>>> from treescore.words.transcript import Transcript
>>> from treescore.words.utterance import Utterance, Utterances
>>> segments = Transcript(["x", "x"], times=[(0.1, 0.3), (0.3, 0.8)])
>>> by_place(treescore.read("(S (A 1) (A 2))"), Utterances([Utterance(segments)], format="jsonl"))[0].times
[(0.1, 0.3), (0.3, 0.8)]
"""

from __future__ import annotations

from array import array

from ..helpers.text import number_of, visible
from ..values.problem import InputError, Problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..trees import Treebank
    from ..words.utterance import Utterance, Utterances

_UNKNOWN = float("nan")


def by_place(trees: Treebank, times: Utterances) -> Treebank:
    """The trees with the times of the utterances with the same ids, or else in the same order."""
    moments, problems = array("d"), list(times.problems)
    for index, utterance in enumerate(_partners(trees, times)):
        leaves = trees.native.leaf_count(index)
        given = () if utterance is None else utterance.transcript.times or ()
        known = [time for time in given if time is not None]
        if leaves and len(known) == leaves:
            for time in known:
                moments.extend(time)
            continue
        moments.extend([_UNKNOWN] * (2 * leaves))
        if leaves:
            message = f"{number_of(len(known), 'segment')} with times for {leaves} leaves"
            problems.append(trees.problem(index, "no-times", message, "not placed"))
    return trees.with_times(moments.tobytes()).with_problems(problems)


def _partners(trees: Treebank, times: Utterances) -> list[Utterance | None]:
    """The utterance of each tree."""
    ids = {utterance.id: utterance for utterance in times if utterance.id is not None}
    if trees.ids is not None and any(id in ids for id in trees.ids):
        return [ids.get(id) for id in trees.ids]
    if len(trees) != len(times):
        message = f"{number_of(len(times), 'utterance')} for {number_of(len(trees), 'tree')}"
        raise InputError(Problem("unequal", message, file=visible(times.name or "") or None))
    return list(times)

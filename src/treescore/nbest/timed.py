"""Times for the candidates of n-best lists: those of the words of a recogniser, which all candidates share.

>>> from treescore.words.transcript import Transcript
>>> from treescore.words.utterance import Utterance, Utterances
>>> words = Utterances([Utterance(Transcript(["so", "be"], times=[(0.0, 0.2), (0.3, 0.9)]))], format="ctm")
>>> [timed] = with_times([NBest.of(["(S (RB so) (VB be))", "(S (X (RB so) (VB be)))"])], words)
>>> timed.trees[1].times
[(0.0, 0.2), (0.3, 0.9)]
"""

from __future__ import annotations

from ..helpers.text import visible
from ..place.seconds import place_seconds
from ..values.problem import InputError, Problem, UsageError
from ..words.utterance import Utterances
from .lists import NBest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..words.utterance import Utterance


def with_times(lists: Iterable[NBest], words: Utterances, *, attach: str = "auto") -> Iterator[NBest]:
    """The lists with the times of their words.

    `attach` pairs lists with utterances by "id" or by "position", or by position with the leaves one by one ("place").
    The default is by id if the id of the first list is that of an utterance, else by position.
    """
    if attach == "text":
        raise UsageError("lists are paired with their words by id or position (--attach), not by text")
    by_id = {utterance.id: utterance for utterance in words if utterance.id is not None}
    for nbest in lists:
        if attach == "auto":
            attach = "id" if nbest.id in by_id else "position"
        utterance = by_id.get(nbest.id) if attach == "id" else _at(words, nbest.number - 1)
        if utterance is None:
            message = f"there are no words with times for the list {visible(nbest.id)!r}"
            raise InputError(Problem("no-times", message, file=words.name))
        yield _placed(nbest, utterance, words, attach)


def _at(words: Utterances, place: int) -> Utterance | None:
    return words[place] if place < len(words) else None


def _placed(nbest: NBest, utterance: Utterance, words: Utterances, attach: str) -> NBest:
    """The list with the times of its utterance, which each candidate has, and with the problems of placing them."""
    copies = Utterances([utterance] * len(nbest), format=words.format, name=words.name, is_sound=words.is_sound)
    trees = place_seconds(nbest.trees, copies, attach="place" if attach == "place" else "position")
    known = set(nbest.trees.problems)
    problems = [problem.replace(unit=nbest.number) for problem in trees.problems if problem not in known]
    return nbest.replace(trees=trees, problems=[*nbest.problems, *dict.fromkeys(problems)])

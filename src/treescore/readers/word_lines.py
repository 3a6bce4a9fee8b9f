"""Our own JSON lines: an utterance in each, with its words and their times.

>>> read_word_lines(b'{"id": "u1", "words": [["so", 0.1, 0.4], {"word": "uh"}, "no"]}')[0].transcript.times
((0.1, 0.4), None, None)
"""

from __future__ import annotations

from ..values.problem import InputError
from ..words.utterance import Utterances
from .json_words import JsonWords, as_name, load
from .lines import LEFT_OUT, Lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .. import _core
    from ..words.transcript import Times

_EXAMPLE = '{"id": "u1", "words": [["so", 0.1, 0.4]]}'


def read_word_lines(data: _core.Buffer, *, name: str | None = None, on_error: str = "raise") -> Utterances:
    """Read utterances; words are lists [word, start, end], objects with these (or text for word), or only texts."""
    lines = Lines(data, name=name, on_error=on_error)
    made = []
    for line in lines.all():
        if not line or line.isspace():
            continue
        try:
            found = load(line, name=name, line=lines.number)
        except InputError as error:
            lines.note(error.problem.replace(action=LEFT_OUT))
            continue
        if isinstance(found, dict) and "tree" in found and "words" not in found:
            found["words"] = []  # a tree without words beside it
        if not isinstance(found, dict) or not isinstance(found.get("words"), list):
            lines.fault("json", f"a line is an object with words, such as {_EXAMPLE}")
            continue
        words = JsonWords(lines, line=lines.number)
        plain = _plain(found["words"])
        if plain is not None:
            words.words, words.times = plain
            words.lines = [lines.number] * len(words.words)
        for number, one in enumerate(found["words"] if plain is None else (), 1):
            where = f"word {number}"
            if isinstance(one, list) and len(one) == 3:
                words.take(one[0], one[1], one[2], where, split=False)
            elif isinstance(one, dict):
                words.take(one.get("word", one.get("text")), one.get("start"), one.get("end"), where, split=False)
            elif isinstance(one, str):
                words.take(one, None, None, where, split=False)
            else:
                lines.fault("word", f"{where} should be a list [word, start, end]", None, action="left out")
        limits = {fact: words.limit(found.get(fact), fact) for fact in ("begin", "end")}
        facts = {fact: as_name(found.get(fact)) for fact in ("id", "speaker", "file", "channel")}
        made.append(words.utterance(**facts, **limits))
    return Utterances(made, format="jsonl", name=name, problems=lines.problems)


def _plain(words: list[Any]) -> tuple[list[str], list[Times]] | None:
    """Words and times of lists of a text and two numbers, all at once; None if there is anything else among them."""
    if {*map(type, words)} != {list} or {*map(len, words)} != {3}:
        return None
    texts, starts, ends = zip(*words, strict=True)
    if {*map(type, texts)} != {str} or {*map(type, starts), *map(type, ends)} != {float}:
        return None
    if "" in texts or any(map(str.isspace, texts)):
        return None
    return list(texts), list(zip(starts, ends, strict=True))

"""The JSON and CSV of the Montreal Forced Aligner: tiers as in its TextGrids.

>>> read_mfa_csv(b"Begin,End,Label,Type,Speaker\\n0.1,0.3,the,words,ann\\n0.1,0.2,DH,phones,ann\\n")[0].transcript.words
('the',)
"""

from __future__ import annotations

from ..helpers.text import decode
from ..values.problem import InputError, Problem
from ..words.utterance import Utterances
from .json_words import as_number, load, span
from .lines import Faults, Lines, number
from .tiers import Labels, choose_tiers, tier_utterances
from .turns import id_of_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .. import _core
    from ..words.transcript import Times

_HEADER = ["begin", "end", "label", "type", "speaker"]


def is_mfa_json(value: Any) -> bool:
    """Are there tiers?"""
    return isinstance(value, dict) and isinstance(value.get("tiers"), dict)


def read_mfa_json(
    data: _core.Buffer, *, name: str | None = None, on_error: str = "raise", tier: str | None = None
) -> Utterances:
    """Read the words of a tier, or of the tiers of several speakers."""
    content = load(bytes(data), name=name)
    if not is_mfa_json(content):
        raise InputError(Problem("format", "this is JSON, but it has no tiers like those of the aligner", file=name))
    faults = Faults(name=name, on_error=on_error)
    tiers: dict[str, list[tuple[str, Times, int | None]]] = {}
    for title, content_of_tier in content["tiers"].items():
        entries = content_of_tier.get("entries") if isinstance(content_of_tier, dict) else content_of_tier
        if isinstance(content_of_tier, dict) and content_of_tier.get("type", "interval") != "interval":
            continue
        labels = tiers.setdefault(title, [])
        for place, entry in enumerate(entries if isinstance(entries, list) else [], 1):
            where = f"entry {place} of the tier {title!r}"
            if isinstance(entry, list) and len(entry) == 3 and isinstance(entry[2], str):
                labels.append((entry[2], span(entry[0], entry[1], where, faults), None))
            else:
                faults.fault("word", f"{where} should be a list [begin, end, label]", action="left out")
    names = list(tiers)
    chosen, guesses = choose_tiers(names, tier, file=name)
    begin, end = as_number(content.get("start")), as_number(content.get("end"))
    speakers = [(names[place], speaker, Labels(tiers[names[place]])) for place, speaker in chosen]
    utterances, notes = tier_utterances(speakers, id_of_file(name), begin=begin, end=end)
    return Utterances(utterances, format="mfa-json", name=name, problems=faults.problems, notes=[*guesses, *notes])


def is_mfa_csv(text: _core.Buffer) -> bool:
    """Is the first line the header?"""
    return _is_header(bytes(text[:256]).removeprefix(b"\xef\xbb\xbf").partition(b"\n")[0])


def _is_header(line: bytes) -> bool:
    return [decode(cell).strip().casefold() for cell in line.split(b",")] == _HEADER


def read_mfa_csv(
    data: _core.Buffer, *, name: str | None = None, on_error: str = "raise", tier: str | None = None
) -> Utterances:
    """Read the words of a tier, or of the tiers of several speakers."""
    import csv

    lines = Lines(data, name=name, on_error=on_error)
    tiers: dict[tuple[str, str], list[tuple[str, Times, int | None]]] = {}
    for line in lines.all():
        if not line.strip() or _is_header(line):
            continue
        cells = next(csv.reader([decode(line)]))
        if len(cells) != len(_HEADER):
            lines.fault("fields", "a line has Begin, End, Label, Type and Speaker, with commas between")
            continue
        begin, end = number(cells[0]), number(cells[1])
        when = span(begin, end, "this label", lines, line=lines.number)
        tiers.setdefault((cells[3], cells[4]), []).append((cells[2], when, lines.number))
    kinds = list(dict.fromkeys(kind for kind, _ in tiers))
    chosen, guesses = choose_tiers(kinds, tier, file=name)
    kept = [kinds[place] for place, _ in chosen]
    speakers = [(kind, speaker or None, Labels(labels)) for (kind, speaker), labels in tiers.items() if kind in kept]
    utterances, notes = tier_utterances(speakers, id_of_file(name))
    return Utterances(utterances, format="mfa-csv", name=name, problems=lines.problems, notes=[*guesses, *notes])

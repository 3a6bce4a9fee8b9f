"""Lhotse's manifests of supervisions and cuts, in JSON or JSON lines.

>>> text = '{"id": "u1", "recording_id": "r1", "start": 5, "duration": 1.2, "alignment": {"word": [["GO", 5.1, 0.3]]}}'
>>> utterance = read_lhotse(text.encode())[0]
>>> utterance.file, utterance.end, utterance.transcript.times
('r1', 6.2, ((5.1, 5.4),))
"""

from __future__ import annotations

from ..values.problem import InputError, Problem
from .json_words import JsonReader, as_name, as_number, as_text, got, objects

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .. import _core
    from ..words.utterance import Utterances

_CUTS = ("MonoCut", "MultiCut", "MixedCut", "PaddingCut", "Cut", "DataCut")


def is_lhotse(value: Any) -> bool:
    """Is this a supervision, a cut or a recording, or a list of them?"""
    if isinstance(value, list):
        return bool(value) and is_lhotse(value[0])
    return isinstance(value, dict) and (
        _is_cut(value) or _is_recording(value) or {"recording_id", "start", "duration"} <= value.keys()
    )


def _is_cut(value: dict[str, Any]) -> bool:
    if value.get("type") in _CUTS:
        return True
    return isinstance(value.get("supervisions"), list) or (isinstance(value.get("tracks"), list) and "id" in value)


def _is_recording(value: dict[str, Any]) -> bool:
    return {"sources", "sampling_rate"} <= value.keys()


def read_lhotse(data: _core.Buffer, *, name: str | None = None, on_error: str = "raise") -> Utterances:
    """Read each supervision as an utterance; times of cuts become times of their recordings."""
    reader = JsonReader(data, name=name, on_error=on_error)
    for value in reader.values:
        for item in objects(value if isinstance(value, list) else [value], "the file", reader):
            if _is_recording(item):
                message = "these are Lhotse's recordings, which have no words; give the supervisions or the cuts"
                raise InputError(Problem("format", message, file=name))
            _read_item(reader, item)
    return reader.utterances("lhotse")


def _read_item(reader: JsonReader, item: dict[str, Any]) -> None:
    if not _is_cut(item):
        _read_supervision(reader, item, 0.0, as_name(item.get("recording_id")))
        return
    tracks = item.get("tracks")
    parts: list[tuple[float, dict[str, Any], str | None]] = [(as_number(item.get("start")) or 0.0, item, None)]
    if isinstance(tracks, list):  # times from the beginning of the mix
        tracks = objects(tracks, "tracks", reader)
        cuts = [(as_number(track.get("offset")) or 0.0, track.get("cut")) for track in tracks]
        parts = [(offset, cut, as_name(item.get("id"))) for offset, cut in cuts if isinstance(cut, dict)]
    for offset, cut, mix in parts:
        recording = cut.get("recording")
        own = as_name(recording.get("id")) if isinstance(recording, dict) else None
        for supervision in objects(cut.get("supervisions") or [], "supervisions", reader):
            _read_supervision(reader, supervision, offset, mix or as_name(supervision.get("recording_id")) or own)


def _read_supervision(reader: JsonReader, item: dict[str, Any], offset: float, file: str | None) -> None:
    where = f"supervision {len(reader.turns) + 1}"
    turn = reader.turn(item, where, id="id", begin="start", duration="duration", speaker="speaker", channel="channel")
    turn.facts["file"] = file
    for limit in ("begin", "end"):
        if turn.facts.get(limit) is not None:
            turn.facts[limit] = round(turn.facts[limit] + offset, 9)
    alignment = item.get("alignment")
    symbols = got(alignment, "word", "words") if isinstance(alignment, dict) else None
    if not isinstance(symbols, list):
        turn.add_text(as_text(item.get("text")))
        for word in turn.words:
            word.when = None
        return
    for place, symbol in enumerate(symbols, 1):
        here = f"word {place} of {where}"
        if isinstance(symbol, dict):
            symbol = [symbol.get("symbol"), symbol.get("start"), symbol.get("duration")]
        if not isinstance(symbol, list) or len(symbol) < 3 or not isinstance(symbol[0], str):
            reader.fault("word", f"{here} should be a list [word, start, duration]", action="left out")
            continue
        when = reader.lasting(symbol[1], symbol[2], here)
        turn.add(symbol[0], when and (round(when[0] + offset, 9), round(when[1] + offset, 9)))

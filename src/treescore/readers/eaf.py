"""ELAN's EAF: tiers of annotations that refer to times, or to annotations of other tiers.

>>> text = b'''<ANNOTATION_DOCUMENT><TIME_ORDER><TIME_SLOT TIME_SLOT_ID="t1" TIME_VALUE="500"/>
... <TIME_SLOT TIME_SLOT_ID="t2" TIME_VALUE="900"/></TIME_ORDER><TIER TIER_ID="words"><ANNOTATION>
... <ALIGNABLE_ANNOTATION ANNOTATION_ID="a1" TIME_SLOT_REF1="t1" TIME_SLOT_REF2="t2">
... <ANNOTATION_VALUE>so</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION></ANNOTATION></TIER></ANNOTATION_DOCUMENT>'''
>>> read_eaf(text)[0].transcript.times
((0.5, 0.9),)
"""

from __future__ import annotations

from ..helpers.text import visible
from ..trees import Source
from ..values.problem import InputError, Problem
from ..words.timeline import NO_TIME, chronological, usable
from ..words.utterance import Utterances
from .eaf_slots import filled_slots
from .lines import Faults, number
from .tiers import Labels, choose_tiers, tier_utterances
from .turns import id_of_file
from .xml_stream import TO_UTF8, Handler, parse_xml

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .. import _core
    from ..words.transcript import Times


class _Annotation:
    """An annotation with two time slots, or with a parent annotation and the previous annotation of that parent."""

    __slots__ = ("id", "tier", "slots", "parent", "previous", "label", "line")

    def __init__(self, tier: int, attributes: Any, line: int) -> None:
        self.tier, self.line, self.label = tier, line, ""
        self.id: str = attributes.get("ANNOTATION_ID", "")
        self.slots: tuple[str, str] = attributes.get("TIME_SLOT_REF1", ""), attributes.get("TIME_SLOT_REF2", "")
        self.parent: str | None = attributes.get("ANNOTATION_REF")
        self.previous: str | None = attributes.get("PREVIOUS_ANNOTATION")


def read_eaf(
    data: _core.Buffer, *, name: str | None = None, on_error: str = "raise", tier: str | None = None
) -> Utterances:
    """Read the words of a tier, or of the tiers of several speakers; each tier becomes an utterance."""
    faults = Faults(name=name, on_error=on_error)
    document = _Document(faults)
    parse_xml(data, Source(name or "<text>"), document, advice=TO_UTF8)
    if not document.seen:
        raise InputError(Problem("format", "this is XML, but not ELAN's (ANNOTATION_DOCUMENT)", file=name))
    inside: dict[int, list[_Annotation]] = {place: [] for place in range(len(document.tiers))}
    for annotation in document.annotations:
        inside[annotation.tier].append(annotation)
    tiers = [place for place, annotations in inside.items() if annotations or tier is not None or len(inside) == 1]
    chosen, guesses = choose_tiers([document.tiers[place][0] for place in tiers], tier, file=name)
    timed = _Times(document, inside, faults)
    speakers: list[tuple[str, str | None, Labels]] = []
    for place, speaker in chosen:
        annotations = inside[tiers[place]]
        times = [timed.of(annotation) for annotation in annotations]
        order = chronological(usable(times)) or range(len(annotations))
        labels: list[tuple[str, Times, int | None]] = [
            (annotations[index].label, times[index], annotations[index].line) for index in order
        ]
        title, participant, _ = document.tiers[tiers[place]]
        speakers.append((title, participant or speaker, Labels(labels)))
    utterances, notes = tier_utterances(speakers, id_of_file(name))
    return Utterances(utterances, format="eaf", name=name, problems=faults.problems, notes=[*guesses, *notes])


class _Document(Handler):
    """Collects slots, tiers and annotations."""

    def __init__(self, faults: Faults) -> None:
        super().__init__()
        self.seen = False
        self.slots: dict[str, float | None] = {}  # in their order
        self.tiers: list[tuple[str, str | None, str | None]] = []  # name, speaker, name of the parent
        self.annotations: list[_Annotation] = []
        self._faults = faults
        self._text: list[str] | None = None

    def startElement(self, name: str, attributes: Any) -> None:
        line = self.line
        if name == "ANNOTATION_DOCUMENT":
            self.seen = True
        elif name == "HEADER" and attributes.get("TIME_UNITS", "milliseconds") != "milliseconds":
            message = f"times in {visible(attributes['TIME_UNITS'])} are not read; save them in milliseconds with ELAN"
            raise InputError(Problem("time", message, file=self._faults.name, line=line))
        elif name == "TIME_SLOT":
            self.slots[attributes.get("TIME_SLOT_ID", "")] = self._value(attributes.get("TIME_VALUE"), line)
        elif name == "TIER":
            names = (attributes.get(name) or None for name in ("PARTICIPANT", "PARENT_REF"))
            self.tiers.append((attributes.get("TIER_ID", ""), *names))
        elif name in ("ALIGNABLE_ANNOTATION", "REF_ANNOTATION") and self.tiers:
            self.annotations.append(_Annotation(len(self.tiers) - 1, attributes, line))
        elif name == "ANNOTATION_VALUE":
            self._text = []

    def _value(self, text: str | None, line: int) -> float | None:
        if text is None:
            return None
        value = number(text)
        if value is None:
            message = f"{visible(text)} is not a time in milliseconds, such as 12500"
            self._faults.fault("time", message, line=line, action="read as a slot without a time")
        return None if value is None else value / 1000

    def characters(self, content: str) -> None:
        if self._text is not None:
            self._text.append(content)

    def endElement(self, name: str) -> None:
        if name == "ANNOTATION_VALUE" and self._text is not None:
            if self.annotations:
                self.annotations[-1].label = "".join(self._text)
            self._text = None


class _Times:
    """The times of annotations."""

    def __init__(self, document: _Document, inside: dict[int, list[_Annotation]], faults: Faults) -> None:
        self._faults = faults
        tiers = [
            [(annotation.slots[0], annotation.slots[1]) for annotation in annotations if annotation.parent is None]
            for annotations in inside.values()
        ]
        names = {title: place for place, (title, _, _) in enumerate(document.tiers)}
        parents = [names.get(parent or "") for _, _, parent in document.tiers]
        self._slots = filled_slots(document.slots, tiers, parents)
        self._named = {annotation.id: annotation for annotation in document.annotations}
        self._known: dict[_Annotation, Times] = {}
        self._children: dict[tuple[int, str], list[_Annotation]] = {}
        for annotation in document.annotations:
            if annotation.parent is not None:
                self._children.setdefault((annotation.tier, annotation.parent), []).append(annotation)

    def of(self, annotation: _Annotation) -> Times:
        """The time of an annotation: its own, or its share of its parent's time."""
        waiting = [annotation]
        inside = {annotation}
        while waiting:
            current = waiting[-1]
            if current in self._known:
                waiting.pop()
            elif current.parent is None:
                self._known[current] = self._aligned(current)
            else:
                parent = self._named.get(current.parent)
                if parent in self._known:
                    self._share(current, self._known[parent])
                elif parent is None or parent in inside:
                    fault = (
                        "belongs to itself"
                        if parent
                        else f"belongs to {visible(current.parent)!r}, which does not exist"
                    )
                    message = f"the annotation {visible(current.id)!r} {fault}"
                    self._faults.fault("parent", message, line=current.line, action=NO_TIME)
                    self._known[current] = None
                else:
                    waiting.append(parent)
                    inside.add(parent)
        return self._known[annotation]

    def _aligned(self, annotation: _Annotation) -> Times:
        start, end = (self._slots.get(slot) for slot in annotation.slots)
        if start is not None and end is not None:
            return start, end
        missing = [visible(slot) for slot in annotation.slots if slot not in self._slots]
        fault = (
            f"refers to a time slot {missing[0]!r}, which does not exist"
            if missing
            else "lies outside of all known times"
        )
        self._faults.fault(
            "time", f"the annotation {visible(annotation.id)!r} {fault}", line=annotation.line, action=NO_TIME
        )
        return None

    def _share(self, annotation: _Annotation, parent_time: Times) -> None:
        """Divide the time of a parent equally among its annotations of one tier, in their order."""
        siblings = _chained(self._children[annotation.tier, annotation.parent or ""])
        for place, sibling in enumerate(siblings):
            if parent_time is None:
                self._known[sibling] = None
                continue
            start, end = parent_time
            step = (end - start) / len(siblings)
            last = end if place + 1 == len(siblings) else round(start + step * (place + 1), 9)
            self._known[sibling] = (start if place == 0 else round(start + step * place, 9)), last


def _chained(annotations: list[_Annotation]) -> list[_Annotation]:
    """Annotations in the order of their references to the previous one; annotations without references come first."""
    after: dict[str | None, list[_Annotation]] = {}
    ids = {annotation.id for annotation in annotations}
    for annotation in annotations:
        after.setdefault(annotation.previous if annotation.previous in ids else None, []).append(annotation)
    ordered: list[_Annotation] = []
    waiting = list(reversed(after.pop(None, [])))
    while waiting:
        annotation = waiting.pop()
        ordered.append(annotation)
        waiting += reversed(after.pop(annotation.id, []))
    return ordered + [annotation for rest in after.values() for annotation in rest]  # circular references

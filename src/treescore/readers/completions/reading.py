"""`read_completions`: reads the trees that language models printed.

>>> read = read_completions(["Sure! (S (NN dogs) (VB bark))", "(S (NN cats"], sentences=["dogs bark", "cats sleep"])
>>> [(record.outcome, record.tree, record.faithful) for record in read]
[('extracted', '(S (NN dogs) (VB bark))', True), ('repaired', '(S (NN cats))', False)]
"""

from __future__ import annotations

import os
import re

from ...helpers.text import decode, visible
from ...trees import Source, Treebank
from ...values.problem import InputError, Problem, UnequalTreebanks, UsageError, check_choice
from ...words.other_leaves import without_traces
from ..data_frames import column_values
from ..sources import open_source, read
from .completion import UNFAITHFUL, Completion
from .completion_list import Completions, allowed_repairs
from .folding import BLANKS, Sentence
from .one_completion import read_completion
from .record_files import LAYOUTS, NO_WORDS, TextOptions, records_of_text
from .records import ID_FIELDS, Record, record_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from ... import _core
    from ..sources import Readable

_WORD = re.compile(f"[^{BLANKS}]+")
_FILE_NAME = re.compile(r"-|[^\s()]+\.(?:jsonl?|ndjson|txt|out)(?:\.gz|\.zst)?")


def read_completions(
    completions: Any,
    *,
    sentences: str | Iterable[str | Sequence[str]] | None = None,
    gold: Readable | None = None,
    repair: str | Iterable[str] = "all",
    field: str | None = None,
    layout: str = "auto",
    separator: str | None = None,
    samples: bool = False,
    unfaithful: str = "fail",
    name: str | None = None,
) -> Completions:
    """Read a tree from each completion of a language model; nothing that a model can print is an error.

    `completions`: a list of texts, None, messages, lists of messages, or objects with the usual fields; or a path, an
    open file or text of JSON lines or plain text. `sentences` are lists of words, or strings that are cut at blanks;
    `gold` is anything that `treescore.read` accepts, and its words are used without traces. `repair` is "all", "none",
    or names of repairs. `field` is the field of the text in JSON lines, such as `choices[0].text`. Text has a
    completion per "line" or "block" (`layout`), or a `separator` line between completions. With `samples` there may be
    several completions of a sentence. Trees with other words fail, or with `unfaithful="aligned"` are scored by metrics
    that align words.
    """
    repairs = allowed_repairs(repair)
    check_choice(layout, "layout", LAYOUTS)
    check_choice(unfaithful, "unfaithful", UNFAITHFUL)
    wanted = _Sentences(sentences, gold)
    source, records = _records(completions, TextOptions(field, layout, separator), wanted.number, name)
    if wanted.sentences is None:
        wanted.sentences = [_own_sentence(record, place, source) for place, record in enumerate(records, 1)]
    paired = _paired(records, wanted, source, samples)
    results = [_read(record, index, wanted, repairs) for record, index in paired]
    return Completions(results, wanted.sentences, repairs=repairs, unfaithful=unfaithful, source=source)


def read_text(
    text: _core.Buffer,
    source: Source,
    *,
    on_error: str,
    layout: str,
    gold: Treebank | None = None,
    completions: Mapping[str, Any] | None = None,
) -> Treebank:
    """The trees of a text of completions, about the sentences of gold trees. `on_error` is for other formats."""
    options = {"layout": layout, **(completions or {})}
    read = read_completions(bytes(text), gold=gold, name=source.name, **options)
    read.source = source
    return read.treebank


class _Sentences:
    """The sentences that the completions are about; without gold and words, the records must have words."""

    __slots__ = ("ids", "sentences")

    def __init__(self, sentences: Any, gold: Readable | None) -> None:
        self.ids: tuple[str, ...] | None = None
        self.sentences: list[Sentence] | None = None
        if gold is not None:
            bank = without_traces(read(gold))
            self.ids = bank.ids
            self.sentences = [Sentence(bank.words(index)) for index in range(len(bank))]
        if sentences is not None:
            self.sentences = [sentence_of(words) for words in _as_list(sentences)]
        if self.ids is not None and len(self.ids) != self.number:
            raise UsageError(f"there are {self.number:,} sentences for {len(self.ids):,} gold trees")

    @property
    def number(self) -> int | None:
        """The number of sentences, if it is known."""
        return None if self.sentences is None else len(self.sentences)


def _as_list(items: Any) -> list[Any]:
    if isinstance(items, str | bytes | dict):
        return [items]
    values = None if isinstance(items, list | tuple) else column_values(items)
    return list(items) if values is None else values


def sentence_of(words: Any) -> Sentence:
    """The words of a sentence: a list, or a string that is cut at blanks."""
    if isinstance(words, str):
        return Sentence(_WORD.findall(words))
    if isinstance(words, list | tuple) and all(isinstance(word, str) for word in words):
        return Sentence(words)
    raise UsageError(f"a sentence is text or a list of words, not {visible(repr(words))[:60]}")


def _own_sentence(record: Record, place: int, source: Source) -> Sentence:
    if record.words is None:
        raise InputError(Problem("no-words", NO_WORDS, file=source.name, line=record.line, unit=place))
    try:
        return sentence_of(record.words)
    except UsageError as problem:
        raise InputError(Problem("no-words", str(problem), file=source.name, line=record.line, unit=place)) from None


def _records(
    completions: Any, options: TextOptions, expected: int | None, name: str | None
) -> tuple[Source, list[Record]]:
    opened = _opened(completions, name)
    if opened is not None:
        source, text = opened
        return source, records_of_text(text, source, options, expected)
    source = Source(name or "<list>")
    records = []
    for place, item in enumerate(_as_list(completions), 1):
        try:
            records.append(record_of(item, options.field))
        except UsageError as problem:
            raise UsageError(f"completion {place:,}: {problem}") from None
    return source, records


def _opened(completions: Any, name: str | None) -> tuple[Source, str] | None:
    """The text of a file or a string; None for a list or an object."""
    if isinstance(completions, str) and not _is_path(completions):
        return Source(name or "<text>"), completions
    if isinstance(completions, bytes):
        return Source(name or "<text>"), decode(completions)
    if not isinstance(completions, str | os.PathLike) and not callable(getattr(completions, "read", None)):
        return None
    opened = open_source(os.fspath(completions) if isinstance(completions, os.PathLike) else completions, name)
    return None if opened is None else (opened[1], decode(bytes(opened[0])))


def _is_path(text: str) -> bool:
    """Is this text the path of a file?"""
    if _FILE_NAME.fullmatch(text):
        return True
    return len(text) < 4096 and text.isprintable() and os.path.isfile(text)


def _paired(
    records: list[Record], wanted: _Sentences, source: Source, samples: bool
) -> list[tuple[Record | None, int]]:
    """Each record with the place of its sentence; None if there is no completion of a sentence."""
    sentences = wanted.sentences or []
    if wanted.ids is not None and records and all(record.ids for record in records):
        return _by_id(records, wanted.ids, source, samples)
    if samples and len(sentences) == 1:
        return [(record, 0) for record in records]
    if len(records) != len(sentences):
        raise UnequalTreebanks(Problem("unequal", _unequal(records, sentences), file=source.name))
    return list(zip(records, range(len(records)), strict=True))


def _by_id(records: list[Record], ids: Sequence[str], source: Source, samples: bool) -> list[tuple[Record | None, int]]:
    places = {id: place for place, id in enumerate(ids)}
    field = next((name for name in ID_FIELDS if all(record.ids.get(name) in places for record in records)), None)
    records_of: list[list[Record | None]] = [[] for _ in ids]
    for record in records:
        id = record.ids[field] if field else next(iter(record.ids.values()))
        problem = None if id in places else f"gold has no sentence with the id {visible(id)!r}"
        if id in places and records_of[places[id]] and not samples:
            problem = (
                f"the id {visible(id)!r} occurs twice; if there are several samples of a sentence, say so (--samples)"
            )
        if problem:
            raise InputError(Problem("id", problem, file=source.name, line=record.line))
        records_of[places[id]].append(record)
    return [(record, place) for place, group in enumerate(records_of) for record in group or [None]]


def _unequal(records: Sequence[Record], sentences: Sequence[Sentence]) -> str:
    """What is wrong if the numbers differ, and where the words first differ."""
    message = f"there are {len(records):,} completions for {len(sentences):,} sentences"
    for place, (record, sentence) in enumerate(zip(records, sentences, strict=False), 1):
        completion = read_completion(record.text, sentence)
        if completion.reason == "other-words" or completion.difference in ("wrong", "mixed"):
            where = f" (line {record.line:,})" if record.line else ""
            return f"{message}; their words first differ in completion {place:,}{where}"
    return f"{message}; the words of the first {min(len(records), len(sentences)):,} do not differ"


def _read(record: Record | None, index: int, wanted: _Sentences, repairs: frozenset[str]) -> Completion:
    sentences = wanted.sentences or []
    id = wanted.ids[index] if wanted.ids else None
    if record is None:
        return Completion("", "rejected", reason="missing", id=id, index=index)
    if id is None:
        id = next(iter(record.ids.values()), None)
    completion = read_completion(record.text, sentences[index], repairs, id=id, index=index)
    return completion if record.line is None else completion.replace(line=record.line)

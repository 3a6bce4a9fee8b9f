"""Trees over speech and the words with times behind them: a file, or directories with a file for each document.

A document is a recording, or one side of a conversation. Files of one document have the same name but for its end
(`sw2005A.mrg`, `sw2005A.TextGrid`), and marks between its letters and digits do not count (`sw2005.A.syntax.xml`).

>>> document_name("gold/sw2005.A.syntax.xml"), same_name("sw2005.A") == same_name("sw2005-a")
('sw2005.A', True)
"""

from __future__ import annotations

import os

from .. import _core
from ..evaluation import check_readable
from ..place.seconds import attachment, place_seconds
from ..problem import InputError, Problem, UsageError
from ..readers.sources import read
from ..readers.times import gather_times, read_times
from ..trees import Treebank
from ..values import Value
from ..words.transcript import Transcript
from ..words.utterance import Utterance, Utterances

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from ..readers.sources import Readable

_ENDINGS = (".gz", ".syntax.xml", ".terminals.xml")


class Document(Value):
    """The trees of both sides of one recording, with times."""

    name: str | None
    gold: Treebank
    test: Treebank

    __slots__ = ("gold", "name", "test")

    def __init__(self, *, name: str | None, gold: Treebank, test: Treebank) -> None:
        self._store(name=name, gold=gold, test=test)


class Documents:
    """All documents, what was wrong with them, and what was assumed."""

    def __init__(self, gold: Side, test: Side) -> None:
        if gold.is_folder != test.is_folder:
            names = [str(side.trees) for side in (gold, test) if side.is_folder]
            raise UsageError(f"{names[0]} is a directory; the other side must be one with files of the same names")
        self.problems: list[Problem] = []
        self.remarks: list[str] = []
        self.all: list[Document] = []
        if gold.is_folder and not gold.files.keys() & test.files.keys():
            message = f"no file there has the name of one in {gold.trees!s}, such as {min(gold.files.values())}"
            raise InputError(Problem("documents", message, file=str(test.trees)))
        for name, file in test.files.items():
            if name not in gold.files:
                message = "there is no gold file of this name"
                self.problems.append(Problem("documents", message, file=str(file), action="left out of the score"))
        for name in gold.files:
            if name not in test.files:
                message = f"there is no predicted file of this name in {test.trees!s}"
                action = "its sentences count as not parsed"
                self.problems.append(Problem("documents", message, file=str(gold.files[name]), action=action))
            gold_bank = gold.read(name)
            if test.given is None and not test.needs_no_words(name):
                test.borrow(gold)
            test_bank = test.read(name)
            for bank in (gold_bank, test_bank):
                check_readable(bank)
            self.all.append(Document(name=name, gold=gold_bank, test=test_bank))
        #: What the trees of both sides are from.
        self.names = str(gold.trees) if gold.is_folder else None, str(test.trees) if test.is_folder else None
        if test.borrowed:
            self.remarks.append("the predicted trees stand on the words of gold (--pred-times names others)")
        self.problems += [*gold.problems, *test.problems]
        self.remarks += dict.fromkeys([*gold.notes, *test.notes])
        for side, what in ((gold, "gold"), (test, "predicted")):
            if side.attached:
                self.remarks.append(f"{what} trees found their words by {' and '.join(sorted(side.attached))}")


class Side:
    """Where the trees of one side are, and the words with times behind them."""

    def __init__(
        self,
        trees: Readable,
        times: Readable | None,
        *,
        times_format: str | None = None,
        tier: str | None = None,
        attach: str = "auto",
        reading: Mapping[str, Any] | None = None,
    ) -> None:
        self.trees, self.given = trees, times
        self._format, self._tier, self._attach, self._reading = times_format, tier, attach, dict(reading or {})
        self._times: Utterances | None = None
        self._by_document: dict[str, list[Utterance]] = {}
        self._banks: dict[str | None, Treebank] = {}
        #: Have the words tiers? None before they are read.
        self.tiered: bool | None = None
        #: Are the words those of the other side?
        self.borrowed = False
        self._lender: Side | None = None
        #: How trees found their words.
        self.attached: set[str] = set()
        #: What was guessed about the words, and what was wrong with those of all documents.
        self.notes: list[str] = []
        self.problems: list[Problem] = []
        self.is_folder = isinstance(trees, str | os.PathLike) and os.path.isdir(trees)
        #: The documents by what is compared of their names; None for one without a name.
        self.files: dict[str | None, Any] = {None: trees}
        if self.is_folder:
            self.files = _documents_in(os.fspath(trees))  # type: ignore[arg-type]

    def needs_no_words(self, document: str | None) -> bool:
        """Have the trees of a document times of their own, or words with times beside them?"""
        if document not in self.files:
            return True
        return self._bank(document).native.has_times() or self._words_beside(document) is not None

    def described(self) -> dict[str, Any]:
        """What the times are from, and how trees found their words in them."""
        name = self._times.name if self._times is not None else None
        origin = "gold" if self.borrowed else name if self.given is not None else "trees"
        return {"name": origin, "attach": sorted(self.attached)}

    def borrow(self, other: Side) -> None:
        """Take the words of another side from now on."""
        self._lender, self.borrowed = other, True

    def read(self, document: str | None) -> Treebank:
        """The trees of a document with times: their own, or by words."""
        if document not in self.files:
            return Treebank(_core.TreeBuilder().trees())
        bank = self._bank(document)
        if self.given is None and bank.native.has_times():
            return bank
        times = self.words(document) or (self._lender and self._lender.words(document, spoken=True))
        if not times:
            message = "these trees have no times of their own; name the words with times (--gold-times, --pred-times)"
            raise InputError(Problem("no-times", message, file=bank.source.name))
        self.attached.add(attachment(bank, times, self._attach))
        return place_seconds(bank, times, attach=self._attach)

    def _bank(self, document: str | None) -> Treebank:
        if document not in self._banks:
            self._banks = {document: read(self.files[document], **self._reading)}  # one at a time
        return self._banks[document]

    def words(self, document: str | None, *, spoken: bool = False) -> Utterances | None:
        """The words with times for a document: those that were given, or beside the trees, or with `spoken` in them."""
        if self.given is None:
            beside = self._words_beside(document)
            return beside or (spoken_words(self._bank(document)) if spoken else None)
        if self._times is None:
            self._times, self.tiered = gather_times(
                self.given, format=self._format, tier=self._tier, on_error=self._reading.get("on_error", "keep")
            )
            self.notes += self._times.notes
            if document is not None:
                self._by_document = by_document(self._times)
                self.problems += self._times.problems
        if document is None:
            return self._times
        return Utterances(self._by_document.get(document, ()), format=self._times.format, name=self._times.name)

    def _words_beside(self, document: str | None) -> Utterances | None:
        """The words with times that stand in the same file as the trees."""
        source = self.files[document]
        name = os.fspath(source) if isinstance(source, str | os.PathLike) else ""
        if not name.removesuffix(".gz").endswith((".jsonl", ".json")):
            return None
        found = read_times(source, format="jsonl", on_error=self._reading.get("on_error", "keep"))
        return found if any(utterance.transcript.words for utterance in found) else None


def spoken_words(trees: Treebank) -> Utterances | None:
    """The spoken words of trees that have times and words, an utterance for each tree."""
    if not trees.native.has_times() or _core.are_spans(trees.native):
        return None
    found = []
    for index in range(len(trees)):
        both = zip(trees.words(index), trees.native.times(index) or (), strict=False)
        spoken = [(word, time) for word, time in both if time[0] < time[1]]
        transcript = Transcript([word for word, _ in spoken], times=[time for _, time in spoken])
        found.append(Utterance(transcript, id=trees.ids[index] if trees.ids else None, line=trees.line(index)))
    return Utterances(found, format="trees", name=trees.source.name)


def document_name(path: str) -> str:
    """The name of a file without its directory and its end."""
    name = os.path.basename(path)
    for ending in _ENDINGS:
        name = name.removesuffix(ending)
    return os.path.splitext(name)[0] if name == os.path.basename(path).removesuffix(".gz") else name


def same_name(name: str) -> str:
    """What two names of one document have in common: letters and digits."""
    return "".join(filter(str.isalnum, name.casefold()))


def by_document(times: Utterances) -> dict[str, list[Utterance]]:
    """The utterances of each document: those with its name, or whose names begin with it."""
    found: dict[str, list[Utterance]] = {}
    for utterance in times:
        for name in dict.fromkeys(_beginnings(utterance)):
            found.setdefault(name, []).append(utterance)
    return found


def _beginnings(utterance: Utterance) -> Iterator[str]:
    """What the name of its document may be."""
    for name in (utterance.id, document_name(utterance.file or ""), f"{utterance.file}{utterance.channel or ''}"):
        for end, letter in enumerate(name or ""):
            if not letter.isalnum():
                yield same_name((name or "")[:end])
        yield same_name(name or "")


def _documents_in(folder: str) -> dict[str | None, Any]:
    """The files of a directory by name."""
    found: dict[str | None, Any] = {}
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        if name.startswith(".") or not os.path.isfile(path):
            continue
        key = same_name(document_name(name))
        if key in found:
            message = f"there are two files of this name: {found[key]} and {path}"
            raise InputError(Problem("documents", message, file=folder))
        found[key] = path
    if not found:
        raise InputError(Problem("documents", "there are no files in it", file=folder))
    return found

"""Trees over speech and the words with times behind them: a file, or directories with a file for each document.

A document is a recording, or one side of a conversation. Files of one document have the same name but for its end
(`sw2005A.mrg`, `sw2005A.TextGrid`), and marks between its letters and digits do not count (`sw2005.A.syntax.xml`).

>>> document_name("gold/sw2005.A.syntax.xml"), same_name("sw2005.A") == same_name("sw2005-a")
('sw2005.A', True)
"""

from __future__ import annotations

import os

from .. import _core
from ..helpers.files import stem, walked
from ..helpers.text import number_of, visible
from ..place.seconds import placed
from ..place.two_sides import check_readable
from ..readers.sources import is_folder, is_text, open_source, read
from ..readers.times import gather_times, read_times
from ..trees import Treebank
from ..values.problem import InputError, Problem, UsageError
from ..values.value import Value
from ..words.transcript import Transcript
from ..words.utterance import Utterance, Utterances

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from ..readers.sources import Readable

#: Words of NXT-Switchboard, which belong to the trees in another file.
_TERMINALS = ".terminals.xml"
_ENDINGS = (".syntax.xml", _TERMINALS)
#: What becomes of a document whose trees or words are not there.
_LEFT_OUT, _NOT_PARSED = "left out of the score", "its sentences count as not parsed"


class Document(Value):
    """The trees of both sides of one recording, with times."""

    name: str | None
    gold: Treebank
    test: Treebank


class Documents:
    """All documents, what was wrong with them, and what was assumed."""

    def __init__(self, gold: Side, test: Side) -> None:
        if gold.is_folder != test.is_folder:
            names = [str(side.trees) for side in (gold, test) if side.is_folder]
            raise UsageError(f"{names[0]} is a directory; the other side must be one with files of the same names")
        self.problems: list[Problem] = []
        self.remarks: list[str] = []
        self.all: list[Document] = []
        #: What the trees of both sides are from.
        self.names = str(gold.trees) if gold.is_folder else None, str(test.trees) if test.is_folder else None
        if gold.is_folder:
            self._rename(gold, test)
        for side in (gold, test):
            side.known = Names(name for name in gold.files if name is not None)
        self._first: InputError | None = None  # of the documents that cannot be read
        for name in gold.files:
            gold_bank = self._read(gold, name, _LEFT_OUT)
            if gold_bank is None:
                continue
            if len(gold_bank) == 0:
                self._miss(gold.files[name], "there are no trees in it", _LEFT_OUT)
                continue
            if test.given is None and not test.borrowed and not test.needs_no_words(name):
                test.borrow(gold)
            test_bank = self._read(test, name, _NOT_PARSED)
            self.all.append(Document(name=name, gold=gold_bank, test=no_trees() if test_bank is None else test_bank))
        if self._first is not None and not self.all:
            raise self._first
        for side in (gold, test):
            self.problems += [*side.problems, *side.unused()]
        if test.borrowed:
            self.remarks.append("the test trees stand on the words of gold (--test-times names others)")
        self.remarks += dict.fromkeys([*gold.notes, *test.notes])
        for side, what in ((gold, "gold"), (test, "test")):
            if side.attached:
                self.remarks.append(f"{what} trees found their words by {' and '.join(sorted(side.attached))}")

    def _read(self, side: Side, name: str | None, action: str) -> Treebank | None:
        """The trees of a document; one of many that cannot be read is a problem."""
        try:
            bank = side.read(name)
            check_readable(bank)
        except InputError as error:
            if not side.is_folder:
                raise
            self._first = self._first or error
            self.problems.append(error.problem.replace(action=action))
            return None
        return bank

    def _rename(self, gold: Side, test: Side) -> None:
        """Give the files of test the names of those of gold to which they belong."""
        known = Names(name for name in gold.files if name is not None)
        files: dict[str | None, Any] = {}
        for name, path in test.files.items():
            partner = known.find(name or "")
            if partner is None:
                self._miss(path, "there is no gold file of this name", _LEFT_OUT)
            elif partner in files:
                self._miss(path, f"{files[partner]} has the same name", _LEFT_OUT)
            else:
                files[partner] = path
        if not files:
            message = f"no file there has the name of one in {gold.trees!s}, such as {min(gold.files.values())}"
            raise InputError(Problem("documents", message, file=str(test.trees)))
        for name, path in gold.files.items():
            if name not in files:
                self._miss(path, f"there is no test file of this name in {test.trees!s}", _NOT_PARSED)
        test.files = files

    def _miss(self, file: Any, message: str, action: str) -> None:
        self.problems.append(Problem("documents", message, file=str(file), action=action))


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
        if isinstance(trees, str) and trees == "-":
            opened = open_source(trees, None)
            assert opened is not None
            trees, reading = bytes(opened[0]), {**(reading or {}), "name": opened[1].name}  # read for words, too
        self.trees, self.given = trees, times
        self._format, self._tier, self._attach, self._reading = times_format, tier, attach, dict(reading or {})
        self._times: Utterances | None = None
        self._by_document: dict[str | None, list[Utterance]] = {}
        self._banks: dict[str | None, Treebank] = {}
        self._beside: dict[str | None, Utterances | None] = {}
        self._lender: Side | None = None
        #: Names of documents, by which words are given to them.
        self.known = Names(())
        #: Have the words tiers? None before they are read.
        self.tiered: bool | None = None
        #: Are the words those of the other side?
        self.borrowed = False
        #: How trees found their words.
        self.attached: set[str] = set()
        #: What was guessed about the words, and what was wrong with those of all documents.
        self.notes: list[str] = []
        self.problems: list[Problem] = []
        self.is_folder = is_folder(trees)
        #: The documents by name; None for one without.
        self.files: dict[str | None, Any] = _documents_in(os.fspath(trees)) if is_folder(trees) else {None: trees}

    def needs_no_words(self, document: str | None) -> bool:
        """Have the trees of a document times of their own, or words with times beside them?"""
        if document not in self.files:
            return True
        return self._bank(document).native.has_times() or self._words_beside(document) is not None

    def as_json(self) -> dict[str, Any]:
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
            return no_trees()
        bank = self._bank(document)
        if len(bank) == 0 and not self.is_folder:
            raise InputError(Problem("empty", "there are no trees in it", file=bank.source.name))
        if len(bank) == 0 or (self.given is None and bank.native.has_times()):
            return bank
        times = self.words(document)
        if times is None and self._lender is not None:
            times = self._lender.words(document, spoken=True)
        if times is None:
            message = "these trees have no times of their own; name the words with times (--gold-times, --test-times)"
            raise InputError(Problem("no-times", message, file=bank.source.name))
        if not any(utterance.transcript.words for utterance in times):
            if not self.is_folder:
                raise InputError(Problem("empty", "there are no words in it", file=times.name))
            message = f"there are no words with times for this document in {visible(times.name or '')}"
            self.problems.append(Problem("no-times", message, file=bank.source.name, action="its trees have no times"))
            return bank
        bank, attach = placed(bank, times, attach=self._attach)
        self.attached.add(attach)
        return bank

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
                for utterance, path in zip(self._times, self._times.paths, strict=True):
                    self._by_document.setdefault(self.known.of(utterance, path), []).append(utterance)
                self.problems += self._times.problems
        if document is None:
            return self._times
        own, format, name = self._by_document.get(document, ()), self._times.format, self._times.name
        return Utterances(own, format=format, name=name, is_sound=True)

    def unused(self) -> list[Problem]:
        """Words that belong to no document."""
        lost = [utterance for utterance in self._by_document.get(None, ()) if utterance.transcript.words]
        if not lost or self._times is None:
            return []
        message = f"{number_of(len(lost), 'utterance')} of no document, first {visible(lost[0].id or '')!r}"
        return [Problem("unused", message, file=self._times.name, line=lost[0].line, action="left out")]

    def _bank(self, document: str | None) -> Treebank:
        if document not in self._banks:
            self._banks = {document: read(self.files[document], **self._reading)}  # one at a time
        return self._banks[document]

    def _words_beside(self, document: str | None) -> Utterances | None:
        """The words with times that stand in the same file as the trees."""
        if document not in self._beside:
            self._beside = {document: self._read_beside(self.files[document])}  # one at a time
        return self._beside[document]

    def _read_beside(self, source: Any) -> Utterances | None:
        if not _is_json(source):
            return None
        found = read_times(source, format="jsonl", on_error=self._reading.get("on_error", "keep"))
        return found if any(utterance.transcript.words for utterance in found) else None


class Names:
    """Names of documents, and which of them another name means.

    >>> names = Names(["sw2005.A", "talk", "talk-2", "dev/u1"])
    >>> names.find("talk-2"), names.find("SW2005-a"), names.find("u1"), names.find("talk3")
    ('talk-2', 'sw2005.A', 'dev/u1', None)
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._all = set(names)
        self._loose: dict[str, set[str]] = {}
        for name in self._all:
            for form in {same_name(name), same_name(name.rpartition("/")[2])}:
                self._loose.setdefault(form, set()).add(name)

    def find(self, name: str) -> str | None:
        """The document of exactly this name, or else the only one of the same letters and digits."""
        if name in self._all:
            return name
        alike = self._loose.get(same_name(name), ())
        return next(iter(alike)) if len(alike) == 1 else None

    def of(self, utterance: Utterance, read_from: str | None = None) -> str | None:
        """The document of an utterance.

        By its recording, with the channel or without, by its id, by the file from which it was read, or as these begin.
        """
        file, channel = utterance.file or "", utterance.channel or ""
        names = [f"{file}.{channel}" if file and channel else "", document_name(file), utterance.id or ""]
        names.append(document_name(read_from or ""))
        for name in filter(None, names):
            if found := self.find(name):
                return found
        for name in filter(None, names):
            for end in range(len(name) - 1, 0, -1):
                if not name[end].isalnum() and (found := self.find(name[:end])):
                    return found
        return None


def partners(gold: str, test: str) -> list[tuple[str, str]]:
    """The files of two directories that belong together by their names, in the order of those of gold."""
    files, others = _documents_in(gold), _documents_in(test)
    known = Names(name for name in files if name is not None)
    found = {known.find(name or ""): path for name, path in others.items()}
    for name, path in files.items():
        if name not in found:
            raise InputError(Problem("documents", f"there is no file of this name in {test}", file=path))
    if len(found) != len(others) or None in found:
        lost = next(path for path in others.values() if path not in found.values() or found.get(None) == path)
        raise InputError(Problem("documents", f"there is no file of this name alone in {gold}", file=lost))
    return [(path, found[name]) for name, path in files.items()]


def no_trees() -> Treebank:
    """The trees of a document that has none."""
    return Treebank(_core.TreeBuilder().trees())


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
    name = os.path.basename(path).removesuffix(".gz")
    ending = next((ending for ending in _ENDINGS if name.endswith(ending)), None)
    return stem(name) or "" if ending is None else name.removesuffix(ending)


def same_name(name: str) -> str:
    """What two names of one document have in common: letters and digits, and marks between two digits.

    >>> same_name("SW2005.A"), same_name("u1-1"), same_name("u11")
    ('sw2005a', 'u1-1', 'u11')
    """
    found = ""
    apart = False
    for letter in name.casefold():
        if letter.isalnum():
            found += "-" + letter if apart and found[-1:].isdigit() and letter.isdigit() else letter
        apart = not letter.isalnum()
    return found


def _documents_in(folder: str) -> dict[str | None, Any]:
    """The files of a directory and all below it, by name."""
    found: dict[str | None, Any] = {}
    for above, files in walked(folder):
        for name in files:
            if name.endswith(_TERMINALS):
                continue
            path = os.path.join(above, name)
            inside = os.path.relpath(above, folder).replace(os.sep, "/")
            key = document_name(name) if inside == "." else f"{inside}/{document_name(name)}"
            if key in found:
                message = f"there are two files of one name: {found[key]} and {path}"
                raise InputError(Problem("documents", message, file=folder))
            found[key] = path
    if not found:
        raise InputError(Problem("documents", "there are no files in it", file=folder))
    return found


def _is_json(source: Any) -> bool:
    """Does a file, or a text, begin as JSON does?"""
    if isinstance(source, bytes):
        return source[:4096].lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{")
    if not isinstance(source, str | os.PathLike) or (isinstance(source, str) and is_text(source)):
        return False
    opened = open_source(source, None)
    return opened is not None and _is_json(bytes(opened[0][:4096]))

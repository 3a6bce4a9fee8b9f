"""Documents of speech: trees with word times, in one file, or in directories with one file per document.

A document is a recording, or one side of a conversation. Its files differ only in their extension (`sw2005A.mrg`,
`sw2005A.TextGrid`) or in punctuation (`sw2005.A.syntax.xml`).

>>> document_name("gold/sw2005.A.syntax.xml"), same_name("sw2005.A") == same_name("sw2005-a")
('sw2005.A', True)
"""

from __future__ import annotations

import os
import re

from .. import _core
from ..helpers.files import stem, walked
from ..helpers.text import decode, number_of, visible
from ..place.seconds import placed
from ..place.two_sides import check_readable
from ..readers.sources import is_folder, is_text, open_source, read
from ..readers.times import gather_times, read_times
from ..trees import Treebank
from ..values.problem import InputError, Problem, UsageError
from ..values.value import Value
from ..words.timeline import without_whole_times
from ..words.transcript import Transcript
from ..words.utterance import Utterance, Utterances

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from ..readers.sources import Readable

#: The words of NXT-Switchboard; the trees are in other files.
_TERMINALS = ".terminals.xml"
_ENDINGS = (".syntax.xml", _TERMINALS)
#: Actions for documents with missing gold or test trees.
_LEFT_OUT, _NOT_PARSED = "left out of the score", "its sentences count as not parsed"


class Document(Value):
    """The trees of both sides of one recording, with times."""

    name: str | None
    gold: Treebank
    test: Treebank


class Documents:
    """All documents, with problems and remarks."""

    def __init__(self, gold: Side, test: Side) -> None:
        if gold.is_folder != test.is_folder:
            names = [str(side.trees) for side in (gold, test) if side.is_folder]
            raise UsageError(f"{names[0]} is a directory; the other side must be a directory with the same file names")
        self.problems: list[Problem] = []
        self.remarks: list[str] = []
        self.all: list[Document] = []
        #: The sources of the trees of both sides.
        self.names = str(gold.trees) if gold.is_folder else None, str(test.trees) if test.is_folder else None
        if gold.is_folder:
            self._rename(gold, test)
        for side in (gold, test):
            side.known = Names(name for name in gold.files if name is not None)
        self._first: InputError | None = None  # the error of the first unreadable document
        for name in gold.files:
            gold_bank = self._read(gold, name, _LEFT_OUT)
            if gold_bank is None:
                continue
            if len(gold_bank) == 0:
                self._report(gold.files[name], "there are no trees in it", _LEFT_OUT)
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
            self.remarks.append("the test trees use the word times of gold (--test-times names others)")
        self.remarks += dict.fromkeys([*gold.notes, *test.notes])
        for side, what in ((gold, "gold"), (test, "test")):
            if side.attached:
                self.remarks.append(f"words of {what} trees paired by {' and '.join(sorted(side.attached))}")

    def _read(self, side: Side, name: str | None, action: str) -> Treebank | None:
        """The trees of a document; in a directory, an unreadable document is only a problem."""
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
        """Give the test files the names of their gold documents."""
        known = Names(name for name in gold.files if name is not None)
        files: dict[str | None, Any] = {}
        for name, path in test.files.items():
            partner = known.find(name or "")
            if partner is None:
                self._report(path, "there is no gold file of this name", _LEFT_OUT)
            elif partner in files:
                self._report(path, f"{files[partner]} has the same name", _LEFT_OUT)
            else:
                files[partner] = path
        if not files:
            message = f"no file has the name of a file in {gold.trees!s}, such as {min(gold.files.values())}"
            raise InputError(Problem("documents", message, file=str(test.trees)))
        for name, path in gold.files.items():
            if name not in files:
                self._report(path, f"there is no test file of this name in {test.trees!s}", _NOT_PARSED)
        test.files = files

    def _report(self, file: Any, message: str, action: str) -> None:
        self.problems.append(Problem("documents", message, file=str(file), action=action))


class Side:
    """The trees of one side and their word times; `words` are options of `gather_times`, `reading` of `read`."""

    def __init__(
        self,
        trees: Readable,
        times: Readable | None,
        *,
        words: Mapping[str, Any] | None = None,
        attach: str = "auto",
        reading: Mapping[str, Any] | None = None,
    ) -> None:
        if isinstance(trees, str) and trees == "-":
            opened = open_source(trees, None)
            assert opened is not None
            trees, reading = bytes(opened[0]), {**(reading or {}), "name": opened[1].name}  # also read for words
        self.trees, self.given = trees, times
        self._words, self._attach, self._reading = dict(words or {}), attach, dict(reading or {})
        self._times: Utterances | None = None
        self._by_document: dict[str | None, list[Utterance]] = {}
        self._banks: dict[str | None, Treebank] = {}
        self._beside: dict[str | None, Utterances | None] = {}
        self._lender: Side | None = None
        #: Names of documents, by which words are assigned to them.
        self.known = Names(())
        #: Do the words have tiers? None before they are read.
        self.tiered: bool | None = None
        #: Are the leaves of the trees that were read spans of time, not words?
        self.is_textless = False
        #: Are the word times taken from the other side?
        self.borrowed = False
        #: How trees were paired with their words.
        self.attached: set[str] = set()
        #: Assumptions about the words, and problems of the words of all documents.
        self.notes: list[str] = []
        self.problems: list[Problem] = []
        self.is_folder = is_folder(trees)
        #: The documents by name; None for one without.
        self.files: dict[str | None, Any] = _documents_in(os.fspath(trees)) if is_folder(trees) else {None: trees}

    def needs_no_words(self, document: str | None) -> bool:
        """Does a document have times in its trees, or words with times in the same file?"""
        if document not in self.files:
            return True
        return self._bank(document).native.has_times() or self._words_beside(document) is not None

    def as_json(self) -> dict[str, Any]:
        """The source of the times, and how trees were paired with their words."""
        name = self._times.name if self._times is not None else None
        origin = "gold" if self.borrowed else name if self.given is not None else "trees"
        return {"name": origin, "attach": sorted(self.attached)}

    def borrow(self, other: Side) -> None:
        """Use the words of another side."""
        self._lender, self.borrowed = other, True

    def read(self, document: str | None) -> Treebank:
        """The trees of a document with times: their own, or those of words."""
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
            _check_no_times(bank, times)
        if times is None:
            message = "these trees have no times; name the words with times (--gold-times, --test-times)"
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
        """The words with times of a document: as given, or in the file of the trees, or with `spoken` its leaves."""
        if self.given is None:
            beside = self._words_beside(document)
            return beside or (spoken_words(self._bank(document)) if spoken else None)
        if self._times is None:
            self._times, self.tiered = gather_times(
                self.given, **self._words, on_error=self._reading.get("on_error", "keep")
            )
            self._times = without_whole_times(self._times)
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
        """A problem for words that belong to no document."""
        unused = [utterance for utterance in self._by_document.get(None, ()) if utterance.transcript.words]
        if not unused or self._times is None:
            return []
        message = f"{number_of(len(unused), 'utterance')} of no document, first {visible(unused[0].id or '')!r}"
        return [Problem("unused", message, file=self._times.name, line=unused[0].line, action="left out")]

    def _bank(self, document: str | None) -> Treebank:
        if document not in self._banks:
            bank = read(self.files[document], **self._reading)
            self.is_textless = self.is_textless or bank.source.textless
            self._banks = {document: bank}  # one at a time
        return self._banks[document]

    def starts_textless(self) -> bool:
        """Are the leaves of the first document spans of time?"""
        return bool(self.files) and self._bank(next(iter(self.files))).source.textless

    def read_words_in(self, unit: str | None) -> None:
        """Read words with times in another unit."""
        self._words["unit"] = unit

    def _words_beside(self, document: str | None) -> Utterances | None:
        """The words with times in the same file as the trees."""
        if self._bank(document).source.textless:
            return None
        if document not in self._beside:
            self._beside = {document: self._read_beside(self.files[document])}  # one at a time
        return self._beside[document]

    def _read_beside(self, source: Any) -> Utterances | None:
        if not _is_json(source):
            return None
        utterances = read_times(source, format="jsonl", on_error=self._reading.get("on_error", "keep"))
        return utterances if any(utterance.transcript.words for utterance in utterances) else None


_TIME_LIKE = re.compile(rb"[0-9.]+(?:[-:,][0-9.]+)?")


def _check_no_times(bank: Treebank, times: Utterances | None) -> None:
    """Refuse trees whose leaves seem to be times, instead of placing them at the times of other words."""
    words = _core.LeafWords(bank.native).names()
    if not words or not all(map(_TIME_LIKE.fullmatch, words)):
        return
    spoken = {word for utterance in times or () for word in utterance.transcript.words}
    if spoken.isdisjoint(map(decode, words)):
        message = (
            f"the leaves of these trees, such as {visible(decode(words[0]))}, seem to be times, but are not spans in "
            "seconds such as 0.15-0.39; write spans, or give their unit (--times-unit frames:0.02)"
        )
        raise InputError(Problem("span", message, file=bank.source.name))


class Names:
    """Names of documents, and a tolerant search in them.

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
        """The document with this name, or the only one with the same letters and digits."""
        if name in self._all:
            return name
        similar = self._loose.get(same_name(name), ())
        return next(iter(similar)) if len(similar) == 1 else None

    def of(self, utterance: Utterance, read_from: str | None = None) -> str | None:
        """The document of an utterance: by its recording, channel, id, file, or their prefixes."""
        file, channel = utterance.file or "", utterance.channel or ""
        names = [f"{file}.{channel}" if file and channel else "", document_name(file), utterance.id or ""]
        names.append(document_name(read_from or ""))
        for name in filter(None, names):
            if document := self.find(name):
                return document
        for name in filter(None, names):
            for end in range(len(name) - 1, 0, -1):
                if not name[end].isalnum() and (document := self.find(name[:end])):
                    return document
        return None


def partners(gold: str, test: str) -> list[tuple[str, str]]:
    """Pairs of files in two directories by name, in gold order."""
    files, others = _documents_in(gold), _documents_in(test)
    known = Names(name for name in files if name is not None)
    matches = {known.find(name or ""): path for name, path in others.items()}
    for name, path in files.items():
        if name not in matches:
            raise InputError(Problem("documents", f"there is no file of this name in {test}", file=path))
    if len(matches) != len(others) or None in matches:
        unmatched = next(path for path in others.values() if path not in matches.values() or matches.get(None) == path)
        raise InputError(Problem("documents", f"there is no file of this name alone in {gold}", file=unmatched))
    return [(path, matches[name]) for name, path in files.items()]


def no_trees() -> Treebank:
    """An empty treebank."""
    return Treebank(_core.TreeBuilder().trees())


def spoken_words(trees: Treebank) -> Utterances | None:
    """The spoken words of trees with times and words, one utterance per tree."""
    if not trees.native.has_times() or _core.are_spans(trees.native):
        return None
    utterances = []
    for index in range(len(trees)):
        both = zip(trees.words(index), trees.native.times(index) or (), strict=False)
        spoken = [(word, time) for word, time in both if time[0] < time[1]]
        transcript = Transcript([word for word, _ in spoken], times=[time for _, time in spoken])
        utterances.append(Utterance(transcript, id=trees.ids[index] if trees.ids else None, line=trees.line(index)))
    return Utterances(utterances, format="trees", name=trees.source.name)


def document_name(path: str) -> str:
    """The name of a file without its directory and extension."""
    name = os.path.basename(path).removesuffix(".gz")
    ending = next((ending for ending in _ENDINGS if name.endswith(ending)), None)
    return stem(name) or "" if ending is None else name.removesuffix(ending)


def same_name(name: str) -> str:
    """The normalised name of a document: letters and digits, with a hyphen between separate numbers.

    >>> same_name("SW2005.A"), same_name("u1-1"), same_name("u11")
    ('sw2005a', 'u1-1', 'u11')
    """
    normalised = ""
    separated = False
    for letter in name.casefold():
        if letter.isalnum():
            normalised += "-" + letter if separated and normalised[-1:].isdigit() and letter.isdigit() else letter
        separated = not letter.isalnum()
    return normalised


def _documents_in(folder: str) -> dict[str | None, Any]:
    """The files of a directory and its subdirectories, by name."""
    documents: dict[str | None, Any] = {}
    for directory, files in walked(folder):
        for name in files:
            if name.endswith(_TERMINALS):
                continue
            path = os.path.join(directory, name)
            inside = os.path.relpath(directory, folder).replace(os.sep, "/")
            key = document_name(name) if inside == "." else f"{inside}/{document_name(name)}"
            if key in documents:
                message = f"there are two files of one name: {documents[key]} and {path}"
                raise InputError(Problem("documents", message, file=folder))
            documents[key] = path
    if not documents:
        raise InputError(Problem("documents", "there are no files in it", file=folder))
    return documents


def _is_json(source: Any) -> bool:
    """Does a file or text begin like JSON?"""
    if isinstance(source, bytes):
        return source[:4096].lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{")
    if not isinstance(source, str | os.PathLike) or (isinstance(source, str) and is_text(source)):
        return False
    opened = open_source(source, None)
    return opened is not None and _is_json(bytes(opened[0][:4096]))

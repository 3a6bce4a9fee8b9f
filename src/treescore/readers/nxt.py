"""NXT-Switchboard: trees in one XML file, their words with times in another.

`sw2005.A.syntax.xml` has the trees of one side of a conversation, and refers to `sw2005.A.terminals.xml` in the same
folder or in `../terminals`.
"""

from __future__ import annotations

import os
import re
from itertools import pairwise

from .. import _core
from ..helpers.text import encode, escaped, number_of, visible
from ..helpers.text_files import read_text_file
from ..pairing.spoken import Spelling
from ..trees import Source, Treebank
from ..values.problem import InputError, Problem, TreeSyntaxError
from ..words.interpolation import interpolated
from ..words.timeline import sound
from .brackets import NO_TREE
from .nxt_terminals import PUNCTUATION, SILENCE, TRACE, WORD, attribute, local_name, read_terminals
from .timed_words import TimedWords
from .xml_stream import GIVE_ENCODING, Handler, parse_xml

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .nxt_terminals import Terminal

#: Suffix of files with trees.
SYNTAX = ".syntax.xml"

_HREF = re.compile(r"([^#]*)#id\(([^()]*)\)(?:\.\.id\(([^()]*)\))?")


def has_trees(folder: str) -> bool:
    """Does a folder, or its subfolder `syntax`, have trees of NXT-Switchboard?"""
    return bool(_files(folder)[1])


def _files(folder: str) -> tuple[str, list[str]]:
    """The folder with the trees, and the names of its files."""
    for inside in (folder, os.path.join(folder, "syntax")):
        names = sorted(os.listdir(inside)) if os.path.isdir(inside) else []
        if files := [name for name in names if name.endswith(SYNTAX)]:
            return inside, files
    return folder, []


def read_folder(
    folder: str, source: Source, *, encoding: str | None = None, on_error: str = "raise"
) -> Treebank | None:
    """The trees of a folder, or of its subfolder `syntax`, in the order of the files' names; None if it has none.

    The ids of trees begin with the name of the file, as in `sw2005.A.s1`.
    """
    inside, files = _files(folder)
    if not files:
        return None
    parses = _Parses(on_error)
    for name in files:
        path = os.path.join(inside, name)
        text = read_text_file(path, encoding=encoding)
        parses.read(text, Source(path), path, encoding, encoding, name.removesuffix(SYNTAX) + ".")
    return parses.treebank(source)


def read_nxt(
    text: _core.Buffer,
    source: Source,
    *,
    encoding: str | None = None,
    words_encoding: str | None = None,
    on_error: str = "raise",
) -> Treebank:
    """The trees of one file, with the words of a second file, which may have another encoding."""
    if source.path is None:
        message = "the words of these trees are in another file; give the path of this one, not its text"
        raise InputError(Problem("not-trees", message, file=source.name))
    parses = _Parses(on_error)
    parses.read(text, source, source.path, encoding, words_encoding)
    return parses.treebank(source)


class _Side:
    """The terminals of one side of a conversation, and the name of their file."""

    def __init__(self, terminals: list[Terminal], name: str) -> None:
        self.terminals, self.name = terminals, name
        self.places = {terminal.id: place for place, terminal in enumerate(terminals) if terminal.id is not None}


class _Parses(Handler):
    """Builds a tree at the end of each parse."""

    def __init__(self, on_error: str) -> None:
        super().__init__()
        self.builder = _core.TreeBuilder()
        self.problems: list[Problem] = []
        self.ids: list[str] = []
        self._on_error = on_error
        self._spelling = Spelling()
        self._begin("", 0)
        self._inside = False

    def read(
        self,
        text: _core.Buffer,
        source: Source,
        path: str,
        encoding: str | None,
        words_encoding: str | None,
        prefix: str = "",
    ) -> None:
        """Read all trees of a file."""
        self._source, self._path, self._encoding, self._prefix = source, path, words_encoding, prefix
        self._sides: dict[str, _Side] = {}
        parse_xml(text, source, self, encoding=encoding)

    def treebank(self, source: Source) -> Treebank:
        """All trees of all files."""
        if not self.ids:
            message = "this is XML, but there are no trees of NXT-Switchboard (elements parse) in it"
            raise InputError(Problem("not-trees", message, file=source.name))
        return Treebank(self.builder.trees(), source=source, problems=self.problems, ids=self.ids)

    def _begin(self, name: str, line: int) -> None:
        self._name, self._line, self._fault = name, line, False
        self._side: _Side | None = None
        self._open = [-1]
        self._phrases: list[str] = []
        self._items: list[tuple[int, int]] = []  # number of a phrase, or ~place of a terminal; parent

    def startElement(self, name: str, attributes: Any) -> None:
        kind = local_name(name)
        if kind == "parse":
            self._inside = True
            self._begin(attribute(attributes, "id") or "", self.line)
        elif self._inside and kind == "nt":
            functions = attributes.get("subcat", "").replace(",", " ").split()
            label = escaped("-".join([attributes.get("cat", ""), *functions]))
            self._items.append((len(self._phrases), self._open[-1]))
            self._open.append(len(self._phrases))
            self._phrases.append(label)
        elif self._inside and kind == "child":
            self._refer(attributes.get("href", ""))

    def endElement(self, name: str) -> None:
        kind = local_name(name)
        if self._inside and kind == "nt":
            self._open.pop()
        elif self._inside and kind == "parse":
            self._inside = False
            self.ids.append(self._prefix + self._name)
            if self._fault or not self._build():
                self.builder.finish(self._line, faulty=True)

    def _problem(self, code: str, message: str, action: str, line: int | None = None) -> None:
        unit = len(self.ids) + self._inside
        line = line or self._line
        self.problems.append(Problem(code, message, file=self._source.name, line=line, unit=unit, action=action))

    def _fail(self, code: str, message: str, line: int | None = None) -> bool:
        if not self._fault:
            self._problem(code, message, NO_TREE, line)
            if self._on_error != "keep":
                raise TreeSyntaxError(self.problems[-1].replace(action=None))
        self._fault = True
        return False

    def _refer(self, href: str) -> None:
        """Add one or several consecutive words, which are referred to by their ids in another file."""
        if self._fault:
            return
        match = _HREF.fullmatch(href)
        if not match:
            self._fail("reference", f"{visible(href)!r} is not a reference to words, FILE#id(NAME)", self.line)
            return
        side = self._sides.get(match[1])
        if side is None:
            side = self._sides[match[1]] = self._load(match[1])
        first, last = side.places.get(match[2]), side.places.get(match[3] or match[2])
        if first is None or last is None:
            missing = match[2] if first is None else match[3]
            self._fail("reference", f"there is no {visible(missing)!r} in {visible(match[1])}", self.line)
        elif self._side not in (None, side):
            self._fail("reference", "the words of this tree are in two files", self.line)
        else:
            self._side = side
            heard = [place for place in range(first, last + 1) if side.terminals[place].kind != SILENCE]
            self._items += [(~place, self._open[-1]) for place in heard]

    def _load(self, file: str) -> _Side:
        name = os.path.basename(file)
        folder = os.path.dirname(os.path.abspath(self._path))
        for inside in (folder, os.path.join(os.path.dirname(folder), "terminals")):
            path = os.path.join(inside, name)
            if name and os.path.isfile(path):
                terminals, problems = read_terminals(
                    read_text_file(path, encoding=self._encoding),
                    name=path,
                    encoding=self._encoding,
                    advice=GIVE_ENCODING,
                    on_error=self._on_error,
                )
                self.problems += problems
                return _Side(terminals, path)
        message = f"the words are in {visible(name)!r}, which is neither in the same folder nor in ../terminals"
        raise InputError(Problem("no-terminals", message, file=self._source.name, line=self.line))

    def _build(self) -> bool:
        order = self._in_order()
        words = [~item for item in order if item is not None and item < 0]
        terminals = self._side.terminals if self._side else []
        for before, after in pairwise(words):
            if before == after:
                return self._fail("twice", f"{visible(terminals[after].id or '')!r} occurs twice")
            if before > after:
                message = f"the phrases around {visible(terminals[after].id or '')!r} cross: this tree has gaps"
                return self._fail("discontinuous", message)
        for item in order:
            if item is None:
                self.builder.close()
            elif item >= 0:
                self.builder.open(encode(self._phrases[item]))
            else:
                word, tag = _leaf(terminals[~item])
                self.builder.leaf(encode(escaped(word) or "_"), None if tag is None else encode(escaped(tag)))
        times = None if self._side is None else self._times([terminals[word] for word in words], self._side.name)
        if times is not None:
            self.builder.set_times(times)
        self.builder.finish(self._line)
        return True

    def _in_order(self) -> list[int | None]:
        """Phrases and words in the order of the words; None closes a phrase. Empty phrases follow their neighbours."""
        children: list[list[int]] = [[] for _ in range(len(self._phrases) + 1)]
        starts = [-1] * len(self._phrases)  # first words
        for place, parent in reversed(self._items):  # children come after their parents
            start = ~place if place < 0 else starts[place]
            children[parent].append(place)
            if start >= 0 and parent >= 0:
                starts[parent] = start if starts[parent] < 0 else min(starts[parent], start)
        for below in children:
            below.reverse()
            keys, last = {}, -1
            for child in below:
                start = ~child if child < 0 else starts[child]
                last = keys[child] = start if start >= 0 else last
            below.sort(key=keys.__getitem__)
        order: list[int | None] = []
        waiting: list[int | None] = list(reversed(children[-1]))
        while waiting:
            item = waiting.pop()
            order.append(item)
            if item is not None and item >= 0:
                waiting.append(None)
                waiting += reversed(children[item])
        return order

    def _times(self, terminals: list[Terminal], file: str) -> list[tuple[float, float]] | None:
        """The times of terminals, without length if they are not spoken; None if no times are known."""
        words = TimedWords()
        for terminal in terminals:
            if terminal.kind == WORD:
                words.add(terminal.orth, terminal.time, terminal.line)
        if not words.words:
            return None
        fixed, problems = sound(words.utterance(id=self._name), file=file)
        self.problems += [problem.replace(unit=len(self.ids)) for problem in problems]
        self._spelling.learn(words.words)
        weights = [self._spelling.weights[word] for word in words.words]
        filled, missing = interpolated(weights, fixed.transcript.times or ())
        if filled is None:
            self._problem("no-times", "no word of this tree has a time", "the tree has no times")
            return None
        if missing:
            first = visible(words.words[missing[0]])
            message = f"{number_of(len(missing), 'word')} without a time, first {first!r}"
            self._problem("untimed", message, "time taken from the neighbours")
        spoken = iter(filled)
        times: list[tuple[float, float]] = []
        at = filled[0][0]
        for terminal in terminals:
            times.append(next(spoken) if terminal.kind == WORD else (at, at))
            at = times[-1][1]
        return times


def _leaf(terminal: Terminal) -> tuple[str, str | None]:
    """The word and the tag of a terminal in a tree."""
    if terminal.kind == TRACE:
        return "*", "-NONE-"
    return terminal.orth, terminal.orth if terminal.kind == PUNCTUATION else terminal.pos

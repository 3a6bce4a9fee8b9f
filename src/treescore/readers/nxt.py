"""NXT-Switchboard: trees in one file of XML, their words with times in another.

`sw2005.A.syntax.xml` has the trees of one side of a conversation, and refers to `sw2005.A.terminals.xml`, which stands
beside it or in `../terminals`.
"""

from __future__ import annotations

import os
import re
from itertools import pairwise
from xml.sax.handler import ContentHandler

from .. import _core
from ..place.normal import Normal
from ..problem import InputError, Problem, TreeSyntaxError
from ..text import encode, escaped, number_of, visible
from ..trees import Source, Treebank
from ..words.interpolation import ROUNDING, interpolated
from .brackets import NO_TREE
from .lines import seconds
from .xml_stream import parse_xml

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    #: Id, kind, spelling, tag, start, end, line.
    Terminal = tuple[str, str, str, str | None, float | None, float | None, int]
    Times = list[tuple[float, float] | None]

WORD, PUNCTUATION, TRACE, SILENCE = "word", "punc", "trace", "sil"
#: How the files with trees are called.
SYNTAX = ".syntax.xml"

_NORMAL = Normal()  # the characters of a word are counted in this form
_HREF = re.compile(r"([^#]*)#id\(([^()]*)\)(?:\.\.id\(([^()]*)\))?")


def syntax_files(folder: str) -> list[str]:
    """The files with trees in a folder, or in the folder `syntax` in it, in the order of their names."""
    for inside in (folder, os.path.join(folder, "syntax")):
        names = sorted(os.listdir(inside)) if os.path.isdir(inside) else []
        if files := [os.path.join(inside, name) for name in names if name.endswith(SYNTAX)]:
            return files
    return []


def read_folder(
    files: Sequence[str], source: Source, *, encoding: str | None = None, on_error: str = "raise"
) -> Treebank:
    """The trees of several files, one after the other; their ids begin with the names of the files, `sw2005.A.s1`."""
    if not files:
        raise InputError(Problem("not-trees", f"there are no files *{SYNTAX} in this folder", file=source.name))
    parses = _Parses(on_error)
    for path in files:
        with open(path, "rb") as file:
            parses.read(file.read(), Source(path), path, encoding, os.path.basename(path).removesuffix(SYNTAX) + ".")
    return parses.treebank(source)


def read_nxt(text: _core.Buffer, source: Source, *, encoding: str | None = None, on_error: str = "raise") -> Treebank:
    """The trees of one file; the file with the words is looked for beside it."""
    if source.path is None:
        message = "the words of these trees are in another file; give the path of this one, not its text"
        raise InputError(Problem("not-trees", message, file=source.name))
    parses = _Parses(on_error)
    parses.read(text, source, source.path, encoding)
    return parses.treebank(source)


def read_terminals(text: _core.Buffer, source: Source, encoding: str | None = None) -> list[Terminal]:
    """Words, punctuation, traces and silences in their order; times that are no numbers are None.

    >>> text = b'<nite:root xmlns:nite="x"><word nite:id="w1" nite:start="0.5" nite:end="n/a" orth="uh" pos="UH"/>'
    >>> read_terminals(text + b'<punc nite:id="p">.</punc></nite:root>', Source("a.terminals.xml"))
    [('w1', 'word', 'uh', 'UH', 0.5, None, 1), ('p', 'punc', '.', '.', None, None, 1)]
    """
    found = _Terminals()
    parse_xml(text, source, found, encoding=encoding)
    return found.all


class _Handler(ContentHandler):
    """Knows on which line it is."""

    def setDocumentLocator(self, locator: Any) -> None:
        self._locator = locator

    @property
    def line(self) -> int:
        line: int = self._locator.getLineNumber()
        return line


def _local(name: str) -> str:
    return name.rpartition(":")[2]


def _own(attributes: Any, name: str) -> str | None:
    """An attribute of NXT's own, `nite:id`."""
    found: str | None = attributes.get(f"nite:{name}", attributes.get(name))
    return found


class _Terminals(_Handler):
    def __init__(self) -> None:
        super().__init__()
        self.all: list[Terminal] = []
        self._punctuation: list[str] | None = None

    def startElement(self, name: str, attributes: Any) -> None:
        kind = _local(name)
        if kind not in (WORD, PUNCTUATION, TRACE, SILENCE):
            return
        self._punctuation = [] if kind == PUNCTUATION else None
        start, end = (seconds(encode((_own(attributes, which) or "").strip())) for which in ("start", "end"))
        written, tag = ("*", "-NONE-") if kind == TRACE else (attributes.get("orth", ""), attributes.get("pos"))
        self.all.append((_own(attributes, "id") or "", kind, written, tag, start, end, self.line))

    def characters(self, content: str) -> None:
        if self._punctuation is not None:
            self._punctuation.append(content)

    def endElement(self, name: str) -> None:
        if self._punctuation is None or _local(name) != PUNCTUATION:
            return
        text = "".join(self._punctuation).strip()
        before, kind, _, _, start, end, line = self.all[-1]
        self.all[-1] = (before, kind, text, text, start, end, line)
        self._punctuation = None


class _Side:
    """The terminals of one side of a conversation."""

    def __init__(self, terminals: list[Terminal]) -> None:
        self.terminals = terminals
        self.places = {terminal[0]: place for place, terminal in enumerate(terminals)}


class _Parses(_Handler):
    """Builds a tree at the end of each parse."""

    def __init__(self, on_error: str) -> None:
        super().__init__()
        self.builder = _core.TreeBuilder()
        self.problems: list[Problem] = []
        self.ids: list[str] = []
        self._keeps = on_error == "keep"
        self._begin("", 0)
        self._inside = False

    def read(self, text: _core.Buffer, source: Source, path: str, encoding: str | None, prefix: str = "") -> None:
        """Take in all trees of a file."""
        self._source, self._path, self._encoding, self._prefix = source, path, encoding, prefix
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
        self._items: list[tuple[int, int]] = []  # phrases as their number, words as ~place among terminals; parent

    def startElement(self, name: str, attributes: Any) -> None:
        kind = _local(name)
        if kind == "parse":
            self._inside = True
            self._begin(_own(attributes, "id") or "", self.line)
        elif self._inside and kind == "nt":
            functions = attributes.get("subcat", "").replace(",", " ").split()
            label = escaped("-".join([attributes.get("cat", ""), *functions]))
            self._items.append((len(self._phrases), self._open[-1]))
            self._open.append(len(self._phrases))
            self._phrases.append(label)
        elif self._inside and kind == "child":
            self._refer(attributes.get("href", ""))

    def endElement(self, name: str) -> None:
        kind = _local(name)
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
            if not self._keeps:
                raise TreeSyntaxError(self.problems[-1].replace(action=None))
        self._fault = True
        return False

    def _refer(self, href: str) -> None:
        """Words by their ids in another file, one or several in a row."""
        if self._fault:
            return
        found = _HREF.fullmatch(href)
        if not found:
            self._fail("reference", f"{visible(href)!r} is no reference to words, FILE#id(NAME)", self.line)
            return
        side = self._sides.get(found[1])
        if side is None:
            side = self._sides[found[1]] = self._load(found[1])
        first, last = side.places.get(found[2]), side.places.get(found[3] or found[2])
        if first is None or last is None:
            missing = found[2] if first is None else found[3]
            self._fail("reference", f"there is no {visible(missing)!r} in {visible(found[1])}", self.line)
        elif self._side not in (None, side):
            self._fail("reference", "the words of this tree are in two files", self.line)
        else:
            self._side = side
            parent = self._open[-1]
            self._items += [(~place, parent) for place in range(first, last + 1) if side.terminals[place][1] != SILENCE]

    def _load(self, file: str) -> _Side:
        name = os.path.basename(file)
        folder = os.path.dirname(os.path.abspath(self._path))
        for inside in (folder, os.path.join(os.path.dirname(folder), "terminals")):
            path = os.path.join(inside, name)
            if name and os.path.isfile(path):
                with open(path, "rb") as found:
                    return _Side(read_terminals(found.read(), Source(path), self._encoding))
        message = f"the words of these trees are in {visible(name)!r}, which is neither beside it nor in ../terminals"
        raise InputError(Problem("no-terminals", message, file=self._source.name, line=self.line))

    def _build(self) -> bool:
        order = self._in_order()
        words = [~item for item in order if item is not None and item < 0]
        terminals = self._side.terminals if self._side else []
        for before, after in pairwise(words):
            if before == after:
                return self._fail("twice", f"{visible(terminals[after][0])!r} is there twice")
            if before > after:
                message = f"the phrases around {visible(terminals[after][0])!r} cross: this tree has gaps"
                return self._fail("discontinuous", message)
        for item in order:
            if item is None:
                self.builder.close()
            elif item >= 0:
                self.builder.open(encode(self._phrases[item]))
            else:
                _, _, written, tag, _, _, _ = terminals[~item]
                own = None if tag is None else encode(escaped(tag))
                self.builder.leaf(encode(escaped(written) or "_"), own)
        times = self._times([terminals[word] for word in words])
        if times is not None:
            self.builder.set_times(times)
        self.builder.finish(self._line)
        return True

    def _in_order(self) -> list[int | None]:
        """Phrases and words in the order of the words; None closes a phrase. One without words keeps its neighbour."""
        children: list[list[int]] = [[] for _ in range(len(self._phrases) + 1)]
        starts = [-1] * len(self._phrases)  # their first words
        for place, parent in reversed(self._items):  # children stand behind their parents
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

    def _times(self, terminals: list[Terminal]) -> list[tuple[float, float]] | None:
        """When each of them was spoken; what is not spoken has no length. None if nothing is known."""
        words = [terminal for terminal in terminals if terminal[1] == WORD]
        if not words:
            return None
        known, overlaps = _sound(words)
        filled, missing = interpolated([max(1, len(_NORMAL.word(word[2]))) for word in words], known)
        if filled is None:
            self._problem("no-times", "no word of this tree has a time", "the tree has no times")
            return None
        for code, found, said, action in (
            ("untimed", missing, "without a time", "shared with the words beside"),
            ("overlap", overlaps, "reaching over the start of the next", "cut there"),
        ):
            if found:
                first = words[found[0]]
                message = f"{number_of(len(found), 'word')} {said}, first {visible(first[2])!r} ({visible(first[0])})"
                self._problem(code, message, action)
        spoken = iter(filled)
        times: list[tuple[float, float]] = []
        at = filled[0][0]
        for terminal in terminals:
            times.append(next(spoken) if terminal[1] == WORD else (at, at))
            at = times[-1][1]
        return times


def _sound(words: list[Terminal]) -> tuple[Times, list[int]]:
    """Times of some length one after the other, None where they are not so, and the words that were cut for it."""
    times: Times = []
    cut: list[int] = []
    last: int | None = None  # the last word with a time
    for place, (_, _, _, _, start, end, _) in enumerate(words):
        times.append(None)
        if start is None or end is None or end <= start:
            continue
        before = None if last is None else times[last]
        if last is not None and before is not None:
            if start <= before[0]:
                continue
            if start < before[1]:
                times[last] = before[0], start
                if before[1] - start > ROUNDING:
                    cut.append(last)
        times[place] = start, end
        last = place
    return times, cut

"""TigerXML: sentences as graphs of terminals and nonterminals. The file is read as a stream.

>>> text = b'<corpus><body><s id="s1"><graph root="n"><terminals><t id="a" word="it" pos="PR"/>'
>>> text += b'<t id="b" word="is" pos="VB"/></terminals><nonterminals><nt id="n" cat="S"><edge label="SB" idref="a"/>'
>>> text += b'<edge label="HD" idref="b"/></nt></nonterminals></graph></s></body></corpus>'
>>> bank = read_tiger(text, Source("a.xml"))
>>> bank[0], bank.ids, bank[0].children[0].function
(<Tree (S (PR it) (VB is))>, ('s1',), 'SB')
"""

from __future__ import annotations

from .. import _core
from .._core import GraphTextFault
from ..helpers.text import encode, escaped, visible
from ..trees import Source, Treebank
from ..values.problem import InputError, Problem, TreeSyntaxError
from .brackets import NO_TREE
from .graphs import FAULTS, NO_FUNCTION, built_fault
from .xml_stream import Handler, parse_xml

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def read_tiger(
    text: _core.Buffer,
    source: Source,
    *,
    functions: str = "apart",
    encoding: str | None = None,
    on_error: str = "raise",
) -> Treebank:
    """Read TigerXML; see `treescore.read` for the options. An encoding replaces the one that the file declares."""
    sentences = _Sentences(source, functions, on_error)
    parse_xml(text, source, sentences, encoding=encoding)
    if not sentences.seen:
        message = "this is XML, but there are no sentences of TigerXML (elements s with a graph) in it"
        raise InputError(Problem("not-trees", message, file=source.name))
    return Treebank(sentences.builder.trees(), source=source, problems=sentences.problems, ids=sentences.ids)


class _Sentences(Handler):
    """Builds a tree at the end of each sentence."""

    def __init__(self, source: Source, functions: str, on_error: str) -> None:
        super().__init__()
        self.source, self.joins, self.on_error = source, functions == "add", on_error
        self.builder = _core.TreeBuilder()
        self.problems: list[Problem] = []
        self.ids: list[str] = []
        self.seen = False
        self._inside = False
        self._begin("", 0)

    def _begin(self, name: str, line: int) -> None:
        self._id, self._line = name, line
        self._terminals: list[tuple[str, str, str]] = []  # id, word, tag
        self._phrases: list[tuple[str, str, int]] = []  # id, label, line
        self._edges: list[tuple[int, str, str, int]] = []  # phrase, id of its child, function, line
        self._fault: tuple[int, str, str] | None = None

    def startElement(self, name: str, attributes: Any) -> None:
        line = self.line
        if name == "s":
            self._inside = True
            self._begin(attributes.get("id", ""), line)
        elif not self._inside or self._fault:
            return
        elif name == "graph":
            self.seen = True
        elif name == "t":
            self._terminals.append(
                (self._given(attributes, "id"), self._given(attributes, "word"), attributes.get("pos", ""))
            )
        elif name == "nt":
            self._phrases.append((self._given(attributes, "id"), attributes.get("cat", ""), line))
        elif name == "edge" and self._phrases:
            child = self._given(attributes, "idref")
            self._edges.append((len(self._phrases) - 1, child, attributes.get("label", NO_FUNCTION), line))

    def _given(self, attributes: Any, name: str) -> str:
        value: str | None = attributes.get(name)
        if value is None:
            self._fail(self.line, "columns", f"there is no attribute {name}")
        return value or ""

    def _fail(self, line: int, code: str, message: str) -> None:
        self._fault = self._fault or (line, code, message)

    def endElement(self, name: str) -> None:
        if name != "s" or not self._inside:
            return
        self._inside = False
        self.ids.append(self._id)
        if not self._fault:
            self._build()
        if self._fault:
            line, code, message = self._fault
            unit = len(self.ids)
            problem = Problem(code, message, file=self.source.name, line=line, unit=unit, action=NO_TREE)
            if self.on_error == "raise":
                raise TreeSyntaxError(problem.replace(action=None))
            self.problems.append(problem)
            self.builder.finish(self._line, faulty=True)

    def _build(self) -> None:
        number: dict[str, int] = {}  # number of a phrase, or ~number of a word
        for place, (name, _, line) in enumerate(self._phrases):
            if name in number:
                return self._fail(line, *_code_and_message(GraphTextFault.TWICE, name))
            number[name] = place
        for place, (name, _, _) in enumerate(self._terminals):
            if name in number:
                return self._fail(self._line, *_code_and_message(GraphTextFault.TWICE, name))
            number[name] = ~place
        above: dict[int, tuple[int, str]] = {}
        for parent, name, function, line in self._edges:
            if name not in number:
                return self._fail(line, "parent", f"there is no {visible(name)!r} in this sentence")
            if number[name] in above:
                return self._fail(line, "parent", f"{visible(name)!r} has two parents")
            above[number[name]] = parent, function
        phrases = []
        for place, (_, label, _) in enumerate(self._phrases):
            parent, function = above.get(place, (-1, NO_FUNCTION))
            phrases.append((self._name(label, function), parent, self._function(function)))
        words = []
        for place, (_, word, tag) in enumerate(self._terminals):
            parent, function = above.get(~place, (-1, NO_FUNCTION))
            words.append((encode(escaped(word) or "_"), self._name(tag, function), parent, self._function(function)))
        fault = self.builder.graph(phrases, words, self._line, not self.joins)
        if fault:
            kind, phrase = fault
            name, _, line = self._phrases[phrase]
            self._fail(line, *built_fault(kind, visible(name)))

    def _name(self, label: str, function: str) -> bytes:
        joined = f"{label}-{function}" if self.joins and function != NO_FUNCTION else label
        return encode(escaped(joined) or "_")

    def _function(self, function: str) -> bytes | None:
        return None if self.joins or function == NO_FUNCTION else encode(escaped(function) or "_")


def _code_and_message(fault: int, text: str) -> tuple[str, str]:
    code, message = FAULTS[fault]
    return code, message.format(visible(text))

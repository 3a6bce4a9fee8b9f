"""Shared by the formats for discontinuous trees: faults of sentences and their messages, encodings."""

from __future__ import annotations

from .._core import GraphFault, GraphTextFault
from ..helpers.text import decode, visible
from ..trees import Source, Treebank
from ..values.problem import InputError, Problem, TreeSyntaxError, UsageError
from .brackets import NO_TREE
from .lines import LEFT_OUT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .. import _core

#: The name that means no function.
NO_FUNCTION = "--"

_PIECE = 1 << 20  # bytes decoded at a time

#: Code and message of each fault; {} is the text with the fault.
FAULTS = {
    GraphTextFault.UNCLOSED: ("unclosed", "this sentence or bracket is never closed"),
    GraphTextFault.SURPLUS: (
        "surplus",
        "this bracket closes nothing; remove it, or look for a bracket closed too early before it",
    ),
    GraphTextFault.LOOSE_TEXT: ("loose-text", "text outside sentences"),
    GraphTextFault.COLUMNS: (
        "columns",
        "this line has {} columns; the export format has 5, or 6 with lemmas (#FORMAT 4), and 2 more for each "
        "secondary edge",
    ),
    GraphTextFault.PARENT: ("parent", "{!r} is not the number of a phrase of this sentence"),
    GraphTextFault.TWICE: ("twice", "{} occurs twice"),
    GraphTextFault.CYCLE: ("cycle", "the phrase {} is above itself"),
    GraphTextFault.NO_WORDS: ("no-words", "the phrase {} has no words"),
    GraphTextFault.END: ("end", "this ends the sentence {!r}, not the one that was begun"),
    GraphTextFault.NO_INDEX: (
        "index",
        "the word {!r} has no number, but others in this sentence have; write index=word",
    ),
    GraphTextFault.INDEX: (
        "index",
        "the number {} is too large or occurs twice; words are numbered from 0, each once",
    ),
    GraphTextFault.FORMAT: (
        "format",
        "there is no such version of the export format; write #FORMAT 3 (5 columns) or #FORMAT 4 (with lemmas)",
    ),
}
#: Faults that the builder of trees finds.
_BUILT = {GraphFault.CYCLE: FAULTS[GraphTextFault.CYCLE], GraphFault.NO_WORDS: FAULTS[GraphTextFault.NO_WORDS]}


def treebank(graphs: _core.GraphText, source: Source, on_error: str, *, has_ids: bool) -> Treebank:
    """A treebank from the results of a native reader, with its faults as problems."""
    trees, faults, ids, blank_lines = graphs
    problems = []
    for number, tree, line, column, text in faults:
        code, message = FAULTS[number]
        problems.append(
            Problem(
                code,
                message.format(visible(decode(text)) or "here"),
                file=source.name,
                line=line,
                column=column,
                unit=None if tree is None else tree + 1,
                action=LEFT_OUT if tree is None else NO_TREE,
            )
        )
    problems.sort(key=lambda problem: problem.line or 0)
    if problems and on_error == "raise":
        raise TreeSyntaxError(problems[0].replace(action=None))
    names = [decode(name) for name in ids] if has_ids else None
    return Treebank(trees, source=source, problems=problems, blank_lines=blank_lines, ids=names)


def built_fault(kind: int, phrase: str) -> tuple[str, str]:
    """Code and message of a fault found by the builder of trees."""
    code, message = _BUILT[kind]
    return code, message.format(phrase)


def is_encoding(name: str) -> bool:
    """Is this the name of an encoding of text?

    >>> is_encoding("latin-1"), is_encoding("hex"), is_encoding("klingon")
    (True, False, False)
    """
    try:
        b"<".decode(name)
    except LookupError:
        return False
    except UnicodeError:  # only part of a character
        pass
    return True


def as_utf8(text: _core.Buffer, source: Source, encoding: str | None, *, checked: bool = False) -> _core.Buffer:
    """The text in UTF-8. Without an encoding the text is unchanged, and if `checked` it must be UTF-8.

    >>> as_utf8("é".encode("latin-1"), Source("a.export"), "latin-1").decode()
    'é'
    """
    if encoding is None and not checked:
        return text
    from codecs import getincrementaldecoder

    if not is_encoding(encoding or "utf-8"):
        raise UsageError(f"there is no encoding {encoding!r}")
    decoder = getincrementaldecoder(encoding or "utf-8")()
    out = bytearray()
    for begin in range(0, len(text), _PIECE):
        try:
            decoded = decoder.decode(bytes(text[begin : begin + _PIECE]), begin + _PIECE >= len(text))
        except UnicodeError as problem:
            line = bytes(text[: begin + getattr(problem, "start", 0)]).count(b"\n") + 1
            advice = (
                "try another" if encoding else "say which encoding it is, e.g. encoding latin-1 (--encoding latin-1)"
            )
            message = f"this is not {encoding or 'UTF-8'} text; {advice}"
            raise InputError(Problem("encoding", message, file=source.name, line=line)) from None
        if encoding is not None:
            out += decoded.encode("utf-8", "surrogatepass")
    return text if encoding is None else bytes(out)

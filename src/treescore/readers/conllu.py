"""CoNLL-U: ten columns per word, separated by tabs, and a blank line after each sentence.

Faulty sentences are read as far as possible; the first fault of each kind in a sentence is a `Problem`.

>>> bank = read_conllu("1\\ta\\t_\\tX\\t_\\t_\\t7\\troot\\t_\\t_\\n\\n", on_error="keep")
>>> print(*bank.problems)
<text>:1: HEAD is 7, but there is no such word in the sentence (counts as a wrong head)
"""

from __future__ import annotations

from array import array
from math import inf

from .. import _core
from .._core import ConlluFault
from ..helpers.binary import ENOUGH, check_narrow
from ..helpers.text import decode
from ..readers.dependency_bank import DependencyBank
from ..values.problem import InputError, Problem, check_choice, first_problems
from .brackets import ON_ERROR
from .sources import open_source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..trees import Source
    from .sources import Readable

COLUMNS = 10

_LEFT_OUT = "line left out"
_WRONG_HEAD = "counts as a wrong head"
_AS_IT_IS = "scored as it is"

#: Code, message and action of each fault; {} is a number.
_FAULTS = {
    ConlluFault.COLUMNS: ("columns", "{} columns, not ten, separated by tabs", "missing ones are read as _"),
    ConlluFault.NO_TABS: (
        "columns",
        "there is no tab in this line; columns are separated by tabs, not by spaces",
        _LEFT_OUT,
    ),
    ConlluFault.COMMENT: ("comment", "a comment inside a sentence; put it before the first word", _LEFT_OUT),
    ConlluFault.ID: ("id", "the ID should be {}; words are numbered 1, 2, 3 …", "read as word {}"),
    ConlluFault.RANGE: (
        "range",
        "a range must begin with the next word, {}, and not end before it",
        f"{_LEFT_OUT}; its words are tokens",
    ),
    ConlluFault.EMPTY_FORM: ("form", "FORM is empty, or nothing but spaces", "a word without characters"),
    ConlluFault.EMPTY_NODE: ("empty-node", "an empty node, although there should be none", _LEFT_OUT),
    ConlluFault.HEAD: ("head", "HEAD must be a whole number, 0 for the root", _WRONG_HEAD),
    ConlluFault.HEAD_OUTSIDE: ("head", "HEAD is {}, but there is no such word in the sentence", _WRONG_HEAD),
    ConlluFault.CYCLE: ("cycle", "word {} depends on itself, by way of its heads", _AS_IT_IS),
    ConlluFault.ROOTS: (
        "roots",
        "a second root in the sentence; if this is intended, allow it (--multiple-roots-okay)",
        _AS_IT_IS,
    ),
    ConlluFault.EDGES: (
        "deps",
        "DEPS should be _ or such as 4:nsubj|6:conj:and, with words of the sentence",
        "other edges left out",
    ),
    ConlluFault.BLANK_LINE: ("blank-line", "a blank line without a sentence before it", "skipped"),
    ConlluFault.NO_BLANK_LINE: (
        "blank-line",
        "the last sentence does not end with a blank line; is the file complete?",
        "read to its end",
    ),
}
_UNFINISHED = ("range", "the sentence ends before this range does", "the range ends with it")
_BLANKS = ("blank-line", "there are blanks in the line that ends the sentence", "read as a blank line")

#: Characters of Unicode's category Zs, which are ignored when texts are compared.
_SPACES = dict.fromkeys(map(ord, " \u00a0\u1680\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))))


def without_spaces(form: str) -> str:
    """A form without the characters that Unicode calls space separators.

    >>> without_spaces("10\\u00a0000")
    '10000'
    """
    return form.translate(_SPACES)


def is_conllu(data: _core.Buffer) -> bool:
    """Does this look like CoNLL-U? The first line that is neither blank nor a comment decides.

    >>> is_conllu(b"# text = go\\n1\\tgo\\t_\\tVERB\\t_\\t_\\t0\\troot\\t_\\t_\\n"), is_conllu(b"(S (VB go))\\n")
    (True, False)
    """
    for line in bytes(data[: 1 << 16]).removeprefix(b"\xef\xbb\xbf").split(b"\n"):
        if line.strip() and not line.startswith(b"#"):
            fields = line.split(b"\t")
            return len(fields) == COLUMNS and fields[0][:1].isdigit()
    return False


def read_conllu(
    source: Readable | DependencyBank,
    *,
    on_error: str = "raise",
    name: str | None = None,
    multiple_roots: bool = False,
    empty_nodes: bool = True,
    enhanced: bool = True,
) -> DependencyBank:
    """Read a CoNLL-U file; with `on_error="raise"` the first fault is an `InputError`.

    With `multiple_roots`, a sentence may have several roots; with `empty_nodes=False`, empty nodes are faults.
    `enhanced` reads the enhanced graph in the column DEPS.

    >>> read_conllu("1\\tgo\\t_\\tVERB\\t_\\t_\\t0\\troot\\t_\\t_\\n\\n").tokens(0)
    [('go', 1)]
    """
    if isinstance(source, DependencyBank):
        return source
    check_choice(on_error, "on_error", ON_ERROR)
    opened = open_source(source, name)
    if opened is None:
        raise TypeError(f"CoNLL-U is read from a path, an open file or text, not from {type(source).__name__}")
    data, origin = opened
    check_narrow(bytes(data[:ENOUGH]), origin.name)
    if data[:3] == b"\xef\xbb\xbf":
        data = data[3:]
    native, faults = _core.read_conllu(data, multiple_roots, empty_nodes, enhanced)
    if len(native) == 0 and faults:
        message = "no sentence could be read: this is not CoNLL-U, which has ten columns separated by tabs"
        raise InputError(Problem("not-conllu", message, file=origin.name, line=faults[0][1]))
    problems = first_problems((_problem(origin, *fault) for fault in faults), len(faults), origin.name)
    problems += [
        _problem(origin, ConlluFault.EMPTY_FORM, native.line(index), index, 0)
        for index in _sentences_without_form(native)
    ]
    problems += _not_utf8(data, origin)
    problems.sort(key=_line)
    if problems and on_error == "raise":
        raise InputError(problems[0].replace(action=None))
    return DependencyBank(native, source=origin, problems=problems, ids=_ids(data, native, problems))


def _ids(data: _core.Buffer, native: _core.Dependencies, problems: Sequence[Problem]) -> list[str] | None:
    """The id of each sentence, from the comment before it; None if ids are missing or ambiguous.

    >>> read_conllu("# sent_id = d-1\\n# text = go\\n1\\tgo\\t_\\tVERB\\t_\\t_\\t0\\troot\\t_\\t_\\n\\n").ids
    ('d-1',)
    """
    import re

    if any(problem.code == "comment" for problem in problems):  # inside a sentence
        return None
    # At the beginning of a line, with only comments before the first word.
    names = re.findall(rb"#(?<![^\n]#) *sent_id *= *([^\r\n]*)\r?\n(?:#[^\n]*\n)*(?=[0-9])", data)
    ids = [decode(name).strip() for name in names]
    return ids if len(ids) == len(native) > 0 and all(ids) else None


def _line(problem: Problem) -> float:
    return problem.line or inf  # the number of problems that are not kept comes last


def _problem(origin: Source, kind: int, line: int, sentence: int, number: int) -> Problem:
    code, message, action = _FAULTS[kind]
    if kind == ConlluFault.RANGE and number == 0:
        code, message, action = _UNFINISHED
    elif kind == ConlluFault.BLANK_LINE and number:
        code, message, action = _BLANKS
    message, action = message.format(number), action.format(number)
    return Problem(code, message, file=origin.name, line=line, unit=sentence + 1, action=action)


def _sentences_without_form(native: _core.Dependencies) -> list[int]:
    """Sentences with tokens that have no characters."""
    empty = {number for number, form in enumerate(native.forms()) if not without_spaces(decode(form))}
    if not empty or empty.isdisjoint(array("I", native.token_forms())):
        return []
    return [index for index in range(len(native)) if any(form in empty for form, _ in native.tokens(index))]


def _not_utf8(data: _core.Buffer, origin: Source) -> list[Problem]:
    """A problem for the first byte that is not UTF-8."""
    try:
        str(data, "utf-8")
    except UnicodeDecodeError as error:
        line = bytes(data[: error.start]).count(b"\n") + 1
        message = "this is not UTF-8; convert the file, e.g. iconv -f LATIN1 -t UTF-8"
        return [Problem("encoding", message, file=origin.name, line=line, action="compared byte by byte")]
    return []

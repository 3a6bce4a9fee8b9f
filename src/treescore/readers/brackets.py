"""Bracketed trees, the format of most parsers and treebanks."""

from __future__ import annotations

from functools import lru_cache

from .. import _core
from .._core import BracketFault, Labels
from ..helpers.binary import shown_encoding, wide_encoding
from ..helpers.named import value_of
from ..trees import Source, Treebank
from ..values.problem import InputError, Problem, TreeSyntaxError, check_choice, first_problems

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

LAYOUTS = ("auto", "multiline", "line")
ON_ERROR = ("raise", "keep")
#: Action for a tree that cannot be read.
NO_TREE = "read as a sentence without a tree"
#: Advice if brackets are not closed on their line.
OVER_LINES = "; trees over several lines? choose the layout auto (--layout auto)"
#: What must be known about text that could be read with labels and without.
_REMARKS = {
    Labels.PERHAPS_LABELLED: "the first words of its brackets were read as labels; if the brackets have no labels, "
    "choose the form labelless (--input-format labelless, or brackets,labelless if only test has none)",
    Labels.PERHAPS_LABELLESS: "its brackets were read as brackets without labels; if their first words are labels, "
    "choose the form brackets (--input-format brackets)",
}


def too_large(problem: _core.TreeTooLarge, source: Source) -> InputError:
    """The native readers' refusal of a tree that is too large, as an error of the input."""
    return InputError(Problem("too-large", str(problem), file=source.name))


def check_options(layout: str, on_error: str) -> None:
    """Refuse values that are not among the choices."""
    check_choice(layout, "layout", LAYOUTS)
    check_choice(on_error, "on_error", ON_ERROR)


def read_text(
    text: _core.Buffer,
    source: Source,
    *,
    layout: str = "auto",
    on_error: str = "raise",
    progress: _core.Progress | None = None,
    labelless: bool | None = False,
) -> Treebank:
    """Read bracketed text; the options of `treescore.read` have been checked.

    `labelless`: whether brackets have no labels; None to detect this.
    """
    message = wrong_kind(bytes(text[:4096]))
    if message:
        raise InputError(Problem("not-trees", message, file=source.name, line=1, column=1))
    return _read(text, source, layout, on_error, progress, labelless)


def read_labelless(
    text: _core.Buffer,
    source: Source,
    *,
    layout: str = "auto",
    on_error: str = "raise",
    progress: _core.Progress | None = None,
) -> Treebank:
    """Read text whose brackets have no labels: every token is a word.

    >>> bank = read_labelless(b"( ( a cat ) sleeps )\\nMISMATCH\\n", Source("x"))
    >>> [tree.leaves for tree in bank]
    [['a', 'cat', 'sleeps'], []]
    """
    return read_text(text, source, layout=layout, on_error=on_error, progress=progress, labelless=True)


def are_labelless(labels: int) -> bool:
    """Were the trees read as labelled brackets although they are to be read as brackets without labels?"""
    return labels in (Labels.PERHAPS_LABELLESS, Labels.LABELLESS)


def described(source: Source, labels: int) -> Source:
    """The source, with a remark if its text could be read with labels and without."""
    message = _REMARKS.get(labels)
    remark = f"{source.name or '<text>'}: {message}" if message else None
    return source.replace(labelless=are_labelless(labels), remark=remark)


def read_rows(rows: Iterable[bytes], source: Source, *, labelless: bool = False) -> Treebank:
    """A tree from each of these texts without newlines, invalid ones become `Problem`s.

    >>> read_rows([b"(NN a)", b"PK", b""], Source("x")).problems[0].code
    'loose-text'
    """
    text = b"\n".join([*rows, b""])
    return _read(text, source, "line", "keep", None, labelless)


def read_plain(
    source: str | list[Any], layout: str, name: str | None, on_error: str, progress: _core.Progress | None
) -> Treebank | None:
    """The trees of a text, or one from each string of a list; None if they may be something else than labelled trees.

    >>> read_plain("(NN a) (NN b)", "auto", None, "raise", None)
    <Treebank: 2 trees from <text>>
    >>> read_plain(["(NN a)", "(NN b)"], "auto", None, "raise", None)
    <Treebank: 2 trees from <list>>
    >>> read_plain("(NN 0=a)", "auto", None, "raise", None), read_plain(["(NN a)", None], "auto", None, "raise", None)
    (None, None)
    """
    origin = _named(name or ("<list>" if isinstance(source, list) else "<text>"))
    try:
        if isinstance(source, list):
            layout = "line"
            read = _core.read_strings(source, progress)
        else:
            read = _core.read_string(source, value_of(_core.Layout, layout), progress)
    except _core.TreeTooLarge as problem:
        raise too_large(problem, origin) from None
    return None if read is None else as_bank(*read, origin, layout=layout, on_error=on_error)


_named = lru_cache(maxsize=16)(Source)  # single calls have the same names again and again


def _read(
    text: _core.Buffer,
    source: Source,
    layout: str,
    on_error: str,
    progress: _core.Progress | None,
    labelless: bool | None,
) -> Treebank:
    rule = value_of(_core.Layout, layout)
    source = source.replace(labelless=True) if labelless else source
    try:
        trees, faults, blank_lines = _core.read_brackets(text, rule, progress, labelless is True)
        if labelless is None and (labels := trees.labels()) != Labels.LABELLED:
            source = described(source, labels)
            if source.labelless:
                trees, faults, blank_lines = _core.read_brackets(text, rule, progress, True)
    except _core.TreeTooLarge as problem:
        raise too_large(problem, source) from None
    return as_bank(trees, faults, blank_lines, source, layout=layout, on_error=on_error)


def as_bank(
    trees: _core.Trees,
    faults: Sequence[tuple[int, int, int, int, int]],
    blank_lines: int,
    source: Source,
    *,
    layout: str,
    on_error: str,
) -> Treebank:
    """A treebank from the results of the native reader; faults are errors or problems."""
    if not faults:
        return Treebank(trees, source=source, blank_lines=blank_lines)
    if on_error == "raise":
        raise TreeSyntaxError(as_problem(source, layout, *faults[0]).replace(action=None))
    problems = first_problems((as_problem(source, layout, *fault) for fault in faults), len(faults), source.name)
    return Treebank(trees, source=source, problems=problems, blank_lines=blank_lines)


def as_problem(source: Source, layout: str, code: int, tree: int, line: int, column: int, number: int) -> Problem:
    """The problem for a fault of a tree."""
    if code in (BracketFault.UNCLOSED, BracketFault.UNFINISHED):
        name = "unclosed"
        if code == BracketFault.UNFINISHED:
            where, advice = "where the text ends", ""
        elif layout == "line":
            where, advice = "at the end of the line", OVER_LINES
        else:
            where = "where the next tree starts"
            advice = "; trees over unindented lines? choose the layout multiline (--layout multiline)"
        message = f"this bracket is never closed ({number:,} still open {where}){advice}"
    elif code == BracketFault.SURPLUS:
        name = "surplus"
        message = "this bracket closes nothing; remove it, or look for a bracket closed too early before it"
    else:
        name = "loose-text"
        message = "text outside brackets; remove it, or write () for a sentence without a parse"
    return Problem(
        name,
        message,
        file=source.name,
        line=line,
        column=column,
        unit=tree + 1,
        action=NO_TREE,
    )


def wrong_kind(start: bytes) -> str | None:
    """A message about another format that the file seems to have; None if it may be bracketed trees."""
    if start.startswith(b"(") and b"\t" not in start and b"\0" not in start:
        return None
    encoding = wide_encoding(start)
    if encoding is not None:
        shown = shown_encoding(encoding)
        return (
            f"this is {shown} text; if all files of trees are, choose the encoding {encoding} (--encoding "
            f"{encoding}), else convert it, e.g. iconv -f {shown} -t UTF-8"
        )
    if not start.startswith(b"("):
        from .prm import is_parameters

        if is_parameters(start):
            return "this is a parameter file, not a file of trees; give it with -p (--prm)"
    if b"\t" in start:
        from .conllu import is_conllu

        if is_conllu(start):
            return "this is CoNLL-U, which has no trees; treescore GOLD TEST scores such files by conllu_eval"
    return None

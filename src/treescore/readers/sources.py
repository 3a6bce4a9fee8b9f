"""Where trees come from: `read` finds out what it was given.

>>> read("(S (NN a))")
<Treebank: 1 tree from <text>>
>>> read(["(S (NN a))", "(())"])
<Treebank: 2 trees from <list>>
"""

from __future__ import annotations

import io
import os
import sys

from .. import _core
from ..helpers.binary import ENOUGH, check_text
from ..helpers.files import map_file
from ..helpers.packed import packing, unpacking
from ..helpers.text import encode
from ..helpers.text_files import read_text, text_of
from ..trees import Source, Tree, Treebank
from ..values.problem import InputError, Problem, UsageError
from . import brackets

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import IO, Any, TypeGuard

    Readable = str | bytes | os.PathLike[str] | IO[str] | IO[bytes] | Treebank | Tree | Iterable[Any]

#: How many bytes at the start of a text say what its format is, and whether it is CoNLL-U.
SEEN = 1 << 20
_PEEKED = 1 << 16
_BEFORE = b"\xef\xbb\xbf \t\r\n"  # what may stand before a text

#: How trees are written, as far as it can be chosen.
FORMS = ("auto", "brackets", "spans", "named", "jsonl", "discbracket", "export", "tiger", "nxt")
#: What becomes of grammatical functions that stand beside the labels: kept apart from them, or put behind them (NP-SB).
FUNCTIONS = ("apart", "add")


def read(
    source: Readable,
    *,
    form: str = "auto",
    layout: str = "auto",
    functions: str = "apart",
    encoding: str | None = None,
    on_error: str = "raise",
    name: str | None = None,
    progress: _core.Progress | None = None,
) -> Treebank:
    """Read trees from a path, `-` (standard input), an open file, a string, or anything that yields strings or trees.

    `form` is the format of text, or "auto", which tells by the content: "brackets", "spans" (brackets whose words are
    spans of time, `0.15-0.39`), "named" (an id, a tab and a tree on each line), "jsonl" (a JSON object with `id` and
    `tree` on each line), "discbracket" (brackets with numbered words), "export" (NEGRA), "tiger" (TigerXML), or "nxt"
    (NXT-Switchboard: the path of a syntax.xml, or of a folder of them). `layout` says how trees stand in brackets:
    "auto", "line" (every line is one sentence, a blank one included) or "multiline" (only brackets count). `functions`
    are kept "apart" from the labels, or with "add" put behind them (export and tiger only). `encoding` is that of text
    that is not UTF-8. With `on_error="keep"` a tree that cannot be read becomes an empty one and a `Problem`; with
    "raise" the first one is a `TreeSyntaxError`. gzip and zstd are recognised by their content.

    >>> read("(S (NN a)) (S (NN b)").problems
    Traceback (most recent call last):
    treescore.TreeSyntaxError: <text>:1:12: this bracket is never closed (1 still open where the text ends)
    """
    if isinstance(source, Treebank):
        return source
    brackets.check_options(layout, on_error)
    _check_options(form, functions)
    if type(source) is list and form == "auto" and encoding is None:
        plain = brackets.read_strings(source, name, on_error, progress)
        if plain is not None:
            return plain
    if form in ("auto", "nxt") and is_folder(source):
        from .nxt import read_folder, syntax_files

        files = syntax_files(os.fspath(source))
        if files or form == "nxt":
            return read_folder(files, Source(name or os.fspath(source)), encoding=encoding, on_error=on_error)
    opened = open_source(source, name, encoding)
    if opened is None:
        from .data_frames import is_missing
        from .shapes import as_items, from_objects

        items = as_items(source)
        if not all(isinstance(item, str) for item in items):
            texts = ["" if is_missing(item) else item for item in items]
            if not all(isinstance(item, str) for item in texts):
                return from_objects(items, name=name, on_error=on_error)
            items = texts
        if form in ("auto", "discbracket") and any(
            "=" in item and _core.is_discbracket(encode(item)) for item in items
        ):
            return from_objects(items, name=name, on_error=on_error)  # which looks at each of them
        lines = encode("".join(item.replace("\n", " ") + "\n" for item in items))  # each item is one sentence
        opened, layout = (lines, Source(name or "<list>")), "line"
    text, origin = opened
    written = text, encoding
    if encoding is not None:
        from .graphs import as_utf8

        text, encoding = as_utf8(text, origin, encoding), "utf-8"
    told = form == "auto"
    form = form_of(text) if told else form
    if told and layout == "line" and form in ("named", "jsonl"):
        form = "brackets"  # in which every line is a sentence, also a blank one
    if form == "jsonl":
        from .named import read_jsonl

        return read_jsonl(text, origin, on_error=on_error)
    if form == "named":
        from .named import read_named

        return read_named(text, origin, on_error=on_error)
    if form == "nxt":
        from .nxt import read_nxt

        return read_nxt(written[0], origin, encoding=written[1], on_error=on_error)
    if form == "export":
        from .export import read_export

        return read_export(text, origin, functions=functions, encoding=encoding, on_error=on_error, progress=progress)
    if form == "tiger":
        from .tiger_xml import read_tiger

        return read_tiger(text, origin, functions=functions, encoding=encoding, on_error=on_error)
    if form == "discbracket":
        from .discbracket import read_discbracket

        return read_discbracket(text, origin, layout=layout, on_error=on_error, progress=progress)
    form = "auto" if told else form
    return _in_brackets(text, origin, form, layout=layout, on_error=on_error, progress=progress)


def read_lines(text: _core.Buffer, source: Source) -> Treebank:
    """Trees in brackets of any kind, one per line: their words may be numbered, or spans of time."""
    if _core.is_discbracket(text):
        from .discbracket import read_discbracket

        return read_discbracket(text, source, layout="line", on_error="keep")
    return _in_brackets(text, source, "auto", layout="line", on_error="keep")


def _in_brackets(
    text: _core.Buffer,
    source: Source,
    form: str,
    *,
    layout: str,
    on_error: str,
    progress: _core.Progress | None = None,
) -> Treebank:
    """Trees in brackets; whether their words are spans of time can be told when they have been read."""
    bank = brackets.read_text(text, source, layout=layout, on_error=on_error, progress=progress)
    if form == "spans" or (form == "auto" and _core.are_spans(bank.native)):
        from .spans import with_spans

        return with_spans(bank, on_error=on_error, progress=progress)
    return bank


def _check_options(form: str, functions: str) -> None:
    if form in FORMS and functions in FUNCTIONS:
        return
    for option, value, allowed in (("form", form, FORMS), ("functions", functions, FUNCTIONS)):
        if value not in allowed:
            raise ValueError(f"{option} must be one of {', '.join(allowed)}, not {value!r}")


def form_of(text: _core.Buffer) -> str:
    """The format of a text by its content. That words are spans of time is told from the trees, when they are there.

    >>> form_of(b"(S (NN a))"), form_of(b"(S (NN 0=a))"), form_of(b"#BOS 1"), form_of(b"<corpus>")
    ('brackets', 'discbracket', 'export', 'tiger')
    >>> form_of(b'{"id": "u1"}'), form_of(b"u1\\t(S (NN a))"), form_of(b"<nite:root>")
    ('jsonl', 'named', 'nxt')
    """
    start = bytes(text[:4096])
    first = start.lstrip(_BEFORE)[:1]
    if first == b"#" or start.startswith(b"%%"):
        from .export import is_export

        return "export" if is_export(start) else "brackets"
    if first == b"<":
        return "nxt" if b"<nite:root" in start else "tiger"
    if first == b"{":
        return "jsonl"
    if b"\t" in start:
        from .named import is_named

        if is_named(start):
            return "named"
    return "discbracket" if _core.is_discbracket(_first_trees(text)) else "brackets"


def _first_trees(text: _core.Buffer) -> _core.Buffer:
    """As much of a large text as its format is told from: whole trees."""
    if len(text) < SEEN:
        return text
    start = bytes(text[:SEEN])
    return start[: start.rfind(b"\n(") + 1] or text


def is_text(source: str) -> bool:
    """Is it the text of trees and not the path of a file?"""
    if source.startswith("(") or source.lstrip("\ufeff \t\r\n").startswith(("(", "<?xml", "<corpus", '{"')):
        return True
    return "\n" in source or "\t(" in source or "\0" in source or not source.strip()


def are_conllu(sources: Iterable[tuple[str, Readable]]) -> bool:
    """Are these texts and files, by their names, CoNLL-U? An error if only some are; unknown ones are like the others.

    >>> are_conllu([("gold", "1\\tgo\\t_\\tVERB\\t_\\t_\\t0\\troot\\t_\\t_\\n"), ("test", "-")])
    True
    >>> are_conllu([("gold", "(S (VB go))"), ("test", "-")])
    False
    """
    found = [(name, _is_conllu(source)) for name, source in sources]
    conllu = [name for name, known in found if known]
    others = [name for name, known in found if known is False]
    if conllu and others:
        raise UsageError(f"{conllu[0]} is CoNLL-U, but {others[0]} is not")
    return bool(conllu)


def _is_conllu(source: Readable) -> bool | None:
    """None if that is unknown, because there is no text, or it can be read only once."""
    if isinstance(source, str):
        if source.startswith("("):
            return False
        if is_text(source):
            return _starts_as_conllu(encode(source[:SEEN]))
    if isinstance(source, bytes):
        return _starts_as_conllu(source)
    if isinstance(source, str | os.PathLike):
        if not os.path.isfile(source):
            return None
        with open(source, "rb") as file:
            return _starts_as_conllu(file.read(_PEEKED))
    if callable(getattr(source, "read", None)) and not isinstance(source, Treebank):
        return _begins_as_conllu(source)
    return False


def _begins_as_conllu(file: Any) -> bool | None:
    """The same of an open file, if it can be read again from where it is."""
    from ..readers.dependency_bank import DependencyBank

    if isinstance(file, DependencyBank):
        return True
    if not (callable(getattr(file, "seekable", None)) and file.seekable()):
        return None
    place = file.tell()
    start = file.read(_PEEKED)
    file.seek(place)
    return _starts_as_conllu(encode(start) if isinstance(start, str) else start)


def _starts_as_conllu(start: bytes) -> bool | None:
    from .conllu import is_conllu

    if packing(start) is not None:
        try:
            start = unpacking(io.BytesIO(start), None).read(_PEEKED)
        except InputError:  # because there is only the beginning of it
            return None
    return is_conllu(start) if start.strip() else None


def is_folder(source: Readable) -> TypeGuard[str | os.PathLike[str]]:
    """Is it the path of a folder, and not a text?"""
    is_path = not is_text(source) if isinstance(source, str) else isinstance(source, os.PathLike)
    return is_path and os.path.isdir(source)  # type: ignore[arg-type]


def open_source(source: Readable, name: str | None, encoding: str | None = None) -> tuple[_core.Buffer, Source] | None:
    """The text of a source and where it is from; None for a tree or a list of things. What is no text is an InputError.

    Text is given back as it is; its encoding only tells what is text.
    """
    if isinstance(source, bytes):
        return text_of(source, name or "<text>", encoding), Source(name or "<text>")
    if isinstance(source, str):
        if source == "-":
            if sys.stdin is None:
                raise InputError(Problem("closed", "standard input is closed"))
            return read_text(sys.stdin.buffer, name or "<stdin>", encoding), Source(name or "<stdin>")
        if is_text(source):
            data = encode(source)
            check_text(data[:ENOUGH], name or "<text>")
            return data, Source(name or "<text>")
        return _file(source, name, encoding)
    if isinstance(source, os.PathLike):
        return _file(os.fspath(source), name, encoding)
    if callable(getattr(source, "read", None)):
        origin = Source(name or str(getattr(source, "name", "<file>")))
        return read_text(source, origin.name, encoding), origin
    return None


def _file(path: str, name: str | None, encoding: str | None) -> tuple[_core.Buffer, Source]:
    with open(path, "rb", buffering=0) as file:
        origin = source_of(path, name, file)
        data = map_file(file.fileno(), origin.size or 0)
        if data is None:
            return read_text(file, origin.name, encoding), origin
    return text_of(data, origin.name, encoding), origin


def source_of(path: str, name: str | None, file: IO[bytes]) -> Source:
    """Where the text of an open file is from."""
    status = os.fstat(file.fileno())
    if status.st_size == 0:  # or it is no regular file
        return Source(name or path)
    return Source(name or path, path=os.path.abspath(path), size=status.st_size, changed=status.st_mtime_ns)

"""Reading trees from any source: `read` opens it, detects its format, and calls the reader of that format.

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
from ..values.problem import InputError, PerSide, Problem, UsageError, check_choice
from ..words.units import seconds_of_unit
from . import brackets
from .input_formats import START, TREE_FORMATS, detected, function
from .spans import are_frames, may_be_frames, read_spans
from .textless import UNIT_NEEDED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import IO, Any, TypeGuard

    Readable = str | bytes | os.PathLike[str] | IO[str] | IO[bytes] | Treebank | Tree | Iterable[Any]

_PEEKED = 1 << 16  # bytes that show whether a file is CoNLL-U

#: Formats that can be read in parts.
PLAIN_FORMS = ("auto", "brackets", "labelless")
#: Handling of grammatical functions in formats that separate them: kept apart from labels, or added to them (NP-SB).
FUNCTIONS = ("apart", "add")


def forms() -> list[str]:
    """The names of the formats of trees, and "auto"."""
    return ["auto", *TREE_FORMATS]


def check_form(form: str) -> None:
    """Refuse an unknown format."""
    if form != "auto":  # a list of all formats for each tree would take longer than reading it
        check_choice(form, "form", forms())


def forms_of_sides() -> PerSide:
    """How gold and test can be written."""
    return PerSide(forms())


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
    gold: Treebank | None = None,
    completions: Mapping[str, Any] | None = None,
    unit: str | None = None,
) -> Treebank:
    """Read trees from a path, `-` (standard input), an open file, a string, or anything that yields strings or trees.

    `form` is the format of text, one of `treescore.readers.input_formats.TREE_FORMATS`, or "auto", which detects it.
    `layout` is the layout of bracketed text: "auto", "line" (every line is one sentence, including blank lines) or
    "multiline" (only brackets count). `functions` are kept "apart" from the labels, or with "add" appended to them
    (export and tiger only). `encoding` is the encoding of text that is not UTF-8. With `on_error="keep"` a tree that
    cannot be read becomes an empty tree and a `Problem`; with "raise" the first fault is a `TreeSyntaxError`. gzip and
    zstd are detected from the content.

    `gold` are the trees of the same sentences, whose words are needed to read completions of a language model;
    `completions` are options of `treescore.read_completions`. `unit` is the unit of spans of time in place of words,
    such as "frames:0.02"; spans of whole numbers need one.

    >>> read("(S (NN a)) (S (NN b)").problems
    Traceback (most recent call last):
    treescore.TreeSyntaxError: <text>:1:12: this bracket is never closed (1 still open where the text ends)
    """
    if isinstance(source, Treebank):
        return source
    if isinstance(treebank := getattr(source, "treebank", None), Treebank):
        return treebank  # of completions that are already read
    check_form(form)
    if form != "completions":
        brackets.check_options(layout, on_error)
    check_choice(functions, "functions", FUNCTIONS)
    options = {"functions": functions, "encoding": encoding, "on_error": on_error, "progress": progress}
    seconds = None if unit is None else seconds_of_unit(unit)
    more = {"labelless": None, "gold": gold, "completions": completions, "unit": seconds}
    return _read(source, form, layout, name, {**options, **more})


def read_batch(source: Readable, form: str, name: str | None = None) -> Treebank:
    """Read trees of a batch. Brackets have labels unless `form` is "labelless": results must not depend on batches."""
    if isinstance(source, Treebank):
        return source
    if isinstance(getattr(source, "treebank", None), Treebank):
        raise UsageError("completions of a language model are scored by evaluate, or by rewards in training loops")
    check_form(form)
    options = {"functions": "apart", "encoding": None, "on_error": "keep", "progress": None, "labelless": False}
    return _read(source, form, "auto", name, options)


def _read(source: Any, form: str, layout: str, name: str | None, options: Mapping[str, Any]) -> Treebank:
    encoding = options["encoding"]
    first = source[0] if type(source) is list and source else source
    is_plain = form == "auto" and encoding is None and options.get("unit") is None
    if type(source) in (str, list) and is_plain and not may_be_frames(first):
        plain = brackets.read_plain(source, layout, name, options["on_error"], options["progress"])
        if plain is not None:
            return plain
    if is_folder(source) and (bank := _read_folder(os.fspath(source), form, name, options)) is not None:
        return bank
    opened = open_source(source, name, encoding)
    if opened is None:
        return _read_items(source, form, name, options)
    return _read_text(*opened, form, layout, options)


def _read_folder(folder: str, form: str, name: str | None, options: Mapping[str, Any]) -> Treebank | None:
    """The trees of all files of the format in a folder; None if it has no files of any format."""
    readers = {name: format.folder_reader for name, format in TREE_FORMATS.items() if form in ("auto", name)}
    for reader in filter(None, readers.values()):
        bank: Treebank | None = function(reader)(
            *(folder, Source(name or folder)), encoding=options["encoding"], on_error=options["on_error"]
        )
        if bank is not None:
            return bank
    if readers.get(form):
        message = f"there are no files of the format {form} in this folder"
        raise InputError(Problem("not-trees", message, file=folder))
    return None


def _read_items(source: Any, form: str, name: str | None, options: Mapping[str, Any]) -> Treebank:
    """Read several texts, one sentence each, or other objects that represent trees."""
    from .data_frames import is_missing
    from .shapes import as_items, from_objects

    items = as_items(source)
    if form in ("auto", "completions") and _are_completions(items, form):
        from .completions.reading import read_completions

        read_options = options.get("completions") or {}
        return read_completions(items, gold=options.get("gold"), name=name or "<list>", **read_options).treebank
    if any(type(item) in (list, tuple) for item in items):
        from .several import are_several, read_several

        if any(map(are_several, items)):
            return read_several(items, lambda trees: _read_items(trees, form, name, options))
    texts = ["" if is_missing(item) else item for item in items]
    if not all(isinstance(text, str) for text in texts):
        return from_objects(items, name=name, on_error=options["on_error"], unit=options.get("unit"))
    if form in ("auto", "discbracket") and any("=" in text and _core.is_discbracket(encode(text)) for text in texts):
        return from_objects(texts, name=name, on_error=options["on_error"])  # which checks each item
    lines = encode("".join(text.replace("\n", " ") + "\n" for text in texts))
    return _read_text(lines, Source(name or "<list>"), form, "line", options)


def _are_completions(items: Sequence[Any], form: str) -> bool:
    """Are these messages or texts of a language model, by the first that is there? JSON lines are read as a text."""
    from .completions.record_files import is_completions, is_message
    from .data_frames import is_missing

    first = next((item for item in items if not is_missing(item)), None)
    if isinstance(first, str):
        return not first.lstrip().startswith(("{", "[")) and (form == "completions" or is_completions(encode(first)))
    return is_message(first)


def _read_text(text: _core.Buffer, source: Source, form: str, layout: str, options: Mapping[str, Any]) -> Treebank:
    encoding, on_error = options["encoding"], options["on_error"]
    if encoding is not None:
        from .graphs import as_utf8

        text, options = as_utf8(text, source, encoding), {**options, "encoding": "utf-8"}
    name = _detected_form(text, options.get("completions")) if form == "auto" else form
    if form == "auto" and layout == "line" and name != "completions" and TREE_FORMATS[name].skips_blank_lines:
        name = "brackets"  # in which blank lines are sentences
    options = {**options, "layout": layout, "words_encoding": encoding}
    if form == "auto" and name == "brackets":
        shared = {"progress": options["progress"], "labelless": options["labelless"]}
        return _read_brackets(text, source, unit=options.get("unit"), layout=layout, on_error=on_error, **shared)
    bank: Treebank = TREE_FORMATS[name].read(text, source, on_error=on_error, options=options)
    return bank


def _detected_form(text: _core.Buffer, completions: Mapping[str, Any] | None) -> str:
    if completions:
        from .completions.record_files import are_meant

        if are_meant(text, completions):
            return "completions"
    return form_of(text)


def read_lines(
    text: _core.Buffer, source: Source, *, labelless: bool | None = None, unit: float | None = None
) -> Treebank:
    """Trees in brackets, one per line; their words may be numbered, or spans of time. See `brackets.read_text`."""
    if _core.is_discbracket(text):
        from .discbracket import read_discbracket

        return read_discbracket(text, source, layout="line", on_error="keep")
    return _read_brackets(text, source, layout="line", on_error="keep", labelless=labelless, unit=unit)


def _read_brackets(
    text: _core.Buffer, source: Source, *, on_error: str, unit: float | None, **options: Any
) -> Treebank:
    """Trees in brackets, which may have no labels; with times if their words are spans of time."""
    bank = brackets.read_text(text, source, on_error=on_error, **options)
    in_frames = not _core.are_spans(bank.native)
    if in_frames and not are_frames(bank, labelled=unit is not None):
        return bank
    if in_frames and unit is None:
        raise InputError(Problem("unit", UNIT_NEEDED, file=source.name))
    return read_spans(
        *(text, source), layout=options["layout"], on_error=on_error, progress=options.get("progress"), unit=unit
    )


def form_of(text: _core.Buffer) -> str:
    """The format of a text of trees, detected from its content; "brackets" also for labelless and spans."""
    return detected(TREE_FORMATS, text) or "brackets"


def is_text(source: str) -> bool:
    """Is this the text of trees, not the path of a file?"""
    starts = ("(", "<?xml", "<corpus", '{"', "[[", '["', "[{")
    if source.startswith("(") or source.lstrip("\ufeff \t\r\n").startswith(starts):
        return True
    return "\n" in source or "\t(" in source or "\0" in source or not source.strip()


def are_conllu(sources: Iterable[tuple[str, Readable]]) -> bool:
    """Are these named texts and files CoNLL-U? It is an error if only some are; unknown ones do not count.

    >>> are_conllu([("gold", "1\\tgo\\t_\\tVERB\\t_\\t_\\t0\\troot\\t_\\t_\\n"), ("test", "-")])
    True
    >>> are_conllu([("gold", "(S (VB go))"), ("test", "-")])
    False
    """
    kinds = [(name, _is_conllu(source)) for name, source in sources]
    conllu = [name for name, is_conllu in kinds if is_conllu]
    others = [name for name, is_conllu in kinds if is_conllu is False]
    if conllu and others:
        raise UsageError(f"{conllu[0]} is CoNLL-U, but {others[0]} is not")
    return bool(conllu)


def _is_conllu(source: Readable) -> bool | None:
    """Is the source CoNLL-U? None if unknown, because there is no text, or it can be read only once."""
    if isinstance(source, str):
        if source.startswith("("):
            return False
        if is_text(source):
            return _starts_as_conllu(encode(source[:START]))
    if isinstance(source, bytes):
        return _starts_as_conllu(source)
    if isinstance(source, str | os.PathLike):
        if not os.path.isfile(source):
            return None
        with open(source, "rb") as file:
            return _starts_as_conllu(file.read(_PEEKED))
    if callable(getattr(source, "read", None)) and not isinstance(source, Treebank):
        return _is_conllu_file(source)
    return False


def _is_conllu_file(file: Any) -> bool | None:
    """Is an open file CoNLL-U? None if it can be read only once."""
    from .dependency_bank import DependencyBank

    if isinstance(file, DependencyBank):
        return True
    if not (callable(getattr(file, "seekable", None)) and file.seekable()):
        return None
    position = file.tell()
    start = file.read(_PEEKED)
    file.seek(position)
    return _starts_as_conllu(encode(start) if isinstance(start, str) else start)


def _starts_as_conllu(start: bytes) -> bool | None:
    if packing(start) is not None:
        try:
            start = unpacking(io.BytesIO(start), None).read(_PEEKED)
        except InputError:  # the start alone cannot be unpacked
            return None
    if start.removeprefix(b"\xef\xbb\xbf").startswith((b"(", b"<", b"{", b"[")):
        return False
    from .conllu import is_conllu

    return is_conllu(start) if start.strip() else None


def is_folder(source: Readable) -> TypeGuard[str | os.PathLike[str]]:
    """Is this the path of a folder, not a text?"""
    is_path = not is_text(source) if isinstance(source, str) else isinstance(source, os.PathLike)
    return is_path and os.path.isdir(source)  # type: ignore[arg-type]


def open_source(source: Readable, name: str | None, encoding: str | None = None) -> tuple[_core.Buffer, Source] | None:
    """The text of a source and its origin; None for objects such as trees or lists. Binary data is an InputError.

    Text is not decoded; the encoding is only used to detect binary data.
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
    """The origin of the text of an open file."""
    status = os.fstat(file.fileno())
    if status.st_size == 0:  # or not a regular file
        return Source(name or path)
    return Source(name or path, path=os.path.abspath(path), size=status.st_size, changed=status.st_mtime_ns)

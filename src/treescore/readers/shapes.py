"""Trees of other libraries, recognised by their attributes: nltk, stanza, supar, benepar's spaCy spans; nested lists.

>>> class Stanza:  # label and children, words are leaves without children
...     def __init__(self, label, children=()):
...         self.label, self.children = label, tuple(children)
>>> from_objects([Stanza("S", [Stanza("NN", [Stanza("a")])])])[0]
<Tree (S (NN a))>
"""

from __future__ import annotations

from .. import _core
from ..helpers.text import encode, escaped, visible
from ..trees import Source, Tree, Treebank, rebuild
from ..values.problem import Problem, TreeSyntaxError
from .brackets import NO_TREE
from .data_frames import column_values, is_missing
from .nested import append_nested, append_words, is_nested, is_word_list
from .sources import read_lines
from .textless import TextlessForms, is_one_tree, is_pairs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any


def as_items(source: Any) -> list[Any]:
    """A list of items: a single tree, the sentences of a document, the values of a column, or the items of an iterable.

    Missing values of a column are kept: see `is_missing`.
    """
    if isinstance(source, Tree):
        return [source]
    if getattr(source, "ndim", None) == 2 and callable(getattr(source, "tolist", None)):
        source = source.tolist()  # an array of begins and ends
    if not isinstance(source, list | tuple):
        for items in (column_values(source), _sentences(source)):
            if items is not None:
                return items
    if _is_tree(source):
        return [source]
    try:
        return list(source)
    except TypeError:
        raise TypeError(f"cannot read trees from {_kind(source)}") from None


def _is_tree(source: Any) -> bool:
    """Is it one tree? A list of words and lists is, but a list of strings or of lists stands for several trees."""
    if is_pairs(source):
        return is_one_tree(source)
    if is_word_list(source):
        return 0 < sum(type(item) is str for item in source) < len(source)
    return _shape(source) is not None


def _sentences(document: Any) -> list[Any] | None:
    """The sentences of a document of spaCy, stanza or supar; None for other objects."""
    if hasattr(document, "_") and hasattr(type(document), "sents") and not hasattr(type(document), "start_char"):
        return list(document.sents)  # spaCy; its spans, which have a start, are one tree each
    sentences = getattr(document, "sentences", None)
    return sentences if isinstance(sentences, list) else None


def from_objects(
    items: Iterable[Any], *, name: str | None = None, on_error: str = "raise", unit: float | None = None
) -> Treebank:
    """A treebank from trees or bracket strings, one sentence per item; None or NaN is a sentence without a parse."""
    builder = _core.TreeBuilder()
    source = Source(name or "<list>")
    problems: list[Problem] = []
    forms = TextlessForms(unit)
    for number, item in enumerate(items, 1):
        try:
            item = _parse_of(item)
            if is_pairs(item):
                item = forms.nested({"tree": item})
            if not isinstance(item, str | bytes):
                _append(item, number, builder)
                continue
        except TreeSyntaxError as problem:
            fault = problem.problem.replace(file=source.name, line=number, unit=number)
            if on_error == "raise":
                raise TreeSyntaxError(fault) from None
            problems.append(fault.replace(action=NO_TREE))
            builder.finish(number, faulty=True)
            continue
        text = encode(item) if isinstance(item, str) else item
        bank = read_lines(text.replace(b"\n", b" ") + b"\n", source, labelless=False, unit=unit)
        problems += [problem.replace(line=number, unit=number) for problem in bank.problems]
        if problems and on_error == "raise":
            raise TreeSyntaxError(problems[0].replace(action=None))
        builder.extend(bank.native, number)
    forms.check(source.name)
    source = source.replace(textless=True) if forms.any else source
    return Treebank(builder.trees(), source=source, problems=problems)


def _parse_of(item: Any) -> Any:
    """The parse of a sentence of spaCy; an array as a list; other items unchanged."""
    if not isinstance(item, list | tuple | str | bytes | Tree) and callable(getattr(item, "tolist", None)):
        return item.tolist()
    if _shape(item) != "spacy":
        return item
    try:
        return item._.parse_string
    except Exception as problem:  # benepar computes it, and raises bare exceptions
        raise TreeSyntaxError(
            Problem("unparsed", f"its parse_string is not available: {visible(str(problem))}")
        ) from None


def _kind(value: object) -> str:
    return f"an object of type {type(value).__module__}.{type(value).__qualname__}"


def _shape(item: Any) -> str | None:
    if item is None or isinstance(item, str | bytes | Tree):
        return None
    label = getattr(item, "label", None)
    if callable(label) and isinstance(item, list | tuple):
        return "nltk"
    if label is not None and hasattr(item, "children") and not callable(label):
        return "stanza"
    if _has_parse_string(getattr(item, "_", None)):
        return "spacy"
    if hasattr(item, "constituency"):
        return "stanza sentence"
    values = getattr(item, "values", None)
    if isinstance(values, list | tuple) and any(_shape(value) == "nltk" for value in values):
        return "supar"
    return "nested" if is_nested(item) else None


def _has_parse_string(extensions: Any) -> bool:
    """Is there a parse_string? The attribute itself would be computed by benepar; spaCy has the method `has`."""
    has = getattr(extensions, "has", None)
    return bool(has("parse_string")) if callable(has) else hasattr(extensions, "parse_string")


def _append(item: Any, number: int, builder: _core.TreeBuilder) -> None:
    shape = _shape(item)
    if is_missing(item):
        builder.finish(number)
    elif isinstance(item, Tree):
        rebuild(item, builder, number)
    elif is_word_list(item):
        append_words(item, builder, number)
    elif shape == "nested":
        append_nested(item, builder, number)
    elif shape in ("nltk", "stanza"):
        if not (shape == "nltk" and _is_numbered(item) and _append_numbered(item, number, builder)):
            _walk(item, number, builder)
    elif shape == "stanza sentence":
        _append(item.constituency, number, builder)
    elif shape == "supar":
        _walk(next(value for value in item.values if _shape(value) == "nltk"), number, builder)
    else:
        raise TypeError(f"item {number} is {_kind(item)}, not a tree that treescore knows")


def _parts(item: Any) -> tuple[str, list[Any]]:
    """Label and children of an nltk or stanza node; a word has no children."""
    if _shape(item) is None:
        return str(item), []
    if callable(getattr(item, "label", None)):
        return str(item.label()), list(item)
    return str(item.label or ""), list(item.children)


def _is_word(item: Any) -> bool:
    """Is this a word: no tree for nltk, a tree without children for stanza?"""
    if _shape(item) is None:
        return True
    return _shape(item) == "stanza" and not item.children


def _is_tagged(item: Any) -> bool:
    """Is this a word of nltk's chunkers, a pair of word and tag?"""
    return type(item) is tuple and len(item) == 2 and all(isinstance(part, str) for part in item)


def _is_numbered(tree: Any) -> bool:
    """Does the first word look like `0=why`, like words of discontinuous trees from `Tree.to_nltk`?"""
    while not _is_word(tree):
        below = _parts(tree)[1]
        if not below:
            return False
        tree = below[0]
    index, equals, _ = _parts(tree)[0].partition("=")
    return bool(equals) and index.isdecimal()


def _append_numbered(tree: Any, number: int, builder: _core.TreeBuilder) -> bool:
    """Append a tree with numbered words; False if not all of them are."""
    text = _Brackets()
    _walk(tree, number, text)
    written = b"".join(text.parts) + b"\n"
    if not _core.is_discbracket(written):
        return False
    bank = read_lines(written, Source(None))
    if bank.problems:
        raise TreeSyntaxError(bank.problems[0].replace(action=None))
    builder.extend(bank.native, number)
    return True


class _Brackets:
    """Writes brackets, with the interface of a tree builder."""

    def __init__(self) -> None:
        self.parts: list[bytes] = []

    def open(self, label: bytes) -> None:
        self.parts += b" (", label

    def leaf(self, word: bytes, tag: bytes | None) -> None:
        self.parts += (b" ", word) if tag is None else (b" (", tag, b" ", word, b")")

    def close(self) -> None:
        self.parts.append(b")")

    def finish(self, line: int) -> None:
        pass


def _walk(tree: Any, number: int, builder: _core.TreeBuilder | _Brackets) -> None:
    close = object()
    waiting: list[Any] = [tree]
    while waiting:
        item = waiting.pop()
        if item is close:
            builder.close()
            continue
        if _is_tagged(item):
            builder.leaf(_token(item[0]), encode(escaped(item[1])))
            continue
        if _is_word(item) and item is not tree:
            builder.leaf(_token(_parts(item)[0]), None)
            continue
        label, children = _parts(item)
        if len(children) == 1 and _is_word(children[0]) and not _is_tagged(children[0]):
            builder.leaf(_token(_parts(children[0])[0]), encode(escaped(label)))
            continue
        bare = not label and children and _is_word(children[0])
        builder.open(b"_" if bare else encode(escaped(label)))
        waiting.append(close)
        waiting.extend(reversed(children))
    builder.finish(number)


def _token(word: str) -> bytes:
    """A word escaped for brackets, and not empty."""
    return encode(escaped(word) or "_")

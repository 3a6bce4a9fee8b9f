"""Trees with ids: an id, a tab and a tree per line, or JSON.

>>> bank = read_named(b"u1\\t(S (NN a))\\nu2\\t(S (NN b))\\n", Source("a.tsv"))
>>> bank.ids, bank[1]
(('u1', 'u2'), <Tree (S (NN b))>)
>>> bank = read_jsonl(b'{"id": "u1", "tree": ["NP", [["DT", 0.15, 0.39], ["NN", 0.39, 0.8]]]}', Source("a.jsonl"))
>>> bank.ids, bank[0].times
(('u1',), [(0.15, 0.39), (0.39, 0.8)])
"""

from __future__ import annotations

from .. import _core
from ..helpers.text import decode, encode, visible
from ..trees import Source, Treebank
from ..values.problem import InputError, Problem, TreeSyntaxError
from .brackets import NO_TREE, OVER_LINES
from .nested import append_nested, append_words, is_list_of_trees, is_nested, is_word_list
from .sources import read_lines
from .textless import TextlessForms, is_one_tree, is_pairs, is_textless

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

_PIECE = 1 << 20  # bytes that are split at a time


def is_named(text: _core.Buffer) -> bool:
    """Is the first tree of a text preceded by a name and a tab on the same line?

    >>> is_named(b"u1\\t(S (NN a))"), is_named(b"(S (NN a))\\tcomment"), is_named(b"a cat")
    (True, False, False)
    """
    start = bytes(text[:4096])
    for line in start.removeprefix(b"\xef\xbb\xbf").split(b"\n"):
        name, tab, tree = line.partition(b"\t")
        if not line.strip():
            continue
        if not tab or not name.strip() or b"(" in name or b")" in name:
            return False
        if tree.strip():
            from .conllu import is_conllu

            return tree.lstrip().startswith(b"(") and not is_conllu(start)
    return False


def read_named(text: _core.Buffer, source: Source, *, on_error: str = "raise", unit: float | None = None) -> Treebank:
    """Read lines of an id, a tab, and a tree in brackets; without a tree, the sentence has no parse."""
    trees = TreeLines(source, on_error, unit)
    for number, line in _lines(text):
        if b"\t" not in line:
            trees.fault(number, "no-id", "there is no tab on this line; write an id, a tab, and the tree")
            continue
        name, tree = line.split(b"\t", 1)
        trees.tree(number, decode(name.strip()) or None, tree, before=len(decode(name)) + 1)
    return trees.treebank()


def read_jsonl(text: _core.Buffer, source: Source, *, on_error: str = "raise", unit: float | None = None) -> Treebank:
    """Read a JSON object per line: `tree` is in brackets, a nested list, or null, and `id` is optional.

    A gold file may have `trees`, a list of several trees, instead of `tree`. Other keys, such as the times of words,
    are ignored. A line may also be a nested list of words.
    """
    from json import JSONDecodeError, loads

    trees = TreeLines(source, on_error, unit)
    item = None
    for number, line in _lines(text):
        try:
            item = loads(decode(line))
        except JSONDecodeError as problem:
            trees.fault(number, "json", f"this is not JSON ({visible(problem.msg)})", column=problem.colno)
            continue
        except RecursionError:
            trees.fault(number, "json", "these lists are nested too deeply for JSON; write the tree in brackets")
            continue
        except ValueError as problem:
            trees.fault(number, "json", f"this JSON cannot be read ({visible(str(problem))})")
            continue
        _add_item(trees, number, {"tree": item} if is_word_list(item) or is_pairs(item) else item)
    if len(trees.lines) == 1 and is_word_list(item) and all(type(part) is not str for part in item):
        trees.remark("the only line was read as one tree; if it is a list of trees, choose the form json", "json")
    return trees.treebank()


def _add_item(trees: TreeLines, line: int, item: Any) -> None:
    """A tree with its name, from an object of JSON."""
    if type(item) is not dict:
        trees.fault(line, "json", 'this is not an object; write {"id": "…", "tree": "(S …)"}')
        return
    name = item.get("id", item.get("example_id"))
    name = str(name) if type(name) is int else name
    if name is not None and type(name) is not str:
        trees.fault(line, "json", "the id is not a string")
        return
    if is_textless(item):
        trees.textless_tree(line, name, item)
        return
    several = [item["tree"]] if "tree" in item else item.get("trees")
    if type(several) is not list or not several:
        message = '"trees" is not a list of trees' if "trees" in item else 'there is no "tree" in this object'
        trees.fault(line, "json", message, name)
    elif all(map(_may_be_tree, several)):
        trees.tree(line, name, several[0], others=several[1:])
    else:
        message = "the tree is neither in brackets, nor a list [label, children], nor a nested list of words"
        trees.fault(line, "json", message, name)


def _may_be_tree(tree: Any) -> bool:
    return tree is None or type(tree) is str or is_nested(tree) or is_word_list(tree)


def read_json(text: _core.Buffer, source: Source, *, on_error: str = "raise", unit: float | None = None) -> Treebank:
    """Read one list of JSON with a tree, or an object with a tree, in each place; or an object of trees by their ids.

    >>> read_json(b'{"u1": ["a", "cat"], "u2": null}', Source("a.json")).ids
    ('u1', 'u2')
    """
    trees = TreeLines(source, on_error, unit)
    try:
        whole = _whole_json(text)
    except (ValueError, RecursionError) as problem:
        message = f"this JSON cannot be read ({visible(str(problem))})"
        raise InputError(Problem("not-trees", message, file=source.name)) from None
    if type(whole) not in (list, dict):
        raise InputError(Problem("not-trees", "this JSON is neither a list nor an object", file=source.name))
    for line, name, item in _items(_json_text(text)):
        _add_item(trees, line, item if name is None and type(item) is dict else {"id": name, "tree": item})
    one_line = b"\n" not in bytes(text).strip()
    if one_line and is_word_list(whole) and not any(type(item) is str for item in whole):
        trees.remark("the only line was read as a list of trees; if it is one tree, choose the form jsonl", "jsonl")
    return trees.treebank()


def _items(text: str) -> Iterator[tuple[int, str | None, Any]]:
    """The items of a list or an object in valid JSON, with their lines, and with their names in an object."""
    from json import JSONDecoder

    def behind_blanks(at: int) -> int:
        while text[at].isspace():
            at += 1
        return at

    value_at = JSONDecoder().raw_decode
    begin = behind_blanks(0)
    is_object = text[begin] == "{"
    line = 1 + text.count("\n", 0, begin)
    at = begin
    while True:
        before, at = at, behind_blanks(at + 1)  # behind a bracket or a comma
        if text[at] in "]}":
            return
        line += text.count("\n", before, at)
        before, name = at, None
        if is_object:
            name, at = value_at(text, at)
            at = behind_blanks(behind_blanks(at) + 1)  # behind the colon
        item, at = value_at(text, at)
        yield line, name, item
        at = behind_blanks(at)
        line += text.count("\n", before, at)
        if text[at] in "]}":
            return


def is_json(text: _core.Buffer) -> bool:
    """Is a text one list or object of trees in JSON, and not an object or list of words on each line?

    >>> is_json(b'[\\n["a", "cat"]\\n]'), is_json(b'{"u1": "(S (NN a))"}'), is_json(b'{"id": "u1"}\\n{"id": "u2"}')
    (True, True, False)
    """
    from json import loads

    lines = _lines(text)
    _, first = next(lines, (0, b""))
    try:
        item = loads(decode(first))
    except (ValueError, RecursionError):
        try:
            return type(_whole_json(text)) in (list, dict)
        except (ValueError, RecursionError):
            return False
    if next(lines, None) is not None:
        return False
    if type(item) is list:
        return is_list_of_trees(item) and not is_one_tree(item)
    return type(item) is dict and not {"id", "example_id", "tree", "trees", "segments", "spans"} & item.keys()


def _whole_json(text: _core.Buffer) -> Any:
    from json import loads

    return loads(_json_text(text))


def _json_text(text: _core.Buffer) -> str:
    return decode(bytes(text).removeprefix(b"\xef\xbb\xbf"))


def _lines(text: _core.Buffer) -> Iterator[tuple[int, bytes]]:
    """The lines that are not blank, with their numbers."""
    for number, line in _all_lines(text):
        if number == 1:
            line = line.removeprefix(b"\xef\xbb\xbf")
        if line and not line.isspace():
            yield number, line


def _all_lines(text: _core.Buffer) -> Iterator[tuple[int, bytes]]:
    parts: list[bytes] = []  # of the line at hand
    number = 0
    for begin in range(0, len(text), _PIECE):
        *whole, rest = bytes(text[begin : begin + _PIECE]).split(b"\n")
        for line in whole:
            number += 1
            yield number, b"".join((*parts, line)).removesuffix(b"\r")
            parts.clear()
        parts.append(rest)
    yield number + 1, b"".join(parts)


class TreeLines:
    """Collects trees line by line, and finally builds the treebank."""

    def __init__(self, source: Source, on_error: str, unit: float | None = None) -> None:
        self.source, self.keeps = source, on_error == "keep"
        self.textless, self._unit = TextlessForms(unit), unit
        self.names: list[str | None] = []
        self.lines: list[int] = []
        self.trees: list[bytes | list[Any] | None] = []  # None for a tree that cannot be read
        self.before: list[int | None] = []  # characters before the tree on its line, if known
        self.problems: list[Problem] = []
        self.others: dict[int, list[Any]] = {}  # more trees of sentences, by their places

    def tree(
        self, line: int, name: str | None, tree: Any, before: int | None = None, others: Sequence[Any] = ()
    ) -> None:
        """Add a tree in brackets or as a nested list, and other trees of its sentence; None for one without a parse."""
        if others:
            self.others[len(self.trees)] = list(others)
        if tree is None:
            tree = b""
        elif isinstance(tree, str):
            tree = encode(tree)
        self._add(line, name, tree, before)

    def textless_tree(self, line: int, name: str | None, item: dict[str, Any]) -> None:
        """Add a tree over time without words."""
        self.source = self.source.replace(textless=True)
        try:
            self._add(line, name, self.textless.nested(item), None)
        except TreeSyntaxError as error:
            self.fault(line, error.problem.code, error.problem.message, name)

    def fault(self, line: int, code: str, message: str, name: str | None = None, *, column: int = 1) -> None:
        """Add a line that cannot be read."""
        self._add(line, name, None, None)
        self._problem(code, message, len(self.lines), column=column, action=NO_TREE)

    def remark(self, message: str, form: str) -> None:
        """What must be known about how all of them were read, and the form that reads them otherwise."""
        self.source = self.source.replace(remark=f"{self.source.name or '<text>'}: {message} (--input-format {form})")

    def _add(self, line: int, name: str | None, tree: bytes | list[Any] | None, before: int | None) -> None:
        self.lines.append(line)
        self.names.append(name)
        self.trees.append(tree)
        self.before.append(before)

    def _problem(self, code: str, message: str, unit: int, *, action: str, column: int | None = None) -> None:
        line = self.lines[unit - 1]
        problem = Problem(code, message, file=self.source.name, line=line, column=column, unit=unit, action=action)
        self.problems.append(problem)

    def treebank(self) -> Treebank:
        """All trees in order."""
        self.textless.check(self.source.name)
        bank = self._read_text()
        if self.lines == list(range(1, len(self.lines) + 1)) and all(isinstance(tree, bytes) for tree in self.trees):
            trees = bank.native
        else:
            trees = self._in_order(bank.native)
            if not bank.native.leaf_total() and any(map(is_word_list, self.trees)):
                self.source = self.source.replace(labelless=True)
        ids = self._ids()
        self.problems.sort(key=lambda problem: problem.unit or 0)
        if self.problems and not self.keeps:
            raise TreeSyntaxError(self.problems[0].replace(action=None))
        bank = Treebank(trees, source=self.source, problems=self.problems, ids=ids)
        return self._with_others(bank) if self.others else bank

    def _with_others(self, bank: Treebank) -> Treebank:
        """The first trees of all sentences with the others as references."""
        from .several import columns, stacked

        rows = [[tree, *self.others.get(place, ())] for place, tree in enumerate(self.trees)]
        numbers = [len(row) for row in rows]
        banks = [bank]
        for trees in columns(rows, max(numbers))[1:]:
            others = TreeLines(self.source, "keep" if self.keeps else "raise", self._unit)
            for line, name, tree in zip(self.lines, self.names, trees, strict=True):
                others.tree(line, name, tree)
            banks.append(others.treebank())
        return stacked(banks, numbers)

    def _read_text(self) -> Treebank:
        """All trees in brackets, with empty trees for the other lines."""
        lines = (tree.replace(b"\n", b" ") if isinstance(tree, bytes) else b"" for tree in self.trees)
        bank = read_lines(b"".join(line + b"\n" for line in lines), Source(self.source.name), unit=self._unit)
        if bank.source.labelless or bank.source.remark or bank.source.textless:
            labelless, textless = bank.source.labelless, bank.source.textless or self.source.textless
            self.source = self.source.replace(labelless=labelless, remark=bank.source.remark, textless=textless)
        for problem in bank.problems:
            unit = problem.unit or 1
            before = self.before[unit - 1]
            column = None if before is None or problem.column is None else before + problem.column
            self._problem(problem.code, problem.message.removesuffix(OVER_LINES), unit, action=NO_TREE, column=column)
        return bank

    def _in_order(self, read: _core.Trees) -> _core.Trees:
        """The trees in brackets and the nested lists, each with its line."""
        builder = _core.TreeBuilder()
        for place, (tree, line) in enumerate(zip(self.trees, self.lines, strict=True)):
            if isinstance(tree, bytes):
                builder.extend(read.slice(place, place + 1), line)
            elif tree is None:
                builder.finish(line, faulty=True)
            else:
                self._append_nested(builder, place, tree)
        return builder.trees()

    def _append_nested(self, builder: _core.TreeBuilder, at: int, tree: Any) -> None:
        try:
            append = append_words if is_word_list(tree) else append_nested
            append(tree, builder, self.lines[at])
        except InputError as problem:
            self._problem(problem.problem.code, problem.problem.message, at + 1, action=NO_TREE)
            builder.finish(self.lines[at], faulty=True)

    def _ids(self) -> list[str] | None:
        """The ids, if there are any; the default is the number of the line."""
        if not any(name is not None for name in self.names):
            return None
        ids = []
        faulty = {problem.unit for problem in self.problems}
        for unit, (name, line) in enumerate(zip(self.names, self.lines, strict=True), 1):
            if name is None and unit not in faulty:
                action = f"named <line {line}>"
                self._problem("no-id", "this tree has no id, but others have", unit, column=1, action=action)
            ids.append(f"<line {line}>" if name is None else name)
        return ids

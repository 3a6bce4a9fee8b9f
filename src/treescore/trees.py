"""Treebank and Tree.

>>> import treescore
>>> bank = treescore.read("(S (NP (DT the) (NN cat)) (VP (VBZ sleeps)))")
>>> bank
<Treebank: 1 tree from <text>>
>>> tree = bank[0]
>>> tree.label, [child.label for child in tree.children], tree.leaves
('S', ['NP', 'VP'], ['the', 'cat', 'sleeps'])
>>> tree.spans()
[Span(label='S', start=0, end=3), Span(label='NP', start=0, end=2), Span(label='VP', start=2, end=3)]
"""

from __future__ import annotations

from . import _core
from .helpers.showing import Drawn
from .helpers.text import decode, encode
from .values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from os import PathLike
    from typing import Any, overload

    from .readers.completions.completion_list import Completions
    from .values.problem import Problem


#: How trees can be written: in plain brackets, in brackets with numbered words, or with spans of time for words.
FORMS = ("auto", "brackets", "discbracket", "spans")


class Span(Value):
    """A labelled interval of leaves, [start, end). A phrase with gaps has its leaves in `positions`, else None."""

    label: str
    start: int
    end: int
    positions: tuple[int, ...] | None = None


class Treebank:
    """Many trees in columns, immutable. Index it for a `Tree`, slice it for a part that shares the columns.

    If sentences have several gold trees, these are their first ones, and `references` are treebanks of the others. A
    sentence with fewer trees repeats its first one there; `incomplete` are the places of such sentences.
    """

    __slots__ = (
        *("_names", "_offset", "_trees", "blank_lines", "completions", "ids", "incomplete", "partners", "problems"),
        *("references", "source"),
    )

    def __init__(
        self,
        trees: _core.Trees,
        *,
        source: Source | None = None,
        problems: Iterable[Problem] = (),
        blank_lines: int = 0,
        offset: int = 0,
        ids: Sequence[str] | None = None,
        partners: Sequence[list[int]] | None = None,
    ) -> None:
        if ids is not None and len(ids) != len(trees):
            raise ValueError("not one id for each tree")
        self._trees = trees
        self._offset = offset  # number of the first tree in the source
        self._names: list[str] | None = None
        self.source = source or Source(None)
        self.problems = tuple(problems)
        self.blank_lines = blank_lines
        #: The names of the sentences, where the format has them.
        self.ids = None if ids is None else tuple(ids)
        #: For each tree, the word of it that each word of the gold tree is aligned with, or -1, if that is known.
        self.partners = None if partners is None else tuple(partners)
        self.references: tuple[Treebank, ...] = ()
        self.incomplete: tuple[int, ...] = ()
        #: The completions of a language model from which the trees were read, if they were.
        self.completions: Completions | None = None

    @property
    def native(self) -> _core.Trees:
        """The columns, for the native engines."""
        return self._trees

    def __len__(self) -> int:
        return len(self._trees)

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, index: int) -> Tree: ...
        @overload
        def __getitem__(self, index: slice) -> Treebank: ...

    def __getitem__(self, index: int | slice) -> Tree | Treebank:
        if isinstance(index, slice):
            begin, end, step = index.indices(len(self))
            if step != 1:
                raise ValueError("a Treebank can only be sliced without gaps")
            return self._slice(begin, max(begin, end))
        return Tree(_Columns(self, self._place(index)), None)

    def _place(self, index: int) -> int:
        place = index + len(self) if index < 0 else index
        if not 0 <= place < len(self):
            raise IndexError(f"tree {index} of {len(self)}")
        return place

    def _slice(self, begin: int, end: int) -> Treebank:
        first = self._offset + begin
        bank = Treebank(
            self._trees.slice(begin, end),
            source=self.source,
            problems=[p for p in self.problems if p.unit is not None and first < p.unit <= self._offset + end],
            offset=first,
            ids=None if self.ids is None else self.ids[begin:end],
            partners=None if self.partners is None else self.partners[begin:end],
        )
        if self.references:
            references = tuple(other[begin:end] for other in self.references)
            incomplete = tuple(place - begin for place in self.incomplete if begin <= place < end)
            bank._refer_to(references, incomplete)
        bank.completions = self.completions and self.completions[begin:end]
        return bank

    def select(self, places: Iterable[int | None]) -> Treebank:
        """The trees at these places, in this order; an empty one for None.

        >>> import treescore
        >>> list(treescore.read("(A a) (B b)").select([1, None, 0]).lines())
        ['(B b)', '()', '(A a)']
        """
        builder = _core.TreeBuilder()
        chosen = list(places)
        at = 0
        while at < len(chosen):
            begin = chosen[at]
            size = 1
            if begin is None:
                builder.finish(0)
            else:
                while at + size < len(chosen) and chosen[at + size] == begin + size:
                    size += 1
                builder.extend(self._trees.slice(begin, begin + size))
            at += size
        number = {self.number(place): unit for unit, place in enumerate(chosen, 1) if place is not None}
        bank = Treebank(
            builder.trees(),
            source=self.source,
            problems=[p.replace(unit=number[p.unit]) for p in self.problems if p.unit in number],
            ids=None if self.ids is None else ["" if place is None else self.ids[place] for place in chosen],
        )
        if self.references:
            incomplete = tuple(at for at, place in enumerate(chosen) if place in self.incomplete)
            bank._refer_to(tuple(other.select(chosen) for other in self.references), incomplete)
        return bank

    def with_completions(self, completions: Completions) -> Treebank:
        """The same trees with the completions from which they were read, one for each tree."""
        bank = self.with_trees(self._trees)
        bank.completions = completions
        return bank

    def with_problems(self, problems: Iterable[Problem]) -> Treebank:
        """The same trees, and more that is wrong with them."""
        return self.with_trees(self._trees, problems)

    def with_partners(self, partners: Sequence[list[int]]) -> Treebank:
        """The same trees, aligned with the words of gold."""
        bank = self.with_trees(self._trees)
        bank.partners = tuple(partners)
        return bank

    def with_references(self, references: Iterable[Treebank], incomplete: Iterable[int] = ()) -> Treebank:
        """The same trees with more gold trees of the same sentences.

        >>> import treescore
        >>> gold = treescore.read("(S (NN a))").with_references([treescore.read("(NP (NN a))")])
        >>> treescore.evaluate(gold, "(NP (NN a))").scores[0].value
        1.0
        """
        bank = self.with_trees(self._trees)
        bank._refer_to((*self.references, *references), tuple(sorted({*self.incomplete, *incomplete})))
        return bank

    def replacing_references(self, references: Iterable[Treebank]) -> Treebank:
        """The same trees with other trees in the places of their references."""
        bank = self.with_trees(self._trees)
        bank._refer_to(tuple(references), self.incomplete)
        return bank

    def _refer_to(self, references: tuple[Treebank, ...], incomplete: tuple[int, ...]) -> None:
        if any(len(bank) != len(self) for bank in references):
            raise ValueError("the references are not of the same size")
        self.references, self.incomplete = references, incomplete

    def with_times(self, times: _core.Numbers) -> Treebank:
        """The same trees with these times of their leaves: start and end of each as doubles, NaN in trees without."""
        return self.with_trees(self._trees.with_times(times))

    def joined(self, ends: Sequence[int], *, any_fault: bool = False) -> Treebank:
        """The trees up to each of these ends as one tree with several roots.

        Such a tree could not be read if one of its trees could not (`any_fault`), or else if none of them could.

        >>> import treescore
        >>> list(treescore.read("(A a) (B b) (C c)").joined([2, 2, 3]).lines())
        ['(A a) (B b)', '()', '(C c)']
        """
        return Treebank(self._trees.joined(ends, any_fault), source=self.source)

    def with_trees(self, trees: _core.Trees, problems: Iterable[Problem] = ()) -> Treebank:
        """Other trees in the places of these, and more that is wrong with them."""
        bank = Treebank(
            trees,
            source=self.source,
            problems=(*self.problems, *problems),
            blank_lines=self.blank_lines,
            offset=self._offset,
            ids=self.ids,
            partners=self.partners,
        )
        bank._refer_to(self.references, self.incomplete)
        bank.completions = self.completions
        return bank

    def __iter__(self) -> Iterator[Tree]:
        return (self[index] for index in range(len(self)))

    def __add__(self, other: Treebank) -> Treebank:
        if not isinstance(other, Treebank):
            return NotImplemented
        builder = _core.TreeBuilder()
        builder.extend(self._trees)
        builder.extend(other._trees)
        first = [p.replace(unit=p.unit - self._offset) for p in self.problems if p.unit]
        second = [p.replace(unit=p.unit - other._offset + len(self)) for p in other.problems if p.unit]
        blank_lines = self.blank_lines + other.blank_lines
        ids = None if self.ids is None or other.ids is None else self.ids + other.ids
        bank = Treebank(builder.trees(), problems=first + second, blank_lines=blank_lines, ids=ids)
        references = tuple(a + b for a, b in zip(self.references, other.references, strict=True))
        bank._refer_to(references, (*self.incomplete, *(place + len(self) for place in other.incomplete)))
        return bank

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Treebank)
            and len(self) == len(other)
            and all(self._trees.brackets(i, False) == other._trees.brackets(i, False) for i in range(len(self)))
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        count = f"{len(self):,} tree{'' if len(self) == 1 else 's'}"
        name = f" from {self.source.name}" if self.source.name else ""
        faulty = sum(map(self._trees.faulty, range(len(self)))) if self.problems else 0
        kind = "not readable" if faulty else f"problem{'' if len(self.problems) == 1 else 's'}"
        problems = f", {faulty or len(self.problems):,} {kind}" if self.problems else ""
        return f"<Treebank: {count}{name}{problems}>"

    def __reduce__(self) -> tuple[Any, ...]:
        made_from = (
            self._trees.saved(),
            self.source,
            self.problems,
            self.blank_lines,
            self._offset,
            self.ids,
            self.partners,
        )
        more = {name: getattr(self, name) for name in ("references", "incomplete", "completions")}
        return _unpickled, made_from, (None, more)

    @property
    def nbytes(self) -> int:
        """Memory held by the columns."""
        return self._trees.nbytes

    def names(self) -> list[str]:
        """Labels and tags by their number."""
        if self._names is None:
            self._names = [decode(name) for name in self._trees.names(0)]
        return self._names

    def find(self, name: str | int) -> int:
        """The place of a sentence, from 0, by its id where the sentences have ids, else by its number.

        That is its number in the source, from 1, as `number` has it: a slice keeps the numbers of its trees.

        >>> import treescore
        >>> bank = treescore.read("(A a) (B b) (C c)")
        >>> bank.find(2), bank[1:].find(2)
        (1, 0)
        """
        from .helpers.text import visible
        from .values.problem import UsageError

        text = str(name)
        if self.ids is not None and text in self.ids:
            return self.ids.index(text)
        if text.isascii() and text.isdecimal() and len(text) < 19 and 1 <= int(text) - self._offset <= len(self):
            return int(text) - 1 - self._offset
        known = (
            f"numbers go from {self._offset + 1:,} to {self._offset + len(self):,}" if len(self) else "there is none"
        )
        if self.ids:
            known += f", ids are such as {visible(self.ids[0])!r}"
        raise UsageError(f"there is no sentence {visible(text)!r}: {known}")

    def number(self, index: int) -> int:
        """The number of a tree in its source, from 1."""
        return self._offset + self._place(index) + 1

    def line(self, index: int) -> int:
        """The line of the source on which a tree starts."""
        return self._trees.line(self._place(index))

    def problem(self, index: int, code: str, message: str, action: str | None = None) -> Problem:
        """A problem with one of the trees, with its place."""
        from .values.problem import Problem

        return Problem(
            code,
            message,
            file=self.source.name,
            line=self.line(index) or None,
            unit=self.number(index),
            action=action,
        )

    def check_times(self, advice: str) -> None:
        """An error where there are words, and not one tree has times."""
        if not self._trees.leaf_total() or self._trees.has_times():
            return
        from .values.problem import InputError, Problem

        message = f"the words of these trees have no times; {advice}"
        raise InputError(Problem("no-times", message, file=self.source.name))

    def words(self, index: int) -> list[str]:
        """The words of a tree."""
        return [decode(word) for _, _, word in self._trees.leaves(self._place(index))]

    @property
    def is_discontinuous(self) -> bool:
        """Has any phrase of any tree a gap?"""
        return self._trees.any_discontinuous()

    def lines(self, *, pretty: bool = False, form: str = "auto") -> Iterator[str]:
        """Each tree in brackets, on one line or indented.

        The words are numbered (discbracket) if any tree is discontinuous, or if `form` is "discbracket". With
        "brackets" a discontinuous tree is an error. With "spans" the words are when they were spoken, `0.15-0.39`:
        their text is lost, words of no length and phrases of nothing else are left out, and words without times are an
        error.

        >>> import treescore
        >>> bank = treescore.read("(NP the cat) (NN a)")
        >>> list(bank.lines())
        ['(NP the cat)', '(NN a)']
        >>> list(bank.lines(form="discbracket"))
        ['(NP 0=the 1=cat)', '(NN 0=a)']
        >>> list(treescore.read([["NP", [["DT", 0.15, 0.39, "the"], ["NN", 0.39, 0.8, "cat"]]]]).lines(form="spans"))
        ['(NP (DT 0.15-0.39) (NN 0.39-0.8))']
        """
        from .values.problem import check_choice

        check_choice(form, "form", FORMS)
        if form == "spans":
            yield from self._spans(pretty)
            return
        numbered = form == "discbracket" or (form == "auto" and self.is_discontinuous)
        for index in range(len(self)):
            if form == "brackets" and self._trees.discontinuous(index):
                raise ValueError(f"tree {self.number(index)} is discontinuous, which brackets alone cannot show")
            yield decode(self._trees.brackets(index, pretty, numbered))

    def _spans(self, pretty: bool) -> Iterator[str]:
        wrong = _core.first_without_spans(self._trees)
        if wrong is not None:
            what = "has gaps" if self._trees.discontinuous(wrong) else "has no times, or times before 0"
            raise ValueError(f"tree {self.number(wrong)} {what}, and cannot be written as spans")
        trees = _core.write_spans(self._trees)
        for index in range(len(trees)):
            yield decode(trees.brackets(index, pretty))

    def write(self, path: str | PathLike[str], *, pretty: bool = False, form: str = "auto") -> None:
        """Write the trees in brackets to a file; see `lines`."""
        from .helpers.new_files import replacing

        with replacing(path) as file:
            for line in self.lines(pretty=pretty, form=form):
                file.write(encode(line) + b"\n")


def _unpickled(
    data: bytes,
    source: Source,
    problems: tuple[Problem, ...],
    blank_lines: int,
    offset: int,
    ids: tuple[str, ...] | None = None,
    partners: tuple[list[int], ...] | None = None,
) -> Treebank:
    trees = _core.Trees.loaded(data)
    return Treebank(
        trees, source=source, problems=problems, blank_lines=blank_lines, offset=offset, ids=ids, partners=partners
    )


class Source(Value):
    """Where trees came from: a name for messages and, if they came from a file, what it was when it was read.

    Its brackets may have no labels (`labelless`), and its leaves may be spans of time without words (`textless`). The
    `remark` says how the text was read, if it could also be read otherwise.
    """

    name: str | None
    path: str | None
    size: int | None
    changed: int | None
    labelless: bool
    remark: str | None
    textless: bool

    def __init__(
        self,
        name: str | None,
        *,
        path: str | None = None,
        size: int | None = None,
        changed: int | None = None,
        labelless: bool = False,
        remark: str | None = None,
        textless: bool = False,
    ) -> None:
        _set_name(self, name)  # not by `_store`, which takes much longer: small lists of trees have a source each
        _set_path(self, path)
        _set_size(self, size)
        _set_changed(self, changed)
        _set_labelless(self, labelless)
        _set_remark(self, remark)
        _set_textless(self, textless)

    def sha256(self) -> str | None:
        """The hash of the file's content, if it is still the file that was read."""
        if self.path is None:
            return None
        import hashlib
        import os

        try:
            with open(self.path, "rb") as file:
                now = os.fstat(file.fileno())
                if (now.st_size, now.st_mtime_ns) != (self.size, self.changed):
                    return None
                digest = hashlib.sha256()
                while block := file.read(1 << 16):
                    digest.update(block)
                return digest.hexdigest()
        except OSError:
            return None


_set_name, _set_path, _set_size, _set_changed, _set_labelless, _set_remark, _set_textless = (
    vars(Source)[name].__set__ for name in Source.__slots__
)


class _Columns:
    """The rows of one tree, fetched once and shared by all views of its nodes."""

    __slots__ = ("_sizes", "bank", "children", "discontinuous", "functions", "index", "leaves", "names", "nodes")

    def __init__(self, bank: Treebank, index: int) -> None:
        self.bank, self.index = bank, index
        self.discontinuous = bank.native.discontinuous(index)
        self.functions = bank.native.functions(index)
        self.nodes = bank.native.nodes(index)
        self.leaves = bank.native.leaves(index)
        self.names = bank.names()
        self.children: list[list[int]] | None = None
        self._sizes: list[int] | None = None

    def has_gap(self, node: int) -> bool:
        """Are there words between those of a phrase?"""
        if not self.discontinuous:
            return False
        if self._sizes is None:
            self._sizes = [0] * (len(self.nodes) + 1)
            for _, parent, _ in self.leaves:
                self._sizes[parent] += 1
            for number in range(len(self.nodes) - 1, -1, -1):
                self._sizes[self.nodes[number][1]] += self._sizes[number]
        start, end = self.nodes[node][2:]
        return self._sizes[node] != end - start

    def inside(self, node: int) -> range:
        """A phrase and those under it, which stand behind it without a gap."""
        end = node + 1
        while end < len(self.nodes) and self.nodes[end][1] >= node:
            end += 1
        return range(node, end)

    def below(self, node: int | None) -> list[int]:
        """Children in text order: phrases as their number, leaves as ~number."""
        if self.children is None:
            self.children = [[] for _ in range(len(self.nodes) + 1)]
            if self.discontinuous:
                for leaf, (_, parent, _) in enumerate(self.leaves):
                    self.children[parent].append(~leaf)
                for number, (_, parent, _, _) in enumerate(self.nodes):
                    self.children[parent].append(number)
                for children in self.children:
                    children.sort(key=lambda child: self.nodes[child][2] if child >= 0 else ~child)
                return self.children[-1 if node is None else node]
            next_node = 0
            for leaf in range(len(self.leaves) + 1):
                while next_node < len(self.nodes) and self.nodes[next_node][2] <= leaf:
                    self.children[self.nodes[next_node][1]].append(next_node)
                    next_node += 1
                if leaf < len(self.leaves):
                    self.children[self.leaves[leaf][1]].append(~leaf)
        return self.children[-1 if node is None else node]

    def places(self, node: int | None) -> Sequence[int]:
        """The numbers of the leaves under a node, in the order of the sentence."""
        if node is None:
            return range(len(self.leaves))
        if node < 0:
            return range(~node, ~node + 1)
        start, end = self.nodes[node][2:]
        if not self.has_gap(node):
            return range(start, end)
        inside = self.inside(node)
        return [leaf for leaf in range(start, end) if self.leaves[leaf][1] in inside]


class Tree(Drawn):
    """A view of one tree or of one of its nodes. Reads like a small tree library; cannot be changed."""

    __slots__ = ("_columns", "_node")

    def __init__(self, columns: _Columns, node: int | None) -> None:
        self._columns = columns
        if node is None:
            roots = columns.below(None)
            if len(roots) == 1 and (roots[0] >= 0 or columns.leaves[~roots[0]][0] != _core.NO_TAG):
                node = roots[0]
        self._node = node  # None: an empty tree or several trees in one sentence; ~leaf: a preterminal

    @property
    def label(self) -> str:
        """The label of the phrase, or the tag of a preterminal."""
        columns, node = self._columns, self._node
        if node is None:
            return ""
        return columns.names[columns.nodes[node][0] if node >= 0 else columns.leaves[~node][0]]

    @property
    def children(self) -> list[Tree | str]:
        """Phrases and preterminals as trees; words as strings."""
        columns, node = self._columns, self._node
        if node is not None and node < 0:
            return [decode(columns.leaves[~node][2])]
        return [
            Tree(columns, child)
            if child >= 0 or columns.leaves[~child][0] != _core.NO_TAG
            else decode(columns.leaves[~child][2])
            for child in columns.below(node)
        ]

    @property
    def is_preterminal(self) -> bool:
        """Is this a tag over a single word?"""
        return self._node is not None and self._node < 0

    @property
    def is_whole(self) -> bool:
        """Is this the whole sentence and not a part of it?"""
        return self._node is None or self._columns.below(None) == [self._node]

    @property
    def start(self) -> int:
        """The number of its first leaf in the sentence."""
        return self._extent()[0]

    @property
    def end(self) -> int:
        """The number of its last leaf plus one."""
        return self._extent()[1]

    def _extent(self) -> tuple[int, int]:
        columns, node = self._columns, self._node
        if node is None:
            return 0, len(columns.leaves)
        if node < 0:
            return ~node, ~node + 1
        return columns.nodes[node][2:]

    @property
    def positions(self) -> list[int]:
        """The numbers of its leaves in the sentence.

        >>> import treescore
        >>> tree = treescore.read("(S (VP (WRB 0=why) (VB 3=go)) (MD 1=did) (NP (PRP 2=he)))")[0]
        >>> tree.children[0].positions, tree.children[0].leaves
        ([0, 3], ['why', 'go'])
        """
        return list(self._columns.places(self._node))

    @property
    def is_discontinuous(self) -> bool:
        """Has it, or any phrase under it, a gap?"""
        columns, node = self._columns, self._node
        if not columns.discontinuous or (node is not None and node < 0):
            return False
        return node is None or any(map(columns.has_gap, columns.inside(node)))

    @property
    def function(self) -> str | None:
        """Its grammatical function, where the format keeps functions apart from labels; None if it has none."""
        columns, node = self._columns, self._node
        functions = columns.functions
        if node is None or functions is None:
            return None
        found = functions[0][node] if node >= 0 else functions[1][~node]
        return None if found == _core.NO_TAG else columns.names[found]

    @property
    def leaves(self) -> list[str]:
        """Its words, in the order of the sentence."""
        leaves = self._columns.leaves
        return [decode(leaves[place][2]) for place in self._columns.places(self._node)]

    @property
    def times(self) -> list[tuple[float, float]] | None:
        """When each of its words starts and ends, in seconds; None where that is not known."""
        times = self._columns.bank.native.times(self._columns.index)
        return None if times is None else [times[place] for place in self._columns.places(self._node)]

    def nodes(self) -> list[Tree]:
        """All phrases and preterminals in and under this node in the order in which they open.

        >>> import treescore
        >>> [node.label for node in treescore.read("(S (NP (DT the) (NN cat)) (VP (VBZ sleeps)))")[0].nodes()]
        ['S', 'NP', 'DT', 'NN', 'VP', 'VBZ']
        """
        found: list[Tree] = []
        waiting: list[Tree | str] = [self]
        while waiting:
            item = waiting.pop()
            if isinstance(item, Tree):
                if item._node is not None:
                    found.append(item)
                if not item.is_preterminal:
                    waiting.extend(reversed(item.children))
        return found

    @classmethod
    def from_nested(cls, nested: list[Any] | tuple[Any, ...]) -> Tree:
        """A tree over seconds: `[label, children]`, or `[label, start, end]` and perhaps a word for a leaf.

        Siblings must not overlap; they are put in the order of time. A leaf without a label (None) belongs to its
        parent and is no node of its own: a pause, say.

        >>> tree = Tree.from_nested(["NP", [["DT", 0.15, 0.39], ["NN", 0.39, 0.8]]])
        >>> tree, tree.times
        (<Tree (NP (DT 0.15-0.39) (NN 0.39-0.8))>, [(0.15, 0.39), (0.39, 0.8)])
        """
        from .readers.nested import read_nested

        return read_nested([nested])[0]

    def pos(self) -> list[tuple[str, str | None]]:
        """Its words with their tags; None for a word without one."""
        names, leaves = self._columns.names, self._columns.leaves
        own = (leaves[place] for place in self._columns.places(self._node))
        return [(decode(word), None if tag == _core.NO_TAG else names[tag]) for tag, _, word in own]

    def spans(self) -> list[Span]:
        """All phrases in and under this node, outermost first. Preterminals are not phrases.

        >>> import treescore
        >>> treescore.read("(S (VP (WRB 0=why) (VB 2=go)) (PRP 1=he))")[0].spans()
        [Span(label='S', start=0, end=3), Span(label='VP', start=0, end=3, positions=(0, 2))]
        """
        columns, node = self._columns, self._node
        if node is not None and node < 0:
            return []
        found = []
        for number in range(len(columns.nodes)) if node is None else columns.inside(node):
            label, _, start, end = columns.nodes[number]
            positions = tuple(columns.places(number)) if columns.has_gap(number) else None
            found.append(Span(columns.names[label], start, end, positions))
        return found

    def structure(self) -> tuple[list[tuple[str, list[int]]], list[int]]:
        """The phrases in the order of `spans()`, each with its label and its children, and what stands at the top.

        A child is the number of a phrase, or ~n for word n of the sentence.

        >>> import treescore
        >>> treescore.read("(S (NP (DT the) (NN cat)) (VBZ sleeps))")[0].structure()
        ([('S', [1, -3]), ('NP', [-1, -2])], [0])
        """
        columns, node = self._columns, self._node
        if node is not None and node < 0:
            return [], [node]
        first = node or 0
        phrases = [
            (
                columns.names[columns.nodes[number][0]],
                [child - first if child >= 0 else child for child in columns.below(number)],
            )
            for number in (range(len(columns.nodes)) if node is None else columns.inside(node))
        ]
        return phrases, columns.below(None) if node is None else [0]

    def numbered(self) -> tuple[list[int], list[list[int]], list[int]]:
        """What `nodes()` are: phrases of `structure()`, or ~n for the preterminal of word n; their children; the top.

        A child is the number of a node, or ~n for word n if it has no tag; preterminals have none.

        >>> import treescore
        >>> treescore.read("(S (NP (DT the) cat) (VBZ sleeps))")[0].numbered()
        ([0, 1, -1, -3], [[1, 3], [2, -2], [], []], [0])
        """
        phrases, roots = self.structure()
        tags = {place: tag for place, (_, tag) in zip(self.positions, self.pos(), strict=True)}
        items: list[int] = []
        children: list[list[int]] = []
        top: list[int] = []
        waiting = [(root, top) for root in reversed(roots)]
        while waiting:
            item, siblings = waiting.pop()
            if item < 0 and tags[~item] is None:
                siblings.append(item)
                continue
            siblings.append(len(items))
            items.append(item)
            below: list[int] = []
            children.append(below)
            if item >= 0:
                waiting += [(child, below) for child in reversed(phrases[item][1])]
        return items, children, top

    @property
    def height(self) -> int:
        """Levels from here down to the deepest word, as nltk counts them."""
        columns, node = self._columns, self._node
        if node is not None and node < 0:
            return 2
        levels = [0] * (len(columns.nodes) + 1)
        for tag, parent, _ in columns.leaves:
            levels[parent] = max(levels[parent], 1 if tag == _core.NO_TAG else 2)
        for number in range(len(columns.nodes) - 1, -1, -1):
            parent = columns.nodes[number][1]
            levels[parent] = max(levels[parent], levels[number] + 1)
        return levels[-1 if node is None else node] + 1

    def _leaf_order(self) -> list[int]:
        """Its leaves in the order of the tree, which is not that of the sentence if it is discontinuous."""
        order, waiting = [], [self._node]
        while waiting:
            item = waiting.pop()
            if item is not None and item < 0:
                order.append(~item)
            else:
                waiting.extend(reversed(self._columns.below(item)))
        return order

    def pformat(self, *, pretty: bool = True) -> str:
        """The tree in brackets, indented or on one line; the words of a discontinuous tree are numbered."""
        if self.is_whole:
            return decode(self._columns.bank.native.brackets(self._columns.index, pretty))
        builder = _core.TreeBuilder()
        rebuild(self, builder)
        return decode(builder.trees().brackets(0, pretty))

    def __str__(self) -> str:
        return self.pformat(pretty=False)

    def __repr__(self) -> str:
        text = str(self)
        return f"<Tree {text if len(text) <= 60 else text[:57] + '…'}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tree) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))

    def __reduce__(self) -> tuple[Any, ...]:
        builder = _core.TreeBuilder()
        rebuild(self, builder)
        return _tree_unpickled, (builder.trees().saved(),)

    def to_nltk(self) -> Any:
        """The same tree as an `nltk.Tree` (nltk must be installed).

        nltk's trees have no gaps: below a discontinuous tree words are numbered, `0=why`, as in its brackets.
        """
        import nltk

        if self.is_discontinuous and not self.is_whole:
            return _tree_unpickled(self.__reduce__()[1][0]).to_nltk()
        number = iter(self._leaf_order()) if self.is_discontinuous else None
        done: list[Any] = []
        waiting: list[tuple[Tree | str, bool]] = [(self, False)]
        while waiting:
            item, built = waiting.pop()
            if isinstance(item, str):
                done.append(item if number is None else f"{next(number)}={item}")
                continue
            children = item.children
            if built:
                size = len(children)
                below = done[len(done) - size :]
                del done[len(done) - size :]
                done.append(nltk.Tree(item.label, below))
            else:
                waiting.append((item, True))
                waiting.extend((child, False) for child in reversed(children))
        return done[0]


def rebuild(tree: Tree, builder: _core.TreeBuilder, line: int = 0) -> None:
    """Append a tree or a part of one to a builder."""
    if tree.is_whole:
        index = tree._columns.index
        builder.extend(tree._columns.bank.native.slice(index, index + 1), line)
        return
    if tree._columns.discontinuous:
        _rebuild_part(tree, builder, line)
        return
    waiting: list[Tree | str | None] = [tree]
    while waiting:
        item = waiting.pop()
        if item is None:
            builder.close()
        elif isinstance(item, str):
            builder.leaf(encode(item), None)
        elif item.is_preterminal:
            builder.leaf(encode(item.leaves[0]), encode(item.label))
        else:
            children = list(reversed(item.children))
            if item._node is not None:
                builder.open(encode(item.label))
                waiting.append(None)
            waiting.extend(children)
    if tree.times is not None:
        builder.set_times(tree.times)
    builder.finish(line)


def _rebuild_part(tree: Tree, builder: _core.TreeBuilder, line: int) -> None:
    """The same for a part of a discontinuous tree: its words are counted anew."""
    columns, node = tree._columns, tree._node
    functions = columns.bank.native.functions(columns.index)
    names = [encode(name) for name in columns.names]

    def name(number: int) -> bytes | None:
        return None if number == _core.NO_TAG else names[number]

    def own(functions: list[int] | None, place: int) -> bytes | None:
        return None if functions is None else name(functions[place])

    of_phrases, of_words = functions or (None, None)
    first = node if node is not None and node >= 0 else 0
    phrases = [
        (names[columns.nodes[number][0]], max(-1, columns.nodes[number][1] - first), own(of_phrases, number))
        for number in range(first, first + len(tree.spans()))
    ]
    words = [
        (columns.leaves[at][2], name(columns.leaves[at][0]), columns.leaves[at][1] - first, own(of_words, at))
        for at in columns.places(node)
    ]
    if not phrases:
        words = [(word, tag, -1, function) for word, tag, _, function in words]
    builder.graph(phrases, words, line, functions is not None)


def _tree_unpickled(data: bytes) -> Tree:
    return Treebank(_core.Trees.loaded(data))[0]

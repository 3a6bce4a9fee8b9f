"""cross_framework(): parsers of different annotation schemes on one scale. Experimental.

After Tsarfaty, Nivre and Andersson (2012): every analysis, dependencies or phrases, becomes a function tree, whose
nodes are spans of words with sets of grammatical functions. What the gold trees of all schemes have in common is the
generalised gold. A parser is scored by the edits from its tree to that, less those that its own gold needs as well.

>>> phrases = FunctionTrees.from_trees("(S (NP-SBJ (DT the) (NN cat)) (VP (VBZ eats) (NP-OBJ (NN fish))))")
>>> phrases[0].nodes
{(0, 2): frozenset({'SBJ'}), (3, 4): frozenset({'OBJ'})}
>>> gold = FunctionTrees.from_dependencies([[(2, "DET"), (3, "SBJ"), (0, "ROOT"), (3, "OBJ")]])
>>> test = FunctionTrees.from_dependencies([[(2, "DET"), (3, "OBJ"), (0, "ROOT"), (3, "OBJ")]])
>>> [round(score.value, 4) for score in cross_framework([phrases, gold], [phrases, test])]
[1.0, 0.6]
"""

from __future__ import annotations

from ..helpers.text import number_of
from ..metrics.functions import functions_of
from ..metrics.nodes import DISCONTINUOUS
from ..readers.sources import read
from ..values.problem import InputError, Problem, UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from ..readers.sources import Readable
    from ..trees import Tree

    Span = tuple[int, int]
    Functions = frozenset[str]
    #: "add" or "del", the functions, and the first word and the end.
    Edit = tuple[str, Functions, Span]
    #: The head of a word, counted from 1, or 0 for none, or None if it is not known; and its relation to it.
    Dependency = tuple[int | None, str]

LEFT_OUT = "left out of the scores"
#: Steps of lifting arcs from which a sentence is refused.
_MOST_STEPS = 5_000_000
_FIGURES = ("score", "errors", "test", "general")


class FunctionTree:
    """Spans of words with their functions; the whole sentence is the root and not among them."""

    __slots__ = ("length", "nodes")

    def __init__(self, length: int, nodes: Iterable[tuple[Span, Iterable[str]]]) -> None:
        found: dict[Span, Functions] = {}
        for span, functions in nodes:
            if span != (0, length):
                found[span] = found.get(span, frozenset()) | frozenset(functions)
        self.length, self.nodes = length, {span: names for span, names in found.items() if names}

    def __len__(self) -> int:
        return len(self.nodes)

    def edits_to(self, other: FunctionTree) -> set[Edit]:
        """The fewest edits from this tree to another one over the same words, which stay where they are."""
        here, there = set(self.nodes.items()), set(other.nodes.items())
        return {
            *(("del", functions, span) for span, functions in here - there),
            *(("add", functions, span) for span, functions in there - here),
        }

    def __repr__(self) -> str:
        return f"<FunctionTree: {number_of(len(self), 'node')} over {number_of(self.length, 'word')}>"


class FunctionTrees:
    """The function trees of one file; None where there is none, and `problems` says why.

    `discontinuous` are the places, from 0, of sentences whose phrases have gaps, so that they are not spans.
    """

    def __init__(
        self,
        trees: Iterable[FunctionTree | None],
        *,
        name: str | None = None,
        problems: Iterable[Problem] = (),
        discontinuous: Iterable[int] = (),
    ) -> None:
        self.trees, self.name, self.problems = list(trees), name, list(problems)
        self.discontinuous = frozenset(discontinuous)

    def __len__(self) -> int:
        return len(self.trees)

    def __getitem__(self, index: int) -> FunctionTree | None:
        return self.trees[index]

    def __repr__(self) -> str:
        return f"<FunctionTrees: {number_of(len(self), 'sentence')}>"

    @classmethod
    def from_trees(
        cls,
        source: Readable,
        *,
        labels: bool = True,
        names: Mapping[str, str] | None = None,
        delete: Iterable[str] = ("-NONE-",),
    ) -> FunctionTrees:
        """The function trees of phrase structure: what follows the hyphens of a label are its functions.

        Where a format keeps functions apart from labels, they are taken from there. Discontinuous trees are left out.
        Nodes without a function are left out, and so are words with a tag of `delete`. With `labels=False` all phrases
        and preterminals are nodes, whatever their label. `names` gives functions other names.

        >>> FunctionTrees.from_trees("(S (NP-SBJ-1 (-NONE- *)) (VP (VB go) (ADVP-DIR=2 (RB home))))")[0].nodes
        {(1, 2): frozenset({'DIR'})}
        """
        bank = read(source, on_error="keep")
        left_out = frozenset(delete)
        made: list[FunctionTree | None] = []
        problems = list(bank.problems)
        discontinuous = [index for index in range(len(bank)) if bank.native.discontinuous(index)]
        problems += [bank.problem(index, *DISCONTINUOUS) for index in discontinuous]
        for index, tree in enumerate(bank):
            if bank.native.discontinuous(index) or not tree.leaves:
                made.append(None)
            else:
                apart = bank.native.functions(index) is not None
                made.append(_of_phrases(tree, labels, apart, names or {}, left_out))
        if labels and not any(made) and any(tree is not None for tree in made):
            message = "not one node below the root has a function, such as SBJ in NP-SBJ"
            problems.append(Problem("functions", message, file=bank.source.name, action="there is nothing to find"))
        return cls(made, name=bank.source.name, problems=problems, discontinuous=discontinuous)

    @classmethod
    def from_dependencies(
        cls,
        sentences: Iterable[Sequence[Dependency]],
        *,
        labels: bool = True,
        names: Mapping[str, str] | None = None,
        name: str | None = None,
    ) -> FunctionTrees:
        """The function trees of dependencies: every word is a node over its dependents, named by its relation.

        A sentence is a list of pairs for its words: the head, counted from 1 (0 if there is none), and the relation.
        Trees that are not projective are made so first, by attaching words higher. `name` is that of the file.

        >>> FunctionTrees.from_dependencies([[(2, "nsubj"), (0, "root")]], names={"nsubj": "SBJ"})[0].nodes
        {(0, 1): frozenset({'SBJ'})}
        """
        made: list[FunctionTree | None] = []
        problems: list[Problem] = []
        for number, sentence in enumerate(sentences, 1):
            try:
                heads = [head for head, _ in sentence if head is not None]
            except (TypeError, ValueError):
                raise UsageError(f"sentence {number} is not a list of pairs (head, relation)") from None
            relations = [(names or {}).get(relation, relation) if labels else "" for _, relation in sentence]
            fault = _fault(heads) if len(heads) == len(sentence) else "there is a word whose head is not known"
            tree = None
            if fault is None:
                lifted = _projective(heads)
                if lifted is None:
                    fault = "this sentence is too long and too far from projective"
                else:
                    tree = _of_heads(lifted[0], relations)
                    if lifted[1]:
                        message = f"not projective: {number_of(lifted[1], 'step')} of attaching a word higher"
                        problems.append(Problem("non-projective", message, file=name, unit=number, action="scored so"))
            if fault is not None:
                problems.append(Problem("dependencies", fault, file=name, unit=number, action=LEFT_OUT))
            made.append(tree if sentence else None)
        return cls(made, name=name, problems=problems)


def _of_phrases(
    tree: Tree, labels: bool, apart: bool, names: Mapping[str, str], delete: frozenset[str]
) -> FunctionTree:
    """`apart`: functions stand apart from labels."""
    place = [0]  # of each word among those that are left
    for _, tag in tree.pos():
        place.append(place[-1] + (tag not in delete))
    nodes: list[tuple[Span, Iterable[str]]] = []
    for node in tree.nodes():
        span = place[node.start], place[node.end]
        if span[0] >= span[1]:
            continue
        if not labels:
            found = [""]
        elif apart:
            found = [node.function] if node.function else []
        else:
            found = functions_of(node.label)
        nodes.append((span, [names.get(it, it) for it in found]))
    return FunctionTree(place[-1], nodes)


def _fault(heads: Sequence[int]) -> str | None:
    """What is wrong with the heads of a sentence, if anything: they must lead to 0 from everywhere."""
    for word, head in enumerate(heads, 1):
        if not isinstance(head, int) or not 0 <= head <= len(heads):
            return f"the head of word {word} is {head!r}, and there are {number_of(len(heads), 'word')}"
    reached = [0] * (len(heads) + 1)
    reached[0] = -1
    for word in range(1, len(heads) + 1):
        at = word
        while not reached[at]:
            reached[at] = word
            at = heads[at - 1]
        if reached[at] == word:
            return f"word {at} depends on itself"
        at = word
        while reached[at] == word:
            reached[at] = -1
            at = heads[at - 1]
    return None


def _downwards(heads: Sequence[int]) -> list[int]:
    """All words, each behind its head."""
    below: list[list[int]] = [[] for _ in range(len(heads) + 1)]
    for word, head in enumerate(heads, 1):
        below[head].append(word)
    order: list[int] = []
    waiting = below[0][::-1]
    while waiting:
        word = waiting.pop()
        order.append(word)
        waiting += reversed(below[word])
    return order


def _extents(heads: Sequence[int]) -> tuple[list[int], list[int], list[int]]:
    """The first and the last word below each word, and how many there are; for 0, too."""
    first, last, size = list(range(len(heads) + 1)), list(range(len(heads) + 1)), [1] * (len(heads) + 1)
    for word in reversed(_downwards(heads)):
        head = heads[word - 1]
        size[head] += size[word]
        first[head], last[head] = min(first[head], first[word]), max(last[head], last[word])
    return first, last, size


def _projective(heads: Sequence[int]) -> tuple[list[int], int] | None:
    """Heads without crossing arcs, and in how many steps: the shortest wrong arc is attached one higher, and so on.

    An arc is wrong if a word between its ends is not below its head. None if it would take too long.

    >>> _projective([3, 0, 2, 1])
    ([2, 0, 2, 2], 2)
    """
    found = list(heads)
    first, last, size = _extents(found)
    if all(last[word] - first[word] + 1 == size[word] for word in range(1, len(found) + 1)):
        return found, 0
    steps = work = 0
    while True:
        order = _downwards(found)
        opened = {word: place for place, word in enumerate(order)}
        size = _extents(found)[2]
        wrong = None
        for word, head in sorted(enumerate(found, 1), key=lambda arc: (abs(arc[0] - arc[1]), arc[0])):
            if head == 0:
                continue
            low, high = min(word, head) + 1, max(word, head)
            work += high - low + 1
            begin, end = opened[head], opened[head] + size[head]
            if not all(begin <= opened[between] < end for between in range(low, high)):
                wrong = word
                break
        if wrong is None:
            return found, steps
        found[wrong - 1] = found[found[wrong - 1] - 1]
        steps += 1
        work += 10 * len(found)
        if work > _MOST_STEPS:
            return None


def _of_heads(heads: Sequence[int], relations: Sequence[str]) -> FunctionTree:
    first, last, _ = _extents(heads)
    nodes = (((first[word] - 1, last[word]), [relation]) for word, relation in enumerate(relations, 1))
    return FunctionTree(len(heads), nodes)


def generalised(golds: Sequence[FunctionTree]) -> FunctionTree:
    """What gold trees have in common: spans that all of them have, with the functions that all of them give.

    >>> a = FunctionTree(3, [((0, 2), ["SBJ", "TOPIC"]), ((2, 3), ["OBJ"])])
    >>> b = FunctionTree(3, [((0, 2), ["SBJ"]), ((2, 3), ["ADV"]), ((1, 2), ["DET"])])
    >>> generalised([a, b]).nodes
    {(0, 2): frozenset({'SBJ'})}
    """
    shared = []
    for span, functions in golds[0].nodes.items():
        if all(span in gold.nodes for gold in golds):
            shared.append((span, functions.intersection(*(gold.nodes[span] for gold in golds))))
    return FunctionTree(golds[0].length, shared)


class SchemeScore:
    """The score of one parser by its own annotation scheme: over all sentences, their mean, and a row for each.

    `rows` has `sentence`, `score`, `errors` (edits for which the parser is to blame), `test` and `general` (nodes of
    its tree and of the generalised gold); None where a sentence was left out.
    """

    __slots__ = ("name", "rows")

    def __init__(self, name: str, rows: dict[str, list[Any]]) -> None:
        self.name, self.rows = name, rows

    def _sum(self, *columns: str) -> int:
        return sum(value for column in columns for value in self.rows[column] if value is not None)

    @property
    def scored(self) -> int:
        """The number of sentences that were scored."""
        return len(self.rows["score"]) - self.rows["score"].count(None)

    @property
    def errors(self) -> int:
        """The edits of all sentences for which the parser is to blame."""
        return self._sum("errors")

    @property
    def nodes(self) -> int:
        """The nodes of the parser's trees and of the generalised gold."""
        return self._sum("test", "general")

    @property
    def value(self) -> float | None:
        """1 - errors / nodes, of all sentences; 1 if there are no nodes, None if there are no sentences."""
        if not self.scored:
            return None
        return 1 - self.errors / self.nodes if self.nodes else 1.0

    @property
    def sentence_mean(self) -> float | None:
        """The mean of the scores of sentences."""
        scores = [score for score in self.rows["score"] if score is not None]
        return sum(scores) / len(scores) if scores else None

    @property
    def exact(self) -> int:
        """Sentences without an error."""
        return self.rows["errors"].count(0)

    def __repr__(self) -> str:
        return f"<SchemeScore {self.name}: {'–' if self.value is None else f'{self.value:.4f}'}>"


class CrossFramework:
    """The scores of several parsers, each by its own scheme, on one scale; and what was wrong with their trees."""

    __slots__ = ("problems", "scores")

    def __init__(self, scores: Sequence[SchemeScore], problems: Sequence[Problem]) -> None:
        self.scores, self.problems = list(scores), list(problems)

    def __getitem__(self, scheme: int) -> SchemeScore:
        return self.scores[scheme]

    def __iter__(self) -> Iterator[SchemeScore]:
        return iter(self.scores)

    def __len__(self) -> int:
        return len(self.scores)

    def __repr__(self) -> str:
        return f"<CrossFramework: {', '.join(map(repr, self.scores))}>"


def cross_framework(
    golds: Sequence[FunctionTrees | Readable],
    tests: Sequence[FunctionTrees | Readable],
    *,
    names: Sequence[str] | None = None,
) -> CrossFramework:
    """Score parsers of different annotation schemes against what their gold trees have in common. Experimental.

    `golds` has the gold trees of each scheme, `tests` the parser's trees of each, in the same order: `FunctionTrees`,
    or whatever `treescore.read` takes, which is then turned into them.

    >>> gold1 = "(S (NP-SBJ (NN cats)) (VP (VBP eat) (NP-OBJ (NN fish))))"
    >>> gold2 = "(S (N-SBJ cats) (V eat) (N-OBJ fish))"
    >>> test2 = "(S (N-OBJ cats) (V eat) (N-OBJ fish))"
    >>> cross_framework([gold1, gold2], [gold1, test2])
    <CrossFramework: <SchemeScore scheme 1: 1.0000>, <SchemeScore scheme 2: 0.5000>>
    """
    if len(golds) != len(tests) or not golds:
        raise UsageError(f"each scheme needs gold and test trees: {len(golds)} and {len(tests)} were given")
    titles = list(names or (f"scheme {number}" for number in range(1, len(golds) + 1)))
    if len(titles) != len(golds):
        raise UsageError(f"{len(titles)} names for {number_of(len(golds), 'scheme')}")
    given = [[_as_function_trees(side) for side in sides] for sides in (golds, tests)]
    _check_numbers(given, titles)
    problems = {id(side): side.problems for sides in given for side in sides}
    found = [problem for listed in problems.values() for problem in listed]
    scores = [SchemeScore(title, {name: [] for name in ("sentence", *_FIGURES)}) for title in titles]
    for place in range(len(given[0][0])):
        trees = [side[place] for side in given[0]]
        has_gaps = any(place in side.discontinuous for sides in given for side in sides)  # which was reported
        complaint = None if has_gaps else _left_out(trees)
        if complaint:
            found.append(Problem("no-gold", complaint, unit=place + 1, action=LEFT_OUT))
        general = None if has_gaps or complaint else generalised([tree for tree in trees if tree is not None])
        for score, gold, side in zip(scores, trees, given[1], strict=True):
            row, problem = _row(side[place], gold, general)
            if problem:
                found.append(problem.replace(file=side.name, unit=place + 1))
            for name, value in {"sentence": place + 1, **row}.items():
                score.rows[name].append(value)
    return CrossFramework(scores, found)


def _as_function_trees(side: FunctionTrees | Readable) -> FunctionTrees:
    return side if isinstance(side, FunctionTrees) else FunctionTrees.from_trees(side)


def _check_numbers(given: Sequence[Sequence[FunctionTrees]], titles: Sequence[str]) -> None:
    for kind, sides in zip(("gold", "test"), given, strict=True):
        for title, side in zip(titles, sides, strict=True):
            if len(side) != len(given[0][0]):
                message = (
                    f"{number_of(len(side), 'sentence')} in {kind} of {title} "
                    f"but {len(given[0][0]):,} in gold of {titles[0]}"
                )
                raise InputError(Problem("unequal", message, file=side.name))


def _left_out(golds: Sequence[FunctionTree | None]) -> str | None:
    """Why a sentence cannot be scored, if so."""
    lengths = [0 if tree is None else tree.length for tree in golds]
    if None in golds:
        return "not every scheme has a gold tree"
    if len(set(lengths)) > 1:
        return f"the gold trees have different numbers of words: {', '.join(map(str, lengths))}"
    return None


def _row(
    test: FunctionTree | None, gold: FunctionTree | None, general: FunctionTree | None
) -> tuple[dict[str, Any], Problem | None]:
    """The figures of one sentence, and what was wrong with the test tree."""
    if gold is None or general is None:
        return dict.fromkeys(_FIGURES), None
    problem = None
    if test is None or test.length != gold.length:
        found = "no tree" if test is None else f"{number_of(test.length, 'word')}, and gold has {gold.length:,}"
        problem = Problem("unparsed" if test is None else "words", found, action="scored as if nothing were found")
        errors, size = len(general), 0
    else:
        errors, size = len(test.edits_to(general) - gold.edits_to(general)), len(test)
    most = size + len(general)
    row = {"score": 1 - errors / most if most else 1.0, "errors": errors, "test": size, "general": len(general)}
    return row, problem

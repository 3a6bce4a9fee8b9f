"""Trees of other libraries: nltk's own, and objects shaped like stanza's, supar's and benepar's; and tables for pandas.

Nothing of those libraries is imported by treescore: shapes are recognised, and that is checked in a fresh process.
"""

from __future__ import annotations

import importlib
import math
import subprocess
import sys
import warnings
from pathlib import Path
from random import Random
from typing import Any

import nltk
import pandas
import polars
import pytest
from command import COLLINS_PRM, evalb as evalb_command
from hypothesis import given
from strategies import RANDOMS, TREES, Phrase, Word, make_pairs, words_of, write

import treescore
from treescore import read
from treescore.integrations import huggingface
from treescore.integrations.benepar import FScore

TREE = "(S (NP (DT the) (NN cat)) (VP (VBZ sleeps)))"
OTHER = "(S (NP (DT the)) (VP (NN cat) (VBZ sleeps)))"

#: The parameters that benepar's copy of evalb uses.
NK_PRM = COLLINS_PRM + "".join(
    f"{line}\n"
    for line in (
        *(f"DELETE_LABEL {label}" for label in ("S1", "?", "!")),
        *(f"QUOTE_LABEL {label}" for label in ("``", "''", "POS", "NN", "CD", "VBZ", ":")),
        "MAX_ERROR 1000",
    )
)


class StanzaTree:
    """As in stanza.models.constituency.parse_tree: words are trees without children."""

    def __init__(self, label: str, children: tuple[StanzaTree, ...] = ()) -> None:
        self.label = label
        self.children = children


class StanzaSentence:
    """A sentence of a stanza document."""

    def __init__(self, constituency: StanzaTree | None) -> None:
        self.constituency = constituency


class SuparSentence:
    """As in supar.utils.transform: the columns of a sentence, one of which is an nltk tree."""

    def __init__(self, *values: Any) -> None:
        self.values = list(values)


class Underscore:
    """spaCy's extension attributes."""

    def __init__(self, parse_string: str) -> None:
        self.parse_string = parse_string


class SpacySpan:
    """A sentence parsed by benepar inside spaCy."""

    def __init__(self, parse_string: str) -> None:
        self._ = Underscore(parse_string)


def stanza(node: Phrase | Word) -> StanzaTree:
    """The same tree in stanza's shape."""
    if isinstance(node, Word):
        return StanzaTree(node.tag or "", (StanzaTree(node.text),))
    return StanzaTree(node.label, tuple(map(stanza, node.children)))


def as_nltk(node: Phrase | Word) -> Any:
    """The same tree as nltk's."""
    if isinstance(node, Word):
        return nltk.Tree(node.tag, [node.text])
    return nltk.Tree(node.label, [as_nltk(child) for child in node.children])


def from_nltk(text: str) -> Any:
    """A tree read by nltk."""
    return nltk.Tree.fromstring(text)


# ---------------------------------------------------------------------------------------------------------------------
# Shapes


@given(TREES)
def test_every_shape_is_read_like_brackets(tree: Phrase) -> None:
    expected = read(write(tree).encode(), form="brackets")
    shapes = [as_nltk(tree), stanza(tree), StanzaSentence(stanza(tree)), SuparSentence("x", None, as_nltk(tree))]
    for shape in shapes:
        assert read([shape]) == expected
        assert read([shape])[0].leaves == words_of(tree)
        assert read(shape) == expected
    assert read([SpacySpan(write(tree))]) == expected


def test_one_object_is_one_tree() -> None:
    singles: list[Any] = [from_nltk(TREE), SuparSentence(from_nltk(TREE)), SpacySpan(TREE), read(TREE)[0]]
    for single in singles:
        assert [str(tree) for tree in read(single)] == [TREE]


def test_lists_may_mix_shapes() -> None:
    items = [
        from_nltk(TREE),
        TREE,
        None,
        SpacySpan(TREE),
        SuparSentence(from_nltk(TREE)),
        read(TREE)[0],
        StanzaSentence(None),
    ]
    bank = read(items)
    assert [str(tree) for tree in bank] == [TREE, TREE, "()", TREE, TREE, TREE, "()"]
    assert [bank.line(index) for index in range(5)] == [1, 2, 3, 4, 5]


class Document:
    """As in stanza: sentences of a text."""

    def __init__(self, *sentences: StanzaSentence) -> None:
        self.sentences = list(sentences)


def test_documents_are_their_sentences() -> None:
    tree = StanzaTree("NN", (StanzaTree("a"),))
    document: Any = Document(StanzaSentence(tree), StanzaSentence(None))
    assert [str(tree) for tree in read(document)] == ["(NN a)", "()"]
    document.sentences = []
    assert len(read(document)) == 0


def test_a_parse_string_that_is_missing_is_no_text() -> None:
    assert [str(tree) for tree in read([SpacySpan(TREE), SpacySpan(None)])] == [TREE, "()"]  # type: ignore[arg-type]


def test_bytes_are_trees_too() -> None:
    assert [str(tree) for tree in read([TREE.encode(), None, b"(NN\n a)"])] == [TREE, "()", "(NN a)"]


def test_generators_and_tuples_of_objects() -> None:
    trees = (from_nltk(TREE), from_nltk(OTHER))
    assert read(trees) == read(iter(trees)) == read(list(trees)) == read(f"{TREE}\n{OTHER}")


@pytest.mark.parametrize("kind", [nltk.ParentedTree, nltk.ImmutableTree, nltk.tree.MultiParentedTree])
def test_other_trees_of_nltk(kind: Any) -> None:
    assert str(read([kind.convert(from_nltk(TREE))])[0]) == TREE


def test_unknown_objects_are_named() -> None:
    with pytest.raises(TypeError, match=r"item 2 is an object of type builtins\.int"):
        read([from_nltk(TREE), 7])
    with pytest.raises(TypeError, match=r"item 1 is an object of type builtins\.int"):
        read([StanzaSentence(7)])  # type: ignore[arg-type]


def test_broken_parse_string_of_one_sentence_is_a_problem() -> None:
    items = [SpacySpan(TREE), SpacySpan("(S (NN a)"), SpacySpan(TREE)]
    bank = read(items, on_error="keep")
    assert [str(tree) for tree in bank] == [TREE, "()", TREE]
    assert [(problem.code, problem.unit) for problem in bank.problems] == [("unclosed", 2)]


def test_parse_string_over_several_lines_is_one_sentence() -> None:
    assert [str(tree) for tree in read([SpacySpan(read(TREE)[0].pformat()), SpacySpan("(NN a)\n(NN b)")])] == [
        TREE,
        "(NN a) (NN b)",
    ]


def test_none_is_a_failed_parse() -> None:
    report = treescore.evaluate([from_nltk(TREE), from_nltk(TREE)], [from_nltk(TREE), None])
    total = report["parseval"].counts.total()
    assert (total["valid"], total["skipped"], total["sentences"]) == (1, 1, 2)
    assert [(problem.code, problem.unit) for problem in report.problems] == [("unparsed", 2)]
    parts = report["parseval"].parts
    assert (parts["recall"], parts["recall_all"], parts["precision_all"]) == (1.0, 0.5, 0.5)


def test_brackets_and_blanks_inside_words() -> None:
    tree = nltk.Tree("S", [nltk.Tree("-LRB-", ["("]), nltk.Tree("NN", ["New York"]), nltk.Tree("-RRB-", [")"])])
    bank = read([tree])
    assert bank[0].leaves == ["-LRB-", "New_York", "-RRB-"]
    assert str(bank[0]) == "(S (-LRB- -LRB-) (NN New_York) (-RRB- -RRB-))"
    assert read(str(bank[0])) == bank
    assert treescore.evaluate([tree], [str(bank[0])], "parseval|profile:none")["parseval"].parts["tag_accuracy"] == 1.0
    odd_label = nltk.Tree("NP (x)", [nltk.Tree("NN", ["a\nb\t(c)"])])
    assert read(str(read([odd_label])[0]))[0].leaves == ["a_b_-LRB-c-RRB-"]


def test_equal_treebanks_score_the_same() -> None:
    """A parser that works on raw words, and a treebank that escapes them: `==` says that they are equal."""
    raw, escaped = [nltk.Tree("S", [nltk.Tree("-LRB-", ["("]), nltk.Tree("NN", ["a"])])], ["(S (-LRB- -LRB-) (NN a))"]
    assert read(raw) == read(escaped)
    score = treescore.evaluate(escaped, raw, "parseval|profile:none")["parseval"]
    assert score.counts.total()["errors"] == 0


@pytest.mark.parametrize(
    "tree",
    [
        nltk.Tree("", ["the", "cat"]),
        nltk.Tree("NP", [""]),
        nltk.Tree("NP", ["", "b"]),
        nltk.Tree("NP", []),
        nltk.Tree("", []),
        nltk.Tree("", [nltk.Tree("", ["a"])]),
    ],
    ids=["words under no label", "empty word", "empty word first", "no children", "nothing", "no labels"],
)
def test_what_is_written_reads_back(tree: Any) -> None:
    """Or the tree is refused because it can't be written."""
    try:
        bank = read([tree])
    except (TypeError, treescore.InputError):
        return
    again = read([str(bank[0])])
    assert again == bank
    assert len(again[0].leaves) == len(bank[0].leaves)


def test_to_nltk() -> None:
    assert read(TREE)[0].to_nltk() == from_nltk(TREE)
    assert read("(NP the (NN cat))")[0].to_nltk() == nltk.Tree("NP", ["the", nltk.Tree("NN", ["cat"])])
    assert read(["(NN a) (NN b)"])[0].to_nltk() == nltk.Tree("", [nltk.Tree("NN", ["a"]), nltk.Tree("NN", ["b"])])
    child = read(TREE)[0].children[0]
    assert isinstance(child, treescore.Tree)
    assert child.to_nltk() == from_nltk("(NP (DT the) (NN cat))")


@given(TREES)
def test_there_and_back(tree: Phrase) -> None:
    bank = read(write(tree).encode(), form="brackets")
    assert read([bank[0].to_nltk()]) == bank


def test_nothing_is_imported() -> None:
    """Not even for objects of those shapes; nltk only where it is asked for."""
    code = """
import sys
import treescore
class Tree:
    def __init__(self, label, children=()):
        self.label, self.children = label, children
class Sentence:
    constituency = Tree("S", (Tree("NN", (Tree("a"),)),))
report = treescore.evaluate([Sentence(), Sentence.constituency, "(S (NN a))"], [None, "(S (NN a))", "(S (NN a))"])
str(report), report.to("html"), report.to("json"), report.rows()
treescore.evalb(["(S (NN a))"], ["(S (NN a))"])
heavy = ("nltk", "stanza", "supar", "spacy", "benepar", "torch", "torchmetrics", "evaluate", "numpy", "pandas",
         "polars", "pyarrow", "rich")
print([name for name in heavy if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False)
    assert (done.stdout, done.stderr) == ("[]\n", "")


def test_adapters_say_what_they_need(monkeypatch: pytest.MonkeyPatch) -> None:
    for package in ("torch", "torchmetrics", "spacy", "evaluate"):
        monkeypatch.setitem(sys.modules, package, None)  # as if it were not installed
    for adapter, needed in (("torchmetrics", "torch"), ("spacy", "spacy")):
        monkeypatch.delitem(sys.modules, f"treescore.integrations.{adapter}", raising=False)
        with pytest.raises(treescore.UsageError, match=f"needs {needed}, which is not installed; pip install"):
            importlib.import_module(f"treescore.integrations.{adapter}")
    with pytest.raises(treescore.UsageError, match=r"evaluate, which is not installed; .*treescore\[huggingface\]"):
        huggingface.load()


# ---------------------------------------------------------------------------------------------------------------------
# evalb(), as benepar calls it


def printed(gold: list[Any], test: list[Any], folder: Path) -> tuple[float, ...]:
    """Recall, precision, F, complete match and tagging accuracy of all sentences, as the command prints them."""
    for name, trees in (("gold", gold), ("test", test)):
        lines = ["(())" if tree is None else tree.pformat(margin=10**9) for tree in trees]
        (folder / name).write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    (folder / "nk.prm").write_text(NK_PRM)
    result = evalb_command(["-p", "nk.prm", "gold", "test"], folder)
    assert result.code == 0
    summary = result.stdout.decode().partition("-- All --")[2].partition("-- len<=40 --")[0]
    actual = dict(line.split("=") for line in summary.splitlines() if "=" in line)
    values = {name.strip(): float(value) for name, value in actual.items()}
    wanted = ("Bracketing Recall", "Bracketing Precision", "Bracketing FMeasure", "Complete match", "Tagging accuracy")
    return tuple(values[name] for name in wanted)


def figures(score: FScore) -> tuple[float, ...]:
    """The same five figures of `treescore.evalb`."""
    return (score.recall, score.precision, score.fscore, score.complete_match, score.tagging_accuracy)


def same(ours: tuple[float, ...], theirs: tuple[float, ...]) -> bool:
    """Equal to the last printed digit; nan equals nan."""
    return all(a == b or (math.isnan(a) and math.isnan(b)) for a, b in zip(ours, theirs, strict=True))


def nltk_pairs(rng: Random, number: int) -> tuple[list[Any], list[Any]]:
    """Random pairs as nltk trees, some of them failed."""
    pairs = make_pairs(rng, number, sound=True)
    gold = [read(gold.encode())[0].to_nltk() for gold, _ in pairs]
    test = [None if rng.random() < 0.1 else read(test.encode())[0].to_nltk() for _, test in pairs]
    return gold, test


@given(rng=RANDOMS)
def test_evalb_equals_what_the_command_prints(rng: Random, tmp_path: Path) -> None:
    gold, test = nltk_pairs(rng, rng.randint(1, 6))
    assert same(figures(treescore.evalb(gold, test)), printed(gold, test, tmp_path))


def test_evalb_equals_what_the_command_prints_on_many_trees(tmp_path: Path) -> None:
    gold, test = nltk_pairs(Random(5), 800)
    ours = treescore.evalb(gold, test)
    assert 10 < ours.fscore < 99
    assert same(figures(ours), printed(gold, test, tmp_path))


def chains(matched: int, gold: int, test: int) -> tuple[list[Any], list[Any]]:
    """One word under so many brackets, so many of them the same."""

    def chain(own: str, size: int) -> Any:
        tree = nltk.Tree("NN", ["a"])
        for number in range(size):
            tree = nltk.Tree("M" if number < matched else own, [tree])
        return tree

    return [chain("G", gold)], [chain("T", test)]


@pytest.mark.parametrize(
    ("matched", "gold", "test"),
    [(1, 7, 57), (2, 14, 114), (23, 160, 40), (49, 160, 160), (51, 60, 160), (93, 160, 100), (0, 3, 4), (5, 5, 5)],
)
def test_evalb_rounds_like_the_command(matched: int, gold: int, test: int, tmp_path: Path) -> None:
    pair = chains(matched, gold, test)
    assert same(figures(treescore.evalb(*pair)), printed(*pair, tmp_path))


def test_evalb_without_anything_to_count(tmp_path: Path) -> None:
    gold, test = [from_nltk(TREE)], [None]
    ours = treescore.evalb(gold, test)
    assert math.isnan(ours.fscore)
    assert same(figures(ours), printed(gold, test, tmp_path))


def test_evalb_refuses_different_numbers_of_trees() -> None:
    with pytest.raises(treescore.UnequalTreebanks, match=r"2 trees in .* but 1 in"):
        treescore.evalb([from_nltk(TREE), from_nltk(TREE)], [from_nltk(TREE)])


def test_evalb_shows_like_benepar() -> None:
    assert str(treescore.evalb([from_nltk(TREE)], [from_nltk(OTHER)])) == (
        "(Recall=33.33, Precision=33.33, FScore=33.33, CompleteMatch=0.00, TaggingAccuracy=100.00)"
    )


# ---------------------------------------------------------------------------------------------------------------------
# Reports


def test_problems_of_both_sides_are_counted() -> None:
    report = treescore.evaluate(["(S (NN a)"], ["(S (NN a)"])
    assert report.problem_counts() == {"unclosed": 2}
    assert len({str(problem) for problem in report.problems}) == 2


def test_problems_of_slices_have_the_numbers_of_the_whole() -> None:
    gold = read("(NN a)\n(S (NN b))\n(S (NN c))\n(S (NN d))\n")
    test = read("(NN a)\n(S (NN x))\n(S (NN c)\n(S (NN d))\n", on_error="keep")
    whole = treescore.evaluate(gold, test, "parseval|profile:none")
    part = treescore.evaluate(gold[1:], test[1:], "parseval|profile:none")
    assert sorted(problem.unit or 0 for problem in whole.problems) == [2, 3]
    assert sorted(problem.unit or 0 for problem in part.problems) == [2, 3]
    assert sorted(problem.line or 0 for problem in part.problems) == [2, 3]


def test_rows_into_pandas_and_polars() -> None:
    gold, test = [TREE, TREE, OTHER], [TREE, None, TREE]
    rows = treescore.evaluate(gold, test, "parseval|profile:none").rows()
    frame = pandas.DataFrame(rows)
    assert list(frame["sentence"]) == [1, 2, 3]
    assert list(frame["matched"]) == [3, 0, 1]
    assert frame["f1"].isna().tolist() == [False, True, False]
    assert frame.dtypes["matched"].kind == "i"
    assert frame.dtypes["f1"].kind == "f"
    table = polars.DataFrame(rows)
    assert table.shape == frame.shape
    assert table["f1"].null_count() == 1
    assert table["gold"].sum() == frame["gold"].sum() == 6
    assert table.schema["matched"] == polars.Int64
    assert table.schema["f1"] == polars.Float64


def test_rows_of_one_of_several_metrics() -> None:
    report = treescore.evaluate([TREE], [OTHER], ["parseval|profile:none", "parseval|profile:none|labels:no"])
    signatures = [score.signature for score in report]
    assert [report.rows(signature)["gold"] for signature in signatures] == [[3], [3]]
    with pytest.raises(KeyError, match="not unique"):
        report["parseval"]
    with pytest.raises(KeyError, match="no score"):
        report["nonsense"]


def test_the_same_metric_twice() -> None:
    report = treescore.evaluate([TREE], [OTHER], ["parseval", "parseval"])
    for form in ("table", "json", "jsonl", "csv", "markdown", "latex", "html"):
        assert report.to(form, per_sentence=True)
        assert report.to(form, by="label")


def test_compare() -> None:
    comparison = treescore.compare([TREE, TREE], {"a": [TREE, OTHER], "b": [OTHER, OTHER], "c": [TREE, None]})
    assert comparison.wins("a", "b") == {"a": 1, "b": 0, "equal": 1, "undefined": 0}
    assert comparison.wins("a", "c") == {"a": 1, "c": 0, "equal": 1, "undefined": 0}
    difference = comparison.difference("a", "b")
    assert difference is not None
    assert difference > 0
    assert comparison["c"]["parseval"].value == 1.0


def test_chunk_trees_have_pairs_of_word_and_tag() -> None:
    tree = nltk.Tree(
        "S", [nltk.Tree("NP", [("the", "DT"), ("cat", "NN")]), ("sat", "VBD"), nltk.Tree("NP", [("x", "NN")])]
    )
    assert str(read([tree])[0]) == "(S (NP (DT the) (NN cat)) (VBD sat) (NP (NN x)))"


GARBAGE = ["I cannot parse this.", OTHER.replace("cat", "dog"), TREE[:-2], TREE]


def test_evalb_counts_failed_sentences_and_warns_once() -> None:
    """A model that fails on three of four sentences has no perfect score."""
    with pytest.warns(UserWarning, match="3 of 4 sentences failed") as caught:
        output = treescore.evalb([TREE] * 4, GARBAGE)
    assert len(caught) == 1
    assert (output.fscore, output.fscore_all) == (100.0, 25.0)
    assert (output.failed, output.skipped, output.total) == (3, 0, 4)


def test_an_undefined_score_is_nan_and_a_warning() -> None:
    with pytest.warns(UserWarning, match="Labelled F1 is undefined, and 0.00 if they count as wrong") as caught:
        output = treescore.evalb([TREE], ["()"])
    assert len(caught) == 1
    assert math.isnan(output.fscore) and (output.fscore_all, output.failed) == (0.0, 1)
    with pytest.warns(UserWarning, match="f1 is undefined: no sentence could be scored"):
        assert math.isnan(treescore.evalb(["(S (. .))"], ["(S (. .))"]).fscore)
    with pytest.warns(UserWarning, match="F is undefined"):
        output = treescore.evalb(["(S (NP (NN a)) (VB b))"], ["(X (Y (NN a) (VB b)))"])
    assert math.isnan(output.fscore) and output.fscore_all == 0.0


def test_scorers_have_problems_and_coverage() -> None:
    scorer = treescore.Scorer(["parseval", "struct_iou"])
    scorer.update([TREE] * 4, GARBAGE)
    with pytest.warns(UserWarning, match="failed") as caught:
        computed = scorer.compute()
    assert len(caught) == 2  # once for each metric
    assert (computed.failed, computed.coverage, computed["parseval"].all) == (3, 0.25, 0.25)
    assert sum(computed.problems.values()) == sum(scorer.problems.values()) > 0
    score = computed["struct_iou"]  # another word is no failure where words need not be the same
    assert score.coverage == 0.5 and score.all is not None and score.value is not None and score.all < score.value
    sound = treescore.Scorer()
    sound.update([TREE], [TREE])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert sound.compute().coverage == 1.0

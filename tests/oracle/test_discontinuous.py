"""Discontinuous trees against a plain model on sets of words, and what must hold whatever the trees."""

from __future__ import annotations

import pickle
from random import Random

import pytest
from oracle import discontinuous as model
from oracle.discontinuous import Phrase, Rules

import treescore
from treescore.metrics.functions import Functions
from treescore.metrics.parseval import Parseval
from treescore.place.pair import Pair

RULES = [
    Rules(),
    Rules(labels=False),
    Rules(delete=("ROOT", ",", "$.")),
    Rules(delete=("ROOT", ","), delete_by="gold"),
    Rules(only="discontinuous"),
    Rules(only="discontinuous", delete=(",", "$."), delete_by="gold"),
    Rules(least_width=2, root="drop-whole", duplicates="drop", labels=False),
    Rules(root="drop-outermost", duplicates="drop"),
]


@pytest.fixture(params=range(40))
def rng(request: pytest.FixtureRequest) -> Random:
    """Where random trees come from."""
    return Random(request.param)


def parseval(rules: Rules) -> Parseval:
    return Parseval(
        "none",
        delete=rules.delete,
        delete_by=rules.delete_by,
        labels=rules.labels,
        only=rules.only,
        least_width=rules.least_width,
        root=rules.root,
        duplicates=rules.duplicates,
        cut="",
    )


def make_pair(rng: Random, gaps: float = 0.5) -> tuple[Phrase, Phrase]:
    """Two trees over the same words, near each other or not."""
    words = model.make_sentence(rng)
    gold = model.make_tree(rng, words, gaps)
    return gold, model.changed(rng, gold) if rng.random() < 0.7 else model.make_tree(rng, words, gaps)


def read(trees: list[Phrase], rng: Random | None = None) -> treescore.Treebank:
    text = "".join(model.written(tree, rng) + "\n" for tree in trees)
    return treescore.read(text.encode(), form="discbracket")


def check(pairs: list[tuple[Phrase, Phrase]], rng: Random | None = None) -> None:
    gold, test = (read([pair[side] for pair in pairs], rng) for side in (0, 1))
    for rules in RULES:
        rows = parseval(rules).counts(Pair(gold, test))
        for row, (first, other) in enumerate(pairs):
            expected = model.counts(first, other, rules)
            actual = rows.row(row)
            assert bool(actual["valid"]) == (expected is not None), rules
            if expected is not None:
                assert {name: actual[name] for name in expected} == expected, (rules, row)


def test_counts(rng: Random) -> None:
    check([make_pair(rng) for _ in range(rng.randint(1, 4))], rng)


def test_threads_and_parts_do_not_matter() -> None:
    rng = Random(6)
    pairs = [make_pair(rng, gaps=rng.choice((0, 0.5))) for _ in range(700)]
    gold, test = (read([pair[side] for pair in pairs]) for side in (0, 1))
    for metric in (*map(parseval, RULES), Functions("none")):
        whole = metric.counts(Pair(gold, test))
        assert metric.counts(Pair(gold, test), threads=5) == whole
        parts = [metric.counts(Pair(gold[a : a + 100], test[a : a + 100])) for a in range(0, 700, 100)]
        assert treescore.Counts.concatenated(parts) == whole
        assert treescore.metric(metric.signature).counts(Pair(gold, test)) == whole


def test_counts_of_many() -> None:
    rng = Random(7)
    check([make_pair(rng, gaps=rng.choice((0, 0.2, 0.8))) for _ in range(1_500)], rng)


@pytest.mark.parametrize("rules", [Rules(), Rules(delete=("ROOT", ","), delete_by="gold"), Rules(labels=False)])
def test_functions(rules: Rules) -> None:
    rng = Random(9)
    pairs = [make_pair(rng) for _ in range(600)]
    gold, test = (
        treescore.read("".join(model.in_export(pair[side], str(n)) for n, pair in enumerate(pairs)).encode())
        for side in (0, 1)
    )
    metric = Functions("none", delete=rules.delete, delete_by=rules.delete_by, labels=rules.labels, cut="")
    rows = metric.counts(Pair(gold, test))
    total: dict[str, int] = {"matched": 0, "gold": 0, "test": 0}
    for row, (first, other) in enumerate(pairs):
        expected = model.function_counts(first, other, rules)
        actual = rows.row(row)
        assert bool(actual["valid"]) == (expected is not None)
        if expected is not None:
            assert {name: actual[name] for name in expected} == expected, row
            total = {name: total[name] + expected[name] for name in total}
    assert total["matched"] > 1_000
    by_name = metric.breakdown("label", Pair(gold, test), rows)
    assert set(by_name) == {"SB", "OA", "HD"}
    assert sum(figures["recall"].above or 0 for figures in by_name.values()) == total["matched"]
    assert sum(figures["precision"].below or 0 for figures in by_name.values()) == total["test"]


def test_functions_in_labels_count_like_those_kept_apart(rng: Random) -> None:
    pairs = [make_pair(rng) for _ in range(3)]
    texts = ["".join(model.in_export(pair[side], str(n)) for n, pair in enumerate(pairs)).encode() for side in (0, 1)]
    metric = Functions("none")
    apart, added = (
        metric.counts(Pair(*(treescore.read(text, functions=functions) for text in texts)))
        for functions in ("apart", "add")
    )
    assert apart.total() == added.total()


def test_swapping_sides(rng: Random) -> None:
    pairs = [make_pair(rng) for _ in range(3)]
    gold, test = (read([pair[side] for pair in pairs]) for side in (0, 1))
    for rules in RULES:
        if rules.delete_by == "gold":
            continue
        metric = parseval(rules)
        there, back = metric.counts(Pair(gold, test)).total(), metric.counts(Pair(test, gold)).total()
        for a, b in (("gold", "test"), ("matched", "matched"), ("unlabelled", "unlabelled"), ("exact", "exact")):
            assert there[a] == back[b], rules


def test_a_tree_against_itself(rng: Random) -> None:
    bank = read([make_pair(rng)[0] for _ in range(3)])
    for rules in RULES:
        total = parseval(rules).counts(Pair(bank, bank)).total()
        assert total["matched"] == total["gold"] == total["test"] == total["unlabelled"]
        assert (total["crossing"], total["errors"]) == (0, 0)


def test_the_order_of_words_does_not_matter(rng: Random) -> None:
    """Sets of words match or cross whatever the order of the sentence, as long as it is the same on both sides and the
    same words are deleted.
    """
    gold, test = make_pair(rng)
    order = list(range(len(model.words_of(gold))))
    rng.shuffle(order)
    moved = [read([tree]) for item in (gold, test) if isinstance(tree := model.moved_words(item, order), Phrase)]
    for rules in RULES:
        deletes_alike = not rules.delete or rules.delete_by == "gold"
        if rules.only == "all" and rules.root != "drop-outermost" and deletes_alike:
            metric = parseval(rules)
            assert metric.counts(Pair(read([gold]), read([test]))).total() == metric.counts(Pair(*moved)).total(), rules


def test_continuous_trees_count_the_same_as_sets(rng: Random) -> None:
    """Behind both trees stand three words that are deleted, and a phrase with a gap over two of them: now the trees are
    discontinuous, and nothing else has changed.
    """
    gold, test = make_pair(rng, gaps=0)
    test = model.make_tree(rng, model.words_of(gold), gaps=0) if rng.random() < 0.9 else test
    first = len(model.words_of(gold))
    extra = [model.Word(first + n, "x", "DEL") for n in range(3)]

    def with_gap(tree: Phrase) -> Phrase:
        return Phrase(tree.label, (*tree.children, Phrase("GAP", (extra[0], extra[2])), extra[1]))

    plain, gapped = ([read([change(tree)]) for tree in (gold, test)] for change in (lambda tree: tree, with_gap))
    assert all(bank.is_discontinuous for bank in gapped)
    for rules in RULES:
        if rules.only == "discontinuous":
            continue
        metric = parseval(Rules(**{**vars(rules), "delete": (*rules.delete, "DEL", "GAP")}))
        for label in ("precision", "recall"):
            items = [metric.score(metric.counts(Pair(*banks))).figures for banks in (plain, gapped)]
            assert items[0][label] == items[1][label]
        totals = [metric.counts(Pair(*banks)).total() for banks in (plain, gapped)]
        assert totals[0] == totals[1], rules


def test_continuous_trees_are_read_as_from_plain_brackets(rng: Random) -> None:
    tree = make_pair(rng, gaps=0)[0]
    numbered = read([tree], rng)
    if numbered.is_discontinuous:  # words that were moved up
        return
    plain = treescore.read(str(numbered[0]), form="brackets")
    assert plain == numbered
    assert plain[0].spans() == numbered[0].spans()
    metric = Parseval("none")
    assert metric.counts(Pair(plain, numbered)) == metric.counts(Pair(plain, plain))


def test_what_is_written_is_read_again(rng: Random) -> None:
    trees = [make_pair(rng)[0] for _ in range(rng.randint(1, 3))]
    bank = read(trees, rng)
    assert treescore.read("".join(line + "\n" for line in bank.lines()).encode()) == bank
    assert treescore.read("".join(line + "\n" for line in bank.lines(form="discbracket", pretty=True)).encode()) == bank
    assert treescore.read([str(tree) for tree in bank]) == bank
    assert treescore.read(list(bank)) == bank
    assert pickle.loads(pickle.dumps(bank)) == bank
    assert bank[:1] + bank[1:] == bank
    assert bank.select(range(len(bank))) == bank
    for tree, expected in zip(bank, trees, strict=True):
        assert str(tree) in (model.written(expected), treescore.read(model.written(expected))[0].pformat(pretty=False))
        assert pickle.loads(pickle.dumps(tree)) == tree
        phrases = model.phrases_of(expected)
        assert [span.label for span in tree.spans()] == [phrase.label for phrase in phrases]
        for span, phrase in zip(tree.spans(), phrases, strict=True):
            inside = model.places(phrase)
            assert (span.start, span.end) == (min(inside), max(inside) + 1)
            assert span.positions == (tuple(sorted(inside)) if model.has_gap(inside) else None)
        for node in tree.nodes():
            words = [(tree.leaves[place], tree.pos()[place][1]) for place in node.positions]
            assert node.pos() == words
            assert node.leaves == [word for word, _ in words]
            again = pickle.loads(pickle.dumps(node))
            assert (again.leaves, again.pos(), again.height) == (node.leaves, node.pos(), node.height)
            assert [part.label for part in again.nodes()] == [part.label for part in node.nodes()]
            assert again.is_discontinuous == any(
                model.has_gap(frozenset(again.positions.index(place) for place in part.positions))
                for part in again.nodes()
            )
        assert treescore.read([tree.to_nltk()])[0] == tree


@pytest.mark.parametrize(("lemmas", "extras"), [(False, False), (True, False), (False, True), (True, True)])
def test_export_is_the_same_tree(rng: Random, lemmas: bool, extras: bool) -> None:
    trees = [make_pair(rng)[0] for _ in range(rng.randint(1, 3))]
    text = "".join(model.in_export(tree, str(n), lemmas=lemmas, extras=extras) for n, tree in enumerate(trees))
    if extras:
        text = f"%% made up\n#FORMAT {3 + lemmas}\n#BOT ORIGIN\n0\t#BOS 1\n#EOT ORIGIN\n" + text.replace("\n", "\r\n")
    bank = treescore.read(text.encode())
    assert bank == read(trees)
    assert bank.ids == tuple(str(n) for n in range(len(trees)))
    check_functions(bank, trees)


def test_tiger_is_the_same_tree(rng: Random) -> None:
    trees = [make_pair(rng)[0] for _ in range(rng.randint(1, 3))]
    sentences = "".join(model.in_tiger(tree, f"s{n}") for n, tree in enumerate(trees))
    text = f"<?xml version='1.0' encoding='utf-8'?>\n<corpus id='c'><head/><body>\n{sentences}</body></corpus>\n"
    bank = treescore.read(text.encode())
    assert bank == read(trees)
    assert bank.ids == tuple(f"s{n}" for n in range(len(trees)))
    check_functions(bank, trees)


def check_functions(bank: treescore.Treebank, trees: list[Phrase]) -> None:
    for tree, expected in zip(bank, trees, strict=True):
        phrases = [node for node in tree.nodes() if not node.is_preterminal]
        assert [node.function for node in phrases] == [phrase.function for phrase in model.phrases_of(expected)]
        words = {node.positions[0]: node.function for node in tree.nodes() if node.is_preterminal}
        assert words == {word.place: word.function for word in model.words_of(expected)}


@pytest.mark.parametrize("name", ["struct_iou", "tree_distance", "sparseval"])
def test_other_metrics_leave_them_out_and_say_so(rng: Random, name: str) -> None:
    pairs = [make_pair(rng) for _ in range(3)]
    gold, test = (read([pair[side] for pair in pairs]) for side in (0, 1))
    report = treescore.evaluate(gold, test, name)
    refused = sum(first.is_discontinuous or other.is_discontinuous for first, other in zip(gold, test, strict=True))
    assert report.problem_counts().get("discontinuous", 0) == refused
    assert report.scores[0].counts.total()["errors"] == refused

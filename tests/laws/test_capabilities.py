"""Every metric can handle what it declares, and reports what it cannot."""

from __future__ import annotations

from array import array

import pytest
from gapped_trees import SAME_EXTENTS
from laws.test_laws import ALL
from strategies import spoken

import treescore
from treescore import metrics
from treescore.metrics.base import Metric
from treescore.place.pair import Pair

CONLLU = "1\tdogs\tdog\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tbark\tbark\tVERB\t_\t_\t0\troot\t_\t_\n\n"
GOLD = "(S (NP (DT the) (NN cat)) (VP (VB sleeps)))"
TEST = "(S (NP (DT the)) (VP (NN cat) (VB sleeps)))"


def timed(text: str) -> treescore.Treebank:
    """Trees with one second for each word."""
    bank = treescore.read(text)
    times = array("d")
    for index in range(len(bank)):
        for word in range(bank.native.leaf_count(index)):
            times.extend((word, word + 1))
    return bank.with_times(times)


def codes(metric: Metric, pair: Pair) -> list[str]:
    """What kinds of problems the metric finds."""
    return [problem.code for problem in metric.problems(pair, metric.counts(pair))]


@pytest.mark.parametrize("metric", ALL, ids=str)
def test_discontinuous_trees(metric: Metric) -> None:
    pair = Pair(*map(timed, SAME_EXTENTS))
    total = metric.counts(pair).total()
    if metric.takes_discontinuous:
        assert total["valid"] and "discontinuous" not in codes(metric, pair)
    else:
        assert "discontinuous" in codes(metric, pair)


@pytest.mark.parametrize("metric", ALL, ids=str)
def test_times(metric: Metric) -> None:
    """Metrics that need times refuse trees without them, and no others do."""
    assert metric.needs_times == metric.axis.needs_times
    pair = Pair(treescore.read(GOLD), treescore.read(TEST))
    if metric.needs_times:
        with pytest.raises(treescore.InputError, match="times"):
            metric.counts(pair)
    else:
        metric.counts(pair)
    metric.counts(Pair(spoken(pair.gold), spoken(pair.test)))


@pytest.mark.parametrize("metric", ALL, ids=str)
def test_numbers_of_trees(metric: Metric) -> None:
    """Metrics that pair trees refuse unequal numbers, where they are asked for by name."""
    gold, test = timed(f"{GOLD} {GOLD}"), timed(GOLD)
    if metric.pairs_trees:
        with pytest.raises((treescore.InputError, ValueError)):
            metric.counts(Pair(gold, test))
    else:
        metric.counts(Pair(gold, test))


@pytest.mark.parametrize("metric", ALL, ids=str)
def test_rows(metric: Metric) -> None:
    """A row is about a sentence of gold where it is said to be, and parts of the input then give parts of the rows."""
    pair = Pair(timed(f"{GOLD} {TEST} {GOLD}"), timed(f"{TEST} {TEST} {GOLD}"))
    counts = metric.counts(pair)
    if metric.row_unit == "sentence" and metric.pairs_trees:
        assert len(counts) == len(pair.gold)
        assert list(metric.gold_sentences(counts) or ()) == [0, 1, 2]
    if metric.takes_parts:
        parts = [metric.counts(pair[:1]), metric.counts(pair[1:])]
        assert (parts[0] + parts[1]).total() == counts.total()


@pytest.mark.parametrize("metric", ALL, ids=str)
def test_nodes(metric: Metric) -> None:
    """What metrics say about nodes, and where leaves stand for those that judge them."""
    pair = Pair(timed(GOLD), timed(TEST))
    if metric.judges_nodes:
        assert len(metric.verdicts(pair)) == 1
        assert metric.placed(pair).axis == metric.axis
        assert [len(leaves) for leaves in metric.placed(pair)[0]] == [3, 3]
    else:
        with pytest.raises(treescore.UsageError, match="judge single nodes"):
            metric.verdicts(pair)
    if metric.maps_nodes:
        assert len(metric.node_mappings(pair)) == 1
    else:
        with pytest.raises(treescore.UsageError, match="no node mappings"):
            metric.node_mappings(pair)


@pytest.mark.parametrize("name", metrics.names())
def test_what_is_compared(name: str) -> None:
    """Trees or CoNLL-U."""
    from treescore.readers.conllu import read_conllu

    metric = metrics.get(name)
    if metric.reads == "conllu":
        bank = read_conllu(CONLLU)
        assert metric.score(metric.counts(Pair(bank, bank))).value == 1
    else:
        assert metric.reads == "trees"


def test_axes_that_are_not_said() -> None:
    with pytest.raises(treescore.UsageError, match="does not say where words stand"):
        metrics.get("leaf_ancestor").placed(Pair(timed(GOLD), timed(TEST)))

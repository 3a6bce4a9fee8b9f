"""What every registered metric must obey, whatever the trees: ranges, symmetries, sums, order, threads, signatures."""

from __future__ import annotations

import pickle
from itertools import pairwise
from math import inf
from random import Random
from typing import Any

import pytest
from gapped_trees import SAME_EXTENTS
from hypothesis import given, settings, strategies as st
from strategies import (
    FAILED,
    PAIRS,
    RANDOMS,
    SOUND_PAIRS,
    TEXTS,
    Pairs,
    banks as written_banks,
    make_pairs,
    make_tree,
    make_words,
    spoken,
    write,
)

import treescore
import treescore._core
from treescore import metrics
from treescore.analysis import series
from treescore.metrics.citations import bibtex
from treescore.metrics.impossible import impossible
from treescore.metrics.parseval import Parseval
from treescore.place.pair import Pair
from treescore.profiles import PROFILES
from treescore.recipe import RECIPE_OPTIONS, Recipe
from treescore.significance import intervals
from treescore.values.option import Choice

LABELS = ("yes", "no")
PARSEVAL = [f"parseval|profile:{profile}|labels:{labels}" for profile in PROFILES for labels in LABELS]

#: Every metric of the registry that compares trees, PARSEVAL under every profile with and without labels.
REGISTERED = [
    metric
    for name in metrics.names()
    for metric in map(metrics.get, PARSEVAL if name == "parseval" else [name])
    if metric.reads == "trees"
]

#: Options that no profile sets, on top.
OPTIONS = [
    metrics.get(signature)
    for signature in (
        "sparseval|labels:no|align:bag|heads:hwa",
        "sparseval|gaps:common|governor:place|heads:semantic|edits:NP|closed-words:a",
        "sparseval|heads:none|delete:NN+VP|empty:PP|equal:NP=VP|equal-words:a=b|pauses:",
        "aligned_parseval|labels:no|contractions:none|text:none",
        "aligned_parseval|profile:collins|outer:ignored|text:nfkc+hangul|contractions:fr",
        "character_parseval|delete:NP+NN|delete-words:yes|equal:VP=PP+PP=S",
        "leaf_ancestor|variant:discodop|delete:NP+NN|delete-by:gold|equal:VP=PP",
        "leaf_ancestor|variant:spmrl|costs:workshop|labels:no|average:corpus|outer:ignored",
        "leaf_ancestor|variant:plain|costs:lcs|profile:collins",
        "disfluency|edits:NP+VP|disfluent:PP|cut:-=",
        "dependencies|heads:semantic|relation:function|text:exact|delete:",
        "dependencies|heads:charniak|relation:label|delete:NN+-NONE-",
        "struct_iou|labels:no|terminals:strict",
        "struct_iou|axis:characters|threshold:0.3|average:sentence",
        "struct_iou|profile:collins|outer:ignored",
        "struct_iou|delete:NP+NN|equal:VP=PP|compat:struct-iou-0.1",
        "struct_iou|terminals:strict|cut:-=|cut-tags:yes",
        "struct_iou|axis:seconds",
        # Not silent:keep: its leaves of no length match nothing, so that gold against itself is below 1.
        "struct_iou|axis:seconds|gaps:close|labels:no",
        "boundaries|tolerance:0|edges:yes",
        "boundaries|tolerance:0.5",
        "tedeval|labels:no|average:sentence",
        "tedeval|merge-preterminals:no|rename-cost:1|roots:counted",
        "tedeval|rename-cost:0.5|delete:NP+NN|equal:VP=PP|cut:-=",
    )
] + [
    metrics.get(f"parseval|{options}")
    for options in (
        "profile:none|root:drop-whole",
        "profile:compound-pcfg|labels:yes",
        "profile:collins|empty:perfect|average:sentence",
        "profile:none|duplicates:drop|root:drop-outermost",
        "profile:none|duplicates:members|root:drop-whole",
        "profile:none|equal:NP=VP+VP=PP+PP=S",
        "profile:collins|equal-words:a=b+b=c|least-width:2|least-words:3",
        "profile:spmrl|cut:|delete-words:yes",
        "profile:collins|delete-by:gold",
        "profile:spmrl|outer:ignored|labels:no",
        "profile:none|only:discontinuous|delete-forms:a",
    )
]
ALL = [*REGISTERED, *OPTIONS]
#: Those whose rows are pairs of trees. The others align a file as a whole, and its parts may be aligned otherwise.
PAIRED = [metric for metric in ALL if metric.pairs_trees]
ALIGNING = [metric for metric in ALL if not metric.pairs_trees]

#: Those that take trees as they are written; brackets have no times.
TIMELESS = [metric for metric in ALL if not metric.needs_times]

#: Gold is not counted like test here: a bracket counts if the other side has it at all, or gold tags delete words.
ONE_SIDED = [
    metric
    for metric in REGISTERED
    if isinstance(metric, Parseval)
    and (metric.recipe.duplicates == "members" or metric.recipe.delete_by == "gold" or metric.recipe.lengths != "same")
]


def is_one_by_itself(metric: treescore.Metric) -> bool:
    """Does gold have the best score against itself? Not if equal brackets match once, or if what is undefined is 0."""
    if not isinstance(metric, Parseval):
        return True
    recipe = metric.recipe
    return recipe.duplicates != "once" and recipe.empty != "zero" and not recipe.undefined.startswith("zero")


#: A pair to put before others: `evaluate` refuses files in which not one tree can be read.
READABLE = ("(S (NN a))", "(S (NN a))")


def banks(pairs: Pairs) -> tuple[treescore.Treebank, treescore.Treebank]:
    """Both sides of the pairs, with times, so that metrics that need them are tested with the others."""
    gold, test = written_banks(pairs)
    return spoken(gold), spoken(test)


def in_range(metric: treescore.Metric, figures: dict[str, treescore.Part]) -> bool:
    """Every figure that is defined lies in [0, 1]; amounts and error rates have no upper end, signed ones no lower."""
    return all(
        part.value is None
        or (-inf if name.removesuffix("_all") in metric.signed else 0)
        <= part.value
        <= (1 if part.percent and name.removesuffix("_all") not in metric.error_rates else inf)
        for name, part in figures.items()
    )


def groups_of(
    metric: treescore.Metric, by: str, gold: treescore.Treebank, test: treescore.Treebank
) -> dict[str, dict[str, treescore.Part]]:
    """The figures by label or length, if the metric has them."""
    try:
        return metric.breakdown(by, Pair(gold, test), metric.counts(Pair(gold, test)))
    except treescore.UsageError:
        assert by == "label"
        return {}


def added(*totals: dict[str, int]) -> dict[str, int]:
    """Column by column."""
    return {name: sum(total[name] for total in totals) for name in totals[0]}


def columns(counts: treescore.Counts) -> dict[str, bytes]:
    """All columns and notes as bytes."""
    return {name: values.tobytes() for name, values in (*counts.columns.items(), *counts.notes.items())}


# ---------------------------------------------------------------------------------------------------------------------
# Figures


@given(RANDOMS)
def test_gold_against_itself_is_one(rng: Random) -> None:
    lines = [write(make_tree(rng, make_words(rng, 8))) for _ in range(rng.randint(0, 5))]
    if rng.random() < 0.3:
        lines.append(rng.choice(FAILED))
    bank, again = banks([(line, line) for line in lines])
    for metric in filter(is_one_by_itself, ALL):
        score = metric.score(metric.counts(Pair(bank, again)))
        total = score.counts.total()
        assert total.get("errors", 0) == 0, metric
        assert total["exact"] == total["valid"], metric
        for name, part in score.figures.items():
            best = 1.0 if metric.goodness(name, 1.0) > 0 else 0.0
            assert part.value in (None, best), (metric, name)
        if "exact" in score.parts:
            assert (score.parts["exact"] is None) == (total["valid"] == 0), metric
        if isinstance(metric, Parseval):
            assert total["matched"] == total["gold"] == total["test"] == total["unlabelled"], metric
            assert total["tags"] == total["words"], metric
            assert total["valid"] == total["no_crossing"], metric
            assert (score.parts["f1"] is None) == (total["gold"] == 0), metric


def test_gold_against_itself_is_counted() -> None:
    bank = treescore.read(
        "(TOP (S (EDITED (DT a)) (NP-SBJ (DT the) (NN cat)) (VP (VBZ sleeps) (ADVP (RB very) (RB well)))))"
    )
    bank = spoken(bank)
    for metric in filter(is_one_by_itself, REGISTERED):
        assert metric.score(metric.counts(Pair(bank, bank))).value == 1.0, metric


@given(PAIRS)
def test_figures_stay_in_their_range(pairs: Pairs) -> None:
    gold, test = banks(pairs)
    for metric in ALL:
        counts = metric.counts(Pair(gold, test))
        score = metric.score(counts)
        assert in_range(metric, score.figures) and in_range(metric, score.all_figures), metric
        assert impossible(metric, counts.total()) is None, metric
        for row in range(len(counts)):
            single = metric.counts(Pair(gold[row : row + 1], test[row : row + 1]))
            assert in_range(metric, metric.score(single).figures), (metric, row)


@pytest.mark.parametrize("by", ["label", "length"])
@given(pairs=PAIRS)
def test_figures_of_groups_stay_in_their_range(pairs: Pairs, by: str) -> None:
    gold, test = banks(pairs)
    for metric in REGISTERED:
        for group, figures in groups_of(metric, by, gold, test).items():
            assert in_range(metric, figures), (metric, group, figures)


@given(PAIRS)
def test_groups_by_length_add_up(pairs: Pairs) -> None:
    gold, test = banks(pairs)
    for metric in REGISTERED:
        counts = metric.counts(Pair(gold, test))
        groups = groups_of(metric, "length", gold, test).values()
        if "recall" not in metric.group_figures:
            continue
        assert sum(figures["recall"].below or 0 for figures in groups) == counts.total()["gold"], metric
        assert sum(figures["precision"].below or 0 for figures in groups) == counts.total()["test"], metric


@given(PAIRS)
def test_groups_by_label_add_up(pairs: Pairs) -> None:
    """Where equal brackets count as often as they occur; a bracket that counts once may have several labels."""
    gold, test = banks(pairs)
    for metric in REGISTERED:
        if isinstance(metric, Parseval) and metric.recipe.duplicates != "keep":
            continue
        groups = groups_of(metric, "label", gold, test).values()
        if not groups or "recall" not in metric.group_figures:
            continue
        total = metric.counts(Pair(gold, test)).total()
        if isinstance(metric, Parseval):
            assert sum(figures["recall"].above or 0 for figures in groups) == total["matched"], metric
        assert sum(figures["recall"].below or 0 for figures in groups) == total["gold"], metric
        assert sum(figures["precision"].below or 0 for figures in groups) == total["test"], metric


@given(SOUND_PAIRS)
def test_swapping_sides_swaps_precision_and_recall(pairs: Pairs) -> None:
    """No word here is one of the quotation marks that the profile benepar mends: that works from the test side."""
    gold, test = banks(pairs)
    same = ("matched", "unlabelled", "exact", "words", "tags", "valid", "overlap", "distance", "sentence_score")
    for metric in REGISTERED:
        if metric in ONE_SIDED:
            continue
        there, back = metric.counts(Pair(gold, test)), metric.counts(Pair(test, gold))
        total, swapped = there.total(), back.total()
        assert (total["gold"], total["test"]) == (swapped["test"], swapped["gold"]), metric
        assert [total.get(name) for name in same] == [swapped.get(name) for name in same], metric
        figures, other = metric.score(there).parts, metric.score(back).parts
        if not isinstance(metric, Parseval):
            assert metric.score(there).value == metric.score(back).value, metric
        for prefix in ("", "unlabelled_"):
            assert figures.get(f"{prefix}precision") == other.get(f"{prefix}recall"), metric
            assert figures.get(f"{prefix}recall") == other.get(f"{prefix}precision"), metric
            assert figures.get(f"{prefix}f1") == other.get(f"{prefix}f1"), metric


@given(SOUND_PAIRS)
def test_swapping_sides_swaps_the_figures_of_each_sentence(pairs: Pairs) -> None:
    """Where both sides have brackets: what an empty side gets is up to the profile."""
    gold, test = banks(pairs)
    for metric in REGISTERED:
        there, back = metric.counts(Pair(gold, test)), metric.counts(Pair(test, gold))
        if isinstance(metric, Parseval) and metric.recipe.delete_by == "gold":
            continue
        for row in range(len(there)):
            if "sentence_f1" in there.columns and there["gold"][row] and there["test"][row]:
                assert there["sentence_precision"][row] == back["sentence_recall"][row], metric
                assert there["sentence_recall"][row] == back["sentence_precision"][row], metric
                assert there["sentence_f1"][row] == back["sentence_f1"][row], metric


def test_swapping_is_seen() -> None:
    """The law above is not about zeros only."""
    gold, test = treescore.read("(S (NP (NN a)) (VP (VB b)))"), treescore.read("(S (NN a) (VP (VB b)))")
    metric = Parseval("none")
    assert metric.score(metric.counts(Pair(gold, test))).parts["precision"] == 1.0
    assert metric.score(metric.counts(Pair(test, gold))).parts["recall"] == 1.0
    assert metric.score(metric.counts(Pair(gold, test))).parts["recall"] == 2 / 3


@pytest.mark.parametrize("metric", TIMELESS, ids=lambda metric: metric.signature)
@pytest.mark.parametrize("texts", [SAME_EXTENTS, SAME_EXTENTS[::-1]], ids=["gold", "test"])
def test_a_phrase_with_a_gap_is_not_its_extent(metric: treescore.Metric, texts: tuple[str, str]) -> None:
    """Where a metric cannot tell that words are missing from a phrase, it says so."""
    gold, test = map(treescore.read, texts)
    assert gold.is_discontinuous != test.is_discontinuous
    report = treescore.evaluate(gold, test, metric)
    assert report.scores[0].value != 1.0 or "discontinuous" in report.problem_counts()


# ---------------------------------------------------------------------------------------------------------------------
# Sums


@given(PAIRS, PAIRS)
def test_counts_of_a_concatenation_are_the_sum(first: Pairs, second: Pairs) -> None:
    parts = banks(first), banks(second)
    read_together = banks(first + second)
    put_together = parts[0][0] + parts[1][0], parts[0][1] + parts[1][1]
    for metric in PAIRED:
        apart = [metric.counts(Pair(gold, test)) for gold, test in parts]
        expected = added(*(counts.total() for counts in apart))
        assert (apart[0] + apart[1]).total() == expected, metric
        for gold, test in (read_together, put_together):
            together = metric.counts(Pair(gold, test))
            assert together.total() == expected, metric
            assert together == apart[0] + apart[1], metric


@given(PAIRS, RANDOMS)
def test_order_of_sentences_does_not_matter(pairs: Pairs, rng: Random) -> None:
    shuffled = list(pairs)
    rng.shuffle(shuffled)
    there, here = banks(pairs), banks(shuffled)
    for metric in PAIRED:
        assert metric.counts(Pair(*there)).total() == metric.counts(Pair(*here)).total(), metric


@given(PAIRS, st.integers(0, 5), st.integers(0, 5))
def test_slices_add_up_to_the_whole(pairs: Pairs, first: int, other: int) -> None:
    gold, test = banks(pairs)
    cuts = [0, *sorted((min(first, len(pairs)), min(other, len(pairs)))), len(pairs)]
    for metric in PAIRED:
        parts = [metric.counts(Pair(gold[a:b], test[a:b])) for a, b in pairwise(cuts)]
        whole = metric.counts(Pair(gold, test))
        assert added(*(part.total() for part in parts)) == whole.total(), metric
        assert columns(treescore.Counts.concatenated(parts)) == columns(whole), metric


@given(PAIRS, PAIRS)
def test_aligning_loses_nothing(first: Pairs, second: Pairs) -> None:
    """Whatever becomes of sentences and brackets without a partner, they count."""
    gold, test = banks(first)[0], banks(second)[1]
    for metric in ALIGNING:
        total = metric.counts(Pair(gold, test)).total()
        own, other = metric.counts(Pair(gold, gold)).total(), metric.counts(Pair(test, test)).total()
        assert (total["gold"], total["test"]) == (own["gold"], other["test"]), metric
        if "gold_sentences" in total:
            assert (total["gold_sentences"], total["test_sentences"]) == (len(gold), len(test)), metric
        assert total["matched"] <= min(total["gold"], total["test"]), metric


@given(PAIRS)
def test_collapsed_and_grouped_counts_keep_the_sum(pairs: Pairs) -> None:
    gold, test = banks(pairs)
    for metric in REGISTERED:
        counts = metric.counts(Pair(gold, test))
        groups = counts.grouped([str(row % 2) for row in range(len(counts))])
        assert counts.collapsed().total() == counts.total()
        assert metric.score(counts.collapsed()).parts == metric.score(counts).parts
        if groups:
            assert added(*(group.total() for group in groups.values())) == counts.total()


@pytest.mark.parametrize("metric", ALL, ids=lambda metric: metric.signature)
def test_number_of_threads_does_not_matter(metric: treescore.Metric) -> None:
    gold, test = banks(make_pairs(Random(1), 700))
    expected = columns(metric.counts(Pair(gold, test), threads=1))
    assert any(memoryview(expected["valid"]).cast("q"))
    for threads in (2, 3, 5, 64):
        assert columns(metric.counts(Pair(gold, test), threads=threads)) == expected, threads


def test_default_threads_and_progress_do_not_matter() -> None:
    gold, test = banks(make_pairs(Random(2), 2_500))
    seen = treescore._core.Progress()
    first, default, shown = (
        treescore.evaluate(gold, test, threads=threads, progress=progress)
        for threads, progress in ((1, None), (None, None), (2, seen))
    )
    assert columns(first.scores[0].counts) == columns(default.scores[0].counts) == columns(shown.scores[0].counts)
    assert first.problems == default.problems == shown.problems
    assert seen.total == 2_500


# ---------------------------------------------------------------------------------------------------------------------
# Intervals and series


@settings(max_examples=15)
@given(PAIRS)
def test_a_figure_alone_is_that_of_the_score(pairs: Pairs) -> None:
    gold, test = banks(pairs)
    for metric in REGISTERED:
        score = metric.score(metric.counts(Pair(gold, test)))
        for name, part in score.figures.items():
            assert metric.figure(score.counts.total(), name) == part.value, (metric, name)


@settings(max_examples=15)
@given(PAIRS)
def test_intervals_stay_in_the_range_of_their_figures(pairs: Pairs) -> None:
    gold, test = banks(pairs)
    for metric in REGISTERED:
        score = metric.score(metric.counts(Pair(gold, test)))
        figures = dict(score.figures)
        if score.is_partial:
            figures |= {f"{name}_all": part for name, part in score.all_figures.items()}
        result = intervals(metric, metric.counts(Pair(gold, test)), n=10, seed=0)
        assert list(result) == list(figures), metric
        for name, interval in result.items():
            if interval.low is None or interval.high is None:
                assert interval.undefined == 10 or (interval.scored or 0) < 2, (metric, name)  # one cannot vary
                continue
            assert interval.low <= interval.high, (metric, name)
            ends = (treescore.Part("", end, percent=figures[name].percent) for end in (interval.low, interval.high))
            assert all(in_range(metric, {name: end}) for end in ends), (metric, name)


@settings(max_examples=15)
@given(RANDOMS)
def test_the_interval_of_equal_sentences_is_a_point(rng: Random) -> None:
    gold, test = banks(make_pairs(rng, 1) * rng.randint(1, 4))
    for metric in PAIRED:
        counts = metric.counts(Pair(gold, test))
        parts = metric.score(counts).parts
        for name, interval in intervals(metric, counts, n=5).items():
            varies = len(counts) > 1 and (interval.scored is None or interval.scored > 1)
            expected = parts[name] if varies else None  # one row says nothing about others
            assert interval.low == interval.high == expected, (metric, name)


@settings(max_examples=15)
@given(PAIRS)
def test_series_tell_of_all_sentences(pairs: Pairs) -> None:
    report = treescore.evaluate(*banks([READABLE, *pairs]), REGISTERED)
    for metric, score in zip(report.metrics, report.scores, strict=True):
        spread, lengths = series.histogram(report, score.signature), series.by_length(report, score.signature)
        assert spread.n == len(score.counts) == sum(lengths.n) == spread.undefined + sum(spread.counts), metric
        assert sum(lengths.undefined) == spread.undefined, metric
        if len(score.counts):
            levels = series.levels(report, score.signature)
            assert levels.n[-1] == spread.n, metric
            assert levels.corpus[-1] == score.parts[metric.group_figures[0]], metric
            assert levels.mean[-1] == pytest.approx(spread.mean), metric
            mean = "sentence_f1" if isinstance(metric, Parseval) else "sentence"
            if mean in score.parts:
                assert spread.mean == pytest.approx(score.parts[mean]), metric
        try:
            labels = series.by_label(report, score.signature)
        except treescore.UsageError:
            continue
        assert len(labels.labels) == len(labels.gold) == len(labels.columns[0]), metric


# ---------------------------------------------------------------------------------------------------------------------
# Signatures


def lists(least: int = 0) -> st.SearchStrategy[tuple[str, ...]]:
    """Lists of labels with the characters that a signature uses itself, and with any others."""
    special = st.sampled_from(
        ["|", ":", "+", "%", "=", ",", "%7C", "a|b:c", "-NONE-", "é", "木", "\u00a0", "\udcff", " "]
    )
    return st.lists(special | TEXTS, min_size=least, max_size=4).map(tuple)


def pair_lists() -> st.SearchStrategy[tuple[tuple[str, str], ...]]:
    """Lists of pairs."""
    return st.tuples(lists(1), lists(1)).map(lambda both: tuple(zip(*both, strict=False)))


CHOICES = {option.argument: option.choices for option in RECIPE_OPTIONS if isinstance(option, Choice)}
#: A value for every option that a signature can carry.
CHANGES = st.fixed_dictionaries(
    {},
    optional={
        "labels": st.booleans(),
        "delete": lists(),
        "delete_words": st.booleans(),
        "delete_forms": lists(),
        "length_ignores": lists(),
        "quotes": lists(),
        "equal": pair_lists(),
        "equal_words": pair_lists(),
        "cut": st.text("-=#|:%+é木", max_size=3),
        "cut_start": st.booleans(),
        "cut_tags": st.booleans(),
        "cut_delete": st.booleans(),
        "least_width": st.integers(0, 5),
        "least_words": st.integers(0, 5),
        "longest": st.none() | st.integers(0, 9),
        **{name: st.sampled_from(list(choices)) for name, choices in CHOICES.items()},
    },
)


@pytest.mark.parametrize("metric", ALL, ids=lambda metric: metric.signature)
def test_signature_parses_back(metric: treescore.Metric) -> None:
    again = metrics.get(metric.signature)
    assert again == metric
    assert again.signature == metric.signature
    gold, test = banks(make_pairs(Random(3), 200))
    assert columns(again.counts(Pair(gold, test))) == columns(metric.counts(Pair(gold, test)))


@given(st.sampled_from(sorted(PROFILES)), CHANGES, PAIRS)
def test_signature_with_any_options_parses_back(profile: str, changes: dict[str, Any], pairs: Pairs) -> None:
    try:
        metric = Parseval(profile, **changes)
    except ValueError as problem:  # sets of brackets need labels that are equal to each other
        assert "A=C" in str(problem)
        return
    again = metrics.get(metric.signature)
    assert isinstance(again, Parseval)
    assert again.recipe == metric.recipe
    assert again == metric
    assert hash(again) == hash(metric)
    assert all(" " < character < "\x7f" for character in metric.signature)
    gold, test = banks(pairs)
    assert again.counts(Pair(gold, test)) == metric.counts(Pair(gold, test))


def another(name: str, value: object) -> object:
    """A value of an option other than this one."""
    if name in CHOICES:
        return next(choice for choice in CHOICES[name] if choice != value)
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if name == "text":
        return "nfc"
    if isinstance(value, str):
        return value + "#"
    if value is None:
        return 40
    return (("A", "B"),) if name.startswith("equal") else ("X",)


@pytest.mark.parametrize("name", Recipe().values())
def test_every_option_changes_the_signature(name: str) -> None:
    """Metrics that may count differently must not share a signature."""
    base = Parseval("none")
    change: dict[str, Any] = {name: another(name, getattr(base.recipe, name))}
    if name in ("overlook_length", "count_faulty"):  # for the evalb commands only
        with pytest.raises(treescore.SignatureError):
            Parseval("none", **change)
        return
    changed = Parseval("none", **change)
    assert changed.recipe != base.recipe
    assert changed != base
    assert changed.signature != base.signature


def test_signature_keeps_an_empty_label() -> None:
    """The outer bracket of a treebank often has no label: ( (S …))."""
    metric = Parseval("none", delete=("",))
    again = metrics.get(metric.signature)
    assert isinstance(again, Parseval)
    assert again.recipe.delete == ("",)


def test_signature_of_a_parameter_file_parses_back() -> None:
    metric = Parseval(prm=b"DELETE_LABEL TOP\nEQ_LABEL ADVP PRT\nLABELED 0\n")
    assert metrics.get(metric.signature) == metric
    assert metric != Parseval(prm=b"DELETE_LABEL TOP\n")


@pytest.mark.parametrize(
    "signature",
    [
        "",
        "nonsense",
        "parseval|",
        "parseval|labels",
        "parseval|labels:maybe",
        "parseval|profile:nobody",
        "parseval|labels:no|labels:no",
        "parseval|colour:red",
        "parseval|root:somewhere",
        "parseval|least-width:-1",
        "parseval|least-width:x",
        "parseval|least-width:99999999999999999999",
        "parseval|least-words:99999999999",
        "parseval|delete:%G1",
        "parseval|longest:-1",
        "parseval|least-width:9999999999",
        "parseval|delete:%ZZ",
        "parseval|equal:A",
        "parseval|prm:no-such-file.prm",
        "parseval|prm:0123456789ab",
        "dependencies|heads:none",
        "dependencies|heads:no-such-table",
        "dependencies|relation:edge",
        "dependencies|unit:word",
        "dependencies|text:raw",
        "dependencies|colour:red",
        "conllu_eval|text:other",
        "conllu_eval|enhanced:perhaps",
        "conllu_eval|heads:collins",
        "struct_iou|terminals:loose",
        "struct_iou|axis:time",
        "struct_iou|threshold:2",
        "struct_iou|threshold:-1",
        "struct_iou|threshold:nan",
        "struct_iou|threshold:x",
        "struct_iou|limit:0",
        "struct_iou|limit:nan",
        "struct_iou|compat:other",
        "struct_iou|root:keep",
        "struct_iou|equal:A=B+B=C",
        "tedeval|by-word:yes",
        "tedeval|by-word:maybe",
        "tedeval|gold-words:no-such-file",
        "tedeval|rename-cost:3",
        "tedeval|rename-cost:nan",
        "tedeval|roots:gone",
        "tedeval|merge-preterminals:1",
        "tedeval|outer:ignored",
        "leaf_ancestor|variant:other",
        "leaf_ancestor|costs:cheap",
        "leaf_ancestor|limit:0",
        "leaf_ancestor|cut-tags:yes",
        "boundaries|tolerance:-0.1",
        "boundaries|tolerance:nan",
        "boundaries|tolerance:inf",
        "boundaries|tolerance:near",
        "boundaries|edges:1",
        "boundaries|delete:NN",
    ],
)
def test_a_bad_signature_is_refused(signature: str) -> None:
    with pytest.raises(treescore.SignatureError):
        metrics.get(signature)


# ---------------------------------------------------------------------------------------------------------------------
# Pickles and batches


@given(PAIRS)
def test_counts_and_metrics_pickle(pairs: Pairs) -> None:
    gold, test = banks(pairs)
    for metric in ALL:
        counts = metric.counts(Pair(gold, test))
        for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
            assert columns(pickle.loads(pickle.dumps(counts, protocol))) == columns(counts)
        again = pickle.loads(pickle.dumps(metric))
        assert again == metric
        assert again.counts(Pair(gold, test)) == counts


def test_counts_of_the_other_byte_order_pickle() -> None:
    """A pickle from a big-endian machine has the same numbers here."""
    from treescore.values.counts import _unpickled

    counts = _unpickled({"matched": (1).to_bytes(8, "big")}, {"length": (258).to_bytes(8, "big")}, None, "big")
    same = _unpickled({"matched": (1).to_bytes(8, "little")}, {"length": (258).to_bytes(8, "little")}, None, "little")
    assert counts.total() == same.total() == {"matched": 1}
    assert list(counts["length"]) == list(same["length"]) == [258]


def test_counts_refuse_what_does_not_fit() -> None:
    with pytest.raises(ValueError, match="unequal length"):
        treescore.Counts({"a": [1, 2], "b": [1]})
    with pytest.raises(ValueError, match="different metrics"):
        treescore.Counts({"a": [1]}) + treescore.Counts({"b": [1]})
    with pytest.raises(ValueError, match="one key per row"):
        treescore.Counts({"a": [1]}).grouped([])


def as_lists(pairs: Pairs) -> tuple[list[str], list[str]]:
    """Gold and test lines."""
    return [gold for gold, _ in pairs], [test for _, test in pairs]


def labelled(pairs: Pairs) -> tuple[treescore.Treebank, treescore.Treebank]:
    """Both sides read like batches: as brackets with labels, whatever they contain."""
    gold, test = as_lists(pairs)
    return (
        treescore.read(gold, form="brackets", on_error="keep", name="<gold>"),
        treescore.read(test, form="brackets", on_error="keep", name="<test>"),
    )


@pytest.mark.filterwarnings("ignore:.* failed .coverage", "ignore:.* is undefined")
@given(st.lists(PAIRS, min_size=1, max_size=4), st.integers(0, 4))
def test_scorer_in_batches_equals_evaluate(batches: list[Pairs], place: int) -> None:
    """Updates on two machines, one of them pickled on the way, merged in the end."""
    scored = [metric for metric in PAIRED if metric in TIMELESS]
    batches = [[READABLE], *batches]
    here, there = treescore.Scorer(scored), treescore.Scorer(scored)
    for number, batch in enumerate(batches):
        (here if number < place else there).update(*as_lists(batch))
        here, there = (pickle.loads(pickle.dumps(scorer)) for scorer in (here, there))
    here.merge(there)
    report = treescore.evaluate(*labelled([pair for batch in batches for pair in batch]), scored)
    computed = here.compute()
    for score in report:
        assert computed[score.signature].counts.total() == score.counts.total()
        assert computed[score.signature].parts == score.parts
    assert computed["parseval"].signature == scored[0].signature
    assert here.size == len(report.gold)
    assert here.sentence_problems == sum(problem.unit is not None for problem in report.problems)
    assert [score.parts for score in here.report()] == [score.parts for score in report]


@given(PAIRS)
def test_scorer_counts_the_problems_of_one_batch_like_evaluate(pairs: Pairs) -> None:
    scorer = treescore.Scorer()
    scorer.update(*as_lists([READABLE, *pairs]))
    assert scorer.problems == treescore.evaluate(*labelled([READABLE, *pairs]), "parseval").problem_counts()


def test_scorer_resets_and_refuses() -> None:
    scorer = treescore.Scorer("parseval|profile:none")
    with pytest.raises(ValueError, match="never called"):
        scorer.compute()
    scorer.update("(S (NN a))", "(S (NN a))")
    scorer.update(["(S (NN a)"], ["(S (NN a))"])
    assert scorer.compute()["parseval"].counts.total()["sentences"] == 2
    assert scorer.problems == {"unclosed": 1}
    with pytest.raises(treescore.UnequalTreebanks):
        scorer.update(["(S (NN a))"], [])
    with pytest.raises(ValueError, match="same metrics"):
        scorer.merge(treescore.Scorer("parseval|profile:collins"))
    assert scorer.compute()["parseval"].value == 1.0
    scorer.update(["(S (NN a))"] * 2, ["(S ("] * 2)  # a batch in which not one tree can be read
    assert (scorer.size, scorer.sentence_problems) == (4, 3)
    assert scorer.report().problem_line() == "3 problems: 3 unclosed"
    scorer.reset()
    assert (scorer.problems, scorer.size, scorer.sentence_problems) == ({}, 0, 0)
    with pytest.raises(ValueError, match="never called"):
        scorer.compute()


def test_a_batch_that_is_refused_leaves_no_trace() -> None:
    scorer = treescore.Scorer(["parseval", "boundaries"])
    with pytest.raises(treescore.InputError):
        scorer.update(["(S (NN a))"], ["(S (NN a))"])  # without times
    with pytest.raises(ValueError, match="never called"):
        scorer.compute()
    assert scorer.problems == {}


@pytest.mark.long
@settings.get_profile("long")
@given(PAIRS)
def test_many_sums_and_ranges(pairs: Pairs) -> None:
    gold, test = banks(pairs)
    for metric in PAIRED:
        whole = metric.counts(Pair(gold, test))
        rows = [metric.counts(Pair(gold[row : row + 1], test[row : row + 1])) for row in range(len(gold))]
        if rows:
            assert columns(treescore.Counts.concatenated(rows)) == columns(whole), metric
        assert in_range(metric, metric.score(whole).figures), metric
        assert impossible(metric, whole.total()) is None, metric
        assert metric.counts(Pair(gold, test), threads=2) == whole


@pytest.mark.parametrize("name", metrics.names())
def test_a_metric_says_what_to_cite(name: str) -> None:
    metric = metrics.get(name)
    assert metric.cites
    assert bibtex(metric.cites).count("@") == len(metric.cites)

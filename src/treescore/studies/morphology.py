"""The cost of another tokenisation of the same trees, on the axis of characters (Shi, Gimpel and Livescu 2024, 5.3).

>>> result = study(["(NP (DT the) (NNS cats))"], splitter="*+s\\n")
>>> for row in result.table(COMPARED).records():
...     print(row["compared"], round(row["STRUCT-IOU"], 3), row["aligned F1"], row["F1"])
split gold against gold 0.786 1.0 None
"""

from __future__ import annotations

from math import ceil

from ..helpers.files import packaged
from ..helpers.steps import Steps
from ..helpers.text import number_of
from ..helpers.threads import count_threads
from ..metrics import get
from ..metrics.struct_iou import StructIou
from ..place.axis import CHARACTERS
from ..place.pair import Pair
from ..readers.sources import read
from ..scoring.tally import score_pair
from ..values.problem import UsageError
from ..values.signature_text import join_signature, split_signature
from ..words.splitting import rules, split_words
from .base import Study, Table
from .examples import called, gold_and_test

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ..metrics.base import Metric
    from ..readers.sources import Readable
    from ..trees import Treebank
    from ..values.counts import Counts
    from ..words.splitting import SplitCounts, Splitter

CITES = ("shi-etal-2024-structured",)
SIZE = (9.0, 4.6)
WORDS, BY_RULE, COMPARED, BY_SHARE = "words", "words of gold by rule", "trees compared", "split gold against gold"
#: Columns of the metrics.
_CHARACTERS, _MEAN, _AXIS_OF_WORDS = "STRUCT-IOU", "mean of sentences", "over words"
_ALIGNED, _PARSEVAL, _SCORED = "aligned F1", "F1", "with F1"
#: Names of the metrics in the figure.
_LEGEND = {
    _CHARACTERS: "STRUCT-IOU over characters",
    _AXIS_OF_WORDS: "STRUCT-IOU over words",
    _ALIGNED: "aligned PARSEVAL",
    _PARSEVAL: "PARSEVAL",
}
#: Without function tags, like PARSEVAL.
SIGNATURE = "struct_iou|axis:characters|cut:-="
#: Problems that are expected if words are split on one side only.
_OTHER_WORDS = ("words", "length", "widened")
_FUNCTION = "a function"
_STEP = 10  # width of a class of sentences by percentage of split words


def study(
    gold: Readable | None = None,
    test: Readable | None = None,
    *,
    splitter: Splitter = "hebrew-plural",
    metric: str | Metric = SIGNATURE,
    threads: int | None = None,
    steps: Steps | None = None,
) -> Study:
    """Split words of gold and test trees, and score split and original trees against each other.

    `splitter` is the name of built-in rules ("hebrew-plural"), a file of rules, or a function from a word and its tag
    to the parts; see `treescore.words.splitting.split_words`. `metric` is STRUCT-IOU on the axis of characters with
    options; labels:no also applies to the other metrics. `steps` counts comparisons.

    >>> def letters(word, tag):
    ...     return list(word)
    >>> result = study(["(NP (DT a) (NN cat))"], splitter=letters)
    >>> result.table("words").rows
    (('gold', 1, 2, 1, 0.5, 4),)
    """
    metrics = _metrics(metric)
    if gold is None and test is not None:
        raise UsageError("there are test trees, but no gold trees to score them against")
    if gold is None:
        gold, test = (read(packaged(f"studies/hebrew/{name}.mrg"), name=f"hebrew.{name}") for name in ("gold", "test"))
    sides = dict(zip(("gold", "test"), gold_and_test(gold, test, metrics.values()), strict=False))
    problems = {problem: None for side in sides.values() for problem in side.problems}
    if isinstance(splitter, str) or hasattr(splitter, "__fspath__"):
        splitter = rules(splitter)
    split = {name: split_words(side, splitter) for name, side in sides.items()}
    problems.update((problem, None) for bank, _ in split.values() for problem in bank.problems)
    banks = {**sides, **{f"split {name}": bank for name, (bank, _) in split.items()}}
    pairs = [("gold", "split gold")]
    if "test" in sides:
        pairs += [("gold", "test"), ("split gold", "split test"), ("gold", "split test"), ("split gold", "test")]
    rows: list[tuple[str | int | float | None, ...]] = []
    first_counts: dict[str, Counts] = {}
    for number in (steps or Steps()).over(len(pairs)):
        first, second = pairs[number]
        counts = {}
        for name, scorer in metrics.items():
            workers = count_threads(threads, len(banks[first]))
            report = score_pair([scorer], Pair(banks[first], banks[second]), threads=workers)
            counts[name] = report.scores[0].counts
            same = first.startswith("split") == second.startswith("split")
            for problem in report.problems:
                if same or problem.code not in _OTHER_WORDS:
                    problems[problem] = None
        first_counts = first_counts or counts
        rows.append((f"{second} against {first}", *_figures(metrics, counts)))
    kinds = {"compared": "text", _CHARACTERS: "share", _MEAN: "share", _AXIS_OF_WORDS: "share"}
    tables = [
        _word_table(split),
        _rule_table(split["gold"][1]),
        Table(COMPARED, {**kinds, _ALIGNED: "share", _PARSEVAL: "share", _SCORED: "count"}, rows),
        _by_share(split["gold"][1], metrics, first_counts),
    ]
    settings: dict[str, str | int | float] = {
        **{name: scorer.signature for name, scorer in metrics.items()},
        "splitter": getattr(splitter, "name", _FUNCTION),
        **{name: called(side) for name, side in sides.items()},
    }
    return Study(
        name="morphology",
        title="Another tokenisation of the same trees",
        question="How much does the score fall if words are split on one side only?",
        settings=settings,
        tables=tuple(tables),
        findings=_findings(tables),
        problems=tuple(problems),
        cites=CITES,
    )


def _metrics(metric: str | Metric) -> dict[str, Metric]:
    """STRUCT-IOU on both axes and both kinds of PARSEVAL, by column."""
    scorer = get(metric)
    if not isinstance(scorer, StructIou) or scorer.axis is not CHARACTERS:
        raise UsageError(
            f"this study needs STRUCT-IOU over characters: struct_iou|axis:characters with any options, not {metric}"
        )
    name, options = split_signature(scorer.signature)
    labels = {"labels": options["labels"]}
    return {
        _CHARACTERS: scorer,
        _AXIS_OF_WORDS: get(join_signature(name, {**options, "axis": "words"})),
        _ALIGNED: get("aligned_parseval", labels),
        _PARSEVAL: get("parseval", labels),
    }


def _figures(metrics: dict[str, Metric], counts: dict[str, Counts]) -> tuple[float | int | None, ...]:
    """A row of figures: two of STRUCT-IOU over characters; for PARSEVAL also the number of scored sentences."""
    scores = {name: scorer.score(counts[name]) for name, scorer in metrics.items()}
    characters = scores[_CHARACTERS].figures
    return (
        characters["corpus"].value,
        characters["sentence"].value,
        scores[_AXIS_OF_WORDS].figures["corpus"].value,
        scores[_ALIGNED].value,
        scores[_PARSEVAL].value,
        counts[_PARSEVAL].total()["valid"],
    )


def _word_table(split: dict[str, tuple[Treebank, SplitCounts]]) -> Table:
    """The numbers of words and of split words."""
    rows = []
    for name, (bank, counts) in split.items():
        words, cut = sum(counts.words), counts.total
        rows.append((name, len(bank), words, cut, cut / words if words else None, words + counts.added))
    kinds = {
        "side": "text",
        "sentences": "count",
        "words": "count",
        "split": "count",
        "share": "share",
        "words after": "count",
    }
    return Table(WORDS, kinds, rows)


def _rule_table(counts: SplitCounts) -> Table:
    """The frequency of each rule, and the most frequent word that it split."""
    rows = []
    for rule, words in counts.by_rule.items():
        often = max(words, key=lambda word: words[word])
        rows.append((rule or _FUNCTION, sum(words.values()), len(words), often, words[often]))
    rows.sort(key=lambda row: -row[1])
    kinds = {"rule": "text", "split": "count", "distinct": "count", "most frequent": "text", "times": "count"}
    return Table(BY_RULE, kinds, rows)


def _by_share(counts: SplitCounts, metrics: dict[str, Metric], scored: dict[str, Counts]) -> Table:
    """Sentences by their percentage of split words."""
    shares = [
        ceil(100 * cut / words / _STEP) if words else 0 for cut, words in zip(counts.split, counts.words, strict=True)
    ]
    names = {share: f"{_STEP * (share - 1)}–{_STEP * share} %" if share else "none" for share in sorted(set(shares))}
    keys = [names[share] for share in shares]
    groups = {name: scored[name].grouped(keys) for name in (_CHARACTERS, _PARSEVAL)}
    rows = []
    for name in names.values():
        figures = metrics[_CHARACTERS].score(groups[_CHARACTERS][name]).figures
        valid = groups[_PARSEVAL][name].total()["valid"]
        rows.append((name, keys.count(name), figures["corpus"].value, figures["sentence"].value, valid))
    kinds = {"words split": "text", "sentences": "count", _CHARACTERS: "share", _MEAN: "share", _SCORED: "count"}
    return Table(BY_SHARE, kinds, rows)


# ---------------------------------------------------------------------------------------------------------------------
# Findings


def _percent(value: object) -> str:
    return f"{100 * value:.2f}" if isinstance(value, int | float) else "undefined"


def _findings(tables: Sequence[Table]) -> str:
    words, _, compared, _ = tables
    gold = words.records()[0]
    if not any(words.column("split")):
        return "The splitter splits no word, so there is only one tokenisation."
    rows = {str(row["compared"]): row for row in compared.records()}
    alone = rows["split gold against gold"]
    cut, all_words = gold["split"], gold["words"]
    paragraphs = [
        f"{cut:,} of {number_of(all_words, 'gold word')} {'is' if cut == 1 else 'are'} split "
        f"({_percent(gold['share'])} %). The trees are otherwise the same. {_findings_on_cost(alone)} "
        f"PARSEVAL scores {alone[_SCORED]:,} of {number_of(gold['sentences'], 'sentence')}; aligned "
        f"PARSEVAL, which ignores words, gives {_percent(alone[_ALIGNED])}."
    ]
    if "test against gold" in rows:
        same, both = rows["test against gold"], rows["split test against split gold"]
        test_split, gold_split = rows["split test against gold"], rows["test against split gold"]
        characters = [_percent(row[_CHARACTERS]) for row in (same, both, test_split, gold_split)]
        aligned = [_percent(row[_ALIGNED]) for row in (test_split, gold_split, same)]
        scored = f"{test_split[_SCORED]:,} and {number_of(gold_split[_SCORED], 'sentence')}"
        paragraphs.append(
            f"Test scores {characters[0]} against gold, {characters[1]} if both are split, {characters[2]} if only "
            f"test is split, and {characters[3]} if only gold is. In the last two cases PARSEVAL scores {scored}, and "
            f"aligned PARSEVAL gives {aligned[0]} and {aligned[1]}; without splits it gives {aligned[2]}."
        )
    return "\n".join(paragraphs)


def _findings_on_cost(row: Mapping[str, object]) -> str:
    """The effect of the splits alone."""
    if row[_CHARACTERS] is None:
        return "STRUCT-IOU is undefined."
    return (
        "The splits alone lower STRUCT-IOU over characters from 100.00 to "
        f"{_percent(row[_CHARACTERS])}, and over words to {_percent(row[_AXIS_OF_WORDS])}."
    )


# ---------------------------------------------------------------------------------------------------------------------
# The figure


def draw(study: Study, figure: Figure) -> None:
    """Metrics of each pair of sides, and STRUCT-IOU by the percentage of split words in a sentence."""
    from matplotlib.patches import Patch

    from ..draw.colours import PALETTE
    from ..plots.look import HATCHES, legend_above, side_by_side

    left, right = side_by_side(figure, 2, sharey=True, width_ratios=[3, 2])
    _compared(left, study.table(COMPARED), sum(study.table(BY_SHARE).column("sentences")))
    _shares(right, study.table(BY_SHARE))
    patches = [
        Patch(facecolor=colour, edgecolor="white", hatch=hatch)
        for colour, hatch, _ in zip(PALETTE, HATCHES, _LEGEND, strict=False)
    ]
    legend_above(figure, patches, list(_LEGEND.values()))


def _compared(axes: Axes, table: Table, sentences: int) -> None:
    from ..draw.colours import PALETTE
    from ..plots.look import GREY, HATCHES, PALE

    rows = table.records()
    for number, name in enumerate(_LEGEND):
        for index, row in enumerate(rows):
            x = index + 0.2 * (number - 1.5)
            if name == _PARSEVAL and row[_SCORED] < sentences:  # a bar would be about other sentences
                remark = f"{row[_SCORED]:,} of {sentences:,} sentences"
                axes.text(x, 1, remark, ha="center", va="bottom", rotation=90, fontsize="x-small", color=GREY)
            elif row[name] is not None:
                look: dict[str, Any] = {
                    "color": PALETTE[number],
                    "hatch": HATCHES[number],
                    "edgecolor": "white",
                    "linewidth": 0.0,
                }
                axes.bar([x], [100 * float(row[name] or 0)], 0.19, **look)
    axes.set_xticks(range(len(rows)), [str(row["compared"]).replace(" against ", "\nagainst\n") for row in rows])
    axes.tick_params(axis="x", labelsize="small")
    axes.set_xlim(-0.5, len(rows) - 0.5)
    axes.set_ylim(0.0, 106.0)
    axes.set_ylabel("score, corpus level (%)")
    axes.set_title("trees compared (no bar where PARSEVAL scores some sentences only)", fontsize="small")
    axes.grid(axis="y", color=PALE, linewidth=0.6)
    axes.set_axisbelow(True)


def _shares(axes: Axes, table: Table) -> None:
    from ..draw.colours import PALETTE
    from ..plots.look import GREY, PALE

    rows = [row for row in table.records() if row[_CHARACTERS] is not None]
    values = [100 * float(row[_CHARACTERS] or 0) for row in rows]
    axes.plot(range(len(rows)), values, marker="o", color=PALETTE[0])
    for index, (value, row) in enumerate(zip(values, rows, strict=True)):
        axes.text(index, value + 2, f"{row['sentences']:,}", ha="center", fontsize="x-small", color=GREY)
    axes.set_xticks(range(len(rows)), [str(row["words split"]) for row in rows])
    axes.tick_params(axis="x", labelsize="small", rotation=30)
    axes.set_xlabel("split words of a sentence")
    axes.set_title("split gold against gold (grey: number of sentences)", fontsize="small")
    axes.grid(axis="y", color=PALE, linewidth=0.6)
    axes.set_axisbelow(True)

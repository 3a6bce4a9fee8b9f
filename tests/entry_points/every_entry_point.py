"""Every way to get a score of two files: each is a function from a pair and a signature to an `Outcome`.

Without a signature, the metric is chosen by the entry point. An entry point that refuses raises `Refused`.
"""

from __future__ import annotations

import csv
import io
import json
import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import unescape
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from command import inside
from entry_points.file_pairs import Written

import treescore
import treescore.scale.arrow
from treescore import InputError, Metric, Report, Score, UsageError
from treescore.cli import main
from treescore.integrations import huggingface
from treescore.integrations.service import answer
from treescore.scale.pairs import check_metrics, score_columns
from treescore.scoring.tally import Tally

#: Placeholder for what an entry point does not show.
UNSAID = "(not shown)"


class Refused(Exception):
    """The entry point does not score the pair; the message is what it says about that."""


@dataclass(frozen=True)
class Ran:
    """What a command printed and returned."""

    code: int
    out: str
    err: str


def run(folder: Path, *arguments: str) -> Ran:
    """Run a command inside this process."""

    def command() -> int:
        try:
            return main(arguments)
        except SystemExit as left:  # of argparse
            return left.code if isinstance(left.code, int) else 0

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        out, err, code = inside(folder, command)
    return Ran(code, out.decode("utf-8"), err.decode("utf-8"))


def accepted(folder: Path, *arguments: str) -> str:
    """Standard output of a command that must not refuse its input."""
    ran = run(folder, *arguments)
    if ran.code == 2:
        raise Refused(ran.err.strip())
    return ran.out


# ---------------------------------------------------------------------------------------------------------------------
# What is compared


@dataclass(frozen=True)
class Outcome:
    """The score that an entry point shows. Where figures `are_displayed` they are text with two decimals.

    `coverage` holds those numbers of the coverage that are shown. Where figures are displayed it is a percentage, or
    None if no sentence failed.
    """

    signature: object
    value: object
    all: object = UNSAID
    coverage: Any = UNSAID
    are_displayed: bool = False


def differences(shown: Outcome, score: Score) -> dict[str, str]:
    """Where an outcome does not have the signature and the figures of a score."""
    coverage = score.coverage
    if shown.are_displayed:
        expected: dict[str, object] = {
            "value": score.figures[score.main].shown(),
            "all": score.all_figures[score.main].shown(),
            "coverage": f"{100 * coverage:.2f}" if coverage is not None and coverage.failed else None,
        }
    else:
        numbers = None if coverage is None else coverage.values()
        if numbers and isinstance(shown.coverage, Mapping):
            numbers = {name: numbers[name] for name in shown.coverage}
        expected = {"value": score.value, "all": score.all, "coverage": numbers}
    expected["signature"] = score.signature
    found = {name: getattr(shown, name) for name in expected}
    return {
        name: f"{found[name]!r} instead of {wanted!r}"
        for name, wanted in expected.items()
        if found[name] != UNSAID and found[name] != wanted
    }


def of_score(score: Score) -> Outcome:
    """The outcome that a score in Python has."""
    coverage = None if score.coverage is None else score.coverage.values()
    return Outcome(score.signature, score.value, score.all, coverage)


def of_json(score: Mapping[str, Any]) -> Outcome:
    """The outcome that an object in JSON has."""
    return Outcome(score["signature"], score["value"], score["all"], score["coverage"])


# ---------------------------------------------------------------------------------------------------------------------
# The table of entry points

Call = Callable[[Written, str | None], Outcome]
Takes = Callable[[Written, Metric], bool]


@dataclass(frozen=True)
class EntryPoint:
    """A way to get a score.

    `takes` says which pairs and metrics it is made for, of those that the metric can handle. `chooses` says the same
    where no metric is named and the metric is chosen by the rule; it is None where the default is PARSEVAL, because the
    inputs are not held whole.
    """

    name: str
    call: Call
    takes: Takes
    chooses: Takes | None

    def __str__(self) -> str:
        return self.name


ENTRY_POINTS: list[EntryPoint] = []


def anything(written: Written, metric: Metric) -> bool:
    """All pairs that the metric can handle."""
    return True


def trees(written: Written, metric: Metric) -> bool:
    """Trees, and not CoNLL-U."""
    return metric.reads == "trees"


def rows(written: Written, metric: Metric) -> bool:
    """Pairs of trees that stand in rows, and metrics that score row by row."""
    return written.pair.rows and metric.pairs_trees


def parts(written: Written, metric: Metric) -> bool:
    """Text in brackets that can be scored a part at a time."""
    return written.pair.rows and metric.takes_parts and not metric.needs_times and not _is_special(written)


def _is_special(written: Written) -> bool:
    return written.pair.timed or "0=" in (written.pair.gold[0] or "")


def labelled_f1(written: Written, metric: Metric) -> bool:
    """PARSEVAL whose main figure is the F1 that EVALB prints."""
    return metric.name == "parseval" and metric.main == "f1"


def tree_by_tree(written: Written, metric: Metric) -> bool:
    """Metrics that score one pair of trees after the other."""
    return metric.pairs_trees and metric.reads == "trees"


def judged(written: Written, metric: Metric) -> bool:
    """Metrics that say what became of each node."""
    return metric.judges_nodes


def entry_point(name: str, takes: Takes = anything, *, chooses: Takes | None = None) -> Callable[[Call], Call]:
    """Put a function into the table."""

    def add(call: Call) -> Call:
        ENTRY_POINTS.append(EntryPoint(name, call, takes, chooses))
        return call

    return add


def asked(signature: str | None) -> list[str]:
    """`-m SIGNATURE`, or nothing."""
    return [] if signature is None else ["-m", signature]


def _python(call: Callable[[], Any]) -> Any:
    """The result of a call; errors about input are refusals, and warnings about failed sentences are expected."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return call()
    except (InputError, UsageError) as error:
        raise Refused(str(error)) from error


# ---------------------------------------------------------------------------------------------------------------------
# treescore GOLD TEST


def _command(written: Written, signature: str | None, form: str, *more: str) -> str:
    return accepted(written.folder, *written.arguments, *asked(signature), "-f", form, *more)


@entry_point("treescore -f json", chooses=anything)
def command_json(written: Written, signature: str | None) -> Outcome:
    """The first score in JSON."""
    return of_json(json.loads(_command(written, signature, "json"))["scores"][0])


@entry_point("treescore -f jsonl", chooses=anything)
def command_jsonl(written: Written, signature: str | None) -> Outcome:
    """The first line of JSON."""
    return of_json(json.loads(_command(written, signature, "jsonl").splitlines()[0]))


@entry_point("treescore -f csv", chooses=anything)
def command_csv(written: Written, signature: str | None) -> Outcome:
    """The first figure in CSV, the same over all sentences, and the coverage."""
    table = list(csv.DictReader(io.StringIO(_command(written, signature, "csv"))))
    name, main = table[0]["metric"], table[0]["part"]
    found = {row["part"]: row for row in table if row["metric"] == name}

    def number(part: str) -> float | None:
        return float(found[part]["value"]) if found[part]["value"] else None

    coverage: dict[str, object] | None = None
    if "coverage" in found:  # there is no such row where no sentence is eligible
        eligible, scored = (int(found["coverage"][column]) for column in ("below", "above"))
        coverage = {"units": number("coverage"), "eligible": eligible, "failed": eligible - scored}
    return Outcome(table[0]["signature"], number(main), number(f"{main}_all"), coverage)


_SIGNATURE = r"([a-z_]+(?:\|[^\s|]+)*\|v:[^\s|`<]+)"


def _displayed(text: str, header: Sequence[str], row: Sequence[str], signature: str) -> Outcome:
    """The outcome of a table: its header, its first row, and the line with the signature."""
    cells = dict(zip(header, (cell.replace("†", "").strip() for cell in row), strict=True))
    value = cells["score"]
    over_all = next((cell for name, cell in cells.items() if name.startswith("all ")), value)
    coverage = re.search(r"coverage ([0-9.]+)\s*\\?%", text)
    line = re.search(signature, text, re.MULTILINE)
    return Outcome(line and unescape(line[1]), value, over_all, coverage and coverage[1], are_displayed=True)


@entry_point("treescore -f table", chooses=anything)
def command_table(written: Written, signature: str | None) -> Outcome:
    """The first row of the first table."""
    text = _command(written, signature, "table")
    lines = text.splitlines()
    rule = next(place for place, line in enumerate(lines) if re.fullmatch("-+", line))
    header, row = (re.split(r"\s{2,}", lines[place].strip()) for place in (rule - 1, rule + 1))
    return _displayed(text, header, row, f"^{_SIGNATURE}$")


@entry_point("treescore -f markdown", chooses=anything)
def command_markdown(written: Written, signature: str | None) -> Outcome:
    """The same in Markdown."""
    text = _command(written, signature, "markdown")
    lines = text.splitlines()
    rule = next(place for place, line in enumerate(lines) if line.startswith("| ---"))
    header, row = (
        [cell.strip().replace("\\", "") for cell in lines[place].strip("|").split("|")]
        for place in (rule - 1, rule + 1)
    )
    return _displayed(text, header, row, f"^`{_SIGNATURE}`")


@entry_point("treescore -f latex", chooses=anything)
def command_latex(written: Written, signature: str | None) -> Outcome:
    """The same in LaTeX."""
    text = _command(written, signature, "latex")
    lines = [line.strip().removesuffix(r"\\").replace(r"$^{\dag{}}$", "") for line in text.splitlines()]
    rule = lines.index(r"\midrule")
    header, row = (
        [cell.strip().replace("--", "–").replace("\\", "") for cell in lines[place].split(" & ")]
        for place in (rule - 1, rule + 1)
    )
    return _displayed(text, header, row, f"^% {_SIGNATURE}$")


@entry_point("treescore -f html", chooses=anything)
def command_html(written: Written, signature: str | None) -> Outcome:
    """The same in HTML."""
    text = _command(written, signature, "html")
    header, row = (list(map(unescape, re.findall(f"<{tag}>(.*?)</{tag}>", text))) for tag in ("th", "td"))
    columns = header.index("counts") + 1
    return _displayed(text, header[:columns], row[:columns], f"<div>{_SIGNATURE}</div>")


@entry_point("treescore -f evalb", labelled_f1)
def command_evalb(written: Written, signature: str | None) -> Outcome:
    """F in the summary that EVALB prints, which has neither a signature nor a figure over all sentences."""
    text = _command(written, signature, "evalb")
    found = re.search(r"^Bracketing FMeasure\s*=\s*(\S+)", text, re.MULTILINE)
    assert found is not None, text
    value = "–" if "nan" in found[1] else found[1]
    return Outcome(UNSAID, value, are_displayed=True)


@entry_point("treescore --per-sentence", chooses=anything)
def command_per_sentence(written: Written, signature: str | None) -> Outcome:
    """The first score in JSON, where rows are asked for as well."""
    return of_json(json.loads(_command(written, signature, "json", "--per-sentence"))["scores"][0])


@entry_point("treescore --chunk", parts)
def command_chunk(written: Written, signature: str | None) -> Outcome:
    """A few trees at a time."""
    return of_json(json.loads(_command(written, signature, "json", "--chunk", "300", "--threads", "2"))["scores"][0])


@entry_point("treescore --ci", chooses=anything)
def command_intervals(written: Written, signature: str | None) -> Outcome:
    """With intervals."""
    return of_json(json.loads(_command(written, signature, "json", "--ci", "--ci-samples", "20"))["scores"][0])


# ---------------------------------------------------------------------------------------------------------------------
# Other commands


@entry_point("compare", chooses=anything)
def compare(written: Written, signature: str | None) -> Outcome:
    """The same file as two systems, which must have the same score."""
    pair = written.arguments
    names = ("--name", "A", "--name", "B", "--ci-samples", "20", "-f", "json")
    text = accepted(written.folder, "compare", *pair[:2], pair[1], *pair[2:], *asked(signature), *names)
    metric = json.loads(text)["metrics"][0]
    first, other = ({**system, "name": None, "letters": None} for system in metric["systems"])
    assert first == other
    return Outcome(metric["signature"], first["own"], first["value"], first["coverage"])


@entry_point("report", tree_by_tree, chooses=tree_by_tree)
def report(written: Written, signature: str | None) -> Outcome:
    """The first score on the page."""
    html = accepted(written.folder, "report", *written.arguments, *asked(signature), "--pack", "none", "-o", "-")
    scores = html.partition('<table class="plain summary')[2]
    cell = re.search(r'<tbody>\s*<tr>.*?<td class="number[^"]*"[^>]*>(.*?)</td>', scores, re.DOTALL)
    assert cell is not None
    value = re.search(r'<span class="main">(.*?)(?: †)?</span>', cell[1])
    over_all = re.search(r'<span class="all">all [a-z]+: (.*?)[ <]', cell[1])
    coverage = re.search(r"coverage ([0-9.]+) %", cell[1])
    code = re.search(r'<code id="signature-1">(.*?)</code>', html)
    assert value is not None and code is not None
    return Outcome(
        unescape(code[1]),
        value[1],
        over_all[1] if over_all else value[1],
        coverage[1] if coverage and over_all else None,  # the page has the coverage of complete scores, too
        are_displayed=True,
    )


def symmetric(written: Written, metric: Metric) -> bool:
    """Metrics of agreement, and trees that can all be compared: others are left out there, which is no failure."""
    return metric.signature in _AGREEMENT and written.pair.all_compared


@entry_point("agreement", symmetric)
def agreement(written: Written, signature: str | None) -> Outcome:
    """Gold and test as two annotators."""
    text = accepted(written.folder, "agreement", *written.arguments, "-f", "json", "--ci-samples", "20")
    found = json.loads(text)
    signature = signature or treescore.metric("parseval").signature
    assert signature in found["signatures"]
    return Outcome(signature, found["figures"][_AGREEMENT[signature]]["value"])


#: The figures of agreement that are the main figures of a metric.
_AGREEMENT = {
    treescore.metric(signature).signature: figure
    for signature, figure in (
        ("parseval|profile:collins", "f1"),
        ("struct_iou|profile:collins", "struct_iou"),
    )
}


def few_rows(written: Written, metric: Metric) -> bool:
    """Not hundreds of them, for what takes long."""
    return rows(written, metric) and len(written.pair.gold) < 100


@entry_point("mbr --gold", few_rows)
def n_best_lists(written: Written, signature: str | None) -> Outcome:
    """Each test tree as an n-best list of its own: the first parses are the test trees, over all sentences."""
    lists = (json.dumps({"id": str(n), "candidates": [{"tree": row}]}) for n, row in enumerate(written.pair.test))
    (written.folder / "nbest.jsonl").write_text("".join(f"{line}\n" for line in lists), encoding="utf-8")
    gold = ("--gold", written.gold, *written.reading)
    found = json.loads(accepted(written.folder, "mbr", "nbest.jsonl", *gold, *asked(signature), "-f", "json"))
    return Outcome(found["signature"], UNSAID, found["scores"]["first"])


@entry_point("study metrics", tree_by_tree)
def study_of_metrics(written: Written, signature: str | None) -> Outcome:
    """The table of scores of the study of metrics, with the same file as two systems, beside another metric."""
    files = ("--gold", written.gold, "--test", written.test, written.test, "--name", "A", "--name", "B")
    beside = asked("parseval|labels:no|profile:benepar")
    options = (*files, *written.reading, *asked(signature), *beside, "-f", "json")
    try:
        found = json.loads(accepted(written.folder, "study", "metrics", *options))
    except Refused as refusal:
        if "has no value for any system" in str(refusal):
            return Outcome(UNSAID, UNSAID, None)
        raise
    first, second = found["tables"]["Scores over all sentences"]
    assert {**second, "system": "A"} == first
    title = next(name for name in first if name != "system")
    return Outcome(found["settings"][title], UNSAID, first[title])


@entry_point("show", judged, chooses=judged)
def show(written: Written, signature: str | None) -> Outcome:
    """The metric under which the first sentence is shown."""
    text = accepted(written.folder, "show", *written.arguments, *asked(signature), "--id", "1", "-f", "json")
    return Outcome(json.loads(text)["sentences"][0]["signature"], UNSAID)


@entry_point("--pair auto", lambda written, metric: written.pair.timed and metric.pairs_trees)
def speech(written: Written, signature: str | None) -> Outcome:
    """Trees that carry their own times."""
    text = accepted(written.folder, *written.arguments, *asked(signature), "--pair", "auto", "-f", "json")
    return of_json(json.loads(text)["scores"][0])


@entry_point("columns", rows)
def columns(written: Written, signature: str | None) -> Outcome:
    """The total of JSON lines."""
    lines = zip(written.pair.gold, written.pair.test, strict=True)
    text = "".join(json.dumps({"gold": gold, "test": test}) + "\n" for gold, test in lines)
    (written.folder / "pairs.jsonl").write_text(text, encoding="utf-8")
    form = ("--input-format", written.pair.form, "-f", "json")
    return of_json(
        json.loads(accepted(written.folder, "columns", "pairs.jsonl", *asked(signature), *form))["scores"][0]
    )


def table(written: Written) -> pa.Table:
    """Both sides as columns."""
    sides = {"gold": written.pair.gold, "test": written.pair.test}
    return pa.table({name: pa.array(list(trees), pa.string()) for name, trees in sides.items()})


@entry_point("columns in parts", rows)
def columns_in_parts(written: Written, signature: str | None) -> Outcome:
    """A few parts in this process, of three rows or more."""
    path = written.folder / "pairs.parquet"
    if not path.exists():
        pq.write_table(table(written), path, row_group_size=2)
    size = max(3, len(written.pair.gold) // 4)
    options = ("--workers", "0", "--rows-per-task", f"{size}", "--restart", "-o", "scores")
    form = ("--input-format", written.pair.form, "-f", "json")
    text = accepted(written.folder, "columns", path.name, *options, *form, *asked(signature))
    return of_json(json.loads(text)["scores"][0])


# ---------------------------------------------------------------------------------------------------------------------
# Python


def named(signature: str | None) -> dict[str, Any]:
    """`metrics=`, or nothing."""
    return {} if signature is None else {"metrics": signature}


@entry_point("evaluate, paths", trees, chooses=anything)
def evaluate_paths(written: Written, signature: str | None) -> Outcome:
    """Two files."""
    return of_score(whole(written, signature).scores[0])


def whole(written: Written, signature: str | None) -> Report:
    """What `evaluate` says about both files."""
    gold, test = written.paths
    found = _python(lambda: treescore.evaluate(gold, test, layout=written.pair.layout, **named(signature)))
    assert isinstance(found, Report)
    return found


@entry_point("conllu_eval", lambda written, metric: metric.reads == "conllu")
def conllu_eval(written: Written, signature: str | None) -> Outcome:
    """Two CoNLL-U files."""
    gold, test = written.paths
    return of_score(_python(lambda: treescore.conllu_eval(gold, test, **_metric(signature))).scores[0])


def _metric(signature: str | None) -> dict[str, Any]:
    return {} if signature is None else {"metric": treescore.metric(signature)}


def in_rows(written: Written, metric: Metric) -> bool:
    """Trees that can be given as a list, whatever the metric does with them."""
    return written.pair.rows


@entry_point("evaluate, lists", in_rows, chooses=in_rows)
def evaluate_lists(written: Written, signature: str | None) -> Outcome:
    """Lists of strings and None."""
    sides = list(written.pair.gold), list(written.pair.test)
    return of_score(_python(lambda: treescore.evaluate(*sides, **named(signature))).scores[0])


@entry_point("treescore.compare", trees)
def compare_in_python(written: Written, signature: str | None) -> Outcome:
    """The score of one of several systems."""
    gold, test = written.paths
    systems = {"A": test, "B": test}
    found = _python(lambda: treescore.compare(gold, systems, layout=written.pair.layout, **named(signature)))
    return of_score(found["B"].scores[0])


@entry_point("evaluate_stream", parts)
def evaluate_stream(written: Written, signature: str | None) -> Outcome:
    """A hundred bytes at a time."""
    sides = [path.open("rb") for path in written.paths]
    options: dict[str, Any] = {"chunk": 100, "threads": 1, "layout": written.pair.layout, **named(signature)}
    try:
        return of_score(_python(lambda: treescore.evaluate_stream(sides[0], sides[1], **options)).scores[0])
    finally:
        for side in sides:
            side.close()


def _scorer(signature: str | None, *batches: tuple[Sequence[str | None], Sequence[str | None]]) -> treescore.Scorer:
    scorer = treescore.Scorer(**named(signature))
    for gold, test in batches:
        scorer.update(list(gold), list(test))
    return scorer


def _computed(scorer: treescore.Scorer) -> Outcome:
    return of_score(scorer.compute()[scorer.metrics[0].signature])


@entry_point("Scorer, one update", in_rows)
def scorer_one_update(written: Written, signature: str | None) -> Outcome:
    """All pairs at once."""
    return _python(lambda: _computed(_scorer(signature, (written.pair.gold, written.pair.test))))  # type: ignore[no-any-return]


def _batches(written: Written, size: int) -> list[tuple[Sequence[str | None], Sequence[str | None]]]:
    gold, test = written.pair.gold, written.pair.test
    return [(gold[place : place + size], test[place : place + size]) for place in range(0, len(gold), size)]


@entry_point("Scorer, many updates", rows)
def scorer_many_updates(written: Written, signature: str | None) -> Outcome:
    """One pair at a time."""
    return _python(lambda: _computed(_scorer(signature, *_batches(written, 1))))  # type: ignore[no-any-return]


@entry_point("Scorer, merged", rows)
def scorer_merged(written: Written, signature: str | None) -> Outcome:
    """Three pairs at a time, each time by another scorer."""

    def merged() -> Outcome:
        scorer = treescore.Scorer(**named(signature))
        for batch in reversed(_batches(written, 3)):
            scorer.merge(_scorer(signature, batch))
        return _computed(scorer)

    return _python(merged)  # type: ignore[no-any-return]


@entry_point("score_columns", rows)
def columns_in_python(written: Written, signature: str | None) -> Outcome:
    """Columns in batches of two rows, added up."""

    def added() -> Outcome:
        metrics = check_metrics(signature or "parseval")
        tally = Tally(metrics)
        for gold, test in _batches(written, 2):
            batch = score_columns(gold, test, metrics, form=written.pair.form).batch
            tally.add(batch.renumbered(tally.size))
        return of_score(tally.report().scores[0])

    return _python(added)  # type: ignore[no-any-return]


@entry_point("treescore.arrow", rows)
def arrow(written: Written, signature: str | None) -> Outcome:
    """A table of Arrow."""

    def scored() -> Outcome:
        batch = treescore.arrow.score(table(written), form=written.pair.form, **named(signature))
        return of_score(treescore.arrow.total([batch]).scores[0])

    return _python(scored)  # type: ignore[no-any-return]


@entry_point("treescore.evalb", labelled_f1)
def evalb(written: Written, signature: str | None) -> Outcome:
    """The figures with two decimals that benepar takes; F without a right bracket is not a number there."""

    def figures() -> Outcome:
        gold, test = (treescore.read(path, layout=written.pair.layout, on_error="keep") for path in written.paths)
        found = treescore.evalb(gold, test, *([] if signature is None else [signature]))
        value, over_all = ("–" if number != number else f"{number:.2f}" for number in (found.fscore, found.fscore_all))
        return Outcome(UNSAID, value, over_all, are_displayed=True)

    return _python(figures)  # type: ignore[no-any-return]


@entry_point("service", trees, chooses=anything)
def service(written: Written, signature: str | None) -> Outcome:
    """A request with lists of trees, or with whole texts where trees do not stand in rows."""
    pair = written.pair
    gold, test = (list(pair.gold), list(pair.test)) if pair.rows else written.texts
    found = answer({"gold": gold, "test": test, **({} if signature is None else {"metrics": [signature]})})
    if "error" in found:
        raise Refused(found["error"]["message"])
    return of_json(found["scores"][0])


# ---------------------------------------------------------------------------------------------------------------------
# Adapters


@entry_point("Hugging Face", in_rows)
def hugging_face(written: Written, signature: str | None) -> Outcome:
    """What the module for evaluate computes."""
    test, gold = list(written.pair.test), list(written.pair.gold)
    metric = signature or treescore.metric("parseval").signature
    found = _python(lambda: huggingface.figures(test, gold, metric))
    return _of_parts(found, treescore.metric(metric))


def _of_parts(found: Mapping[str, Any], metric: Metric) -> Outcome:
    coverage = None if found["coverage"] is None else {"units": found["coverage"], "failed": found["failed"]}
    return Outcome(found.get("signature", UNSAID), found[metric.main], found[f"{metric.main}_all"], coverage)


def installed(name: str) -> bool:
    """Is the package there that an adapter is for? If not, a warning says so."""
    if find_spec(name):
        return True
    warnings.warn(f"{name.upper()} IS NOT COMPARED; make test-company installs it", stacklevel=2)
    return False


if installed("torchmetrics"):

    @entry_point("torchmetrics", in_rows)
    def torchmetrics(written: Written, signature: str | None) -> Outcome:
        """A metric for training loops, in double precision."""
        import torch

        from treescore.integrations.torchmetrics import ParseScore

        metric = treescore.metric(signature or "parseval")

        def computed() -> Outcome:
            score = ParseScore(metric, "all").set_dtype(torch.float64)
            score.update(preds=list(written.pair.test), target=list(written.pair.gold))
            found = {name: value.item() for name, value in score.compute().items()}
            defined = {name: None if value != value else value for name, value in found.items()}
            return _of_parts({**defined, "signature": score.signature}, metric)

        return _python(computed)  # type: ignore[no-any-return]


if installed("spacy"):

    @entry_point("spaCy", rows)
    def spacy(written: Written, signature: str | None) -> Outcome:
        """A document with all sentences."""
        import spacy
        from spacy.tokens import Doc
        from spacy.training import Example

        from treescore.integrations.spacy import score_constituency

        vocab = spacy.blank("en").vocab
        metric = treescore.metric(signature or "parseval")

        def scored() -> Outcome:
            docs = Doc(vocab, words=["word"]), Doc(vocab, words=["word"])
            sides = dict(zip(map(id, docs), (written.pair.test, written.pair.gold), strict=True))
            example = Example(*docs)
            found = score_constituency(
                [example], metric=metric.signature, trees=lambda doc: list(sides[id(doc)]), prefix="x"
            )
            plain = {name.removeprefix("x_"): value for name, value in found.items()}
            short = {"f1": "f", "precision": "p", "recall": "r"}.get(metric.main, metric.main)
            coverage = None if plain["coverage"] is None else {"units": plain["coverage"], "failed": plain["failed"]}
            return Outcome(plain["signature"], plain["score"], plain[f"{short}_all"], coverage)

        return _python(scored)  # type: ignore[no-any-return]

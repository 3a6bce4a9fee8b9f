"""ParseScore in the real torchmetrics: the same figures as evaluate(), however batches and processes are cut."""

from __future__ import annotations

import json
import math
import os
import pickle
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest
from integrations.needed import needed
from strategies import make_pairs

import treescore
from treescore import metrics

torch = needed("torch")
torchmetrics = needed("torchmetrics")

from treescore.integrations.torchmetrics import ParseScore  # noqa: E402

GOLD = "(S (NP (NN a)) (VP (VB b)))"
TEST = "(S (NP (NN a)) (NP (VB b)))"
#: Metrics that need no times, each as it is by default.
NAMES = [name for name in metrics.names() if name not in ("conllu_eval", "boundaries")]


def random_pairs(number: int, seed: int = 3) -> list[tuple[str, str | None]]:
    """Random pairs of gold and test trees, some of them failed or broken."""
    rng = Random(seed)
    pairs: list[tuple[str, str | None]] = []
    for gold, test in make_pairs(rng, number, sound=True):
        kind = rng.random()
        pairs.append((gold, None if kind < 0.1 else "(S (" if kind < 0.15 else test))
    return pairs


def same(ours: float, theirs: float | None) -> bool:
    return math.isnan(ours) if theirs is None else ours == theirs


@pytest.mark.parametrize("name", NAMES)
def test_the_same_as_evaluate(name: str) -> None:
    pairs = random_pairs(60)
    gold, test = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    score = ParseScore(name, figures="all").set_dtype(torch.float64)
    for begin in range(0, 60, 7):
        if metrics.get(name).pairs_trees:
            score.update(test[begin : begin + 7], gold[begin : begin + 7])
    if not metrics.get(name).pairs_trees:  # what it aligns are the texts of a batch
        score.update(test, gold)
    report = treescore.evaluate(gold, test, name)
    computed = score.compute()
    assert {*computed} == {*report.scores[0].parts, "pairs", "problems", "failed", "coverage"}
    assert all(same(computed[figure].item(), value) for figure, value in report.scores[0].parts.items())
    assert computed["pairs"].item() == 60
    if metrics.get(name).pairs_trees:
        of_sentences = [problem for problem in report.problems if problem.unit is not None]
        assert computed["problems"].item() == len(of_sentences)
        assert score.report().scores[0].counts.total() == report.scores[0].counts.total()


def test_forward_gives_the_batch_and_keeps_all() -> None:
    score = ParseScore()
    assert score([TEST], [GOLD]).item() == pytest.approx(2 / 3)
    assert score([GOLD], [GOLD]).item() == 1.0
    assert score.compute().item() == pytest.approx(5 / 6)
    assert score.compute().shape == ()
    score.reset()
    score.update([GOLD], [GOLD])
    assert score.compute().item() == 1.0


def test_predictions_come_first() -> None:
    result = ParseScore(figures=["precision", "recall"])(["(S (NN a) (VB b))"], [GOLD])
    assert (result["precision"].item(), result["recall"].item()) == (1.0, pytest.approx(1 / 3))


def test_undefined_is_nan_and_problems_are_counted() -> None:
    score = ParseScore(figures=["f1", "problems", "pairs"])
    score.update([None, "(S ("], [GOLD, GOLD])  # a batch without a single parse
    scores = score.compute()
    assert math.isnan(scores["f1"].item())
    assert (scores["problems"].item(), scores["pairs"].item()) == (2, 2)
    assert scores["problems"].dtype == torch.int64
    assert score.report().problem_line() == "2 problems: 2 of any kind"
    with pytest.warns(UserWarning, match="before the ``update`` method"):
        assert math.isnan(ParseScore().compute().item())


def test_sums_are_exact_beyond_64_bits() -> None:
    """Sums of rates are in units of 2^-40: an int64 holds eight million sentences of them."""
    score, plain = ParseScore(figures="all"), treescore.Scorer()
    trees = [GOLD, TEST, GOLD]
    score.update(trees * 33, [GOLD] * 99)
    plain.update([GOLD] * 99, trees * 33)
    for _ in range(25):
        score.merge_state(score.clone())
        plain.merge(pickle.loads(pickle.dumps(plain)))
    score.update(trees, [GOLD] * 3)
    plain.update([GOLD] * 3, trees)
    result, wanted = score.report()["parseval"], plain.compute()["parseval"]
    assert wanted.counts.total()["sentence_f1"] > 1 << 63
    assert result.counts.total() == wanted.counts.total()
    assert result.parts == wanted.parts
    assert score.compute()["pairs"].item() == (99 << 25) + 3
    score([TEST], [GOLD])  # adds to the sums in another way
    plain.update([GOLD], [TEST])
    assert score.report()["parseval"].counts.total() == plain.compute()["parseval"].counts.total()


def test_two_processes(tmp_path: Path) -> None:
    pairs = random_pairs(41)
    (tmp_path / "pairs.json").write_text(json.dumps(pairs))
    script = Path(__file__).parent / "one_of_many.py"
    environment = {**os.environ, "GLOO_SOCKET_IFNAME": "lo", "OMP_NUM_THREADS": "1"}
    running = [
        subprocess.Popen(
            [sys.executable, "-W", "ignore", script, str(rank), "2", tmp_path],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment,
        )
        for rank in range(2)
    ]  # fmt: skip
    messages = [process.communicate(timeout=240) for process in running]
    assert [process.returncode for process in running] == [0, 0], messages
    items = [json.loads(out) for out, _ in messages]
    report = treescore.evaluate([gold for gold, _ in pairs], [test for _, test in pairs])
    of_sentences = [problem for problem in report.problems if problem.unit is not None]
    for item in items:
        assert item["counts"] == report["parseval"].counts.total()
        assert item["values"]["pairs"] == 41
        assert item["values"]["problems"] == item["problems"] == len(of_sentences) > 0
        for name, value in report["parseval"].parts.items():
            assert item["values"][name] == torch.tensor(value).item()
    assert [item["own"] for item in items] == [21, 20]


def test_clones_pickles_and_states() -> None:
    score = ParseScore("parseval|labels:no", threads=2)
    score.update([TEST, "(S (NN a) (VB b))"], [GOLD, GOLD])
    for copy in (score.clone(), pickle.loads(pickle.dumps(score))):
        assert copy.compute() == score.compute()
        assert (copy.signature, copy.threads) == (score.signature, 2)
        copy.update([GOLD], [GOLD])
        assert copy.compute() != score.compute()
    assert score.state_dict() == {}
    score.persistent(True)
    again = ParseScore("parseval|labels:no")
    again.load_state_dict(score.state_dict())
    assert again.report()["parseval"].counts.total() == score.report()["parseval"].counts.total()
    other = ParseScore()
    other.persistent(True)
    with pytest.raises(RuntimeError, match="Unexpected key"):
        other.load_state_dict(score.state_dict())
    with pytest.raises(ValueError, match="to be present"):
        other.merge_state(score)
    assert score.signature in repr(score)


def test_collections_never_mix_metrics() -> None:
    """torchmetrics lets metrics share states that are alike after the first batch; here they are alike by chance."""
    both = torchmetrics.MetricCollection(
        {
            "labelled": ParseScore(),
            "precision": ParseScore(figures="precision"),
            "bare": ParseScore("parseval|labels:no"),
        }
    )
    both.update([GOLD], [GOLD])
    both.update([TEST], [GOLD])
    scores = both.compute()
    assert scores["labelled"].item() == scores["precision"].item() == pytest.approx(5 / 6)
    assert scores["bare"].item() == 1.0
    assert sorted(map(sorted, both.compute_groups.values())) == [["bare"], ["labelled", "precision"]]


def test_sums_stay_integers() -> None:
    score = ParseScore(figures="all")
    score.update([TEST], [GOLD])
    wanted = score.report()["parseval"].counts.total()
    for change, *arguments in (("half",), ("to", torch.float16), ("set_dtype", torch.float16)):
        changed = getattr(score.clone(), change)(*arguments)
        assert changed.report()["parseval"].counts.total() == wanted
        assert all(state.dtype == torch.int64 for state in changed.metric_state.values())
    assert changed.compute()["f1"].dtype == torch.float16
    assert score.compute()["f1"].dtype == torch.float32


def test_higher_is_better() -> None:
    assert ParseScore().higher_is_better
    assert not ParseScore(figures="average_crossing").higher_is_better
    tracker = torchmetrics.MetricTracker(ParseScore(), maximize=ParseScore().higher_is_better)
    for parse in (TEST, GOLD, TEST):
        tracker.increment()
        tracker.update([parse], [GOLD])
    assert tracker.best_metric(return_step=True) == (1.0, 1)


@pytest.mark.parametrize("name", NAMES)
def test_a_report_about_nothing(name: str) -> None:
    report = ParseScore(name).report()
    assert report.scores[0].parts == treescore.evaluate([], [], name).scores[0].parts
    assert report.problem_counts() == {}


def test_plots() -> None:
    score = ParseScore()
    needed("matplotlib").use("agg")
    values = [score([parse], [GOLD]) for parse in (TEST, GOLD)]
    figure, axes = score.plot(values)
    assert axes.get_ylim()[0] <= 0.0
    needed("matplotlib.pyplot").close(figure)


def test_wrong_use() -> None:
    with pytest.raises(treescore.UsageError, match="parseval has no figure 'f2'; there are: f1, precision"):
        ParseScore(figures=["f1", "f2"])
    with pytest.raises(treescore.UsageError, match="only one metric is possible"):
        ParseScore(["parseval", "struct_iou"])  # type: ignore[arg-type]
    with pytest.raises(treescore.UsageError, match="compares CoNLL-U files"):
        ParseScore("conllu_eval")
    score = ParseScore()
    with pytest.raises(treescore.UnequalTreebanks):
        score.update([GOLD], [])
    assert all(int(state.sum()) == 0 for state in score.metric_state.values())


def test_lightning(tmp_path: Path) -> None:
    lightning = needed("lightning")
    module: Any = lightning.LightningModule

    class Parser(module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.layer = torch.nn.Linear(1, 1)
            self.score = ParseScore()

        def training_step(self, batch: Any, _: int) -> Any:
            return self.layer(torch.ones(1, 1)).sum()

        def validation_step(self, batch: Any, _: int) -> None:
            self.score.update(batch["test"], batch["gold"])
            self.log("val_f1", self.score, batch_size=2)

        def configure_optimizers(self) -> Any:
            return torch.optim.SGD(self.parameters(), lr=0.1)

    rows = [{"gold": GOLD, "test": test} for test in (GOLD, TEST, GOLD)]
    data = torch.utils.data.DataLoader(rows, batch_size=2)
    trainer = lightning.Trainer(
        max_epochs=1, accelerator="cpu", logger=False, enable_checkpointing=False, enable_progress_bar=False,
        enable_model_summary=False, default_root_dir=tmp_path,
    )  # fmt: skip
    trainer.fit(Parser(), data, data)
    assert trainer.callback_metrics["val_f1"].item() == pytest.approx(8 / 9)

"""The figures of reports in the real loggers: all names and values are accepted, also undefined ones."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from integrations.needed import needed

import treescore
from treescore import metrics

mlflow = needed("mlflow")
wandb = needed("wandb")
tensorboard = needed("torch.utils.tensorboard")

#: Every metric that needs no times, and a metric that recurs.
NAMES = [name for name in metrics.names() if name not in ("conllu_eval", "boundaries")]
REPORT = treescore.evaluate(["(S (NN a))", "(S (NN b))"], ["(S (NN a))", None], [*NAMES, "parseval|labels:no"])
FIGURES = REPORT.figures("val/")


def same(logged: dict[str, float], *, digits: int = 15) -> None:
    """Nothing is missing, and values are equal to so many digits."""
    assert logged.keys() == FIGURES.keys()
    for name, value in FIGURES.items():
        assert math.isnan(logged[name]) if math.isnan(value) else logged[name] == pytest.approx(value, rel=10**-digits)


def test_something_is_undefined() -> None:
    assert any(map(math.isnan, FIGURES.values()))


@pytest.mark.usefixtures("alone")
def test_mlflow(tmp_path: Path) -> None:
    mlflow.set_tracking_uri(f"sqlite:///{tmp_path}/mlflow.db")
    with mlflow.start_run() as run:
        mlflow.log_metrics(FIGURES, step=1)
    same(mlflow.get_run(run.info.run_id).data.metrics)


@pytest.mark.usefixtures("alone")
def test_wandb(tmp_path: Path) -> None:
    with wandb.init(project="parser", mode="offline", dir=tmp_path) as run:
        run.log(FIGURES)
        logged = json.loads(json.dumps({name: run.summary[name] for name in FIGURES}))
    same({name: float(value) for name, value in logged.items()})


def test_tensorboard(tmp_path: Path) -> None:
    with tensorboard.SummaryWriter(str(tmp_path)) as writer:
        for name, value in FIGURES.items():
            writer.add_scalar(name, value, global_step=1)
    module = needed("tensorboard.backend.event_processing.event_accumulator")
    events = module.EventAccumulator(str(tmp_path))
    events.Reload()
    same({name: events.Scalars(name)[0].value for name in events.Tags()["scalars"]}, digits=6)

"""A fixture for pytest that fails when the score of a parser falls, and shows which sentences became worse.

pytest loads this module in every run, through the package's entry points: before the fixture is used, nothing else of
treescore is imported.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from ..scoring.report import Report
    from ..values.score import Score

_OPTION = "--treescore-regen"
_VERSION = 1  # of the files with scores
_MOST_EXPLAINED, _MOST_LOSSES = 3, 5


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that stores new scores."""
    parser.getgroup("treescore").addoption(
        _OPTION, action="store_true", help="store the scores of parse_regression instead of comparing them"
    )


@pytest.fixture
def parse_regression(request: pytest.FixtureRequest) -> ParseRegression:
    """Compares scores with those that an earlier run stored beside the test."""
    path = request.path
    name = "".join(character if character.isalnum() or character in "-_." else "_" for character in request.node.name)
    return ParseRegression(path.parent / path.stem / name, regenerate=bool(request.config.getoption(_OPTION)))


class ParseRegression:
    """Compares scores with stored scores. The file of a score has the name of the test, in a folder beside the test."""

    def __init__(self, stem: Path, *, regenerate: bool = False) -> None:
        self.stem = stem
        self.regenerate = regenerate

    def check(
        self,
        gold: Any,
        test: Any,
        metric: str | None = None,
        *,
        figure: str | None = None,
        tolerance: float = 0.0,
        name: str | None = None,
        **options: Any,
    ) -> None:
        """Fail if a figure is worse than the stored one by more than `tolerance` points.

        `gold`, `test`, `metric` and other options are those of `treescore.evaluate`. `figure` is by default the main
        figure of the metric over all sentences. A test that checks several scores gives each a `name`.
        """
        __tracebackhide__ = True
        from .. import evaluate

        report = evaluate(gold, test, metric, **options)
        path = self.stem.with_name(f"{self.stem.name}{f'-{name}' if name else ''}.json")
        now = _Stored.of(report, figure)
        if self.regenerate or not path.exists():
            now.save(path)
            if not self.regenerate:
                pytest.fail(f"there was no score to compare with; {now.figure} was stored in {path}", pytrace=False)
            return
        before = _Stored.load(path)
        if before.signature != now.signature:
            pytest.fail(_other_signature(before, now), pytrace=False)
        if _worse(report, now.figure, before.value, now.value) > tolerance + 1e-9:
            pytest.fail(_message(before, now, report, tolerance), pytrace=False)


class _Stored:
    """The figure of a score and its value for each sentence."""

    def __init__(self, signature: str, figure: str, value: float, sentences: Sequence[float | None]) -> None:
        self.signature = signature
        self.figure = figure
        self.value = value
        self.sentences = list(sentences)

    @classmethod
    def of(cls, report: Report, figure: str | None) -> _Stored:
        from ..values.problem import UsageError, check_choice

        score = report.scores[0]
        name = figure or (score.main + "_all" if score.main in score.all_figures else score.main)
        part = score.part(name)
        if part is None:
            known = [*score.figures, *(f"{known}_all" for known in score.all_figures)]
            check_choice(name, "the figure", known)
        if part is None or part.value is None:
            raise UsageError(f"the figure {name!r} is undefined: {score.signature}")
        return cls(_without_version(score), name, part.value, _by_sentence(report, score))

    @classmethod
    def load(cls, path: Path) -> _Stored:
        try:
            stored = json.loads(path.read_text(encoding="utf-8"))
            if stored.pop("version") != _VERSION:
                raise ValueError("unknown version")
            return cls(**stored)
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            pytest.fail(f"{path} is no stored score ({error}); store it anew with pytest {_OPTION}", pytrace=False)

    def save(self, path: Path) -> None:
        from ..helpers.new_files import replacing

        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path) as file:
            file.write(json.dumps({"version": _VERSION, **vars(self)}, indent=1).encode() + b"\n")


def _without_version(score: Score) -> str:
    """The signature without the version of treescore: the number, not the version, must stay the same."""
    return score.signature.rpartition("|v:")[0]


def _by_sentence(report: Report, score: Score) -> list[float | None]:
    """The figure of each sentence, 0 for failed sentences."""
    figures = report.rows(score.signature)[report.find(score.signature)[0].row_figure]
    return score.counts.with_failed(figures)


def _worse(report: Report, figure: str, before: float, now: float) -> float:
    """By how many points a figure became worse. Some figures, such as word error rates, are best at 0."""
    goodness = report.metrics[0].goodness
    return _scale(report, figure) * (goodness(figure, before) - goodness(figure, now))


def _scale(report: Report, figure: str) -> int:
    """Figures are shown in percent, except amounts such as crossing brackets per sentence."""
    return 1 if figure.removesuffix("_all") in report.metrics[0].error_amounts else 100


def _other_signature(before: _Stored, now: _Stored) -> str:
    return (
        f"the stored score has another signature:\n  stored: {before.signature}\n  now:    {now.signature}\n"
        f"To store the new score: pytest {_OPTION}"
    )


def _message(before: _Stored, now: _Stored, report: Report, tolerance: float) -> str:
    """What became worse by how much, and the sentences that became worse, with reasons."""
    points = _worse(report, now.figure, before.value, now.value)
    scale = _scale(report, now.figure)
    lines = [
        f"{now.figure} was {scale * before.value:.2f} and is {scale * now.value:.2f}: worse by {points:.2f}, more than"
        f" the tolerance of {tolerance:.2f} ({now.signature})"
    ]
    if len(before.sentences) != len(now.sentences):
        lines.append(f"there were {len(before.sentences):,} sentences, and there are {len(now.sentences):,} now")
    else:
        lines += _changes(before, now, report)
    return "\n".join([*lines, f"If the new score is right: pytest {_OPTION}"])


def _changes(before: _Stored, now: _Stored, report: Report) -> list[str]:
    figure = report.find(None)[0].row_figure
    changes = [
        (_worse(report, figure, old, new), index)
        for index, (old, new) in enumerate(zip(before.sentences, now.sentences, strict=True))
        if old is not None and new is not None
    ]
    worse = sorted((-points, index) for points, index in changes if points > 0)
    better = sum(points < 0 for points, _ in changes)
    lines = [f"{len(worse):,} of {len(changes):,} sentences are worse than before, {better:,} better"]
    for _, index in worse[:_MOST_EXPLAINED]:
        old, new = (f"{100 * (stored.sentences[index] or 0):.2f}" for stored in (before, now))
        lines += ["", f"sentence {index + 1} was {old} and is {new}", *_reasons(report, index)]
    return [*lines, ""]


def _reasons(report: Report, index: int) -> list[str]:
    """The largest losses of a sentence, or why it failed, if the metric can explain that."""
    from ..analysis.explain import explain

    score = report.scores[0]
    if not report.metrics[0].judges_nodes:
        return []
    explanation = explain(report.pair(index, score.signature))
    return explanation.loss_lines(_MOST_LOSSES) + [str(problem) for problem in explanation.pair.problems]

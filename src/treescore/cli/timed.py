"""Scoring of speech by time."""

from __future__ import annotations

from .files import sources
from .watch import watched

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping

    from ..scoring.report import Report


def score_timed(options: argparse.Namespace, shared: Mapping[str, str]) -> Report:
    """The report on GOLD and TEST, files or directories."""
    from ..speech.scoring import evaluate_speech

    with watched("scoring") as progress:
        return evaluate_speech(
            *(sources([path]) for path in (options.gold, options.test)),
            gold_times=sources(options.gold_times),
            test_times=sources(options.test_times),
            times_format=options.times_format,
            tier=options.tier,
            attach=options.attach,
            pair=options.pair or "auto",
            unit=options.unit or "sentence",
            metrics=options.metric,
            options=shared,
            reconcile=options.reconcile,
            form=options.input_format,
            layout=options.layout,
            functions=options.functions,
            encoding=options.encoding,
            on_error="raise" if options.strict else "keep",
            threads=options.threads,
            progress=progress,
        )

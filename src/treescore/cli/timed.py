"""Parses of speech, which are scored by when their words were spoken."""

from __future__ import annotations

from ..pairing.utterances import PAIRINGS, UNITS
from ..values.problem import UsageError
from .files import sources
from .flags import add_flags
from .watch import watched

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping

    from ..scoring.report import Report


def add_speech_options(parser: argparse.ArgumentParser) -> None:
    """All about trees over time."""
    group = parser.add_argument_group("speech")
    add_flags(group, "gold-times", "test-times", "times-format", "tier", "attach")
    group.add_argument(
        "--pair",
        choices=PAIRINGS,
        help="how sentences over time find their partners (default: auto: by id, else by position or time)",
    )
    group.add_argument("--unit", choices=UNITS, help="what is scored at a time (default: sentence)")


def is_timed(options: argparse.Namespace) -> bool:
    """Are the trees to be scored by when their words were spoken?"""
    if options.gold_times or options.test_times or options.pair or options.unit:
        return True
    for name, default in (("times_format", None), ("tier", None), ("attach", "auto")):
        if getattr(options, name) != default:
            raise UsageError(f"--{name.replace('_', '-')} needs words with times: --gold-times or --test-times")
    return False


def score_timed(options: argparse.Namespace, shared: Mapping[str, str]) -> Report:
    """The report on GOLD and TEST, which are files or directories."""
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

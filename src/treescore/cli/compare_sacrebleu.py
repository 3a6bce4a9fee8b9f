"""Compare systems with the first system, the baseline, by the paired tests of sacrebleu.

examples:
  treescore compare --compat sacrebleu gold.mrg baseline.mrg parsed.mrg
  treescore compare --compat sacrebleu gold.mrg baseline.mrg a.mrg b.mrg --significance randomization -m struct_iou

Systems with the same output get the smallest possible p, and the p of the bootstrap is too small for similar systems:
for new work, use treescore compare GOLD A B.
"""

from __future__ import annotations

import argparse

from ..render import pieces
from ..scoring.choosing import DEFAULT
from ..significance.sacrebleu import KINDS, SAMPLES, SEED, TRIALS, paired_by
from ..values.problem import UsageError
from . import errors
from .files import opened, write
from .flags import add_flags, add_metric_flags, add_output_flags, add_reading_flags
from .systems import add_systems, check_several, judged, read_comparison


def add_options(command: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    add_systems(command, shows_nodes=False)
    add_flags(command, "significance", default=KINDS[0], more="(--paired-ar, --paired-bs; default: bootstrap)")
    add_flags(command, "ci-samples", more=f"(default: {SAMPLES:,} samples, or {TRIALS:,} trials)")
    add_flags(command, "ci-seed", default=SEED, more=f"(numpy; default: {SEED})")
    add_output_flags(command, "PairedResult")
    add_metric_flags(command)
    add_flags(command, "reconcile")
    add_reading_flags(command)


def run(options: argparse.Namespace) -> int:
    """Compare systems with the first system by sacrebleu's tests."""
    check_several(options.tests)
    if len(options.metric or ()) > 1:
        raise UsageError("sacrebleu's tests take one metric at a time: give -m once")
    is_randomized = options.significance == "randomization"
    numbers = {"samples": SAMPLES, "trials": TRIALS} if is_randomized else {"samples": SAMPLES}
    if options.ci_samples:
        numbers["trials" if is_randomized else "samples"] = options.ci_samples
    with opened(options.output, (options.prm,)) as out:  # before long work begins
        options.metric = options.metric or [DEFAULT]
        comparison = read_comparison(options)
        metric = next(iter(comparison.reports.values())).metrics[0]
        scores = {name: report.scores[0] for name, report in comparison.reports.items()}
        counts = {name: score.counts for name, score in scores.items()}
        result = paired_by(metric, counts, kind=options.significance, seed=options.ci_seed, **numbers)
        base, *others = counts
        title = scores[base].figures[scores[base].main].title
        if any(score.is_partial for score in scores.values()):
            title += f", all {metric.row_unit}s"
        settings = {"signature": metric.signature, "test": options.significance, **numbers, "seed": options.ci_seed}
        write(pieces("PairedResult", result, options.format, figure=title, settings=settings), out)
    for name in others:
        if counts[name].columns == counts[base].columns:
            errors.notify(
                f"{name} has the same counts as {base}: its p is no evidence of a difference, since the test omits ties"
            )
    return judged(comparison, strict=options.strict)

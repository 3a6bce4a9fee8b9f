"""Large files: scored in parts if the result is the same."""

from __future__ import annotations

import argparse
import os

from ..helpers.packed import ENOUGH, packing
from ..readers.sources import PLAIN_FORMS
from ..values.problem import PerSide, UnequalTreebanks, UsageError
from .flags import COMPLETION_FLAGS, size
from .watch import watched

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..metrics.base import Metric
    from ..readers.blocks import BlockedText
    from ..scoring.report import Report

#: Size in bytes above which text is scored in parts.
LARGE = 1 << 26
#: Maximum size in bytes of files that are loaded whole if their words differ and must be aligned.
_ALIGNABLE = 1 << 30
#: Number of lines above which text is scored in parts, because many small trees need much more memory than their text.
MANY_LINES = 500_000


def add_chunk_option(parser: argparse.ArgumentParser) -> None:
    """`--chunk`."""
    parser.add_argument(
        "--chunk",
        type=size,
        metavar="SIZE",
        help="score files in parts of this size, e.g. 64M; does not change the result (default: 8M for files of more "
        f"than {LARGE >> 20}M, else whole files)",
    )


def may_stream(options: argparse.Namespace, metrics: Sequence[Metric]) -> bool:
    """Can all requested results be computed in parts, and may a file be large?"""
    reason = _needs_whole(options, metrics)
    if options.chunk:
        if reason:
            raise UsageError(f"--chunk: {reason} needs whole files")
        return True
    return not reason and any(map(_may_be_large, (options.gold, options.test)))


def _needs_whole(options: argparse.Namespace, metrics: Sequence[Metric]) -> str | None:
    for name in ("per_sentence", "explain", "ci", "plot", "node_mappings", "alignment", "encoding", "reference"):
        if getattr(options, name):
            return f"--{name.replace('_', '-')}"
    for name in (*COMPLETION_FLAGS, "trees"):
        if getattr(options, name):
            return f"--{name}"
    if options.layout == "block":
        return "--layout block"
    if options.format == "evalb":
        return "-f evalb"
    if any(form not in PLAIN_FORMS for form in options.input_format.split(",")):
        return f"--input-format {options.input_format}"
    if any(map(os.path.isdir, (options.gold, options.test))):
        return "a folder"
    return next((metric.name for metric in metrics if not metric.takes_parts or metric.needs_times), None)


def _may_be_large(path: str) -> bool:
    """Pipes and compressed files may always be large."""
    if not os.path.isfile(path) or os.path.getsize(path) > min(LARGE, MANY_LINES):
        return True
    with open(path, "rb") as file:
        return packing(file.read(ENOUGH)) is not None


def are_streamed(texts: Sequence[BlockedText], options: argparse.Namespace) -> bool:
    """Are these texts large, and can they be scored in parts?"""
    if not options.chunk and not any(text.is_larger(LARGE, MANY_LINES) for text in texts):
        return False
    for place, text in enumerate(texts):
        if not text.is_plain(options.layout, PerSide.of(options.input_format, test=place > 0)):
            if options.chunk:
                raise UsageError(
                    f"--chunk: only bracketed text can be scored in parts; {text.name} seems to be other text"
                )
            return False
    return True


def score_streams(
    texts: Sequence[BlockedText], options: argparse.Namespace, metrics: Sequence[Metric]
) -> Report | None:
    """The report, or None if the words must be aligned and both texts can be loaded whole."""
    from ..helpers.steps import Steps
    from ..scale.streams import CHUNK, evaluate_stream

    is_default = not options.metric
    can_align = is_default and all(text.source.path for text in texts)
    can_align = can_align and sum(text.likely_size for text in texts) <= _ALIGNABLE
    differing: list[int] = []

    def note_difference(number: int) -> None:
        if can_align:
            raise _MustBeAligned
        differing.append(number)

    steps = Steps()
    try:
        with watched("scoring", steps):
            report = evaluate_stream(
                texts[0],
                texts[1],
                metrics,
                form=options.input_format,
                layout=options.layout,
                on_error="raise" if options.strict else "keep",
                chunk=options.chunk or CHUNK,
                threads=options.threads,
                by=[options.by] if options.by else [],
                on_difference=note_difference if is_default else None,
                steps=steps,
            )
    except (UnequalTreebanks, _MustBeAligned):
        if not can_align:
            raise
        return None
    if differing:
        aligning = f"-m 'aligned_parseval|profile:{options.profile or 'collins'}'"
        report.remarks.append(
            f"the words of gold and test first differ in sentence {differing[0]}: {aligning} aligns them, but needs "
            "all trees in memory"
        )
    return report


class _MustBeAligned(Exception):
    """The words differ, and both texts are small enough to be aligned."""

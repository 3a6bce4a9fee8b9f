#!/usr/bin/env python3
"""How well the confidence of forced alignment detects wrong transcripts, and what it costs.

    python bench/make_speech.py FOLDER --sphinx pocketsphinx-5.1.1/test/data
    python bench/alignment_confidence.py measure FOLDER          writes bench/alignment_confidence.jsonl
    python bench/alignment_confidence.py table                   detection and false alarms, for both sets of recordings
    python bench/alignment_confidence.py plot docs/pictures/measured-confidence.png
    python bench/alignment_confidence.py cost FOLDER             CPU seconds per second of audio

The recordings are described in make_speech.py, which lists the packages that it needs. They are measured in random
order: the first 310, half of all, are the set from which thresholds were chosen, the others are the test set, of which
170 were measured (`-n 480`). `measure` takes about two CPU seconds for each. Its results are committed, so `table` and
`plot` need no recordings; `plot` needs matplotlib.

A transcript is detected if its words cannot be aligned or if its confidence is below the threshold. False alarms are
right transcripts that can be aligned, with a confidence below the threshold. Intervals are Wilson's, at 95 %.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from time import process_time
from typing import Any

from measure import positive

from treescore.speech.audio import FRAMES, read_sound
from treescore.speech.confidence import LEAST, LEFT, MEAN, OTHER, WORD
from treescore.speech.forced import ForcedAligner, NotAligned
from treescore.speech.readings import spoken

MEASUREMENTS = Path(__file__).with_suffix(".jsonl")
MEASURES = {"mean": MEAN, "worst": WORD, "other": OTHER, "left": LEFT}
SETS = ("choose", "test")
CHOSEN = 310  # recordings in the set from which thresholds were chosen
KINDS = {
    "other": "another text",
    "replaced": "one word replaced",
    "dropped": "two words dropped",
}
_COST = 20  # recordings


def main() -> int:
    """Run one of the commands."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["measure", "table", "plot", "cost"])
    parser.add_argument("path", type=Path, nargs="?", help="folder of recordings, or the picture to write")
    parser.add_argument("-n", "--number", type=positive, help="recordings to measure (default: all)")
    parser.add_argument("-j", "--jobs", type=positive, default=1, help="processes (default: 1)")
    options = parser.parse_args()
    if options.command != "table" and options.path is None:
        parser.error(f"{options.command} needs a path")
    if options.command == "measure":
        measure(options.path, options.number, options.jobs)
    elif options.command == "table":
        table()
    elif options.command == "plot":
        plot(options.path)
    else:
        cost(options.path)
    return 0


def recordings(folder: Path) -> list[dict[str, Any]]:
    """The recordings of make_speech.py in random order."""
    lines = (folder / "texts.jsonl").read_text("utf-8").splitlines()
    random.Random(7).shuffle(lines)
    return [json.loads(line) for line in lines]


def measure(folder: Path, number: int | None, jobs: int) -> None:
    """Align all texts of the first recordings, in random order."""
    with ProcessPoolExecutor(jobs) as pool, MEASUREMENTS.open("w", encoding="utf-8") as out:
        tasks = [
            {**recording, "path": str(folder / recording["file"]), "set": SETS[place >= CHOSEN]}
            for place, recording in enumerate(recordings(folder)[:number])
        ]
        for count, result in enumerate(pool.map(measured, tasks), 1):
            out.write(json.dumps(result) + "\n")
            sys.stderr.write(f"\r{count} of {len(tasks)}")
    sys.stderr.write("\n")


_aligner: list[ForcedAligner] = []


def measured(task: dict[str, Any]) -> dict[str, Any]:
    """The measures of all transcripts of a recording; None for those that cannot be aligned."""
    if not _aligner:
        _aligner.append(ForcedAligner(confidence=True))
    sound = read_sound(task["path"])
    results: dict[str, dict[str, float] | None] = {}
    for kind in ("right", *KINDS):
        words = spoken([(word, None) for word in task["texts"][kind].split()], _aligner[0])
        try:
            _aligner[0].align(sound, words)
        except NotAligned:
            results[kind] = None
            continue
        confidence = _aligner[0].confidence
        assert confidence is not None
        left = 0 if confidence.left is None else round((confidence.left[1] - confidence.left[0]) * FRAMES)
        values = (confidence.mean, confidence.worst, confidence.other, -left)
        results[kind] = dict(zip(MEASURES, values, strict=True))
    return {**{fact: task[fact] for fact in ("file", "set", "voice", "noise")}, **results}


def measurements() -> list[dict[str, Any]]:
    """The committed results."""
    return [json.loads(line) for line in MEASUREMENTS.read_text("utf-8").splitlines()]


def level(values: dict[str, float] | None, measures: Iterable[str] = MEASURES) -> float:
    """The confidence of an utterance by some measures; -1 if it could not be aligned."""
    return -1.0 if values is None else min(MEASURES[name].level(values[name]) for name in measures)


def levels(results: list[dict[str, Any]], kind: str, measures: Iterable[str] = MEASURES) -> list[float]:
    """The confidences of all transcripts of a kind; only of those that can be aligned if they are right."""
    return [level(result[kind], measures) for result in results if kind != "right" or result[kind] is not None]


def wilson(count: int, total: int) -> tuple[float, float]:
    """The 95 % interval of a share.

    >>> [round(limit, 3) for limit in wilson(2, 149)]
    [0.004, 0.048]
    """
    z, share = 1.959964, count / total
    middle = share + z * z / (2 * total)
    half = z * (share * (1 - share) / total + z * z / (4 * total * total)) ** 0.5
    return (middle - half) / (1 + z * z / total), (middle + half) / (1 + z * z / total)


def rows() -> Iterator[str]:
    """The rows of the table in the documentation: shares in percent with their intervals, for both sets."""
    for kind, title in {"right": "right transcripts", **KINDS}.items():
        cells = []
        for name in SETS:
            confidences = levels([result for result in measurements() if result["set"] == name], kind)
            count = sum(value < LEAST for value in confidences)
            low, high = (100 * limit for limit in wilson(count, len(confidences)))
            cells.append(
                f"{count} of {len(confidences)}, {100 * count / len(confidences):.1f} % ({low:.1f}–{high:.1f})"
            )
        yield f"| {' | '.join([title, *cells])} |"


def table() -> None:
    """Print false alarms and detection."""
    print("\n".join(rows()))
    for name in SETS:
        results = [result for result in measurements() if result["set"] == name]
        lost = sum(result["right"] is None for result in results)
        print(f"{name}: {len(results)} recordings; {lost} right transcripts cannot be aligned")
        for kind, title in {"right": "false alarms", **KINDS}.items():
            confidences = levels(results, kind)
            count, refused = sum(value < LEAST for value in confidences), sum(value < 0 for value in confidences)
            low, high = wilson(count, len(confidences))
            print(
                f"  {title:18} {count:4} of {len(confidences):4} = {100 * count / len(confidences):5.1f} %"
                f"  ({100 * low:.1f} to {100 * high:.1f}); {refused} cannot be aligned"
            )
        for measure_name in MEASURES:
            shares = (
                sum(value < LEAST for value in levels(results, kind, [measure_name])) for kind in ("right", *KINDS)
            )
            print(f"  {measure_name:8} alone: {' '.join(f'{count:4}' for count in shares)}")
        for voice in sorted({result["voice"] for result in results}):
            own = [result for result in results if result["voice"] == voice]
            counts = [sum(value < LEAST for value in levels(own, kind)) for kind in ("right", *KINDS)]
            aligned = sum(result["right"] is not None for result in own)
            shown = " ".join(f"{count:4}" for count in counts)
            print(f"  {voice:24} {len(own):4} recordings, {aligned:4} aligned: {shown}")


def curve(results: list[dict[str, Any]], kind: str) -> Iterator[tuple[float, float]]:
    """False alarms and detection, in percent, for each threshold."""
    right, wrong = levels(results, "right"), levels(results, kind)
    for least in sorted({0.0, *right, *wrong, 1.0}):
        alarms, detected = (sum(value < least for value in values) for values in (right, wrong))
        yield 100 * alarms / len(right), 100 * detected / len(wrong)


def plot(path: Path) -> None:
    """Draw detection against false alarms."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 4), dpi=100, layout="constrained")
    axes = figure.subplots(1, len(SETS), sharey=True)
    for panel, name in zip(axes, SETS, strict=True):
        results = [result for result in measurements() if result["set"] == name]
        right = levels(results, "right")
        for kind, title in KINDS.items():
            wrong = levels(results, kind)
            alarms, detected = zip(*curve(results, kind), strict=True)
            (line,) = panel.step(alarms, detected, where="post", label=title)
            default = [100 * sum(value < LEAST for value in values) / len(values) for values in (right, wrong)]
            panel.plot(*default, "o", color=line.get_color())
        panel.set(xlim=(0, 20), ylim=(0, 101), title=f"{name}: {len(right)} aligned right transcripts")
        panel.set_xlabel("false alarms, %")
        panel.grid(alpha=0.3)
    axes[0].set_ylabel("wrong transcripts detected, %")
    axes[1].legend(loc="lower right", title="dots: confidence below 0.5")
    figure.savefig(path, metadata={"Software": None})


def cost(folder: Path) -> None:
    """Print CPU seconds per second of audio, with and without confidence."""
    chosen = recordings(folder)[:_COST]
    sounds = [read_sound(str(folder / recording["file"])) for recording in chosen]
    seconds = sum(sound.seconds for sound in sounds)
    print(f"{len(sounds)} recordings of {seconds:.0f} seconds, CPU seconds per second of audio")
    for confidence in (False, True):
        aligner = ForcedAligner(confidence=confidence)
        for kind in ("right", "other"):
            texts = [recording["texts"][kind] for recording in chosen]
            start = process_time()
            for sound, text in zip(sounds, texts, strict=True):
                try:
                    aligner.align(sound, spoken([(word, None) for word in text.split()], aligner))
                except NotAligned:
                    continue
            used = process_time() - start
            print(f"  {'with' if confidence else 'without'} confidence, {kind} texts: {used / seconds:.3f}")


if __name__ == "__main__":
    sys.exit(main())

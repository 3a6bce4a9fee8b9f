#!/usr/bin/env python3
"""Measure readers of words with times beside polars and pyarrow reading the same columns: CPU time, one process.

    python bench/word_times.py
    python bench/word_times.py -n 100000 -r 9

Words as frequent as in speech, in utterances of about 15 words, as ctm, tsv and JSON lines, and as one long TextGrid.
Ours detect the format, group words by utterance and correct times; the others fill columns of strings and numbers. None
of them reads TextGrids. What is compared is measured in turn, with one thread each; times are the least of several
rounds. Peers that are not installed are left out. Ratios are times of ours.
"""

from __future__ import annotations

import argparse
import io
import os
import random
import sys
from collections.abc import Callable, Sequence
from functools import partial

os.environ.setdefault("POLARS_MAX_THREADS", "1")  # read when polars is imported

from align_words import spoken
from measure import positive
from struct_iou import fastest

from treescore.readers.times import read_times
from treescore.render import pieces
from treescore.words.transcript import Transcript
from treescore.words.utterance import Utterance

Readers = dict[str, Callable[[], object]]

GRID_WORDS = 30_000


def utterances(rng: random.Random, count: int) -> list[Utterance]:
    """Utterances whose words follow each other, with times in milliseconds."""
    vocabulary = spoken(rng, 200_000)
    made = []
    for number in range(count):
        at, times = rng.random(), []
        words = [rng.choice(vocabulary) for _ in range(max(1, round(rng.gauss(15, 6))))]
        for word in words:
            end = at + 0.06 * len(word) + 0.1 * rng.random()
            times.append((round(at, 3), round(end, 3)))
            at = end
        name = f"u{number}"
        made.append(Utterance(Transcript(words, times=times), id=name, file=name, channel="A"))
    return made


def long_utterance(rng: random.Random) -> Utterance:
    """One utterance with a pause after each word."""
    times = [(round(0.3 * place, 2), round(0.3 * place + 0.25, 2)) for place in range(GRID_WORDS)]
    return Utterance(Transcript(spoken(rng, GRID_WORDS), times=times), id="long")


def by_polars(form: str, data: bytes) -> Callable[[], object] | None:
    """The same columns by polars."""
    import polars

    types = {"start": polars.Float64, "end": polars.Float64}
    if form == "tsv":
        columns = ["id", "word", "start", "end"]
        return lambda: polars.read_csv(io.BytesIO(data), separator="\t", columns=columns, schema_overrides=types)
    if form == "ctm":
        read = partial(polars.read_csv, separator=" ", has_header=False, quote_char=None)
        return lambda: read(io.BytesIO(data))
    if form == "jsonl":
        rows = json_rows(data)
        return lambda: polars.read_ndjson(io.BytesIO(rows))
    return None


def by_pyarrow(form: str, data: bytes) -> Callable[[], object] | None:
    """The same columns by pyarrow."""
    from pyarrow import csv, json

    reading = csv.ReadOptions(use_threads=False)
    if form == "tsv":
        parsing = csv.ParseOptions(delimiter="\t", quote_char=False)
        converting = csv.ConvertOptions(include_columns=["id", "word", "start", "end"])
        return lambda: csv.read_csv(io.BytesIO(data), reading, parsing, converting)
    if form == "ctm":
        parsing = csv.ParseOptions(delimiter=" ", quote_char=False)
        plain = csv.ReadOptions(use_threads=False, autogenerate_column_names=True)
        return lambda: csv.read_csv(io.BytesIO(data), plain, parsing)
    if form == "jsonl":
        rows = json_rows(data)
        return lambda: json.read_json(io.BytesIO(rows), json.ReadOptions(use_threads=False, block_size=1 << 24))
    return None


def json_rows(data: bytes) -> bytes:
    """Lists of a word and two times become objects, because columns have one type."""
    from json import dumps, loads

    lines = []
    for line in data.splitlines():
        record = loads(line)
        record["words"] = [{"word": word, "start": start, "end": end} for word, start, end in record["words"]]
        lines.append(dumps(record))
    return "\n".join(lines).encode()


PEERS = {"polars": by_polars, "pyarrow": by_pyarrow}


def readers(form: str, data: bytes) -> Readers:
    """What reads this format."""
    work: Readers = {"treescore": lambda: read_times(data, format=form)}
    if form == "jsonl":
        rows = json_rows(data)
        work["treescore, objects"] = lambda: read_times(rows, format=form)
    for name, make in PEERS.items():
        try:
            peer = make(form, data)
        except ImportError:
            continue
        if peer is not None:
            work[name] = peer
    return work


def main(arguments: Sequence[str] | None = None) -> int:
    """Make the words, measure, and print times and ratios."""
    parser = argparse.ArgumentParser(description="CPU time of readers of words with times beside other packages.")
    parser.add_argument("-n", "--count", type=positive, default=20_000, help="utterances (default: %(default)s)")
    parser.add_argument("-r", "--rounds", type=positive, default=5, help="rounds (default: %(default)s)")
    options = parser.parse_args(arguments)
    rng = random.Random(1)
    spoken_words = utterances(rng, options.count)
    files = {
        form: (spoken_words, "".join(pieces("Utterances", spoken_words, form))) for form in ("ctm", "tsv", "jsonl")
    }
    long = [long_utterance(rng)]
    files["textgrid"] = (long, "".join(pieces("Utterances", long, "textgrid")))
    print(f"{'':<12}{'':<20}{'words':>10}{'ms':>10}{'µs/word':>10}{'ratio':>8}")
    for form, (sides, text) in files.items():
        words = sum(len(utterance.transcript) for utterance in sides)
        taken = fastest(readers(form, text.encode()), options.rounds)
        for name, seconds in taken.items():
            ratio = seconds / taken["treescore"]
            print(f"{form:<12}{name:<20}{words:>10,}{1e3 * seconds:>10.1f}{1e6 * seconds / words:>10.3f}{ratio:>8.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

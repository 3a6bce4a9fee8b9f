"""Compare a program with its model in plain Python on random input: python tests/differential.py evalb 1000000

The input follows from seeds, which continue where the last run ended: build/differential has the next seed of each
program, and how many pairs have been compared since the sources changed. A run may be interrupted at any time, and does
nothing if that number of pairs was reached before. `--seed 17` compares the input of one seed.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any

import conftest  # noqa: F401  # tests need its settings of hypothesis when they are imported
import oracle.test_against_oracle as brackets
import oracle.test_alignment as alignment
import oracle.test_conllu_eval as conllu_eval
import oracle.test_discontinuous as discontinuous
import oracle.test_error_classes as error_classes
import oracle.test_parseval_options as parseval_options
import oracle.test_sparseval_against_oracle as sparseval
import oracle.test_speech as speech
import oracle.test_tedeval as tedeval
import oracle.test_tree_distance as tree_distance
from oracle.conllu_eval import evaluate as evaluate_conllu
from oracle.conllu_inputs import make_conllu_pair
from oracle.sparseval_inputs import make_case as make_sparseval_case

ROOT = Path(__file__).parents[1]
JOURNALS = ROOT / "build" / "differential"
SEEDS_AT_ONCE = 20  # in a process
FIRST_SEED = 1_000_000  # beyond those of the tests


def evalb(seed: int, folder: Path) -> int:
    return brackets.check(seed, folder, spmrl=False)


def evalb_spmrl(seed: int, folder: Path) -> int:
    return brackets.check(seed, folder, spmrl=True)


def sparseval_programs(seed: int, folder: Path) -> int:
    case = make_sparseval_case(Random(seed))
    trees = max(sum(line.startswith(b"(") for line in text.splitlines()) for text in case.files.values())
    return trees if sparseval.check(case, folder, f"seed {seed}") else 0


def struct_iou(seed: int, _: Path) -> int:
    return alignment.compare_many(seed, 200)


def parseval(seed: int, _: Path) -> int:
    return parseval_options.check(seed)


def conllu(seed: int, _: Path) -> int:
    gold, test = make_conllu_pair(Random(seed))
    assert conllu_eval.counted(gold, test) == evaluate_conllu(gold, test)
    return 1


def gaps(seed: int, _: Path) -> int:
    rng = Random(seed)
    pairs = [discontinuous.make_pair(rng, gaps=rng.choice((0, 0.2, 0.8))) for _ in range(20)]
    discontinuous.check(pairs, rng)
    return len(pairs)


def errors(seed: int, _: Path) -> int:
    error_classes.compare(seed, 10, original=seed % 2 == 1)
    return 10


def spoken_units(seed: int, _: Path) -> int:
    speech.check_unit(Random(seed))
    return 1


def distance(seed: int, _: Path) -> int:
    rng = Random(seed)
    words = 12 if seed % 50 == 0 else rng.choice((2, 3, 4, 5, 6))
    tree_distance.assert_right(tree_distance.make_case(rng, words))
    return 1


def morphemes(seed: int, _: Path) -> int:
    rng = Random(seed)
    tedeval.assert_right(tedeval.make_case(rng, rng.choice((2, 3, 4, 5, 6))))
    return 1


#: Each compares the input of a seed, may write in a folder, and returns the number of pairs.
PROGRAMS: dict[str, Callable[[int, Path], int]] = {
    "evalb": evalb,
    "evalb-spmrl": evalb_spmrl,
    "sparseval": sparseval_programs,
    "struct_iou": struct_iou,
    "parseval": parseval,
    "conllu_eval": conllu,
    "discontinuous": gaps,
    "error_classes": errors,
    "speech": spoken_units,
    "tree_distance": distance,
    "tedeval": morphemes,
}


def compared(name: str, seeds: range) -> int:
    """The number of pairs of these seeds."""
    with tempfile.TemporaryDirectory() as folder:
        pairs = 0
        for seed in seeds:
            try:
                pairs += PROGRAMS[name](seed, Path(folder))
            except Exception as error:
                message = " ".join(f"{type(error).__name__}: {error}".split())
                raise AssertionError(f"{name}, seed {seed}: {message[:2000]}") from None
        return pairs


def code() -> str:
    """A checksum of the sources of the programs and their models."""
    paths = (ROOT / "src").rglob("*.py"), (ROOT / "native").glob("*.[ch]pp"), (ROOT / "tests" / "oracle").glob("*.py")
    content = b"".join(path.read_bytes() for group in paths for path in sorted(group))
    return hashlib.sha256(content).hexdigest()


@contextmanager
def journal(name: str) -> Iterator[dict[str, Any]]:
    """What is known about the runs of a program; written when it is left."""
    path = JOURNALS / f"{name}.json"
    entries = json.loads(path.read_text()) if path.exists() else {"seed": FIRST_SEED}
    if entries.get("code") != code():
        entries |= {"code": code(), "pairs": 0, "seconds": 0.0}
    yield entries
    JOURNALS.mkdir(parents=True, exist_ok=True)
    new = path.with_suffix(".new")
    new.write_text(json.dumps(entries) + "\n")
    new.replace(path)


def run(name: str, number: int) -> None:
    """Compare pairs until there are so many since the sources changed."""
    processes = os.cpu_count() or 1
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        while True:
            with journal(name) as entries:
                if entries["pairs"] >= number:
                    break
                begin, start = entries["seed"], time.monotonic()
                end = begin + 4 * processes * SEEDS_AT_ONCE
                ranges = [range(seed, seed + SEEDS_AT_ONCE) for seed in range(begin, end, SEEDS_AT_ONCE)]
                entries["pairs"] += sum(pool.map(compared, [name] * len(ranges), ranges))
                entries["seconds"] += time.monotonic() - start
                entries["seed"] = end
    speed = entries["pairs"] / max(entries["seconds"], 1e-9) * 3600
    print(f"{name}: {entries['pairs']:,} pairs agree, up to seed {entries['seed']:,}; {speed:,.0f} pairs per hour")


def main() -> int:
    """Compare a program with its model."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", choices=PROGRAMS)
    parser.add_argument("pairs", type=int, nargs="?", default=1_000_000, help="number of pairs (default: 1000000)")
    parser.add_argument("--seed", type=int, help="compare the input of this seed only")
    options = parser.parse_args()
    try:
        if options.seed is not None:
            print(f"{options.program}: {compared(options.program, range(options.seed, options.seed + 1))} pairs agree")
        else:
            run(options.program, options.pairs)
    except AssertionError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""The inputs with which the fuzzers begin, and those that are kept: fuzz_corpus.py unpack|pack build/fuzz

`unpack` writes inputs from the golden cases, and those of native/fuzz/corpus, to a folder for each fuzzer in `seeds`.
`pack` takes into native/fuzz/corpus what is needed from `corpus` to reach the code that these inputs do not reach.

An input for trees has eight bytes of options, the form of the trees first, and then gold and test line by line.
"""

from __future__ import annotations

import hashlib
import io
import json
import lzma
import subprocess
import sys
import tarfile
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from treescore import InputError, read

ROOT = Path(__file__).parents[1]
GOLDEN = ROOT / "tests" / "golden"
CORPUS = ROOT / "native" / "fuzz" / "corpus"
LABELLED, LABELLESS, NUMBERED, SPANS = range(4)
TREE_FUZZERS = (
    "error_classes",
    "leaf_ancestor",
    "parseval",
    "speech_score",
    "struct_iou",
    "text_alignment",
    "tree_distance",
)
MOST_BYTES = 3_000
MOST_BYTES_KEPT = 1_000


def cases(name: str) -> list[dict[str, Any]]:
    path = GOLDEN / name
    data = path.read_bytes()
    return list(json.loads(lzma.decompress(data) if path.suffix == ".xz" else data)["cases"])


def interleaved(gold: str, test: str) -> bytes:
    """The lines of both sides in turn, as many as fit."""
    lines: list[str] = []
    for pair in zip(gold.splitlines(), test.splitlines(), strict=False):
        if sum(map(len, lines)) < MOST_BYTES:
            lines.extend(pair)
    return "".join(line + "\n" for line in lines).encode("utf-8", "surrogateescape")


def tree_pairs() -> Iterator[tuple[int, bytes]]:
    for name in ("evalb.json.xz", "evalb_spmrl.json.xz", "sparseval.json.xz", "aligned_parseval.json.xz"):
        for case in cases(name):
            files = case["files"]
            if "gold" in files and "test" in files:
                yield LABELLED, interleaved(files["gold"], files["test"])
    for name in ("tedeval.json", "leaf_ancestor.json", "discodop.json"):
        for case in cases(name):
            form = NUMBERED if "0=" in case["gold"] else LABELLED
            yield form, interleaved(case["gold"], case["test"])
    for case in cases("struct_iou.json.xz")[:200]:
        yield SPANS, interleaved(spans(case["t1"]), spans(case["t2"]))
    yield LABELLESS, b"( ( a urinal ) ( in ( a restroom ) ) )\n( a ( urinal ( in ( a restroom ) ) ) )\n"


def spans(node: list[Any]) -> str:
    """A tree of the golden cases of struct_iou, with spans of time for words."""
    if len(node) == 3:
        return f"({node[0]} {node[1]}-{node[2]})"
    return f"({node[0]} {' '.join(map(spans, node[1]))})"


#: A file of words with times of each kind, as the fuzzer read_words numbers them.
WORDS = (
    b"a\t0.5\t1.0\tu1\nb\t0.9\t2\tu2\nc\t1\t3\tu1\n",
    b"rec A 0.50 0.25 word 0.9\nrec A 0.70 0.30 b\n;; x\nr2 1 0 1 <ALT>\n",
    b'{"id": "u1", "words": [{"word": "a", "start": 0.5, "end": 1}, {"text": "b", "start": 1, "end": 2}]}\n'
    b'{"id": "u2", "speaker": "x", "begin": 0, "words": []}\n',
    b'File type = "ooTextFile"\nObject class = "TextGrid"\nxmin = 0\nxmax = 2\ntiers? <exists>\nsize = 1\nitem []:\n'
    b'item [1]:\nclass = "IntervalTier"\nname = "words"\nxmin = 0\nxmax = 2\nintervals: size = 2\n'
    b'intervals [1]:\nxmin = 0\nxmax = 1\ntext = "a b"\nintervals [2]:\nxmin = 1\nxmax = 2\ntext = "c"\n',
)


def options(number: int, form: int) -> bytes:
    """The form, and other options that differ from seed to seed; none in every second one."""
    rest = hashlib.sha256(str(number).encode()).digest()[:7] if number % 2 else bytes(7)
    return bytes([form]) + rest


def seeds() -> Iterator[tuple[str, bytes]]:
    for number, (form, text) in enumerate(sorted(set(tree_pairs()))):
        for fuzzer in TREE_FUZZERS:
            yield fuzzer, options(number, form) + text
        if form == NUMBERED:
            yield "read_graphs", bytes(8) + text
        elif form == SPANS:
            yield "read_spans", options(number, 0) + text
        else:
            yield "read_brackets", options(number, number % 3) + text
            yield "completions", options(number, 0) + text
        if number % 4 == 0:
            try:
                yield "load_columns", bytes(read(text, on_error="keep").native.saved())
            except InputError:
                continue
    for name in ("evalb.json.xz", "sparseval.json.xz"):
        for number, case in enumerate(cases(name)):
            files = {name: text.encode("latin-1") for name, text in case["files"].items()}
            if "gold" not in files or "test" not in files:
                continue
            if name == "evalb.json.xz":
                yield "read_evalb", options(number, 0) + files["gold"] + b"\0" + files["test"]
            else:
                rest = b"".join(b"\0" + text for name, text in files.items() if name in ("align", "raw"))
                yield "sparseval", options(number, number) + files["gold"] + b"\0" + files["test"] + rest
    for number, case in enumerate(cases("conllu_eval.json.xz")):
        yield "read_conllu", options(number, number) + case["gold"].encode() + b"\0" + case["test"].encode()
    for kind, text in enumerate(WORDS):
        yield "read_words", bytes([kind, 0, 0, 0, 1, 0, 0, 0]) + text
    for case in cases("discodop.json"):
        if case["fmt"] == "export":
            for flags in (1, 3):
                yield "read_graphs", bytes([flags % 2, flags // 2]) + bytes(6) + case["gold"].encode()


def write(folder: Path, data: bytes) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / hashlib.sha256(data).hexdigest()[:16]).write_bytes(data)


def packed(fuzzer: str) -> Iterator[bytes]:
    archive = CORPUS / f"{fuzzer}.tar.xz"
    if archive.exists():
        with tarfile.open(archive) as files:
            for member in files:
                yield files.extractfile(member).read()  # type: ignore[union-attr]


def unpack(build: Path, fuzzers: list[str]) -> None:
    for fuzzer in fuzzers:
        (build / "seeds" / fuzzer).mkdir(parents=True, exist_ok=True)
        for data in packed(fuzzer):
            write(build / "seeds" / fuzzer, data)
    for fuzzer, data in seeds():
        if len(data) <= 4 * MOST_BYTES:
            write(build / "seeds" / fuzzer, data)


def pack(build: Path, fuzzers: list[str]) -> None:
    golden: dict[str, list[bytes]] = defaultdict(list)
    for fuzzer, data in seeds():
        golden[fuzzer].append(data)
    CORPUS.mkdir(exist_ok=True)
    for fuzzer in fuzzers:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            for data in golden[fuzzer]:
                write(folder / "golden", data)
            for path in (build / "corpus" / fuzzer).iterdir():
                if path.stat().st_size <= MOST_BYTES_KEPT:
                    write(folder / "kept", path.read_bytes())
            for data in packed(fuzzer):
                write(folder / "kept", data)
            (folder / "golden").mkdir(exist_ok=True)
            before = set((folder / "golden").iterdir())
            merge = [str(build / fuzzer), "-set_cover_merge=1", "golden", "kept"]
            subprocess.run(merge, cwd=folder, check=True, stderr=subprocess.DEVNULL)
            new = {path.read_bytes() for path in set((folder / "golden").iterdir()) - before}
        with tarfile.open(CORPUS / f"{fuzzer}.tar.xz", "w:xz") as files:
            for data in sorted(new):
                entry = tarfile.TarInfo(hashlib.sha256(data).hexdigest()[:8])
                entry.size = len(data)
                files.addfile(entry, io.BytesIO(data))
        print(f"{fuzzer}: {len(new)} inputs, {(CORPUS / f'{fuzzer}.tar.xz').stat().st_size / 1000:.0f} kB")


def main() -> None:
    command, build, *fuzzers = sys.argv[1:]
    {"unpack": unpack, "pack": pack}[command](Path(build).absolute(), fuzzers)


if __name__ == "__main__":
    main()

"""Run the long checks in parts of at most an hour: scripts/test_long.py [PART ...]

A part that has passed with the present sources is not repeated, so that an interrupted run continues. A part that takes
more than an hour is stopped; those that keep a journal continue there the next time, and the others fail. Output is in
build/test-long. It ends with a table of all parts, and fails unless all of them have passed.
"""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from differential import PROGRAMS  # noqa: E402

FOLDER = ROOT / "build" / "test-long"
JOURNAL = FOLDER / "parts.json"
#: What is tested, and what tests it.
SOURCES = ("CMakeLists.txt", "Makefile", "bench", "native", "pyproject.toml", "scripts", "share", "src", "tests")
HOUR = 3600
PAIRS = "1000000"
PYTHON = sys.executable
LONG = (PYTHON, "-m", "pytest", "-m", "long", "-p", "no:cacheprovider")
STREAM = "tests/test_memory.py"
FIRST_HALF = ("tests/golden", "tests/laws", "tests/oracle", "tests/entry_points")
REVERSED = (
    "golden",
    "laws",
    "oracle",
    "test_reader.py",
    "test_streams.py",
    "test_struct_iou.py",
    "test_text_alignment.py",
)
PARTS: dict[str, tuple[str, ...]] = {
    "compilers": ("scripts/compilers", PYTHON),
    "tests": ("scripts/run-tests", PYTHON),
    "long-oracle": (*LONG, "tests/oracle"),
    "long-fuzz": (*LONG, "tests/fuzz"),
    "long-others": (*LONG, "tests", *(f"--ignore={path}" for path in ("tests/oracle", "tests/fuzz", STREAM))),
    "stream": (*LONG, STREAM),
    "reversed-names": (PYTHON, "scripts/reversed_names.py", PYTHON, *(f"tests/{path}" for path in REVERSED)),
    "sanitizers-1": ("scripts/sanitize", PYTHON, *FIRST_HALF),
    "sanitizers-2": ("scripts/sanitize", PYTHON, "tests", *(f"--ignore={path}" for path in FIRST_HALF)),
    "cluster-faults": (PYTHON, "tests/cluster_faults.py", "200"),
    **{f"differential-{name}": (PYTHON, "tests/differential.py", name, PAIRS) for name in PROGRAMS},
}
JOURNALS = ("cluster-faults", "differential-")  # parts that continue


def code() -> str:
    """A checksum of the sources."""
    files = [ROOT / name for name in SOURCES if (ROOT / name).is_file()]
    files += [path for name in SOURCES for path in (ROOT / name).rglob("*")]
    digest = hashlib.sha256()
    for path in sorted(files):
        if path.is_file() and "__pycache__" not in path.parts and path.suffix not in (".so", ".pyi"):
            digest.update(f"{path.relative_to(ROOT)}\0".encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def run(part: str) -> str:
    """Run a part; returns how it ended."""
    with (FOLDER / f"{part}.log").open("wb") as log:
        process = subprocess.Popen(PARTS[part], cwd=ROOT, stdout=log, stderr=log, start_new_session=True)
        try:
            return "passed" if process.wait(HOUR) == 0 else "FAILED"
        except subprocess.TimeoutExpired:
            return "to be continued" if part.startswith(JOURNALS) else "FAILED: more than an hour"
        finally:  # also when it is interrupted
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGTERM)
                try:
                    process.wait(30)
                except subprocess.TimeoutExpired:
                    os.killpg(process.pid, signal.SIGKILL)


def has_passed(entry: dict[str, str], sources: str) -> bool:
    """Whether a part has passed with these sources."""
    return entry.get("result") == "passed" and entry["code"] == sources


def main() -> int:
    """Run the parts that have not passed."""
    unknown = [name for name in sys.argv[1:] if name not in PARTS]
    if unknown:
        sys.exit(f"scripts/test_long.py: unknown part {unknown[0]}; parts: {', '.join(PARTS)}")
    FOLDER.mkdir(parents=True, exist_ok=True)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    results = json.loads(JOURNAL.read_text()) if JOURNAL.exists() else {}
    sources = code()
    for part in sys.argv[1:] or PARTS:
        if has_passed(results.get(part, {}), sources):
            continue
        print(f"== {part}", flush=True)
        begin = time.time()
        result = run(part)
        when = time.strftime("%Y-%m-%d %H:%M", time.localtime(begin))
        minutes = (time.time() - begin) / 60
        results[part] = {"result": result, "code": sources, "when": when, "minutes": round(minutes, 1)}
        JOURNAL.write_text(json.dumps(results, indent=1) + "\n")
        if result != "passed":
            lines = (FOLDER / f"{part}.log").read_text("utf-8", "replace").splitlines()
            print(*lines[-20:], f"== {part}: {result}; see build/test-long/{part}.log", sep="\n", flush=True)
    print(f"\n{'part':<26}{'begun':<18}{'minutes':>7}  result")
    for part in PARTS:
        entry = results.get(part, {"when": "", "minutes": "", "result": "not run", "code": sources})
        older = "" if entry["code"] == sources else ", with other sources"
        print(f"{part:<26}{entry['when']:<18}{entry['minutes']:>7}  {entry['result']}{older}")
    missing = [part for part in PARTS if not has_passed(results.get(part, {}), sources)]
    print(f"{len(PARTS) - len(missing)} of {len(PARTS)} parts have passed")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())

"""Schedules of faults for `treescore columns` on real processes: python tests/cluster_faults.py 200

A schedule follows from its seed. It starts the command once or several times, and disturbs each run after a number of
steps of the workers: a worker scores rows, or writes a part, only if there is a ticket for it. No schedule depends on
time, therefore, although processes still run side by side. The last run is not disturbed. It must give the bytes of one
process, and report all damaged parts.

A number runs the schedules of all seeds below it, and continues after an interruption. `--seed 17` repeats one.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

import psutil
from cluster_processes import content, dask, environment, parts, started, workers_of
from column_pairs import write_pairs
from command import treescore_inside

ROOT = Path(__file__).parents[1]
JOURNAL = ROOT / "build" / "cluster-faults.txt"
OPTIONS = ("--rows-per-task", "10", "--id-column", "id")
PATIENCE = 180  # seconds until a run that has not ended is a failure

#: Each step of a worker takes a ticket: scoring rows, and giving a written file its name.
STARTUP = """
import os, time
from pathlib import Path
from treescore.scale import pairs

gate = Path(os.environ["FAULTS_GATE"])
score_columns, fsync = pairs.score_columns, os.fsync

def limit_files(size):
    import resource
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

def step():
    (gate / "started" / str(os.getpid())).touch()
    if (gate / "slow" / str(os.getpid())).exists():
        time.sleep(0.5)
    if (gate / "limited").exists():
        limit_files(4096)
    while not (gate / "open").exists():
        for ticket in (gate / "tickets").iterdir():
            try:
                ticket.unlink()
                return
            except FileNotFoundError:
                pass
        time.sleep(0.005)

def score_after_step(*arguments, **options):
    step()
    return score_columns(*arguments, **options)

def sync_after_step(file):
    step()
    fsync(file)

pairs.score_columns, os.fsync = score_after_step, sync_after_step
"""

#: How the command works: in one process, with local workers, or with the workers of a scheduler.
MODES = ("one process", "local workers", "scheduler")
#: Faults, each with the modes in which it can happen.
FAULTS = {
    "kill the client": MODES[:2],
    "kill the client and its workers": MODES[:2],
    "replace the client": MODES[2:],
    "kill a worker": MODES[1:],
    "stop a worker": MODES[1:],
    "stop a worker for some steps": MODES[1:],
    "slow down a worker": MODES[1:],
    "kill the scheduler": MODES[2:],
    "fill the disk": MODES,
    "flip a bit of a part": MODES,
    "start a second client": MODES,
    "start a client with another folder": MODES[2:],
}
#: No run survives these faults, or none has to.
FATAL = {"kill the client", "kill the client and its workers", "kill the scheduler", "fill the disk"}


class Attempt(NamedTuple):
    """A run of the command, and its faults, each with the number of steps before it."""

    mode: str
    faults: tuple[tuple[int, str], ...]

    def __str__(self) -> str:
        return f"{self.mode}: " + ", ".join(f"{steps} steps, {name}" for steps, name in self.faults)


class Schedule(NamedTuple):
    """What happens with this seed. Rows are scored in a separate process after this number of killed workers."""

    seed: int
    attempts: tuple[Attempt, ...]
    failures: int

    def __str__(self) -> str:
        return f"seed {self.seed}: {'; then '.join(map(str, self.attempts))} ({self.failures} failures allowed)"


class Unexpected(AssertionError):
    """A run of a schedule was not what it must be."""


def schedule(seed: int) -> Schedule:
    """The schedule of a seed."""
    draw = random.Random(seed)
    number = draw.choice((1, 1, 2, 3))
    attempts = [_drawn_attempt(draw, followed=attempt < number - 1) for attempt in range(number)]
    return Schedule(seed, tuple(attempts), draw.choice((0, 3)))


def _drawn_attempt(draw: random.Random, followed: bool) -> Attempt:
    """An attempt; if others follow, its last fault is fatal, so that something is left to do."""
    mode = draw.choices(MODES, (1, 3, 4))[0]
    names = [name for name, modes in FAULTS.items() if mode in modes]
    fatal = [name for name in names if name in FATAL]
    faults: list[tuple[int, str]] = []
    for _ in range(draw.randint(1, 4)):
        faults.append((draw.randint(0, 9), draw.choice(names)))
        if faults[-1][1] in FATAL:
            break
    if followed and faults[-1][1] not in FATAL:
        faults.append((draw.randint(0, 9), draw.choice(fatal)))
    return Attempt(mode, tuple(faults))


def check(seed: int, folder: Path) -> None:
    """Run the schedule of a seed in an empty folder; Unexpected says what is wrong, and how to repeat it."""
    plan = schedule(seed)
    try:
        with Trial(plan, folder) as trial:
            trial.run()
    except Exception as error:
        again = f"to repeat it: {sys.executable} {Path(__file__)} --seed {seed}"
        raise Unexpected(f"{plan}\n{type(error).__name__}: {error}\n{again}") from error


def can_mount(folder: Path) -> bool:
    """Can this process mount a small file system? Otherwise a limit on the size of files replaces a full disk."""
    try:
        with _mounted(folder):
            return True
    except (OSError, subprocess.CalledProcessError):
        return False


@contextmanager
def _mounted(folder: Path) -> Iterator[None]:
    folder.mkdir(exist_ok=True)
    _mount("-t", "tmpfs", "-o", "size=4m", "treescore-faults", str(folder))
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True, capture_output=True)


def _mount(*arguments: str) -> None:
    subprocess.run(["mount", *arguments], check=True, capture_output=True)


class Trial:
    """A schedule that is being run. A context manager, which ends all processes."""

    def __init__(self, plan: Schedule, folder: Path) -> None:
        self.plan = plan
        self.folder = folder
        self.draw = random.Random(plan.seed)
        self.gate = folder / "gate"
        self.disk = folder / "disk"
        self.scores = self.disk / "scores"
        self.env = environment(
            folder,
            STARTUP,
            FAULTS_GATE=str(self.gate),
            DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES=str(plan.failures),
            DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL="4s",  # after which tasks of a stopped worker go to others
        )
        self.full = any(name == "fill the disk" for attempt in plan.attempts for _, name in attempt.faults)
        self.mounted = False
        self.flipped: dict[str, bytes] = {}  # the content of parts with flipped bits
        self._processes = ExitStack()
        self._logs = 0

    def __enter__(self) -> Trial:
        for folder in (self.gate, *(self.gate / name for name in ("tickets", "slow", "started")), self.disk):
            folder.mkdir()
        write_pairs(self.folder / "pairs", files=2, rows=60, group=10, seed=self.plan.seed)
        self.expected, _ = treescore_inside(self.folder, *self._command("single"), "--workers", "0")
        self.bytes = content(self.folder / "single")
        if self.full and can_mount(self.disk):
            self._processes.enter_context(_mounted(self.disk))
            self.mounted = True
        return self

    def __exit__(self, *_: object) -> None:
        self._processes.close()

    def run(self) -> None:
        """Run all attempts, and one more without faults."""
        for attempt in self.plan.attempts:
            self._attempt(attempt)
        damaged, sound = self._damaged(), len(parts(self.scores)) - len(self._damaged())
        stdout, stderr = treescore_inside(self.folder, *self._command(self.scores), "--workers", "0")
        self._check_notes(stderr, damaged, sound)
        self._check_result(self.scores, stdout)

    def _command(self, scores: str | Path) -> tuple[str, ...]:
        return ("columns", "pairs", *OPTIONS, "-o", str(scores))

    def _attempt(self, attempt: Attempt) -> None:
        """Start the command, disturb it, and wait for its end."""
        for name in ("tickets", "slow", "started"):
            _empty(self.gate / name)
        damaged, sound = self._damaged(), len(parts(self.scores)) - len(self._damaged())
        with ExitStack() as stack:
            run = _Run(self, attempt.mode, stack)
            for steps, name in attempt.faults:
                run.take(steps)
                if run.client.poll() is None:
                    run.disturb(name)
            if not run.killed:
                (self.gate / "open").touch()
            run.end()
            stderr = run.stderr()
            if run.client.returncode == 0:
                if not run.replaced:  # the state of the folder at the start of another client is unknown
                    self._check_notes(stderr, damaged, sound, run.flips)
                if not self._damaged():
                    self._check_result(self.scores, run.stdout())
            elif not run.killed:
                run.check_failure()
            for folder, client in run.others:
                self._check_other(folder, client, run)
        (self.gate / "open").unlink(missing_ok=True)
        self._empty_disk()
        for path in parts(self.scores):
            if path.read_bytes() not in (self.bytes.get(path.name), self.flipped.get(path.name)):
                raise Unexpected(f"{path.name} is neither complete nor absent")

    def _damaged(self) -> list[str]:
        return [path.name for path in parts(self.scores) if path.read_bytes() != self.bytes[path.name]]

    def _check_notes(self, stderr: str, damaged: Sequence[str], sound: int, flips: int = 0) -> None:
        """Check the numbers of damaged and sound parts in messages, which may include parts with newly flipped bits."""
        reported = [re.search(rf"(\d+) {what}", stderr) for what in ("damaged part", r"of \d+ parts in")]
        for number, match in zip((len(damaged), sound), reported, strict=True):
            if abs(int(match[1] if match else 0) - number) > flips:
                raise Unexpected(f"{len(damaged)} parts were damaged and {sound} were not, but it says: {stderr!r}")

    def _check_other(self, folder: Path, client: subprocess.Popen[str], run: _Run) -> None:
        client.wait(PATIENCE)
        if client.returncode == 0:
            self._check_result(folder, None)
        elif not run.failing:
            raise Unexpected(f"the client with another folder ended with {client.returncode}")

    def _check_result(self, folder: Path, stdout: str | None) -> None:
        if stdout is not None and stdout != self.expected:
            raise Unexpected(f"the total is not that of one process: {stdout!r}")
        files = content(folder)
        if files != self.bytes:
            names = sorted(name for name in {*files, *self.bytes} if files.get(name) != self.bytes.get(name))
            raise Unexpected(f"not the bytes of one process in {folder}: {', '.join(names)}")

    def log(self) -> Path:
        """A path for the output of another process."""
        self._logs += 1
        return self.folder / f"log-{self._logs}"

    def fill_disk(self) -> None:
        """Let nothing more be written, or almost nothing."""
        if not self.mounted:
            (self.gate / "limited").touch()
            return
        free = self.draw.randrange(4)
        while True:
            status = os.statvfs(self.disk)
            size = (status.f_blocks - status.f_bfree + free) * status.f_frsize
            with suppress(subprocess.CalledProcessError):  # a worker has written more in the meantime
                _mount("-o", f"remount,size={size}", str(self.disk))
                return

    def _empty_disk(self) -> None:
        (self.gate / "limited").unlink(missing_ok=True)
        if self.mounted:
            _mount("-o", "remount,size=4m", str(self.disk))

    def flip(self) -> bool:
        """Flip a bit of a finished part, if there is one."""
        finished = parts(self.scores)
        if not finished:
            return False
        path = self.draw.choice(finished)
        data = bytearray(path.read_bytes())
        bit = self.draw.randrange(8 * len(data))
        data[bit // 8] ^= 1 << bit % 8
        path.write_bytes(data)
        self.flipped[path.name] = bytes(data)
        return True


class _Run:
    """One run of the command, with the processes that it needs."""

    def __init__(self, trial: Trial, mode: str, stack: ExitStack) -> None:
        self.trial = trial
        self.mode = mode
        self.stack = stack
        self.killed = self.replaced = self.failing = False
        self.flips = 0
        self.scheduler: subprocess.Popen[str] | None = None
        self.workers: list[subprocess.Popen[str]] = []
        self.others: list[tuple[Path, subprocess.Popen[str]]] = []
        if mode == "scheduler":
            file = trial.folder / "scheduler.json"
            file.unlink(missing_ok=True)
            self.scheduler = self._dask("scheduler", "--port", "0", "--host", "127.0.0.1")
            _wait(file.exists, self.scheduler)
            for _ in range(2):
                self._add_worker()
            where = ("--scheduler", str(file))
        else:
            where = ("--workers", "0" if mode == "one process" else "2")
        self.where = where
        self.output = trial.log()
        self.client = self._client(trial.scores, self.output)

    def _client(self, scores: Path, output: Path) -> subprocess.Popen[str]:
        trial = self.trial
        return self.stack.enter_context(
            started(trial.folder, "treescore", *trial._command(scores), *self.where, env=trial.env, output=output)
        )

    def _dask(self, *arguments: str) -> subprocess.Popen[str]:
        trial = self.trial
        return self.stack.enter_context(dask(trial.folder, *arguments, env=trial.env, output=trial.log()))

    def _add_worker(self) -> None:
        self.workers.append(self._dask("worker", "--nthreads", "1", "--no-nanny", "--host", "127.0.0.1"))

    def take(self, steps: int) -> None:
        """Let workers take some steps, unless the command ends before."""
        tickets = self.trial.gate / "tickets"
        for number in range(steps):
            (tickets / str(number)).touch()
        _wait(lambda: not any(tickets.iterdir()), self.client, fails=False)

    def disturb(self, name: str) -> None:
        """Let a fault happen."""
        trial = self.trial
        if name == "kill the client":
            self._kill(self.client.kill)
        elif name == "kill the client and its workers":
            self._kill(lambda: os.killpg(self.client.pid, signal.SIGKILL))
        elif name == "replace the client":
            self.client.kill()
            self.client.wait()
            self.replaced = True
            self.output = trial.log()
            self.client = self._client(trial.scores, self.output)
        elif name == "kill the scheduler":
            assert self.scheduler is not None
            self.failing = True
            self.scheduler.kill()
        elif name == "fill the disk":
            self.failing = True
            trial.fill_disk()
        elif name == "flip a bit of a part":
            self.flips += trial.flip()
        elif name == "start a second client":
            self._second_client()
        elif name == "start a client with another folder":
            folder = trial.log().with_suffix(".scores")
            self.others.append((folder, self._client(folder, trial.log())))
        else:
            self._disturb_worker(name)

    def _kill(self, kill: Callable[[], None]) -> None:
        self.killed = True
        kill()
        self.client.wait()

    def _second_client(self) -> None:
        """Start another run with the same folder, which must be refused."""
        lock = str(self.trial.scores / ".lock")  # an earlier run may have left the file
        process = psutil.Process(self.client.pid)
        _wait(lambda: lock in _open_files(process), self.client, fails=False)
        command = ("treescore", *self.trial._command(self.trial.scores), "--workers", "0")
        with started(self.trial.folder, *command) as second:
            _, stderr = second.communicate(timeout=PATIENCE)
        if second.returncode == 2 and "another run is writing" in stderr:
            return
        if second.returncode or self.client.wait(PATIENCE):  # the second run may succeed if the first has just done so
            raise Unexpected(f"a second client ended with {second.returncode}: {stderr!r}")

    def _disturb_worker(self, name: str) -> None:
        process = self._some_worker(name.startswith("stop"))
        if process is None:
            return
        if name == "slow down a worker":
            (self.trial.gate / "slow" / str(process.pid)).touch()
            return
        process.send_signal(signal.SIGKILL if name == "kill a worker" else signal.SIGSTOP)
        if name == "stop a worker for some steps":
            self.take(self.trial.draw.randrange(4))
            with suppress(psutil.Error):
                process.send_signal(signal.SIGCONT)
        elif self.mode == "scheduler":
            self._add_worker()

    def _some_worker(self, has_tasks: bool) -> psutil.Process | None:
        """A worker that is running."""
        _wait(lambda: self._running_workers(has_tasks), self.client, fails=False)
        running = self._running_workers(has_tasks)
        return self.trial.draw.choice(running) if running else None

    def _running_workers(self, has_tasks: bool) -> list[psutil.Process]:
        """The workers that are not stopped; if told so, only those with tasks, since Dask waits for others to start."""
        if self.mode == "local workers":
            workers = workers_of(self.client)
        else:
            workers = [psutil.Process(worker.pid) for worker in self.workers if worker.poll() is None]
        running = []
        for worker in workers:
            with suppress(psutil.Error):
                is_ready = not has_tasks or (self.trial.gate / "started" / str(worker.pid)).exists()
                if is_ready and worker.status() != psutil.STATUS_STOPPED:
                    running.append(worker)
        return running

    def end(self) -> None:
        """Wait for the end of the command."""
        try:
            self.client.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            raise Unexpected(f"the run did not end within {PATIENCE} seconds: {self.stderr()!r}") from None

    def stdout(self) -> str:
        """The standard output of the command."""
        return self.output.with_suffix(".out").read_text("utf-8")

    def stderr(self) -> str:
        """The standard error of the command."""
        return self.output.with_suffix(".err").read_text("utf-8")

    def check_failure(self) -> None:
        """Failures have a reason, which the messages name in one line each."""
        lines = self.stderr().splitlines()
        if not self.failing:
            raise Unexpected(f"the run ended with {self.client.returncode}: {lines}")
        if self.client.returncode != 2 or not all(line.startswith("treescore: ") for line in lines):
            raise Unexpected(f"a wrong end of the run, {self.client.returncode}: {lines}")


def _open_files(process: psutil.Process) -> list[str]:
    with suppress(psutil.Error):
        return [file.path for file in process.open_files()]
    return []


def _empty(folder: Path) -> None:
    for path in folder.iterdir():
        path.unlink(missing_ok=True)


def _wait(true: Callable[[], object], run: subprocess.Popen[str], *, fails: bool = True) -> None:
    """Wait for an event while a process runs; its end is a failure, or also an event."""
    deadline = time.monotonic() + PATIENCE
    while not true():
        if run.poll() is not None:
            if fails:
                raise Unexpected(f"a process ended with {run.returncode}: {run.args!r}")
            return
        if time.monotonic() > deadline:
            raise Unexpected(f"an expected event has not happened within {PATIENCE} seconds")
        time.sleep(0.01)


def _code() -> str:
    """A checksum of the sources that schedules test."""
    paths = [Path(__file__), *sorted((ROOT / "src" / "treescore" / "scale").glob("*.py"))]
    return hashlib.sha256(b"".join(path.read_bytes() for path in paths)).hexdigest()


def main() -> int:
    """Run schedules, and print a summary."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("schedules", type=int, nargs="?", default=200, help="number of schedules (default: 200)")
    parser.add_argument("--seed", type=int, help="run the schedule of this seed only, and keep its folder")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the processes of a schedule are ended
    if options.seed is not None:
        folder = Path(tempfile.mkdtemp(prefix=f"treescore-faults-{options.seed}-"))
        print(f"{schedule(options.seed)}\nin {folder}")
        check(options.seed, folder)
        return 0
    return _run_all(options.schedules)


def _run_all(number: int) -> int:
    """Run the schedules that have not passed with the same sources."""
    JOURNAL.parent.mkdir(exist_ok=True)
    code, *passed = JOURNAL.read_text().split() if JOURNAL.exists() else [""]
    if code != _code():
        passed = []
        JOURNAL.write_text(f"{_code()}\n")
    before = len(passed)
    failed = []
    for seed in range(number):
        if str(seed) in passed:
            continue
        with tempfile.TemporaryDirectory(prefix="treescore-faults-") as folder:
            try:
                check(seed, Path(folder))
            except Unexpected as error:
                failed.append(seed)
                print(f"FAILED: {error}", flush=True)
                continue
        with JOURNAL.open("a") as journal:
            journal.write(f"{seed}\n")
        passed.append(str(seed))
    with tempfile.TemporaryDirectory() as folder:
        full = (
            "a small tmpfs" if can_mount(Path(folder)) else "a limit on the size of files (mounting is not permitted)"
        )
    print(
        f"{number} schedules of faults: {number - len(failed)} passed, {len(failed)} failed; {before} of them in an "
        f"earlier run; the full disk was {full}"
    )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

"""Pieces scored by the workers of a Dask cluster, any of which may be killed at any moment.

What is finished is on disk (`parts.py`), so a task that runs again finds its part. A piece whose workers were killed
more often than the scheduler allows is scored by `guarded.py`, which finds out which rows are to blame.
"""

from __future__ import annotations

import os
import time
from contextlib import ExitStack, contextmanager

from .._version import __version__
from ..helpers import extras
from ..scoring.problem_log import FEW_PROBLEMS
from ..scoring.tally import Tally
from ..values.problem import UsageError
from .guarded import make_part_guarded
from .parts import finished_part, give_up, kept_in, make_part

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from ..helpers.steps import Steps
    from .parts import Folder, Job, Piece, Plan

_CONNECT = 5  # seconds
_SEEN = 10  # seconds until all workers must see a new folder
_PATIENCE = 10  # seconds until a worker that was killed must be there again
_STARTS = 10  # how often workers are started that are killed at once
_ROUNDS = 3  # how often a guarded piece may lose its workers
_TOGETHER = 32  # number of sums that one task adds up


def library(name: str = "distributed") -> Any:
    """Dask's distributed, or one of its modules, or a UsageError."""
    return extras.library(name, "cluster", "columns with workers needs")


def run_here(plan: Plan, steps: Steps, threads: int | None = None) -> Tally:
    """The same without any cluster, piece by piece in this process."""
    tally = Tally(plan.job.metrics, most=FEW_PROBLEMS)
    tally.merge(plan.lost)
    for piece in plan.pieces:
        tally.merge(make_part(plan.job, piece, threads=threads))
        steps.position += piece.rows
    return tally


def run(
    plan: Plan, folder: Folder, steps: Steps, say: Callable[[str], None], scheduler: str | None, workers: int | None
) -> Tally:
    """Score all pieces by the workers of a scheduler, or by processes on this machine."""
    with client_of(scheduler, workers) as client:
        if scheduler is not None:
            _check_workers(client, plan, folder, scheduler, say)
        return run_with(client, plan, steps)


def run_with(client: Any, plan: Plan, steps: Steps) -> Tally:
    """Score all pieces by the workers of a client of Dask."""
    work = _Work(client, plan.job, steps)
    try:
        tally = work.done(plan.pieces)
    except BaseException:
        client.cancel(work.futures, force=True)
        raise
    tally.merge(plan.lost)
    return tally


def _hush() -> None:
    """Silence Dask's long messages; ours are one line."""
    import logging

    library()  # sets the levels of its own when it is imported
    for name in ("distributed", "distributed.client", "tornado.application", "asyncio"):
        logging.getLogger(name).setLevel(logging.CRITICAL)


@contextmanager
def client_of(scheduler: str | None, workers: int | None = None) -> Iterator[Any]:
    """A client of Dask: of a scheduler, or with processes on this machine."""
    _hush()
    with ExitStack() as stack:
        with _uninterrupted():
            client = stack.enter_context(
                _connected(scheduler)
                if scheduler is not None
                else _with_processes(stack, workers or os.cpu_count() or 1)
            )
        yield client


def _with_processes(stack: ExitStack, workers: int) -> Any:
    distributed = library()  # which sets what the lines below change
    client = distributed.Client(stack.enter_context(_local(distributed, workers)))
    stack.enter_context(_staffed(client.cluster, workers))
    return client


def _local(distributed: Any, workers: int) -> Any:
    """Processes on this machine. A worker that is killed while they start ends them all: then they start again."""
    import logging

    quiet = {"distributed.nanny.pre-spawn-environ.DASK_LOGGING__DISTRIBUTED": "critical"}
    for more in reversed(range(_STARTS)):
        try:
            with library("dask.config").set(quiet):
                return distributed.LocalCluster(
                    n_workers=workers,
                    threads_per_worker=1,
                    dashboard_address=":0",  # any port: the usual one may be taken by another run
                    scheduler_kwargs={"dashboard": False},
                    silence_logs=logging.CRITICAL,
                )
        except (OSError, RuntimeError) as error:
            if not more or isinstance(error, OSError):
                raise UsageError(f"the workers could not be started ({error})") from None
    raise AssertionError


@contextmanager
def _staffed(cluster: Any, workers: int) -> Iterator[None]:
    """Start other workers in the place of those that were killed while they started, which Dask does not do."""
    from threading import Event, Thread

    ended = Event()

    def keep() -> None:
        seconds = 0
        while not ended.wait(1):
            missing = workers - len(cluster.scheduler.workers)
            seconds = seconds + 1 if missing > 0 else 0
            if seconds >= _PATIENCE:
                cluster.scale(len(cluster.worker_spec) + missing)
                seconds = 0

    thread = Thread(target=keep, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def _connected(scheduler: str) -> Any:
    try:
        if os.path.isfile(scheduler):
            return library().Client(scheduler_file=scheduler, timeout=_CONNECT)
        library("distributed.comm").resolve_address(scheduler)
        return library().Client(scheduler, timeout=_CONNECT)
    except (OSError, ValueError) as error:  # TimeoutError is an OSError
        message = f"there is no Dask scheduler at {scheduler} ({str(error) or 'it does not answer'})"
        raise UsageError(f"{message}; start one by: dask scheduler") from None
    except Exception as error:  # whatever schedulers of other versions answer
        message = f"the scheduler at {scheduler} and this version of Dask do not understand each other ({error})"
        raise UsageError(f"{message}; install the same version of distributed here and there") from None


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Postpone Ctrl-C, and keep it away from processes of threads that start in this context.

    A terminal sends it to all processes, and workers that are stopped by it, rather than by us, complain at length.
    """
    import signal
    import threading

    if os.name == "nt" or threading.current_thread() is not threading.main_thread():
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # now, since it would let the signal through when it starts
    waiting: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: waiting.append(number))
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        signal.signal(signal.SIGINT, before)
    if waiting:
        raise KeyboardInterrupt


def _check_workers(client: Any, plan: Plan, folder: Folder, scheduler: str, say: Callable[[str], None]) -> None:
    """Refuse workers of another version, and workers that cannot read or write the files."""
    if not client.scheduler_info()["workers"]:
        say(f"the scheduler at {scheduler} has no workers; waiting for the first (start some by: dask worker)")
        client.wait_for_workers(1)
    if not plan.pieces:
        return
    try:
        versions = client.run(version_here)
    except Exception as error:  # any error that the worker had when it imported treescore
        message = f"the workers of {scheduler} cannot run treescore ({error})"
        raise UsageError(f"{message}; install the same version of it there, with the extra 'scale'") from None
    for worker, version in versions.items():
        if version != __version__:
            raise UsageError(f"the worker at {worker} has treescore {version}, but here it is {__version__}")
    deadline = time.monotonic() + _SEEN
    while wrong := [
        worker for worker, sees in client.run(sees_files, folder.lock, plan.pieces[0].path).items() if not sees
    ]:
        if time.monotonic() > deadline:
            shared = "input and output must be on a file system that all workers share, under the same path"
            raise UsageError(
                f"the worker at {wrong[0]} cannot read {plan.pieces[0].path} or write {folder.path}: {shared}"
            )
        time.sleep(0.5)


def version_here() -> str:
    """The version of treescore where this is run."""
    return __version__


def sees_files(lock: str, path: str) -> bool:
    """Can the input be read where this is run, and the folder of the lock be written?"""
    return os.path.exists(lock) and os.access(os.path.dirname(lock), os.W_OK) and os.access(path, os.R_OK)


def do_part(job: Job, piece: Piece, version: str, guarded: bool = False) -> Tally:
    """The task that a worker does."""
    if version != __version__:
        raise UsageError(f"a worker has treescore {__version__}, but the run was started by {version}")
    if not guarded:
        try:
            return make_part(job, piece)
        except (OSError, UsageError):  # the part cannot be written: that is no fault of a row
            raise
        except Exception:  # no memory, or a fault of ours: in either case, find the rows that cause it
            pass
    return make_part_guarded(job, piece, _memory_limit())


def _memory_limit() -> int | None:
    """How many bytes a task may take, where the worker has a limit."""
    try:
        worker = library().get_worker()
    except ValueError:  # not in a task
        return None
    limit = worker.memory_manager.memory_limit
    return int(limit) if limit else None


class _Work:
    """Tasks of one run."""

    def __init__(self, client: Any, job: Job, steps: Steps) -> None:
        from uuid import uuid4

        self.client = client
        self.job = job
        self.steps = steps
        self.futures: list[Any] = []
        self._run = uuid4().hex[:12]  # so that no other run has tasks of the same names

    def done(self, pieces: Sequence[Piece]) -> Tally:
        """The sum of all pieces."""
        killed = library("distributed.scheduler").KilledWorker
        self.futures = self._start(pieces, "part")
        place = {future: index for index, future in enumerate(self.futures)}
        rounds: dict[int, int] = {}
        lost = Tally(self.job.metrics, most=FEW_PROBLEMS)
        waiting = library().as_completed(self.futures)
        for future in waiting:
            index = place[future]
            piece = pieces[index]
            if future.status == "cancelled":
                raise self._gone()
            error = None if future.status == "finished" else future.exception()
            if isinstance(error, killed):
                rounds[index] = number = rounds.get(index, 0) + 1
                if number <= _ROUNDS:
                    (again,) = self._start([piece], f"guarded-{number}", guarded=True)
                    self.futures[index] = again
                    place[again] = index
                    waiting.add(again)
                    continue
                lost.merge(give_up(self.job, piece, "all workers that were to score it have been killed"))
            elif error is not None:
                raise error
            self.steps.position += piece.rows
        finished = [index for index in range(len(pieces)) if rounds.get(index, 0) <= _ROUNDS]
        try:
            lost.merge(self._sum([self.futures[index] for index in finished]))
        except library().CancelledError:
            raise self._gone() from None
        except killed:  # the sums can be had without workers, too
            for index in finished:
                known = finished_part(self.job, pieces[index])
                lost.merge(make_part_guarded(self.job, pieces[index]) if known is None else known)
        return lost

    def _gone(self) -> UsageError:
        return UsageError(f"the scheduler has gone, or has given the work up; {kept_in(self.job.folder)}")

    def _start(self, pieces: Sequence[Piece], what: str, guarded: bool = False) -> list[Any]:
        keys = [f"treescore-{what}-{self._run}-{piece.number}" for piece in pieces]
        futures: list[Any] = self.client.map(
            do_part, [self.job] * len(pieces), pieces, key=keys, version=__version__, guarded=guarded
        )
        return futures

    def _sum(self, futures: list[Any]) -> Tally:
        """A tree of sums. What a killed worker had computed is on disk."""
        if not futures:
            return Tally(self.job.metrics, most=FEW_PROBLEMS)
        level = 0
        while len(futures) > 1:
            groups = [futures[begin : begin + _TOGETHER] for begin in range(0, len(futures), _TOGETHER)]
            keys = [f"treescore-sum-{self._run}-{level}-{number}" for number in range(len(groups))]
            futures = self.client.map(Tally.added, groups, key=keys)
            level += 1
        tally: Tally = futures[0].result()
        return tally

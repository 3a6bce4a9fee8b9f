"""Scoring of pieces by the workers of a Dask cluster, any of which may be killed at any time.

Finished parts are on disk (`parts.py`), so a repeated task finds its part. A piece whose workers were killed more often
than the scheduler allows is scored by `guarded.py`, which finds the rows that cause it.
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
_SEEN = 10  # seconds in which all workers must see a new folder
_PATIENCE = 10  # seconds in which a killed worker must be replaced
_STARTS = 10  # maximum attempts to start workers that are killed immediately
_ROUNDS = 3  # maximum attempts at a guarded piece
_TOGETHER = 32  # number of sums per task


def library(name: str = "distributed") -> Any:
    """Dask's distributed, or one of its modules, or a UsageError."""
    return extras.library(name, "cluster", "columns with workers needs")


def run_here(plan: Plan, steps: Steps, threads: int | None = None) -> Tally:
    """Score all pieces one by one in this process, without a cluster."""
    tally = Tally(plan.job.metrics, most=FEW_PROBLEMS)
    tally.merge(plan.lost)
    for piece in plan.pieces:
        tally.merge(make_part(plan.job, piece, threads=threads))
        steps.position += piece.rows
    return tally


def run(
    plan: Plan, folder: Folder, steps: Steps, notify: Callable[[str], None], scheduler: str | None, workers: int | None
) -> Tally:
    """Score all pieces on the workers of a scheduler, or in local processes."""
    with client_of(scheduler, workers) as client:
        if scheduler is not None:
            _check_workers(client, plan, folder, scheduler, notify)
        return run_with(client, plan, steps)


def run_with(client: Any, plan: Plan, steps: Steps) -> Tally:
    """Score all pieces on the workers of a Dask client."""
    work = _Work(client, plan.job, steps)
    try:
        tally = work.done(plan.pieces)
    except BaseException:
        client.cancel(work.futures, force=True)
        raise
    tally.merge(plan.lost)
    return tally


def _hush() -> None:
    """Silence the long messages of Dask."""
    import logging

    library()  # the import sets log levels
    for name in ("distributed", "distributed.client", "tornado.application", "asyncio"):
        logging.getLogger(name).setLevel(logging.CRITICAL)


@contextmanager
def client_of(scheduler: str | None, workers: int | None = None) -> Iterator[Any]:
    """A Dask client: of a scheduler, or with local processes."""
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
    distributed = library()  # the import sets log levels
    client = distributed.Client(stack.enter_context(_local(distributed, workers)))
    stack.enter_context(_staffed(client.cluster, workers))
    return client


def _local(distributed: Any, workers: int) -> Any:
    """Local processes. A worker that is killed during start ends all of them; then they are started again."""
    import logging

    quiet = {"distributed.nanny.pre-spawn-environ.DASK_LOGGING__DISTRIBUTED": "critical"}
    for more in reversed(range(_STARTS)):
        try:
            with library("dask.config").set(quiet):
                return distributed.LocalCluster(
                    n_workers=workers,
                    threads_per_worker=1,
                    dashboard_address="127.0.0.1:0",  # any port: the default port may be in use
                    scheduler_kwargs={"dashboard": False},
                    silence_logs=logging.CRITICAL,
                )
        except (OSError, RuntimeError) as error:
            if not more or isinstance(error, OSError):
                raise UsageError(f"cannot start workers ({error})") from None
    raise AssertionError


@contextmanager
def _staffed(cluster: Any, workers: int) -> Iterator[None]:
    """Replace workers that were killed during start, which Dask does not do."""
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
    except Exception as error:  # schedulers of other versions raise various errors
        message = f"the scheduler at {scheduler} is incompatible with this version of Dask ({error})"
        raise UsageError(f"{message}; install the same version of distributed on both sides") from None


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Postpone Ctrl-C, and block it in processes that are started in this context.

    Terminals send it to all processes, and workers that it stops print long messages.
    """
    import signal
    import threading

    if os.name == "nt" or threading.current_thread() is not threading.main_thread():
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # now, since its start unblocks the signal
    received: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: received.append(number))
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        signal.signal(signal.SIGINT, before)
    if received:
        raise KeyboardInterrupt


def _check_workers(client: Any, plan: Plan, folder: Folder, scheduler: str, notify: Callable[[str], None]) -> None:
    """Refuse workers of another version, and workers that cannot read or write the files."""
    if not client.scheduler_info()["workers"]:
        notify(f"the scheduler at {scheduler} has no workers; waiting for the first (start one by: dask worker)")
        client.wait_for_workers(1)
    if not plan.pieces:
        return
    for worker, version in _answers(client, folder.path, version_here).items():
        if isinstance(version, Exception):  # any error of the worker while importing treescore
            message = f"the worker at {worker} cannot run treescore ({version})"
            raise UsageError(f"{message}; install the same version there, with the extra 'scale'")
        if version != __version__:
            raise UsageError(f"the worker at {worker} has treescore {version}, but this is {__version__}")
    deadline = time.monotonic() + _SEEN
    path = plan.pieces[0].path
    while failing := [
        worker
        for worker, sees in _answers(client, folder.path, sees_files, folder.lock, path).items()
        if sees is not True
    ]:
        if time.monotonic() > deadline:
            shared = "input and output must be on a file system that all workers share, under the same path"
            raise UsageError(f"the worker at {failing[0]} cannot read {path} or write {folder.path}: {shared}")
        time.sleep(0.5)


def _answers(client: Any, folder: str, function: Callable[..., Any], *arguments: Any) -> dict[str, Any]:
    """The result of a function on each worker, or its error. Workers that end meanwhile are left out."""
    try:
        answers = client.run(function, *arguments, on_error="return")
    except OSError:
        raise _stopped(folder) from None
    return {worker: answer for worker, answer in answers.items() if not isinstance(answer, OSError)}


def _stopped(folder: str) -> UsageError:
    return UsageError(f"the scheduler has stopped or cancelled the run; {kept_in(folder)}")


def version_here() -> str:
    """The version of treescore in this process."""
    return __version__


def sees_files(lock: str, path: str) -> bool:
    """Can this process read the input and write the folder of the lock?"""
    return os.path.exists(lock) and os.access(os.path.dirname(lock), os.W_OK) and os.access(path, os.R_OK)


def do_part(job: Job, piece: Piece, version: str, guarded: bool = False) -> Tally:
    """The task of a worker."""
    if version != __version__:
        raise UsageError(f"a worker has treescore {__version__}, but the run was started with {version}")
    if not guarded:
        try:
            return make_part(job, piece)
        except (OSError, UsageError):  # the part cannot be written, which no row causes
            raise
        except Exception:  # out of memory or an internal error: find the rows that cause it
            pass
    return make_part_guarded(job, piece, _memory_limit())


def _memory_limit() -> int | None:
    """The memory limit of the worker in bytes, if it has one."""
    try:
        worker = library().get_worker()
    except ValueError:  # not in a task
        return None
    limit = worker.memory_manager.memory_limit
    return int(limit) if limit else None


class _Work:
    """The tasks of one run."""

    def __init__(self, client: Any, job: Job, steps: Steps) -> None:
        from uuid import uuid4

        self.client = client
        self.job = job
        self.steps = steps
        self.futures: list[Any] = []
        self._run = uuid4().hex[:12]  # keeps the task names of runs distinct

    def done(self, pieces: Sequence[Piece]) -> Tally:
        """The total of all pieces."""
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
                raise _stopped(self.job.folder)
            error = None if future.status == "finished" else future.exception()
            if isinstance(error, killed):
                rounds[index] = number = rounds.get(index, 0) + 1
                if number <= _ROUNDS:
                    (again,) = self._start([piece], f"guarded-{number}", guarded=True)
                    self.futures[index] = again
                    place[again] = index
                    waiting.add(again)
                    continue
                lost.merge(give_up(self.job, piece, "all its workers have been killed"))
            elif error is not None:
                raise error
            self.steps.position += piece.rows
        finished = [index for index in range(len(pieces)) if rounds.get(index, 0) <= _ROUNDS]
        try:
            lost.merge(self._sum([self.futures[index] for index in finished]))
        except library().CancelledError:
            raise _stopped(self.job.folder) from None
        except killed:  # the parts can be added without workers
            for index in finished:
                known = finished_part(self.job, pieces[index])
                lost.merge(make_part_guarded(self.job, pieces[index]) if known is None else known)
        return lost

    def _start(self, pieces: Sequence[Piece], what: str, guarded: bool = False) -> list[Any]:
        keys = [f"treescore-{what}-{self._run}-{piece.number}" for piece in pieces]
        futures: list[Any] = self.client.map(
            do_part, [self.job] * len(pieces), pieces, key=keys, version=__version__, guarded=guarded
        )
        return futures

    def _sum(self, futures: list[Any]) -> Tally:
        """The total by a tree of tasks. Results of killed workers are on disk."""
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

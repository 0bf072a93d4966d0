"""Work divided among processes that end with the one that started them."""

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import TypeVar

T, R = TypeVar("T"), TypeVar("R")


class WorkerDied(RuntimeError):
    """A process was killed or crashed; what it had finished is kept."""


def done_by(function: Callable[[T], R], tasks: Sequence[T], workers: int) -> Iterator[R]:
    """``function`` of each task as it is done, in so many processes; with one worker here, and in order.

    Closing the iterator ends the processes. Raises ``WorkerDied``, and what ``function`` raises.
    """
    if workers == 1:
        yield from map(function, tasks)
        return
    with _processes(min(workers, max(1, len(tasks)))) as executor:
        try:
            for future in as_completed([executor.submit(function, task) for task in tasks]):
                yield future.result()
        except BrokenProcessPool as error:
            raise WorkerDied("a process has died; start again to go on from here") from error


@contextmanager
def _processes(count: int) -> Iterator[ProcessPoolExecutor]:
    """Workers that are gone afterwards, whatever they were doing."""
    before = set(multiprocessing.active_children())
    executor = ProcessPoolExecutor(count, multiprocessing.get_context("spawn"), _prepare_worker)
    try:
        yield executor
    finally:
        executor.shutdown(wait=False, cancel_futures=True)
        for process in set(multiprocessing.active_children()) - before:
            process.terminate()


def _prepare_worker() -> None:
    """Ctrl-C and the death of the parent end a worker quietly; libraries use one core, as do all workers."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    os.environ["OMP_NUM_THREADS"] = "1"
    threading.Thread(target=_die_with_parent, daemon=True).start()


def _die_with_parent() -> None:
    multiprocessing.parent_process().join()
    os._exit(1)

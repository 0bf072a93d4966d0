"""Tasks done by processes of this machine, which end with the one that started them."""

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager

from dawn_agents.work.executor import Executor, WorkerDied


class Processes(Executor):
    """Executor of several processes, started with the first tasks and kept until it is closed."""

    ahead = 2

    def __init__(self, size: int):
        self.size = size
        self._executor: ProcessPoolExecutor | None = None
        self._children: list[multiprocessing.Process] = []

    @contextmanager
    def _session(self, function, tasks, games, outside) -> Iterator["_PoolSession"]:
        if self._executor is None:
            context = multiprocessing.get_context("spawn")
            self._executor = ProcessPoolExecutor(self.size, context, _prepare_worker)
        session = _PoolSession(self._executor, function, self._children)
        try:
            yield session
        finally:
            if session.under_way:
                self.close()

    def close(self) -> None:
        """End the processes, whatever they are doing."""
        if self._executor is not None:
            self._executor.shutdown(wait=False, cancel_futures=True)
            for process in self._children:
                process.terminate()
            self._executor, self._children[:] = None, []


class _PoolSession:
    """The processes, for one function. ``under_way``: how many tasks are."""

    def __init__(self, executor: ProcessPoolExecutor, function: Callable, children: list):
        self._executor, self._function, self._children, self.under_way = executor, function, children, 0

    def submit(self, task) -> Future:
        before = set(multiprocessing.active_children())
        try:
            future = self._executor.submit(self._function, task)
        except BrokenProcessPool as error:
            raise _died() from error
        self._children += set(multiprocessing.active_children()) - before
        self.under_way += 1
        return future

    def wait(self, handles: Sequence[Future]) -> Iterable[Future]:
        return wait(handles, return_when=FIRST_COMPLETED).done

    def result(self, handle: Future):
        try:
            found = handle.result()
        except BrokenProcessPool as error:
            raise _died() from error
        self.under_way -= 1
        return found


def _died() -> WorkerDied:
    return WorkerDied("a process has died; start again to go on from here")


def _prepare_worker() -> None:
    """Ctrl-C and the death of the parent end a worker quietly; libraries use one core, as do all workers."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    os.environ["OMP_NUM_THREADS"] = "1"
    threading.Thread(target=_die_with_parent, daemon=True).start()


def _die_with_parent() -> None:
    multiprocessing.parent_process().join()
    os._exit(1)

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

    def __init__(self, size: int):
        self.size = size
        self._executor: ProcessPoolExecutor | None = None
        self._children: list[multiprocessing.Process] = []

    @contextmanager
    def _session(self, function, tasks, outside) -> Iterator["_PoolSession"]:
        if self._executor is None:
            context = multiprocessing.get_context("spawn")
            self._executor = ProcessPoolExecutor(self.size, context, _prepare_worker)
        session = _PoolSession(self._executor, self.size, function, self._children)
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
    """The processes, for one function. ``under_way``: tasks by what gives their results, the oldest first."""

    def __init__(self, executor: ProcessPoolExecutor, size: int, function: Callable, children: list):
        self._executor, self._size, self._function, self._children = executor, size, function, children
        self.under_way: dict[Future, object] = {}

    def submit(self, task) -> Future:
        before = set(multiprocessing.active_children())
        try:
            future = self._executor.submit(self._function, task)
        except BrokenProcessPool as error:
            raise self._died() from error
        self._children += set(multiprocessing.active_children()) - before
        self.under_way[future] = task
        return future

    def wait(self, handles: Sequence[Future]) -> Iterable[Future]:
        return wait(handles, return_when=FIRST_COMPLETED).done

    def result(self, handle: Future):
        try:
            found = handle.result()
        except BrokenProcessPool as error:
            raise self._died() from error
        del self.under_way[handle]
        return found

    def _died(self) -> WorkerDied:
        """The error; tasks are begun in order, so that those being done were the oldest without a result."""
        lost = [task for future, task in self.under_way.items() if isinstance(future.exception(), BrokenProcessPool)]
        return WorkerDied("a process has died", lost[: self._size])


def _prepare_worker() -> None:
    """Ctrl-C and the death of the parent end a worker quietly; libraries use one core, as do all workers."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    os.environ["OMP_NUM_THREADS"] = "1"
    threading.Thread(target=_die_with_parent, daemon=True).start()


def _die_with_parent() -> None:
    multiprocessing.parent_process().join()
    os._exit(1)

"""Tasks done by processes of this machine, which end with the one that started them."""

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import compress
from typing import Any

from dawn_agents.work.executor import Executor, WorkerDied


class Processes(Executor):
    """Executor of several processes, started with the first tasks and kept until it is closed."""

    def __init__(self, size: int):
        self.size = size
        self._executor: ProcessPoolExecutor | None = None
        self._children: list[multiprocessing.Process] = []

    @contextmanager
    def _session(self, function, tasks, outside, under_way) -> Iterator[Callable[[Any], Future]]:
        if self._executor is None:
            context = multiprocessing.get_context("spawn")
            self._executor = ProcessPoolExecutor(self.size, context, _prepare_worker)
        executor = self._executor

        def submit(task) -> Future:
            before = set(multiprocessing.active_children())
            future = executor.submit(function, task)
            self._children += set(multiprocessing.active_children()) - before
            return future

        try:
            yield submit
        except BrokenProcessPool as error:  # tasks are begun in order: those being done were the oldest
            broken = [isinstance(future.exception(), BrokenProcessPool) for future in under_way]
            lost = [task for _, task in compress(under_way.values(), broken)]
            raise WorkerDied("a process has died", lost[: self.size]) from error
        finally:
            if under_way:
                self.close()

    def close(self) -> None:
        """End the processes, whatever they are doing."""
        if self._executor is not None:
            self._executor.shutdown(wait=False, cancel_futures=True)
            for process in self._children:
                process.terminate()
            self._executor, self._children[:] = None, []


def _prepare_worker() -> None:
    """Ctrl-C and the death of the parent end a worker quietly; libraries use one core, as do all workers."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    os.environ["OMP_NUM_THREADS"] = "1"
    threading.Thread(target=_die_with_parent, daemon=True).start()


def _die_with_parent() -> None:
    multiprocessing.parent_process().join()
    os._exit(1)

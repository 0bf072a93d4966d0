"""Executors of tasks: the interface, and the simplest one, this process."""

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import AbstractContextManager
from typing import TypeVar

from dawn_env.errors import DawnError

T, R = TypeVar("T"), TypeVar("R")
AHEAD = 2
"""Tasks that are handed out for each one that is being done, so that nobody waits for the next."""


class ExecutorError(DawnError, ValueError):
    """An executor that cannot be had, or cannot do what is asked; one line."""


class WorkerDied(RuntimeError):
    """A process was killed or crashed; what it had finished is kept. ``tasks``: one or more of them were the cause."""

    def __init__(self, problem: str, tasks: Sequence = ()):
        super().__init__(problem)
        self.tasks = tasks


def _no(_: object) -> bool:
    return False


class Executor(ABC):
    """Runs tasks in this process, in other processes or on a cluster; a context manager that holds them.

    ``size``: tasks at a time. What tasks give does not depend on where.
    """

    size: int = 1

    def done(
        self,
        function: Callable[[T], R],
        tasks: Sequence[T],
        *,
        in_order: bool = False,
        outside: Callable[[T], bool] = _no,
    ) -> Iterator[R]:
        """``function`` of each task as it is done, or ``in_order``; so few at a time that results do not pile up.

        ``function`` is one of a module, or a ``partial`` of one, whose arguments are handed over once. ``outside``:
        whether a task needs a program that may not be installed everywhere. Closing the iterator ends what is under
        way. Raises ``WorkerDied``, ``ExecutorError`` before anything is begun, and what ``function`` raises.
        """
        queue, under_way, waiting, due = deque(enumerate(tasks)), {}, {}, 0
        with self._session(function, tasks, outside, under_way) as submit:
            while queue or under_way:
                while queue and len(under_way) + len(waiting) < self.size * AHEAD:
                    number, task = queue.popleft()
                    under_way[submit(task)] = number, task
                for future in wait(under_way, return_when=FIRST_COMPLETED).done:
                    result = future.result()
                    waiting[under_way.pop(future)[0]] = result
                while (number := due if in_order else next(iter(waiting), None)) in waiting:
                    yield waiting.pop(number)
                    due += 1

    def _session(
        self,
        function: Callable[[T], R],
        tasks: Sequence[T],
        outside: Callable[[T], bool],
        under_way: Mapping[Future[R], tuple[int, T]],
    ) -> AbstractContextManager[Callable[[T], Future[R]]]:
        """Context of a function that begins a task; leaving it ends the tasks ``under_way`` (number and task)."""
        raise NotImplementedError

    def __enter__(self) -> "Executor":
        return self

    def __exit__(self, *_) -> None:
        self.close()

    @abstractmethod
    def close(self) -> None:
        """Release processes and connections."""


class LocalExecutor(Executor):
    """Executor of this process, one task after the other."""

    def done(self, function, tasks, *, in_order=False, outside=_no):
        """``function`` of each task, in order."""
        yield from map(function, tasks)

    def close(self) -> None:
        """There is nothing to let go of."""

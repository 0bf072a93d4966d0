"""A thread pool for compiled loops over rows. They run in parallel, since compiled code releases the interpreter lock.

All of a process share the pool. A forked child begins without threads and starts its own when it needs them.
"""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from functools import cache

from dawn_env.support.argument_checks import between

MOST_THREADS = 1024
_VARIABLE = "OMP_NUM_THREADS"


def cores() -> int:
    """Number of cores this process may run on."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def checked_threads(threads: int | None) -> int:
    """``threads``; for None as many as ``OMP_NUM_THREADS`` says, or all ``cores()``.

    Raises ``ValueError`` unless 1 ... ``MOST_THREADS``.
    """
    if threads is not None:
        return between(threads, "threads", 1, MOST_THREADS)
    set_number = os.environ.get(_VARIABLE, "")
    return min(int(set_number) if set_number.isdecimal() and int(set_number) else cores(), MOST_THREADS)


class ThreadTeam:
    """Runs compiled loops over rows, each thread a slice of them.

    ``size``: number of threads at most. ``least_rows``: rows of a slice at least, so many that they are half a
    millisecond of work; for less, calling another thread costs more than it gains.
    """

    def __init__(self, threads: int, least_rows: int):
        self.size, self.least_rows = min(threads, cores()), least_rows

    def run(self, loop: Callable[..., int], rows: int, *arguments) -> int:
        """Call ``loop(first, last, number, *arguments)`` for one slice per thread, ``number`` from 0; the sum of the
        results."""
        slices = max(1, min(self.size, rows // self.least_rows))
        bounds = [rows * number // slices for number in range(slices + 1)]
        return self._share(slices, lambda n: int(loop(bounds[n], bounds[n + 1], n, *arguments)))

    def run_uneven(self, loop: Callable[..., int], rows: int, *arguments) -> int:
        """Do as ``run``, for rows of very different cost: a free thread takes the next ``least_rows`` rows."""
        threads = max(1, min(self.size, rows // self.least_rows))
        if threads == 1:
            return int(loop(0, rows, 0, *arguments))
        starts = iter(range(0, rows, self.least_rows))  # under the interpreter lock, so that none is taken twice

        def work(number: int) -> int:
            return sum(int(loop(s, min(s + self.least_rows, rows), number, *arguments)) for s in starts)

        return self._share(threads, work)

    def _share(self, threads: int, work: Callable[[int], int]) -> int:
        """Call ``work(number)`` in so many threads, ``number`` from 0; return the sum of the results."""
        others = [_pool().submit(work, number) for number in range(1, threads)]
        try:
            result = work(0)
        finally:  # the other threads write to the caller's arrays
            wait(others)
        return result + sum(other.result() for other in others)


@cache
def _pool() -> ThreadPoolExecutor:
    """The threads beside the calling one."""
    return ThreadPoolExecutor(max(1, cores() - 1), "dawn_env")


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pool.cache_clear)

"""Rows of arrays shared by threads: compiled loops hold no lock of Python's, so they run beside each other.

All of the process use the same few threads. A child that was forked begins with none, and starts its own when it needs
them.
"""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from operator import is_not
from time import perf_counter, thread_time

import numpy as np

from dawn_env.support.argument_checks import between
from dawn_env.support.shared_rows import DISMISSED, FAULTS, HERE, OPEN, new_job, of_member

LEAST_ROWS = 256
"""Rows for which others are called at least: to wake a thread takes as long as 50 to 100 decisions."""
MOST_THREADS = 1024
_VARIABLE = "OMP_NUM_THREADS"
_MEASURED = 4  # of so many calls one is timed: to ask the system for a thread's own time takes microseconds


def cores() -> int:
    """Cores that this process may run on."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def checked_threads(threads: int | None) -> int:
    """``threads``; for None as many as ``OMP_NUM_THREADS`` says, or all ``cores()``.

    Raises ``ValueError`` unless 1 ... ``MOST_THREADS``.
    """
    if threads is not None:
        return between(threads, "threads", 1, MOST_THREADS)
    told = os.environ.get(_VARIABLE, "")
    return min(int(told) if told.isdecimal() and int(told) else cores(), MOST_THREADS)


class Crowd:
    """Whether others want the cores too. A thread that helps then takes its time from the one that calls, and may be
    interrupted with rows in hand, for which that one waits: together they were half as fast as one alone."""

    WINDOW, ALONE = 0.03, 1.0
    """Seconds of work over which it is measured, and for which a crowd is held to last."""
    MOST = 0.2
    """Share of its time that a thread loses to others where there is no crowd; in one it is a third or a half."""

    def __init__(self):
        self._worked = self._lost = self._until = 0.0

    def __bool__(self) -> bool:
        return perf_counter() < self._until

    def note(self, seconds: float, own: float) -> None:
        """A thread has worked for so many seconds, in which it had a core for ``own`` seconds."""
        self._worked, self._lost = self._worked + seconds, self._lost + seconds - own
        if self._worked > self.WINDOW:
            crowded = self._lost > self.MOST * self._worked
            self._worked, self._lost, self._until = 0.0, 0.0, perf_counter() + self.ALONE * crowded


class Team:
    """The threads that share the rows of somebody's arrays, see ``shared_rows``. Copies begin without helpers."""

    def __init__(self, threads: int, times: float = 1):
        """Helpers are called for ``times LEAST_ROWS`` at least; ``members``: how many share rows at most."""
        self._threads, self._times, self.members = threads, times, min(threads, cores())
        self._seats = [(helper, of_member(HERE, helper)) for helper in range(1, self.members)]
        self._known: tuple = ()
        self._job, self._alone, self._helped, self._shared = new_job(1), new_job(1), False, 0

    def __reduce__(self):
        return Team, (self._threads, self._times)

    def share(self, rows: int, work: Callable, *arguments) -> int:
        """Have ``work(job, member, rows, *arguments)``, a compiled loop, do so many rows; returns its faults.

        A helper keeps the arguments it came with: for others, or in another process, there is another job.
        """
        enough = rows >= self._times * LEAST_ROWS
        if enough:  # for fewer rows than that, those come who are awake from the last time
            self._helped = self._threads > 1 and not crowd
        if not self._helped:
            return _faults(work, self._alone, rows, arguments)
        self._prepare(work, arguments)
        if enough:
            self._call_helpers(work, arguments)
        self._shared += 1
        if self._shared % _MEASURED:
            return _faults(work, self._job, rows, arguments)
        start, own = perf_counter(), thread_time()
        faults = _faults(work, self._job, rows, arguments)
        crowd.note(perf_counter() - start, thread_time() - own)
        return faults

    def _prepare(self, work: Callable, arguments: tuple) -> None:
        """Have a job for these arguments."""
        known = (_forks, work, *arguments)
        if len(known) != len(self._known) or any(map(is_not, known, self._known)):
            self._known, self._job = known, new_job(self.members)

    def _call_helpers(self, work: Callable, arguments: tuple) -> None:
        """Have those come who are not here; they may be late. Who waits for more of other rows leaves them."""
        global _latest
        job = self._job
        if _latest is not job:
            _dismiss(_latest)
            _latest = job
        for helper, here in self._seats:
            if not job[here]:
                job[here] = 1
                _helpers().submit(work, job, helper, 0, *arguments)


def _faults(work: Callable, job: np.ndarray, rows: int, arguments: tuple) -> int:
    work(job, 0, rows, *arguments)
    return int(job[FAULTS])


crowd = Crowd()
_latest = new_job(1)


def _dismiss(job: np.ndarray) -> None:
    """Have helpers leave a job when they have done what they took; whoever leads it opens it again."""
    job[OPEN] = DISMISSED


@cache
def _helpers() -> ThreadPoolExecutor:
    """Threads beside the one that calls."""
    return ThreadPoolExecutor(max(1, cores() - 1), "dawn_env")


_forks = 0  # between the first process and this one


def _forked() -> None:
    global _forks
    _forks += 1
    _helpers.cache_clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)

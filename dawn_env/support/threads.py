"""Rows of arrays divided among threads: compiled loops hold no lock of Python's, so they run beside each other.

The threads wait, without work for the processor, for as long as there is nothing to do. All of the process use the
same few. A child that was forked begins with none, and starts its own when it needs them.
"""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TypeVar

from dawn_env.support.argument_checks import between

LEAST_ROWS = 256
"""Rows of a part at least: to wake a thread and to wait for it takes as long as 50 to 100 decisions."""
HEAD_START = 128
"""Rows that this thread does more than the others, which have to be woken first; of few rows an eighth."""
MOST_THREADS = 1024
_VARIABLE = "OMP_NUM_THREADS"

T = TypeVar("T")


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


def in_parts(work: Callable[[slice], T], rows: int, threads: int) -> list[T]:
    """``work`` of each of at most so many parts of ``rows``, the first of them in this thread; what it returned.

    Returns when all have ended. Raises what ``work`` raises.
    """
    parts = min(threads, rows // LEAST_ROWS)
    if parts < 2:
        return [work(slice(0, rows))]
    head_start = min(HEAD_START, rows // 8)
    ends = [head_start + (rows - head_start) * part // parts for part in range(1, parts + 1)]
    slices = [slice(first, last) for first, last in zip([0, *ends], ends, strict=False)]
    others = [_helpers().submit(work, part) for part in slices[1:]]
    try:
        mine = work(slices[0])
    finally:
        errors = [other.exception() for other in others]  # waits
    for error in filter(None, errors):
        raise error
    return [mine, *(other.result() for other in others)]


@cache
def _helpers() -> ThreadPoolExecutor:
    """Threads beside the one that calls."""
    return ThreadPoolExecutor(max(1, cores() - 1), "dawn_env")


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_helpers.cache_clear)

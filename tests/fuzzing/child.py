"""Mutants tried in a child process, so that a crash or a hang of one is found, named and survived."""

import multiprocessing
import os
import resource
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from time import monotonic

from dawn_env.host.random_play import warm_up
from fuzzing.target import Kind, Outcome, Target, attempt

_MEMORY = 6 * 2**30  # bytes that may be added by all mutants of a process


def try_all(target: Target, seed: int, numbers: Iterable[int], work: Path, quiet: bool = True) -> Iterator[Outcome]:
    """Try mutants in order; yields what became of each. ``quiet``: what they print is thrown away."""
    left, spawn = deque(numbers), multiprocessing.get_context("spawn")
    while left:
        with ProcessPoolExecutor(1, spawn, _begin, (target, work, quiet)) as child:
            child.submit(int).result()  # fails where the child cannot begin
            while left:
                number, start = left.popleft(), monotonic()
                try:
                    yield child.submit(attempt, target, seed, number, work).result()
                except BrokenProcessPool:
                    hung = monotonic() - start >= target.seconds
                    yield Outcome(number, Kind.HUNG if hung else Kind.CRASHED)
                    break


def _begin(target: Target, work: Path, quiet: bool) -> None:
    """Prepare the child, and limit its memory, so that greedy input ends in an error and not the machine's memory."""
    if quiet:
        for stream in (1, 2):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
    (work / "shared").mkdir(parents=True, exist_ok=True)
    warm_up()
    target.prepare(work / "shared")
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    most = pages * resource.getpagesize() + _MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (most, most))

"""Mutants tried in child processes, so that a crash or a hang of one is found, named and survived."""

import multiprocessing
import os
import resource
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path

from dawn_env.host.random_play import warm_up
from fuzzing.attempt import CRASHED, HUNG, Outcome, attempt
from fuzzing.target import Target

_START_SECONDS = 600.0  # to import, to compile the rules and to prepare
_END_SECONDS = 10.0
_MEMORY = 6 * 2**30  # bytes that may be added by all mutants of a process
_READY = "ready"


def try_all(target: Target, seed: int, count: int, work: Path) -> Iterator[Outcome]:
    """Try the mutants 0 ... count - 1 in order; yields what became of each. What they print is thrown away."""
    number = 0
    while number < count:
        for outcome in try_some(target, seed, range(number, count), work):
            number = outcome.number + 1
            yield outcome


def try_some(target: Target, seed: int, numbers: Sequence[int], work: Path, quiet: bool = True) -> Iterator[Outcome]:
    """Try mutants as far as one process comes: to the end, or to the one that ends it."""
    with _child(target, seed, numbers, work, quiet) as (process, connection):
        if _receive(process, connection, _START_SECONDS) != _READY:
            raise RuntimeError(f"fuzzing {target.name}: the process that tries the mutants cannot start")
        for number in numbers:
            outcome = _receive(process, connection, target.seconds)
            if isinstance(outcome, Outcome):
                yield outcome
            else:
                yield Outcome(number, *outcome)
                return
        process.join(_END_SECONDS)


def _receive(process: multiprocessing.Process, connection: Connection, seconds: float) -> object:
    if not connection.poll(seconds):
        return HUNG, f"nothing for {seconds:g} seconds"
    try:
        return connection.recv()
    except EOFError:
        process.join()
        status = process.exitcode
        return CRASHED, f"ended by {signal.Signals(-status).name}" if status < 0 else f"exited with status {status}"


@contextmanager
def _child(*arguments):
    context = multiprocessing.get_context("spawn")
    mine, its = context.Pipe(duplex=False)
    process = context.Process(target=_work, args=(its, *arguments), daemon=True)
    process.start()
    its.close()
    try:
        yield process, mine
    finally:
        process.kill()
        process.join()
        mine.close()


# --- in the child -----------------------------------------------------------------------------------


def _work(connection: Connection, target: Target, seed: int, numbers: Sequence[int], work: Path, quiet: bool) -> None:
    if quiet:
        _be_quiet()
    (work / "shared").mkdir(parents=True, exist_ok=True)
    warm_up()
    target.prepare(work / "shared")
    _limit_memory()
    connection.send(_READY)
    for number in numbers:
        connection.send(attempt(target, seed, number, work))


def _be_quiet() -> None:
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    os.dup2(nothing, 2)


def _limit_memory() -> None:
    """Limit memory, so that greedy input ends in an error instead of exhausting the machine."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    most = pages * resource.getpagesize() + _MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (most, most))

"""Plays the pairs of a schedule, in this process or in many, and hands over results as they come."""

import atexit
import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache

from agents.match import Outcome, Pairing, play_games
from agents.player import Player
from agents.registry import make_player
from agents.tournament.entrants import Entrant
from agents.tournament.schedule import Pair

LARGEST_CHUNK = 64  # pairs that are played side by side
_CHUNKS_PER_WORKER = 4  # at least, so that no worker is idle for long at the end


class WorkerDied(RuntimeError):
    """A process that played games was killed or crashed; what it had finished is kept."""


@dataclass(frozen=True)
class Chunk:
    """Pairs between the same two players, to be played side by side, and what to make the players from."""

    pairs: tuple[Pair, ...]
    one: Entrant
    two: Entrant
    extra_support: tuple[int, int]


def play_pairs(
    pairs: Sequence[Pair], entrants: Mapping[str, Entrant], workers: int = 1, extra_support: tuple[int, int] = (0, 0)
) -> Iterator[list[Outcome]]:
    """Play ``pairs``; yields both games of one or more pairs at a time, as they end.

    ``entrants`` by name. With more than one of the ``workers`` each is a process of its own. Closing the
    iterator ends them. Raises ``WorkerDied``.
    """
    chunks = list(make_chunks(pairs, entrants, workers, extra_support))
    if workers == 1:
        yield from map(play_chunk, chunks)
        return
    with _processes(min(workers, max(1, len(chunks)))) as executor:
        try:
            for future in as_completed([executor.submit(play_chunk, chunk) for chunk in chunks]):
                yield future.result()
        except BrokenProcessPool as error:
            raise WorkerDied("a process that played games has died; start again to go on from here") from error


def make_chunks(
    pairs: Sequence[Pair], entrants: Mapping[str, Entrant], workers: int, extra_support: tuple[int, int]
) -> Iterator[Chunk]:
    """``pairs`` in pieces that keep all workers busy.

    Players of many games are faster with many; one that thinks about each position gains nothing, and
    results that come one by one lose less when the run is cut off.
    """
    largest = max(1, min(LARGEST_CHUNK, len(pairs) // (workers * _CHUNKS_PER_WORKER)))
    meetings: dict[tuple[str, str], list[Pair]] = {}
    for pair in pairs:
        meetings.setdefault((pair.one, pair.two), []).append(pair)
    for (one, two), theirs in meetings.items():
        first, second = entrants[one], entrants[two]
        size = largest if first.batch and second.batch else 1
        for start in range(0, len(theirs), size):
            yield Chunk(tuple(theirs[start : start + size]), first, second, extra_support)


def play_chunk(chunk: Chunk) -> list[Outcome]:
    """Both games of each pair."""
    one, two = _player(chunk.one.name, chunk.one.seed), _player(chunk.two.name, chunk.two.seed)
    pairings = [Pairing(pair.seed, *sides) for pair in chunk.pairs for sides in ((one, two), (two, one))]
    return [outcome for _, outcome in play_games(pairings, extra_support=chunk.extra_support)]


@cache
def _player(name: str, seed: int) -> Player:
    """A player that lives as long as the process: to load one may take long."""
    player = make_player(name, seed)
    atexit.register(player.close)
    return player


# --- processes ---------------------------------------------------------------------------------


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

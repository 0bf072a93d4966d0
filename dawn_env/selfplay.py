"""Random games in bulk: a compiled random policy, a runner over ``Batch``, and the tally of results.

The choice at a decision is a hash of the game's seed and the number of decisions taken, so a game is the
same whatever the batch it was played in.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from dawn_env.batch import Batch
from dawn_env.compiling import entry, jit
from dawn_env.record import record_from_actions

_WORD = 0xFFFFFFFF
_SALT = 0x2545F491


@jit
def _scramble(x):
    x = ((x >> 16) ^ x) * 0x7FEB352D & _WORD
    x = ((x >> 15) ^ x) * 0x46A7CA6B & _WORD
    return (x >> 16) ^ x


@jit
def _hash(seed, decisions):
    """32 bits that depend on every bit of a seed and on the number of decisions taken."""
    x = _scramble((seed & _WORD) ^ _SALT)
    x = _scramble(x ^ (seed >> 32))
    return _scramble((x + decisions * 0x3779B97) & _WORD)


@entry
def random_actions(states, masks, actions):
    """Write a uniform legal action of each game into ``actions`` (int64 [B]); 0 where there is none.

    ``states`` [B] records, ``masks`` int8 [B, A]. The bias is below A / 2**32.
    """
    for row in range(len(states)):
        count = 0
        for action in range(masks.shape[1]):
            if masks[row, action]:
                count += 1
        nth = (_hash(int(states[row].seed), int(states[row].decisions)) * count) >> 32
        actions[row] = 0
        for action in range(masks.shape[1]):
            if masks[row, action]:
                if nth == 0:
                    actions[row] = action
                    break
                nth -= 1


def game_seeds(seed: int, games: int) -> np.ndarray:
    """int64 [games] seeds of a run; the first n do not depend on how many follow."""
    return np.random.Generator(np.random.PCG64(seed)).integers(0, 2**63 - 1, games)


class _History:
    """Actions taken so far, per row of a batch; uint8 [B, capacity], grown as needed."""

    def __init__(self, count: int):
        self.actions = np.zeros((count, 512), np.uint8)
        self.lengths = np.zeros(count, np.int64)
        self._rows = np.arange(count)

    def add(self, actions: np.ndarray) -> None:
        if self.lengths.max() == self.actions.shape[1]:
            self.actions = np.concatenate([self.actions, np.zeros_like(self.actions)], axis=1)
        self.actions[self._rows, self.lengths] = actions
        self.lengths += 1

    def take(self, row: int) -> np.ndarray:
        taken = self.actions[row, : self.lengths[row]].copy()
        self.lengths[row] = 0
        return taken


@dataclass
class Progress:
    """What one step of a run did: decisions taken, and games that ended as (index, seed, actions)."""

    decisions: int
    finished: list[tuple[int, int, np.ndarray]]


def random_games(seed: int, games: int, batch_size: int, extra_support: tuple[int, int] = (0, 0)) -> Iterator[Progress]:
    """Play ``games`` random games, ``batch_size`` at a time; yields after every step of the batch."""
    seeds = game_seeds(seed, games)
    count = min(batch_size, games)
    batch = Batch(count, seeds[:count], extra_support, auto_restart=False)
    playing = np.arange(count)  # index of the game in each row, -1 when the row is idle
    history, actions, started = _History(count), np.zeros(count, np.int64), count
    while (playing >= 0).any():
        random_actions(batch.states, batch.masks, actions)
        history.add(actions)
        batch.step(actions)
        moved = int((playing >= 0).sum())
        done = np.flatnonzero(batch.ended & (playing >= 0))
        yield Progress(
            moved, [(int(playing[row]), int(seeds[playing[row]]), history.take(row)) for row in done.tolist()]
        )
        fresh = np.arange(started, min(games, started + len(done)))
        started += len(fresh)
        playing[done] = -1
        playing[done[: len(fresh)]] = fresh
        history.lengths[playing < 0] = 0
        batch.restart(done[: len(fresh)], seeds[fresh])


def random_record(seed: int, actions: np.ndarray, extra_support: tuple[int, int] = (0, 0)) -> dict:
    """Record of a finished random game."""
    names = {"D": "random", "C": "random"}
    return record_from_actions(seed, actions.tolist(), {"extra_support": list(extra_support)}, names)


@dataclass
class Tally:
    """Counts over game records."""

    results: Counter = field(default_factory=Counter)
    reasons: Counter = field(default_factory=Counter)
    vp: Counter = field(default_factory=Counter)
    decisions: int = 0
    turns: int = 0

    @property
    def games(self) -> int:
        """Number of games counted."""
        return sum(self.results.values())

    def add(self, record: dict) -> None:
        """Count one record."""
        self.results[record["result"]] += 1
        self.reasons[record["result"], record["reason"]] += 1
        self.vp[record["vp"]] += 1
        self.decisions += record["length"]
        self.turns += record["turn"]

    def histogram(self, width: int = 5) -> list[tuple[int, int, int]]:
        """(lowest VP, highest VP, games) per bin of ``width`` points, from the lowest to the highest."""
        bins = Counter()
        for vp, games in self.vp.items():
            bins[vp // width] += games
        return [(b * width, b * width + width - 1, bins[b]) for b in range(min(bins), max(bins) + 1)] if bins else []


def warm_up() -> None:
    """Load or compile the entry points, so that what follows is not slowed by it."""
    batch = Batch(1, 0)
    actions = np.zeros(1, np.int64)
    random_actions(batch.states, batch.masks, actions)
    batch.step(actions)

"""Random games in bulk: a compiled random policy, and a runner over ``Host``.

The choice at a decision is a hash of the game's seed and the number of decisions taken, so a game is the
same whatever the batch it was played in.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from dawn_env.batch import Batch
from dawn_env.formats.game_record import record_from_actions
from dawn_env.host.host import Host
from dawn_env.host.host_loop import EXTERNAL
from dawn_env.options import GameOptions
from dawn_env.rules.chance import seed_generator
from dawn_env.rules.flow import call_step
from dawn_env.state import Error, Result
from dawn_env.support.argument_checks import between, game_count
from dawn_env.support.compiling import entry, jit
from dawn_env.support.hashing import mixed, nth_legal
from dawn_env.support.seeds import MOST_SEED, checked_seed
from dawn_env.tables import SIDES

_WORD = 0xFFFFFFFF
_SALT = 0x2545F491
_IDLE = -1


@jit
def _hash(seed, decisions):
    """32 bits that depend on every bit of a seed and on the number of decisions taken."""
    x = mixed((seed & _WORD) ^ _SALT)
    x = mixed(x ^ (seed >> 32))
    return mixed((x + decisions * 0x3779B97) & _WORD)


@jit
def _random_action(s, mask, count):
    """A uniform one of the ``count`` > 0 legal actions of a mask."""
    return nth_legal(mask, (_hash(int(s.seed), int(s.decisions)) * count) >> 32)


@entry
def random_actions(states, masks, actions):
    """Write a uniform legal action of each game into ``actions`` (int64 [B]); 0 where the game is over.

    ``states`` [B] records, ``masks`` int8 [B, A]. The bias is below A / 2**32.
    """
    for row in range(len(states)):
        s = states[row]
        running = s.result == Result.RUNNING
        actions[row] = _random_action(s, masks[row], int(s.legal_count)) if running else 0


@entry
def play_out(step, states, seeds):
    """Play games with a decision pending to their ends, in place, chance and choices anew from ``seeds`` (int64 [B]).

    ``step``: ``engine.step()``; ``states`` [B] records. A game whose ``error`` is set afterwards could not go on.
    """
    for row in range(len(states)):
        s = states[row]
        s.seed = seeds[row]
        seed_generator(s, seeds[row])
        while s.result == Result.RUNNING and s.error == Error.NONE:
            call_step(step, s, _random_action(s, s.legal, int(s.legal_count)))


def game_seeds(seed: int, games: int) -> np.ndarray:
    """int64 [games] seeds of a run; the first n do not depend on how many follow.

    ``seed``: 0 ... 2**63 - 1, else ``BadSeed``; ``ValueError`` for less than one game.
    """
    generator = np.random.Generator(np.random.PCG64(checked_seed(seed)))
    return generator.integers(0, MOST_SEED, game_count(games, "games"))


@dataclass
class StepProgress:
    """Result of one step of a run: decisions taken, and games that ended as (index, seed, actions)."""

    decisions: int
    finished: list[tuple[int, int, list[int]]]


def random_games(
    seed: int, games: int, batch_size: int, options: GameOptions | Mapping | None = None, first: int = 0
) -> Iterator[StepProgress]:
    """Play ``games`` random games, ``batch_size`` at a time; yields after every step of the batch.

    ``first``: the number of the first one to be played; those before it are left out. Raises ``ValueError`` for less
    than one game or row, ``BadSeed``, ``BadOptions``.
    """
    seeds, started = game_seeds(seed, games), between(first, "first", 0, games - 1)
    count = min(game_count(batch_size, "batch_size"), games - started)
    host, games_of, actions = Host(count, options, record=True), np.full(count, _IDLE), np.zeros(count, np.int64)
    while started < games or (games_of != _IDLE).any():
        free = np.flatnonzero(games_of == _IDLE)[: games - started]
        games_of[free] = fresh = np.arange(started, started + len(free))
        host.begin(free, seeds[fresh], np.full((len(free), SIDES), EXTERNAL))
        started += len(free)
        while host.unfinished:
            host.advance()
        rows = np.flatnonzero(games_of != _IDLE)
        random_actions(host.states, host.masks, actions)
        host.step(rows, actions[rows])
        ended = host.ended_games()
        yield StepProgress(len(rows), [(int(games_of[game.row]), game.seed, game.actions) for game in ended])
        games_of[[game.row for game in ended]] = _IDLE


def random_record(seed: int, actions: Sequence[int], options: GameOptions | Mapping | None = None) -> dict:
    """Record of a finished random game."""
    return record_from_actions(seed, actions, options, {"D": "random", "C": "random"})


def warm_up() -> None:
    """Load or compile the entry points, so that what follows is not slowed by it."""
    batch = Batch(1, 0)
    actions = np.zeros(1, np.int64)
    random_actions(batch.states, batch.masks, actions)
    batch.step(actions)

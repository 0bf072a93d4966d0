"""Random games in bulk: a compiled random policy, and a runner over ``Host``.

The choice at a decision is a hash of the game's seed and the number of decisions taken, so a game is the
same whatever the batch it was played in.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from dawn_env.batch import Batch
from dawn_env.formats.game_record import record_from_actions
from dawn_env.host.host import Host
from dawn_env.host.host_loop import EXTERNAL, Status
from dawn_env.options import GameOptions
from dawn_env.rules.chance import seed_generator
from dawn_env.rules.flow import call_step
from dawn_env.state import Error, Result
from dawn_env.support.argument_checks import game_count
from dawn_env.support.compiling import entry, jit
from dawn_env.support.hashing import mixed_count, nth_legal
from dawn_env.support.seeds import MOST_SEED, checked_seed
from dawn_env.tables import SIDES


@jit
def _random_action(s, mask, count):
    """A uniform one of the ``count`` > 0 legal actions of a mask."""
    return nth_legal(mask, (mixed_count(int(s.seed), int(s.decisions)) * count) >> 32)


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


def random_games(seeds: np.ndarray, options: GameOptions | Mapping | None = None) -> list[list[int]]:
    """Actions of random games from ``seeds`` int64 [K], played side by side. Raises ``BadOptions``."""
    host, actions = Host(len(seeds), options, record=True), np.zeros(len(seeds), np.int64)
    host.begin(np.arange(host.count), seeds, np.full((host.count, SIDES), EXTERNAL))
    while True:
        while host.unfinished:
            host.advance()
        rows = np.flatnonzero(host.status == Status.EXTERNAL)
        if not len(rows):
            return [game.actions for game in host.ended_games()]
        random_actions(host.states, host.masks, actions)
        host.step(rows, actions[rows])


def random_record(seed: int, actions: Sequence[int], options: GameOptions | Mapping | None = None) -> dict:
    """Record of a finished random game."""
    return record_from_actions(seed, actions, options, {"D": "random", "C": "random"})


def warm_up() -> None:
    """Load or compile the entry points, so that what follows is not slowed by it."""
    batch = Batch(1, 0)
    actions = np.zeros(1, np.int64)
    random_actions(batch.states, batch.masks, actions)
    batch.step(actions)

"""Positions of many games at once."""

from collections.abc import Iterator

import numpy as np

from dawn_env.batch import Batch
from dawn_env.host.random_play import random_actions
from dawn_env.players import BatchPlayer


def batches(count: int, seed: int, player: BatchPlayer, steps: int, after: int = 0, every: int = 1) -> Iterator[Batch]:
    """Batch of games of a player against itself, yielded at every ``every``-th step from step ``after`` on."""
    batch = Batch(count, seed)
    for step in range(steps):
        if step >= after and step % every == 0:
            yield batch
        batch.step(player.choose(batch.observations, batch.masks))


def random_choices(games) -> np.ndarray:
    """Random legal actions (int64 [B]) of a batch or a host, which follow from the games; 0 where a game is over."""
    actions = np.zeros(games.count, np.int64)
    random_actions(games.states, games.masks, actions)
    return actions

"""Positions of many games at once."""

from collections.abc import Iterator

from dawn_env.batch import Batch
from dawn_env.players import BatchPlayer


def batches(count: int, seed: int, player: BatchPlayer, steps: int, after: int = 0, every: int = 1) -> Iterator[Batch]:
    """Batch of games of a player against itself, yielded at every ``every``-th step from step ``after`` on."""
    batch = Batch(count, seed)
    for step in range(steps):
        if step >= after and step % every == 0:
            yield batch
        batch.step(player.choose(batch.observations, batch.masks))

"""Seeds: what one is, and which seeds follow from a seed."""

from collections.abc import Sequence

import numpy as np

from dawn_env.errors import BadSeed
from dawn_env.support.argument_checks import integer, integers
from dawn_env.support.compiling import jit
from dawn_env.support.safe_text import short_repr

MOST_SEED = 2**63 - 1
SEED_STEP = 0x1E3779B97F4A7C15
"""Odd number added to a row's seed, modulo 2**63, when its game restarts."""
_RANGE = "0 ... 2**63 - 1"


def checked_seed(value) -> int:
    """``value`` as an int when it is an integer in 0 ... 2**63 - 1; raises ``BadSeed``, a ``ValueError``."""
    number = integer(value)
    if number is None or not 0 <= number <= MOST_SEED:
        raise BadSeed(f"seed: an integer {_RANGE} expected, not {short_repr(value)}")
    return number


def checked_seeds(values: Sequence[int] | np.ndarray, count: int | None = None) -> np.ndarray:
    """int64 [K] seeds from integers in 0 ... 2**63 - 1, ``count`` of them if given; raises ``BadSeed``."""
    seeds = integers(values, 0, MOST_SEED)
    if seeds is None or (count is not None and len(seeds) != count):
        wanted = "a sequence of integers" if count is None else f"{count} integers"
        given = "" if seeds is None else f" ({len(seeds)} given)"
        raise BadSeed(f"seeds: {wanted} in {_RANGE} expected, not {short_repr(values)}{given}")
    return seeds


def row_seeds(seeds: int | Sequence[int] | np.ndarray | None, count: int) -> np.ndarray:
    """Seeds of ``count`` games, int64 [count], from what ``Batch.reset`` takes; raises ``BadSeed``."""
    if seeds is None:
        return np.random.default_rng().integers(0, MOST_SEED, count)
    if integer(seeds) is None:
        return checked_seeds(seeds, count)
    return (checked_seed(seeds) + np.arange(count)) & MOST_SEED  # sums beyond 64 bits wrap around


@jit
def next_seed(seed):
    """Seed of the game that follows the one from ``seed``, int or int64 array: ``(seed + SEED_STEP) % 2**63``."""
    return (seed + SEED_STEP) & MOST_SEED

"""Later versions of numba: the documented interface alone gives the same games."""

import pytest
from processes import python

from dawn_env.support.cache_folder import cache_folder
from dawn_env.support.compiling import COMPILED

GAMES = """
import sys
import numba
if sys.argv[1:] == ["later"]:
    numba.__version__ = "99.0.0"
import zlib
import numpy as np
from dawn_env.batch import Batch
from dawn_env.support import compiling
batch, played = Batch(8, seeds=1), 0
for _ in range(50):
    batch.step(np.array([np.flatnonzero(mask)[-1] if mask.any() else 0 for mask in batch.masks]))
    played = zlib.crc32(batch.observations.tobytes() + batch.masks.tobytes(), played)
print(compiling.backend().inner.__module__, played)
"""


UNOPTIMISED = {"NUMBA_OPT": "0", "DAWN_ENV_CACHE_DIR": str(cache_folder("unoptimised"))}
"""For code that only this test runs: it compiles faster, and is kept apart."""


def played(*arguments, **settings):
    """Module that compiles inner functions, checksum of 400 decisions."""
    return python("-c", GAMES, *arguments, variables=settings, check=True).stdout.split()


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
def test_an_unknown_numba_plays_the_same_games():
    (unknown, others), (known, games) = played("later", **UNOPTIMISED), played()
    assert (known, unknown) == ("dawn_env.support.device_functions", "dawn_env.support.numba_interface")
    assert games == others

"""Spaces within reach: the loop over all spaces agrees with the rule for a single space."""

import numpy as np
import pytest

from dawn_env.rules.operations.placement import start_placement, within_reach
from dawn_env.state import new_states
from dawn_env.tables import FIRST_ROMANIAN, ROMANIAN_SPACES, SIDES, S


@pytest.mark.parametrize("variant", range(ROMANIAN_SPACES + 1))
def test_reach(variant):
    """On the printed map, and after each Romanian space was destroyed."""
    random = np.random.default_rng(variant)
    s = new_states(1)[0]
    s.destroyed = FIRST_ROMANIAN + variant - 1 if variant else -1
    for share in (0.02, 0.1, 0.4):
        s.depth = 0
        s.support[:] = random.random((SIDES, S)) < share
        s.support[:, np.arange(S) == s.destroyed] = 0
        for side in range(SIDES):
            start_placement(s, side, 0, 2, 0)
            assert s.reach.tolist() == [within_reach(s, side, space, variant) for space in range(S)]

"""Rollout policies of searches."""

import numpy as np
import pytest
from batches import batches
from dawn_agents.players.registry import make_player
from dawn_agents.players.search.rollout_policy import RolloutPolicy


def positions():
    return batches(64, 3, make_player("heuristic"), 260, after=201, every=20)


@pytest.mark.parametrize("name", ["heuristic", "pretrained"])
def test_a_guide_scores_as_its_player_chooses(name):
    player, policy = make_player(name), RolloutPolicy(name)
    for batch in positions():
        chosen = player.choose(batch.observations, batch.masks)
        for row in range(batch.count):
            scores = policy.scores(batch.observations[row], batch.masks[row])
            assert np.where(batch.masks[row], scores, -np.inf).argmax() == chosen[row]


def test_searches_tell_their_guides_apart():
    pretrained, heuristic = make_player("search:sims=16"), make_player("search:sims=16,guide=heuristic")
    assert pretrained.version != heuristic.version

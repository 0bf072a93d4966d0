"""The player ``tuned``, and the rollout policies of searches."""

import numpy as np
import pytest
from batches import batches
from dawn_agents.heuristic.score_offsets import NONE, ScoreOffsets
from dawn_agents.registry import make_player
from dawn_agents.search.rollout_policy import RolloutPolicy


def positions():
    return batches(64, 3, make_player("heuristic"), 260, after=201, every=20)


def test_without_corrections_it_is_the_rule_based_player(monkeypatch):
    nothing = ScoreOffsets(*(np.zeros((2, *table.shape[1:]), np.float32) for table in NONE))
    monkeypatch.setattr("dawn_agents.players.tuned_player.learned_offsets", lambda: nothing)
    tuned, heuristic = make_player("tuned"), make_player("heuristic")
    for batch in positions():
        seen = batch.observations, batch.masks
        assert (tuned.choose(*seen) == heuristic.choose(*seen)).all()


@pytest.mark.parametrize("name", ["heuristic", "tuned", "pretrained"])
def test_a_guide_scores_as_its_player_chooses(name):
    player, policy = make_player(name), RolloutPolicy(name)
    for batch in positions():
        chosen = player.choose(batch.observations, batch.masks)
        for row in range(batch.count):
            scores = policy.scores(batch.observations[row], batch.masks[row])
            assert np.where(batch.masks[row], scores, -np.inf).argmax() == chosen[row]


def test_searches_tell_their_guides_apart():
    names = ("search:sims=16", "search:sims=16,guide=heuristic", "search:sims=16,guide=pretrained")
    assert len({make_player(name).version for name in names}) == 3

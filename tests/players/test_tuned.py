"""The corrected rule-based player: its strength, and searches guided by it and by others."""

import numpy as np
import pytest
from dawn_agents.heuristic.score_offsets import NONE, ScoreOffsets
from dawn_agents.match import Pairing, play_games
from dawn_agents.registry import make_player
from dawn_agents.search.rollout_policy import RolloutPolicy

from dawn_env.batch import Batch
from dawn_env.tables import SIDE_NAMES


def positions():
    """A batch in the middle of games of the rule-based player."""
    batch, player = Batch(64, 3), make_player("heuristic")
    for step in range(260):
        batch.step(player.choose(batch.observations, batch.masks))
        if step > 200 and step % 20 == 0:
            yield batch


def test_without_corrections_it_is_the_rule_based_player(monkeypatch):
    nothing = ScoreOffsets(*(np.zeros((2, *table.shape[1:]), np.float32) for table in NONE))
    monkeypatch.setattr("dawn_agents.players.tuned_player.learned_offsets", lambda: nothing)
    tuned, heuristic = make_player("tuned"), make_player("heuristic")
    for batch in positions():
        assert (
            tuned.choose(batch.observations, batch.masks) == heuristic.choose(batch.observations, batch.masks)
        ).all()


@pytest.mark.parametrize("side", SIDE_NAMES)
def test_it_is_stronger_than_the_rule_based_player(side):
    players = {name: make_player("tuned" if name == side else "heuristic") for name in SIDE_NAMES}
    won = [outcome.result == side for _, outcome in play_games([Pairing(seed, **players) for seed in range(200)])]
    assert np.mean(won) > 0.6


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

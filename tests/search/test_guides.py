"""Rollout policies of searches."""

import numpy as np
import pytest
from batches import batches
from dawn_agents.players.networks.policy_metadata import PolicyFileError
from dawn_agents.players.registry import make_player
from dawn_agents.players.search.rollout_policy import RolloutPolicy
from dawn_agents.players.sparse_player import PRETRAINED
from dawn_agents.players.specification import BadSpec


def positions():
    return batches(64, 3, make_player("heuristic"), 260, after=201, every=20)


@pytest.mark.parametrize(
    ("name", "guide"),
    [
        ("heuristic", "heuristic"),
        ("pretrained", "pretrained"),
        ("distilled", "distilled"),
        ("pretrained", str(PRETRAINED)),
    ],
)
def test_a_guide_scores_as_its_player_chooses(name, guide):
    player, policy = make_player(name), RolloutPolicy(guide)
    for batch in positions():
        chosen = player.choose(batch.observations, batch.masks)
        for row in range(batch.count):
            scores = policy.scores(batch.observations[row], batch.masks[row])
            assert np.where(batch.masks[row], scores, -np.inf).argmax() == chosen[row]


def test_searches_tell_their_guides_apart():
    pretrained, heuristic = make_player("search:sims=16"), make_player("search:sims=16,guide=heuristic")
    assert pretrained.version != heuristic.version


@pytest.mark.parametrize("name", ["search", "value"])
def test_a_guide_may_be_a_folder_of_policies(name, tmp_path):
    own = tmp_path / "policies"
    own.mkdir()
    for side, other in (("democrat", "communist"), ("communist", "democrat")):
        (own / f"{side}.zip").write_bytes((PRETRAINED / f"{other}.zip").read_bytes())
    with pytest.raises(PolicyFileError, match="a policy of the democrat expected, not of the communist"):
        make_player(f"{name}:guide={own}")
    for side in ("democrat", "communist"):
        (own / f"{side}.zip").write_bytes((PRETRAINED / f"{side}.zip").read_bytes())
    assert make_player(f"{name}:guide={own}").version == make_player(f"{name}:guide=pretrained").version
    with pytest.raises(
        BadSpec, match="guide: heuristic, pretrained, distilled or a folder with two policies expected, not 'no'"
    ):
        make_player(f"{name}:guide=no")

"""Strength of the shipped players: each beats a weaker one on both sides."""

import numpy as np
import pytest
from dawn_agents.players.registry import make_player
from dawn_agents.tournaments.match import Pairing, play_games

from dawn_env.tables import SIDE_NAMES


@pytest.mark.parametrize("side", SIDE_NAMES)
@pytest.mark.parametrize(
    ("player", "rival", "games", "least"),
    [
        ("greedy", "random", 6, 0.6),
        ("heuristic", "random", 200, 0.98),
        ("pretrained", "heuristic", 200, 0.75),
        ("distilled", "heuristic", 200, 0.75),
    ],
)
def test_a_player_wins_more_often_than_its_rival(player, rival, games, least, side):
    players = {name: make_player(player if name == side else rival) for name in SIDE_NAMES}
    won = [outcome.result == side for _, outcome in play_games([Pairing(seed, **players) for seed in range(games)])]
    assert np.mean(won) >= least

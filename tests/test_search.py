"""The searching player: what it may know, how long it may think, and that it sees what is in front of it."""

import time

import numpy as np
import pytest
from scenario import scenario
from test_information import random_positions, swap_hidden_cards

from agents.search.player import SearchPlayer
from dawn_env.actions import A, action_id
from dawn_env.game import Game
from dawn_env.tables import COMMUNIST, DEMOCRAT
from dawn_env.view import View


def searcher(seed: int = 0, **options) -> SearchPlayer:
    """A player with a small budget."""
    return SearchPlayer("search", seed, SearchPlayer.Options(**{"sims": 64} | options))


@pytest.mark.parametrize("seed", [30, 31])
def test_it_depends_on_what_its_side_knows_only(seed):
    rng, player, swapped = np.random.default_rng(seed), searcher(), 0
    for game in random_positions(seed, 12):
        other = game.copy()
        swap_hidden_cards(other.state, game.actor, rng)
        swapped += other != game
        seen, known = player.think(View(game.state)), player.think(View(other.state))
        assert (seen.visits == known.visits).all() and (seen.values == known.values).all()
    assert swapped > 5


def test_the_seed_decides():
    views = [View(game.state) for game in random_positions(2, 40)]
    visits = [[searcher(seed).think(view).visits.tolist() for view in views] for seed in (0, 0, 1)]
    assert visits[0] == visits[1] != visits[2]


@pytest.mark.parametrize("sims", [1, 33, 200])
def test_simulations_are_counted(sims):
    visits, _ = searcher(sims=sims).think(View(Game(4).state))
    assert visits.sum() == sims


def test_time_is_kept():
    player, view = searcher(ms=200), View(Game(4).state)
    player.choose(view)
    start = time.monotonic()
    visits, _ = player.think(view)
    assert 0.2 <= time.monotonic() - start < 0.6 and visits.sum() > 0


def test_only_legal_actions_are_visited_and_values_are_bounded():
    for game in random_positions(5, 25):
        visits, values = searcher().think(View(game.state))
        assert not visits[game.mask == 0].any() and (np.abs(values) <= 1).all()


def test_a_whole_game_is_legal():
    game, players = Game(6), (searcher(sims=16), searcher(1, sims=16, plays=1))
    while not game.over:
        game.step(players[game.actor].choose(View(game.state)))
    assert game.state.decisions > 50


def test_it_takes_a_victory_within_reach():
    game = scenario("D: 33 5 4 19", vp=19, turn=10, round=5, phasing="D", stop=False)
    for expected in ("card:33", "event"):
        assert searcher(sims=200).choose(View(game.state)) == action_id(expected)
        game.take(expected)
    assert game.over


def test_it_does_not_keep_a_scoring_card_too_long():
    game = scenario("D: 22 5", round=7, phasing="D", vp=15, stop=False)
    assert searcher().choose(View(game.state)) == action_id("card:22")


@pytest.mark.parametrize("side", [DEMOCRAT, COMMUNIST])
def test_values_are_the_democrats(side):
    hand = ("D: 5 4", "C: 12 7")[side]
    _, ahead = searcher().think(View(scenario(hand, vp=15, stop=False).state))
    _, behind = searcher().think(View(scenario(hand, vp=-15, stop=False).state))
    assert ahead.sum() > behind.sum()


def test_probabilities_for_the_root_may_be_given():
    view, prior = View(Game(4).state), np.zeros(A, np.float32)
    prior[view.legal[-1]] = 1
    player = searcher(sims=8)
    assert player.think(view, prior).visits[view.legal[-1]] >= 4
    assert player.think(view).visits[view.legal[-1]] < 4


def test_a_small_tree_is_enough_for_many_simulations():
    player = searcher(sims=300)
    player._tree = player._tree._replace(nodes=player._tree.nodes[:20], edges=player._tree.edges[:250])
    assert player.think(View(Game(4).state)).visits.sum() == 300


@pytest.mark.parametrize("wrong", [{"sims": 0}, {"ms": 0}, {"plays": 0}, {"exploration": -1.0}])
def test_options_are_checked(wrong):
    with pytest.raises(ValueError, match=f"{next(iter(wrong))}: at least"):
        SearchPlayer.Options(**wrong)

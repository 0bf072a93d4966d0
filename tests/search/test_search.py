"""The searching player: what it may know, how long it may search, and that it sees what is in front of it."""

import os
import subprocess
import sys
import time

import numpy as np
import pytest
from dawn_agents.players.registry import make_player
from dawn_agents.players.search.search_options import Options, SearchBudget, SearchProgress
from dawn_agents.players.search.search_player import Race, SearchPlayer
from dawn_agents.players.search.simulator import Simulator
from hidden_cards import random_positions, swap_hidden_cards
from scenario import scenario

from dawn_env.actions import action_id
from dawn_env.game import Game
from dawn_env.observation.player_view import View
from dawn_env.tables import COMMUNIST, DEMOCRAT


def searcher(seed: int = 0, **options) -> SearchPlayer:
    return SearchPlayer("search", seed, SearchPlayer.Options(**{"sims": 64} | options))


@pytest.mark.parametrize(("seed", "every", "options"), [(30, 12, None), (31, 12, None), (6, 29, {"mode": "family"})])
def test_it_depends_on_what_its_side_knows_only(seed, every, options):
    rng, player, swapped = np.random.default_rng(seed), searcher(), 0
    for game in random_positions(seed, every, options):
        other = game.copy()
        swap_hidden_cards(other.state, game.actor, rng)
        swapped += other != game
        (actions, race), (known, same) = player.search(View(game.state)), player.search(View(other.state))
        assert (actions == known).all() and (race.counts == same.counts).all() and (race._leads == same._leads).all()
        assert (game.mask[actions] == 1).all() and race.counts.sum() <= 64
        if options and len(game.legal) > 1:  # in the standard game all but one may be ruled out
            assert race.counts.any()
    assert swapped > 5


def test_the_seed_decides():
    views = [View(game.state) for game in random_positions(2, 40)]
    leads = [[searcher(seed).search(view)[1]._leads.tolist() for view in views] for seed in (0, 0, 1)]
    assert leads[0] == leads[1] != leads[2]


def test_answers_do_not_depend_on_those_asked_along_with_it_nor_on_threads():
    views = [View(game.state) for game in random_positions(3, 25)]
    alone = [searcher().choose(view) for view in views]
    for threads in (1, 2, 2):
        player = searcher()
        player.threads = threads
        assert player.choose_each(views) == player.choose_each(views[::-1])[::-1] == alone


@pytest.mark.parametrize("sims", [1, 33, 200])
def test_simulations_are_counted_and_the_budget_is_kept(sims):
    player = searcher(sims=sims)
    counts = [player.search(View(game.state))[1].counts.sum() for game in random_positions(8, 10)]
    assert max(counts) <= sims and (max(counts) > 0.8 * sims or sims == 1)


@pytest.mark.parametrize("guide", ["heuristic", "pretrained"])
def test_the_choice_of_the_guide_is_among_the_candidates(guide):
    player = make_player(guide)
    for game in random_positions(9, 15):
        view = View(game.state)
        best = int(player.choose(view.observation[None], view.mask[None])[0])
        actions, race = searcher(guide=guide).search(view)
        assert actions[0] == best and race.counts[0] == race.counts.max()
        assert searcher(guide=guide, doubt=1e9).choose(view) == best
        assert race.winner(1) == 0 or race.counts[race.winner(1)] > 0


def test_time_is_kept():
    player, view = searcher(ms=200, margin=100), View(Game(4).state)
    player.choose(view)
    start = time.monotonic()
    _, race = player.search(view)
    assert 0.02 <= time.monotonic() - start < 0.6 and race.counts.sum() > 0


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
    hand, simulator = ("D: 5 4", "C: 12 7")[side], Simulator(is_family=False, plays=3, guide="pretrained")
    views = (View(scenario(hand, vp=vp, stop=False).state) for vp in (15, -15))
    ahead, behind = (simulator.values(view.deal([1, 2, 3]), view.legal) for view in views)
    assert ahead.min() > behind.max()


def test_a_challenger_wins_only_with_a_lead_beyond_doubt():
    race, noise = Race(3), np.array([3.0, -3.0, 2.0, -2.0])
    race.add(np.stack([noise, noise + 0.1, noise[::-1]], 1))  # paired: always ahead by a little; and mere noise
    assert race.winner(doubt=1) == 1
    race.halve()
    assert race.running.tolist() == [0, 1] and race.counts.tolist() == [4, 4, 4]
    race.add(np.stack([noise, noise - 9], 1))
    assert race.winner(doubt=0) == 0 and race.counts.tolist() == [8, 8, 4]
    race.halve()
    assert race.running.tolist() == [0]


def test_a_search_tells_how_much_of_its_budget_is_spent():
    shares, progress = [], SearchProgress()
    budget = SearchBudget(Options(sims=64), progress, rounds=2)
    for _ in range(2):
        shares += [progress.share for _ in budget.spend(candidates=2)]
    assert shares == [0, 0.25, 0.5, 0.75]
    budget = SearchBudget(Options(ms=20), progress, rounds=2)
    shares = [progress.share for _ in range(2) for _ in budget.spend()]
    assert shares == sorted(shares) and shares[0] < 0.5 < shares[-1] <= 1
    player = make_player("search:sims=16")
    player.choose(View(Game(3).state))
    assert player.progress is None


PLAIN = """
from dawn_env import Game, View, choose_action, make_player

for options in ({}, {"mode": "family"}):
    print(choose_action(make_player("search:sims=16", 0), View(Game(3, options).state)))
"""


def test_plain_python_chooses_the_same():
    chosen = set()
    for disabled in "01":
        settings = os.environ | {"NUMBA_DISABLE_JIT": disabled, "DAWN_ENV_LIBRARY": "off"}
        done = subprocess.run(
            [sys.executable, "-c", PLAIN], env=settings, check=True, text=True, stdout=subprocess.PIPE
        )
        chosen.add(done.stdout)
    assert len(chosen) == 1

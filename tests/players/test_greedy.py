"""The static evaluation, and the player that looks one decision ahead by it."""

import numpy as np
import pytest
from dawn_agents.players.greedy_player import GreedyPlayer
from dawn_agents.players.win_probability.static_evaluation import WON, evaluate_rows
from hidden_cards import random_positions
from scenario import scenario

from dawn_env.actions import action_id
from dawn_env.game import Game
from dawn_env.observation.player_view import View
from dawn_env.state import Result


def value(game: Game) -> float:
    values = np.zeros(1)
    evaluate_rows(game.states, values)
    return float(values[0])


@pytest.mark.parametrize("result, expected", [(Result.DEMOCRAT, WON), (Result.COMMUNIST, -WON), (Result.DRAW, 0.0)])
def test_a_finished_game_is_worth_its_result(result, expected):
    game = Game(1)
    game.state.result = result
    assert value(game) == expected


def test_victory_points_count_as_they_are():
    assert value(scenario("D: 5 4", vp=7)) == pytest.approx(value(scenario("D: 5 4")) + 7)


def test_control_is_worth_more_than_progress_and_progress_more_than_nothing():
    values = [value(scenario("D: 5 4", support={"Gdansk": (points, 0)})) for points in (0, 2, 3)]
    assert values[0] < values[1] < values[2]
    assert values[0] > value(scenario("D: 5 4", support={"Gdansk": (0, 3)}))


def test_a_country_that_is_about_to_be_scored_weighs_more():
    def lead(**where):
        ahead = value(scenario("D: 5 4", support={"Gdansk": (3, 0)}, turn=9, **where))
        return ahead - value(scenario("D: 5 4", turn=9, **where))

    assert lead() > lead(removed=(22,)) > 0


def test_a_scoring_card_without_a_round_left_is_a_disaster():
    late, early = ([value(scenario("D: 22 5", round=number, phasing="D").take("card:5"))] for number in (7, 1))
    assert late[0] < early[0] - 15


def test_it_takes_a_victory_within_reach():
    game = scenario("D: 33 5", vp=19).take("card:33")
    assert GreedyPlayer().choose(View(game.state)) == action_id("event")


def test_its_choice_depends_on_view_and_seed():
    views = [View(game.state) for game in random_positions(2, 15)]
    chosen = [[GreedyPlayer(seed=seed).choose(view) for view in views] for seed in (0, 0, 1)]
    assert chosen[0] == chosen[1] != chosen[2]

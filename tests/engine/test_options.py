"""Options of a game: what is accepted, what is refused and how that reads; carried whole from outside to the rules."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from scenario import scenario
from tables import table

from dawn_env import dawn_v0
from dawn_env.batch import Batch
from dawn_env.envs.seat import DawnSeat
from dawn_env.envs.vector import DawnVectorEnv
from dawn_env.errors import BadOptions
from dawn_env.game import Game
from dawn_env.options import STANDARD, GameOptions
from dawn_env.players import RandomPlayer

BID = GameOptions(extra_support=(2, 1))


def test_json_round_trip():
    assert BID.to_json() == {"extra_support": [2, 1], "bid": False, "mode": "standard"}
    assert BID.non_defaults() == {"extra_support": [2, 1]}
    assert GameOptions.of(json.loads(json.dumps(BID.to_json()))) == BID
    assert GameOptions.of(None) == GameOptions() == GameOptions.of({}) == STANDARD and STANDARD.non_defaults() == {}
    assert GameOptions.of(BID) is BID


def test_integers_of_any_kind_are_plain_integers_afterwards():
    points = GameOptions(extra_support=np.array([3, 20])).extra_support
    assert points == (3, 20) and all(type(number) is int for number in points)


@pytest.mark.parametrize(("options", "problem"), table(Path(__file__).with_name("refused_options.txt")))
def test_options_that_cannot_be_are_refused(options, problem):
    with pytest.raises(BadOptions, match=re.escape(problem)):
        Game(1, json.loads(options))


def test_a_game_knows_its_options():
    game = Game(3, BID)
    for same in (game, game.copy(), game.redeal(0, 1), Game.from_json(game.to_json())):
        assert same.options == BID
    assert Game(3, {"extra_support": [2, 1]}) == game != Game(3)
    assert scenario().options == STANDARD


def test_every_game_of_a_batch_has_them():
    batch, player = Batch(4, 1, BID), RandomPlayer(1)
    while not batch.ended.any():
        batch.step(player.choose(batch.observations, batch.masks))
    assert all(batch.game(row).options == BID for row in range(4))


@pytest.mark.parametrize(
    ("make", "states"),
    [
        (dawn_v0.raw_env, lambda env: env._states),
        (lambda options=None: DawnSeat("communist", options=options), lambda env: env.games.states),
        (lambda options=None: DawnVectorEnv(2, options=options), lambda env: env.games.states),
    ],
)
def test_environments_take_them_when_made_and_for_games_begun_by_a_reset(make, states):
    env, other = make(options=BID), {"extra_support": (0, 3), "of another wrapper": 1}
    for given, expected in ((None, BID), (other, GameOptions((0, 3))), ({}, BID)):
        env.reset(seed=1, options=given)
        assert all(GameOptions.of_state(state) == expected for state in states(env))
    plain = make()
    plain.reset(seed=1)
    assert GameOptions.of_state(states(plain)[0]) == STANDARD


def test_games_that_follow_a_reset_have_the_options_of_the_environment():
    env, player = DawnVectorEnv(2, "democrat", options=BID), RandomPlayer(1)
    seen, infos = env.reset(seed=1, options={"extra_support": (0, 0)})
    while not env.games.ended[0]:
        seen, *_, infos = env.step(player.choose(seen, infos["action_mask"]))
    assert GameOptions.of_state(env.games.states[0]) == BID

"""The batch interface against single games."""

import numpy as np
import pytest
from batches import random_choices

from dawn_env.actions import A
from dawn_env.batch import Batch
from dawn_env.game import Game
from dawn_env.observation import F, observe
from dawn_env.state import RESULTS
from dawn_env.support.seeds import SEED_STEP, next_seed


def play_until_ended(batch):
    for _ in range(5000):
        batch.step(random_choices(batch))
        if batch.ended.any():
            return
    raise AssertionError("no game ended")


def test_shapes_and_dtypes():
    batch = Batch(3, 5)
    assert batch.observations.shape == (3, F) and batch.observations.dtype == np.int8
    assert batch.masks.shape == (3, A) and batch.masks.dtype == np.int8
    assert batch.actors.dtype == np.int8
    assert batch.rewards.shape == (3, 2) and batch.rewards.dtype == np.float32
    assert batch.ended.dtype == np.bool_
    assert batch.states["seed"].tolist() == [5, 6, 7]


def test_rows_equal_single_games_and_arrays_are_reused():
    batch = Batch(4, [11, 12, 13, 14])
    games = [Game(seed) for seed in (11, 12, 13, 14)]
    arrays = batch.observations, batch.masks
    for _ in range(60):
        actions = random_choices(batch)
        batch.step(actions)
        for row, game in enumerate(games):
            game.step(int(actions[row]))
            assert game == batch.game(row)
            assert (batch.masks[row] == game.mask).all()
            assert batch.actors[row] == game.actor
            assert (batch.observations[row] == observe(game.state, game.actor)).all()
    assert batch.observations is arrays[0] and batch.masks is arrays[1]


def test_ended_rows_restart_with_the_next_seed():
    batch = Batch(4, 1)
    play_until_ended(batch)
    row = int(np.flatnonzero(batch.ended)[0])
    assert batch.final_seed[row] == 1 + row
    assert batch.states["seed"][row] == (1 + row + SEED_STEP) % 2**63
    assert batch.game(row) == Game(int(next_seed(batch.final_seed)[row]))
    assert batch.final_result[row] != 0 and batch.final_reason[row] != 0 and batch.final_length[row] > 0
    expected = {"democrat": [1, -1], "communist": [-1, 1], "draw": [0, 0]}[RESULTS[batch.final_result[row]]]
    assert batch.rewards[row].tolist() == expected
    assert not batch.rewards[~batch.ended].any()
    batch.step(random_choices(batch))
    assert not batch.rewards[row].any()


def test_without_restart_games_stay_over():
    batch = Batch(3, 1, auto_restart=False)
    play_until_ended(batch)
    row = int(np.flatnonzero(batch.ended)[0])
    over = batch.game(row)
    assert over.over and not batch.masks[row].any() and batch.rewards[row].sum() == 0
    for side in range(2):
        assert (batch.final_observations[row, side] == observe(over.state, side)).all()
    batch.step(random_choices(batch))
    assert batch.ended[row] and batch.game(row) == over and not batch.rewards[row].any()
    with pytest.raises(ValueError, match="over"):
        batch.put(0, over)
    batch.restart(np.array([row]), np.array([77]))
    assert not batch.ended[row] and batch.game(row) == Game(77) and batch.masks[row].any()


def test_put_and_game_are_copies():
    batch, game = Batch(2, 1), Game(9)
    batch.put(1, game)
    game.step(game.legal[0])
    assert batch.game(1) == Game(9) and batch.game(1) != game
    assert (batch.masks[1] == Game(9).mask).all()
    assert batch.game(0) == Game(1)
    scripted = Game(9)
    scripted.script({})
    with pytest.raises(ValueError, match="scripted"):
        batch.put(1, scripted)


def test_seeds_from_the_system_differ():
    assert (Batch(4).states["seed"] != Batch(4).states["seed"]).any()

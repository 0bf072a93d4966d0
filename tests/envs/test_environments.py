"""The same game in every environment: batch, PettingZoo, single seat, both vector environments; and their errors."""

import hashlib
import os
from functools import partial
from unittest.mock import Mock

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ClosedEnvironmentError
from gymnasium.utils.env_checker import check_env
from paths import ROOT
from processes import python

from dawn_env import dawn_v0
from dawn_env.actions import A
from dawn_env.batch import Batch
from dawn_env.envs.seat import DawnSeat
from dawn_env.envs.vector import DawnVectorEnv
from dawn_env.errors import GameOver, IllegalAction
from dawn_env.observation import F
from dawn_env.players import RandomPlayer
from dawn_env.state import RESULTS
from dawn_env.tables import SIDE_NAMES

SEEDS = [3, 4, 5, 6]
LEARNER, RIVAL = RandomPlayer(1, "learner"), RandomPlayer(2, "rival")


def answer(player, observation, mask):
    return int(player.choose(observation[None], mask[None])[0])


def play_batch(seed, side):
    """Trace of the learner's (observation, mask, action), their reward, and VP at the end."""
    batch, trace = Batch(1, [seed], auto_restart=False), []
    while not batch.ended[0]:
        player = LEARNER if batch.actors[0] == side else RIVAL
        action = answer(player, batch.observations[0], batch.masks[0])
        if player is LEARNER:
            trace.append((batch.observations[0].tobytes(), batch.masks[0].tobytes(), action))
        batch.step_rows(np.array([0]), np.array([action]))
    return trace, float(batch.rewards[0, side]), batch.final_observations[0, side].tobytes()


def play_aec(seed, side):
    env, trace = dawn_v0.env(), []
    mine, rewards = ("democrat", "communist")[side], {}
    env.reset(seed=seed)
    for agent in env.agent_iter():
        seen, reward, ended, _, _ = env.last()
        if ended:
            rewards[agent] = (float(reward), seen["observation"].tobytes())
            env.step(None)
            continue
        action = answer(LEARNER if agent == mine else RIVAL, seen["observation"], seen["action_mask"])
        if agent == mine:
            trace.append((seen["observation"].tobytes(), seen["action_mask"].tobytes(), action))
        env.step(action)
    return (trace, *rewards[mine])


def play_seat(seed, side):
    env, trace, ended = DawnSeat(side, RIVAL), [], False
    seen, info = env.reset(seed=seed)
    while not ended:
        action = answer(LEARNER, seen, info["action_mask"])
        trace.append((seen.tobytes(), info["action_mask"].tobytes(), action))
        seen, reward, ended, _, info = env.step(action)
    return trace, reward, seen.tobytes()


def play_vector(env, seen):
    """First game of every row."""
    traces, played = [[] for _ in SEEDS], {}
    while len(played) < len(SEEDS):
        masks = env.action_masks()
        actions = LEARNER.choose(seen, masks)
        for row in range(len(SEEDS)):
            traces[row].append((seen[row].tobytes(), masks[row].tobytes(), int(actions[row])))
        seen, rewards, ended, *_, infos = env.step(actions)
        for row in np.flatnonzero(ended).tolist():
            last = infos["final_obs"][row] if isinstance(infos, dict) else infos[row]["terminal_observation"]
            played.setdefault(row, (traces[row], float(rewards[row]), last.tobytes()))
            traces[row] = []
    return [played[row] for row in range(len(SEEDS))]


@pytest.mark.parametrize("side", SIDE_NAMES)
def test_all_environments_give_the_same_games(side):
    number = SIDE_NAMES.index(side)
    expected = [play_batch(seed, number) for seed in SEEDS]
    assert [play_aec(seed, number) for seed in SEEDS] == expected
    assert [play_seat(seed, side) for seed in SEEDS] == expected
    env = DawnVectorEnv(len(SEEDS), side, [RIVAL])
    assert play_vector(env, env.reset(seed=SEEDS)[0]) == expected
    sb3 = pytest.importorskip("dawn_env.envs.sb3").DawnVecEnv(len(SEEDS), side, [RIVAL])
    sb3.seed(SEEDS[0])
    assert play_vector(sb3, sb3.reset()) == expected
    assert (np.stack(sb3.env_method("action_masks")) == sb3.action_masks()).all()


def test_drawn_sides_and_opponents_follow_from_the_seed():
    pool = [RIVAL, RandomPlayer(7, "other")]
    wide, narrow = DawnVectorEnv(16, opponents=pool), DawnVectorEnv(1, opponents=pool)
    wide.reset(seed=100)
    assert set(wide.games.sides.tolist()) == {0, 1}
    assert {wide.games.opponent(row).name for row in range(16)} == {"rival", "other"}
    for row in range(4):
        seen, infos = narrow.reset(seed=[100 + row])
        assert (seen[0] == wide.games.observations[row]).all()
        assert narrow.games.opponent(0) is wide.games.opponent(row)
        assert (DawnSeat(None, pool).reset(seed=100 + row)[0] == seen[0]).all()


def test_opponents_change_between_games_and_results_are_kept():
    env = DawnVectorEnv(8, opponents=[RIVAL])
    env.reset(seed=1)
    env.set_opponents([RandomPlayer(9, "new"), RandomPlayer(8, "never")], [1, 0])
    assert env.games.opponent(0) is RIVAL
    finished = []
    while len(finished) < 40:
        env.step(LEARNER.choose(env.games.observations, env.action_masks()))
        finished += env.games.finished
    first = {}
    for game in finished:
        first.setdefault(game.row, game.opponent)
    assert set(first.values()) == {"rival"} and {game.opponent for game in finished} == {"rival", "new"}
    results = env.results(clear=True)
    assert sum(counts["games"] for counts in results.values()) == len(finished) and not env.results()
    assert all(c["wins"] + c["draws"] + c["losses"] == c["games"] for c in results.values())


def test_infos_of_seats_are_numbers_under_the_same_keys_at_every_step():
    env, wide, ended = DawnSeat("communist", RIVAL), DawnVectorEnv(1, "communist", [RIVAL]), False
    (seen, info), (_, infos) = env.reset(seed=5), wide.reset(seed=[5])
    numbers = ("side", "vp", "result")
    while not ended:
        assert list(info) == [key for key in infos if key[0] != "_"] == ["action_mask", *numbers]
        assert all(type(info[name]) is int and infos[name].dtype == np.int64 for name in numbers)
        assert all([info[name]] == infos[name].tolist() for name in numbers) and info["result"] == 0
        action = answer(LEARNER, seen, info["action_mask"])
        (seen, _, ended, _, info), infos = env.step(action), wide.step([action])[-1]
    (game,), final = wide.games.finished, infos["final_info"]
    assert all([info[name]] == final[name].tolist() and final["_" + name].all() for name in numbers)
    assert (RESULTS[info["result"]], info["vp"], SIDE_NAMES[info["side"]]) == (game.result, game.vp, game.side)
    assert env.opponent is RIVAL and game.opponent == RIVAL.name


def test_shaping_adds_up_to_the_final_score():
    env, total, ended = DawnSeat("communist", RIVAL, shaping=0.25), 0.0, False
    seen, info = env.reset(seed=5)
    while not ended:
        seen, reward, ended, _, info = env.step(answer(LEARNER, seen, info["action_mask"]))
        total += reward
    assert total == pytest.approx(
        -0.25 * info["vp"] + {"communist": 1, "democrat": -1, "draw": 0}[RESULTS[info["result"]]]
    )


@pytest.mark.parametrize("side", [None, "communist"])
@pytest.mark.filterwarnings("error:.*:UserWarning")
def test_gymnasium_checks_the_seat(side):
    check_env(gymnasium.make("dawn_env/DawnSeat-v0", side=side, render_mode="ansi").unwrapped)


@pytest.mark.filterwarnings("ignore:.*integer.*:UserWarning")
def test_stable_baselines_checks_the_seat():
    checker = pytest.importorskip("stable_baselines3.common.env_checker")
    checker.check_env(DawnSeat("communist"))
    checker.check_env(DawnSeat("communist", render_mode="ansi"), skip_render_check=False)


def test_importing_the_package_is_enough_to_make_the_seat():
    """It loads none of the heavy packages; the game itself comes with the environment."""
    heavy = ("numba", "torch", "stable_baselines3", "pettingzoo")
    program = f"""
import sys
from collections import deque
import gymnasium
import dawn_env
assert not [name for name in {heavy} if name in sys.modules]
assert gymnasium.spec("dawn_env/DawnSeat-v0").vector_entry_point
print(gymnasium.make("dawn_env/DawnSeat-v0", side="democrat").reset(seed=1)[0].shape)
"""
    done = python("-c", program)
    assert done.stdout.strip() == f"({F},)", done.stderr
    assert gymnasium.make_vec("dawn_env/DawnSeat-v0", num_envs=3).reset(seed=1)[0].shape == (3, F)


def test_people_are_shown_the_seat_at_every_step(capsys):
    watched, text = (gymnasium.make("dawn_env/DawnSeat-v0", render_mode=mode) for mode in ("human", "ansi"))
    (seen, info), ended = text.reset(seed=20), False  # a short game
    watched.reset(seed=20)
    while not ended:
        assert capsys.readouterr().out.strip() == text.render().strip()
        action = answer(LEARNER, seen, info["action_mask"])
        watched.step(action)
        seen, _, ended, _, info = text.step(action)
    assert "Game over" in capsys.readouterr().out
    assert watched.render() is None and "Game over" in capsys.readouterr().out
    with pytest.raises(ValueError, match="^render_mode: one of human, ansi, rgb_array or None"):
        DawnSeat(render_mode="depth")


def environments():
    from dawn_env.envs.sb3 import DawnVecEnv

    return [DawnVectorEnv(3), DawnVecEnv(3)]


def test_vector_errors_move_nothing():
    pytest.importorskip("stable_baselines3")
    for env in environments():
        with pytest.raises(gymnasium.error.ResetNeeded):
            env.step(np.zeros(3, np.int64))
        env.reset()
        assert env.games.observations.shape == (3, F)
        before, seen = env.games.states.copy(), env.games.observations.copy()
        good = env.action_masks().argmax(axis=1)
        for actions, error, text in (
            (good[:2], ValueError, "shape"),
            (good.astype(float), TypeError, "integers"),
            ([-1, good[1], A], IllegalAction, r"2 of 3 rows, \[0, 2\].*row 0"),
        ):
            with pytest.raises(error, match=text):
                env.step(actions)
        assert (env.games.states == before).all() and (env.games.observations == seen).all()
        env.step(good)
        env.close()
        with pytest.raises(ClosedEnvironmentError):
            env.step(good)
        env.reset()
        env.step(env.action_masks().argmax(axis=1))


TOLD = ("action_mask", "side", "vp", "result")


def played():
    """A hash of all that a vector environment tells until games have ended, and of how they went."""
    env, digest, ended = DawnVectorEnv(2, opponents=[RIVAL, RandomPlayer(7, "other")]), hashlib.sha256(), 0
    observations, infos = env.reset(seed=[2**63 - 1, 9])
    while ended < 2:
        for told in (observations, *(infos[name] for name in TOLD)):
            digest.update(told.tobytes())
        observations, *_, infos = env.step(infos["action_mask"].argmax(axis=1))
        ended += len(env.games.finished)
        digest.update(repr(env.games.finished).encode())
    return digest.hexdigest()


def test_plain_python_plays_the_same_games():
    program = "import test_environments; print(test_environments.played())"
    plain = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(ROOT / "tests" / "support")}
    done = python("-c", program, cwd=ROOT / "tests" / "envs", env=plain)
    assert done.stdout.strip() == played(), done.stderr


def test_what_a_vector_environment_hands_out_is_the_callers():
    """What is kept stays as it was, and what is written to it reaches no game."""
    env, untouched = (DawnVectorEnv(3, opponents="heuristic", shaping=0.5) for _ in range(2))
    (observations, infos), (same, known) = (each.reset(seed=1) for each in (env, untouched))
    kept, ended = [], 0
    for _ in range(120):
        assert np.array_equal(observations, same) and all(np.array_equal(infos[name], known[name]) for name in TOLD)
        kept += [(array, array.copy()) for array in (same, *(known[name] for name in TOLD))]
        actions = known["action_mask"].argmax(axis=1)
        for array in (observations, *(infos[name] for name in TOLD)):
            array[:] = 1
        (observations, *moved, infos), (same, *others, known) = (each.step(actions) for each in (env, untouched))
        assert all(map(np.array_equal, moved, others))
        ended += moved[1].sum()
    assert ended and all(np.array_equal(array, before) for array, before in kept)


def test_arrays_that_are_not_copied_are_overwritten():
    plain, lending = (DawnVectorEnv(3, opponents=RIVAL, copy=copied) for copied in (True, False))
    (expected, known), (observations, infos) = (env.reset(seed=1) for env in (plain, lending))
    ended = 0
    for _ in range(400):
        assert np.array_equal(observations, expected) and all(np.array_equal(infos[name], known[name]) for name in TOLD)
        assert observations is lending.games.observations and infos["action_mask"] is lending.games.masks
        actions = known["action_mask"].argmax(axis=1)
        (expected, *moved, known), (observations, *others, infos) = (env.step(actions) for env in (plain, lending))
        assert all(map(np.array_equal, moved, others)) and set(infos) == set(known)
        if moved[1].any():
            ended += 1
            row = int(np.argmax(moved[1]))
            assert np.array_equal(infos["final_obs"][row], known["final_obs"][row])
            for name, fact in known["final_info"].items():
                assert np.array_equal(infos["final_info"][name], fact)
    assert ended


@pytest.mark.parametrize("error", [KeyboardInterrupt, RuntimeError])
def test_a_step_that_is_cut_short_asks_for_a_reset_and_shows_no_hand_of_the_opponent(error):
    calls = []

    def opponent(_, masks):
        calls.append(1)
        if len(calls) == 9:
            raise error
        return masks.argmax(axis=1)

    env = DawnSeat("democrat", opponent, render_mode="ansi")
    env.reset(seed=1)
    with pytest.raises(error):
        while True:
            env.step(env.action_space.sample())
    for call in (env.render, partial(env.step, env.action_space.sample())):
        with pytest.raises(gymnasium.error.ResetNeeded, match="cut short"):
            call()
    env.reset(seed=1)
    assert "Hand of the democrat" in env.render()
    env.step(env.action_space.sample())


def test_a_vector_step_that_is_cut_short_asks_for_a_reset(monkeypatch):
    env = DawnVectorEnv(3)
    env.reset(seed=1)
    monkeypatch.setattr(env.games, "_collect", Mock(side_effect=KeyboardInterrupt))  # as the games stand anyhow
    with pytest.raises(KeyboardInterrupt):
        env.step(env.action_space.sample())
    monkeypatch.undo()
    with pytest.raises(gymnasium.error.ResetNeeded, match="cut short"):
        env.step(env.action_space.sample())
    env.reset(seed=1)
    env.step(env.action_space.sample())


def test_seat_errors():
    env, ended = DawnSeat("democrat", render_mode="ansi"), False
    for call in (partial(env.step, 0), env.render):
        with pytest.raises(gymnasium.error.ResetNeeded):
            call()
    env.reset(seed=1)
    while not ended:
        _, _, ended, _, info = env.step(env.action_space.sample())
    assert not info["action_mask"].any()
    with pytest.raises(GameOver):
        env.step(0)
    env.close()
    for call in (partial(env.step, 0), env.render):
        with pytest.raises(ClosedEnvironmentError):
            call()
    env.reset()
    env.step(env.action_space.sample())

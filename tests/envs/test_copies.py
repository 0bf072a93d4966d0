"""Copies and pickles, made anew at every decision of whole games, go on exactly like a game that is never copied."""

import copy
import pickle
from functools import partial
from itertools import cycle

import pytest
from gymnasium.utils.env_checker import data_equivalence

from dawn_env import dawn_v0
from dawn_env.batch import Batch
from dawn_env.envs.seat import DawnSeat
from dawn_env.envs.vector import DawnVectorEnv
from dawn_env.players import RandomPlayer

PLAYER = RandomPlayer(1, "learner")
ROWS, STEPS = 3, 300  # of environments with many games; long enough for games to end and others to begin


WAYS = cycle([copy.deepcopy, lambda thing: pickle.loads(pickle.dumps(thing))])
same = partial(data_equivalence, exact=True)


def duplicate(thing):
    """Copy made by ``copy.deepcopy`` and by pickle, alternating from call to call."""
    return next(WAYS)(thing)


def answer(observation, mask):
    return int(PLAYER.choose(observation[None], mask[None])[0])


def told(env):
    """All that an AEC environment says."""
    names = ("agents", "agent_selection", "rewards", "terminations", "truncations", "infos", "_cumulative_rewards")
    seen = {agent: env.observe(agent) for agent in ("communist", "democrat")}
    return {name: getattr(env, name) for name in names} | {"seen": seen, "state": env.state()}


def test_aec():
    env, steps = dawn_v0.env(shaping=0.1), 0
    twin = duplicate(env)
    env.reset(seed=23)  # a short game
    twin.reset(seed=23)
    twin = duplicate(twin)
    while env.agents:
        view = env.observe(env.agent_selection)
        action = None if env.terminations[env.agent_selection] else answer(view["observation"], view["action_mask"])
        env.step(action)
        twin.step(action)
        twin = duplicate(twin)
        assert same(told(twin), told(env))
        steps += 1
    assert steps > 50
    env.reset()
    twin.reset()
    assert same(told(twin), told(env))


def test_seat():
    env = DawnSeat(None, RandomPlayer(2, "rival"), shaping=0.1)
    env.action_space.seed(4)
    twin = duplicate(env)
    for seed in (4, None, None):
        (seen, info), ended = env.reset(seed=seed), False
        assert same(twin.reset(seed=seed), (seen, info))
        while not ended:
            twin = duplicate(twin)
            assert env.action_space.sample() == twin.action_space.sample()
            action = answer(seen, info["action_mask"])
            outcome = env.step(action)
            assert same(twin.step(action), outcome)
            seen, _, ended, _, info = outcome
    assert same(twin.results(), env.results())


@pytest.mark.parametrize("name", ["random", "greedy", "heuristic", "pretrained", "search:sims=5"])
def test_a_seat_against_a_shipped_player(name):
    env = DawnSeat("democrat", name)
    seen, info = env.reset(seed=4)
    for _ in range(20):
        twin = duplicate(env)
        action = answer(seen, info["action_mask"])
        outcome = env.step(action)
        assert same(twin.step(action), outcome)
        seen, _, _, _, info = outcome


def vector():
    env = DawnVectorEnv(ROWS, None, [RandomPlayer(2, "rival"), RandomPlayer(3, "other")], [1, 2], shaping=0.1)
    env.reset(seed=4)
    return env


def stable_baselines():
    pytest.importorskip("stable_baselines3")
    from dawn_env.envs.sb3 import DawnVecEnv

    env = DawnVecEnv(ROWS, None, [RandomPlayer(2, "rival"), RandomPlayer(3, "other")], [1, 2], shaping=0.1)
    env.seed(4)
    env.reset()
    return env


@pytest.mark.parametrize("make", [vector, stable_baselines])
def test_many_seats(make):
    env = make()
    twin = duplicate(env)
    for _ in range(STEPS):
        actions = PLAYER.choose(env.games.observations, env.action_masks())
        assert same(twin.step(actions), env.step(actions))
        twin = duplicate(twin)
        assert same(twin.action_masks(), env.action_masks())
    assert sum(counts["games"] for counts in env.results().values()) > 1
    assert same(twin.results(), env.results())


@pytest.mark.parametrize("restart", [True, False])
def test_batch(restart):
    batch, finished = Batch(ROWS, 4, {"extra_support": (1, 2)}, auto_restart=restart), 0
    twin = duplicate(batch)
    for _ in range(3 * STEPS):
        actions = PLAYER.choose(batch.observations, batch.masks)
        batch.step(actions)
        twin.step(actions)
        twin = duplicate(twin)
        assert same(vars(twin) | {"_team": batch._team}, vars(batch)), "but for the helpers, of whom each has its own"
        finished += batch.ended.sum()
    assert finished > 1

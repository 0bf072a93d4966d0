"""The PettingZoo environment."""

import importlib
import warnings

import numpy as np
import pettingzoo
import pytest
from gymnasium.error import ResetNeeded
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test
from pettingzoo.utils import turn_based_aec_to_parallel
from scenario import scenario

from dawn_env import dawn_bid_v0, dawn_v0
from dawn_env.game import Game
from dawn_env.observation import F, observe
from dawn_env.state import DECISIONS


def play(env, generator, most=10**6):
    """Random play; the rewards each agent was told, the agents that acted, and the decisions taken."""
    told, actors, decisions = dict.fromkeys(env.possible_agents, 0.0), [], 0
    while env.agents:
        agent = env.agent_selection
        observation, reward, ended, truncated, _ = env.last()
        told[agent] += reward
        assert not truncated
        if decisions == most:
            break
        action = None if ended else generator.choice(np.flatnonzero(observation["action_mask"]))
        decisions += not ended
        actors.append(agent)
        env.step(action)
    return told, actors, decisions


def started(seed=3, decisions=0, **options):
    env = dawn_v0.raw_env(**options)
    env.reset(seed=seed)
    play(env, np.random.default_rng(seed), decisions)
    return env


@pytest.mark.filterwarnings("ignore")
def test_api():
    api_test(dawn_v0.env(), num_cycles=1000)
    api_test(dawn_v0.raw_env(shaping=0.05, options={"extra_support": (1, 0)}), num_cycles=300)
    seed_test(dawn_v0.env, num_cycles=500)


@pytest.mark.filterwarnings("ignore")
def test_pettingzoos_conversion_to_a_parallel_environment():
    parallel_api_test(turn_based_aec_to_parallel(dawn_v0.env()), num_cycles=100)
    parallel_seed_test(lambda: turn_based_aec_to_parallel(dawn_v0.env()), num_cycles=100)


@pytest.mark.parametrize("options", [{}, {"bid": True}])
def test_masks_may_be_in_the_infos(options):
    """For wrappers that refuse dictionaries, as those of SuperSuit do."""
    env, usual = dawn_v0.env(mask_in_infos=True, options=options), dawn_v0.env(options=options)
    api_test(env, num_cycles=100)
    for each in (env, usual):
        each.reset(seed=3)
    for _ in range(60):
        (view, *_, info), (seen, *_, told) = env.last(), usual.last()
        assert (view == seen["observation"]).all() and (info.pop("action_mask") == seen["action_mask"]).all()
        assert view in env.observation_space(env.agent_selection) and info == told
        for each in (env, usual):
            each.step(int(np.flatnonzero(seen["action_mask"])[-1]))


def test_seeds():
    one, other = started(5), started(5)
    assert (one._states == other._states).all() and Game(5) == Game.from_state(one._states[0])
    one.reset()
    other.reset()
    assert (one._states == other._states).all() and one._states["seed"][0] != 5
    first, second = dawn_v0.raw_env(seed=8), dawn_v0.raw_env()
    first.reset()
    second.reset()
    assert first._states["seed"][0] == 8 != second._states["seed"][0]


def test_games_end_by_themselves_and_pay_out():
    """There is no limit of cycles (and no parallel_env) that PettingZoo's max_cycles_test could set."""
    for seed in range(5):
        env = started(seed)
        told, actors, decisions = play(env, np.random.default_rng(seed))
        assert env.agents == [] and 10 < decisions < 5000
        assert told["democrat"] == -told["communist"] and abs(told["democrat"]) in (0, 1)
        assert set(actors[-2:]) == set(env.possible_agents)
    assert not hasattr(dawn_v0, "parallel_env") and not env.metadata["is_parallelizable"]


def test_observations_belong_to_the_agent():
    env = started(decisions=40)
    agent = env.agent_selection
    other = next(name for name in env.agents if name != agent)
    side = ["democrat", "communist"].index(agent)
    seen = env.observe(agent)
    assert (seen["observation"] == observe(env._states[0], side)).all()
    assert (seen["action_mask"] == Game.from_state(env._states[0]).mask).all()
    theirs = env.observe(other)
    assert (theirs["observation"] == observe(env._states[0], 1 - side)).all() and not theirs["action_mask"].any()
    seen["observation"][:] = 99
    assert (env.observe(agent)["observation"] != 99).any()
    assert env.observation_space(agent).contains(env.observe(agent))
    assert env.state().shape == (2 * F,) and env.state_space.contains(env.state())


@pytest.mark.parametrize("options, agents", [({}, "communist or democrat"), ({"bid": True}, "player_0 or player_1")])
def test_unknown_agents_have_no_observation(options, agents):
    with pytest.raises(ValueError, match=f"^agent: {agents} expected, not 'democrats'$"):
        started(options=options).observe("democrats")


def test_infos_are_numbers_under_the_same_keys_at_every_step():
    env, generator = started(7), np.random.default_rng(7)  # a short game
    while env.agents:
        game = Game.from_state(env._states[0])
        for agent in env.agents:
            info = env.infos[agent]
            assert {key: type(value) for key, value in info.items()} == {"decision": int, "vp": int}
            assert info["vp"] == game.vp
        assert DECISIONS[env.infos[env.agent_selection]["decision"]] == game.decision
        done = env.terminations[env.agent_selection]
        env.step(None if done else generator.choice(np.flatnonzero(env._legal)))


POLAND = {"Warszawa": (0, 1), "Lodz": (0, 1)}


@pytest.mark.parametrize(
    "game, decision, shown",
    [
        (lambda: scenario("D: 1 21", {"Poznan": (2, 0)}, in_play=[13], stasi_card=1), "cancel-with-home", "use"),
        (lambda: scenario("C: 20 / D: 4 7 22 34").take("event"), "give-card", "none"),
        (lambda: scenario("D: 44 / C: 1 20", POLAND, turn=4).take("event", "country:Poland"), "cancel-check", "none"),
    ],
)
def test_infos_do_not_tell_the_other_side_of_decisions_that_hidden_cards_bring_about(game, decision, shown):
    env, game = started(), game()
    env._states[0] = game.state
    env._show()
    for side, agent in enumerate(("democrat", "communist")):
        expected = decision if side == game.actor else shown
        assert game.decision == decision and DECISIONS[env.infos[agent]["decision"]] == expected


def test_shaping_is_zero_sum_and_adds_up():
    env = started(6, shaping=0.1)
    generator, totals, vp = np.random.default_rng(6), {"democrat": 0.0, "communist": 0.0}, 0
    while not any(env.terminations.values()):
        env.step(generator.choice(np.flatnonzero(env._legal)))
        assert env.rewards["democrat"] == -env.rewards["communist"]
        totals = {agent: totals[agent] + env.rewards[agent] for agent in totals}
        vp = env.infos["democrat"]["vp"]
    result = {"democrat": 1, "communist": -1, "draw": 0}[Game.from_state(env._states[0]).result]
    assert totals["democrat"] == pytest.approx(0.1 * vp + result)


def test_render():
    env = started(decisions=60, render_mode="ansi")
    text = env.render()
    game = Game.from_state(env._states[0])
    assert f"Decision of the {env.agent_selection}: {game.decision}" in text
    assert all(action in text for action in game.legal)
    assert all(name in text for name in ("Leipzig", "Warszawa", "Praha", "Sofia", "Romania", "USSR", "Tiananmen"))
    play(env, np.random.default_rng(0))
    assert "Game over" in env.render()
    with pytest.raises(ValueError, match="^render_mode: one of human, ansi, rgb_array or None expected, not 'depth'"):
        dawn_v0.raw_env(render_mode="depth")
    silent = started()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert silent.render() is None


def test_people_are_shown_every_step(capsys):
    watched, text = dawn_v0.env(render_mode="human"), dawn_v0.env(render_mode="ansi")
    generator = np.random.default_rng(7)
    watched.reset(seed=7)  # a short game
    text.reset(seed=7)
    while not any(text.terminations.values()):
        assert capsys.readouterr().out.strip() == text.render().strip()
        action = generator.choice(np.flatnonzero(text.observe(text.agent_selection)["action_mask"]))
        watched.step(action)
        text.step(action)
    assert "Game over" in capsys.readouterr().out
    watched.step(None)
    assert not capsys.readouterr().out and watched.render() is None and "Game over" in capsys.readouterr().out
    assert watched.metadata["render_modes"] == ["human", "ansi", "rgb_array"]


@pytest.mark.parametrize("module", [dawn_v0, dawn_bid_v0])
def test_a_pettingzoo_without_registry_will_do(module, monkeypatch):
    monkeypatch.delattr(pettingzoo, "aec_registry", raising=False)
    monkeypatch.delattr(pettingzoo, "register", raising=False)
    assert importlib.reload(module).env().possible_agents


@pytest.mark.skipif(not hasattr(pettingzoo, "aec_registry"), reason="this PettingZoo has no registry")
def test_metadata_tell_the_two_environments_apart():
    assert dawn_v0.env().metadata["name"] == "dawn_v0" and dawn_v0.env().metadata["render_fps"] == 1
    for bids in (dawn_bid_v0.env(), dawn_v0.env(options={"bid": True})):
        assert bids.metadata["name"] == bids.unwrapped.metadata["name"] == "dawn_bid_v0"


def test_registry():
    assert {dawn_v0.ENV_ID, dawn_bid_v0.ENV_ID} <= set(pettingzoo.aec_registry)
    pettingzoo.make("aec", dawn_v0.ENV_ID, render_mode="ansi").close()


@pytest.mark.parametrize(
    "call",
    [lambda env: env.step(0), lambda env: env.observe("democrat"), lambda env: env.state(), lambda env: env.render()],
)
def test_the_environment_without_wrappers_wants_a_reset_first(call):
    with pytest.raises(ResetNeeded, match="^reset the environment"):
        call(dawn_v0.raw_env(render_mode="ansi"))

"""The hidden cards in the infos are those of the game, and never anywhere else."""

import numpy as np
import pytest

from dawn_env import dawn_v0
from dawn_env.envs.vector import DawnVectorEnv
from dawn_env.observation import SLICES
from dawn_env.observation.privileged_view import (
    PRIVILEGED_SIZE,
    PRIVILEGED_SLICES,
    privileged_view,
)
from dawn_env.state import Zone

CARDS = ("my_hand", "their_hand", "draw_pile", "set_aside", "drawn")


def test_the_vector_environment_shows_both_hands_and_the_draw_pile():
    env = DawnVectorEnv(16, opponents=["random"], privileged=True)
    plain = DawnVectorEnv(16, opponents=["random"])
    (seen, infos), (plain_seen, plain_infos) = env.reset(seed=3), plain.reset(seed=3)
    for _ in range(200):
        hidden = infos["privileged"]
        assert hidden.shape == (16, PRIVILEGED_SIZE) and hidden.dtype == np.int8
        assert set(infos) - set(plain_infos) == {"privileged", "_privileged"} and (seen == plain_seen).all()
        part = {name: hidden[:, place] for name, place in PRIVILEGED_SLICES.items()}
        assert (part["my_hand"] == seen[:, SLICES["my_hand"]]).all()
        assert (part["their_hand"].sum(1) == seen[:, SLICES["their_hand_size"]][:, 0]).all()
        assert (part["draw_pile"].sum(1) == seen[:, SLICES["draw_pile_size"]][:, 0]).all()
        assert (part["my_power_hand"].sum(1) == seen[:, SLICES["power_hand_size"]][:, 0]).all()
        assert (sum(part[name] for name in CARDS) <= 1).all()
        actions = infos["action_mask"].argmax(1)
        seen, _, _, _, infos = env.step(actions)
        plain_seen, _, _, _, plain_infos = plain.step(actions)
    states = env.games.states
    assert (infos["privileged"][:, PRIVILEGED_SLICES["draw_pile"]] == (states["where"][:, 1:] == Zone.DRAW_PILE)).all()


def test_pettingzoo_shows_it_to_both_agents_from_their_own_side():
    env = dawn_v0.env(privileged=True)
    env.reset(seed=5)
    democrat, communist = (env.infos[name]["privileged"] for name in ("democrat", "communist"))
    mine, theirs = PRIVILEGED_SLICES["my_hand"], PRIVILEGED_SLICES["their_hand"]
    assert democrat.shape == (PRIVILEGED_SIZE,) and democrat[mine].any() and (democrat[mine] == communist[theirs]).all()
    assert (democrat[theirs] == communist[mine]).all() and len(env.state()) == 2 * len(
        env.observe("democrat")["observation"]
    )
    plain = dawn_v0.env()
    plain.reset(seed=5)
    assert "privileged" not in plain.infos["democrat"]


def test_stable_baselines_has_it_in_every_info():
    pytest.importorskip("stable_baselines3")
    from dawn_env.envs.sb3 import DawnVecEnv

    env = DawnVecEnv(4, privileged=True)
    env.seed(1)
    env.reset()
    expected = privileged_view(env.games.states, env.games.sides)
    assert (np.stack([info["privileged"] for info in env.reset_infos]) == expected).all()
    done = False
    while not done:
        _, _, dones, infos = env.step(env.action_masks().argmax(1))
        done = dones.any()
    assert all(info["privileged"].shape == (PRIVILEGED_SIZE,) for info in infos)
    (episode, *_) = (info["episode"] for info in infos if "episode" in info)
    assert episode["l"] > 0 and episode["r"] in (-1.0, 0.0, 1.0) and "t" in episode


@pytest.mark.parametrize("options", [{"mode": "family"}, {"bid": True}])
def test_other_games_have_it_too(options):
    env = DawnVectorEnv(4, opponents=["random"], options=options, privileged=True)
    _, infos = env.reset(seed=1)
    hand = env.games.layout.slices["my_hand"]
    held = 0
    for _ in range(100):
        seen, _, _, _, infos = env.step(infos["action_mask"].argmax(1))
        mine = infos["privileged"][:, PRIVILEGED_SLICES["my_hand"]]
        assert (mine == seen[:, hand]).all()
        held += int(mine.sum())
    assert held

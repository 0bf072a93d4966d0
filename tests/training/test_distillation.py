"""Distillation of the search: targets on positions, and what networks learn from them."""

import os
import sys
from dataclasses import replace

import numpy as np
import pytest
import torch
from dawn_agents.players.network_player import NetworkPlayer
from dawn_agents.players.networks.inference import one_torch_thread
from dawn_agents.players.networks.policy_networks import NetworkOptions, build_network
from dawn_agents.players.registry import make_player
from dawn_agents.training.action_labels import Labeller
from dawn_agents.training.distillation import distil, label_games, likely, losses
from dawn_agents.training.network_trainer import Trainer
from dawn_agents.training.teacher_games import Role, Rollouts
from dawn_agents.training.training_config import Distillation
from scenario import scenario

from dawn_env.actions import A, action_id
from dawn_env.observation import SLICES, F
from dawn_env.tables import COMMUNIST, DEMOCRAT, SIDE_LETTERS, SIDE_NAMES

SMALL = NetworkOptions(width=16, depth=1, space_width=4, card_width=4, advice=True)
QUICK = Distillation(games=3, rounds=2, keep=0.15, deals=1, plays=1, epochs=2, batch_size=64)
MORE = replace(QUICK, games=6)
METRICS = {"improvement", "points", "changed_actions", "divergence", "stray", "value_loss"}


@pytest.fixture(autouse=True)
def one_thread():
    torch.set_num_threads(1)


def networks():
    torch.manual_seed(3)
    return {side: build_network(SMALL) for side in SIDE_NAMES}


def weights(network):
    return torch.cat([values.flatten() for values in network.parameters()])


def students():
    return [NetworkPlayer("student", network.eval(), 1, sample=True) for network in networks().values()]


@pytest.fixture(scope="module")
def targets():
    return label_games(students(), MORE, 5)


def test_candidates_are_the_likeliest_actions():
    probabilities = np.zeros((2, A))
    probabilities[0, [4, 9, 7]] = 0.5, 0.4999, 0.0001
    probabilities[1, [1, 2, 3, 4]] = 0.1, 0.2, 0.3, 0.4
    candidates, prior = likely(probabilities, Distillation(candidates=3, least=0.01))
    assert candidates.tolist() == [[4, 9, -1], [4, 3, 2]]
    assert prior[0].tolist() == pytest.approx([0.5001, 0.4999, 0], abs=1e-4)
    assert prior[1].tolist() == pytest.approx([4 / 9, 3 / 9, 2 / 9])


def test_targets_hold_what_was_found(targets):
    for side, known in enumerate(targets):
        assert len(known["masks"]) > 50 and (known["observations"][:, SLICES["side"].start] == side).all()
        legal = np.unpackbits(known["masks"], axis=1, count=A)
        candidates, values = known["candidates"], known["values"]
        there = candidates >= 0
        assert there[:, :2].all() and (np.take_along_axis(legal, candidates.clip(0), 1)[there] == 1).all()
        assert known["prior"].sum(1) == pytest.approx(1) and (np.abs(values) <= 1).all()
        assert (values[~there] == 0).all() and values[there].std() > 0.1


def test_a_victory_is_seen_from_either_side():
    for side, vp, card in ((DEMOCRAT, 19, 33), (COMMUNIST, -19, 51)):
        letter = SIDE_LETTERS[side]
        state = scenario(f"{letter}: {card} 22 23", vp=vp, turn=5, round=7, phasing=letter, stop=False).state
        wins, waits = action_id(f"card:{card}"), action_id("card:23")
        candidates = np.array([[wins, waits, -1]])
        with Labeller(Distillation(plays=1, deals=4), threads=1) as labeller:
            values = labeller.label(np.array([state]), side, candidates, np.array([1]))()["values"]
        assert values[0, 0] > 0.9 > values[0, 1] and values[0, 2] == 0


@pytest.mark.skipif(sys.platform != "linux", reason="threads share their priority")
def test_threads_that_simulate_give_way_to_the_one_that_hands_out_positions():
    before = os.getpriority(os.PRIO_PROCESS, 0)
    with Labeller(Distillation(plays=1, deals=1), threads=1) as labeller:
        theirs = labeller._pool.submit(os.getpriority, os.PRIO_PROCESS, 0).result()
    assert theirs == min(before + 10, 19) and os.getpriority(os.PRIO_PROCESS, 0) == before


def test_torch_has_its_threads_again_after_positions_were_collected():
    torch.set_num_threads(2)
    with pytest.raises(ZeroDivisionError), one_torch_thread():
        assert torch.get_num_threads() == 1
        raise ZeroDivisionError
    assert torch.get_num_threads() == 2


def test_rows_rest_once_no_game_is_left_for_them():
    rollouts = Rollouts(4, make_player("heuristic", 1), students(), 0.5, 0.3, 7)
    resting: dict[int, np.void] = {}
    while rollouts.ended < 4:
        ended = rollouts.step(np.full(4, -1))
        for row in np.flatnonzero(rollouts.numbers >= 4).tolist():
            resting.setdefault(row, rollouts.batch.states[row].copy())
        assert len(resting) == rollouts.ended >= ended
        assert all(rollouts.batch.states[row] == state for row, state in resting.items())
    assert not rollouts.turns(*Role).any() and (np.abs(rollouts.outcomes).sum(1) != 1).all()


def test_a_network_moves_towards_what_ends_better(targets):
    for name, known in zip(SIDE_NAMES, targets, strict=True):
        options = Distillation(epochs=60, batch_size=64, learning_rate=1e-2, temperature=0.005)
        trainer = Trainer(networks()[name], options, losses(options))
        metrics = trainer.learn(known, seed=1)
        values = known["values"]
        best = (values.max(1, where=known["candidates"] >= 0, initial=-1) - values[:, 0]).mean()
        assert set(metrics) == METRICS
        assert (
            0.2 * best < metrics["improvement"] <= best
            and metrics["stray"] < 0.02
            and metrics["changed_actions"] > 0.05
        )


def test_a_high_temperature_keeps_a_network_where_it_was():
    known = {
        "observations": np.zeros((1, F), np.int8), "masks": np.full((1, (A + 7) // 8), 255, np.uint8),
        "candidates": np.array([[3, 4]], np.int16), "prior": np.array([[0.9, 0.1]], np.float32),
        "values": np.array([[0.0, 0.5]], np.float32), "points": np.zeros((1, 2), np.float32),
    }  # fmt: skip
    probabilities = {}
    for temperature in (0.05, 50.0):
        torch.manual_seed(0)
        options = Distillation(epochs=500, batch_size=2, learning_rate=5e-3, temperature=temperature)
        trainer = Trainer(build_network(NetworkOptions("sparse", width=16)), options, losses(options))
        probabilities[temperature] = 1 - trainer.learn(known, seed=1)["improvement"] / 0.5
    assert probabilities[50.0] == pytest.approx(0.9, abs=0.03) and probabilities[0.05] < 0.05


def test_any_number_of_threads_finds_the_same(targets):
    torch.set_num_threads(3)
    for known, again in zip(targets, label_games(students(), MORE, 5), strict=True):
        assert all((values == again[name]).all() for name, values in known.items())


def test_both_networks_learn():
    learnt = networks()
    assert set(distil(learnt, QUICK, 5)) == {f"{side}/{name}" for side in SIDE_NAMES for name in METRICS}
    assert not any(torch.equal(weights(learnt[side]), weights(network)) for side, network in networks().items())


def test_ctrl_c_does_not_wait_for_the_end_of_the_learning(monkeypatch):
    steps, step = [], Trainer._step
    monkeypatch.setattr(Trainer, "_step", lambda trainer, *arguments: steps.append(1) or step(trainer, *arguments))
    with pytest.raises(KeyboardInterrupt):
        distil(networks(), QUICK, 5, lambda: len(steps) == 3)
    assert len(steps) == 3

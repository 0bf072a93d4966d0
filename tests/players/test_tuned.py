"""The corrected rule-based player: tables compiled as they were learnt, its strength, and what cannot be learnt so."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from dawn_agents.heuristic.score_offsets import NONE, Corrections, correct, learnt
from dawn_agents.match import Pairing, play_games
from dawn_agents.networks.advice_networks import CorrectingNetwork, corrections_of, split_advice
from dawn_agents.networks.inference import network_inputs
from dawn_agents.networks.policy_file import PolicyInfo, save_policy
from dawn_agents.networks.policy_networks import NetworkOptions, build_network
from dawn_agents.registry import make_player
from dawn_agents.search import action_labels
from dawn_agents.training.distillation import Distiller
from dawn_agents.training.training_config import Distillation
from numba import njit

from dawn_env.actions import A
from dawn_env.batch import Batch
from dawn_env.observation.view_layouts import FAMILY_LAYOUT, STANDARD_LAYOUT
from dawn_env.tables import SIDE_NAMES
from dawn_env.validation.settings_sections import ConfigError
from scripts.laboratory import export_tuned

OPTIONS = NetworkOptions(kind="corrections", advice=True)


def networks(seed=0):
    """By side, with tables of small random numbers."""
    torch.manual_seed(seed)
    found = {side: build_network(OPTIONS) for side in SIDE_NAMES}
    for network in found.values():
        for table in (network.by_kind, network.by_source, network.by_space):
            torch.nn.init.normal_(table, std=0.3)
    return found


def positions():
    """A batch in the middle of games of the rule-based player."""
    batch, player = Batch(64, 3), make_player("heuristic")
    for step in range(260):
        batch.step(player.choose(batch.observations, batch.masks))
        if step > 200 and step % 20 == 0:
            yield batch


@njit
def added(o, mask, scores, corrections):
    correct(o, mask, scores, corrections)


def test_compiled_tables_add_what_the_network_adds():
    nets = networks()
    corrections, seen = corrections_of(nets), set()
    for batch in positions():
        for row in range(batch.count):
            network, scores = nets[SIDE_NAMES[batch.actors[row]]], np.zeros(A, np.float32)
            added(batch.observations[row], batch.masks[row], scores, corrections)
            inputs = torch.from_numpy(network_inputs(True, batch.observations[[row]], batch.masks[[row]]))
            opinions, _ = split_advice(inputs, STANDARD_LAYOUT)
            with torch.no_grad():
                logits = network(inputs)[0] / network.advice.log_trust.exp() - opinions
            legal = batch.masks[row] != 0
            assert scores[legal] == pytest.approx(logits[0].numpy()[legal], abs=1e-4)
            assert (scores[~legal] == 0).all()
            seen.add(int(batch.states["decision"][row]))
    assert len(seen) > 8, "many kinds of decisions"


def test_without_corrections_it_is_the_rule_based_player(monkeypatch):
    nothing = Corrections(*(np.zeros((2, *table.shape[1:]), np.float32) for table in NONE))
    monkeypatch.setattr("dawn_agents.players.tuned_player.learnt", lambda: nothing)
    tuned, heuristic = make_player("tuned"), make_player("heuristic")
    for batch in positions():
        assert (
            tuned.choose(batch.observations, batch.masks) == heuristic.choose(batch.observations, batch.masks)
        ).all()


def test_in_family_mode_it_is_the_rule_based_player():
    batch = Batch(20, 3, {"mode": "family"})
    tuned, heuristic = make_player("tuned"), make_player("heuristic")
    for _ in range(60):
        actions = tuned.choose(batch.observations, batch.masks)
        assert (actions == heuristic.choose(batch.observations, batch.masks)).all()
        batch.step(actions)


@pytest.mark.parametrize("side", SIDE_NAMES)
def test_it_is_stronger_than_the_rule_based_player(side):
    players = {name: make_player("tuned" if name == side else "heuristic") for name in SIDE_NAMES}
    won = [outcome.result == side for _, outcome in play_games([Pairing(seed, **players) for seed in range(200)])]
    assert np.mean(won) > 0.6


def test_a_search_is_guided_by_it():
    one, two = make_player("search:sims=16"), make_player("search:sims=16,guide=heuristic")
    assert one.version != two.version
    assert len(one._method._scratch.corrections.by_kind) == 2 and len(two._method._scratch.corrections.by_kind) == 0


def test_what_was_learnt_comes_from_two_policies(tmp_path):
    nets = networks(4)
    for side, network in nets.items():
        save_policy(tmp_path / f"{side}.zip", network, PolicyInfo(side, OPTIONS))
    export_tuned.main([str(tmp_path), "--to", str(tmp_path / "found.npz")])
    with np.load(tmp_path / "found.npz") as found:
        for name, table in corrections_of(nets)._asdict().items():
            assert (found[name] == table).all()
    assert [table.shape for table in learnt()] == [table.shape for table in corrections_of(nets)]


def test_students_go_on_in_the_simulations_of_their_own_rounds(tmp_path, monkeypatch):
    nets, guides, make = {side: build_network(OPTIONS) for side in SIDE_NAMES}, [], action_labels.Simulator
    monkeypatch.setattr(action_labels, "Simulator", lambda plays, found: guides.append(found) or make(plays, found))
    options = Distillation(
        games=2, rounds=2, keep=0.1, deals=1, plays=1, epochs=2, batch_size=64, learning_rate=0.02, guide="students"
    )
    Distiller(nets, options, 5, tmp_path).run(threads=1)
    first, second = guides
    last = corrections_of(nets)
    assert not any(table.any() for table in first), "who has learnt nothing goes on as the rule-based player"
    assert all(table.any() and (table != later).any() for table, later in zip(second, last, strict=True))


def test_other_networks_cannot_be_compiled(tmp_path):
    small = NetworkOptions(width=16, depth=1, space_width=4, card_width=4, advice=True)
    nets = {side: build_network(small) for side in SIDE_NAMES}
    with pytest.raises(ConfigError, match=r'guide: students: networks of kind "corrections" expected'):
        Distiller(nets, Distillation(games=1, guide="students"), 1, tmp_path).run(threads=1)
    with pytest.raises(ValueError, match="for the standard game only, not the family game"):
        CorrectingNetwork(FAMILY_LAYOUT)
    assert replace(OPTIONS, advice=False).problems() == ["advice: true expected where the kind is corrections"]
    assert any("guide" in problem for problem in Distillation(guide="nobody").problems())

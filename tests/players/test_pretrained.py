"""Networks of kind sparse: compiled they are those that torch learns, need no torch, and take part everywhere."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from batches import batches
from dawn_agents.players.choosing import Choosing
from dawn_agents.players.networks.inference import ask
from dawn_agents.players.networks.network_options import NetworkOptions
from dawn_agents.players.networks.policy_file import load_policy, save_policy
from dawn_agents.players.networks.policy_metadata import PolicyFileError, PolicyInfo, read_sparse_policy, write_policy
from dawn_agents.players.networks.policy_networks import build_network
from dawn_agents.players.networks.sparse_weights import compiled_weights
from dawn_agents.players.registry import files_of, make_player
from dawn_agents.players.search.rollout_policy import RolloutPolicy
from dawn_agents.players.sparse_player import PRETRAINED, PretrainedPlayer, SparsePlayer, SparseWeights
from processes import python

from dawn_env.batch import Batch
from dawn_env.observation.view_layouts import FAMILY_LAYOUT
from dawn_env.players import plays_as_compiled
from dawn_env.tables import SIDE_NAMES

OPTIONS = NetworkOptions("sparse", width=24, advice=True)


def networks(options=OPTIONS):
    torch.manual_seed(0)
    found = [build_network(options) for _ in SIDE_NAMES]
    for network in found:
        for weights in (network.direct.weight, network.action_head.weight, network.action_head.bias):
            torch.nn.init.normal_(weights, std=0.2)
    return found


def saved(folder, nets, options=OPTIONS):
    for side, network in zip(SIDE_NAMES, nets, strict=True):
        save_policy(folder / f"{side}.zip", network, PolicyInfo(side, network=options))
    return folder


def positions():
    return batches(64, 3, make_player("heuristic"), 260, after=101, every=10)


def logits_of(nets, batch):
    logits = np.zeros(batch.masks.shape, np.float32)
    for side, network in enumerate(nets):
        rows = batch.actors == side
        with torch.inference_mode():
            logits[rows] = ask(network, batch.observations[rows], batch.masks[rows])[0].numpy()
    return logits


@pytest.mark.parametrize(
    "options", [OPTIONS, replace(OPTIONS, width=16), replace(OPTIONS, advice=False, dtype="float16")]
)
def test_compiled_logits_are_those_of_torch(tmp_path, options):
    player = PretrainedPlayer("pretrained", 0, Choosing(), saved(tmp_path, networks(options), options))
    nets = [load_policy(tmp_path / f"{side}.zip")[0] for side in SIDE_NAMES]
    decisions = set()
    for batch in positions():
        expected = logits_of(nets, batch)
        found = player.logits(batch.observations, batch.masks)
        legal = batch.masks != 0
        assert found[legal] == pytest.approx(expected[legal], abs=1e-4)
        assert (found[~legal] == -np.inf).all()
        best = player.choose(batch.observations, batch.masks)
        assert (np.take_along_axis(expected, best[:, None], 1)[:, 0] >= expected.max(1) - 1e-4).all()
        decisions |= set(batch.states["decision"].tolist())
    assert len(decisions) > 8, "many kinds of decisions"


def test_what_a_search_has_seen_before_changes_nothing():
    player, guide = make_player("pretrained"), RolloutPolicy("pretrained")
    for batch in positions():
        logits = player.logits(batch.observations, batch.masks)
        for row in range(0, batch.count, 9):
            seen, legal = (batch.observations[row], batch.masks[row]), batch.masks[row] != 0
            scores = guide.scores(*seen)[legal]
            assert scores == pytest.approx(logits[row, legal], abs=1e-3)
            assert (scores == RolloutPolicy("pretrained").scores(*seen)[legal]).all()


def test_draws_follow_the_probabilities_of_the_network(tmp_path):
    folder, batch = saved(tmp_path, networks()), next(positions())
    logits = logits_of([load_policy(folder / f"{side}.zip")[0] for side in SIDE_NAMES], batch).astype(np.float64)
    probabilities = np.exp((logits - logits.max(1, keepdims=True)) / 0.5)
    probabilities /= probabilities.sum(1, keepdims=True)
    counts, rows = np.zeros_like(probabilities), np.arange(batch.count)
    choosing = Choosing(sample=True, temperature=0.5)
    weights = PretrainedPlayer("pretrained", 0, choosing, folder).networks
    for seed in range(400):
        player = SparsePlayer("pretrained", seed, choosing, weights)
        actions = player.choose(batch.observations, batch.masks)
        assert batch.masks[rows, actions].all()
        counts[rows, actions] += 1
    spread = np.sqrt(probabilities * (1 - probabilities) / 400) + 1e-3
    assert (np.abs(counts / 400 - probabilities) < 6 * spread).all()
    assert (player.choose(batch.observations, batch.masks) == actions).all(), "the same view, the same draw"


def test_policies_of_both_sides_play_by_the_name_of_their_folder(tmp_path, monkeypatch):
    folder, batch = saved(tmp_path, networks()), next(positions())
    seen = batch.observations, batch.masks
    greedy, sampled = make_player(f"sparse:{folder}"), make_player(f"sparse:sample,{folder}")
    assert (greedy.choose(*seen) == PretrainedPlayer("x", 0, Choosing(), folder).choose(*seen)).all()
    assert (sampled.choose(*seen) == PretrainedPlayer("x", 0, Choosing(sample=True), folder).choose(*seen)).all()
    assert plays_as_compiled(sampled) and sampled.name == f"sparse:sample=true,{folder}"
    with pytest.raises(PolicyFileError, match="democrat.zip"):
        make_player(f"sparse:{tmp_path / 'none'}")
    monkeypatch.chdir(tmp_path.parent)
    needed = {Path(tmp_path.name, f"{side}.zip") for side in ("communist", "democrat")}
    assert needed <= set(files_of([f"sparse:{tmp_path.name}"])), "other machines are sent them"


def test_in_family_mode_it_is_the_rule_based_player():
    batch = Batch(20, 3, {"mode": "family"})
    player, heuristic = make_player("pretrained"), make_player("heuristic")
    for _ in range(60):
        actions = player.choose(batch.observations, batch.masks)
        assert (actions == heuristic.choose(batch.observations, batch.masks)).all()
        batch.step(actions)


WITHOUT_TORCH = """
import sys
sys.modules["torch"] = None
from dawn_agents.tournaments.match import Pairing, play_games
from dawn_agents.players.registry import make_player
player = make_player("pretrained:sample=true")
(_, outcome), = play_games([Pairing(3, player, make_player("pretrained"))])
print(outcome.result)
"""


def test_it_needs_no_torch():
    assert python("-c", WITHOUT_TORCH, check=True).stdout.strip() in SIDE_NAMES


def test_shipped_files_say_how_they_were_made():
    for side in SIDE_NAMES:
        info, _ = read_sparse_policy(PRETRAINED / f"{side}.zip")
        assert info.side == side and {"seed", "commit"} <= set(info.training)


def test_networks_of_family_mode_play_nothing_else():
    options = NetworkOptions("sparse", width=16)
    network = build_network(options, FAMILY_LAYOUT)
    named = {name: value.numpy() for name, value in network.state_dict().items()}
    weights = SparseWeights(compiled_weights(named, options, FAMILY_LAYOUT), options, FAMILY_LAYOUT)
    player, batch = SparsePlayer("family", 0, Choosing(), {0: weights, 1: weights}), Batch(8, 1, {"mode": "family"})
    best = player.choose(batch.observations, batch.masks)
    logits = ask(network, batch.observations, batch.masks)[0].detach().numpy()
    assert (logits[range(8), best] >= logits.max(1) - 1e-4).all()
    standard = Batch(1, 1)
    with pytest.raises(ValueError, match="networks of the family game cannot play this one"):
        player.choose(standard.observations, standard.masks)


def test_files_that_do_not_fit_are_refused(tmp_path):
    saved(tmp_path, networks())
    path = tmp_path / "democrat.zip"
    write_policy(path, PolicyInfo("democrat", network=replace(OPTIONS, width=32)), [np.zeros(25)])
    with pytest.raises(PolicyFileError, match="100 bytes of weights, not .* as its options say"):
        read_sparse_policy(path)
    network = networks()[0]
    torch.nn.init.constant_(network.first.bias, float("nan"))
    with pytest.raises(ValueError, match="too large for float32"):
        save_policy(path, network, PolicyInfo("democrat", network=OPTIONS))
    network = build_network(replace(OPTIONS, advice=True))
    torch.nn.init.constant_(network.log_trust, 200.0)
    save_policy(path, network, PolicyInfo("democrat", network=replace(OPTIONS, advice=True)))
    with pytest.raises(PolicyFileError, match="weights: log_trust 200 is too large"):
        read_sparse_policy(path)
    plain = NetworkOptions(width=8, depth=0, space_width=4, card_width=4)
    save_policy(path, build_network(plain), PolicyInfo("democrat", network=plain))
    with pytest.raises(PolicyFileError, match="a network of kind sparse expected, not map"):
        read_sparse_policy(path)

"""Policy files and the players that read them."""

import json
import os
import zipfile
from dataclasses import replace

import numpy as np
import pytest
import torch
from batches import batches
from dawn_agents.players.network_player import NetworkPlayer
from dawn_agents.players.networks.policy_file import load_policy, save_policy
from dawn_agents.players.networks.policy_metadata import PolicyFileError, PolicyInfo
from dawn_agents.players.networks.policy_networks import NetworkOptions, build_network
from dawn_agents.players.policy_player import PolicyPlayer
from dawn_agents.players.registry import make_player
from zip_parts import parts_of, write_parts

from dawn_env.errors import PlayerFailure
from dawn_env.observation import SLICES
from dawn_env.players import RandomPlayer

SMALL = NetworkOptions(width=16, depth=1, space_width=4, card_width=4)
ADVISED = replace(SMALL, advice=True)


@pytest.fixture(scope="module")
def positions():
    """Observations and masks of 2048 decisions from all over random games."""
    known = batches(64, 7, RandomPlayer(3), 32 * 13, every=13)
    kept = [(batch.observations.copy(), batch.masks.copy()) for batch in known]
    observations, masks = (np.concatenate(part) for part in zip(*kept, strict=True))
    return observations, masks


@pytest.fixture
def policy_path(tmp_path):
    torch.manual_seed(0)
    path = tmp_path / "communist.zip"
    info = PolicyInfo("communist", network=ADVISED, ratings={"random": {"games": 3}})
    save_policy(path, build_network(ADVISED), info)
    return path


@pytest.mark.parametrize("kind", ["map", "sparse"])
def test_illegal_actions_have_no_chance(positions, kind):
    observations, masks = positions
    torch.manual_seed(1)
    network = build_network(replace(SMALL, kind=kind))
    with torch.inference_mode():
        for weights in network.parameters():
            weights.mul_(8)  # logits far apart, so that illegal ones would be drawn
    for sample in (False, True):
        player = NetworkPlayer("p", network, 5, sample)
        assert masks[np.arange(len(masks)), player.choose(observations, masks)].all()
    assert not player.probabilities(observations, masks)[masks == 0].any()


def test_sampling_depends_on_view_and_seed_only(positions):
    observations, masks = positions
    network = build_network(SMALL)
    one, other = (NetworkPlayer("p", network, seed, sample=True) for seed in (1, 2))
    answers = one.choose(observations, masks)
    assert (answers[100:300] == one.choose(observations[100:300], masks[100:300])).mean() > 0.99  # rounding of sums
    assert (answers != other.choose(observations, masks)).any()
    assert one.choose(observations[:0], masks[:0]).tolist() == []


def test_sampling_follows_the_probabilities(positions):
    player = NetworkPlayer("p", build_network(SMALL), 0, sample=True)
    probabilities = np.array([0.5, 0.0, 0.2, 0.3])
    drawn = np.bincount(player.draw(np.tile(probabilities, (2048, 1)), positions[0]), minlength=4) / 2048
    assert abs(drawn - probabilities).max() < 0.05 and drawn[1] == 0


def test_temperature_sharpens_the_probabilities(positions, policy_path):
    observations, masks = positions
    network = build_network(SMALL)
    cold, warm = (NetworkPlayer("p", network, 0, True, heat).probabilities(observations, masks) for heat in (0.01, 1))
    greedy = NetworkPlayer("p", network).choose(observations, masks)
    gains = (cold - warm)[np.arange(len(masks)), greedy]
    assert gains.min() > -1e-9 and gains.mean() > 0.01
    player = make_player(f"policy:sample=true,temperature=0.5,{policy_path}")
    assert player.options == {"path": str(policy_path), "sample": True, "temperature": 0.5}
    assert make_player("pretrained").options == {"sample": False}
    for one, other in (("pretrained:sample", "pretrained:sample=true"),
                       (f"policy:greedy,{policy_path}", f"policy:{policy_path}")):  # fmt: skip
        assert make_player(one).options == make_player(other).options
    assert make_player("pretrained:sample,temperature=0.5").options == {"sample": True, "temperature": 0.5}


def test_network_tells_spaces_and_cards_apart(positions):
    observations, _ = positions
    torch.manual_seed(0)
    network = build_network(NetworkOptions())
    changed = observations[:1].copy()
    changed[0, SLICES["their_support"].start + 5] += 3
    with torch.inference_mode():
        before, after = network(torch.from_numpy(observations[:1]))[0], network(torch.from_numpy(changed))[0]
    assert before.shape == (1, 234)
    assert (before[0, :75] - after[0, :75]).abs().argmax() == 5


def test_file_keeps_the_answers_and_the_facts(positions, policy_path):
    observations, masks = positions
    network, info = load_policy(policy_path)
    assert info == PolicyInfo("communist", network=ADVISED, ratings={"random": {"games": 3}})
    player = make_player(f"policy:{policy_path}")
    mine = observations[:, SLICES["side"].start] == 1
    expected = NetworkPlayer("p", network).choose(observations[mine], masks[mine])
    assert (player.choose(observations[mine], masks[mine]) == expected).all()


def test_a_policy_of_the_other_side_fails(positions, policy_path):
    observations, masks = positions
    player = make_player(f"policy:sample=true,{policy_path}")
    assert player.options["sample"] is True and isinstance(player, PolicyPlayer)
    with pytest.raises(PlayerFailure, match="trained as the communist and cannot play the democrat"):
        player.choose(observations, masks)


def metadata(change):
    def damage(path):
        parts = parts_of(path)
        known = json.loads(parts["policy.json"])
        change(known)
        write_parts(path, parts | {"policy.json": json.dumps(known)})

    return damage


def part(name, data):
    return lambda path: write_parts(path, parts_of(path) | {name: data}, zipfile.ZIP_DEFLATED)


CHANGES = [
    (lambda m: m.update(advice_version=0), "advice version 0, but this version of the game has"),
    (lambda m: m.update(observation_version=99), "observation version 99, but this version of the game has"),
    (
        lambda m: m["observation_parts"].update(vp="0", morale="1") or m["observation_parts"].pop("turn"),
        "other observation parts than this version of the game has: 'morale', 'turn', 'vp'",
    ),
    (lambda m: m.update(observation_parts=3), "other observation parts .*'acting'"),
    (lambda m: m.update(side="left"), "side: 'democrat' or 'communist' expected, not 'left'"),
    (lambda m: m["network"].update(width=17), "damaged policy file"),
    (lambda m: m.pop("network"), "damaged policy file"),
    (lambda m: m["network"].update(width="16"), "network.width: a valid integer expected"),
    (lambda m: m.update(format={}), "format {}, but"),
    (lambda m: m.update(format=True), "format True, but"),
    (lambda m: m.update(format=1.0), "format 1.0, but"),
    (lambda m: m.update(observation_version=float(m["observation_version"])), "observation version .*.0, but"),
]
DAMAGES = [
    (part("policy.json", b"[1]"), "policy.json holds .1., not an object"),
    (part("policy.json", b"[" * 9999 + b"]" * 9999), "more than 64 objects"),
    (part("policy.json", bytes(2**25)), "policy.json would take 33,554,432 bytes"),
    (part("weights.bin", bytes(100)), "damaged policy file: 100 bytes of weights"),
    (lambda path: part("weights.bin", b"\xff" * len(parts_of(path)["weights.bin"]))(path), "finite numbers expected"),
    (lambda path: path.write_bytes(path.read_bytes()[:500]), "not a policy file"),
    (lambda path: path.unlink(), "no such policy file"),
    (lambda path: (path.unlink(), path.mkdir()), "a folder, not a file"),
    (lambda path: write_parts(path, {"data": "{}"}), "not a policy file .a zip.*; needed is a file"),
    (lambda path: write_parts(path, {"data": "", "_stable_baselines3_version": ""}), "a model of Stable-Baselines3"),
]
DAMAGES += [(metadata(change), words) for change, words in CHANGES]
if hasattr(os, "mkfifo"):  # not on Windows
    DAMAGES.append((lambda path: (path.unlink(), os.mkfifo(path)), "a pipe or a device, not a file"))


@pytest.mark.parametrize(("damage", "words"), DAMAGES)
def test_a_file_that_cannot_be_used_is_refused(policy_path, damage, words):
    """With a message of one line."""
    damage(policy_path)
    with pytest.raises(PolicyFileError, match=f"communist.zip: .*{words}") as caught:
        load_policy(policy_path)
    assert str(caught.value).isprintable()


def test_answers_that_are_no_numbers_forfeit(positions):
    observations, masks = positions
    network = build_network(SMALL)
    with torch.no_grad():
        for weights in network.parameters():
            weights.fill_(3e38)
    with pytest.raises(PlayerFailure, match="p: its weights are so large"):
        NetworkPlayer("p", network).choose(observations[:8], masks[:8])


def test_a_fresh_network_that_takes_advice_plays_like_its_adviser(positions):
    observations, masks = positions
    torch.manual_seed(4)
    network = build_network(ADVISED)
    advised = NetworkPlayer("fresh", network).choose(observations, masks)
    adviser = make_player("heuristic").choose(observations, masks)
    assert masks[np.arange(len(masks)), advised].all()
    assert (advised == adviser).mean() > 0.9


def test_another_policy_under_the_same_name_has_another_version(policy_path):
    before = make_player(f"policy:{policy_path}").version
    save_policy(policy_path, build_network(SMALL), PolicyInfo("communist", network=SMALL))
    assert make_player(f"policy:{policy_path}").version != before

"""Policies trained on version 1 of the observation: their weights go where version 2 says the same."""

import io
import json
import zipfile

import numpy as np
import torch
from dawn_agents.networks import earlier
from dawn_agents.networks.earlier import SIZE_1, SPACE_PLANES, translate
from dawn_agents.networks.network import NetworkOptions, build_network
from dawn_agents.networks.policy_file import PolicyInfo, load_policy, save_policy

from dawn_env.game import Game
from dawn_env.observation import SLICES, F, observe

OPTIONS = {kind: NetworkOptions(kind, 8, 1, 4, 4, advice) for kind, advice in (("map", True), ("mlp", False))}


def version_1(observation: np.ndarray) -> np.ndarray:
    """The vector of version 1 for one of version 2, as far as both say the same."""
    seen = {name: observation[place] for name, place in SLICES.items()}
    said = {}
    for new, old in earlier._SAID_BY.items():  # two of them share a number of version 1, never both at once
        said[old] = said.get(old, 0) + seen[new]
    sizes = earlier._PARTS_1
    return np.concatenate([seen.get(name, said.get(name, np.zeros(size))) for name, size in sizes.items()])


def test_a_first_layer_sees_what_it_saw():
    options = OPTIONS["mlp"]
    state = build_network(options).state_dict()
    state["trunk.first.weight"] = torch.rand(8, SIZE_1, generator=torch.Generator().manual_seed(1))
    moved, rng, game = translate(state, options)["trunk.first.weight"], np.random.default_rng(2), Game(5)
    assert moved.shape == (8, F)
    for _ in range(150):
        now = observe(game.state, game.actor).copy()
        for name in ("scope", "bonus_declared", "event_to_come", "operations_to_come"):
            now[SLICES[name]] = 0  # new
        before = state["trunk.first.weight"] @ torch.from_numpy(version_1(now)).float()
        assert torch.allclose(moved @ torch.from_numpy(now).float(), before, atol=1e-3)
        game.step(int(rng.choice(np.flatnonzero(game.state.legal))))


def map_of_version_1(options: NetworkOptions) -> dict[str, torch.Tensor]:
    """Weights of a fresh network, its first layers as wide as version 1 was; the columns of planes are numbered."""
    state = build_network(options).state_dict()
    planes = len(earlier._SPACES_1) + 1
    of_spaces = 75 * (len(earlier._SPACES_1) - len(SPACE_PLANES))  # planes of spaces go through tokens alone
    columns = state["trunk.first.weight"].shape[1] + SIZE_1 - F - of_spaces
    state["trunk.first.weight"] = torch.rand(options.width, columns)
    state["spaces.seen.weight"] = torch.arange(1, 2 * planes + 1).float().repeat(options.space_width, 1)
    return state


def test_planes_of_spaces_keep_their_weights():
    before = [*earlier._SPACES_1, "opinion"]
    seen = translate(map_of_version_1(OPTIONS["map"]), OPTIONS["map"])["spaces.seen.weight"][0].tolist()
    now = [*SPACE_PLANES, "opinion"]
    here, near = seen[: len(now)], seen[len(now) :]
    for place, name in enumerate(now):
        number = before.index(name) + 1 if name in before else 0
        assert here[place] == number and near[place] == (number + len(before) if number else 0), name


def test_a_policy_file_of_version_1_is_read(tmp_path):
    path, options = tmp_path / "policy.zip", OPTIONS["map"]
    network = build_network(options)
    save_policy(path, network, PolicyInfo("democrat", options))
    with zipfile.ZipFile(path) as archive:
        metadata = json.loads(archive.read("policy.json"))
    metadata.pop("observation_parts")
    metadata |= {"observation_version": 1, "observation_size": SIZE_1}
    weights = io.BytesIO()
    torch.save(map_of_version_1(options), weights)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("policy.json", json.dumps(metadata))
        archive.writestr("weights.pt", weights.getvalue())
    loaded, info = load_policy(path)
    assert info.side == "democrat" and loaded.trunk.first.weight.shape == network.trunk.first.weight.shape
    save_policy(path, loaded, info)
    assert torch.equal(load_policy(path)[0].trunk.first.weight, loaded.trunk.first.weight)

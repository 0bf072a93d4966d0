"""Policy files."""

import json
import zipfile
from functools import partial
from pathlib import Path
from random import Random

import torch
from dawn_agents.players.networks.policy_file import save_policy
from dawn_agents.players.networks.policy_metadata import PolicyFileError, PolicyInfo
from dawn_agents.players.networks.policy_networks import NetworkOptions, build_network
from dawn_agents.players.policy_player import PolicyPlayer
from zip_parts import parts_of, write_parts

from dawn_env.actions import A
from dawn_env.errors import PlayerFailure
from dawn_env.observation import SLICES, observe
from dawn_env.options import STANDARD
from fuzzing.games import random_subject
from fuzzing.mutation import mutate_bytes, mutate_json
from fuzzing.target import BrokenRule, Mutant, Target

_METADATA, _WEIGHTS = "policy.json", "weights.bin"
_KINDS = ("map", "sparse")
_BOMB = bytes(2**26)  # packed in some kilobytes


def mutant(random: Random, folder: Path) -> Mutant:
    kind = random.choice(_KINDS)
    path = folder / "policy.zip"
    options = NetworkOptions(kind=kind, width=8, depth=1, space_width=4, card_width=4, advice=random.random() < 0.3)
    torch.manual_seed(random.randrange(2**31))
    save_policy(path, build_network(options), PolicyInfo(random.choice(("democrat", "communist")), network=options))
    random.choice((_as_a_whole, _metadata, _metadata, _weights, _weights, _members))(random, path)
    read = partial(PolicyPlayer, "policy", 1, PolicyPlayer.Options(str(path), sample=random.random() < 0.5))
    return Mutant(read, partial(_answer, random), path)


def _answer(random: Random, player: PolicyPlayer) -> None:
    """Every answer must be legal; that a network with huge weights gives none is a clear error."""
    for _ in range(4):
        state = random_subject(random, kinds=[STANDARD]).game.state
        seen, mask = observe(state, state.actor), state.legal[:A]
        if seen[SLICES["side"].start] != player._side:
            continue
        try:
            (action,) = player.choose(seen[None], mask[None])
        except PlayerFailure:
            return
        if not mask[action]:
            raise BrokenRule(f"the policy chose {action}, which is not legal")


def _as_a_whole(random: Random, path: Path) -> None:
    path.write_bytes(mutate_bytes(random, path.read_bytes()))


def _metadata(random: Random, path: Path) -> None:
    parts = parts_of(path)
    write_parts(path, parts | {_METADATA: mutate_json(random, json.loads(parts[_METADATA]))})


def _weights(random: Random, path: Path) -> None:
    parts = parts_of(path)
    write_parts(path, parts | {_WEIGHTS: mutate_bytes(random, parts[_WEIGHTS])})


def _members(random: Random, path: Path) -> None:
    parts, name = parts_of(path), random.choice((_METADATA, _WEIGHTS))
    change = random.choice(({}, dict(zip(parts, reversed(parts.values()), strict=True)), {name: _BOMB}, {name: b""}))
    write_parts(path, parts | change if change else {name: parts[name]}, zipfile.ZIP_DEFLATED)


TARGET = Target("policies", mutant, (PolicyFileError,), 1_000)

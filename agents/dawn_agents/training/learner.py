"""Learner interface: the policy of one side and its training. The loop trains any of them."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, Self

from torch import nn

from dawn_agents.networks.policy_file import save_policy
from dawn_agents.networks.policy_metadata import PolicyInfo, PolicyMetadata
from dawn_agents.networks.policy_networks import NetworkOptions
from dawn_agents.players.network_player import NetworkPlayer
from dawn_agents.specification import check_class, load, parse_options, split
from dawn_agents.training.training_config import Config
from dawn_env.envs.seat_games import LearnerGames
from dawn_env.players import Player

LEARNERS = {
    "maskable-ppo": ("dawn_agents.training.maskable_ppo", "MaskablePpo"),
    "sparse-ppo": ("dawn_agents.training.sparse_ppo", "SparsePpo"),
}
"""Module and class of each learner with a name; others are ``module:Class``."""


class Policy(Protocol):
    """Policy of a side."""

    def player(self, name: str, seed: int = 0, sample: bool = False) -> Player:
        """Make a player of it: with ``sample`` actions are drawn by their probabilities, so that games vary;
        otherwise it plays as well as it can. That of a learner's policy goes on getting better with it."""
        ...

    def save(self, path: Path, facts: PolicyMetadata) -> None:
        """Write it to a file, in full or not at all."""
        ...


class TrainablePolicy(ABC):
    """A policy that is a network: runs can go on from its files, and warm starts teach it as a network of torch."""

    options: NetworkOptions

    @abstractmethod
    def take_weights(self, other: Self) -> None:
        """Go on from another policy of the same shape."""

    @abstractmethod
    def trainable(self) -> nn.Module:
        """A network of torch with its weights."""

    @abstractmethod
    def adopt(self, network: nn.Module) -> None:
        """Go on from what a network of ``trainable`` has learnt."""


class Learner(ABC):
    """Learns to play one side in games against opponents that the loop sets.

    ``games``: these games; the loop draws their opponents and reads their results. ``decisions``: taken so far by the
    side that learns. Everything random follows from the seed of ``begin``, Python's, numpy's and torch's generators,
    which the loop seeds and saves.
    """

    @dataclass(frozen=True)
    class Options:
        """Options that ``[run] learner`` may set behind its name, as in specifications of players."""

    def __init__(self, side: str, config: Config, options: Any = None, games: LearnerGames | None = None):
        """``options``: an instance of ``Options``; ``games`` are as the settings say unless they are given."""
        self.side, self.config, self.options = side, config, options
        settings, threads = config.games, config.run.threads
        self.games = games or LearnerGames(
            settings.at_once, side, options=settings.options, shaping=settings.shaping, threads=threads
        )
        self.decisions = 0

    @property
    @abstractmethod
    def policy(self) -> Policy:
        """Current policy."""

    @abstractmethod
    def load(self, path: Path) -> tuple[Policy, PolicyMetadata]:
        """A policy that one of its kind has saved, which stays as it is; raises ``ValueError`` for other files."""

    def begin(self, seed: int) -> None:
        """Start all games."""
        self.games.reset(seed)

    @abstractmethod
    def iterate(self, number: int, remaining: float) -> dict[str, float]:
        """Play some decisions in every game, count them in ``decisions``, and learn from them.

        ``number``: of the iteration, from 1 on; ``remaining``: share of the run to come. Returns figures for people.
        """

    def candidates(self, past: Sequence[Policy]) -> list[Policy]:
        """Policies of which the best is kept at the end; ``past``: those frozen during the run that are in the pool."""
        return [self.policy]

    @abstractmethod
    def state(self) -> dict[str, Any]:
        """State for ``restore`` without the games: plain values, numpy arrays and tensors."""

    @abstractmethod
    def restore(self, state: Mapping[str, Any]) -> None:
        """Go on exactly from ``state``, after ``begin``; the games are as they were then. Raises ``ValueError``."""


def make_learner(specification: str, side: str, config: Config) -> Learner:
    """The learner that a specification names; raises ``BadSpec``."""
    name, text = split("learner", LEARNERS, specification)
    learner = load("learner", LEARNERS, name)
    check_class("learner", name, learner, Learner)
    return learner(side, config, parse_options(name, learner.Options, text))


@dataclass(frozen=True)
class NetworkPolicy(TrainablePolicy):
    """A network of torch with the settings it was built from."""

    network: nn.Module
    options: NetworkOptions

    def player(self, name: str, seed: int = 0, sample: bool = False) -> NetworkPlayer:
        """Player of this network (``learner.Policy``)."""
        return NetworkPlayer(name, self.network.eval(), seed, sample)

    def save(self, path: Path, facts: PolicyMetadata) -> None:
        """A policy file."""
        save_policy(path, self.network, PolicyInfo(**vars(facts) | {"network": self.options}))

    def take_weights(self, other: "NetworkPolicy") -> None:
        """Copy the weights of another policy."""
        self.network.load_state_dict(other.network.state_dict())

    def trainable(self) -> nn.Module:
        """The network itself."""
        return self.network

    def adopt(self, network: nn.Module) -> None:
        """Nothing: the network itself has learnt."""

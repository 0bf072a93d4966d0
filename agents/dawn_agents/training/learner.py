"""Learner interface: policies and their training. The loop trains any of them."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Protocol, Self

from torch import nn

from dawn_agents.players.network_player import NetworkPlayer
from dawn_agents.players.networks.policy_file import save_policy
from dawn_agents.players.networks.policy_metadata import PolicyInfo, PolicyMetadata
from dawn_agents.players.networks.policy_networks import NetworkOptions
from dawn_agents.players.specification import check_class, load, parse_options, split
from dawn_agents.training.training_config import Config
from dawn_env.envs.seat_games import LearnerGames
from dawn_env.players import Player
from dawn_env.tables import SIDE_NAMES

LEARNERS = {
    "afterstate": ("dawn_agents.training.afterstate_learner", "AfterstateLearner"),
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
    """Learns to play one side or both.

    ``sides``: those it learns to play. ``games``: its games, whose opponents the loop draws and whose results it reads;
    None for one that only plays against itself. ``decisions``: taken so far by the sides that learn. Everything random
    follows from the seed of ``begin``, Python's, numpy's and torch's generators, which the loop seeds and saves.
    """

    @dataclass(frozen=True)
    class Options:
        """Options that ``[run] learner`` may set behind its name, as in specifications of players."""

    latest_is_best: ClassVar[bool] = False
    """Whether the latest policies are kept, rather than those that did best in matches."""
    can_sample: ClassVar[bool] = True
    """Whether its policies have probabilities to draw actions by."""
    player: ClassVar[str] = ""
    """Name under which players are made of its policies' files (``registry``); empty where there is none."""
    sides: tuple[str, ...] = SIDE_NAMES
    games: LearnerGames | None = None

    def __init__(self, config: Config, options: Any = None):
        """``options``: an instance of ``Options``."""
        self.config, self.options, self.decisions = config, options, 0

    @property
    @abstractmethod
    def policies(self) -> Mapping[str, Policy]:
        """Current policies by side."""

    @abstractmethod
    def load(self, path: Path) -> tuple[Policy, PolicyMetadata]:
        """A policy that one of its kind has saved, which stays as it is; raises ``ValueError`` for other files."""

    @abstractmethod
    def begin(self, seed: int) -> None:
        """Start all games."""

    @abstractmethod
    def iterate(self, number: int, remaining: float) -> dict[str, float]:
        """Play some decisions in every game, count them in ``decisions``, and learn from them.

        ``number``: of the iteration, from 1 on; ``remaining``: share of the run to come. Returns figures for people.
        """

    def candidates(self, past: Sequence[Policy]) -> list[Policy]:
        """Policies of its side of which the best is kept at the end; ``past``: those frozen during the run that are in
        the pool. Not asked where the latest is best."""
        return []

    @abstractmethod
    def state(self) -> dict[str, Any]:
        """State for ``restore`` without ``games``: plain values, numpy arrays and tensors."""

    @abstractmethod
    def restore(self, state: Mapping[str, Any]) -> None:
        """Go on exactly from ``state``, after ``begin``; the games are as they were then. Raises ``ValueError``."""


class SideLearner(Learner):
    """Learns to play one side in games against opponents that the loop sets."""

    def __init__(self, side: str, config: Config, options: Any = None, games: LearnerGames | None = None):
        """``options``: an instance of ``Options``; ``games`` are as the settings say unless they are given."""
        super().__init__(config, options)
        self.side, self.sides = side, (side,)
        settings, threads = config.games, config.run.threads
        self.games: LearnerGames = games or LearnerGames(
            settings.at_once, side, options=settings.options, shaping=settings.shaping, threads=threads
        )

    @property
    @abstractmethod
    def policy(self) -> Policy:
        """Current policy."""

    @property
    def policies(self) -> Mapping[str, Policy]:
        """The current policy by its side."""
        return {self.side: self.policy}

    def begin(self, seed: int) -> None:
        """Start all games."""
        self.games.reset(seed)

    def candidates(self, past: Sequence[Policy]) -> list[Policy]:
        """The current policy."""
        return [self.policy]


def make_learners(specification: str, config: Config) -> dict[str, Learner]:
    """By side, the learners that a specification names; one that learns both sides occurs twice. Raises ``BadSpec``."""
    name, text = split("learner", LEARNERS, specification)
    learner = load("learner", LEARNERS, name)
    check_class("learner", name, learner, Learner)
    options = parse_options(name, learner.Options, text)
    if issubclass(learner, SideLearner):
        return {side: learner(side, config, options) for side in SIDE_NAMES}
    return dict.fromkeys(SIDE_NAMES, learner(config, options))


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

"""Learners: one interface for the training loop, the suite and learners of other libraries."""

import inspect
import zlib
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Protocol

from dawn_agents.players.networks.policy_metadata import PolicyMetadata
from dawn_agents.players.specification import check_class, load, split
from dawn_agents.training.environments import TRACKS, Environments
from dawn_agents.training.trained_policies import TrainedPolicy
from dawn_agents.training.training_config import Config
from dawn_env.envs.seat_games import LearnerGames
from dawn_env.errors import BadInput
from dawn_env.observation.view_layouts import layout_of_sides
from dawn_env.players import Player
from dawn_env.tables import SIDE_NAMES

LEARNERS = {
    "afterstate": ("dawn_agents.training.afterstate_learner", "AfterstateLearner"),
    "distillation": ("dawn_agents.training.distillation_learner", "DistillationLearner"),
    "maskable-ppo": ("dawn_agents.training.maskable_ppo", "MaskablePpo"),
    "sparse-ppo": ("dawn_agents.training.sparse_ppo", "SparsePpo"),
}
"""Module and class of each learner of the project; others are ``module:Class``."""
EXPLOITERS = "sparse-ppo", "afterstate"
"""Learners offered by ``dawn exploit``, the default first."""
RECIPES = {
    "asymmetric_ppo": "docs.examples.asymmetric_ppo:Agent",
    "best_response": "docs.examples.league_ppo:BestResponse",
    "cleanrl_learner": "docs.examples.cleanrl_learner:Ppo",
    "imitation": "docs.examples.imitation:Agent",
    "league_ppo": "docs.examples.league_ppo:Agent",
    "league_ppo_family": "docs.examples.league_ppo:Family",
    "league_ppo_scratch": "docs.examples.league_ppo:Scratch",
    "maskable_ppo": "docs.examples.maskable_ppo:Agent",
    "masked_dqn": "docs.examples.masked_dqn:Agent",
    "mirror_descent": "docs.examples.mirror_descent:Agent",
    "selfplay_ppo": "docs.examples.selfplay_ppo:Agent",
    "value_response": "docs.examples.value_response:Agent",
}
"""Learners in ``docs/examples`` by short names; they are found where this folder is in the working directory."""


class Policy(Protocol):
    """Policy of a side."""

    def player(self, name: str, seed: int = 0, sample: bool = False) -> Player:
        """Make a player of it: with ``sample`` actions are drawn by their probabilities, so that games vary;
        otherwise it plays as well as it can. That of a learner's policy goes on getting better with it."""
        ...

    def save(self, path: Path, facts: PolicyMetadata) -> None:
        """Write it to a file, in full or not at all."""
        ...


class Learner(ABC):
    """Learns to play both sides.

    ``environments``: makes its games, which count, and knows how much of the budget is left. ``track``: one of
    ``environments.TRACKS``. ``sides``: those it learns to play. ``done``: True once it has learnt all it can, which
    ends a run. Everything random follows from the seed of ``begin`` and from Python's, numpy's and torch's generators,
    which those who call it seed and save.
    """

    @dataclass(frozen=True)
    class Options:
        """Options of the learner, written after its name as in specifications of players."""

    track: str = TRACKS[0]
    sides: tuple[str, ...] = SIDE_NAMES
    done: bool = False
    model_based: ClassVar[bool] = False
    """Whether it tries actions on copies of the engine while it learns."""
    plays_on_ray: ClassVar[bool] = False
    """Whether ``[run] executor = "ray"`` has a meaning for it."""
    settings: ClassVar[Mapping[str, Any]] = {}
    """Tables of settings (``training_config``) that it learns with where none are given."""
    has_networks: ClassVar[bool] = False
    """Whether its policies may be networks (``network_policies.TrainablePolicy``), which ``[run] start`` and warm
    starts give weights to."""
    starts_from_files: ClassVar[bool] = False
    """Whether ``[run] start`` initialises the learner by ``start_from``; those with ``has_networks`` do not need it."""
    latest_is_best: ClassVar[bool] = False
    """Whether the latest policies are kept, rather than those that did best in matches."""
    can_sample: bool = True
    """Whether its policies have probabilities to draw actions by."""

    def __init__(self, environments: Environments, config: Config, options: Any = None):
        """``options``: an instance of ``Options``."""
        self.environments, self.config, self.options = environments, config, options

    @abstractmethod
    def begin(self, seed: int) -> None:
        """Make networks and environments, and start all games."""

    @abstractmethod
    def iterate(self, number: int, remaining: float) -> Mapping[str, float]:
        """Play some decisions in the environments and learn from them; returns metrics for people.

        ``number``: of the iteration, from 1 on; ``remaining``: share of the run to come.
        """

    @abstractmethod
    def player(self) -> Any:
        """Current player: a ``Policy`` for each side by its name; or, for both, a ``torch.nn.Module`` that makes logits
        [K, A] of float32 observations [K, F] and bool masks [K, A], a model of Stable-Baselines3, or, in the suite
        only, the specification of a player."""

    @abstractmethod
    def state(self) -> dict[str, Any]:
        """State for ``restore``: plain values, numpy arrays and tensors; ``environments.state()`` are the games."""

    @abstractmethod
    def restore(self, state: Mapping[str, Any]) -> None:
        """Go on exactly from ``state``, after ``begin``. Raises ``ValueError``."""

    @property
    def policies(self) -> Mapping[str, Policy]:
        """Current policies by side."""
        player = self.player()
        if isinstance(player, Mapping):
            return player
        return dict.fromkeys(self.sides, TrainedPolicy.of(player, layout_of_sides(self.environments.options)))

    def close(self) -> None:
        """End processes that it has started; no more is learnt."""
        self.done = True

    def load(self, path: Path) -> tuple[Policy, PolicyMetadata]:
        """A policy that one of its kind has saved, which stays as it is; raises ``ValueError`` for other files."""
        return TrainedPolicy.load(path)

    def start_from(self, side: str, start: Any) -> None:
        """Initialise the weights of a side from ``start``, a policy returned by ``load``; called before ``begin``.

        Raises ``ConfigError`` if its shape differs.
        """
        raise NotImplementedError

    def candidates(self) -> list[Mapping[str, Policy]]:
        """Policies of its sides of which the best are kept at the end. Not asked where the latest is best."""
        return [self.policies]

    def specification(self, path: Path) -> str:
        """Player of a policy's file, or of a folder with ``SIDE.zip`` for both sides; empty where there is none."""
        return "" if path.is_dir() else TrainedPolicy.load(path)[0].specification


class SideLearner(ABC):
    """Learns to play one side in ``games`` against opponents that a league sets (``league.League``), or others.

    ``environments``: makes its games. Everything random follows as for ``Learner``.
    """

    Options = Learner.Options
    settings: ClassVar[Mapping[str, Any]] = {}
    """Tables of settings that it learns with where none are given."""

    def __init__(
        self,
        side: str,
        environments: Environments,
        config: Config,
        options: Any = None,
        games: LearnerGames | None = None,
    ):
        """``options``: an instance of ``Options``; ``games`` are as the settings say unless they are given."""
        self.side, self.environments, self.config, self.options = side, environments, config, options
        settings, threads = config.games, config.run.threads
        self.games: LearnerGames = games or environments.make(
            settings.at_once, kind="games", side=side, shaping=settings.shaping, threads=threads
        )

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
        """Collect one rollout and update the policy; return metrics (``Learner.iterate``)."""

    def candidates(self, past: Sequence[Policy]) -> list[Policy]:
        """Policies of which the best is kept at the end; ``past``: those frozen during the run that are in the pool."""
        return [self.policy]

    def specification(self, path: Path) -> str:
        """Player of a policy's file, or of a folder with those of both sides; empty where there is none."""
        return ""

    @abstractmethod
    def state(self) -> dict[str, Any]:
        """State for ``restore`` without ``games``: plain values, numpy arrays and tensors."""

    @abstractmethod
    def restore(self, state: Mapping[str, Any]) -> None:
        """Go on exactly from ``state``, after ``begin``; the games are as they were then. Raises ``ValueError``."""


def purpose_seed(seed: int, *purpose: str) -> int:
    """A seed for one purpose of a run of a ``seed``."""
    return zlib.crc32(" ".join([str(seed), *purpose]).encode()) << 24


def full_name(learner: str | type) -> str:
    """Full specification of a learner, given as a specification, a name of ``RECIPES``, or a class.

    Raises ``BadSpec`` that names those there are, and ``BadInput`` for a recipe outside a clone of the repository.
    """
    if inspect.isclass(learner):
        return f"{learner.__module__}:{learner.__qualname__}"
    split("learner", LEARNERS | dict.fromkeys(RECIPES, ("", "")), learner)
    if learner in RECIPES and not Path("docs", "examples").is_dir():
        raise BadInput(f"learner {learner}: recipes are in docs/examples of the repository; run this in a clone of it")
    return RECIPES.get(learner, learner)


def learner_class(specification: str) -> type:
    """Class of a learner, derived from ``Learner`` or ``SideLearner``; raises ``BadSpec`` and ``BadInput``."""
    name, _ = split("learner", LEARNERS, full_name(specification))
    found = load("learner", LEARNERS, name)
    side = isinstance(found, type) and issubclass(found, SideLearner)
    check_class("learner", name, found, SideLearner if side else Learner)
    return found

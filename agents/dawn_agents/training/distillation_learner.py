"""The learner of the name ``distillation``: policies that learn to choose what looking ahead finds better.

The policies play against each other, and in some games against ``heuristic``. In a share of the positions each likely
action is judged by simulations and by values of positions (``action_labels``), and the policy moves towards the
reference policy times exp(judgement). The reference are the policies as they were at the start of the run, so that
errors of the judgement do not add up, or as they were some iterations ago (``reference_every``). Every position
teaches once or a few times and is forgotten, so a run may be as long as one likes.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from dawn_agents.players.network_player import drawn_actions
from dawn_agents.players.networks.policy_metadata import PolicyMetadata
from dawn_agents.players.networks.policy_networks import build_network
from dawn_agents.players.networks.sparse_weights import compiled_shape
from dawn_agents.players.registry import make_player
from dawn_agents.training.action_labels import Labeller
from dawn_agents.training.distillation import check_values, likely, losses, start_labels
from dawn_agents.training.environments import TRACKS, Environments
from dawn_agents.training.learner import Learner, purpose_seed
from dawn_agents.training.network_trainer import Dataset, Trainer, joined
from dawn_agents.training.sparse_ppo import SparsePolicy
from dawn_agents.training.training_config import Config, ConfigError
from dawn_env.observation.view_layouts import layout_of_sides
from dawn_env.players import choose_actions
from dawn_env.support.thread_pool import checked_threads
from dawn_env.tables import SIDE_NAMES, SIDES

_STEPS = 32  # decisions in every game between two looks at what was learnt


class DistillationLearner(Learner):
    """Learns both sides as ``[distillation]`` says, networks of kind ``sparse``."""

    has_networks, model_based = True, True
    settings: ClassVar[Mapping[str, Any]] = {"network": {"kind": "sparse", "width": 128}}

    def __init__(self, environments: Environments, config: Config, options: Learner.Options | None = None):
        super().__init__(environments, config, options)
        games, network, layout = config.games, config.network, layout_of_sides(config.games.options)
        if network.kind != "sparse":
            raise ConfigError(f'network.kind: "sparse" expected with distillation, not {network.kind!r}')
        if games.options.bid:
            raise ConfigError("games.options.bid: games without a bid expected with distillation")
        check_values(config.distillation, games.options)
        self.track = TRACKS[1]
        length = int(compiled_shape(network, layout)["length"][0])
        self._policies: dict[str, SparsePolicy] = {}
        for side in SIDE_NAMES:
            self._policies[side] = SparsePolicy(np.zeros(length, np.float32), network, layout, side)
            self._policies[side].load_weights(build_network(network, layout))
        self._references = {side: replace(policy, flat=policy.flat.copy()) for side, policy in self._policies.items()}
        self._trainers: dict[str, Trainer] = {}
        self._labeller = Labeller(config.distillation, checked_threads(config.run.threads))
        self._rng = np.random.default_rng(config.run.seed)
        count, share = games.at_once, 1 - config.distillation.student_share
        self._teacher, foreign = make_player("heuristic", config.run.seed), np.arange(count) < round(share * count)
        self._foreign = foreign, foreign[::-1]  # by side: games in which ``heuristic`` plays it
        self.games = environments.make(games.at_once, kind="batch", seeds=range(games.at_once))

    def player(self) -> dict[str, SparsePolicy]:
        """The policies of the moment."""
        return self._policies

    def load(self, path: Path) -> tuple[SparsePolicy, PolicyMetadata]:
        """Load a policy file; raises ``PolicyFileError``."""
        return SparsePolicy.load(path)

    def specification(self, path: Path) -> str:
        """Compiled player of a file or of a folder."""
        return f"sparse:{path}" if path.is_dir() else f"policy:{path}"

    def begin(self, seed: int) -> None:
        """Start all games; the policies of the moment are the reference."""
        options = self.config.distillation
        self._rng = np.random.default_rng(purpose_seed(seed, "games", *SIDE_NAMES))
        self.games.reset(self._rng.integers(0, 2**62, self.games.count))
        self._take_references()
        for side, policy in self._policies.items():
            self._trainers[side] = Trainer(policy.trainable(), options, losses(options))

    def _take_references(self) -> None:
        """Make the policies of the moment the reference."""
        for side, policy in self._policies.items():
            self._references[side].flat[:] = policy.flat

    def close(self) -> None:
        """End the threads that judge."""
        super().close()
        self._labeller.close()

    # --- learning ------------------------------------------------------------------------------

    def iterate(self, number: int, remaining: float) -> dict[str, float]:
        """Play some decisions in every game, and learn from the positions that were judged.

        Raises ``ConfigError`` when the weights have grown beyond all bounds.
        """
        datasets = self._play()
        metrics = {"positions": float(sum(len(dataset["masks"]) for dataset in datasets))}
        for (side, policy), dataset in zip(self._policies.items(), datasets, strict=True):
            trainer, done = self._trainers[side], 1 - remaining
            learnt = trainer.learn(dataset, int(self._rng.integers(0, 2**62)), done, done)
            policy.load_weights(trainer.network)
            metrics |= {f"{side}/{name}": value for name, value in learnt.items()}
        every = self.config.distillation.reference_every
        if every and number % every == 0:
            self._take_references()
        return metrics

    def _play(self) -> list[Dataset]:
        """Play ``_STEPS`` decisions in every game; return the judged positions as datasets by side, those of
        ``distillation.label_games``."""
        games, options = self.games, self.config.distillation
        labelled: list[list[Callable[[], Dataset]]] = [[] for _ in range(SIDES)]
        for _ in range(_STEPS):
            actions, judged = np.zeros(games.count, np.int64), self._rng.random(games.count) < options.keep
            for side, targets in enumerate(labelled):
                others = np.flatnonzero((games.actors == side) & self._foreign[side])
                actions[others] = choose_actions(self._teacher, games.states, *games.shown, others)
                rows = np.flatnonzero((games.actors == side) & ~self._foreign[side])
                seen, masks = (part[rows] for part in games.shown)
                probabilities = _probabilities(self._policies[SIDE_NAMES[side]], seen, masks)
                actions[rows] = drawn_actions(probabilities, self._rng.random(len(rows)))
                rows, seen, masks = (part[judged[rows]] for part in (rows, seen, masks))
                reference = _probabilities(self._references[SIDE_NAMES[side]], seen, masks)
                candidates, prior = likely(reference, options)
                known = {"observations": seen, "masks": np.packbits(masks, axis=1)}
                known |= {"candidates": candidates, "prior": prior}
                targets.append(start_labels(self._labeller, games.states, rows, side, known, self._rng))
            games.step(actions)
        return [joined([dataset() for dataset in targets]) for targets in labelled]

    # --- saving --------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """State for a checkpoint, the games too."""
        return {
            "trainers": {side: trainer.state() for side, trainer in self._trainers.items()},
            "references": {side: policy.flat.copy() for side, policy in self._references.items()},
            "games": self.environments.state(),
            "rng": self._rng.bit_generator.state,
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restore a checkpoint's state."""
        for side, policy in self._policies.items():
            self._trainers[side].restore(state["trainers"][side])
            policy.load_weights(self._trainers[side].network)
            self._references[side].flat[:] = state["references"][side]
        self.environments.restore(state["games"])
        self._rng.bit_generator.state = state["rng"]


def _probabilities(policy: SparsePolicy, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
    """float64 [K, A]: how likely a policy makes the actions."""
    return policy.player("policy").probabilities(observations, masks)

"""The learner of the name ``sparse-ppo``: PPO of networks of kind ``sparse``, compiled from the games to the steps of
Adam. The same seed gives the same weights, whatever the number of threads."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import torch
from torch import nn

from dawn_agents.players.choosing import Choosing
from dawn_agents.players.networks.inference import network_inputs
from dawn_agents.players.networks.policy_metadata import PolicyInfo, PolicyMetadata, write_policy
from dawn_agents.players.networks.policy_networks import build_network
from dawn_agents.players.networks.sparse_weights import compiled_shape, compiled_weights, named_weights
from dawn_agents.players.sparse_player import SparsePlayer, SparseWeights
from dawn_agents.training.checkpoint import CheckpointError
from dawn_agents.training.environments import Environments
from dawn_agents.training.learner import SideLearner
from dawn_agents.training.network_policies import TrainablePolicy
from dawn_agents.training.network_trainer import check_bounded
from dawn_agents.training.sparse_gradients import (
    METRICS,
    Decisions,
    Loss,
    SparseAdam,
    Work,
    act_rows,
    add_gradients,
    empty_metrics,
    estimate_advantages,
    refer_rows,
    slice_count,
)
from dawn_agents.training.training_config import Config, ConfigError
from dawn_env.support.thread_pool import ThreadTeam, checked_threads
from dawn_env.tables import SIDE_NAMES

_LEAST_GAMES, _LEAST_BLOCKS = 64, 256  # of a thread
_KL = METRICS.index("kl")
_STOP = 1.5  # times ``target_kl``, as in Stable-Baselines3


@dataclass(frozen=True)
class SparsePolicy(SparseWeights, TrainablePolicy):
    """The network of one side."""

    side: str

    def player(self, name: str, seed: int = 0, sample: bool = False) -> SparsePlayer:
        """Player of this network (``learner.Policy``)."""
        return SparsePlayer(name, seed, Choosing(sample=sample), {SIDE_NAMES.index(self.side): self})

    def save(self, path: Path, facts: PolicyMetadata) -> None:
        """A policy file."""
        weights = named_weights(self.flat, self.options, self.layout)
        write_policy(path, PolicyInfo(**vars(facts) | {"network": self.options}), weights.values())

    def trainable(self) -> nn.Module:
        """A network of torch with the same weights."""
        network, named = build_network(self.options, self.layout), named_weights(self.flat, self.options, self.layout)
        network.load_state_dict({name: torch.from_numpy(weights) for name, weights in named.items()})
        return network

    def load_weights(self, network: nn.Module) -> None:
        """Copy the weights of a network."""
        named = {name: value.cpu().numpy() for name, value in network.state_dict().items()}
        self.flat[:] = compiled_weights(named, self.options, self.layout)

    @classmethod
    def load(cls, path: Path) -> tuple["SparsePolicy", PolicyMetadata]:
        """Read what ``save`` has written; raises ``PolicyFileError``."""
        network, info = SparseWeights.read(path)
        return cls(**vars(network), side=info.side), info


class SparsePpo(SideLearner):
    """PPO as ``[ppo]`` says, of the network of kind ``sparse`` that ``[network]`` describes."""

    settings: ClassVar[Mapping[str, Any]] = {"network": {"kind": "sparse", "width": 128}}

    @dataclass(frozen=True)
    class Options:
        """Regularisation towards a reference policy (magnetic mirror descent), and moving averages of the weights.

        ``kl_coef``: weight of the divergence (KL) from the reference, the policy at the start of the run or, with
        ``reference_decay`` above 0, an exponential moving average with that decay. ``ema_decay``: decay of the
        exponential moving average of the weights, a candidate at the end of the run; 0: none.
        """

        kl_coef: float = 0.0
        reference_decay: float = 0.0
        ema_decay: float = 0.0

        def __post_init__(self):
            for name, most in (("kl_coef", 100), ("reference_decay", 1), ("ema_decay", 1)):
                if not 0 <= getattr(self, name) <= most:
                    raise ValueError(f"{name}: 0 ... {most} expected, not {getattr(self, name)}")

    def __init__(self, side: str, environments: Environments, config: Config, options: Options):
        super().__init__(side, environments, config, options)
        if config.network.kind != "sparse":
            raise ConfigError(f'network.kind: "sparse" expected with sparse-ppo, not {config.network.kind!r}')
        games, ppo, layout = self.games, config.ppo, self.games.layout
        flat = np.zeros(int(compiled_shape(config.network, layout)["length"][0]), np.float32)
        self._policy = SparsePolicy(flat, config.network, layout, side)
        self._policy.load_weights(build_network(config.network, layout))
        threads = checked_threads(config.run.threads)
        self._acting, self._learning = ThreadTeam(threads, _LEAST_GAMES), ThreadTeam(threads, 1)
        slices = slice_count(ppo.batch_size)
        self.adam = SparseAdam(flat, config.network, layout, slices, ThreadTeam(threads, _LEAST_BLOCKS))
        self.shapes = self._policy.shape
        self._work = Work.of(max(slices, self._acting.size), int(self.shapes["width"][0]), layout.actions)
        self.reference = self.average = flat[:0]
        sizes = layout.size + int(self.shapes["advice"][0]), layout.actions, bool(options.kl_coef)
        self.made, self._last = Decisions.of(ppo.steps * games.count, *sizes), Decisions.of(games.count, *sizes)

    @property
    def policy(self) -> SparsePolicy:
        """The network that learns."""
        return self._policy

    def load(self, path: Path) -> tuple[SparsePolicy, PolicyMetadata]:
        """Load a policy file; raises ``PolicyFileError``."""
        return SparsePolicy.load(path)

    def specification(self, path: Path) -> str:
        """Compiled player of a file or of a folder."""
        return f"sparse:{path}" if path.is_dir() else f"policy:{path}"

    def candidates(self, past: Sequence[SparsePolicy]) -> list[SparsePolicy]:
        """The last one; its mean with the frozen copies; the average over the iterations, if there is one."""
        weights = self.adam.weights
        mean = np.mean([weights, *(policy.flat for policy in past)], axis=0, dtype=np.float32)
        averages = [self.average] if len(self.average) else []
        return [replace(self._policy, flat=flat.copy()) for flat in (weights, mean, *averages)]

    def begin(self, seed: int) -> None:
        """Begin training; the policy of the moment is the reference."""
        super().begin(seed)
        self.reference = self.adam.weights.copy() if self.options.kl_coef else self.reference
        self.average = self.adam.weights.copy() if self.options.ema_decay else self.average

    # --- learning ------------------------------------------------------------------------------

    def iterate(self, number: int, remaining: float) -> dict[str, float]:
        """Play ``steps`` decisions in every game and learn from them; the value head alone learns in the first
        ``value_warmup`` iterations.

        Raises what the games raise, and ``ConfigError`` when the weights have grown beyond all bounds.
        """
        self._collect()
        metrics = self._learn(number, remaining)
        check_bounded([torch.from_numpy(self.adam.weights)], "ppo.learning_rate")
        return metrics

    def _collect(self) -> None:
        """Play; estimate advantages, and what the reference policy would do."""
        games, ppo, d, count = self.games, self.config.ppo, self.made, self.games.count
        rewards, ended = np.zeros((ppo.steps, count), np.float32), np.zeros((ppo.steps, count), np.bool_)
        for step in range(ppo.steps):
            made = Decisions(*(part[step * count : (step + 1) * count] for part in d))
            self._act(made, np.random.random(count))
            games.step(made.actions)
            rewards[step], ended[step] = games.rewards, games.ended
        self._act(self._last, np.zeros(count))
        values, advantages = (part.reshape(ppo.steps, count) for part in (d.values, d.advantages))
        estimate_advantages(rewards, ended, values, self._last.values, ppo.gamma, ppo.gae_lambda, advantages)
        d.returns[:] = d.advantages + d.values
        d.advantages[:] = (d.advantages - d.advantages.mean()) / (d.advantages.std() + np.float32(1e-8))
        if len(self.reference):
            network = self.reference, self.shapes, self._work
            self._acting.run(refer_rows, len(d.actions), d.inputs, d.masks, *network, d.reference)

    def _act(self, made: Decisions, draws: np.ndarray) -> None:
        """Write inputs, actions by ``draws`` float64 [n], log-probabilities and values of all games to ``made``."""
        advice = bool(self.shapes["advice"][0])

        def act(first: int, last: int, number: int) -> int:
            rows = slice(first, last)
            made.inputs[rows] = network_inputs(advice, self.games.observations[rows], self.games.masks[rows])
            network = self.adam.weights, self.shapes, self._work
            arrays = made.inputs, made.masks, draws, *network, made.actions, made.log_probs, made.values
            return act_rows(first, last, number, *arrays)

        made.masks[:] = self.games.masks
        self._acting.run(act, self.games.count)

    def _learn(self, number: int, remaining: float) -> dict[str, float]:
        """Take the steps of an iteration; metrics, means over the decisions of its last epoch."""
        ppo = self.config.ppo
        rate, only = ppo.rate_at(remaining), number <= ppo.value_warmup
        loss = Loss(ppo.clip_range, 1.0, ppo.value, ppo.entropy_at(remaining), self.options.kl_coef, only)
        for _ in range(ppo.epochs):
            metrics, stopped = self._epoch(rate, loss)
            if stopped:
                break
        for average, kept in ((self.reference, self.options.reference_decay), (self.average, self.options.ema_decay)):
            if len(average) and kept:
                average += np.float32(1 - kept) * (self.adam.weights - average)
        d = self.made
        spread = float(d.returns.var())
        explained = 1 - float((d.returns - d.values).var()) / spread if spread else 0.0
        means = dict(zip(METRICS, metrics.tolist(), strict=True))
        return means | {"explained_variance": explained, "learning_rate": rate}

    def _epoch(self, rate: float, loss: Loss) -> tuple[np.ndarray, bool]:
        """Use each decision once; means of ``METRICS``, and True if the policy has moved so far that the steps end."""
        ppo, total = self.config.ppo, len(self.made.actions)
        order, sums, seen = np.random.permutation(total), np.zeros(len(METRICS)), 0
        for at in range(0, total, ppo.batch_size):
            rows = np.sort(order[at : at + ppo.batch_size])  # ascending, which reads memory faster
            metrics = self.add_gradients(rows, loss)
            sums, seen = sums + metrics, seen + len(rows)
            if ppo.target_kl is not None and metrics[_KL] > _STOP * ppo.target_kl * len(rows):
                self.adam.drop()
                return sums / seen, True
            self.adam.step(rate, ppo.max_grad_norm)
        return sums / seen, False

    def add_gradients(self, rows: np.ndarray, loss: Loss) -> np.ndarray:
        """Compute in ``adam`` the gradient of the mean loss of ``rows`` int64 [B]; sums of ``METRICS``."""
        share, slices = 1 / len(rows), len(self.adam.gradients)
        metrics = empty_metrics(slices)
        parts = Loss(loss.clip_range, *(share * part for part in loss[1:-1]), loss.value_only)
        self._learning.run(
            add_gradients, slices, rows, self.made, parts, self.adam.weights, self.shapes, self._work,
            self.adam.gradients, self.adam.touched, metrics,
        )  # fmt: skip
        return metrics.sum(0)

    # --- saving --------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """State for a checkpoint."""
        adam = self.adam
        arrays = {"weights": adam.weights, "moments": adam.moments, "squares": adam.squares, "counts": adam.counts,
                  "reference": self.reference, "average": self.average}  # fmt: skip
        return {name: array.copy() for name, array in arrays.items()}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restore a checkpoint's state; raises ``CheckpointError`` if ``kl_coef`` or ``ema_decay`` came or went."""
        for option, name in (("kl_coef", "reference"), ("ema_decay", "average")):
            if len(state[name]) != len(getattr(self, name)):
                raise CheckpointError(f"run.learner: {option} cannot be turned on or off in a run")
        adam = self.adam
        for name in ("weights", "moments", "squares", "counts"):
            getattr(adam, name)[:] = state[name]
        self.reference[:], self.average[:] = state["reference"], state["average"]

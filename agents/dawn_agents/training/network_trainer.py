"""Training of a network on a dataset, with losses that its caller defines."""

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import torch
from torch import nn

from dawn_agents.players.networks.inference import ask
from dawn_agents.training.training_config import ConfigError, Distillation, Imitation
from dawn_env.support.progress_bars import with_progress

MOST_LOGIT = 1e7
"""Logits beyond are no better than infinite: -1e8 is what Stable-Baselines3 gives to actions that are not legal."""


def check_bounded(values: Iterable[torch.Tensor], setting: str, bound: float = math.inf) -> None:
    """Raise ``ConfigError`` that names the ``setting`` to lower unless all numbers are below ``bound`` in magnitude."""
    if not all((part.abs() < bound).all() for part in values):
        raise ConfigError(f"{setting}: a lower one expected, as the steps have grown beyond all bounds")


_MAX_GRAD_NORM = 1.0
VALUE_WEIGHT = 0.5
"""Coefficient of the value loss; the policy loss has 1."""

Dataset = dict[str, np.ndarray]
"""K positions of one side, arrays of that length by name: ``observations`` int8 [K, F], ``masks`` uint8 [K,
ceil(A / 8)], packed bits, and what is to be learnt of them."""
Losses = tuple[torch.Tensor, dict[str, torch.Tensor]]
"""The loss of a batch, and metrics for people."""
LossFunction = Callable[[torch.Tensor, torch.Tensor, dict[str, torch.Tensor]], Losses]
"""Of the logits [B, A] and values [B] of a network, and the rows of the dataset that it was asked about."""


def joined(parts: Sequence[Dataset]) -> Dataset:
    """Datasets one after the other."""
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


Stopped = Callable[[], bool]
"""Whether the person at the keyboard wants to end."""


def never() -> bool:
    """Callback that never interrupts."""
    return False


class Trainer:
    """Learns by Adam, its step size falling to zero in a half cosine.

    ``stopped`` is asked before every step; the learning then ends with ``KeyboardInterrupt``.
    """

    def __init__(
        self, network: nn.Module, schedule: Imitation | Distillation, losses: LossFunction, stopped: Stopped = never
    ):
        self.network, self._schedule, self._losses, self._stopped = network, schedule, losses, stopped
        self._optimizer = torch.optim.Adam(network.parameters(), schedule.learning_rate)

    def learn(
        self, dataset: Dataset, seed: int, start: float = 0.0, end: float = 1.0, title: str = "learning"
    ) -> dict[str, float]:
        """Learn ``dataset``, in the part of the half cosine from ``start`` to ``end``; means of the metrics in the
        last epoch. ``title``: of the bar. Raises ``ConfigError`` when the weights have grown beyond all bounds."""
        generator, size, count = np.random.default_rng(seed), self._schedule.batch_size, len(dataset["masks"])
        batches = math.ceil(count / size)  # an epoch
        steps = self._schedule.epochs * batches
        metrics: dict[str, float] = {}
        for number in with_progress(range(steps), title, keep=False):
            if self._stopped():
                raise KeyboardInterrupt
            if number % batches == 0:
                order, metrics = generator.permutation(count), {}
            at = number % batches * size
            rows = np.sort(order[at : at + size])  # ascending, which reads memory faster
            progress = start + (end - start) * number / steps
            (group,) = self._optimizer.param_groups
            group["lr"] = self._schedule.learning_rate * (1 + math.cos(math.pi * progress)) / 2
            for name, value in self._step({name: values[rows] for name, values in dataset.items()}).items():
                metrics[name] = metrics.get(name, 0.0) + value * len(rows) / count
        check_bounded(self.network.state_dict().values(), "learning_rate of the warm start")
        return metrics

    def state(self) -> dict[str, Any]:
        """State for a checkpoint: the network's, and Adam's."""
        return {"network": dict(self.network.state_dict()), "adam": self._optimizer.state_dict()}

    def restore(self, state: dict[str, Any]) -> None:
        """Restore a checkpoint's state."""
        self.network.load_state_dict(state["network"])
        self._optimizer.load_state_dict(state["adam"])

    def _step(self, batch: Dataset) -> dict[str, float]:
        """One gradient step on some rows of the dataset."""
        masks = np.unpackbits(batch["masks"], axis=1, count=self.network.layout.actions).view(np.int8)
        logits, values = ask(self.network, batch["observations"], masks)
        known = {name: torch.from_numpy(part).to(values.device) for name, part in batch.items()}
        loss, metrics = self._losses(logits, values, known)
        self._optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.network.parameters(), _MAX_GRAD_NORM)
        self._optimizer.step()
        return {name: value.item() for name, value in metrics.items()}

"""Datasets, and the training of a network on one, whatever it holds."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Any, Self

import numpy as np
import torch
from torch import nn

from dawn_agents.networks.inference import ask
from dawn_agents.training.training_config import ConfigError, Distillation, Imitation
from dawn_env.support.progress_bars import with_progress

_MOST = 1e7
"""Logits beyond are no better than infinite: -1e8 is what Stable-Baselines3 gives to actions that are not legal."""


def check_learnt(network: nn.Module, setting: str) -> None:
    """Raise ``ConfigError`` that names the ``setting`` if the network's weights are no finite numbers any more."""
    if not all(values.isfinite().all() for values in network.state_dict().values()):
        raise unbounded(setting)


def check_answers(logits: torch.Tensor, setting: str) -> None:
    """Likewise if what the network says is not finite, or so large that masks do not count any more."""
    if not (logits.abs() < _MOST).all():
        raise unbounded(setting)


def unbounded(setting: str) -> ConfigError:
    """Error that names the ``setting`` to lower."""
    return ConfigError(f"{setting}: a lower one expected, as the steps have grown beyond all bounds")


_MAX_GRAD_NORM = 1.0
VALUE_WEIGHT = 0.5
"""Coefficient of the value loss; the policy loss has 1."""


@dataclass(frozen=True)
class Dataset:
    """K positions of one side; what is to be learnt of them is added by the classes derived from this one.

    ``observations`` int8 [K, F]; ``masks`` uint8 [K, ceil(A / 8)], packed bits. All fields are arrays of length K.
    """

    observations: np.ndarray
    masks: np.ndarray

    def __len__(self) -> int:
        return len(self.observations)

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """One after the other."""
        return cls(*(np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(cls)))

    def ask(self, network: nn.Module, rows: np.ndarray) -> tuple[torch.Tensor, torch.Tensor]:
        """Network outputs for ``rows`` int64 [B]: logits [B, A] and values [B] (``inference.ask``)."""
        actions = network.layout.actions
        masks = np.unpackbits(self.masks[rows], axis=1, count=actions).view(np.int8)
        return ask(network, self.observations[rows], masks)


Stopped = Callable[[], bool]
"""Whether the person at the keyboard wants to end."""


def never() -> bool:
    """Callback that never interrupts."""
    return False


Losses = tuple[torch.Tensor, dict[str, torch.Tensor]]
"""The loss of a batch, and figures for people."""
LossFunction = Callable[[nn.Module, Any, np.ndarray], Losses]
"""Of a network, a dataset of some kind, and the rows int64 [B] of the batch."""


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
        """Learn ``dataset``, in the part of the half cosine from ``start`` to ``end``; means of the figures in the
        last epoch. ``title``: of the bar. Raises ``ConfigError`` when the weights have grown beyond all bounds."""
        generator, size = np.random.default_rng(seed), self._schedule.batch_size
        batches = math.ceil(len(dataset) / size)  # an epoch
        steps = self._schedule.epochs * batches
        figures: dict[str, float] = {}
        for number in with_progress(range(steps), title, keep=False):
            if self._stopped():
                raise KeyboardInterrupt
            if number % batches == 0:
                order, figures = generator.permutation(len(dataset)), {}
            at = number % batches * size
            rows = np.sort(order[at : at + size])  # ascending, which reads memory faster
            self._set_rate(start + (end - start) * number / steps)
            for name, value in self._step(dataset, rows).items():
                figures[name] = figures.get(name, 0.0) + value * len(rows) / len(dataset)
        check_learnt(self.network, "learning_rate of the warm start")
        return figures

    def _set_rate(self, progress: float) -> None:
        for group in self._optimizer.param_groups:
            group["lr"] = self._schedule.learning_rate * (1 + math.cos(math.pi * progress)) / 2

    def _step(self, dataset: Dataset, rows: np.ndarray) -> dict[str, float]:
        """One gradient step on ``rows`` of the dataset."""
        loss, figures = self._losses(self.network, dataset, rows)
        self._optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.network.parameters(), _MAX_GRAD_NORM)
        self._optimizer.step()
        return {name: value.item() for name, value in figures.items()}

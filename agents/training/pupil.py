"""A network that is taught from a heap of lessons, whatever they hold."""

import math
from collections.abc import Callable, Sized
from typing import Protocol

import numpy as np
import torch
from torch import nn

from agents.networks.inputs import advised, plain
from dawn_env.actions import A

_MAX_GRAD_NORM = 1.0
NOT_LEGAL = -1e9
"""Logit of an action that is not legal."""

Losses = tuple[torch.Tensor, dict[str, torch.Tensor]]
"""The loss of a batch, and figures for people."""
LossFunction = Callable[[nn.Module, Sized, np.ndarray], Losses]
"""Of a network, some lessons, and the rows int64 [B] of the batch."""


class Schedule(Protocol):
    """Settings of the gradient steps, see ``config.Imitation``."""

    epochs: int
    batch_size: int
    learning_rate: float


class Pupil:
    """Learns by Adam, its step size falling to zero in a half cosine."""

    def __init__(self, network: nn.Module, schedule: Schedule, losses: LossFunction):
        self.network, self._schedule, self._losses = network, schedule, losses
        self._optimizer = torch.optim.Adam(network.parameters(), schedule.learning_rate)

    def learn(self, lessons: Sized, seed: int, start: float = 0.0, end: float = 1.0) -> dict[str, float]:
        """Learn ``lessons``, in the part of the half cosine from ``start`` to ``end``; means of the figures in the
        last epoch."""
        generator, epochs = np.random.default_rng(seed), self._schedule.epochs
        figures: dict[str, float] = {}
        part = (end - start) / epochs
        for epoch in range(epochs):
            batches = _batches(generator.permutation(len(lessons)), self._schedule.batch_size)
            figures = self._epoch(lessons, batches, start + epoch * part, part)
        return figures

    def _epoch(self, lessons: Sized, batches: list[np.ndarray], done: float, part: float) -> dict[str, float]:
        """One pass, which is ``part`` of the whole, of which the share ``done`` lies behind."""
        totals: dict[str, float] = {}
        for number, rows in enumerate(batches):
            progress = done + part * number / len(batches)
            for group in self._optimizer.param_groups:
                group["lr"] = self._schedule.learning_rate * (1 + math.cos(math.pi * progress)) / 2
            for name, value in self._step(lessons, rows).items():
                totals[name] = totals.get(name, 0.0) + value * len(rows) / len(lessons)
        return totals

    def _step(self, lessons: Sized, rows: np.ndarray) -> dict[str, float]:
        """One gradient step on some of the lessons."""
        loss, figures = self._losses(self.network, lessons, rows)
        self._optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.network.parameters(), _MAX_GRAD_NORM)
        self._optimizer.step()
        return {name: value.item() for name, value in figures.items()}


def answers(network: nn.Module, observations: np.ndarray, packed: np.ndarray) -> tuple[torch.Tensor, torch.Tensor]:
    """Logits [B, A] of a network, ``NOT_LEGAL`` where that is so, and values [B].

    ``observations`` int8 [B, F]; ``packed`` uint8 [B, ceil(A / 8)]: the masks, packed bits.
    """
    device = next(network.parameters()).device
    legal = np.unpackbits(packed, axis=1, count=A)
    see = advised if network.advice else plain
    logits, values = network(torch.from_numpy(see(observations, legal.view(np.int8))).to(device))
    return logits.masked_fill(torch.from_numpy(legal == 0).to(device), NOT_LEGAL), values


def _batches(order: np.ndarray, size: int) -> list[np.ndarray]:
    """Rows of each gradient step, ascending, which reads memory faster."""
    return [np.sort(order[start : start + size]) for start in range(0, len(order), size)]

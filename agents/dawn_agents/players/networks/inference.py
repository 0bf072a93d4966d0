"""Network inputs: the observation, and behind it, if it takes advice, the rule-based player's opinion."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import local

import numpy as np
import torch
from torch import Tensor, nn

from dawn_agents.players.heuristic import family_entry_points as family
from dawn_agents.players.heuristic.action_scores import advise, working_position
from dawn_agents.players.heuristic_values.position_record import STYLES
from dawn_env.observation.view_layouts import FAMILY_LAYOUT

_OWN = local()


def _positions() -> np.ndarray:
    """Work space of this thread."""
    if not hasattr(_OWN, "positions"):
        _OWN.positions = working_position(STYLES["balanced"])
    return _OWN.positions


def network_inputs(advice: bool, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
    """Network inputs, int8 [K, F] or with ``advice`` [K, F + what the adviser says].

    ``observations`` int8 [K, F] of any layout with rules of thumb; ``masks`` int8 [K, A].
    """
    if not advice:
        return observations
    if observations.shape[1] == FAMILY_LAYOUT.size:
        return family.advise(observations, masks)
    return advise(observations, masks, _positions())


NOT_LEGAL = -1e9
"""Logit of an action that is not legal."""


def ask(network: nn.Module, observations: np.ndarray, masks: np.ndarray) -> tuple[Tensor, Tensor]:
    """Logits [B, A], ``NOT_LEGAL`` for illegal actions, and values [B], on the network's device.

    ``observations`` int8 [B, F]; ``masks`` int8 [B, A].
    """
    device = next(network.parameters()).device
    logits, values = network(torch.from_numpy(network_inputs(network.advice, observations, masks)).to(device))
    return logits.masked_fill(torch.from_numpy(masks == 0).to(device), NOT_LEGAL), values


@contextmanager
def one_torch_thread() -> Iterator[None]:
    """While it lasts, networks are asked by the thread that calls alone."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)

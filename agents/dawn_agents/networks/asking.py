"""Asking a network about positions."""

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import torch
from torch import Tensor, nn

from dawn_agents.networks.inputs import network_inputs

NOT_LEGAL = -1e9
"""Logit of an action that is not legal."""


def ask(network: nn.Module, observations: np.ndarray, masks: np.ndarray) -> tuple[Tensor, Tensor]:
    """Logits [B, A], ``NOT_LEGAL`` where that is so, and values [B], on the network's device.

    ``observations`` int8 [B, F]; ``masks`` int8 [B, A].
    """
    device = next(network.parameters()).device
    logits, values = network(torch.from_numpy(network_inputs(bool(network.advice), observations, masks)).to(device))
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

"""Learning that got out of hand."""

import torch
from torch import nn

from dawn_agents.networks.tensor_file import DamagedTensors, check_finite
from dawn_agents.settings import ConfigError

_MOST = 1e7
"""Logits beyond are no better than infinite: -1e8 is what Stable-Baselines3 gives to actions that are not legal."""


def check_learnt(network: nn.Module, setting: str) -> None:
    """Raise ``ConfigError`` that names the ``setting`` if the network's weights are no finite numbers any more."""
    try:
        check_finite(network.state_dict())
    except DamagedTensors as error:
        raise ConfigError(_words(setting)) from error


def check_answers(logits: torch.Tensor, setting: str) -> None:
    """Likewise if what the network says is not finite, or so large that masks do not count any more."""
    if not (logits.abs() < _MOST).all():
        raise ConfigError(_words(setting))


def _words(setting: str) -> str:
    return f"{setting}: a lower one expected, as the steps have grown beyond all bounds"

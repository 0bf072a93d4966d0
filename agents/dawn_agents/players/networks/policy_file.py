"""Policy files: the weights of a network and what must be known to use them, in one zip (``policy_metadata``)."""

from pathlib import Path

import torch
from torch import nn

from dawn_agents.players.networks.policy_metadata import (
    PolicyFileError,
    PolicyInfo,
    read_policy,
    unpack_weights,
    write_policy,
)
from dawn_agents.players.networks.policy_networks import build_network
from dawn_agents.players.networks.sparse_weights import weight_shapes


def save_policy(path: Path, network: nn.Module, info: PolicyInfo) -> None:
    """Write a policy file. An existing file is replaced atomically."""
    weights = {name: value.cpu().numpy() for name, value in network.state_dict().items()}
    write_policy(path, info, [weights[name] for name in _shapes(network, info)])


def load_policy(path: Path) -> tuple[nn.Module, PolicyInfo]:
    """The network of a policy file, on the CPU and ready to answer; raises ``PolicyFileError``."""
    info, packed = read_policy(Path(path))
    if info.network.kind == "afterstate":
        raise PolicyFileError(f"{path}: a network that makes logits expected; this one holds values of positions")
    network = build_network(info.network, info.layout)
    weights = unpack_weights(path, packed, _shapes(network, info), info.network.dtype)
    network.load_state_dict({name: torch.from_numpy(array.copy()) for name, array in weights.items()})
    return network.eval(), info


def _shapes(network: nn.Module, info: PolicyInfo) -> dict[str, tuple[int, ...]]:
    """Shapes of the weights by name, in the order of the file."""
    if info.network.kind == "sparse":
        return weight_shapes(info.network, info.layout)
    return {name: tuple(value.shape) for name, value in network.state_dict().items()}

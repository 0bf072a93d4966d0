"""Policy files: the weights of a network and what must be known to use them, in one zip.

``policy_metadata`` reads and writes everything but the weights. A torch state dict is loaded as data only.
"""

import io
from pathlib import Path

import torch
from torch import nn

from dawn_agents.networks.network_options import NetworkOptions
from dawn_agents.networks.policy_metadata import PolicyFileError, PolicyInfo, read_policy, write_policy
from dawn_agents.networks.policy_networks import build_network, is_finite
from dawn_agents.networks.sparse_weights import pack_weights, unpack_weights
from dawn_agents.networks.tensor_file import load_tensors
from dawn_env.observation.view_layouts import ViewLayout
from dawn_env.support.safe_text import first_line


def save_policy(path: Path, network: nn.Module, info: PolicyInfo) -> None:
    """Write a policy file; an existing one is replaced as a whole or not at all."""
    state = {name: value.cpu() for name, value in network.state_dict().items()}
    if info.network.kind == "sparse":
        packed = pack_weights({name: value.numpy() for name, value in state.items()}, info.network, info.layout)
    else:
        weights = io.BytesIO()
        torch.save(state, weights)
        packed = weights.getvalue()
    write_policy(path, info, packed)


def load_policy(path: Path) -> tuple[nn.Module, PolicyInfo]:
    """The network of a policy file, on the CPU and ready to answer; raises ``PolicyFileError``."""
    info, weights = read_policy(Path(path))
    try:
        network = _network(info.network, info.layout, weights)
    except Exception as error:  # torch raises many kinds for data that does not fit
        raise PolicyFileError(f"{path}: damaged policy file: {first_line(error)}") from error
    return network.eval(), info


def _network(options: NetworkOptions, layout: ViewLayout, packed: bytes) -> nn.Module:
    network = build_network(options, layout)
    if options.kind == "sparse":
        state = {
            name: torch.from_numpy(array.copy()) for name, array in unpack_weights(packed, options, layout).items()
        }
    else:
        state = load_tensors(io.BytesIO(packed))
    network.load_state_dict(state)
    if not is_finite(network):
        raise ValueError("weights: finite numbers expected")
    return network

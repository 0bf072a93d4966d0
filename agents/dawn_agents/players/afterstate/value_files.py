"""Policy files of values of positions after a move (``networks.policy_metadata``): networks of kind ``afterstate``."""

from pathlib import Path

import numpy as np

from dawn_agents.players.afterstate.network import LANES, ROWS
from dawn_agents.players.networks.network_options import NetworkOptions
from dawn_agents.players.networks.policy_metadata import (
    PolicyFileError,
    PolicyInfo,
    PolicyMetadata,
    read_policy,
    unpack_weights,
    write_policy,
)


def write_values(path: Path, weights: np.ndarray, facts: PolicyMetadata) -> None:
    """Write weights float32 [ROWS, W] for play. An existing file is replaced atomically."""
    network = NetworkOptions(kind="afterstate", width=weights.shape[1], dtype="float16")
    write_policy(path, PolicyInfo(**vars(facts) | {"network": network}), [weights])


def read_values(path: Path) -> tuple[PolicyInfo, np.ndarray]:
    """Metadata and weights float32 [ROWS, W] of a policy file; raises ``PolicyFileError``."""
    info, packed = read_policy(path)
    if info.network.kind != "afterstate":
        raise PolicyFileError(f"{path}: a network of kind afterstate expected, not {info.network.kind}")
    if info.network.width % LANES:
        raise PolicyFileError(f"{path}: network.width: a multiple of {LANES} expected, not {info.network.width}")
    shapes = {"rows": (ROWS, info.network.width)}
    return info, unpack_weights(path, packed, shapes, info.network.dtype)["rows"].copy()

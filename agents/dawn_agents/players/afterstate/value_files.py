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
from dawn_env.observation.view_layouts import ViewLayout
from dawn_env.tables import SIDE_NAMES, SIDES

SHIPPED = Path(__file__).with_name("shipped")
"""Folder of the values that come with the project."""


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


def read_sides(path: Path) -> tuple[list[Path], np.ndarray, list[int], ViewLayout]:
    """The values of a file, or of a folder with ``democrat.zip`` and ``communist.zip``.

    Returns the files, weights float32 [SIDES, ROWS, W], zeros for a side without values, the sides that have some, and
    the layout of their games. Raises ``PolicyFileError``.
    """
    paths = [path] if path.is_file() else [path / f"{side}.zip" for side in SIDE_NAMES]
    read = [read_values(one) for one in paths]
    if len({weights.shape for _, weights in read}) > 1:
        raise PolicyFileError(f"{path}: networks of one width expected for both sides")
    if len({info.layout.name for info, _ in read}) > 1:
        raise PolicyFileError(f"{path}: values of one kind of game expected for both sides")
    weights, sides = np.zeros((SIDES, *read[0][1].shape), np.float32), [SIDE_NAMES.index(info.side) for info, _ in read]
    for side, (_, values) in zip(sides, read, strict=True):
        weights[side] = values
    return paths, weights, sides, read[0][0].layout

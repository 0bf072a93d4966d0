"""Policy files: the weights of a network and what must be known to use them, in one zip.

``policy.json`` holds the metadata, ``weights.pt`` a torch state dict, which is loaded as data only.
"""

import io
import json
import zipfile
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import nn

from agents.files import whole_file
from agents.heuristic.scoring import ADVICE_VERSION
from agents.networks.network import NetworkOptions, build_network
from dawn_env.actions import A
from dawn_env.observe import OBSERVATION_VERSION, F
from dawn_env.tables import SIDE_NAMES

FORMAT = 1
_INTERFACE = {"observation_version": OBSERVATION_VERSION, "observation_size": F, "actions": A}
_METADATA, _WEIGHTS = "policy.json", "weights.pt"


class PolicyFileError(ValueError):
    """A policy file that is missing, damaged or made for another version of the game."""


@dataclass(frozen=True)
class PolicyInfo:
    """What a policy file says about its policy."""

    side: str
    """``democrat`` or ``communist``."""
    network: NetworkOptions
    rules: dict[str, Any] = field(default_factory=dict)
    """Options of the games it was trained on."""
    training: dict[str, Any] = field(default_factory=dict)
    """The settings of its training, and how far it had come."""
    ratings: dict[str, Any] = field(default_factory=dict)
    """What was measured: per opponent, games and score."""


def _judged(network: NetworkOptions) -> dict[str, int]:
    """What else must be as it was for a network that takes advice."""
    return {"advice_version": ADVICE_VERSION} if network.advice else {}


def save_policy(path: Path, network: nn.Module, info: PolicyInfo) -> None:
    """Write a policy file; an existing one is replaced as a whole or not at all."""
    weights = io.BytesIO()
    torch.save({name: value.cpu() for name, value in network.state_dict().items()}, weights)
    metadata = {"format": FORMAT, **_INTERFACE, **_judged(info.network), **asdict(info)}
    with whole_file(path, "wb") as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(_METADATA, json.dumps(metadata, indent=1))
        archive.writestr(_WEIGHTS, weights.getvalue())


def load_policy(path: Path) -> tuple[nn.Module, PolicyInfo]:
    """The network of a policy file, on the CPU and ready to answer; raises ``PolicyFileError``."""
    metadata, weights = _read(Path(path))
    _check(path, metadata, {"format": FORMAT, **_INTERFACE})
    try:
        info = _info(metadata)
        network = build_network(info.network)
        network.load_state_dict(torch.load(io.BytesIO(weights), weights_only=True, map_location="cpu"))
    except Exception as error:  # torch raises many kinds for damaged data
        raise PolicyFileError(f"{path}: damaged policy file: {str(error).splitlines()[0]}") from error
    _check(path, metadata, _judged(info.network))
    return network.eval(), info


def _read(path: Path) -> tuple[dict, bytes]:
    try:
        with zipfile.ZipFile(path) as archive:
            return json.loads(archive.read(_METADATA)), archive.read(_WEIGHTS)
    except FileNotFoundError as error:
        raise PolicyFileError(f"{path}: there is no such policy file") from error
    except (OSError, zipfile.BadZipFile, KeyError, ValueError) as error:
        raise PolicyFileError(f"{path}: not a policy file ({error})") from error


def _check(path: Path, metadata: dict, expected: dict) -> None:
    for key, value in expected.items():
        if metadata.get(key) != value:
            words = key.replace("_", " ")
            raise PolicyFileError(f"{path}: {words} {metadata.get(key)}, but this version of the game has {value}")


def _info(metadata: dict) -> PolicyInfo:
    known = {key: value for key, value in metadata.items() if key in PolicyInfo.__dataclass_fields__}
    info = PolicyInfo(**{**known, "network": NetworkOptions(**metadata["network"])})
    if info.side not in SIDE_NAMES:
        raise ValueError(f"side {info.side!r}: expected one of {SIDE_NAMES}")
    return info

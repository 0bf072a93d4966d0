"""Metadata of policy files, and their weights as bytes: all that can be read without torch.

A policy file is a zip. ``policy.json`` holds the metadata, ``weights.bin`` plain numbers (``sparse_weights``).
"""

import json
import zipfile
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, Literal

import numpy as np

from dawn_agents.heuristic.action_scores import ADVICE_VERSION
from dawn_agents.heuristic.family_entry_points import FAMILY_ADVICE_VERSION
from dawn_agents.networks.network_options import NetworkOptions
from dawn_agents.networks.sparse_weights import unpack_weights, weight_shapes
from dawn_env.errors import BadOptions, DawnError
from dawn_env.observation.view_layouts import FAMILY_LAYOUT, ViewLayout, layout_of_sides
from dawn_env.options import GameOptions
from dawn_env.support.atomic_files import atomic_write
from dawn_env.support.safe_text import first_line, short_repr
from dawn_env.validation.checked_input import Checked, read
from dawn_env.validation.untrusted_json import parse_json

FORMAT = 1
_METADATA, _WEIGHTS = "policy.json", "weights.bin"
_STABLE_BASELINES = "_stable_baselines3_version"
_MOST_METADATA, _MOST_WEIGHTS = 2**24, 2**30  # bytes of each, once unpacked


class PolicyFileError(DawnError, ValueError):
    """A policy file that is missing, damaged or made for another version of the game."""


@dataclass(frozen=True)
class PolicyMetadata(Checked):
    """Metadata written with a policy."""

    side: Literal["democrat", "communist"]
    rules: dict[str, Any] = field(default_factory=dict)
    """Options of the games it was trained on."""
    training: dict[str, Any] = field(default_factory=dict)
    """The settings of its training, and how far it had come."""
    ratings: dict[str, Any] = field(default_factory=dict)
    """What was measured: per opponent, games and score."""


@dataclass(frozen=True)
class PolicyInfo(PolicyMetadata):
    """Metadata of a policy file."""

    network: NetworkOptions = field(kw_only=True)

    @property
    def layout(self) -> ViewLayout:
        """Layout of the games it was trained on."""
        return layout_of_sides(GameOptions.of(self.rules))


def _interface(layout: ViewLayout) -> dict[str, int]:
    """Interface that must be unchanged since the training."""
    return {"observation_version": layout.version, "actions": layout.actions}


def _parts(layout: ViewLayout) -> dict[str, str]:
    """Names and digests of the observation's parts."""
    return {part.name: part.digest for part in layout.table}


def _layout(path: Path, metadata: dict) -> ViewLayout:
    """Layout of the games that the policy was trained on."""
    try:
        return layout_of_sides(GameOptions.of(metadata.get("rules")))
    except BadOptions as error:
        raise PolicyFileError(f"{path}: damaged policy file: rules: {error}") from error


def _judged(network: NetworkOptions, layout: ViewLayout) -> dict[str, int]:
    """Interface of the adviser, for networks that take advice."""
    version = FAMILY_ADVICE_VERSION if layout is FAMILY_LAYOUT else ADVICE_VERSION
    return {"advice_version": version} if network.advice else {}


def write_policy(path: Path, info: PolicyInfo, weights: bytes) -> None:
    """Write a policy file with packed ``weights``; an existing one is replaced as a whole or not at all."""
    layout = info.layout
    metadata = {
        "format": FORMAT, **_interface(layout), "observation_parts": _parts(layout), **_judged(info.network, layout),
        **asdict(info),
    }  # fmt: skip
    with atomic_write(path, "wb") as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(_METADATA, json.dumps(metadata, indent=1))
        archive.writestr(_WEIGHTS, weights)


def read_policy(path: Path) -> tuple[PolicyInfo, bytes]:
    """Metadata and packed weights of a policy file for this version of the game; raises ``PolicyFileError``."""
    metadata, weights = _read(path)
    layout = _layout(path, metadata)
    _check_parts(path, metadata, layout)
    _check(path, metadata, {"format": FORMAT, **_interface(layout)})
    try:
        info = read(PolicyInfo, {one.name: metadata[one.name] for one in fields(PolicyInfo) if one.name in metadata})
    except ValueError as error:
        raise PolicyFileError(f"{path}: damaged policy file: {first_line(error)}") from error
    _check(path, metadata, _judged(info.network, layout))
    return info, weights


def read_sparse_policy(path: Path) -> tuple[PolicyInfo, dict[str, np.ndarray]]:
    """Metadata and weights by name of a policy file of kind ``sparse``, without torch; raises ``PolicyFileError``."""
    info, packed = read_policy(path)
    if info.network.kind != "sparse":
        raise PolicyFileError(f"{path}: a network of kind sparse expected, not {info.network.kind}")
    try:
        return info, unpack_weights(packed, weight_shapes(info.network, info.layout), info.network.dtype)
    except ValueError as error:
        raise PolicyFileError(f"{path}: damaged policy file: {first_line(error)}") from error


def _read(path: Path) -> tuple[dict, bytes]:
    try:
        with zipfile.ZipFile(path) as archive:
            _check_members(archive)
            metadata, weights = parse_json(archive.read(_METADATA)), archive.read(_WEIGHTS)
    except FileNotFoundError as error:
        raise PolicyFileError(f"{path}: there is no such policy file") from error
    except Exception as error:  # zipfile raises many kinds for damaged data
        raise PolicyFileError(f"{path}: not a policy file ({first_line(error)})") from error
    if not isinstance(metadata, dict):
        raise PolicyFileError(f"{path}: not a policy file ({_METADATA} holds {short_repr(metadata)}, not an object)")
    return metadata, weights


def _check_members(archive: zipfile.ZipFile) -> None:
    """Raise ``ValueError`` for an archive that is no policy file, or too large."""
    names = archive.namelist()
    if not {_METADATA, _WEIGHTS} <= set(names):
        found = "a model of Stable-Baselines3" if _STABLE_BASELINES in names else "a zip of something else"
        raise ValueError(f"{found}; needed is a file that dawn train writes to policies/, or MODULE:CLASS, a player")
    for name, most in ((_METADATA, _MOST_METADATA), (_WEIGHTS, _MOST_WEIGHTS)):
        size = archive.getinfo(name).file_size
        if size > most:
            raise ValueError(f"{name} would take {size:,} bytes, more than {most:,}")


def _check(path: Path, metadata: dict, expected: dict) -> None:
    for key, value in expected.items():
        if metadata.get(key) != value:
            words = key.replace("_", " ")
            found = short_repr(metadata.get(key))
            raise PolicyFileError(f"{path}: {words} {found}, but this version of the game has {value}")


def _check_parts(path: Path, metadata: dict, layout: ViewLayout) -> None:
    """Refuse an observation that is not this one, by the names of what it has, lacks, or means otherwise."""
    theirs, ours = metadata.get("observation_parts"), _parts(layout)
    theirs = theirs if isinstance(theirs, dict) else {}
    if list(theirs.items()) == list(ours.items()):
        return
    differences = {
        "unknown here": set(theirs) - set(ours),
        "missing there": set(ours) - set(theirs),
        "of another meaning": {name for name in set(theirs) & set(ours) if theirs[name] != ours[name]},
    }
    said = "; ".join(
        f"{what}: {', '.join(map(short_repr, sorted(names)))}" for what, names in differences.items() if names
    )
    raise PolicyFileError(
        f"{path}: observation version {short_repr(metadata.get('observation_version'))}, but this version of the game "
        f"has {layout.version}; parts {said or 'in another order'}"
    )

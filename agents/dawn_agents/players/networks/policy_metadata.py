"""Metadata of policy files, and their weights as bytes: all that can be read without torch.

A policy file is a zip. ``policy.json`` holds the metadata, ``weights.bin`` one array after the other, of the type that
the options of the network name; of networks of kind ``sparse`` in the order of ``sparse_weights.weight_shapes``.
"""

import json
import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields
from math import prod
from pathlib import Path
from typing import Any, Literal

import numpy as np

from dawn_agents.players.heuristic.action_scores import ADVICE_VERSION
from dawn_agents.players.heuristic.family_entry_points import FAMILY_ADVICE_VERSION
from dawn_agents.players.networks.network_options import AFTERSTATE_INPUTS_VERSION, NetworkOptions
from dawn_agents.players.networks.sparse_weights import weight_shapes
from dawn_env.errors import DawnError
from dawn_env.observation.view_layouts import FAMILY_LAYOUT, ViewLayout, layout_of_sides
from dawn_env.options import GameOptions
from dawn_env.support.atomic_files import atomic_write
from dawn_env.support.safe_text import first_line, short_repr
from dawn_env.validation.checked_input import Checked, read
from dawn_env.validation.untrusted_json import check_regular, parse_json

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


def _interface(info: PolicyInfo) -> dict[str, Any]:
    """Versions by name that must be unchanged since the training; names and digests of the observation's parts."""
    layout = info.layout
    parts = {part.name: part.digest for part in layout.table}
    versions = {"observation_version": layout.version, "actions": layout.actions, "observation_parts": parts}
    advice = FAMILY_ADVICE_VERSION if layout is FAMILY_LAYOUT else ADVICE_VERSION
    versions |= {"inputs_version": AFTERSTATE_INPUTS_VERSION} if info.network.kind == "afterstate" else {}
    return versions | ({"advice_version": advice} if info.network.advice else {})


def write_policy(path: Path, info: PolicyInfo, weights: Iterable[np.ndarray]) -> None:
    """Write a policy file. An existing file is replaced atomically.

    Raises ``ValueError`` for numbers too large for the type that ``info`` names.
    """
    metadata = {"format": FORMAT, **_interface(info), **asdict(info)}
    flat = np.concatenate([np.asarray(part, np.float32).ravel() for part in weights])
    with np.errstate(over="ignore"):
        packed = flat.astype(np.dtype(info.network.dtype).newbyteorder("<"))
    if not np.isfinite(packed).all():
        raise ValueError(f"weights too large for {info.network.dtype}")
    with atomic_write(path, "wb") as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(_METADATA, json.dumps(metadata, indent=1))
        archive.writestr(_WEIGHTS, packed.tobytes())


def read_policy(path: Path) -> tuple[PolicyInfo, bytes]:
    """Metadata and packed weights of a policy file for this version of the game; raises ``PolicyFileError``."""
    metadata, weights = _read(path)
    _check(path, metadata, {"format": FORMAT})
    try:
        info = read(PolicyInfo, {one.name: metadata[one.name] for one in fields(PolicyInfo) if one.name in metadata})
        interface = _interface(info)
    except ValueError as error:
        raise PolicyFileError(f"{path}: damaged policy file: {first_line(error)}") from error
    _check(path, metadata, interface)
    return info, weights


def read_sparse_policy(path: Path) -> tuple[PolicyInfo, dict[str, np.ndarray]]:
    """Metadata and weights by name of a policy file of kind ``sparse``, without torch; raises ``PolicyFileError``."""
    info, packed = read_policy(path)
    if info.network.kind != "sparse":
        raise PolicyFileError(f"{path}: a network of kind sparse expected, not {info.network.kind}")
    return info, unpack_weights(path, packed, weight_shapes(info.network, info.layout), info.network.dtype)


def unpack_weights(
    path: Path, packed: bytes, shapes: Mapping[str, tuple[int, ...]], dtype: str
) -> dict[str, np.ndarray]:
    """Weights by name, float32; raises ``PolicyFileError`` for another length and for numbers that are not finite,
    or not as they are used."""
    kind = np.dtype(dtype).newbyteorder("<")
    expected = sum(map(prod, shapes.values())) * kind.itemsize
    if len(packed) != expected:
        problem = f"{len(packed):,} bytes of weights, not {expected:,} as its options say"
        raise PolicyFileError(f"{path}: damaged policy file: {problem}")
    flat = np.frombuffer(packed, kind).astype(np.float32)
    if not np.isfinite(flat).all():
        raise PolicyFileError(f"{path}: damaged policy file: weights: finite numbers expected")
    parts = np.split(flat, np.cumsum([prod(shape) for shape in shapes.values()])[:-1])
    named = {name: part.reshape(shape) for (name, shape), part in zip(shapes.items(), parts, strict=True)}
    with np.errstate(over="ignore"):
        if not np.isfinite(np.exp(named.get("log_trust", np.zeros((), np.float32)))):  # it is used as its exponential
            raise PolicyFileError(
                f"{path}: damaged policy file: weights: log_trust {named['log_trust']:g} is too large"
            )
    return named


def _read(path: Path) -> tuple[dict, bytes]:
    try:
        check_regular(path)
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


def _check(path: Path, metadata: dict, expected: dict[str, Any]) -> None:
    for key, needed in expected.items():
        found, words = metadata.get(key), key.replace("_", " ")
        if _is_same(found, needed):
            continue
        if isinstance(needed, dict):
            theirs = found if isinstance(found, dict) else {}
            names = sorted({*theirs, *needed})
            differ = [short_repr(name) for name in names if not _is_same(theirs.get(name), needed.get(name))]
            raise PolicyFileError(f"{path}: other {words} than this version of the game has: {', '.join(differ)}")
        raise PolicyFileError(f"{path}: {words} {short_repr(found)}, but this version of the game has {needed}")


def _is_same(found: Any, needed: Any) -> bool:
    """Return True if two JSON values are equal and of the same type; ``true`` and ``1.0`` differ from ``1``."""
    return json.dumps(found, sort_keys=True) == json.dumps(needed, sort_keys=True)

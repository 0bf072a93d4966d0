"""Checkpoints: one file that is replaced as a whole, loaded as data only."""

import random
import zipfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import torch

from dawn_env.errors import DawnError
from dawn_env.state import STATE
from dawn_env.support.atomic_files import atomic_write
from dawn_env.support.safe_text import first_line, short_repr
from dawn_env.validation.state_validity import check_state
from dawn_env.validation.untrusted_json import MAX_DEPTH, check_format, check_regular


class CheckpointError(DawnError, ValueError):
    """A checkpoint that is missing, damaged, of another version or of other settings, or a run in use."""


FILE = "checkpoint.pt"
FORMAT = 6
"""Goes up when ``Training`` needs other things."""


def save_checkpoint(folder: Path, settings: dict[str, Any], state: dict[str, Any]) -> None:
    """Write ``state`` (plain values, numpy arrays, tensors) to the folder of a run.

    ``settings``: plain values by name that must be the same when it is loaded.
    """
    buffer = BytesIO()  # torch would hide the error of a full disk
    torch.save({"format": FORMAT, "settings": settings, "state": _changed(state, _packed)}, buffer)
    with atomic_write(folder / FILE, "wb") as file:
        file.write(buffer.getbuffer())


def load_checkpoint(folder: Path, settings: dict[str, Any]) -> dict[str, Any]:
    """Read a saved state; raises ``CheckpointError`` if it is damaged or was saved with other ``settings``."""
    path = folder / FILE
    try:
        check_regular(path)
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
            if sum(member.file_size for member in members) > path.stat().st_size:  # torch packs nothing
                raise ValueError("its contents are larger than the file")
            if archive.testzip() is not None:  # torch does not look at checksums
                raise ValueError("its contents have changed")
        saved = torch.load(path, weights_only=True, map_location="cpu")
    except FileNotFoundError as error:
        raise CheckpointError(f"{folder} holds no checkpoint to resume from ({path.name} is missing)") from error
    except Exception as error:  # torch raises many kinds for damaged data
        raise CheckpointError(f"{path}: damaged checkpoint: {first_line(error)}") from error
    try:
        check_format(saved, FORMAT)
    except ValueError as error:
        raise CheckpointError(f"{path}: {error}") from None
    try:
        _check_size(saved)
        earlier, state = saved["settings"], _changed(saved["state"], _unpacked)
        pairs = {name: (earlier[name], value) for name, value in settings.items()}
        changed = [name for name, (old, new) in pairs.items() if not (type(old) is type(new) and old == new)]
    except Exception as error:  # whatever is in the file
        raise damaged(folder, error) from error
    for name in changed:
        values = f"{short_repr(earlier[name])} in the checkpoint, {short_repr(settings[name])} in the settings"
        raise CheckpointError(f"{path}: {name}: {values}; it cannot be changed in a run")
    return state


def damaged(folder: Path, error: Exception) -> CheckpointError:
    """The error for a checkpoint that holds something else than a run's state: ``error`` came up when it was used."""
    missing = f"{short_repr(error.args[0])} is missing" if isinstance(error, KeyError) and error.args else ""
    return CheckpointError(f"{folder / FILE}: damaged checkpoint: {missing or first_line(error)}")


_MOST_VALUES = 20_000_000
"""Values that a state may have; one that is found in several places counts in each."""


def _check_size(saved: Any) -> None:
    """Raise ``ValueError`` for values within each other too deeply, in circles, or too many to be looked at."""
    level, values = [saved], 1
    for _ in range(MAX_DEPTH + 1):
        tensors = [value for value in level if isinstance(value, torch.Tensor)]
        if any(one.numel() * one.element_size() > one.untyped_storage().nbytes() for one in tensors):
            raise ValueError("an array with more numbers than are stored of it")
        containers = [value for value in level if isinstance(value, (dict, list, tuple))]
        values += sum(map(len, containers))
        if values > _MOST_VALUES:
            raise ValueError("more values than a run has")
        level = [item for one in containers for item in (one.values() if isinstance(one, dict) else one)]
        if not level:
            return
    raise ValueError(f"more than {MAX_DEPTH} values within each other")


def seed_generators(seed: int) -> None:
    """Seed the generators of Python, numpy and torch."""
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)


def random_state() -> dict[str, Any]:
    """State of the generators that PPO and torch draw from."""
    state = {"torch": torch.get_rng_state(), "numpy": np.random.get_state(), "python": random.getstate()}
    return state | ({"cuda": torch.cuda.get_rng_state_all()} if torch.cuda.is_available() else {})


def restore_random_state(state: dict[str, Any]) -> None:
    """The counterpart of ``random_state``."""
    torch.set_rng_state(state["torch"])
    np.random.set_state(state["numpy"])
    random.setstate(state["python"])
    if torch.cuda.is_available() and "cuda" in state:
        torch.cuda.set_rng_state_all(state["cuda"])


# --- numpy arrays in a file without code ------------------------------------------------------------

_ARRAY, _GAMES = "__array__", "__games__"


def _changed(value: Any, change: Callable[[Any], Any]) -> Any:
    """Return ``value`` with ``change`` applied to it and, recursively, to its items."""
    value = change(value)
    if isinstance(value, dict):
        return {key: _changed(item, change) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(_changed(item, change) for item in value)
    return value


def _packed(value: Any) -> Any:
    """A numpy array as a marked tensor, game records as bytes."""
    if isinstance(value, np.ndarray):
        games = value.dtype == STATE
        return {_GAMES if games else _ARRAY: torch.from_numpy(value.view(np.uint8).copy() if games else value)}
    return value


def _unpacked(value: Any) -> Any:
    if isinstance(value, dict) and _GAMES in value:
        games = value[_GAMES].numpy().view(STATE)
        for game in games:
            check_state(game)  # compiled code relies on what is in it
        return games
    return value[_ARRAY].numpy() if isinstance(value, dict) and _ARRAY in value else value

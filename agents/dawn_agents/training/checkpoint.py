"""Checkpoints: one file that is replaced as a whole, loaded as data only."""

import random
import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import torch

from dawn_env.errors import DawnError
from dawn_env.state import STATE
from dawn_env.support.atomic_files import atomic_write
from dawn_env.support.safe_text import first_line, short_repr
from dawn_env.validation.untrusted_json import check_format


class CheckpointError(DawnError, ValueError):
    """A checkpoint that is missing, damaged, of another version or of other settings, or a run in use."""


FILE = "checkpoint.pt"
FORMAT = 3
"""Goes up when ``Training`` needs other things."""


def save_checkpoint(folder: Path, settings: dict[str, Any], state: dict[str, Any]) -> None:
    """Write ``state`` (plain values, numpy arrays, tensors) to the folder of a run.

    ``settings``: plain values by name that must be the same when it is loaded.
    """
    buffer = BytesIO()  # torch would hide the error of a full disk
    torch.save({"format": FORMAT, "settings": settings, "state": _packed(state)}, buffer)
    with atomic_write(folder / FILE, "wb") as file:
        file.write(buffer.getbuffer())


def load_checkpoint(folder: Path, settings: dict[str, Any]) -> dict[str, Any]:
    """Read a saved state; raises ``CheckpointError`` if it is damaged or was saved with other ``settings``."""
    path = folder / FILE
    try:
        with zipfile.ZipFile(path) as archive:
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
    earlier = saved["settings"]
    for name, value in settings.items():
        if earlier[name] != value:
            values = f"{short_repr(earlier[name])} in the checkpoint, {short_repr(value)} in the settings"
            raise CheckpointError(f"{path}: {name}: {values}; it cannot be changed in a run")
    return _unpacked(saved["state"])


def random_state() -> dict[str, Any]:
    """State of the generators that PPO and torch draw from."""
    kind, keys, *rest = np.random.get_state()
    state = {"torch": torch.get_rng_state(), "numpy": [kind, torch.from_numpy(keys.astype(np.int64)), *rest]}
    state["python"] = random.getstate()
    if torch.cuda.is_available():
        state["cuda"] = torch.cuda.get_rng_state_all()
    return state


def restore_random_state(state: dict[str, Any]) -> None:
    """The counterpart of ``random_state``."""
    torch.set_rng_state(state["torch"])
    kind, keys, *rest = state["numpy"]
    np.random.set_state((kind, np.asarray(keys).astype(np.uint32), *rest))
    version, words, gauss = state["python"]
    random.setstate((version, tuple(words), gauss))
    if torch.cuda.is_available() and "cuda" in state:
        torch.cuda.set_rng_state_all(state["cuda"])


# --- numpy arrays in a file without code ------------------------------------------------------------

_ARRAY, _GAMES = "__array__", "__games__"


def _packed(value: Any) -> Any:
    """``value`` with numpy arrays as marked tensors, game records as bytes."""
    if isinstance(value, np.ndarray):
        if value.dtype == STATE:
            return {_GAMES: torch.from_numpy(value.view(np.uint8).copy())}
        return {_ARRAY: torch.from_numpy(value)}
    if isinstance(value, dict):
        return {key: _packed(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(_packed(item) for item in value)
    return value


def _unpacked(value: Any) -> Any:
    if isinstance(value, dict):
        if _GAMES in value:
            return value[_GAMES].numpy().view(STATE)
        if _ARRAY in value:
            return value[_ARRAY].numpy()
        return {key: _unpacked(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(_unpacked(item) for item in value)
    return value

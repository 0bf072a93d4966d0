"""Checkpoints: one file that is replaced as a whole, loaded as data only."""

import random
from pathlib import Path
from typing import Any

import numpy as np
import torch

from dawn_agents.error_text import first_line
from dawn_agents.files import whole_file
from dawn_agents.networks.tensor_file import DamagedTensors, load_tensors
from dawn_env.state import STATE
from dawn_env.support.plain_text import quoted


class CheckpointError(ValueError):
    """A checkpoint that is missing, damaged or of another version."""


FILE = "checkpoint.pt"
FORMAT = 1
"""Goes up when ``Training`` saves other things."""


def save_checkpoint(folder: Path, state: dict[str, Any]) -> None:
    """Write ``state`` (plain values, numpy arrays, tensors) to the folder of a run."""
    with whole_file(folder / FILE, "wb") as file:
        torch.save({"format": FORMAT, "state": _packed(state)}, file)


def load_checkpoint(folder: Path) -> dict[str, Any]:
    """Read what was saved; raises ``CheckpointError``."""
    path = folder / FILE
    try:
        with open(path, "rb") as file:
            saved = load_tensors(file)
    except FileNotFoundError as error:
        raise CheckpointError(f"{folder} holds no checkpoint to resume from ({path.name} is missing)") from error
    except (OSError, DamagedTensors) as error:
        raise CheckpointError(f"{path}: damaged checkpoint: {first_line(error)}") from error
    found = saved.get("format") if isinstance(saved, dict) else None
    if found != FORMAT:
        raise CheckpointError(f"{path}: format {quoted(found)}, but this version reads {FORMAT}")
    try:
        return _unpacked(saved["state"])
    except (KeyError, ValueError, TypeError, AttributeError, RuntimeError) as error:
        raise CheckpointError(f"{path}: damaged checkpoint: {first_line(error)}") from error


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

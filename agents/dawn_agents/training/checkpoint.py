"""Checkpoints: one file that is replaced as a whole, loaded as data only."""

import random
from collections.abc import Callable
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
import torch
from annotated_types import Interval, MinLen
from pydantic import StringConstraints

from dawn_agents.networks.tensor_file import DamagedTensors, load_tensors
from dawn_env.envs.seat_games import LearnerGames
from dawn_env.errors import DawnError
from dawn_env.game import Game
from dawn_env.players import Player
from dawn_env.state import STATE
from dawn_env.support.atomic_files import atomic_write
from dawn_env.support.safe_text import first_line, short_repr
from dawn_env.tables import SIDE_NAMES
from dawn_env.validation.checked_input import FROM_LIST, keyed, read
from dawn_env.validation.untrusted_json import check_format


class CheckpointError(DawnError, ValueError):
    """A checkpoint that is missing, damaged, of another version or of other settings, or a run in use."""


FILE = "checkpoint.pt"
FORMAT = 3
"""Goes up when ``Training`` saves other things."""


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
        with open(path, "rb") as file:
            saved = load_tensors(file)
    except FileNotFoundError as error:
        raise CheckpointError(f"{folder} holds no checkpoint to resume from ({path.name} is missing)") from error
    except (OSError, DamagedTensors) as error:
        raise CheckpointError(f"{path}: damaged checkpoint: {first_line(error)}") from error
    try:
        check_format(saved, FORMAT)
    except ValueError as error:
        raise CheckpointError(f"{path}: {error}") from None
    try:
        earlier = saved["settings"]
        changed = [name for name in settings if earlier[name] != settings[name]]
        state = _unpacked(saved["state"])
    except (KeyError, ValueError, TypeError, AttributeError, RuntimeError) as error:
        raise CheckpointError(f"{path}: damaged checkpoint: {first_line(error)}") from error
    for name in changed:
        values = f"{short_repr(earlier[name])} in the checkpoint, {short_repr(settings[name])} in the settings"
        raise CheckpointError(f"{path}: {name}: {values}; it cannot be changed in a run")
    return state


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


_LARGEST = 2**53
_Count = Annotated[int, Interval(ge=0, le=_LARGEST)]
_Side = Literal[SIDE_NAMES]
_Share = Annotated[float, Interval(ge=0, le=1)]
_Past = tuple[Annotated[str, StringConstraints(pattern=r"^past-\d+$")], _Share]
_Counts = dict.fromkeys(("games", "wins", "draws", "losses", "decisions"), _Count)
_Results = dict[tuple[str, _Side], keyed(_Counts | {"vp": Annotated[int, Interval(ge=-_LARGEST, le=_LARGEST)]})]
_LISTS = {"players": Annotated[list[str], MinLen(1)], "results": _Results}  # of games, besides arrays


@cache
def _run_state(sides: tuple[str, ...]) -> Any:
    """Type of the state of a run in which these sides learn."""

    def by_side(kind: Any) -> Any:
        return keyed(dict.fromkeys(sides, kind))

    return keyed({
        "iteration": _Count,
        "seconds": Annotated[float, Interval(ge=0, le=_LARGEST)],
        "history": list[dict[str, Any]],
        "best_scores": list[Annotated[tuple[_Side, str, _Count, _Count, _Count], FROM_LIST]],
        "best_rates": by_side(Annotated[float, Interval(ge=-1, le=1)]),
        "origins": dict[_Side, dict[str, Any]],
        "learners": by_side(dict[str, Any]),
        "idle": dict[_Side, dict[str, Any]],
        "pools": by_side(keyed({"past": list[Annotated[_Past, FROM_LIST]]})),
        "random": keyed({"torch": Any, "numpy": Any, "python": Any}, {"cuda": Any}),
    })  # fmt: skip


def expect(right: bool, where: str, what: str, value: Any) -> None:
    """Raise unless ``right``."""
    if not right:
        raise CheckpointError(f"{where}: {what} expected, not {short_repr(value)}")


def check_like(where: str, saved: Any, model: Any) -> None:
    """Keys, arrays, tensors and counts like those of ``model``, the state of what is to go on; all numbers finite.

    Raises ``ValueError``.
    """
    if isinstance(model, dict):
        right = isinstance(saved, dict) and set(saved) == set(model)
        expect(right, where, f"the keys {', '.join(map(str, model))}", saved)
        for name, value in model.items():
            check_like(f"{where}.{name}", saved[name], value)
    elif isinstance(model, np.ndarray | torch.Tensor):
        _check_array(where, saved, model)
    else:
        read(_Count, saved, where)


def _check_array(where: str, saved: Any, model: np.ndarray | torch.Tensor) -> None:
    kind = np.ndarray if isinstance(model, np.ndarray) else torch.Tensor
    right = isinstance(saved, kind) and (saved.dtype, saved.shape) == (model.dtype, model.shape)
    right = right and (kind is np.ndarray or saved.layout == torch.strided)
    found = f"{saved.dtype} {tuple(saved.shape)}" if isinstance(saved, np.ndarray | torch.Tensor) else saved
    expect(right, where, f"{model.dtype} {tuple(model.shape)}", found)
    if model.dtype != STATE:
        expect(bool(torch.as_tensor(saved).isfinite().all()), where, "finite numbers", "others")


# --- parts of the state ---------------------------------------------------------------------------


def check_run(state: Any, sides: tuple[str, ...]) -> None:
    """Everything but the learners of these ``sides``; raises ``ValueError``."""
    read(_run_state(sides), state, "state")
    _check_history(state["history"])
    for side in sides:
        learner = state["learners"][side]
        expect(isinstance(learner, dict) and "games" in learner, f"learners.{side}", "games among others", learner)
    for *_, games, wins, draws in state["best_scores"]:
        counts = games, wins, draws
        expect(games >= max(1, wins + draws), "best_scores", "at least one game, and one for each win and draw", counts)


def _check_history(history: list[dict[str, Any]]) -> None:
    for row, figures in enumerate(history):
        where = f"history, row {row}"
        expect({"iteration", "decisions"} <= set(figures), where, "figures by name", figures)
        for name, value in figures.items():
            expect(type(value) in (int, float), f"{where}, {name}", "a number", value)
        read(_Count, figures["decisions"], f"{where}, decisions")


def check_ppo(where: str, saved: Any, model: dict[str, Any], parameters: list[torch.Tensor]) -> None:
    """The state of a ``MaskablePpo``; ``model``: that of the one that is to go on from it, with these parameters."""
    optimizer, place = saved.get("optimizer"), f"{where}.optimizer"
    moments = optimizer.get("state") if isinstance(optimizer, dict) else None
    known = isinstance(moments, dict) and set(moments) <= set(range(len(parameters)))
    expect(known, place, f"moments of the parameters 0 ... {len(parameters) - 1}", moments)
    expected = {
        index: {"step": torch.tensor(1.0), "exp_avg": parameters[index], "exp_avg_sq": parameters[index]}
        for index in moments
    }
    check_like(where, saved | {"optimizer": moments}, model | {"optimizer": expected})
    for index, kept in moments.items():
        sound = bool(kept["step"] >= 1 and (kept["exp_avg_sq"] >= 0).all())
        expect(sound, f"{place}.{index}", "steps from 1 on, squares from 0 on", "others")


def restore_games(side: str, games: LearnerGames, saved: Any, find: Callable[[str], Player]) -> None:
    """Have the ``games`` of the learner of a side go on as they were saved; ``find`` gives the opponents by name."""
    where, model = f"{side}.games", games.state()
    arrays = {name: value for name, value in model.items() if name not in _LISTS}
    read(keyed(dict.fromkeys(arrays, Any) | _LISTS), saved, where)
    check_like(where, {name: saved[name] for name in arrays}, arrays)
    plays, least = saved["_plays"], int(saved["_learner_decisions"].min())
    known = bool(((plays >= 0) & (plays < len(saved["players"]))).all())
    expect(known, where, "one of the players in each game", plays)
    expect(np.array_equal(saved["sides"], model["sides"]), where, "the learner's side in each game", saved["sides"])
    expect(least >= 0, where, "counts of decisions", least)
    for state in saved["states"]:
        Game.from_bytes(state.tobytes())  # raises unless it is one
    games.restore(saved, {name: find(name) for name in saved["players"]})
    seen, legal = games.layout.views(games.states, games.sides)  # or illegal actions would be taken
    expect(np.array_equal(legal, games.masks), where, "the masks of its games", "others")
    expect(np.array_equal(seen, games.observations), where, "the views of its games", "others")

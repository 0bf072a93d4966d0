"""Checkpoints: one file that is replaced as a whole, loaded as data only."""

import random
from collections.abc import Callable, Collection
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
import torch
from annotated_types import Interval, MinLen
from pydantic import StringConstraints

from dawn_agents.networks.tensor_file import DamagedTensors, check_finite, load_tensors
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
FORMAT = 2
"""Goes up when ``Training`` saves other things."""


def save_checkpoint(folder: Path, settings: dict[str, Any], state: dict[str, Any]) -> None:
    """Write ``state`` (plain values, numpy arrays, tensors) to the folder of a run.

    ``settings``: plain values by name that must be the same when it is loaded.
    """
    with atomic_write(folder / FILE, "wb") as file:
        torch.save({"format": FORMAT, "settings": settings, "state": _packed(state)}, file)


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


_MOMENTS = ("step", "exp_avg", "exp_avg_sq")  # what Adam keeps of each parameter
_LARGEST = 2**53
_Count = Annotated[int, Interval(ge=0, le=_LARGEST)]
_Side = Literal[SIDE_NAMES]
_Share = Annotated[float, Interval(ge=0, le=1)]
_Past = tuple[Annotated[str, StringConstraints(pattern=r"^past-\d+$")], _Share]
_Counts = dict.fromkeys(("games", "wins", "draws", "losses", "decisions"), _Count)
_Results = dict[tuple[str, _Side], keyed(_Counts | {"vp": Annotated[int, Interval(ge=-_LARGEST, le=_LARGEST)]})]


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
        "pools": by_side(keyed({"past": list[Annotated[_Past, FROM_LIST]]})),
        "random": keyed({"torch": Any, "numpy": Any, "python": Any}, {"cuda": Any}),
    })  # fmt: skip


def expect(right: bool, where: str, what: str, value: Any) -> None:
    """Raise unless ``right``."""
    if not right:
        raise CheckpointError(f"{where}: {what} expected, not {short_repr(value)}")


def keys(where: str, value: Any, names: Collection[str]) -> None:
    """A dictionary with these keys."""
    expect(isinstance(value, dict) and set(value) == set(names), where, f"the keys {', '.join(names)}", value)


def sequence(where: str, value: Any, length: int) -> None:
    """A list or tuple of this length."""
    expect(isinstance(value, list | tuple) and len(value) == length, where, f"a list of {length}", value)


def alike(where: str, value: Any, model: Any) -> None:
    """An array or tensor of the type and shape of ``model``."""
    right = type(value) is type(model) and (value.dtype, value.shape) == (model.dtype, model.shape)
    right = right and (isinstance(value, np.ndarray) or value.layout == torch.strided)
    found = f"{value.dtype} {tuple(value.shape)}" if isinstance(value, np.ndarray | torch.Tensor) else value
    expect(right, where, f"{model.dtype} {tuple(model.shape)}", found)


# --- parts of the state ---------------------------------------------------------------------------


def check_run(state: Any, sides: tuple[str, ...]) -> None:
    """Everything but the learners of these ``sides``; raises ``ValueError``."""
    read(_run_state(sides), state, "state")
    _check_history(state["history"])
    for side in sides:
        learner = state["learners"][side]
        expect("games" in learner, f"learners.{side}", "games among others", learner)
    for *_, games, wins, draws in state["best_scores"]:
        counts = games, wins, draws
        expect(games >= max(1, wins + draws), "best_scores", "at least one game, and one for each win and draw", counts)
    _check_random(state["random"])


def _check_random(random: Any) -> None:
    """The parts that are large, so that nothing grows beyond what it was; numpy, torch and Python check the rest."""
    sequence("random.numpy", random["numpy"], 5)
    alike("random.numpy", random["numpy"][1], torch.from_numpy(np.random.get_state()[1].astype(np.int64)))
    alike("random.torch", random["torch"], torch.get_rng_state())
    sequence("random.python", random["python"], 3)


def _check_history(history: list[dict[str, Any]]) -> None:
    for row, figures in enumerate(history):
        where = f"history, row {row}"
        expect({"iteration", "decisions"} <= set(figures), where, "figures by name", figures)
        for name, value in figures.items():
            expect(type(value) in (int, float), f"{where}, {name}", "a number", value)
        read(_Count, figures["decisions"], f"{where}, decisions")


def check_arrays(where: str, saved: Any, model: dict[str, Any]) -> None:
    """Keys, arrays and counts like those of ``model``, the state of the learner that is to go on; all numbers finite.

    Raises ``ValueError``.
    """
    keys(where, saved, model)
    for name, value in model.items():
        if isinstance(value, np.ndarray):
            alike(f"{where}.{name}", saved[name], value)
            expect(bool(np.isfinite(saved[name]).all()), f"{where}.{name}", "finite numbers", "others")
        else:
            read(_Count, saved[name], f"{where}.{name}")


def check_ppo(where: str, saved: Any, model: dict[str, Any], parameters: list[torch.Tensor]) -> None:
    """The state of a ``MaskablePpo``; ``model``: that of the one that is to go on from it, with these parameters."""
    keys(where, saved, model)
    read(_Count, saved["decisions"], f"{where}.decisions")
    for name in ("observations", "starts"):
        alike(f"{where}.{name}", saved[name], model[name])
    keys(f"{where}.policy", saved["policy"], model["policy"])
    for name, value in model["policy"].items():
        alike(f"{where}.policy, {name}", saved["policy"][name], value)
    check_finite(saved["policy"])
    _check_optimizer(f"{where}.optimizer", saved["optimizer"], model["optimizer"], parameters)


def restore_games(side: str, games: LearnerGames, saved: Any, find: Callable[[str], Player]) -> None:
    """Have the ``games`` of the learner of a side go on as they were saved; ``find`` gives the opponents by name."""
    where = f"{side}.games"
    _check_games(where, saved, games.state())
    for state in saved["states"]:
        Game.from_bytes(state.tobytes())  # raises unless it is one
    games.restore(saved, {name: find(name) for name in saved["players"]})
    seen, legal = games.layout.views(games.states, games.sides)  # or illegal actions would be taken
    expect(np.array_equal(legal, games.masks), where, "the masks of its games", "others")
    expect(np.array_equal(seen, games.observations), where, "the views of its games", "others")


def _check_games(where: str, games: Any, model: dict[str, Any]) -> None:
    keys(where, games, model)
    for name, value in model.items():
        if isinstance(value, np.ndarray):
            alike(f"{where}.{name}", games[name], value)
    players, plays = games["players"], games["_plays"]
    read(Annotated[list[str], MinLen(1)], players, f"{where}.players")
    expect(bool(((plays >= 0) & (plays < len(players))).all()), where, "one of the players in each game", plays)
    expect(bool((games["sides"] == model["sides"]).all()), where, "the learner's side in each game", games["sides"])
    least = int(games["_learner_decisions"].min())
    expect(least >= 0, where, "counts of decisions", least)
    read(_Results, games["results"], f"{where}.results")


def _check_optimizer(where: str, saved: Any, model: dict[str, Any], parameters: list[torch.Tensor]) -> None:
    """The settings of Adam must be the same, but for the step size, which is set anew before every update."""
    keys(where, saved, model)
    groups, expected = saved["param_groups"], model["param_groups"]
    sequence(where, groups, len(expected))
    for group, right in zip(groups, expected, strict=True):
        keys(where, group, right)
        read(_Share, group["lr"], f"{where}.lr")
        for name in set(right) - {"lr"}:
            same = type(group[name]) is type(right[name]) and group[name] == right[name]
            expect(same, f"{where}.{name}", short_repr(right[name]), group[name])
    expect(isinstance(saved["state"], dict), where, "moments by parameter", saved["state"])
    for index, moments in saved["state"].items():
        place = f"{where}, parameter {short_repr(index)}"
        expect(type(index) is int and 0 <= index < len(parameters), place, f"0 ... {len(parameters) - 1}", index)
        _check_moments(place, moments, parameters[index])


def _check_moments(where: str, moments: Any, parameter: torch.Tensor) -> None:
    keys(where, moments, _MOMENTS)
    for name in ("exp_avg", "exp_avg_sq"):
        alike(f"{where}.{name}", moments[name], parameter.detach().cpu())
    alike(f"{where}.step", moments["step"], torch.tensor(1.0))
    check_finite(moments)
    expect(bool(moments["step"] >= 1), f"{where}.step", "a number from 1 on", moments["step"])
    expect(bool((moments["exp_avg_sq"] >= 0).all()), f"{where}.exp_avg_sq", "numbers from 0 on", "others")

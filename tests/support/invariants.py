"""Invariants of a game after every decision."""

from collections.abc import Callable

import numpy as np

from dawn_env.state import MAX_FRAMES, Decision, Result, Zone
from dawn_env.tables import FACE_COUNT, TIANANMEN_BOXES

MAX_VP, MAX_SUPPORT = 150, 200
"""Far beyond what a game reaches; a number that runs away passes them."""


def broken(states: np.ndarray) -> list[str]:
    """Violated invariants of the games ``[B]``, as text; empty if there are none."""
    return [words for words, holds in _INVARIANTS.items() if not np.all(holds(states))]


def _destroyed_is_empty(states: np.ndarray) -> np.ndarray:
    rows = np.flatnonzero(states["destroyed"] >= 0)
    return states["support"][rows, :, states["destroyed"][rows]] == 0


def _undecided(states: np.ndarray) -> np.ndarray:
    free = (states["result"] == Result.RUNNING) & (states["victory_waits"] == 0)
    return np.abs(states["vp"][free].astype(int)) < 20


def _between(name: str, low: int, high: int) -> Callable[[np.ndarray], np.ndarray]:
    return lambda states: (states[name] >= low) & (states[name] <= high)


def _running(holds: Callable[[np.ndarray], np.ndarray]) -> Callable[[np.ndarray], np.ndarray]:
    return lambda states: holds(states) | (states["result"] != Result.RUNNING)


_INVARIANTS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "each card lies in one zone": lambda s: (s["where"][:, 1:] > Zone.NOWHERE) & (s["where"][:, 1:] <= Zone.HAND + 1),
    "there is no card 0": lambda s: s["where"][:, 0] == Zone.NOWHERE,
    "each struggle card lies in one zone": lambda s: s["power_cards"].sum(axis=1) == FACE_COUNT,
    "no zone holds less than no struggle cards": lambda s: s["power_cards"] >= 0,
    "known cards lie in hands, or were set aside": lambda s: (
        (s["known"] == 0) | (s["where"] >= Zone.HAND) | (s["where"] == Zone.SET_ASIDE)
    ),
    "support is within bounds": _between("support", 0, MAX_SUPPORT),
    "a destroyed space is empty": _destroyed_is_empty,
    "tracks are within bounds": _between("track", 0, TIANANMEN_BOXES),
    "Power has a holder": _between("power", 0, 1),
    "countries are scored from 0 times on": lambda s: s["times_scored"] >= 0,
    "prudence lowers": lambda s: s["prudence"] <= 0,
    "VP are within bounds": _between("vp", -MAX_VP, MAX_VP),
    "20 VP end the game": _undecided,
    "no error is left": lambda s: s["error"] == 0,
    "something is being resolved": _between("depth", 1, MAX_FRAMES - 1),
    "a side acts": _between("actor", 0, 1),
    "turns are within bounds": _between("turn", 0, 10),
    "rounds are within bounds": _between("action_round", 0, 8),
    "legal actions are counted": _running(lambda s: s["legal_count"] == s["legal"].sum(axis=1)),
    "a decision leaves a choice": _running(lambda s: s["legal_count"] >= 2),
    "a running game asks": _running(lambda s: s["decision"] != Decision.NONE),
}

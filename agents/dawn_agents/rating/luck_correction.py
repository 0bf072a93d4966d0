"""The luck of a game in points: the fitted share of every correction, added up."""

import hashlib
import json
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

import numpy as np

from dawn_agents.rating.chance_resampling import PERIODS, ChanceKind, chance_corrections
from dawn_env.options import STANDARD, GameOptions

_SOURCES = {
    "dawn_agents.rating": ("chance_resampling.py", "shares.json"),
    "dawn_agents.value": (
        "position_features.py",
        "regression.json",
        "struggle_features.py",
        "win_probability_regression.py",
    ),  # fmt: skip
}


def is_measured(options: GameOptions) -> bool:
    """Return True if luck is measured in games with these options; family mode lacks an evaluation."""
    return not options.is_family


def luck(seed: int, actions: Sequence[int], options: GameOptions = STANDARD) -> float:
    """Luck of the Democrat in points, in the game of that seed and these actions.

    Its mean is zero, whoever plays. Raises ``IllegalAction`` when there is no such game.
    """
    return float((shares() * chance_corrections(seed, actions, options)).sum())


@cache
def shares() -> np.ndarray:
    """float64 [KINDS, PERIODS]: by kind of step and period, as ``fit_shares`` has written them."""
    kept = json.loads(_read("dawn_agents.rating", "shares.json"))["shares"]
    return np.array([np.broadcast_to(kept[kind.name.lower()], PERIODS) for kind in ChanceKind])


@cache
def version() -> str:
    """Eight hexadecimal digits that change with whatever luck depends on, but for the rules."""
    digest = hashlib.sha256()
    for package, names in _SOURCES.items():
        for name in names:
            digest.update(_read(package, name).encode())
    return digest.hexdigest()[:8]


def _read(package: str, name: str) -> str:
    return files(package).joinpath(name).read_text(encoding="utf-8")

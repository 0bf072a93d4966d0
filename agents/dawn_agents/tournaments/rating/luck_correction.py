"""The luck of a game in points: the fitted share of every correction, added up."""

import hashlib
import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np

from dawn_agents.players.win_probability import win_probability_regression
from dawn_agents.tournaments.rating.chance_resampling import PERIODS, ChanceKind, chance_corrections
from dawn_env.native.sources import modules_digest
from dawn_env.options import STANDARD, GameOptions

_SHARES = Path(__file__).with_name("shares.json")


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
    """Shares of luck float64 [KINDS, PERIODS], by kind of step and period, from the file that ``fit_shares`` writes."""
    kept = json.loads(_SHARES.read_text(encoding="utf-8"))["shares"]
    return np.array([np.broadcast_to(kept[kind.name.lower()], PERIODS) for kind in ChanceKind])


@cache
def version() -> str:
    """Eight hexadecimal digits that change with the code and the fitted files that luck depends on."""
    digest = hashlib.sha256(modules_digest([__name__]).encode())
    for path in (_SHARES, win_probability_regression.FILE):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:8]

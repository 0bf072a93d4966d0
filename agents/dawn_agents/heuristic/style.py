"""Weights of the rule-based player, and the styles it can be asked to play in."""

from dataclasses import dataclass, fields, replace

import numpy as np


@dataclass(frozen=True)
class Weights:
    """Weights of a style, in victory points."""

    progress: float = 0.6  # share of a controlled space's worth that support short of control has
    cushion: float = 0.08  # worth of each of two points beyond control, as a share of the space
    foothold: float = 0.08  # a space with own support, from which one can go on
    scoring: float = 1.3  # points of countries when they are scored
    struggle: float = 0.35  # victory points and losses of power struggles
    topple: float = 0.3  # chance that a struggle won by the Democrat topples, times its value
    event: float = 1.3  # own events against operations
    fear: float = 1.2  # the opponent's events on cards one plays
    track: float = 1.0  # boxes of the Tiananmen Square track
    patience: float = 0.3  # holding back a scoring card, per round that is left


WEIGHTS = np.dtype((np.record, [(field.name, "f8") for field in fields(Weights)]))
"""The same as a record."""

_BALANCED = Weights()
STYLES = {
    "balanced": _BALANCED,
    "board": replace(_BALANCED, event=0.8, track=0.5),
    "events": replace(_BALANCED, event=1.8, fear=1.5),
    "struggle": replace(_BALANCED, struggle=1.0, topple=0.6),
    "track": replace(_BALANCED, track=2.0),
}
"""The styles by name; ``balanced`` is the strongest."""

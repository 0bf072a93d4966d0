"""The opponents on offer."""

from collections.abc import Iterable, Sequence

from agents.registry import PLAYERS
from agents.specification import Unavailable, load, split
from dawn_env.options import GameOptions
from dawn_env.state import MODES

_STANDARD = MODES[:1]
_SHOWN = (
    ("random", "Random", 0, "takes any legal action", MODES),
    ("greedy", "Greedy", 567, "looks one decision ahead", MODES),
    ("heuristic:style=events", "Rules of thumb, fond of events", 1875, "answers at once", _STANDARD),
    ("heuristic", "Rules of thumb", 1878, "answers at once", MODES),
    ("pretrained", "Trained policy", 2130, "answers at once", _STANDARD),
    ("search:sims=50", "Search, 50 simulations", None, "thinks a moment", MODES),
    ("search", "Search, 200 simulations", 2353, "thinks a moment", MODES),
    ("search:sims=2000", "Search, 2000 simulations", None, "thinks for a while", MODES),
)
"""Specification, name, Elo points above ``random`` (``docs/ladder.md``), how it plays, modes that it plays."""


def offers(more: Sequence[str] = ()) -> list[dict]:
    """The players that can be made here, weakest first, then those named ``more``, as JSON values."""
    shown = [
        {"spec": spec, "name": name, "rating": rating, "note": note, "modes": modes}
        for spec, name, rating, note, modes in _SHOWN
        if _can_be_made(spec)
    ]
    return shown + [{"spec": spec, "name": spec, "rating": None, "note": "", "modes": MODES} for spec in more]


def _can_be_made(spec: str) -> bool:
    """Whether the packages that a player needs are there."""
    try:
        load("player", PLAYERS, split("player", PLAYERS, spec)[0])
    except Unavailable:
        return False
    return True


def on_offer(offered: Iterable[dict], options: GameOptions) -> set[str]:
    """Specifications of the players on offer for a game with these options."""
    return {offer["spec"] for offer in offered if options.mode in offer["modes"]}

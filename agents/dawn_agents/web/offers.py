"""The opponents on offer."""

from collections.abc import Iterable, Sequence

from dawn_agents.registry import PLAYERS
from dawn_agents.specification import Unavailable, load, split
from dawn_agents.strength.scale import read_scale
from dawn_env.options import GameOptions
from dawn_env.state import MODES

_STANDARD = MODES[:1]
_SHOWN = (
    ("random", "Random", "takes any legal action", MODES),
    *(
        (f"heuristic:level={level}", f"Rules of thumb, level {level}", "answers at once", MODES)
        for level in range(1, 10)
    ),
    ("heuristic", "Rules of thumb", "answers at once", MODES),
    (
        "search:sims=16,plays=1,margin=0.5,guide=heuristic",
        "Rules of thumb, 16 simulations",
        "answers nearly at once",
        _STANDARD,
    ),
    ("tuned", "Corrected rules of thumb", "answers at once", _STANDARD),
    ("pretrained", "Trained policy", "answers at once", _STANDARD),
    ("search:sims=32", "Search, 32 simulations", "answers nearly at once", _STANDARD),
    ("search", "Search, 200 simulations", "thinks a moment", MODES),
)
"""Specification, name, how it plays, modes that it plays: the players of the standing scale."""


def offers(more: Sequence[str] = ()) -> list[dict]:
    """The players that can be made here, weakest first, then those named ``more``, as JSON values."""
    rated = read_scale().ratings()
    shown = [
        {"spec": spec, "name": name, "rating": round(rated[spec].both.rating), "note": note, "modes": modes}
        for spec, name, note, modes in _SHOWN
        if _can_be_made(spec)
    ]
    return shown + [{"spec": spec, "name": spec, "rating": None, "note": "", "modes": MODES} for spec in more]


def _can_be_made(spec: str) -> bool:
    """Return True if the packages that a player needs are there."""
    try:
        load("player", PLAYERS, split("player", PLAYERS, spec)[0])
    except Unavailable:
        return False
    return True


def on_offer(offered: Iterable[dict], options: GameOptions) -> set[str]:
    """Specifications of the players on offer for a game with these options."""
    return {offer["spec"] for offer in offered if options.mode in offer["modes"]}

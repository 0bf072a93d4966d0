"""Play-outs for programs: games from a position on, hidden cards dealt anew, by a compiled player to their ends."""

from functools import cache

import numpy as np

from dawn_agents.registry import make_player
from dawn_agents.specification import BadSpec
from dawn_env import engine
from dawn_env.bids import is_bid
from dawn_env.host.host import Host
from dawn_env.options import GameOptions
from dawn_env.players import Player
from dawn_env.state import Decision, take_states
from dawn_env.support.safe_text import short_repr
from dawn_env.tables import SIDES

PLAYOUT_PLAYERS = ("pretrained", "heuristic", "random")
"""Players of play-outs, the first if none is named; options may follow, as in ``heuristic:level=3``."""


@cache
def playout_player(specification: str) -> Player:
    """A compiled player by name; raises ``ValueError``."""
    if specification.partition(":")[0] not in PLAYOUT_PLAYERS:
        raise ValueError(f"player: {', '.join(PLAYOUT_PLAYERS)} expected, not {short_repr(specification)}")
    try:
        return make_player(specification)
    except BadSpec as error:
        raise ValueError(f"player: {error}") from None


def playouts(state: np.ndarray, side: int, seeds: np.ndarray, player: Player) -> dict[str, list]:
    """Results and final VP (Democrat positive) of a play-out for each of ``seeds`` int64 [n].

    ``state`` STATE [1] with a decision pending; what ``side`` cannot know is dealt anew. Raises ``ValueError``.
    """
    if state["decision"][0] == Decision.NONE or is_bid(state["decision"][0]):
        raise ValueError("playout: a position with a decision to take, and sides known, expected")
    dealt = engine.redeal(take_states(state, np.zeros(len(seeds), np.int64)), side, seeds)
    host = Host(len(seeds), GameOptions.of_state(state[0]), on_failure="forfeit")
    rows = np.arange(len(seeds))
    host.resume(rows, dealt, np.full((len(seeds), SIDES), host.register(player)))
    while host.unfinished:
        host.advance()
    endings = sorted(host.ended_games(), key=lambda ending: ending.row)
    if any(ending.failure for ending in endings):
        raise ValueError(f"playout: {player.name} cannot play this game to its end")
    return {"result": [ending.result for ending in endings], "vp": [ending.vp for ending in endings]}

"""Events of a bid: offers stay secret until both are made."""

from dawn_env.bids import PLAYER_NAMES
from dawn_env.events.board_changes import Event, side_changes
from dawn_env.events.secret_questions import EVERYTHING
from dawn_env.game import Game
from dawn_env.state import Decision
from dawn_env.tables import SIDE_NAMES

_SECRET = (Decision.OFFER_SIDE, Decision.OFFER_POINTS)


def bid_events(before: Game, after: Game, action: str, player: int) -> list[Event]:
    """Events of the step ``action`` of a bid for the first (0) or the second ``player`` (1), or for others."""
    was_secret, is_secret = (game.state.decision in _SECRET for game in (before, after))
    decided = {"event": "decision", "who": PLAYER_NAMES[before.actor], "decision": before.decision, "action": action}
    if is_secret:
        return [decided] if player in (before.actor, EVERYTHING) else []
    return (_offers(after) if was_secret else [decided]) + side_changes(before, after)


def _offers(game: Game) -> list[Event]:
    """Both, and the dice where they are equal."""
    offers = game.state.offers.tolist()
    events = [
        {"event": "offer", "who": who, "side": SIDE_NAMES[side], "points": points}
        for who, (side, points) in zip(PLAYER_NAMES, offers, strict=True)
    ]
    equal = [{"event": "equal-offers", "dice": game.chance["dice"][-2:]}] if offers[0] == offers[1] else []
    return events + equal

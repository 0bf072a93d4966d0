"""Observer of a game from one seat, step by step.

Nothing hidden from it is told, nor which questions it raised. What is told must be the same whether the opponent was
asked in secret and declined, or was not asked at all. So a side is told nothing while such a question waits for its
answer; afterwards it is told everything since its last news in one go.
"""

from dawn_env.bids import PLAYER_NAMES, is_bid
from dawn_env.events.board_changes import Event, side_changes
from dawn_env.events.secret_questions import EVERYTHING, asked_in_secret
from dawn_env.events.step_summary import StepSummary
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


class Witness:
    """Observer of a game from one seat."""

    def __init__(self, seat: int):
        """``seat``: 0 Democrat, 1 Communist, in games with a bid the first and the second player; or ``PUBLIC``, or
        ``EVERYTHING``."""
        self._seat = seat
        self._waiting: StepSummary | None = None  # until nothing is asked in secret

    def see(self, before: Game, after: Game, action: str) -> list[Event]:
        """Events of the step ``action`` from ``before`` to ``after``, and of earlier steps that had to wait for it.

        None while the opponent is asked something of which the viewer must not know.
        """
        if is_bid(before.state.decision):
            return bid_events(before, after, action, self._seat)
        viewer = self._seat if self._seat < 0 else self._seat ^ int(before.state.swapped)
        story = self._waiting or StepSummary(viewer)
        story.add(before, action)
        secret = not before.options.is_family and asked_in_secret(after, viewer)
        self._waiting = story if secret else None
        return [] if secret else story.events()

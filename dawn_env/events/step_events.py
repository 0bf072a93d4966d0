"""Observer of a game from one seat, step by step.

Nothing hidden from it is told, nor which questions it raised. What is told must be the same whether the opponent was
asked in secret (``secret``) and declined, or was not asked at all. So a side is told nothing while such a question
waits for its answer; afterwards it is told everything since its last news in one go, as a difference between two
moments that it sees in either case.
"""

import numpy as np

from dawn_env.bids import PLAYER_NAMES, is_bid
from dawn_env.events.board_changes import Event, changes, side_changes
from dawn_env.events.secret_questions import PUBLIC, acts_openly, asked_in_secret
from dawn_env.events.step_summary import Story
from dawn_env.game import Game
from dawn_env.observation.view_layouts import FAMILY_LAYOUT
from dawn_env.state import Decision
from dawn_env.tables import FACES, SIDE_NAMES

_SECRET = (Decision.OFFER_SIDE, Decision.OFFER_POINTS)


def bid_events(before: Game, after: Game, action: str, player: int) -> list[Event]:
    """Events of the step ``action`` of a bid for the first (0) or the second ``player`` (1), or for others."""
    was_secret, is_secret = (game.state.decision in _SECRET for game in (before, after))
    decided = {"event": "decision", "who": PLAYER_NAMES[before.actor], "decision": before.decision, "action": action}
    if is_secret:
        return [decided] if before.actor == player else []
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


def family_events(before: Game, after: Game, action: str, viewer: int) -> list[Event]:
    """Events of the step ``action`` from ``before`` to ``after`` for the side ``viewer``, -1 for others."""
    old, new = (FAMILY_LAYOUT.decode(FAMILY_LAYOUT.one(game.state, max(0, viewer))) for game in (before, after))
    events = [{"event": "decision", "who": SIDE_NAMES[before.actor], "decision": before.decision, "action": action}]
    if dice := after.chance.get("dice", []):
        events.append({"event": "attack-dice", "attack": dice[0], "defence": dice[1]})
    if (attack := int(new["attack"][0])) and not old["attack"][0]:
        events.append({"event": "attack", "attack": attack, "defence": int(new["defence"][0])})
    if viewer >= 0:
        events += _own_news(old, new)
    return events + changes(before, after)


def _own_news(old: dict, new: dict) -> list[Event]:
    """Cards that the viewer gets."""
    events = []
    if cards := (np.flatnonzero(new["my_hand"] > old["my_hand"]) + 1).tolist():
        events.append({"event": "cards", "cards": cards, "to": "my_hand"})
    copies = new["my_power_hand"].astype(int) - old["my_power_hand"]
    if faces := [FACES[face] for face in np.flatnonzero(copies > 0) for _ in range(copies[face])]:
        events.append({"event": "struggle-cards", "cards": faces, "to": "my_power_hand"})
    return events


class Witness:
    """Observer of a game from one seat."""

    def __init__(self, seat: int):
        """``seat``: 0 Democrat, 1 Communist, in games with a bid the first and the second player; or ``PUBLIC``."""
        self._seat = seat
        self._waiting: Story | None = None  # until nothing is asked in secret

    def see(self, before: Game, after: Game, action: str) -> list[Event]:
        """Events of the step ``action`` from ``before`` to ``after``, and of earlier steps that had to wait for it.

        None while the opponent is asked something of which the viewer must not know. A step begins with an event
        ``decision`` or with its offers, unless it was not open to the viewer.
        """
        if is_bid(before.state.decision):
            return bid_events(before, after, action, self._seat)
        viewer = self._seat if self._seat == PUBLIC else self._seat ^ int(before.state.swapped)
        if before.options.is_family:
            return family_events(before, after, action, viewer)
        open_ = acts_openly(before, action, viewer)
        told = self._waiting.events(before) if self._waiting and open_ else []
        story = self._waiting if self._waiting and not open_ else Story(viewer, before)
        story.add(before, after, action, open_)
        self._waiting = story if asked_in_secret(after, viewer) else None
        return told + ([] if self._waiting else story.events(after))

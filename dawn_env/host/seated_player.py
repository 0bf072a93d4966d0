"""A player at a seat of one game that is kept as a list of decisions, for front ends with undo."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from dawn_env.bids import Offer, bid_action, is_bid, offer_of
from dawn_env.events import EventFeed
from dawn_env.game import Game
from dawn_env.observation.player_view import View
from dawn_env.players import Player, choose_action
from dawn_env.state import DECISIONS


class SeatedPlayer:
    """Plays one game for a ``player``, with decisions that can be taken back; thread-safe.

    Calls the player as a ``Host`` does: bid, begin of the game, events, decisions, end. Raises what the player raises.
    """

    def __init__(self, player: Player, start: Game, seat: int):
        """``start``: the game before its first decision."""
        self.player = player
        self._options, self._feed, self._begun = start.options, EventFeed(start, seat), False

    @cached_property
    def offer(self) -> Offer:
        """Offer in a game with a bid."""
        return offer_of(self.player, self._options)

    def begin(self, side: int) -> None:
        """Tell the player once that the game begins, in which it plays ``side``."""
        if not self._begun:
            self.player.begin_game(side, self._options)
            self._begun = True

    def answer(self, view: View, decisions: Sequence[str]) -> int:
        """An action, not checked; of a bid its part of the player's offer. ``decisions``: all that were taken."""
        self._tell(decisions)
        decision = DECISIONS.index(view.decision)
        if is_bid(decision):
            return bid_action(decision, self.offer)
        self.begin(view.side)
        return choose_action(self.player, view)

    def end(self, outcome: Mapping[str, Any], decisions: Sequence[str]) -> None:
        """Tell the player that the game has ended."""
        self._tell(decisions)
        self.player.end_game(outcome)

    def _tell(self, decisions: Sequence[str]) -> None:
        if self.player.wants_events:
            self.player.on_events(self._feed.news(decisions))

"""A player at a seat of one game: introduced to it when its side is known, asked in a thread."""

from collections.abc import Sequence

import numpy as np

from dawn_agents.registry import make_player
from dawn_env.bids import Offer, bid_action, checked_offer, is_bid
from dawn_env.game import Game
from dawn_env.players import Player, decide_one
from dawn_env.state import DECISIONS
from dawn_env.view import View
from dawn_env.witness import Following

_PLAYER_STREAM = 1  # so that a player's seed tells nothing about the game's cards and dice


def seat_player(spec: str, seed: int, seat: int) -> Player:
    """A player for one game; ``seed`` is the game's. Raises ``BadSpec``, and what the player raises."""
    return make_player(spec, int(np.random.SeedSequence((seed, _PLAYER_STREAM, seat)).generate_state(1)[0]))


class Seated:
    """Answers for a player in one game."""

    def __init__(self, player: Player, start: Game, seat: int):
        """``start``: the game before its first decision."""
        self._player, self._options, self._following = player, start.options, Following(start, seat)
        self._offer: Offer | None = None
        self._introduced = False
        self.hurry, self.close = player.hurry, player.close

    @property
    def progress(self) -> float | None:
        """As of the player."""
        return self._player.progress

    def answer(self, view: View, decisions: Sequence[str]) -> int:
        """An action, not checked; of a bid its part of the player's offer. Raises what the player raises.

        ``decisions``: all that were taken, for a player who follows.
        """
        self._inform(decisions)
        decision = DECISIONS.index(view.decision)
        if is_bid(decision):
            return bid_action(decision, self._own_offer())
        if not self._introduced:
            self._player.begin_game(view.side, self._options)
            self._introduced = True
        return decide_one(self._player, view)

    def _inform(self, decisions: Sequence[str]) -> None:
        if self._player.follows:
            self._player.hear(self._following.news(decisions))

    def _own_offer(self) -> Offer:
        if self._offer is None:
            self._offer = checked_offer(self._player.bid(self._options), self._player.name)
        return self._offer

    def end(self, outcome: dict, decisions: Sequence[str]) -> None:
        """The game has ended; raises what the player raises."""
        try:
            self._inform(decisions)
            self._player.end_game(outcome)
        finally:
            self.close()

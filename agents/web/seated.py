"""A player at a seat of one game: introduced to it when its side is known, asked in a thread."""

import numpy as np

from agents.registry import make_player
from dawn_env.bids import Offer, bid_action, checked_offer, is_bid
from dawn_env.options import GameOptions
from dawn_env.players import Player, decide_one
from dawn_env.state import DECISIONS
from dawn_env.view import View

_PLAYER_STREAM = 1  # so that a player's seed tells nothing about the game's cards and dice


def seat_player(spec: str, seed: int, seat: int) -> Player:
    """A player for one game; ``seed`` is the game's. Raises ``BadSpec``, and what the player raises."""
    return make_player(spec, int(np.random.SeedSequence((seed, _PLAYER_STREAM, seat)).generate_state(1)[0]))


class Seated:
    """Answers for a player in one game."""

    def __init__(self, player: Player, options: GameOptions):
        self._player, self._options = player, options
        self._offer: Offer | None = None
        self._introduced = False
        self.hurry, self.close = player.hurry, player.close

    @property
    def progress(self) -> float | None:
        """As of the player."""
        return self._player.progress

    def answer(self, view: View) -> int:
        """An action, not checked; of a bid its part of the player's offer. Raises what the player raises."""
        decision = DECISIONS.index(view.decision)
        if is_bid(decision):
            return bid_action(decision, self._own_offer())
        if not self._introduced:
            self._player.begin_game(view.side, self._options)
            self._introduced = True
        return decide_one(self._player, view)

    def _own_offer(self) -> Offer:
        if self._offer is None:
            self._offer = checked_offer(self._player.bid(self._options), self._player.name)
        return self._offer

    def end(self, outcome: dict) -> None:
        """The game has ended; raises what the player raises."""
        try:
            self._player.end_game(outcome)
        finally:
            self.close()

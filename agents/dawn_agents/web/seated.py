"""Players at the seats of games: introduced when their side is known, asked in threads, few of them kept in memory."""

import threading
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import numpy as np

from dawn_agents.registry import make_player
from dawn_agents.web.game_database import StoredGame
from dawn_env.bids import Offer, bid_action, checked_offer, is_bid
from dawn_env.events import Following
from dawn_env.game import Game
from dawn_env.observation.player_view import View
from dawn_env.players import CompiledPlayer, Player, decide_one
from dawn_env.state import DECISIONS

_RESTING = 4  # players that can be made anew, kept between two of their decisions
_Key = tuple[int, int]  # number of a game, seat


def seat_player(spec: str, secret: int, seat: int) -> Player:
    """Player at a seat of a game with this ``secret`` (``StoredGame``). Raises as ``make_player``."""
    player = make_player(spec, int(np.random.SeedSequence((secret, seat)).generate_state(1)[0]))
    if isinstance(player, CompiledPlayer):
        player.threads = 1  # it is asked in one position at a time
    return player


class Seated:
    """Answers for a player in one game."""

    def __init__(self, player: Player, start: Game, seat: int):
        """``start``: the game before its first decision."""
        self._player, self._options, self._following = player, start.options, Following(start, seat)
        self._offer: Offer | None = None
        self._introduced = False
        self.hurry, self.close = player.hurry, player.close
        self.replaceable = not (player.outside or player.follows)
        """Whether its answers depend on nothing that it has been told before."""

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


class SeatedPlayers:
    """The players of all games. Safe for use by several threads; a seat is used by one at a time.

    Players hold megabytes of work space, so those that can be made anew are closed when others have answered since.
    """

    def __init__(self):
        self._lock = threading.Lock()
        self._resting: OrderedDict[_Key, Seated] = OrderedDict()  # the latest to have answered last

    @contextmanager
    def at(self, stored: StoredGame, seat: int) -> Iterator[Seated]:
        """The player at a seat, made if it is not in memory; raises as ``seat_player``."""
        key = stored.id, seat
        with self._lock:
            player = self._resting.pop(key, None)
        if player is None:
            setting = stored.setting
            player = Seated(seat_player(setting.players[seat], stored.secret, seat), setting.game(), seat)
        try:
            yield player
        finally:
            self._rest(key, player)

    def _rest(self, key: _Key, player: Seated) -> None:
        with self._lock:
            self._resting[key] = player
            replaceable = [key for key, resting in self._resting.items() if resting.replaceable]
            closed = [self._resting.pop(key) for key in replaceable[:-_RESTING]]
        for player in closed:
            player.close()

    def take(self, game: int | None = None) -> list[Seated]:
        """The players in memory, of one game or of all, for the caller to end; they are forgotten here."""
        with self._lock:
            return [self._resting.pop(key) for key in list(self._resting) if game in (None, key[0])]

    def close(self, game: int | None = None) -> None:
        """Close the players of a game, or all."""
        for player in self.take(game):
            player.close()

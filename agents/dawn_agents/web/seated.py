"""Players at the seats of games: asked in threads, few of them kept in memory."""

import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from dawn_agents.registry import make_player
from dawn_agents.web.game_database import StoredGame
from dawn_env.host.seated_player import SeatedPlayer
from dawn_env.players import CompiledPlayer, Player

_RESTING = 4  # players that can be made anew, kept between two of their decisions
_Key = tuple[int, int]  # number of a game, seat


def seat_player(spec: str, secret: int, seat: int) -> Player:
    """Player at a seat of a game with this ``secret`` (``StoredGame``). Raises as ``make_player``."""
    player = make_player(spec, int(np.random.SeedSequence((secret, seat)).generate_state(1)[0]))
    if isinstance(player, CompiledPlayer):
        player.threads = 1  # it is asked in one position at a time
    return player


class SeatedPlayers:
    """The players of all games. Safe for use by several threads; a seat is used by one at a time.

    Players hold megabytes of work space, so those that can be made anew are closed when others have answered since.
    """

    def __init__(self):
        self._lock = threading.Lock()
        self._resting: OrderedDict[_Key, SeatedPlayer] = OrderedDict()  # the latest to have answered last

    @contextmanager
    def at(self, stored: StoredGame, seat: int) -> Iterator[SeatedPlayer]:
        """The player at a seat, made if it is not in memory; raises as ``seat_player``."""
        key = stored.id, seat
        with self._lock:
            player = self._resting.pop(key, None)
        if player is None:
            setting = stored.setting
            player = SeatedPlayer(seat_player(setting.players[seat], stored.secret, seat), setting.game(), seat)
        try:
            yield player
        finally:
            self._rest(key, player)

    def _rest(self, key: _Key, player: SeatedPlayer) -> None:
        with self._lock:
            self._resting[key] = player
            replaceable = [key for key, resting in self._resting.items() if _can_be_made_anew(resting.player)]
            closed = [self._resting.pop(key) for key in replaceable[:-_RESTING]]
        for seated in closed:
            seated.player.close()

    def take(self, game: int | None = None) -> list[SeatedPlayer]:
        """The players in memory, of one game or of all, for the caller to end; they are forgotten here."""
        with self._lock:
            return [self._resting.pop(key) for key in list(self._resting) if game in (None, key[0])]

    def close(self, game: int | None = None) -> None:
        """Close the players of a game, or all."""
        for seated in self.take(game):
            seated.player.close()


def _can_be_made_anew(player: Player) -> bool:
    """Return True if a player keeps no state between questions."""
    return not (player.is_external or player.wants_events)

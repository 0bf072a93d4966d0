"""Pools of opponents of a learner."""

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from dawn_env.host.host import Host
from dawn_env.host.host_loop import EXTERNAL, Status
from dawn_env.players import Player, as_player
from dawn_env.support.safe_text import short_repr

Pool = Player | str | Callable | Sequence[Player | str | Callable]
"""One opponent or several, each what ``players.as_player`` takes."""


class SoloPlayers:
    """Players of a host that play one game at a time: each row has one to itself, made by ``Player.clone``."""

    def __init__(self, host: Host):
        self._host = host
        self._free: dict[int, list[int]] = {}  # by number of the player that is drawn: those alike that are free
        self._seated: dict[int, tuple[int, int]] = {}  # by row: the player that was drawn, the one that plays

    def seat(self, rows: np.ndarray, seated: np.ndarray) -> None:
        """Free the players of ``rows`` [K], where other games are to begin, and put players alike into ``seated``
        int64 [K, 2] (``Host.begin``) in place of those of one game at a time."""
        for row in rows.tolist():
            self._leave(row)
        for at, seat in np.argwhere(seated != EXTERNAL).tolist():
            number = int(seated[at, seat])
            player = self._host.players[number]
            if player is not None and player.one_game_at_a_time:
                free = self._free.setdefault(number, [number])
                seated[at, seat] = taken = free.pop() if free else self._host.register(player.clone())
                self._seated[int(rows[at])] = number, taken

    def _leave(self, row: int) -> None:
        """Free the player of a row, and close it unless its game is over."""
        number, taken = self._seated.pop(row, (EXTERNAL, EXTERNAL))
        player = self._host.players[taken]
        if player is not None:
            self._free[number].append(taken)
            if self._host.status[row] != Status.OVER:
                player.close()

    def retain(self, numbers: Iterable[int]) -> set[int]:
        """Forget free players that are like none of these ``numbers``; the numbers of those that are left."""
        kept = {number: free for number, free in self._free.items() if number in numbers}
        self._free = kept | {number: [] for number, _ in self._seated.values() if number not in kept}
        return set(self._free).union(*self._free.values())


def checked_pool(pool: Pool) -> list[Player]:
    """The players of ``pool``; raises ``ValueError`` unless each has a name of its own."""
    several = pool if isinstance(pool, Iterable) and not isinstance(pool, str) else [pool]
    try:
        players = [as_player(given) for given in several]
    except ValueError as error:
        raise ValueError(f"opponents: {error}") from error
    if not players or len({player.name for player in players}) < len(players):
        raise ValueError("opponents: at least one player, and names that differ, expected")
    return players


def checked_shares(weights: Sequence[float] | None, count: int) -> np.ndarray:
    """Weights of opponents as float64 [count], relative; raises ``ValueError``."""
    try:
        shares = np.ones(count) if weights is None else np.asarray(weights, float)
    except (TypeError, ValueError):
        shares = np.zeros(0)
    if shares.shape != (count,) or not np.isfinite(shares).all() or (shares < 0).any() or shares.sum() <= 0:
        raise ValueError(f"weights: {count} numbers of at least 0, not all 0, expected, not {short_repr(weights)}")
    return shares

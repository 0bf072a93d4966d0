"""A list of games in the rows of one batch: a row that is done takes the next game; moves are kept."""

from collections.abc import Mapping, Sequence

import numpy as np

from dawn_env.batch import Batch
from dawn_env.options import GameOptions
from dawn_env.support.argument_checks import between, game_count
from dawn_env.support.plain_text import quoted

IDLE = -1


class Lockstep:
    """Up to ``width`` games side by side, each known by the caller's number for it.

    ``batch``: where they are played. ``games`` int64 [B]: the number of the game in each row, or ``IDLE``.
    """

    def __init__(self, width: int, options: GameOptions | Mapping | None = None):
        """``width`` rows, none in use; ``options`` as for ``GameOptions.of``. Raises ``ValueError``."""
        width = game_count(width, "width")
        self.batch = Batch(width, 0, options, auto_restart=False)
        self.games = np.full(width, IDLE)
        self._moves = np.zeros((width, 512), np.uint8)  # actions taken, grown as needed
        self._lengths = np.zeros(width, np.int64)

    @property
    def rows(self) -> np.ndarray:
        """Rows in which a game is played, int64 [K], ascending."""
        return np.flatnonzero(self.games != IDLE)

    @property
    def free(self) -> int:
        """Number of idle rows."""
        return int((self.games == IDLE).sum())

    def start(self, games: Sequence[int], seeds: Sequence[int] | np.ndarray) -> np.ndarray:
        """Begin ``games``, at most ``free`` of them, from their ``seeds``; their rows, int64 [K].

        Raises ``ValueError`` for too many games and ``BadSeed``; then none has begun.
        """
        rows = np.flatnonzero(self.games == IDLE)[: len(games)]
        if len(rows) < len(games):
            raise ValueError(f"games: at most {len(rows)}, as many rows are free, expected, not {quoted(games)}")
        if len(rows):
            self.batch.restart(rows, seeds)
            self.games[rows] = games
            self._lengths[rows] = 0
        return rows

    def step(self, rows: np.ndarray, actions: np.ndarray) -> np.ndarray:
        """Take legal ``actions`` int64 [K] in ``rows`` [K]; the rows whose games are over now.

        Raises as ``Batch.step_rows``; then no game has moved.
        """
        self.batch.step_rows(rows, actions)
        if self._lengths.max() == self._moves.shape[1]:
            self._moves = np.concatenate([self._moves, np.zeros_like(self._moves)], axis=1)
        self._moves[rows, self._lengths[rows]] = actions
        self._lengths[rows] += 1
        return rows[self.batch.ended[rows]]

    def release(self, row: int) -> list[int]:
        """Make a row idle, its game over or not; the actions that were taken in it. ``ValueError`` for no row."""
        row = between(row, "row", 0, self.batch.count - 1)
        self.games[row] = IDLE
        return self._moves[row, : self._lengths[row]].tolist()

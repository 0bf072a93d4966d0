"""A list of games in the rows of one batch: a row that is done takes the next game; moves are kept."""

from collections.abc import Mapping, Sequence
from time import perf_counter
from typing import NamedTuple

import numpy as np

from dawn_env import engine
from dawn_env.batch import Batch
from dawn_env.host.compiled_play import Compiled, play_to_ends, read_ticks
from dawn_env.observation.view_layouts import layout_of_sides
from dawn_env.options import GameOptions
from dawn_env.players import Player
from dawn_env.state import Result
from dawn_env.support.argument_checks import between, game_count
from dawn_env.support.safe_text import quoted
from dawn_env.support.thread_pool import ThreadTeam
from dawn_env.tables import SIDES

IDLE = -1
_LEAST_ROWS = 1  # games of a thread: one takes far longer than to wake it


class PlayedOut(NamedTuple):
    """Result of compiled play in rows [K]: those whose games are over now, and by side float64 and int64 [K, 2] how
    many seconds they have thought and how often."""

    over: np.ndarray
    seconds: np.ndarray
    decisions: np.ndarray


class Lockstep:
    """Up to ``width`` games side by side, each known by the caller's number for it.

    ``batch``: where they are played. ``games`` int64 [B]: the number of the game in each row, or ``IDLE``.
    """

    def __init__(self, width: int, options: GameOptions | Mapping | None = None, threads: int | None = None):
        """``width`` rows, none in use; ``options`` as for ``GameOptions.of``, ``threads`` as for ``Batch``. Raises
        ``ValueError``."""
        width = game_count(width, "width")
        self.batch = Batch(width, 0, options, auto_restart=False, threads=threads)
        self.games = np.full(width, IDLE)
        self._moves = np.zeros((width, 512), np.uint8)  # actions taken, grown as needed
        self._lengths = np.zeros(width, np.int64)
        self._team, self._seen = ThreadTeam(self.batch.threads, _LEAST_ROWS), layout_of_sides(self.batch.options)

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
        """Take legal ``actions`` int64 [K] in ``rows`` [K]; returns the rows of games that are over.

        Raises as ``Batch.step_rows``; then no game has moved.
        """
        self.batch.step_rows(rows, actions)
        self._make_room()
        self._moves[rows, self._lengths[rows]] = actions
        self._lengths[rows] += 1
        return rows[self.batch.ended[rows]]

    def compiled(self, players: Sequence[Player]) -> Compiled:
        """Players that ``play_out`` can ask."""
        return Compiled(players, self._seen.size, self._team.size)

    def play_out(self, rows: np.ndarray, compiled: Compiled, plays: np.ndarray) -> PlayedOut:
        """Play the games of ``rows`` int64 [K] to their ends; ``plays`` int64 [B, 2]: who plays each side of them, all
        of those that ``compiled`` has.

        A game stops before an answer that is not legal. What the batch shows is not written for games that are over.
        Raises ``ValueError`` for other players.
        """
        if not np.isin(plays[rows], np.flatnonzero(compiled.known)).all():
            raise ValueError(
                f"plays: players whose answers are compiled expected in these rows, not {quoted(plays[rows])}"
            )
        batch, left, clock = self.batch, rows, np.zeros(1, np.int64)
        work = np.zeros((len(rows), self._seen.size), np.int8), np.zeros((len(rows), self._seen.actions), np.int8)
        ticks, taken = np.zeros((2, batch.count, SIDES), np.int64)
        began = perf_counter(), _ticks(clock)
        while len(left):
            self._make_room()
            faults = self._team.run(
                play_to_ends, len(left), engine.step(), self._seen.view, compiled.answers, compiled.memories, plays,
                left, batch.states, *work, np.zeros(len(rows), np.int64), self._moves, self._lengths, ticks, taken,
            )  # fmt: skip
            if faults:
                batch.raise_error(left)
            stopped = batch.states["result"][left] != Result.RUNNING
            left = left[~stopped & (self._lengths[left] == self._moves.shape[1])]
        seconds, passed = perf_counter() - began[0], _ticks(clock) - began[1]
        over = batch.states["result"][rows] != Result.RUNNING
        batch.write_rows(rows[~over])
        spent = ticks * (seconds / passed) if passed else taken * (seconds / max(1, taken.sum()))
        return PlayedOut(rows[over], spent[rows], taken[rows])

    def _make_room(self) -> None:
        """Make room for another action in every row."""
        if self._lengths.max() == self._moves.shape[1]:
            self._moves = np.concatenate([self._moves, np.zeros_like(self._moves)], axis=1)

    def release(self, row: int) -> list[int]:
        """Make a row idle, its game over or not; the actions that were taken in it. ``ValueError`` for no row."""
        row = between(row, "row", 0, self.batch.count - 1)
        self.games[row] = IDLE
        return self._moves[row, : self._lengths[row]].tolist()


def _ticks(clock: np.ndarray) -> int:
    """Processor ticks, read through a work array [1]."""
    read_ticks(clock)
    return int(clock[0])

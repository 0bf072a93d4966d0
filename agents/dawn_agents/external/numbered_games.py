"""Numbered games in memory, so many and no more."""

from collections.abc import Sequence

import numpy as np

from dawn_env.state import new_states, put_states, take_states


class NumberedGames:
    """Games by number, 0 ... ``most`` - 1; a number takes memory once there has been a game of it."""

    def __init__(self, most: int):
        self.most = most
        self._states, self._used = new_states(most), np.zeros(most, np.bool_)

    def __len__(self) -> int:
        return int(np.count_nonzero(self._used))

    def missing(self, numbers: np.ndarray) -> np.ndarray:
        """Subset of ``numbers`` int64 [K] that no game has."""
        inside = (numbers >= 0) & (numbers < self.most)
        return numbers[~inside | ~self._used[np.where(inside, numbers, 0)]]

    def take(self, numbers: np.ndarray) -> np.ndarray:
        """Copies STATE [K] of the games ``numbers`` [K]."""
        return take_states(self._states, numbers)

    def put(self, numbers: np.ndarray, states: np.ndarray) -> None:
        """Have the games ``numbers`` [K] stand as ``states`` [K]."""
        put_states(self._states, numbers, states)

    def add(self, states: np.ndarray) -> np.ndarray:
        """Keep ``states`` [K] as games; their numbers, int64 [K]. Raises ``ValueError``."""
        self.check_room(len(states))
        numbers = np.flatnonzero(~self._used)[: len(states)]
        put_states(self._states, numbers, states)
        self._used[numbers] = True
        return numbers

    def check_room(self, count: int) -> None:
        """Raise ``ValueError`` unless there is room for ``count`` more."""
        if count > self.most - len(self):
            raise ValueError(f"no room for {count} more games: {len(self)} of at most {self.most} are kept; free some")

    def free(self, numbers: Sequence[int] | np.ndarray) -> None:
        """Forget games; their numbers are used again."""
        self._used[numbers] = False

    @property
    def numbers(self) -> np.ndarray:
        """Numbers of all games, int64, ascending."""
        return np.flatnonzero(self._used)

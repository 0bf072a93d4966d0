"""Arrays that compiled loops write anew step by step, and whose contents others may keep without copying them.

New memory for every copy takes longer than to fill it: the system clears each page when it is first written to.
"""

from sys import getrefcount
from typing import Any

import numpy as np


class Lent:
    """Arrays that belong together, written to where nobody holds what was handed out of them before.

    ``memories`` [K, ...] of each, ``place`` int64 [1]: loops write to ``memory[place[0]]``. There is room for a few
    that others hold; whoever holds more of them gets copies.
    """

    ROOM = 3  # for a loop that holds one while it takes the next, and one more

    def __init__(self, *arrays: tuple[tuple[int, ...], Any]):
        """``arrays``: shapes and dtypes."""
        self.memories = [np.zeros((self.ROOM + 1, *shape), dtype) for shape, dtype in arrays]
        self.place, self._taken = np.zeros(1, np.int64), False
        self._hold()

    def _hold(self) -> None:
        # All arrays made of one of these refer to it, and not to its memory: there is a memoryview between them.
        self._parts = [
            [np.frombuffer(memoryview(memory[place].reshape(-1)), memory.dtype) for memory in self.memories]
            for place in range(self.ROOM)
        ]

    def __getstate__(self) -> dict:
        """Nobody holds anything of a copy."""
        return {name: kept for name, kept in self.__dict__.items() if name != "_parts"}

    def __setstate__(self, state: dict) -> None:
        self.__dict__.update(state)
        self._hold()

    @property
    def now(self) -> list[np.ndarray]:
        """What has been written, as long as nothing else is."""
        return [memory[self.place[0]] for memory in self.memories]

    def begin(self) -> None:
        """All of it is about to be written anew."""
        free = (place for place, parts in enumerate(self._parts) if max(map(getrefcount, parts)) == _UNHELD)
        self.place[0] = place = next(free, self.ROOM)
        self._taken = place == self.ROOM

    def take(self) -> list[np.ndarray]:
        """What has been written, for the caller to keep."""
        if self._taken:
            return [array.copy() for array in self.now]
        self._taken = True
        parts = self._parts[self.place[0]]
        return [part.reshape(memory.shape[1:]) for part, memory in zip(parts, self.memories, strict=True)]


_UNHELD = max(map(getrefcount, [np.zeros(1)]))
"""How many refer to an array that nobody was handed out, while one looks."""

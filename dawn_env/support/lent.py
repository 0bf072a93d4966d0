"""An array that compiled loops write anew step by step, and whose contents others may keep without copying them.

New memory for every copy takes longer than to fill it: the system clears each page when it is first written to.
"""

from weakref import ReferenceType, ref

import numpy as np


class Lent:
    """An array [n, F], written to where nobody holds what was handed out of it before.

    ``memory`` [K, n, F], ``place`` int64 [1]: loops write to ``memory[place[0]]``. There is room for a few that others
    hold; whoever holds more of them gets copies.
    """

    ROOM = 3  # for a loop that holds one while it takes the next, and one more

    def __init__(self, shape: tuple[int, int], dtype=np.int8):
        self.memory, self.place = np.zeros((self.ROOM + 1, *shape), dtype), np.zeros(1, np.int64)
        self._lent: list[ReferenceType[np.ndarray] | None] = [None] * self.ROOM

    def __getstate__(self) -> dict:
        """Nobody holds anything of a copy."""
        return self.__dict__ | {"_lent": [None] * self.ROOM}

    @property
    def now(self) -> np.ndarray:
        """What has been written, as long as nothing else is."""
        return self.memory[self.place[0]]

    def begin(self) -> None:
        """All of it is about to be written anew."""
        self.place[0] = next((place for place in range(self.ROOM) if not self._held(place)), self.ROOM)

    def _held(self, place: int) -> bool:
        lent = self._lent[place]
        return lent is not None and lent() is not None

    def take(self) -> np.ndarray:
        """What has been written, for the caller to keep."""
        place = int(self.place[0])
        if place == self.ROOM or self._held(place):
            return self.now.copy()
        # All arrays made of the one handed out hold this one, and not ``memory``: there is a memoryview between them.
        held = np.frombuffer(memoryview(self.now.reshape(-1)), self.memory.dtype)
        self._lent[place] = ref(held)
        return held.reshape(self.now.shape)

"""Lock of a file that one process holds at a time."""

import time
from pathlib import Path
from typing import IO

from dawn_env.support.interrupts import heed_deferred

try:
    import fcntl
except ImportError:  # Windows, where every process gets every lock
    fcntl = None

_PATIENCE, _GLANCE = 300, 0.02  # seconds to wait for another process at most, and between looks


class FileLock:
    """Lock of the file ``path``, which is made with its folder; it ends with the process at the latest."""

    def __init__(self, path: Path):
        self._path = path
        self._file: IO | None = None

    def try_take(self) -> bool:
        """Return False if another process, or another lock of this one, holds it.

        Also returns True where the system cannot lock files or the folder is not writable.
        """
        if fcntl is None or self._file is not None:
            return True
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._file = self._path.open("w")
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self.leave()
            return False
        except OSError:
            pass
        return True

    def take(self) -> None:
        """Wait until no other process has it. Without locks, or after long, go on all the same."""
        end = time.monotonic() + _PATIENCE
        while not self.try_take() and time.monotonic() < end:
            heed_deferred()
            time.sleep(_GLANCE)

    def leave(self) -> None:
        """Let others take it."""
        if self._file is not None:
            self._file.close()
            self._file = None

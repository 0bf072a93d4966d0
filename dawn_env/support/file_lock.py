"""Lock of a file that one process holds at a time."""

from pathlib import Path
from typing import IO

try:
    import fcntl
except ImportError:  # Windows, where every process gets every lock
    fcntl = None


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

    def leave(self) -> None:
        """Let others take it."""
        if self._file is not None:
            self._file.close()
            self._file = None

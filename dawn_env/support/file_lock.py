"""Locks of files, each held by one process at a time; where a file cannot be locked, the work goes on without."""

from pathlib import Path
from typing import TYPE_CHECKING

from dawn_env.support.interrupts import heed_deferred

if TYPE_CHECKING:
    from filelock import BaseFileLock

_GLANCE = 0.02  # seconds between looks


def lock_file(path: Path, wait: float = 0) -> "BaseFileLock":
    """Lock ``path``, which is made with its folder, until ``release`` of the lock or the end of the process.

    ``wait``: seconds for others to release it; raises ``TimeoutError`` after them. Nothing is locked in a folder that
    cannot be written and on a file system without locks.
    """
    from filelock import FileLock, Timeout  # takes as long to import as numpy

    lock = FileLock(path, thread_local=False)
    try:
        lock.acquire(timeout=wait, poll_interval=_GLANCE, cancel_check=heed_deferred)
    except Timeout:  # of the errors of the system the one that means something
        raise
    except OSError:
        pass
    return lock

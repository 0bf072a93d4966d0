"""The folder of compiled code: one that only this user can write, since what lies there is loaded as code."""

import atexit
import os
import shutil
import stat
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

_VARIABLE = "DAWN_ENV_CACHE_DIR"
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


def cache_folder() -> Path:
    """The folder that ``DAWN_ENV_CACHE_DIR`` names, ``~/.cache/dawn_env``, or one among the temporary files.

    Where nothing can be written it is one that cannot be made, so that only compiling fails.
    """
    chosen = os.environ.get(_VARIABLE)
    try:
        base = Path(chosen) if chosen else Path.home() / ".cache" / "dawn_env"
        base.mkdir(stat.S_IRWXU, parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=base):
            base = base.resolve()
    except (OSError, RuntimeError) as error:  # the latter from ``home``, for a user without one
        folder = _temporary_folder()
        if chosen:
            print(f"dawn_env: {_VARIABLE} cannot be used, compiled code is kept in {folder}: {error}", file=sys.stderr)
            os.environ[_VARIABLE] = str(folder)  # for the processes this one starts
        return folder
    return base if is_private(base) else _fresh_folder(base)


def _temporary_folder() -> Path:
    """Folder of this user among the temporary files; a fresh one if it could belong to another user."""
    try:
        temporary = Path(tempfile.gettempdir())
    except FileNotFoundError:  # none can be written
        return Path(os.devnull)
    folder = temporary / f"dawn_env-{os.getuid() if hasattr(os, 'getuid') else 'cache'}"
    with suppress(FileExistsError):
        folder.mkdir(mode=stat.S_IRWXU)
    return folder if is_private(folder) else _fresh_folder(folder)


def _fresh_folder(refused: Path) -> Path:
    """A folder for this process and those it starts, in place of one that others can write."""
    fresh = tempfile.mkdtemp(prefix="dawn_env-")
    atexit.register(shutil.rmtree, fresh, ignore_errors=True)
    os.environ[_VARIABLE] = fresh  # for the processes this one starts
    print(
        f"dawn_env: {refused} is not a folder that only this user can write, so it is not used and the rules are "
        f"compiled for this run only; set {_VARIABLE} to a folder of your own",
        file=sys.stderr,
    )
    return Path(fresh)


def is_private(folder: Path) -> bool:
    """Return True if ``folder`` is one, not a link, owned by this user and writable by nobody else."""
    if not hasattr(os, "getuid"):
        return folder.is_dir()  # on Windows temporary files are the user's own
    status = folder.lstat()
    mine = stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid()
    return mine and not status.st_mode & _OTHERS_WRITE

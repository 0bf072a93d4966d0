"""The folder of compiled code: one that only this user or root can write, since what lies there is loaded as code."""

import atexit
import os
import shutil
import stat
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

from platformdirs import user_cache_dir

_VARIABLE = "DAWN_ENV_CACHE_DIR"
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
_IS_ROOT = hasattr(os, "getuid") and os.getuid() == 0
_MODE = 0o755 if _IS_ROOT else 0o700  # users may load what root has compiled, as when it makes an image of a container


def cache_folder(name: str = "") -> Path:
    """The folder ``name`` of compiled code: below the one that ``DAWN_ENV_CACHE_DIR`` names, the user's caches, or one
    among the temporary files.

    Where a folder cannot be written, what it holds under ``name`` is used all the same; where there is nothing either,
    the folder returned is one that cannot be made.
    """
    chosen = os.environ.get(_VARIABLE)
    base = Path(chosen or user_cache_dir("dawn_env", appauthor=False))
    try:
        if not chosen and not base.is_absolute():
            raise FileNotFoundError("the user has no home")
        make_folder(base)
        with tempfile.TemporaryFile(dir=base):
            base = base.resolve()
    except OSError as error:
        if _holds(base, name):
            return base.resolve() / name
        folder = _temporary_folder()
        if chosen:
            print(f"dawn_env: {_VARIABLE} cannot be used, compiled code is kept in {folder}: {error}", file=sys.stderr)
            os.environ[_VARIABLE] = str(folder)  # for the processes this one starts
        return folder / name
    return (base if is_private(base) else _fresh_folder(base)) / name


def make_folder(folder: Path) -> None:
    """Make a folder and those above it unless they are there, none of which others may write; raises ``OSError``."""
    missing = [path for path in (folder, *folder.parents) if not path.exists()]
    for path in reversed(missing):
        path.mkdir(_MODE, exist_ok=True)
    if not folder.is_dir():
        raise NotADirectoryError(f"{folder} is no folder")


def _holds(base: Path, name: str) -> bool:
    """Return True if there is compiled code under ``name`` that other users cannot have written."""
    try:
        return bool(name) and is_private(base.resolve()) and is_private(base.resolve() / name)
    except OSError:
        return False


def _temporary_folder() -> Path:
    """Folder of this user among the temporary files; a fresh one if it could belong to another user."""
    try:
        folder = Path(tempfile.gettempdir()) / f"dawn_env-{os.getuid() if hasattr(os, 'getuid') else 'cache'}"
        with suppress(FileExistsError):
            folder.mkdir(_MODE)
    except OSError:  # none can be written
        return Path(os.devnull)
    return folder if is_private(folder) else _fresh_folder(folder)


def _fresh_folder(refused: Path) -> Path:
    """A folder for this process and those it starts, in place of one that others can write."""
    try:
        fresh = tempfile.mkdtemp(prefix="dawn_env-")
    except OSError:
        return Path(os.devnull)
    atexit.register(shutil.rmtree, fresh, ignore_errors=True)
    os.environ[_VARIABLE] = fresh  # for the processes this one starts
    print(
        f"dawn_env: {refused} is not a folder that only this user can write, so it is not used and the rules are "
        f"compiled for this run only; set {_VARIABLE} to a folder of your own",
        file=sys.stderr,
    )
    return Path(fresh)


def is_private(folder: Path) -> bool:
    """Return True if ``folder`` is one, not a link, owned by this user or root and writable by nobody else."""
    if not hasattr(os, "getuid"):
        return folder.is_dir()  # on Windows temporary files are the user's own
    return only_we_write(folder.lstat())


def only_we_write(status: os.stat_result) -> bool:
    """Return True for a folder of this user or root that nobody else can write."""
    ours = stat.S_ISDIR(status.st_mode) and status.st_uid in (os.getuid(), 0)
    return ours and not status.st_mode & _OTHERS_WRITE

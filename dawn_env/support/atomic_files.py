"""Files that are written in full or not at all."""

import errno
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

_OF_THE_DISK = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO}


@contextmanager
def atomic_write(path: str | Path, mode: str = "w", parents: bool = False) -> Iterator[IO]:
    """Open a file that replaces ``path`` once it is complete; after an error the old file stays.

    ``mode``: ``w`` for text in UTF-8, ``wb`` for bytes. ``parents``: make its folder if it is missing. Raises
    ``OSError``, which names ``path``; the old file then stays as it was.
    """
    path = Path(path)
    part = path.with_name(f".{path.name}.{os.getpid()}")
    if parents:
        path.parent.mkdir(parents=True, exist_ok=True)
    text = {} if "b" in mode else {"encoding": "utf-8", "newline": ""}
    try:
        with open(part, mode, **text) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    except OSError as error:
        if error.filename == part or (error.filename is None and error.errno in _OF_THE_DISK):
            raise OSError(error.errno, error.strerror, str(path)) from error
        raise
    finally:
        part.unlink(missing_ok=True)


def write_json(told: Any, path: str | Path) -> None:
    """A JSON value to a file, all of it or nothing; makes the folder of the file."""
    with atomic_write(path, parents=True) as file:
        json.dump(told, file, indent=1)
        file.write("\n")

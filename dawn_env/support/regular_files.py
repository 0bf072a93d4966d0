"""Files of others that must be files: a pipe or a device would be waited for, or read without end."""

import errno
import os
import stat


def check_regular(path: str | os.PathLike) -> None:
    """Raise ``OSError`` for a path that leads to a folder, a pipe, a device or a socket; one to nothing passes."""
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        return
    if not stat.S_ISREG(mode):
        problem = "a folder, not a file" if stat.S_ISDIR(mode) else "a pipe or a device, not a file"
        raise OSError(errno.EINVAL, problem, str(path))

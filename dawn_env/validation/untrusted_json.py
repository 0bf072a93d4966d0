"""Untrusted files, texts and JSON, read within limits."""

import errno
import json
import os
import stat
from math import isfinite
from pathlib import Path
from typing import Any, NoReturn

from dawn_env.errors import BadInput
from dawn_env.support.safe_text import escape_text, short_repr

MAX_DEPTH = 64
"""Objects and lists within each other that JSON may have; more would exhaust the stack of whoever walks through it."""
_TOO_DEEP = f"more than {MAX_DEPTH} objects and lists within each other"


def parse_json(text: str | bytes) -> Any:
    """The value of a JSON text, bytes in UTF-8; raises ``ValueError``, its message in one line.

    Stricter than ``json.loads``: no NaN and no infinities, at most ``MAX_DEPTH`` objects and lists within each
    other, and only texts that can be written again.
    """
    if isinstance(text, bytes | bytearray):
        text = text.decode("utf-8-sig")
    try:
        value = json.loads(text, parse_constant=_refuse_constant, parse_float=_finite)
    except RecursionError:
        raise ValueError(_TOO_DEEP) from None
    _check_depth(value)
    if "\\ud" in text.lower():
        json.dumps(value, ensure_ascii=False).encode()  # half a surrogate pair is no text
    return value


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number of JSON")


def _finite(text: str) -> float:
    number = float(text)
    if not isfinite(number):
        raise ValueError(f"{short_repr(text)} is too large a number")
    return number


def _check_depth(value: Any) -> None:
    level = [value]
    for _ in range(MAX_DEPTH + 1):
        outer = [item for item in level if isinstance(item, dict | list)]
        level = [inner for item in outer for inner in (item.values() if isinstance(item, dict) else item)]
        if not level:
            return
    raise ValueError(_TOO_DEEP)


def check_regular(path: str | os.PathLike) -> None:
    """Raise ``OSError`` for a path that leads to a folder, a pipe, a device or a socket, which would be read
    without end or waited for; one to nothing passes."""
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        return
    if not stat.S_ISREG(mode):
        problem = "a folder, not a file" if stat.S_ISDIR(mode) else "a pipe or a device, not a file"
        raise OSError(errno.EINVAL, problem, str(path))


def read_text(path: str | os.PathLike, most: int) -> str:
    """The text of a file in UTF-8 of at most so many bytes; raises ``OSError`` and ``ValueError``."""
    with open(Path(path), "rb") as file:
        contents = file.read(most + 1)
    if len(contents) > most:
        raise ValueError(f"longer than {most:,} bytes")
    try:
        return contents.decode()
    except UnicodeDecodeError as error:
        raise ValueError(f"no text in UTF-8: byte {error.start} is {contents[error.start]:#x}") from None


def check_format(found: Any, needed: int, key: str = "format") -> None:
    """Raise ``ValueError`` unless ``found``, an object of JSON, has the version that is read here under a key."""
    given = found.get(key) if isinstance(found, dict) else None
    if type(given) is not int or given != needed:
        raise ValueError(f"{key} {short_repr(given)}, but {key} {needed} is needed")


def read_format(path: Path, what: str, version: int, *, most: int, remedy: str = "") -> dict:
    """An object of a JSON file of at most ``most`` bytes whose ``format`` is ``version``.

    Raises ``BadInput`` in one line otherwise, with a ``remedy`` where the file cannot be opened. Messages name ``what``
    the file should hold.
    """
    try:
        told = parse_json(read_text(path, most))
        check_format(told, version)
        return told
    except OSError as error:
        raise BadInput(f"{escape_text(path)}: {error.strerror}{remedy and f'; {remedy}'}") from None
    except ValueError as error:
        raise BadInput(f"{escape_text(path)}: no {what}: {error}") from None

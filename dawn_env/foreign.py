"""What others wrote: texts and JSON read within limits, and values quoted in messages."""

import json
import os
import reprlib
from pathlib import Path
from typing import Any, NoReturn

MAX_DEPTH = 64
"""Objects and lists within each other that JSON may have; more would exhaust the stack of whoever walks through it."""

_LONGEST = 200  # characters of a quotation
_QUOTE = reprlib.Repr()
_QUOTE.maxlevel, _QUOTE.maxstring, _QUOTE.maxlong, _QUOTE.maxother = 3, 80, 80, 80


def quoted(value: object) -> str:
    """``value`` as a message shows it: on one line, of bounded length, control characters escaped."""
    try:
        text = plain(" ".join(_QUOTE.repr(value).split()))
    except ValueError:  # a whole number with more digits than Python converts
        return f"a value of type {type(value).__name__} that is too long to show"
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def plain(text: str) -> str:
    """``text`` on one line, with everything escaped that a terminal would not show as it is."""
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)


def parse_json(text: str | bytes) -> Any:
    """The value of a JSON text; raises ``ValueError``, its message in one line.

    Stricter than ``json.loads``: no NaN and no infinities, at most ``MAX_DEPTH`` objects and lists within each
    other, and only texts that can be written again.
    """
    try:
        value = json.loads(text, parse_constant=_refuse_constant)
    except RecursionError:
        raise ValueError(_too_deep()) from None
    _check_depth(value)
    if "\\ud" in (text if isinstance(text, str) else text.decode(errors="replace")).lower():
        json.dumps(value, ensure_ascii=False).encode()  # half a surrogate pair is no text
    return value


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number of JSON")


def _too_deep() -> str:
    return f"more than {MAX_DEPTH} objects and lists within each other"


def _check_depth(value: Any) -> None:
    level = [value]
    for _ in range(MAX_DEPTH + 1):
        outer = [item for item in level if isinstance(item, dict | list)]
        level = [inner for item in outer for inner in (item.values() if isinstance(item, dict) else item)]
        if not level:
            return
    raise ValueError(_too_deep())


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

"""Text on a terminal of any width."""

import shutil
import textwrap
from collections.abc import Iterable

LEAST_WIDTH = 40
_JOIN = "\0"  # stands for blanks at which no line may end


def width() -> int:
    """Columns of the terminal (or of ``COLUMNS``; 80 where there is neither), 40 at least."""
    return max(LEAST_WIDTH, shutil.get_terminal_size().columns)


def wrap(text: str, columns: int) -> str:
    """Every line of ``text`` in at most ``columns`` columns; what is broken goes on further in than it began."""
    return "\n".join(_fill(line, columns) for line in text.split("\n"))


def listing(names: Iterable[str], columns: int, head: str = "") -> str:
    """Names with commas in between, none of them broken, after an indented ``head``."""
    unbroken = ", ".join(name.replace(" ", _JOIN) for name in names)
    return _fill(f"  {head}{unbroken}", columns).replace(_JOIN, " ")


def _fill(line: str, columns: int) -> str:
    indent = line[: len(line) - len(line.lstrip(" "))]
    return textwrap.fill(
        line.strip(" "), columns, initial_indent=indent, subsequent_indent=indent + "    ", break_on_hyphens=False
    )

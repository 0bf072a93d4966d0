"""Progress of long runs: bars at a terminal, elsewhere (a file, a pipe) a line a minute."""

import sys
import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

from tqdm import tqdm

SECONDS_BETWEEN = 60.0
"""Seconds between two lines of a bar, at least: one is printed when it advances."""

_SCALED = 100_000  # totals from here on are shown in thousands and millions

_clock = time.monotonic
T = TypeVar("T")


class ProgressBar:
    """Progress bar; best used in a ``with`` statement.

    ``total``: how many ``unit`` there are to come, ``None`` when that is not known; ``done``: how many are behind.
    ``keep``: whether the full bar stays at the terminal. Bars and lines go to stderr.
    """

    def __init__(self, title: str, total: int | None = None, unit: str = "", *, done: int = 0, keep: bool = True):
        self.title, self.total, self.unit, self.done = title, total, unit, done
        self._start = self._printed = _clock()
        self._postfix = ""
        self._bar = tqdm(
            total=total, initial=done, desc=title, unit=unit, unit_scale=(total or 0) >= _SCALED, leave=keep,
            disable=None,  # unless stderr is a terminal
        )  # fmt: skip

    def __enter__(self) -> "ProgressBar":
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def update(self, more: int = 1) -> None:
        """Advance by a number of units."""
        self.done += more
        self._bar.update(more)
        if self._bar.disable and _clock() - self._printed >= SECONDS_BETWEEN:
            self._printed = _clock()
            print(self, file=sys.stderr, flush=True)

    def set_postfix(self, text: str) -> None:
        """Show a text beside the count, in the place of the last one."""
        self._postfix = text
        self._bar.set_postfix_str(text)

    def close(self) -> None:
        """Close the bar; more than once does no harm."""
        self._bar.close()

    def __str__(self) -> str:
        count = f"{self.done:,}" if self.total is None else f"{self.done:,} of {self.total:,}"
        minutes = int(_clock() - self._start) // 60
        return f"{self.title}: {count} {self.unit}, {minutes} min{self._postfix and ', ' + self._postfix}"


def print_above_bars(line: str) -> None:
    """Print a line on stdout at once, above the bars if there are any."""
    tqdm.write(line)
    sys.stdout.flush()


def with_progress(
    steps: Iterable[T], title: str, total: int | None = None, unit: str = "steps", *, keep: bool = True
) -> Iterator[T]:
    """The ``steps`` one by one, shown by a ``ProgressBar``; ``total`` defaults to their length where they have one."""
    total = len(steps) if total is None and hasattr(steps, "__len__") else total
    with ProgressBar(title, total, unit, keep=keep) as gauge:
        for step in steps:
            yield step
            gauge.update()

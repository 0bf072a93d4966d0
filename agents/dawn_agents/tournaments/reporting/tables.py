"""Tables of a report, for the terminal, for a page and as CSV."""

import csv
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

from dawn_env.support.atomic_files import atomic_write
from dawn_env.support.safe_text import escape_text

_WIDE = 140  # columns of tables that go to a file
_NAME = 12  # columns that words on the left keep; longer ones are folded where the terminal is narrow


@dataclass(frozen=True)
class Sheet:
    """A table as text, which may come from outside: everything in it is escaped where it is shown.

    ``words``: columns on the left that hold no numbers. ``note``: a sentence about it.
    """

    title: str
    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    words: int = 1
    note: str = ""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """The table for a terminal, closer together in a narrow one; numbers are never cut, if need be it is wider."""
        table = Table(title=shown(self.title, "table.title"), caption=shown(self.note) if self.note else None)
        for place, (heading, *cells) in enumerate(zip(self.headings, *self.rows, strict=True)):
            longest = max(cell_len(word) for text in (heading, *cells) for word in ["", *escape_text(text).split()])
            if place < self.words:
                table.add_column(shown(heading), min_width=min(longest, _NAME))
            else:
                table.add_column(shown(heading), justify="right", min_width=longest)
        for row in self.rows:
            table.add_row(*map(shown, row))
        if sum(3 + (column.min_width or 0) for column in table.columns) >= options.max_width:
            table.padding = 0
            for column in table.columns[self.words :]:
                column.max_width = column.min_width
        yield table


def shown(text: object, style: str = "") -> Text:
    """Text from outside as rich shows it: without markup, control characters written out, long words folded."""
    return Text(escape_text(text), style, overflow="fold", no_wrap=False)


def console() -> Console:
    """Console for tables; as wide as the terminal, or wide enough for a file."""
    return Console(width=None if sys.stdout.isatty() else _WIDE, soft_wrap=True)


def write_csv(rows: Iterable[Mapping[str, object]], columns: Sequence[str], path: Path) -> None:
    """Write ``columns`` of rows below a heading, all or nothing."""
    with atomic_write(path, parents=True) as file:
        writer = csv.DictWriter(file, columns, extrasaction="ignore")
        writer.writeheader()
        writer.writerows(rows)

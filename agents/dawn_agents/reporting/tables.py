"""Tables of a report, for the terminal, for a page and as CSV."""

import csv
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from dawn_env.support.atomic_files import atomic_write
from dawn_env.support.safe_text import escape_text

_WIDE = 140  # columns of tables that go to a file


@dataclass(frozen=True)
class Sheet:
    """A table as text, which may come from outside: everything in it is escaped where it is shown.

    ``words``: columns on the left that hold no numbers. ``note``: a sentence below it.
    """

    title: str
    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    words: int = 1
    note: str = ""

    def __rich__(self) -> Table:
        """The table for a terminal."""
        table = Table(title=shown(self.title, "table.title"), caption=shown(self.note) if self.note else None)
        for place, heading in enumerate(self.headings):
            table.add_column(shown(heading), justify="left" if place < self.words else "right")
        for row in self.rows:
            table.add_row(*map(shown, row))
        return table


def shown(text: object, style: str = "") -> Text:
    """Text from outside as rich shows it: without markup, control characters written out."""
    return Text(escape_text(text), style)


def console() -> Console:
    """Console for tables; as wide as the terminal, or wide enough for a file."""
    return Console(width=None if sys.stdout.isatty() else _WIDE)


def write_csv(rows: Iterable[Mapping[str, object]], columns: Sequence[str], path: Path) -> None:
    """Write ``columns`` of rows below a heading, all or nothing."""
    with atomic_write(path, parents=True) as file:
        writer = csv.DictWriter(file, columns, extrasaction="ignore")
        writer.writeheader()
        writer.writerows(rows)

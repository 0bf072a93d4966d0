"""Opening of SQLite files that may come from strangers: nothing in them is executed."""

import re
import sqlite3
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

_TIMEOUT = 60  # seconds to wait for another process that writes
_STEPS = 1_000_000  # of SQLite's virtual machine between two looks at how long a statement goes on
_MOST_STEPS = 200_000_000  # of a statement: some five seconds, or some five million games read
_EXPRESSION = re.compile(r"\b(AS|CHECK)\b", re.IGNORECASE)  # of a computed column, or evaluated for each new row

_OF_THE_MACHINE = {
    sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM,
}  # fmt: skip


def is_of_the_machine(error: Exception) -> bool:
    """Return True for an error of SQLite that says nothing about what is in the file, such as a full disk."""
    code = getattr(error, "sqlite_errorcode", None)
    return code is not None and code & 0xFF in _OF_THE_MACHINE  # further bits tell details


def open_database(
    path: str | Path, tables: Collection[str], *, isolation_level: str | None = "DEFERRED", read_only: bool = False
) -> sqlite3.Connection:
    """Open a file that holds no more than these ``tables`` and their automatic indices.

    ``read_only``: refuse statements that write. Raises ``sqlite3.DatabaseError`` for views, triggers, virtual tables,
    tables with expressions and tables of other names; so does a statement later that goes on for too long.
    """
    db = sqlite3.connect(path, timeout=_TIMEOUT, isolation_level=isolation_level, factory=partial(_Connection, path))
    try:
        db.execute("PRAGMA trusted_schema = OFF")
        if read_only:
            db.execute("PRAGMA query_only = ON")
        for kind, name, text in db.execute("SELECT type, name, sql FROM sqlite_master"):
            if not _is_expected(kind, name, text, tables):
                raise sqlite3.DatabaseError(f"it holds the {kind} {name}; allowed are the tables {', '.join(tables)}")
    except UnicodeDecodeError as error:  # when SQLite quotes what it found
        db.close()
        raise sqlite3.DatabaseError(str(error)) from error
    except BaseException:
        db.close()
        raise
    return db


class _Connection(sqlite3.Connection):
    """A connection that interrupts a statement that goes on for too long, and names its file in errors."""

    def __init__(self, path: str | Path, *arguments, **options):
        super().__init__(*arguments, **options)
        self._path, self._steps = path, 0
        self.set_progress_handler(self._is_too_long, _STEPS)

    def execute(self, *arguments) -> sqlite3.Cursor:
        self._steps = 0
        with self._named_errors():
            return super().execute(*arguments)

    def executemany(self, *arguments) -> sqlite3.Cursor:
        self._steps = 0
        with self._named_errors():
            return super().executemany(*arguments)

    def __exit__(self, *problem) -> bool:
        with self._named_errors():
            return super().__exit__(*problem)

    @contextmanager
    def _named_errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            if is_of_the_machine(error):
                error.args = (f"{self._path}: {error}",)
            raise

    def _is_too_long(self) -> bool:
        self._steps += _STEPS
        return self._steps > _MOST_STEPS


def _is_expected(kind: str, name: str, text: str | None, tables: Collection[str]) -> bool:
    if kind == "index":
        return text is None  # SQLite's own, of a primary key
    is_table = kind == "table" and name in tables and str(text).upper().startswith("CREATE TABLE")
    return is_table and not _EXPRESSION.search(str(text))

"""Opening of SQLite files that may come from strangers: nothing in them is executed, and reading them ends.

What SQLite advises for files of others (https://sqlite.org/security.html): no trusted schema, a limited number of
steps, and a check of all pages before the first reading. Pages may lead to each other in circles; a file that has
passed the check has each row once, so that every reading ends.
"""

import sqlite3
from collections.abc import Iterable
from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from dawn_env.errors import DawnError
from dawn_env.support.safe_text import escape_text
from dawn_env.validation.untrusted_json import check_regular

_TIMEOUT = 60  # seconds
_MOST_STEPS = 10_000  # of SQLite in a statement, until the tables are known; ours take some hundred
_OWN_ROWS = "SELECT type, name, tbl_name, sql FROM sqlite_master"

_OF_THE_MACHINE = {
    sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM,
}  # fmt: skip


class StoreError(DawnError, ValueError):
    """A database file that cannot be used, or not for what was asked; the message names it."""


def is_of_the_machine(error: BaseException | None) -> bool:
    """Return True for an error of SQLite that says nothing about what is in the file, such as a full disk."""
    code = getattr(error, "sqlite_errorcode", None)
    return code is not None and code & 0xFF in _OF_THE_MACHINE  # further bits tell details


@dataclass(frozen=True)
class DatabaseKind:
    """Type of a database file: its name, the numbers in the header by which it is recognised, and its tables."""

    name: str
    """Name in messages, with its article."""
    application: int
    """Mark of the files of this kind among those of other programs."""
    version: int
    """Version of the tables; goes up with any change of them."""
    forms: tuple[str, ...]
    """Sets of tables that a file of this kind may have, as statements with a semicolon after each; a new file has the
    first."""


def open_database(
    path: str | Path,
    kind: DatabaseKind,
    *,
    isolation_level: str | None = "DEFERRED",
    timeout: float = _TIMEOUT,
    shared: bool = False,
    read_only: bool = False,
    contents: Iterable[tuple[str, tuple]] | None = None,
) -> sqlite3.Connection:
    """Open a file of this kind, which holds no more than the tables of one of its forms, and is sound throughout.

    ``timeout``: seconds to wait for another process that writes. ``shared``: several threads may use the connection.
    ``read_only``: refuse statements that write. ``contents``: statements, with their values, that fill the tables of a
    new file; without it no file is made. Raises ``StoreError`` for what is no regular file, a file of another kind or
    version, tables that were made by other statements, anything besides them, and damaged pages.
    """
    with ExitStack() as on_failure:
        try:
            check_regular(path)
            db = sqlite3.connect(path, timeout=timeout, isolation_level=isolation_level, check_same_thread=not shared)
            on_failure.callback(db.close)
            db.set_progress_handler(lambda: True, _MOST_STEPS)  # True ends the statement
            db.execute("PRAGMA trusted_schema = OFF")
            if contents is not None:
                _make(db, kind, contents)
            if read_only:
                db.execute("PRAGMA query_only = ON")
            _check_tables(db, kind)
            db.set_progress_handler(None, 0)
            _check_pages(db)
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:  # the latter: when SQLite quotes what it found
            was_stopped = getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_INTERRUPT
            reason = _TOO_LONG if was_stopped else escape_text(error)
            problem = reason if is_of_the_machine(error) else f"not {kind.name} ({reason})"
            raise StoreError(f"{path}: {problem}") from error
        except OSError as error:
            raise StoreError(f"{path}: {error.strerror}") from error
        on_failure.pop_all()
    return db


_TOO_LONG = "its list of tables has no end"


def _make(db: sqlite3.Connection, kind: DatabaseKind, contents: Iterable[tuple[str, tuple]]) -> None:
    """Make and fill the tables, unless another process has done so while this one waited for its turn."""
    if db.execute("SELECT 1 FROM sqlite_master").fetchone():
        return
    db.execute("BEGIN EXCLUSIVE")
    if not db.execute("SELECT 1 FROM sqlite_master").fetchone():
        for statement in kind.forms[0].split(";"):
            db.execute(statement)
        for statement, values in contents:
            db.execute(statement, values)
        db.execute(f"PRAGMA application_id = {kind.application}")
        db.execute(f"PRAGMA user_version = {kind.version}")
    db.execute("COMMIT")


def _check_tables(db: sqlite3.Connection, kind: DatabaseKind) -> None:
    """Raise ``DatabaseError`` unless a file has the numbers of its kind, and no more than the tables of a form."""
    (application,) = db.execute("PRAGMA application_id").fetchone()
    (version,) = db.execute("PRAGMA user_version").fetchone()
    if application != kind.application:
        raise sqlite3.DatabaseError("it is of another program or kind")
    if version != kind.version:
        raise sqlite3.DatabaseError(f"it is of version {version}, but version {kind.version} is needed")
    forms, found = [_rows(form) for form in kind.forms], set()
    for what, name, table, statement in db.execute(_OWN_ROWS):
        row = what, name, table, _in_one_line(statement)
        if row in found or not any(row in form for form in forms):
            names = sorted({name for form in forms for what, name, *_ in form if what == "table"})
            other = " with other columns or constraints" if what == "table" and name in names else ""
            raise sqlite3.DatabaseError(f"it holds the {what} {name}{other}; allowed are the tables {', '.join(names)}")
        found.add(row)
    missing = min((form - found for form in forms), key=len)
    if missing:
        raise sqlite3.DatabaseError(f"the {' '.join(min(missing)[:2])} is missing")
    if found not in forms:
        raise sqlite3.DatabaseError("its tables do not belong together")


@cache
def _rows(tables: str) -> set[tuple]:
    """Rows of SQLite's schema table for these ``tables`` (statements) and the indices of their keys."""
    with closing(sqlite3.connect(":memory:")) as db:
        db.executescript(tables)
        return {(*row[:3], _in_one_line(row[3])) for row in db.execute(_OWN_ROWS)}


def _in_one_line(statement: str | None) -> str | None:
    return " ".join(statement.split()) if isinstance(statement, str) else statement


def _check_pages(db: sqlite3.Connection) -> None:
    """Raise ``DatabaseError`` unless each page and each entry of an index is where it belongs, and there once."""
    (found,) = db.execute("PRAGMA integrity_check(1)").fetchone()
    if found != "ok":
        raise sqlite3.DatabaseError(f"it is damaged: {found.splitlines()[-1]}")

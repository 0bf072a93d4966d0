"""Opening of SQLite files that may come from strangers: nothing in them is executed."""

import re
import sqlite3
from collections.abc import Collection, Iterable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from dawn_env.errors import DawnError
from dawn_env.support.safe_text import escape_text

_TIMEOUT = 60  # seconds
_EXPRESSION = re.compile(r"\b(AS|CHECK)\b", re.IGNORECASE)  # of a computed column, or evaluated for each new row

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
    tables: str
    """Statements that make the tables, with a semicolon after each."""


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
    """Open a file of this kind, which holds no more than its tables and their automatic indices.

    ``timeout``: seconds to wait for another process that writes. ``shared``: several threads may use the connection.
    ``read_only``: refuse statements that write. ``contents``: statements, with their values, that fill the tables of a
    new file; without it no file is made. Raises ``StoreError`` for a folder, a file of another kind or version, and
    for views, triggers, virtual tables, tables with expressions and tables of other names.
    """
    if Path(path).is_dir():
        raise StoreError(f"{path} is a folder, not a file")
    with ExitStack() as on_failure:
        try:
            db = sqlite3.connect(path, timeout=timeout, isolation_level=isolation_level, check_same_thread=not shared)
            on_failure.callback(db.close)
            db.execute("PRAGMA trusted_schema = OFF")
            if contents is not None:
                _make(db, kind, contents)
            if read_only:
                db.execute("PRAGMA query_only = ON")
            _check(db, kind)
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:  # the latter: when SQLite quotes what it found
            reason = escape_text(error)
            problem = reason if is_of_the_machine(error) else f"not {kind.name} ({reason})"
            raise StoreError(f"{path}: {problem}") from error
        on_failure.pop_all()
    return db


def _make(db: sqlite3.Connection, kind: DatabaseKind, contents: Iterable[tuple[str, tuple]]) -> None:
    """Make and fill the tables, unless another process has done so while this one waited for its turn."""
    if db.execute("SELECT 1 FROM sqlite_master").fetchone():
        return
    db.execute("BEGIN EXCLUSIVE")
    if not db.execute("SELECT 1 FROM sqlite_master").fetchone():
        for statement in kind.tables.split(";"):
            db.execute(statement)
        for statement, values in contents:
            db.execute(statement, values)
        db.execute(f"PRAGMA application_id = {kind.application}")
        db.execute(f"PRAGMA user_version = {kind.version}")
    db.execute("COMMIT")


def _check(db: sqlite3.Connection, kind: DatabaseKind) -> None:
    (application,) = db.execute("PRAGMA application_id").fetchone()
    (version,) = db.execute("PRAGMA user_version").fetchone()
    if application != kind.application:
        raise sqlite3.DatabaseError("it is of another program or kind")
    if version != kind.version:
        raise sqlite3.DatabaseError(f"it is of version {version}, but version {kind.version} is needed")
    names = re.findall(r"CREATE TABLE (\w+)", kind.tables)
    for what, name, text in db.execute("SELECT type, name, sql FROM sqlite_master"):
        if not _is_expected(what, name, text, names):
            raise sqlite3.DatabaseError(f"it holds the {what} {name}; allowed are the tables {', '.join(names)}")


def _is_expected(kind: str, name: str, text: str | None, tables: Collection[str]) -> bool:
    if kind == "index":
        return text is None  # SQLite's own, of a primary key
    is_table = kind == "table" and name in tables and str(text).upper().startswith("CREATE TABLE")
    return is_table and not _EXPRESSION.search(str(text))

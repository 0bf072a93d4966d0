"""Opening of SQLite files that may come from strangers: nothing in them is executed."""

import sqlite3
from collections.abc import Collection
from pathlib import Path

_TIMEOUT = 60  # seconds to wait for another process that writes


def open_database(
    path: str | Path, tables: Collection[str], *, isolation_level: str | None = "DEFERRED", read_only: bool = False
) -> sqlite3.Connection:
    """Open a file that holds no more than these ``tables`` and their automatic indices.

    ``read_only``: refuse statements that write. Raises ``sqlite3.DatabaseError`` for views, triggers, virtual tables
    and tables of other names.
    """
    db = sqlite3.connect(path, timeout=_TIMEOUT, isolation_level=isolation_level)
    try:
        db.execute("PRAGMA trusted_schema = OFF")
        if read_only:
            db.execute("PRAGMA query_only = ON")
        for kind, name, text in db.execute("SELECT type, name, sql FROM sqlite_master"):
            if not _is_expected(kind, name, text, tables):
                raise sqlite3.DatabaseError(f"it holds the {kind} {name}; allowed are the tables {', '.join(tables)}")
    except BaseException:
        db.close()
        raise
    return db


def _is_expected(kind: str, name: str, text: str | None, tables: Collection[str]) -> bool:
    if kind == "index":
        return text is None  # SQLite's own, of a primary key
    return kind == "table" and name in tables and str(text).upper().startswith("CREATE TABLE")

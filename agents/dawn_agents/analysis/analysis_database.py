"""Judged games on disk: an SQLite database that takes games as they end and survives being cut off at any time."""

import sqlite3
from collections.abc import Iterable
from pathlib import Path

from dawn_agents.analysis.judged_games import JudgedGame
from dawn_agents.sqlite_files import DatabaseKind, StoreError, open_database

SCHEMA = 1
"""Version of the tables; goes up with any change of them."""
_TABLES = "CREATE TABLE games (key TEXT PRIMARY KEY, told TEXT NOT NULL);"
FILES = DatabaseKind("a database of judged games", 0x1989A7, SCHEMA, _TABLES)
"""Type of the database file: header numbers and tables."""


class KeptGames:
    """An open database; use it in a ``with`` statement.

    Keys are those of ``Judging``.
    """

    def __init__(self, path: Path):
        """Open it, or make it anew; raises ``StoreError`` for a file of something else, and ``OSError``."""
        path.parent.mkdir(parents=True, exist_ok=True)
        self._path = path
        self._db = open_database(path, FILES, isolation_level=None, contents=())

    def __enter__(self) -> "KeptGames":
        return self

    def __exit__(self, *_) -> None:
        self._db.close()

    def add(self, key: str, game: JudgedGame) -> None:
        """Keep a game."""
        self._db.execute("INSERT OR REPLACE INTO games VALUES (?, ?)", (key, game.to_text()))

    def find(self, keys: Iterable[str]) -> dict[str, JudgedGame]:
        """Subset of the keys that are kept; raises ``StoreError`` when the file is damaged."""
        try:
            found = {key: self._db.execute("SELECT told FROM games WHERE key = ?", (key,)).fetchone() for key in keys}
            return {key: JudgedGame.from_text(row[0]) for key, row in found.items() if row}
        except (sqlite3.DatabaseError, ValueError, TypeError) as error:
            raise StoreError(f"{self._path}: damaged; analyse into another file") from error

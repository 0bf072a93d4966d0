"""Judged games on disk: an SQLite database that takes games as they end and survives being cut off at any time."""

import sqlite3
from collections.abc import Iterable
from pathlib import Path

from dawn_agents.analysis.judged_games import JudgedGame
from dawn_agents.rating.tournament_errors import StoreError
from dawn_agents.sqlite_files import open_database
from dawn_env.support.safe_text import escape_text

_APPLICATION = 0x1989A7  # marks our databases among those of other programs
_TABLE = "CREATE TABLE IF NOT EXISTS games (key TEXT PRIMARY KEY, told TEXT NOT NULL)"


class KeptGames:
    """An open database, read only until a game is added; use it in a ``with`` statement.

    Keys are those of ``Judging``.
    """

    def __init__(self, path: Path):
        """Open it, or make it anew; raises ``StoreError`` for a file of something else, and ``OSError``."""
        path.parent.mkdir(parents=True, exist_ok=True)
        is_new = not path.exists() or path.stat().st_size == 0
        self._path = path
        try:
            self._db = open_database(path, ("games",), isolation_level=None, read_only=not is_new)
        except sqlite3.DatabaseError as error:
            raise StoreError(f"{path}: not a database of judged games ({escape_text(error)})") from error
        try:
            if is_new:
                self._db.execute(f"PRAGMA application_id = {_APPLICATION}")
                self._db.execute(_TABLE)
            (application,) = self._db.execute("PRAGMA application_id").fetchone()
        except sqlite3.DatabaseError:
            application = None
        if application != _APPLICATION:
            self._db.close()
            raise StoreError(f"{path}: not a database of judged games")

    def __enter__(self) -> "KeptGames":
        return self

    def __exit__(self, *_) -> None:
        self._db.close()

    def add(self, key: str, game: JudgedGame) -> None:
        """Keep a game."""
        self._db.execute("PRAGMA query_only = OFF")
        self._db.execute("INSERT OR REPLACE INTO games VALUES (?, ?)", (key, game.to_text()))

    def find(self, keys: Iterable[str]) -> dict[str, JudgedGame]:
        """Subset of the keys that are kept; raises ``StoreError`` when the file is damaged."""
        try:
            found = {key: self._db.execute("SELECT told FROM games WHERE key = ?", (key,)).fetchone() for key in keys}
            return {key: JudgedGame.from_text(row[0]) for key, row in found.items() if row}
        except (sqlite3.DatabaseError, ValueError, TypeError) as error:
            raise StoreError(f"{self._path}: damaged; analyse into another file") from error

"""Games on disk: SQLite, only ever appended to, so that whatever was acknowledged survives an end at any moment."""

import json
import logging
import os
import secrets
import sqlite3
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from dawn_agents.frontends.web.game_session import HUMAN, Setting
from dawn_agents.serving.request_limits import RateLimit
from dawn_agents.sqlite_files import DatabaseKind, StoreError, open_database
from dawn_env.errors import MalformedPosition
from dawn_env.options import GameOptions
from dawn_env.support.file_lock import lock_file
from dawn_env.validation.untrusted_json import parse_json

log = logging.getLogger("dawn.web")

SCHEMA = 3
"""Version of the tables; goes up with any change of them."""
_TABLES = """
CREATE TABLE games (
    id INTEGER PRIMARY KEY, created REAL NOT NULL, seed INTEGER NOT NULL, options TEXT NOT NULL,
    democrat TEXT NOT NULL, communist TEXT NOT NULL, opening TEXT NOT NULL,
    position TEXT NOT NULL DEFAULT '', secret INTEGER NOT NULL DEFAULT 0,
    token_democrat TEXT UNIQUE, token_communist TEXT UNIQUE, token_replay TEXT NOT NULL UNIQUE
);
CREATE TABLE moves (
    game INTEGER NOT NULL REFERENCES games, number INTEGER NOT NULL, side INTEGER NOT NULL, text TEXT NOT NULL,
    PRIMARY KEY (game, number)
) WITHOUT ROWID;
CREATE TABLE shelves (id INTEGER PRIMARY KEY, token TEXT NOT NULL UNIQUE, title TEXT NOT NULL, created REAL NOT NULL);
CREATE TABLE records (
    shelf INTEGER NOT NULL REFERENCES shelves, number INTEGER NOT NULL, record TEXT NOT NULL,
    PRIMARY KEY (shelf, number)
) WITHOUT ROWID;
"""
FILES = DatabaseKind("a database of the browser's games", 0x1989EB, SCHEMA, (_TABLES,))
"""Type of the database file: header numbers and tables."""
MOST_KEPT = 2**29
"""Bytes of the records of all opened files; the oldest files make room for new ones."""
_TOKEN_BYTES = 16
_TIMEOUT = 0.5  # seconds to wait for another process that writes; meanwhile the server answers no requests


@dataclass(frozen=True)
class StoredGame:
    """A game on disk: ``tokens`` open its seats, None where no person sits.

    ``secret``: 63 random bits, from which the seeds of its players follow; they tell nothing about the game's seed.
    """

    id: int
    setting: Setting
    secret: int
    tokens: tuple[str | None, str | None]
    replay: str


class GameDatabase:
    """All games of a server, and the records that were opened; no other server has the file meanwhile."""

    def __init__(self, path: str | Path):
        """Open a database file, creating it if it is missing; raises ``StoreError``."""
        self.path = Path(path)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.path.touch(0o600)  # the links of seats are in it; SQLite makes its other files with the same mode
            self._db = open_database(self.path, FILES, isolation_level=None, timeout=_TIMEOUT, shared=True, contents=())
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = NORMAL")
            sizes = self._db.execute("SELECT shelf, SUM(LENGTH(record)) FROM records GROUP BY shelf ORDER BY shelf")
            self._shelf_sizes: dict[int, int] = dict(sizes)  # bytes by number, oldest first
            self._adding = threading.Lock()  # one file at a time, so that none is removed while it is written
        except (sqlite3.Error, OSError) as error:
            raise StoreError(str(error)) from error
        try:
            self._lock = lock_file(Path(f"{self.path.resolve()}.lock"))
        except TimeoutError:
            self._db.close()
            raise StoreError(f"{self.path} is in use by another server") from None
        self._opened, self._reports = self.path.stat(), RateLimit(1 / 3600, 1)

    def close(self) -> None:
        """Close the file, once no file of others is being added, and let others have it."""
        with self._adding:
            self._db.close()
        self._lock.release()

    @property
    def is_in_place(self) -> bool:
        """Return False when the file was deleted or replaced: SQLite would go on writing to the deleted one."""
        with suppress(OSError):
            return os.path.samestat(self.path.stat(), self._opened)
        return False

    # --- games -----------------------------------------------------------------------------------

    def add(self, setting: Setting, journal: Iterable[tuple[int, str]] = ()) -> StoredGame:
        """A new game with the journal of what was done already; its tokens cannot be guessed."""
        tokens = tuple(_token() if player == HUMAN else None for player in setting.players)
        secret, replay = secrets.randbits(63), _token()
        with self._writing():
            self._db.execute(
                "INSERT INTO games (created, seed, options, democrat, communist, opening, position, secret,"
                " token_democrat, token_communist, token_replay) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    time.time(), setting.seed, json.dumps(setting.options.to_json()), *setting.players,
                    json.dumps(setting.opening), setting.position, secret, *tokens, replay,
                ),
            )  # fmt: skip
            game = self._id("games", "token_replay", replay)
            rows = ((game, number, seat, text) for number, (seat, text) in enumerate(journal))
            self._db.executemany("INSERT INTO moves VALUES (?, ?, ?, ?)", rows)
            return StoredGame(game, setting, secret, tokens, replay)

    def append(self, game: int, number: int, seat: int, text: str) -> None:
        """Store the entry ``number`` (from 0) of a game's journal."""
        with self._writing():
            self._db.execute("INSERT INTO moves VALUES (?, ?, ?, ?)", (game, number, seat, text))

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Raise ``StoreError``, which names the file without its folders, when it cannot be written in this block."""
        try:
            if not self.is_in_place:
                raise FileNotFoundError("it was removed or replaced; start the server again")
            yield
        except (sqlite3.Error, FileNotFoundError) as error:
            if self._reports.take(str(error)):  # pages that ask again would fill the log
                log.error("%s cannot be written: %s", self.path, error)
            reason = str(error).removeprefix(f"{self.path}: ")
            raise StoreError(f"{self.path.name} cannot be written: {reason}") from error

    def journal(self, game: int) -> list[tuple[int, str]]:
        """Moves of a game."""
        return self._db.execute("SELECT side, text FROM moves WHERE game = ? ORDER BY number", (game,)).fetchall()

    def by_seat(self, token: str) -> StoredGame | None:
        """The game in which a token opens a seat."""
        return self._find("token_democrat = ? OR token_communist = ?", token, token)

    def by_replay(self, token: str) -> StoredGame | None:
        """Game of a replay token."""
        return self._find("token_replay = ?", token)

    def _find(self, where: str, *values: str) -> StoredGame | None:
        row = self._db.execute(
            "SELECT id, seed, options, democrat, communist, opening, position, secret, token_democrat, token_communist,"
            f" token_replay FROM games WHERE {where}",
            values,
        ).fetchone()
        if row is None:
            return None
        number, seed, options, democrat, communist, opening, position, secret, *tokens, replay = row
        agreed, actions = GameOptions.of(parse_json(options)), tuple(parse_json(opening))
        setting = Setting(seed, agreed, (democrat, communist), actions, position)
        return StoredGame(number, setting, secret, tuple(tokens), replay)

    # --- records that were opened ------------------------------------------------------------------

    def add_shelf(self, title: str, records: Iterable[dict]) -> str:
        """Store records of games under a title, all or none; returns the token in the address of their page.

        Run outside the server's thread. Every row is a transaction of its own, so that moves are written in between.
        Raises ``StoreError``, and ``MalformedPosition`` for too many bytes.
        """
        token, texts = _token(), [json.dumps(record) for record in records]
        size = sum(map(len, texts))
        if size > MOST_KEPT:
            raise MalformedPosition(f"games of more than {MOST_KEPT:,} bytes")
        with self._adding, self._writing():
            while sum(self._shelf_sizes.values()) + size > MOST_KEPT:
                self._remove_shelf(next(iter(self._shelf_sizes)))
            self._db.execute(
                "INSERT INTO shelves (token, title, created) VALUES (?, ?, ?)", (token, title, time.time())
            )
            shelf = self._id("shelves", "token", token)
            self._shelf_sizes[shelf] = size
            try:
                rows = ((shelf, number, text) for number, text in enumerate(texts))
                self._db.executemany("INSERT INTO records VALUES (?, ?, ?)", rows)
            except sqlite3.Error:
                self._remove_shelf(shelf)
                raise
        return token

    def _remove_shelf(self, shelf: int) -> None:
        rows = self._db.execute("SELECT shelf, number FROM records WHERE shelf = ?", (shelf,)).fetchall()
        self._db.executemany("DELETE FROM records WHERE shelf = ? AND number = ?", rows)
        self._db.execute("DELETE FROM shelves WHERE id = ?", (shelf,))
        del self._shelf_sizes[shelf]

    def _id(self, table: str, column: str, token: str) -> int:
        """Id of an added row; ``lastrowid`` may be that of a row which another thread has added since."""
        return self._db.execute(f"SELECT id FROM {table} WHERE {column} = ?", (token,)).fetchone()[0]

    def shelf(self, token: str) -> str | None:
        """The title of a shelf."""
        row = self._db.execute("SELECT title FROM shelves WHERE token = ?", (token,)).fetchone()
        return row and row[0]

    def record(self, token: str, number: int) -> dict | None:
        """A record of a shelf."""
        row = self._db.execute(
            "SELECT record FROM records JOIN shelves ON shelf = id WHERE token = ? AND number = ?", (token, number)
        ).fetchone()
        return row and parse_json(row[0])

    def listing(self, token: str, first: int, count: int) -> tuple[int, list[dict]]:
        """Number of records of a shelf, and a part of them without their decisions."""
        source = "FROM records JOIN shelves ON shelf = id WHERE token = ?"
        (size,) = self._db.execute(f"SELECT COUNT(*) {source}", (token,)).fetchone()
        rows = self._db.execute(f"SELECT number, record {source} ORDER BY number LIMIT ? OFFSET ?",
                                (token, count, first)).fetchall()  # fmt: skip
        return size, [{"number": number} | _head(parse_json(record)) for number, record in rows]


def _head(record: dict) -> dict:
    keys = ("seed", "players", "result", "reason", "vp", "turn")
    more = {"length": len(record["decisions"]), "mode": GameOptions.of(record["options"]).mode}
    return {key: record[key] for key in keys} | more | {"unfinished": record.get("unfinished", False)}


def _token() -> str:
    return secrets.token_urlsafe(_TOKEN_BYTES)

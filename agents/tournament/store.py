"""Results on disk: an SQLite database that takes games as they end and survives being cut off at any time.

Tables: ``settings`` (what all games have in common), ``players``, and ``games`` with the actions of every
game, one byte each, from which its record can be made. The games of a pair are written together.
"""

import json
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from agents.match import Outcome
from agents.tournament.entrants import Entrant
from agents.tournament.errors import StoreError
from dawn_env.compiling import source_hash
from dawn_env.record import record_from_actions
from dawn_env.tables import SIDE_LETTERS

SCHEMA = 1
"""Version of the tables; goes up with any change of them."""
_APPLICATION = 0x1989DF  # marks our databases among those of other programs

_TABLES = """
CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE players (name TEXT PRIMARY KEY, version TEXT NOT NULL, options TEXT NOT NULL, seed INTEGER NOT NULL);
CREATE TABLE games (
    seed INTEGER NOT NULL,
    democrat TEXT NOT NULL REFERENCES players, communist TEXT NOT NULL REFERENCES players,
    result TEXT NOT NULL, reason TEXT NOT NULL, vp INTEGER NOT NULL, turn INTEGER NOT NULL, decisions INTEGER NOT NULL,
    seconds_democrat REAL NOT NULL, seconds_communist REAL NOT NULL,
    moves_democrat INTEGER NOT NULL, moves_communist INTEGER NOT NULL,
    failure TEXT NOT NULL, actions BLOB NOT NULL,
    PRIMARY KEY (seed, democrat)
);
"""
_INSERT = f"INSERT OR IGNORE INTO games VALUES ({', '.join('?' * 14)})"


@dataclass(frozen=True)
class Settings:
    """What all games of a database have in common: the version of the rules and the options of the game."""

    engine: str
    extra_support: tuple[int, int]

    @classmethod
    def now(cls, extra_support: tuple[int, int] = (0, 0)) -> "Settings":
        """The settings of games that are played now."""
        return cls(source_hash(), tuple(extra_support))


class Store:
    """An open database of results; close it, or use it in a ``with`` statement."""

    def __init__(self, path: str | Path):
        """Open an existing database; raises ``StoreError``."""
        self.path = Path(path)
        if not self.path.is_file():
            raise StoreError(f"{path}: no such file")
        self._db = self._connect()

    @classmethod
    def create(cls, path: str | Path, settings: Settings) -> "Store":
        """Open a database for games with these settings, made anew if there is none; raises ``StoreError``."""
        path = Path(path)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()
        except OSError as error:
            raise StoreError(f"{path}: {error.strerror}") from error
        if path.stat().st_size == 0:
            _initialise(path, settings)
        store = cls(path)
        store.check(settings)
        return store

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def _connect(self) -> sqlite3.Connection:
        db = sqlite3.connect(self.path, timeout=60)
        try:
            (application,), (schema,) = (db.execute(f"PRAGMA {key}").fetchone() for key in _MARKS)
        except sqlite3.DatabaseError as error:
            db.close()
            raise StoreError(f"{self.path}: not a database of results ({error})") from error
        problem = _mark_problem(application, schema)
        if problem:
            db.close()
            raise StoreError(f"{self.path}: {problem}")
        return db

    # --- settings and players ------------------------------------------------------------------

    @property
    def settings(self) -> Settings:
        """What all its games have in common."""
        kept = {key: json.loads(value) for key, value in self._db.execute("SELECT key, value FROM settings")}
        return Settings(kept["engine"], tuple(kept["extra_support"]))

    def check(self, settings: Settings) -> None:
        """Raise ``StoreError`` unless its games were played with the same settings."""
        kept = self.settings
        for key, wanted in vars(settings).items():
            have = getattr(kept, key)
            if have != wanted:
                raise StoreError(f"{self.path}: its games have {key} {have}, not {wanted}; choose another file")

    def players(self) -> dict[str, dict]:
        """``version``, ``options`` and ``seed`` of every player by name."""
        rows = self._db.execute("SELECT name, version, options, seed FROM players ORDER BY name")
        return {
            name: {"version": version, "options": json.loads(options), "seed": seed}
            for name, version, options, seed in rows
        }

    def add_players(self, entrants: Iterable[Entrant]) -> None:
        """Note players; raises ``StoreError`` when one is there already that would play differently."""
        fresh = {e.name: {"version": e.version, "options": e.options, "seed": e.seed} for e in entrants}
        self._note_players(fresh)

    def _note_players(self, fresh: dict[str, dict]) -> None:
        known = self.players()
        for name, player in fresh.items():
            for key, value in player.items():
                have = known.get(name, player)[key]
                if have != value:
                    raise StoreError(f"{self.path}: {name!r} has {key} {have!r} there, not {value!r}; choose another")
        rows = [(name, p["version"], json.dumps(p["options"]), p["seed"]) for name, p in fresh.items()]
        with self._db:
            self._db.executemany("INSERT OR IGNORE INTO players VALUES (?, ?, ?, ?)", rows)

    # --- games ---------------------------------------------------------------------------------

    def add(self, outcomes: Iterable[Outcome]) -> None:
        """Keep games, all or none of them; those already there stay as they are."""
        with self._db:
            self._db.executemany(_INSERT, [_row(outcome) for outcome in outcomes])

    def games(self) -> list[Outcome]:
        """All games, by seed, without their actions."""
        rows = self._db.execute("SELECT * FROM games ORDER BY seed, democrat")
        return [Outcome(*row[:8], row[8:10], row[10:12], row[12]) for row in rows]

    def merge(self, path: str | Path) -> int:
        """Add the games of another database; the number of those that were not yet here.

        Raises ``StoreError`` when it has other settings, or players of the same name that play differently.
        """
        with Store(path) as other:
            self.check(other.settings)
            self._note_players(other.players())
            before = self._db.total_changes
            with self._db:
                self._db.executemany(_INSERT, other._db.execute("SELECT * FROM games"))
        return self._db.total_changes - before

    def records(self) -> Iterator[dict]:
        """Game records of all games, as ``dawn_env.record`` has them; a forfeited one ends with the last move.

        Raises ``StoreError`` when the rules have changed since.
        """
        settings = self.settings
        self.check(Settings.now(settings.extra_support))
        options = {"extra_support": list(settings.extra_support)}
        for seed, *names, actions in self._db.execute("SELECT seed, democrat, communist, actions FROM games"):
            yield record_from_actions(seed, actions, options, dict(zip(SIDE_LETTERS, names, strict=True)))


_MARKS = ("application_id", "user_version")


def _initialise(path: Path, settings: Settings) -> None:
    db = sqlite3.connect(path)
    try:
        with db:
            db.executescript(
                f"BEGIN; {_TABLES} PRAGMA application_id = {_APPLICATION}; PRAGMA user_version = {SCHEMA};"
            )
            rows = [(key, json.dumps(value)) for key, value in vars(settings).items()]
            db.executemany("INSERT INTO settings VALUES (?, ?)", rows)
    finally:
        db.close()


def _mark_problem(application: int, schema: int) -> str:
    if application != _APPLICATION:
        return "not a database of results"
    return "" if schema == SCHEMA else f"a database of another version: {schema}, this program reads {SCHEMA}"


def _row(game: Outcome) -> tuple:
    return (
        game.seed, game.democrat, game.communist, game.result, game.reason, game.vp, game.turn, game.decisions,
        *game.seconds, *game.moves, game.failure, bytes(game.actions),
    )  # fmt: skip

"""Results on disk: an SQLite database that takes games as they end and survives being cut off at any time.

Tables: ``settings`` (what all games have in common), ``players``, ``games`` with the actions of every game,
one byte each, from which its record can be made, and, where programs have played, ``programs``.
"""

import json
import math
import sqlite3
from collections.abc import Container, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from agents.deals import draw_key
from agents.match import Outcome
from agents.tournament.entrants import Entrant
from agents.tournament.errors import StoreError
from dawn_env.compiling import source_hash
from dawn_env.plain_text import plain
from dawn_env.record import record_from_actions
from dawn_env.state import RESULTS, STATE
from dawn_env.tables import SIDE_LETTERS

SCHEMA = 1
"""Version of the tables; goes up with any change of them."""
_APPLICATION = 0x1989DF  # marks our databases among those of other programs

_TABLES = (
    "CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL)",
    "CREATE TABLE players (name TEXT PRIMARY KEY, version TEXT NOT NULL, options TEXT NOT NULL, seed INTEGER NOT NULL)",
    """CREATE TABLE games (
    seed INTEGER NOT NULL,
    democrat TEXT NOT NULL REFERENCES players, communist TEXT NOT NULL REFERENCES players,
    result TEXT NOT NULL, reason TEXT NOT NULL, vp INTEGER NOT NULL, turn INTEGER NOT NULL, decisions INTEGER NOT NULL,
    seconds_democrat REAL NOT NULL, seconds_communist REAL NOT NULL,
    moves_democrat INTEGER NOT NULL, moves_communist INTEGER NOT NULL,
    failure TEXT NOT NULL, actions BLOB NOT NULL,
    PRIMARY KEY (seed, democrat)
    )""",
)
_PROGRAMS = "CREATE TABLE IF NOT EXISTS programs (name TEXT PRIMARY KEY REFERENCES players, declared TEXT NOT NULL)"
_KEY = "key"  # row of ``settings``
_TIMEOUT = 60  # seconds to wait for another process that writes
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
        db = sqlite3.connect(self.path, timeout=_TIMEOUT)
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
        with self._sense():
            kept = {key: json.loads(value) for key, value in self._db.execute("SELECT key, value FROM settings")}
            return Settings(kept["engine"], tuple(kept["extra_support"]))

    @contextmanager
    def _sense(self) -> Iterator[None]:
        """Names the file when what it holds makes no sense."""
        try:
            yield
        except (LookupError, TypeError, ValueError, RecursionError) as error:
            raise StoreError(f"{self.path}: a damaged database: {type(error).__name__}: {error}") from error

    def check(self, settings: Settings) -> None:
        """Raise ``StoreError`` unless its games were played with the same settings."""
        kept = self.settings
        for key, wanted in vars(settings).items():
            have = getattr(kept, key)
            if have != wanted:
                raise StoreError(f"{self.path}: its games have {key} {have}, not {wanted}; choose another file")

    def key(self, wanted: str | None = None) -> str:
        """The secret on which deals of players from outside depend: the one kept, else ``wanted``, else one drawn now.

        Raises ``StoreError`` when the one that is kept is not the one ``wanted``.
        """
        with self._db:
            fresh = json.dumps(wanted or draw_key())
            self._db.execute("INSERT OR IGNORE INTO settings VALUES (?, ?)", (_KEY, fresh))
        ((kept,),) = self._db.execute("SELECT value FROM settings WHERE key = ?", (_KEY,))
        with self._sense():
            key = str(json.loads(kept))
        if wanted not in (None, key):
            raise StoreError(f"{self.path}: its games have another key; leave --key out, or choose another file")
        return key

    def players(self) -> dict[str, dict]:
        """``version``, ``options``, ``seed`` of every player by name, and what it has ``declared`` itself to be."""
        rows = self._db.execute("SELECT name, version, options, seed FROM players ORDER BY name")
        declared = self._declared()
        with self._sense():
            return {
                name: {"version": version, "options": dict(json.loads(options)), "seed": seed}
                | {"declared": declared.get(name, "")}
                for name, version, options, seed in rows
            }

    def _declared(self) -> dict[str, str]:
        """Names that programs have declared, by name of the player."""
        if not self._db.execute("SELECT 1 FROM sqlite_master WHERE name = 'programs'").fetchone():
            return {}
        return dict(self._db.execute("SELECT name, declared FROM programs"))

    def declare(self, declared: Mapping[str, str]) -> None:
        """Note names that programs have declared, by name of the player."""
        if not declared:
            return
        with self._db:
            self._db.execute(_PROGRAMS)
            self._db.executemany(
                "INSERT OR REPLACE INTO programs VALUES (?, ?)",
                [(name, plain(text)) for name, text in declared.items()],
            )

    def add_players(self, entrants: Iterable[Entrant]) -> None:
        """Note players; raises ``StoreError`` when one is there already that would play differently."""
        fresh = {e.name: {"version": e.version, "options": e.options, "seed": e.seed} for e in entrants}
        self._note_players(fresh)

    def _note_players(self, fresh: dict[str, dict]) -> None:
        known = self.players()
        for name, player in fresh.items():
            for key in ("version", "options", "seed"):
                value, have = player[key], known.get(name, player)[key]
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
        """All games, by seed, without their actions; raises ``StoreError`` when one makes no sense."""
        known = self.players()
        with self._sense():
            rows = self._db.execute("SELECT * FROM games ORDER BY seed, democrat")
            return [_outcome(row, known) for row in rows]

    def merge(self, path: str | Path) -> int:
        """Add the games of another database; the number of those that were not yet here.

        Raises ``StoreError`` when it has other settings, or players of the same name that play differently.
        """
        with Store(path) as other:
            self.check(other.settings)
            other.games()  # which looks whether they make sense
            self._note_players(other.players())
            self.declare(other._declared())
            with self._db:
                kept = other._db.execute("SELECT key, value FROM settings WHERE key = ?", (_KEY,))
                self._db.executemany("INSERT OR IGNORE INTO settings VALUES (?, ?)", kept)
            before = self._db.total_changes
            with self._db:
                self._db.executemany(_INSERT, other._db.execute("SELECT * FROM games"))
        return self._db.total_changes - before

    def seeds(self) -> set[int]:
        """The seeds of all games."""
        return {seed for (seed,) in self._db.execute("SELECT DISTINCT seed FROM games")}

    def records(self) -> Iterator[dict]:
        """Game records of all games, as ``dawn_env.record`` has them; a forfeited one ends with the last move.

        Raises ``StoreError`` when the rules have changed since.
        """
        settings = self.settings
        self.check(Settings.now(settings.extra_support))
        options = {"extra_support": list(settings.extra_support)}
        for seed, *names, actions in self._db.execute("SELECT seed, democrat, communist, actions FROM games"):
            with self._sense():
                record = record_from_actions(seed, actions, options, dict(zip(SIDE_LETTERS, names, strict=True)))
            yield record


_MARKS = ("application_id", "user_version")


def _initialise(path: Path, settings: Settings) -> None:
    """Make the tables, unless another process has done so while this one waited for its turn."""
    with closing(sqlite3.connect(path, timeout=_TIMEOUT, isolation_level=None)) as db:
        db.execute("BEGIN EXCLUSIVE")
        if not db.execute("SELECT 1 FROM sqlite_master").fetchone():
            for table in _TABLES:
                db.execute(table)
            rows = [(key, json.dumps(value)) for key, value in vars(settings).items()]
            db.executemany("INSERT INTO settings VALUES (?, ?)", rows)
            db.execute(f"PRAGMA application_id = {_APPLICATION}")
            db.execute(f"PRAGMA user_version = {SCHEMA}")
        db.execute("COMMIT")


def _mark_problem(application: int, schema: int) -> str:
    if application != _APPLICATION:
        return "not a database of results"
    return "" if schema == SCHEMA else f"a database of another version: {schema}, this program reads {SCHEMA}"


_TYPES = (int, str, str, str, str, int, int, int, float, float, int, int, str, bytes)
_MOST_VP = np.iinfo(STATE["vp"]).max


def _outcome(row: tuple, players: Container[str]) -> Outcome:
    """The game of a row of the table; raises ``ValueError`` for one that was not written by this program."""
    game = Outcome(*row[:8], row[8:10], row[10:12], row[12])
    fitting = (
        all(map(isinstance, row, _TYPES))
        and game.result in RESULTS[1:]
        and abs(game.vp) <= _MOST_VP
        and game.decisions == len(row[13])
        and all(0 <= number < math.inf for number in (game.seed, game.turn, *game.seconds, *game.moves))
        and all(name in players for name in game.players)
    )
    if not fitting:
        raise ValueError(f"the game with seed {game.seed!r} and Democrat {game.democrat!r}")
    return game


def _row(game: Outcome) -> tuple:
    return (
        game.seed, game.democrat, game.communist, game.result, game.reason, game.vp, game.turn, game.decisions,
        *game.seconds, *game.moves, game.failure, bytes(game.actions),
    )  # fmt: skip

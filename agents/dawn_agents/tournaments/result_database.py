"""Results on disk: an SQLite database that takes games as they end and survives being cut off at any time.

Tables: ``settings`` (what all games have in common), ``players``, and ``games`` with the actions of every
game, one byte each, from which its record can be made. The games of a pair are written together. ``luck`` holds what
chance gave in games that were measured, ``programs`` the names and versions that programs have declared, ``costs`` what
games have cost each side besides time. Files that were made before there were costs get that table with the first.
"""

import json
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal

from annotated_types import Ge, Interval

from dawn_agents.players.external.secret_keys import draw_key
from dawn_agents.sqlite_files import DatabaseKind, StoreError, is_of_the_machine, open_database
from dawn_agents.tournaments.entrants import Entrant, Pair
from dawn_agents.tournaments.match import FORFEIT, Costs, Outcome
from dawn_agents.tournaments.rating import luck_correction
from dawn_env.actions import ALL_ACTIONS
from dawn_env.errors import BadOptions, DawnError
from dawn_env.formats.game_record import Seed, record_from_actions
from dawn_env.options import STANDARD, GameOptions
from dawn_env.state import REASONS, RESULTS, Reason, Result
from dawn_env.support.compiled_code import source_hash
from dawn_env.support.safe_text import escape_text, short_repr
from dawn_env.tables import SIDE_LETTERS, SIDE_NAMES
from dawn_env.validation.checked_input import keyed, read
from dawn_env.validation.untrusted_json import parse_json

FIRST = "first"
"""A further column of games with a bid: the first player."""
_COUNT = Annotated[int, Interval(ge=0, lt=2**31)]
_SECONDS = Annotated[float, Ge(0)]
_RESULTS = tuple(name for name in RESULTS if name != RESULTS[Result.RUNNING])
_REASONS = (*(name for name in REASONS if name != REASONS[Reason.RUNNING]), FORFEIT)
_KINDS = {
    "seed": Seed, "democrat": str, "communist": str, "result": Literal[_RESULTS], "reason": Literal[_REASONS],
    "vp": Annotated[int, Interval(ge=-1000, le=1000)], "turn": Annotated[int, Interval(ge=0, le=10)],
    "decisions": _COUNT, "seconds_democrat": _SECONDS, "seconds_communist": _SECONDS, "moves_democrat": _COUNT,
    "moves_communist": _COUNT, "failure": str, "actions": bytes,
}  # fmt: skip
COLUMNS = tuple(_KINDS)
"""Columns of the table of games, in order."""
_GAME = keyed(_KINDS)


def check_row(row: Sequence, players: Collection[str]) -> None:
    """Raise ``ValueError`` unless a row of ``COLUMNS``, and perhaps ``FIRST``, is a game between two of ``players``."""
    cells = read(_GAME, dict(zip(COLUMNS, row, strict=False)))
    seated = [cells[name] for name in SIDE_NAMES]
    for name in SIDE_NAMES:
        if cells[name] not in players:
            raise ValueError(f"{name}: one of the players expected, not {short_repr(cells[name])}")
    if len(row) > len(COLUMNS) and row[-1] not in seated:
        raise ValueError(f"first: one of the two players expected, not {short_repr(row[-1])}")
    if len(set(seated)) < len(seated):
        raise ValueError(f"communist: another player than the Democrat expected, not {short_repr(seated[1])}")
    if cells["reason"] == FORFEIT and cells["result"] not in SIDE_NAMES:
        raise ValueError(f"result: a winner expected, as the game was forfeited, not {cells['result']}")
    if len(cells["actions"]) != cells["decisions"]:
        raise ValueError(f"actions: {cells['decisions']} expected, one for each decision, not {len(cells['actions'])}")
    if max(cells["actions"], default=0) >= ALL_ACTIONS:
        raise ValueError(f"actions: bytes below {ALL_ACTIONS} expected")


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
CREATE TABLE programs (name TEXT PRIMARY KEY REFERENCES players, declared TEXT NOT NULL);
CREATE TABLE luck (
    seed INTEGER NOT NULL, seat TEXT NOT NULL, version TEXT NOT NULL, points REAL NOT NULL, PRIMARY KEY (seed, seat)
);
"""
_COSTS = """
CREATE TABLE costs (
    seed INTEGER NOT NULL, seat TEXT NOT NULL, side TEXT NOT NULL, name TEXT NOT NULL, amount REAL NOT NULL,
    PRIMARY KEY (seed, seat, side, name)
);
"""
_WITH_BIDS = ("PRIMARY KEY (seed, democrat)", f"{FIRST} TEXT NOT NULL REFERENCES players, PRIMARY KEY (seed, {FIRST})")
"""What is otherwise in games with a bid, in which one player may have the same side in both games of a pair."""
_MOST_LUCK = 10.0  # points of one game, far from what there is
_LUCK_COLUMNS = ("seed", "seat", "version", "points")
_COST_COLUMNS = ("seed", "seat", "side", "name", "amount")
SCHEMA = 2
"""Version of the tables; goes up with any change of them."""
_FORMS = tuple(form for tables in (_TABLES + _COSTS, _TABLES) for form in (tables, tables.replace(*_WITH_BIDS)))
FILES = DatabaseKind("a database of results", 0x1989DF, SCHEMA, _FORMS)
"""Type of the database file: header numbers, and tables of games without and with a bid, with and without costs."""
_KEY, _SOURCES = "key", "sources"  # rows of ``settings``


class ResultDatabase(AbstractContextManager["ResultDatabase"]):
    """An open database of results; close it, or use it in a ``with`` statement.

    ``engine``, ``options``: version of the rules and options of all its games.
    """

    def __init__(self, path: str | Path, read_only: bool = False):
        """Open an existing database, ``read_only`` to refuse statements that write; raises ``StoreError``."""
        self.path = Path(path)
        if not self.path.exists():
            raise StoreError(f"{path}: no such file")
        self._db = open_database(self.path, FILES, read_only=read_only)
        try:
            self.engine, self.options = self._read_settings()
        except StoreError:
            self._db.close()
            raise
        self._columns = (*COLUMNS, FIRST) if self.options.bid else COLUMNS
        self._seat = FIRST if self.options.bid else SIDE_NAMES[0]
        self.edited: set[str] = set()
        """Players added or merged whose files are not those with which their games here were played."""

    @classmethod
    def create(cls, path: str | Path, options: GameOptions = STANDARD, engine: str = "") -> "ResultDatabase":
        """Open a database for games with these options, made anew if there is none; raises ``StoreError``.

        ``engine``: version of the rules, the present one by default.
        """
        statement, settings = "INSERT INTO settings VALUES (?, ?)", _settings(options, engine)
        rows = [(statement, (key, json.dumps(value))) for key, value in settings.items()]
        kind = replace(FILES, forms=FILES.forms[1:] + FILES.forms[:1]) if options.bid else FILES
        try:
            Path(path).parent.mkdir(parents=True, exist_ok=True)
            open_database(path, kind, isolation_level=None, contents=rows).close()
        except OSError as error:
            raise StoreError(f"{path}: {error.strerror}") from error
        store = cls(path)
        store.check(options, engine)
        return store

    def __exit__(self, *_) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def _rows(self, table: str, columns: Sequence[str], order: str) -> Iterator[tuple]:
        """Rows of a table; raises ``StoreError`` when the file is damaged."""
        try:
            for row in self._db.execute(f"SELECT {', '.join(columns)} FROM {table} ORDER BY {order}"):  # noqa: UP028
                yield row  # "yield from" would close the cursor after the database, which is an error
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            if is_of_the_machine(error):
                raise
            raise StoreError(f"{self.path}: damaged database of results ({escape_text(error)})") from error

    def _damaged(self, what: str) -> StoreError:
        return StoreError(f"{self.path}: damaged database of results: {what}")

    # --- settings and players ------------------------------------------------------------------

    def _read_settings(self) -> tuple[str, GameOptions]:
        rows = self._rows("settings", ("key", "value"), "key")
        kept = {key: self._json(f"setting {short_repr(key)}", value) for key, value in rows}
        if not isinstance(kept.get("engine"), str):
            raise self._damaged(f"setting engine: {short_repr(kept.get('engine'))}")
        try:
            options = GameOptions.of({name: kept[name] for name in GameOptions.names()})
        except (BadOptions, KeyError) as error:
            raise self._damaged(f"setting {error}") from None
        (bids,) = self._db.execute(
            "SELECT COUNT(*) FROM pragma_table_info('games') WHERE name = ?", (FIRST,)
        ).fetchone()
        if bids != options.bid:
            raise self._damaged(f"setting bid: {options.bid}, unlike its table of games")
        return kept["engine"], options

    def _json(self, what: str, text: object) -> Any:
        try:
            return parse_json(text)
        except (ValueError, TypeError):
            raise self._damaged(f"{what}: {short_repr(text)}") from None

    def check(self, options: GameOptions, engine: str = "") -> None:
        """Raise ``StoreError`` unless its games have these options and this version of the rules."""
        kept = _settings(self.options, self.engine)
        for key, wanted in _settings(options, engine).items():
            if (have := kept[key]) != wanted:
                raise StoreError(f"{self.path}: its games have {key} {have}, not {wanted}; name another --db")

    def key(self, wanted: str | None = None) -> str:
        """The secret on which deals of players from outside depend: the one kept, else ``wanted``, else one drawn now.

        Raises ``StoreError`` when the one that is kept is not the one ``wanted``.
        """
        with self._db:
            fresh = json.dumps(wanted or draw_key())
            self._db.execute("INSERT OR IGNORE INTO settings VALUES (?, ?)", (_KEY, fresh))
        ((kept,),) = self._db.execute("SELECT value FROM settings WHERE key = ?", (_KEY,))
        key = self._json("key", kept)
        if not isinstance(key, str):
            raise self._damaged(f"key: {short_repr(kept)}")
        if wanted not in (None, key):
            raise StoreError(f"{self.path}: its games have another key; leave --key out, or name another --db")
        return key

    def players(self) -> dict[str, dict]:
        """``version``, ``options``, ``seed`` of every player by name, and what it has ``declared`` itself to be."""
        found, declared = {}, self._declared()
        for name, version, text, seed in self._rows("players", ("name", "version", "options", "seed"), "name"):
            options = self._json(f"options of player {short_repr(name)}", text)
            kinds = ((name, str), (version, str), (options, dict), (seed, int))
            if not all(isinstance(value, kind) for value, kind in kinds) or seed < 0:
                raise self._damaged(f"player: {short_repr((name, version, options, seed))}")
            found[name] = {"version": version, "options": options, "seed": seed, "declared": declared.get(name, "")}
        return found

    def _declared(self) -> dict[str, str]:
        """Names and versions that programs have declared, by name of the player."""
        return {str(name): str(declared) for name, declared in self._rows("programs", ("name", "declared"), "name")}

    def declare(self, declared: Mapping[str, str]) -> None:
        """Store names and versions that programs have declared, by name of the player.

        Raises ``StoreError`` when one has another name or version in the database.
        """
        with self._db:
            self._declare(declared)

    def _declare(self, declared: Mapping[str, str]) -> None:
        known, rows = self._declared(), {name: escape_text(text) for name, text in declared.items()}
        for name, value in rows.items():
            if (have := known.get(name, value)) != value:
                raise StoreError(f"{self.path}: {name!r} is {have!r} there, not {value!r}; name another --db")
        self._db.executemany("INSERT OR IGNORE INTO programs VALUES (?, ?)", rows.items())

    def add_players(self, entrants: Iterable[Entrant]) -> None:
        """Store players; raises ``StoreError`` when one is there already that would play differently."""
        entrants = list(entrants)
        fresh = {e.name: {"version": e.version, "options": e.options, "seed": e.seed} for e in entrants}
        with self._db:
            self._record_players(fresh)
            self._record_sources({e.name: e.source for e in entrants if e.source})

    def _record_players(self, fresh: dict[str, dict]) -> None:
        known = self.players()
        for name, player in fresh.items():
            for key in ("version", "options", "seed"):
                value, have = player[key], known.get(name, player)[key]
                if have != value:
                    changed = ", so it has been changed since" if key == "version" else ""
                    raise StoreError(
                        f"{self.path}: {name!r} has {key} {have!r} there, not {value!r}{changed}; name another database"
                    )
        rows = [(name, p["version"], json.dumps(p["options"]), p["seed"]) for name, p in fresh.items()]
        self._db.executemany("INSERT OR IGNORE INTO players VALUES (?, ?, ?, ?)", rows)

    def sources(self) -> dict[str, str]:
        """Digests of the files of players (``registry.source_of``) by name, as they were when their games began."""
        kept = dict(self._db.execute("SELECT key, value FROM settings WHERE key = ?", (_SOURCES,)))
        found = self._json(_SOURCES, kept[_SOURCES]) if kept else {}
        if not isinstance(found, dict) or not all(isinstance(digest, str) for digest in found.values()):
            raise self._damaged(f"{_SOURCES}: {short_repr(found)}")
        return found

    def _record_sources(self, fresh: Mapping[str, str]) -> None:
        kept = self.sources()
        played = {name for row in self._db.execute("SELECT DISTINCT democrat, communist FROM games") for name in row}
        self.edited |= {name for name, digest in fresh.items() if name in played and kept.get(name, digest) != digest}
        fresh = {name: kept.get(name, digest) if name in played else digest for name, digest in fresh.items()}
        if fresh:
            row = _SOURCES, json.dumps(kept | fresh)
            self._db.execute("INSERT OR REPLACE INTO settings VALUES (?, ?)", row)

    def rename(self, old: str, new: str) -> None:
        """Give a player another name. Its games follow it; those that are there under the new name stay as they are."""
        seats = (*SIDE_NAMES, FIRST) if self.options.bid else SIDE_NAMES
        costs = {"costs": ["seat"]} if self._has_costs() else {}
        columns = {"programs": ["name"], "luck": ["seat"], **costs, "games": seats}
        sources = self.sources()
        if old in sources:
            sources = {new: sources.pop(old)} | sources
        with self._db:
            self._db.execute(
                "INSERT OR IGNORE INTO players SELECT ?, version, options, seed FROM players WHERE name = ?", (new, old)
            )
            for table, column in ((table, column) for table, names in columns.items() for column in names):
                self._db.execute(f"UPDATE OR IGNORE {table} SET {column} = ? WHERE {column} = ?", (new, old))
                self._db.execute(f"DELETE FROM {table} WHERE {column} = ?", (old,))
            self._db.execute("DELETE FROM players WHERE name = ?", (old,))
            self._db.execute("INSERT OR REPLACE INTO settings VALUES (?, ?)", (_SOURCES, json.dumps(sources)))

    # --- games ---------------------------------------------------------------------------------

    def keys(self) -> set[tuple[int, str]]:
        """Seed and ``seat`` of every game."""
        return set(self._rows("games", ("seed", self._seat), "seed"))

    def add(self, outcomes: Iterable[Outcome]) -> None:
        """Keep games, their luck and costs, all or none of them; games already there stay as they are."""
        outcomes, there = list(outcomes), self.keys()
        with self._db:
            self._insert(outcomes)
            self._insert_costs(game for game in outcomes if (game.seed, game.seat) not in there)
            self._insert_luck(
                (game.seed, game.seat, luck_correction.version(), game.luck)
                for game in outcomes
                if game.luck is not None
            )

    def _insert(self, outcomes: Iterable[Outcome]) -> None:
        row = f"({', '.join(self._columns)}) VALUES ({', '.join('?' * len(self._columns))})"
        self._db.executemany(f"INSERT OR IGNORE INTO games {row}", map(_row, outcomes))

    def games(self, pairs: Iterable[Pair] | None = None) -> list[Outcome]:
        """Games in the order of their seeds, without actions: all, or those of ``pairs``. Raises ``StoreError``."""
        seeds = None if pairs is None else {pair.seed for pair in pairs}
        return [game._replace(actions=()) for game in self.outcomes() if seeds is None or game.seed in seeds]

    def outcomes(self) -> Iterator[Outcome]:
        """All games with their actions, by seed; raises ``StoreError``."""
        names, luck = set(self.players()), {row[:2]: row[3] for row in self._luck()}
        costs = self._costs()
        for row in self._rows("games", self._columns, f"seed, {self._seat}"):
            try:
                check_row(row, names)
            except ValueError as error:
                raise self._damaged(f"game {short_repr(row[0])}: {error}") from None
            game = Outcome(*row[:8], row[8:10], row[10:12], *row[12:])
            key = game.seed, game.seat
            yield game._replace(luck=luck.get(key), costs=costs.get(key, ((), ())))

    def _luck(self) -> Iterator[tuple]:
        """Rows of the table of luck, as the present version measures it: seed, seat, version, points."""
        for row in self._rows("luck", _LUCK_COLUMNS, "seed, seat"):
            if not (isinstance(row[0], int) and isinstance(row[3], float) and abs(row[3]) <= _MOST_LUCK):
                raise self._damaged(f"luck of game {short_repr(row[0])}: {short_repr(row[3])}")
            if row[2] == luck_correction.version():
                yield row

    def _insert_luck(self, rows: Iterable[tuple]) -> None:
        self._db.executemany("INSERT OR REPLACE INTO luck VALUES (?, ?, ?, ?)", rows)

    def _costs(self) -> dict[tuple[int, str], tuple[Costs, Costs]]:
        """Costs by side of games by seed and ``seat``."""
        found: dict[tuple[int, str], list[Costs]] = {}
        if not self._has_costs():
            return {}
        for seed, seat, side, name, amount in self._rows("costs", _COST_COLUMNS, "seed, seat, side, rowid"):
            known = isinstance(seed, int) and isinstance(seat, str) and side in SIDE_NAMES and isinstance(name, str)
            if not (known and isinstance(amount, float) and 0 <= amount < float("inf")):
                raise self._damaged(f"costs of game {short_repr(seed)}: {short_repr((side, name, amount))}")
            found.setdefault((seed, seat), [(), ()])[SIDE_NAMES.index(side)] += ((name, amount),)
        return {key: (democrat, communist) for key, (democrat, communist) in found.items()}

    def _has_costs(self) -> bool:
        return bool(self._db.execute("SELECT 1 FROM sqlite_master WHERE name = 'costs'").fetchone())

    def _insert_costs(self, games: Iterable[Outcome]) -> None:
        rows = [
            (game.seed, game.seat, side, name, float(amount))
            for game in games
            for side, costs in zip(SIDE_NAMES, game.costs, strict=True)
            for name, amount in costs
        ]
        if rows:
            self._db.execute(_COSTS.replace("TABLE", "TABLE IF NOT EXISTS"))
            self._db.executemany("INSERT OR IGNORE INTO costs VALUES (?, ?, ?, ?, ?)", rows)

    # --- other databases -----------------------------------------------------------------------

    def merge(self, path: str | Path, renamed: Mapping[str, str] | None = None) -> int:
        """Add the games of another database; the number of those that were not yet here. Its key stays there.

        ``renamed``: names here of players that have another there. Raises ``StoreError`` when it has other settings, or
        players of the same name that play differently.
        """
        names = renamed or {}

        def here(facts: Mapping[str, Any]) -> dict[str, Any]:
            return {names.get(name, name): fact for name, fact in facts.items()}

        with ResultDatabase(path, read_only=True) as other:
            self.check(other.options, other.engine)
            with self._db:
                self._record_players(here(other.players()))
                self._declare(here(other._declared()))
                self._record_sources(here(other.sources()))
                there, before = self.keys(), self._db.total_changes
                self._insert(game.renamed(names) for game in other.outcomes())
                added = self._db.total_changes - before
                others = (game.renamed(names) for game in other.outcomes())
                self._insert_costs(game for game in others if (game.seed, game.seat) not in there)
                self._insert_luck((seed, names.get(seat, seat), *rest) for seed, seat, *rest in other._luck())
        return added

    def records(self) -> Iterator[dict]:
        """Game records of all games (``dawn_env.formats.game_record``); a forfeited one ends with the last move.

        Raises ``StoreError`` when the rules have changed since, or actions are not legal.
        """
        self.check(self.options)
        for game in self.outcomes():
            names = dict(zip(SIDE_LETTERS, game.players, strict=True))
            try:
                record = record_from_actions(game.seed, game.actions, self.options, names)
            except DawnError as error:
                raise StoreError(f"{self.path}: damaged database of results: game {game.seed}: {error}") from error
            costs = dict(zip(SIDE_LETTERS, map(dict, game.costs), strict=True))
            yield record | ({"costs": costs} if any(game.costs) else {})


def _settings(options: GameOptions, engine: str) -> dict[str, Any]:
    """Settings of a database as they are kept: ``engine``, and each option by its name, as JSON values."""
    return {"engine": engine or source_hash()} | options.to_json()


def _row(game: Outcome) -> tuple:
    return (
        game.seed, game.democrat, game.communist, game.result, game.reason, game.vp, game.turn, game.decisions,
        *game.seconds, *game.moves, game.failure, bytes(game.actions), *filter(None, [game.first]),
    )  # fmt: skip

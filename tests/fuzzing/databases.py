"""Databases of tournaments."""

import shutil
import sqlite3
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from random import Random

from dawn_agents.players.registry import make_player
from dawn_agents.sqlite_files import StoreError
from dawn_agents.tournaments.entrants import enter
from dawn_agents.tournaments.match import Pairing, play_games
from dawn_agents.tournaments.rating.pair_results import pair_results
from dawn_agents.tournaments.result_database import ResultDatabase
from dawn_agents.tournaments.tournament_report import make_report

from dawn_env.options import STANDARD
from fuzzing.mutation import mutate_bytes
from fuzzing.target import Mutant, Target

_SOUND, _PLAYERS, _PAIRS = "sound.db", ("random", "greedy"), 3
_CELLS = (
    None, -1, 0, 1, 11, 2**31, 2**63 - 1, -(2**63), 0.5, -0.5, 1e308, float("inf"), "", "x", "random", "democrat",
    "draw", "forfeit", "[]", "{}", "null", "NaN", "[" * 10_000, "[1e999, 1]", b"", b"\xff\xfe", b"\0" * 10,
)  # fmt: skip
_STATEMENTS = (
    "DROP TABLE {table}", "DELETE FROM {table}", "DELETE FROM {table} WHERE rowid = 1",
    "ALTER TABLE {table} DROP COLUMN {column}", "ALTER TABLE {table} RENAME COLUMN {column} TO x",
    "ALTER TABLE {table} ADD COLUMN x", "PRAGMA user_version = 99", "PRAGMA application_id = 1",
    "CREATE VIEW x AS SELECT 1", "UPDATE {table} SET {column} = CAST(x'ff00fe' AS TEXT)",
)  # fmt: skip


def prepare(shared: Path) -> None:
    if not (shared / _SOUND).exists():
        making = shared / f"{_SOUND}.new"
        making.unlink(missing_ok=True)
        with ResultDatabase.create(making) as store:
            entrants = enter(_PLAYERS)
            store.add_players(entrants)
            one, two = (make_player(entrant.name, entrant.seed) for entrant in entrants)
            pairings = [Pairing(seed, *sides) for seed in range(_PAIRS) for sides in ((one, two), (two, one))]
            outcomes = [outcome._replace(seconds=(0.5, 0.5), luck=0.25) for _, outcome in play_games(pairings)]
            store.add(outcomes)
        making.rename(shared / _SOUND)


def mutant(random: Random, folder: Path) -> Mutant:
    path = folder / "results.db"
    shutil.copy(folder.parent / "shared" / _SOUND, path)
    _change(random, path)
    return Mutant(partial(_read, path), partial(_use, path, folder / "merged.db"), path)


def _read(path: Path) -> None:
    with ResultDatabase(path, read_only=True) as store:
        store.check(STANDARD)
        _report(store)
        list(store.records())


def _use(path: Path, merged: Path, _: None) -> None:
    with ResultDatabase.create(merged) as store:
        store.merge(path)
        _report(store)


def _report(store: ResultDatabase) -> None:
    games, players = store.games(), store.players()
    if pair_results(games):  # else there is nothing to report on, which is nothing bad
        make_report(games, players)


def _change(random: Random, path: Path) -> None:
    """Change the file's bytes, one to three columns, or the tables; what SQLite refuses is left out."""
    way = random.randrange(4)
    if way == 0:
        path.write_bytes(mutate_bytes(random, path.read_bytes()))
        return
    with closing(sqlite3.connect(path)) as db:
        tables = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
        columns = [(table, row[1]) for table in tables for row in db.execute(f"PRAGMA table_info({table})")]
        for _ in range(1 if way == 1 else random.randint(1, 3)):
            table, column = random.choice(columns)
            row = f" WHERE rowid = (SELECT rowid FROM {table} LIMIT 1 OFFSET {random.randrange(2 * _PAIRS)})"
            where = "" if random.random() < 0.3 else row
            cell = f"UPDATE OR IGNORE {table} SET {column} = ?{where}", (random.choice(_CELLS),)
            change = (random.choice(_STATEMENTS).format(table=table, column=column),) if way == 1 else cell
            with suppress(sqlite3.Error):
                db.execute(*change)
        db.commit()


TARGET = Target("databases", mutant, (StoreError,), 1_000, 30.0, prepare)

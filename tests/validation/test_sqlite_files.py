"""SQLite files from strangers: nothing in them is executed, reading them ends, and they decide no deals."""

import errno
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from dawn_agents.commands import analyse, tournament
from dawn_agents.frontends.analysis.judged_games import KeptGames
from dawn_agents.frontends.web.game_database import GameDatabase as WebStore
from dawn_agents.sqlite_files import StoreError
from dawn_agents.tournaments.result_database import ResultDatabase
from paths import DATA

from dawn_env.options import GameOptions
from dawn_env.support.atomic_files import atomic_write

GAMES = DATA / "golden.jsonl"
_ENDLESS = "WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r)"
VIEW = f"ALTER TABLE games RENAME TO g0; CREATE VIEW games AS {_ENDLESS} SELECT g0.* FROM g0, r WHERE x < 0;"
COMPUTED = "ALTER TABLE games ADD COLUMN more GENERATED ALWAYS AS (hex(zeroblob(100000000)));"
TRIGGER = "CREATE TRIGGER t AFTER INSERT ON games BEGIN DELETE FROM games; END;"


def change(path, script):
    with closing(sqlite3.connect(path)) as db:
        db.executescript(script)


@pytest.mark.parametrize("script", [VIEW, COMPUTED, TRIGGER])
def test_views_and_triggers_are_refused(tmp_path, script):
    results, judged, served = (tmp_path / f"{name}.db" for name in ("results", "judged", "served"))
    ResultDatabase.create(results).close()
    with KeptGames(judged):
        pass
    WebStore(served).close()
    for path, open_file in ((results, ResultDatabase), (judged, KeptGames), (served, WebStore)):
        change(path, script)
        with pytest.raises(StoreError, match="it holds the"):
            open_file(path)
    assert tournament.main(["--db", str(results), "--report-only"]) == 2
    assert analyse.main([str(GAMES), "--games", "1", "--db", str(judged)]) == 2


def results(path):
    ResultDatabase.create(path).close()


def bid_results(path):
    ResultDatabase.create(path, GameOptions(bid=True)).close()


def judged(path):
    KeptGames(path).__exit__()


def served(path):
    WebStore(path).close()


OPENED = {results: ResultDatabase, bid_results: ResultDatabase, judged: KeptGames, served: WebStore}


def root(path, name):
    with closing(sqlite3.connect(path)) as db:
        return db.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (name,)).fetchone()[0]


def make_endless(path, name, levels=8):
    """Replace an index by pages that all lead to the same pages below: more rows than can be read."""
    with closing(sqlite3.connect(path)) as db:
        (size,), (pages,) = (db.execute(f"PRAGMA {what}").fetchone() for what in ("page_size", "page_count"))
    data, record = bytearray(path.read_bytes()), bytes([3, 15, 1]) + b"k\x01"  # its sizes, a text and a row's number
    numbers = [root(path, name), *range(pages + 1, pages + 1 + levels)]
    for number, child in zip(numbers, [*numbers[1:], 0], strict=True):
        cell = (child.to_bytes(4, "big") if child else b"") + bytes([len(record)]) + record
        count = (size - 12) // (len(cell) + 2) if child else 1
        start, heading = size - count * len(cell), 12 if child else 8
        head = bytes([2 if child else 10, 0, 0]) + count.to_bytes(2, "big") + start.to_bytes(2, "big") + b"\0"
        head += child.to_bytes(4, "big") if child else b""
        places = b"".join((start + n * len(cell)).to_bytes(2, "big") for n in range(count))
        page = (head[:heading] + places).ljust(start, b"\0") + cell * count
        data[(number - 1) * size : number * size] = page
    data[28:32] = (pages + levels).to_bytes(4, "big")
    path.write_bytes(data)


WITH_A_LIMIT = """
import resource, sys
resource.setrlimit(resource.RLIMIT_CPU, (60, 60))  # seconds, after which the system ends it
from dawn_agents.__main__ import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="limits of processes are of Unix")
def test_rows_without_end_are_refused(tmp_path):
    theirs, ours = tmp_path / "endless.db", tmp_path / "ours.db"
    results(theirs)
    make_endless(theirs, "sqlite_autoindex_settings_1")
    for words in (["--report-only", "--db", theirs], ["--merge", theirs, "--db", ours]):
        run = [sys.executable, "-c", WITH_A_LIMIT, "tournament", *map(str, words)]
        done = subprocess.run(run, capture_output=True, text=True)
        assert done.returncode == 2 and "damaged: " in done.stderr and "Traceback" not in done.stderr, done.stderr


LONG_SCHEMA = """
PRAGMA writable_schema = ON;
WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r LIMIT 20000)
INSERT INTO sqlite_master SELECT type, name, tbl_name, rootpage, sql FROM sqlite_master, r WHERE sql IS NULL;
"""


def test_a_list_of_tables_without_end_is_refused(tmp_path):
    path = tmp_path / "results.db"
    results(path)
    change(path, LONG_SCHEMA)
    with pytest.raises(StoreError, match="its list of tables has no end"):
        ResultDatabase(path)


CHANGED = {
    "NOT NULL": ("NOT NULL UNIQUE", "NOT NULL ON CONFLICT IGNORE", "NOT NULL COLLATE NOCASE",
                 "NOT NULL DEFAULT (randomblob(9))", ""),
    "(": ("(more BLOB DEFAULT 1, ", "(more BLOB GENERATED ALWAYS AS (1), "),
}  # fmt: skip


@pytest.mark.parametrize("make", OPENED)
def test_tables_made_by_other_statements_are_refused(tmp_path, make):
    """Rows could be ignored, or grow. Files from before there were costs have no table of them."""
    sound, path = tmp_path / "sound.db", tmp_path / "changed.db"
    make(sound)
    with closing(sqlite3.connect(sound)) as db:
        tables = db.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'").fetchall()
    for name, statement in tables:
        changed = [statement.replace(old, new, 1) for old, words in CHANGED.items() for new in words]
        for other in [*changed, *([""] if len(tables) > 1 and name != "costs" else [])]:  # an empty file is filled
            path.write_bytes(sound.read_bytes())
            change(path, f"DROP TABLE {name}; {other};")
            with pytest.raises(StoreError, match="with other columns or constraints" if other else "is missing"):
                OPENED[make](path)


def test_tables_of_games_without_bids_hold_none_with_bids(tmp_path):
    path = tmp_path / "results.db"
    bid_results(path)
    change(path, "UPDATE settings SET value = 'false' WHERE key = 'bid'")
    with pytest.raises(StoreError, match="setting bid: False, unlike its table of games"):
        ResultDatabase(path)


def test_an_index_that_hides_games_is_refused(tmp_path):
    """A key that an index has and no row would make games of that key be ignored."""
    path = tmp_path / "results.db"
    results(path)
    with closing(sqlite3.connect(path)) as db:
        table = root(path, "programs")
        db.execute("INSERT INTO programs VALUES ('random', 'x')")
        db.commit()
    with closing(sqlite3.connect(path)) as db:
        (size,) = db.execute("PRAGMA page_size").fetchone()
    data = bytearray(path.read_bytes())
    data[(table - 1) * size + 3 : (table - 1) * size + 5] = b"\0\0"  # no rows
    path.write_bytes(data)
    with pytest.raises(StoreError, match="it is damaged: "):
        ResultDatabase(path)


@pytest.mark.skipif(sys.platform == "win32", reason="named pipes are of Unix")
@pytest.mark.parametrize("make", OPENED)
def test_pipes_and_devices_are_no_databases(tmp_path, make):
    os.mkfifo(tmp_path / "pipe.db")
    for path in (tmp_path / "pipe.db", Path("/dev/zero")):
        with pytest.raises(StoreError, match="a pipe or a device, not a file"):
            OPENED[make](path)


def new_results(path):
    return ResultDatabase.create(path)


@pytest.mark.parametrize(
    ("open_file", "words"),
    [
        (ResultDatabase, "not a database of results"),
        (new_results, "not a database of results"),
        (KeptGames, "not a database of judged games"),
        (WebStore, "not a database of the browser's games"),
    ],
)
def test_files_of_something_else_are_left_alone(tmp_path, open_file, words):
    text, other = tmp_path / "text.db", tmp_path / "other.db"
    text.write_text("not a database, but long enough to be one " * 100)
    change(other, "CREATE TABLE games (x)")
    for path in (text, other):
        before = path.read_bytes()
        with pytest.raises(StoreError, match=words):
            open_file(path)
        assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("open_file", "words"),
    [
        (new_results, r"not a database of results \(it is of version 1, but version 2 is needed\)"),
        (WebStore, r"not a database of the browser's games \(it is of version 1, but version 3 is needed\)"),
    ],
)
def test_files_of_another_version_are_named(tmp_path, open_file, words):
    open_file(tmp_path / "old.db").close()
    change(tmp_path / "old.db", "PRAGMA user_version = 1")
    with pytest.raises(StoreError, match=words):
        open_file(tmp_path / "old.db")


def test_databases_that_are_only_read_cannot_be_written(tmp_path):
    path = tmp_path / "results.db"
    ResultDatabase.create(path).close()
    with ResultDatabase(path, read_only=True) as store, pytest.raises(sqlite3.OperationalError, match="readonly"):
        store.key()


def test_errors_on_a_full_disk_name_the_file(tmp_path, monkeypatch):
    def full(_):
        raise OSError(errno.ENOSPC, "No space left on device")

    page = tmp_path / "page.html"
    page.write_text("old")
    monkeypatch.setattr("dawn_env.support.atomic_files.os.fsync", full)
    with pytest.raises(OSError, match="No space left on device: '.*/page.html'"), atomic_write(page) as file:
        file.write("new")
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"] and page.read_text() == "old"


def test_merging_leaves_the_key_of_the_other_database(tmp_path):
    with ResultDatabase.create(tmp_path / "theirs.db") as theirs:
        theirs.key("theirs")
    with ResultDatabase.create(tmp_path / "ours.db") as ours:
        ours.merge(tmp_path / "theirs.db")
        assert ours.key() != "theirs"


def test_a_key_that_is_no_text_is_refused(tmp_path):
    path = tmp_path / "results.db"
    ResultDatabase.create(path).close()
    change(path, """INSERT INTO settings VALUES ('key', '{"a":1}')""")
    with ResultDatabase(path) as store, pytest.raises(StoreError, match="key"):
        store.key()


def test_judged_games_nested_too_deeply_are_refused(tmp_path):
    path = tmp_path / "judged.db"
    with KeptGames(path):
        pass
    change(path, f"INSERT INTO games VALUES ('k', '{'[' * 100000}')")
    with KeptGames(path) as kept, pytest.raises(StoreError, match="damaged"):
        kept.find(["k"])

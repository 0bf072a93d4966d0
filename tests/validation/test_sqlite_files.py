"""SQLite files from strangers: nothing in them is executed, and they decide no deals."""

import errno
import sqlite3
from contextlib import closing

import pytest
from dawn_agents.analysis.judged_games import KeptGames
from dawn_agents.commands import analyse, tournament
from dawn_agents.sqlite_files import StoreError
from dawn_agents.tournament.result_database import ResultDatabase
from dawn_agents.web.game_database import GameDatabase as WebStore
from paths import DATA

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

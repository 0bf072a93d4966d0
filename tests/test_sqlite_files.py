"""SQLite files from strangers: nothing in them is executed, and they decide no deals."""

import sqlite3
from contextlib import closing

import pytest
from dawn_agents.analysis.kept import KeptGames
from dawn_agents.tournament.errors import StoreError
from dawn_agents.tournament.store import Settings, Store

VIEW = "ALTER TABLE games RENAME TO g0; CREATE VIEW games AS SELECT * FROM g0;"
TRIGGER = "CREATE TRIGGER t AFTER INSERT ON games BEGIN DELETE FROM games; END;"


def change(path, script):
    with closing(sqlite3.connect(path)) as db:
        db.executescript(script)


@pytest.mark.parametrize("script", [VIEW, TRIGGER])
def test_views_and_triggers_are_refused(tmp_path, script):
    results, judged = tmp_path / "results.db", tmp_path / "judged.db"
    Store.create(results, Settings.now()).close()
    with KeptGames(judged):
        pass
    for path, open_file in ((results, Store), (judged, KeptGames)):
        change(path, script)
        with pytest.raises(StoreError, match="it holds the"):
            open_file(path)


def test_merging_leaves_the_key_of_the_other_database(tmp_path):
    with Store.create(tmp_path / "theirs.db", Settings.now()) as theirs:
        theirs.key("theirs")
    with Store.create(tmp_path / "ours.db", Settings.now()) as ours:
        ours.merge(tmp_path / "theirs.db")
        assert ours.key() != "theirs"


def test_a_key_that_is_no_text_is_refused(tmp_path):
    path = tmp_path / "results.db"
    Store.create(path, Settings.now()).close()
    change(path, """INSERT INTO settings VALUES ('key', '{"a":1}')""")
    with Store(path) as store, pytest.raises(StoreError, match="key"):
        store.key()


def test_judged_games_nested_too_deeply_are_refused(tmp_path):
    path = tmp_path / "judged.db"
    with KeptGames(path):
        pass
    change(path, f"INSERT INTO games VALUES ('k', '{'[' * 100000}')")
    with KeptGames(path) as kept, pytest.raises(StoreError, match="damaged"):
        kept.find(["k"])

"""File of the browser's games: other programs at it, its mode, its removal, and room for opened files."""

import os
import sqlite3
import time
from contextlib import closing

import pytest
from dawn_agents.commands import web
from dawn_agents.sqlite_files import StoreError
from dawn_agents.web.game_database import GameDatabase
from dawn_agents.web.game_session import HUMAN, RESIGN, Setting

from dawn_env.options import STANDARD

PEOPLE = Setting(7, STANDARD, (HUMAN, HUMAN))


@pytest.fixture
def path(tmp_path):
    return tmp_path / "games.sqlite"


@pytest.fixture
def store(path):
    with closing(GameDatabase(path)) as found:
        yield found


def test_another_program_that_writes_holds_up_the_server_for_a_moment_only(path, store):
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        started = time.monotonic()
        with pytest.raises(StoreError, match=r"^games.sqlite cannot be written: database is locked$"):
            store.add(PEOPLE)
        assert time.monotonic() - started < 10
    assert store.add(PEOPLE).id == 1


@pytest.mark.skipif(os.name == "nt", reason="no modes of files")
def test_other_users_of_the_machine_cannot_read_the_games(path, store):
    store.add(PEOPLE)
    files = [path, *(path.with_name(path.name + end) for end in ("-wal", "-shm"))]
    assert [file.stat().st_mode & 0o777 for file in files] == [0o600] * 3


def test_a_second_server_is_refused(path, capsys):
    with closing(GameDatabase(path)):
        assert web.main(["--port", "0", "--data", str(path)]) == 2
        said = capsys.readouterr()
        assert said.err == f"error: {path} is in use by another server\n" and not said.out
    GameDatabase(path).close()


@pytest.mark.skipif(os.name == "nt", reason="open files cannot be removed")
@pytest.mark.parametrize("replaced", [False, True])
def test_a_file_that_is_removed_or_replaced_takes_no_more_games(path, store, replaced):
    game = store.add(PEOPLE)
    path.unlink()
    if replaced:
        GameDatabase(path.with_name("copy")).close()
        path.with_name("copy").rename(path)
    for write in (lambda: store.add(PEOPLE), lambda: store.append(game.id, 0, 0, RESIGN)):
        with pytest.raises(StoreError, match=r"^games.sqlite cannot be written: it was removed or replaced"):
            write()
    assert store.journal(game.id) == []


@pytest.mark.skipif(os.name == "nt", reason="open files cannot be removed")
def test_games_in_a_file_that_is_removed_are_not_said_to_be_kept(path, capsys, monkeypatch):
    monkeypatch.setattr("dawn_agents.web.server_socket.serve", lambda *_: path.unlink() or True)
    assert web.main(["--port", "0", "--data", str(path)]) == 1
    said = capsys.readouterr()
    assert said.err.startswith(f"error: {path} was removed or replaced") and "are kept" not in said.out

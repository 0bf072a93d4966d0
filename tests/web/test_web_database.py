"""File of the browser's games: other programs at it, its mode, its removal, and room for opened files."""

import os
import sqlite3
import threading
import time
import urllib.request
from contextlib import closing, suppress
from urllib.parse import urlsplit

import pytest
from dawn_agents.commands import web
from dawn_agents.frontends.web import game_database
from dawn_agents.frontends.web.game_database import GameDatabase
from dawn_agents.frontends.web.game_session import HUMAN, RESIGN, Setting
from dawn_agents.sqlite_files import StoreError
from random_records import random_game

from dawn_env.errors import MalformedPosition
from dawn_env.formats.game_record import to_line
from dawn_env.options import STANDARD

KIB = [{"x": "x" * 1014}]  # records of 1 KiB as JSON
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
    monkeypatch.setattr("dawn_agents.serving.server_socket.serve", lambda *_: path.unlink() or True)
    assert web.main(["--port", "0", "--data", str(path)]) == 1
    said = capsys.readouterr()
    assert said.err.startswith(f"error: {path} was removed or replaced") and "are kept" not in said.out


# --- opened files ---------------------------------------------------------------------------------------


def test_the_oldest_opened_files_make_room_for_new_ones(path, monkeypatch):
    monkeypatch.setattr(game_database, "MOST_KEPT", 10 * 1024)
    with closing(GameDatabase(path)) as store:
        tokens = [store.add_shelf("four", KIB * 4) for _ in range(3)]
        assert [store.shelf(token) for token in tokens] == [None, "four", "four"]
        assert store.record(tokens[0], 0) is None and store.record(tokens[1], 3) == KIB[0]
        with pytest.raises(MalformedPosition, match="games of more than 10,240 bytes"):
            store.add_shelf("eleven", KIB * 11)
    with closing(GameDatabase(path)) as store:
        tokens.append(store.add_shelf("six", KIB * 6))
        assert [store.shelf(token) for token in tokens] == [None, None, "four", "six"]


def test_on_a_full_disk_an_opened_file_is_removed_and_what_was_kept_stays(store):
    game = store.add(PEOPLE)
    store._db.execute("PRAGMA max_page_count = 30")
    with pytest.raises(StoreError, match="disk is full"):
        store.add_shelf("large", KIB * 1000)
    counts = "SELECT (SELECT COUNT(*) FROM records), (SELECT COUNT(*) FROM shelves)"
    assert store._db.execute(counts).fetchone() == (0, 0) and not store._db.in_transaction
    store.append(game.id, 0, 0, RESIGN)
    assert store.journal(game.id) == [(0, RESIGN)]
    with pytest.raises(StoreError, match="^games.sqlite cannot be written: database or disk is full$"):
        for _ in range(1000):
            store.add(PEOPLE)


def test_a_full_disk_is_logged_once(store, caplog):
    """Pages ask again every second."""
    game = store.add(PEOPLE)
    store._db.execute("PRAGMA max_page_count = 30")
    for number in range(1000):
        with suppress(StoreError):
            store.append(game.id, number, 0, "x" * 4000)
            store.append(game.id, number + 1000, 0, "x")
    assert [record.getMessage() for record in caplog.records] == [
        f"{store.path} cannot be written: database or disk is full"
    ]


def test_moves_are_written_while_a_file_is_opened(store):
    game = store.add(PEOPLE)
    upload = threading.Thread(target=store.add_shelf, args=("large", KIB * 5000))
    upload.start()
    moves = 0
    while upload.is_alive():
        store.append(game.id, moves, 0, "x")
        assert store.add(PEOPLE).id == moves + 2
        moves += 1
    assert len(store.journal(game.id)) == moves > 1


def test_pages_of_removed_files_say_so(server, monkeypatch):
    record = random_game(1)
    removed = server.shelf(record)
    monkeypatch.setattr(game_database, "MOST_KEPT", len(to_line(record)) + 1000)
    kept = server.shelf(record)
    for path in (f"/api/shelves/{removed}", f"/api/replay/{removed}.0", f"/api/replay/{removed}.0/3"):
        status, answer = server.ask(path)
        assert status == 404 and answer["text"].startswith("there is no opened file at this address")
    assert server.ask(f"/api/replay/{kept}.0")[0] == 200


def test_a_game_of_a_tournament_is_found_again_when_its_record_was_removed(server, monkeypatch):
    record, address = random_game(1), f"{server.address}/game?seed=1&democrat=a&communist=b"
    monkeypatch.setattr(game_database, "MOST_KEPT", len(to_line(record)) + 1000)
    monkeypatch.setattr("dawn_agents.frontends.web.server.find_result", lambda *_: record)
    for _ in range(2):
        with urllib.request.urlopen(address) as answer:
            assert server.ask(f"/api{urlsplit(answer.url).path}")[0] == 200
        server.shelf(record)  # takes the room of the other

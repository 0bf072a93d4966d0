"""Limits of the browser game's server: whose requests are answered, and how many connections there may be."""

import json
import socket
import threading
import time
from contextlib import ExitStack, closing, suppress

import pytest
from dawn_agents.frontends.web.game_database import GameDatabase
from dawn_agents.frontends.web.site import Site
from dawn_agents.serving.request_limits import Gate, RefusalLog
from dawn_agents.serving.server_socket import REQUEST_SECONDS, LimitedProtocol, Limits
from uvicorn import Config
from uvicorn.server import ServerState
from web_server import DEADLINE, program
from websockets.exceptions import ConnectionClosed

from dawn_env.game import Game

HALF = b"GET / HTTP/1.1\r\nHost: localhost\r\n"


# --- who is answered ---------------------------------------------------------------------------------


def test_other_pages_are_refused(server):
    assert server.ask("/api/start", None, Origin="http://evil.example")[0] == 403
    assert server.ask("/api/start", None, Host="evil.example")[0] == 403
    assert server.ask(f"/api{server.seat('democrat')}", None, Origin=server.address)[0] == 200


def test_a_server_for_others_answers_to_its_own_names():
    gate = Gate(local=False, names=["Games.example"])
    for host in ("192.0.2.7:1989", socket.gethostname(), "localhost:1989", "games.example", "[::1]:1989"):
        assert not gate.problem({"host": host, "origin": f"http://{host}"}, "192.0.2.7")
    for host in ("evil.example", "192.0.2.8", "", "localhost.evil.example"):
        assert "--allow-host" in gate.problem({"host": host, "origin": f"http://{host}"}, "192.0.2.7")
    assert gate.problem({"host": "games.example", "origin": "http://b.example"}, "192.0.2.7")
    assert Gate(local=True).problem({"host": "192.0.2.7"}, "192.0.2.7")
    assert Gate(local=True).address() is None
    assert gate.address() not in (None, "", "127.0.0.1", "localhost")


def test_a_flood_is_cut_off(server):
    seat = server.seat("democrat")
    answers = []
    with server.live(seat) as live:
        with suppress(ConnectionClosed):  # which may come before the last of them is sent
            for _ in range(400):
                live.send("{}")
        with pytest.raises(ConnectionClosed):
            while True:
                answers.append(json.loads(live.recv(10)))
    assert any("too many" in answer.get("text", "") for answer in answers)
    assert server.ask(f"/api{seat}")[0] == 200


# --- connections -------------------------------------------------------------------------------------


class Transport:
    """A connection from an address that does nothing."""

    closed = False

    def __init__(self, address: str):
        self._address = address

    def get_extra_info(self, name: str) -> object:
        return (self._address, 1989) if name in ("peername", "sockname") else None

    def is_closing(self) -> bool:
        return self.closed

    def abort(self) -> None:
        self.closed = True


@pytest.mark.anyio
@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_connections_are_limited_for_each_address_and_in_all(caplog):
    settings = {"config": Config(None, log_config=None), "server_state": ServerState(), "app_state": {}}
    settings["config"].load()
    refusals, limits, made = RefusalLog("dawn.web"), Limits(connections=5, from_one_address=2, message=1), []

    def is_admitted(address: str) -> bool:
        made.append(LimitedProtocol(refusals, limits, **settings))
        made[-1].connection_made(Transport(address))
        return not made[-1].transport.closed

    assert [is_admitted("192.0.2.7") for _ in range(3)] == [True, True, False]
    assert all(is_admitted("127.0.0.1") for _ in range(3))
    assert is_admitted("192.0.2.8") and made[0].transport.closed, "the one that waits longest makes room"
    for protocol in made:
        protocol._expect(False)
    assert not is_admitted("127.0.0.1")
    assert [line.partition(":")[0] for line in caplog.messages] == [
        f"refused {address} (429)" for address in ("192.0.2.7", "127.0.0.1")
    ]


def test_half_requests_hold_up_nobody_and_end(tmp_path):
    with program(tmp_path / "games.sqlite", files=256) as (server, _, _), ExitStack() as stack:
        halves = [stack.enter_context(socket.create_connection(server.peer)) for _ in range(300)]
        for half in halves:
            with suppress(OSError):
                half.sendall(HALF)
        started = time.monotonic()
        assert server.ask("/api/start")[0] == 200 and time.monotonic() - started < 5
        halves[-1].settimeout(3 * REQUEST_SECONDS)
        assert halves[-1].recv(1) == b""


def test_a_body_that_comes_too_slowly_is_refused(server, monkeypatch):
    monkeypatch.setattr("dawn_agents.frontends.web.server._BODY_SECONDS", 0.2)
    with socket.create_connection(server.peer) as slow:
        slow.sendall(b"POST /api/games HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n{")
        slow.settimeout(30)
        assert slow.recv(100).startswith(b"HTTP/1.1 408 ")


def test_new_games_are_limited_for_each_address_and_in_all(tmp_path):
    with closing(GameDatabase(tmp_path / "games.sqlite")) as store:
        found = Site(store, (), ())
    assert sum(found.may_create("192.0.2.7") for _ in range(100)) == 40
    assert sum(found.may_create("127.0.0.1") for _ in range(1000)) >= 360 and not found.may_create("192.0.2.8")


# --- threads -----------------------------------------------------------------------------------------


def test_lessons_and_puzzles_do_not_wait_for_analyses(server, monkeypatch):
    begun, may_end, ended = threading.Event(), threading.Event(), []

    def long(replay, stopped, first):
        begun.set()
        ended.append(may_end.wait(DEADLINE / 4))
        yield {"done": 1, "losses": []}

    monkeypatch.setattr("dawn_agents.frontends.web.analysis_session.losses", long)
    with server.live(f"/replay/{server.shelf(Game(1).to_json().encode())}.0") as live:
        live.send('{"type": "analyse", "at": 77}')
        assert "0 ... 0 expected" in json.loads(live.recv(10))["text"]
        live.send(json.dumps({"type": "losses"}))
        assert begun.wait(DEADLINE)
        assert server.ask("/api/lesson/1")[0] == server.ask("/api/puzzles/standard/1")[0] == 200 and not ended
        may_end.set()
        assert json.loads(live.recv(DEADLINE))["done"] == 1

"""A server in a thread, or as a program, for the tests of ``dawn_agents.frontends.web``."""

import json
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import uvicorn
from dawn_agents.frontends.web.game_database import GameDatabase
from dawn_agents.frontends.web.game_session import Session
from dawn_agents.frontends.web.live_rooms import Subscriber
from dawn_agents.frontends.web.server import make_app
from random_records import golden_moment
from websockets.sync.client import connect

from dawn_env.formats.game_record import to_line
from dawn_env.game import Game
from dawn_env.tables import SIDE_NAMES

DEADLINE = 120.0


def free_port() -> int:
    """A port that nobody listens at."""
    with closing(socket.socket()) as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


class Server:
    """What tests ask of a server at ``address``."""

    def __init__(self, address: str):
        self.address = address
        self.peer = urlsplit(address).hostname, urlsplit(address).port

    def ask(self, path: str, body: object = None, **headers: str) -> tuple[int, dict]:
        """Status and JSON of the first answer that does not ask to come again, as a server does that compiles."""
        deadline = time.monotonic() + DEADLINE
        while (answer := self.ask_once(path, body, **headers))[0] == 503 and time.monotonic() < deadline:
            if answer[1]["type"] != "preparing":
                break
            time.sleep(0.1)
        return answer

    def ask_once(self, path: str, body: object = None, **headers: str) -> tuple[int, dict]:
        """Status and JSON of an answer; ``body`` is posted, as JSON unless it is bytes."""
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, data, headers)
        try:
            with urllib.request.urlopen(request, timeout=DEADLINE) as answer:
                return answer.status, json.loads(answer.read())
        except urllib.error.HTTPError as error:
            return error.code, json.loads(error.read())

    def new_game(self, democrat: str, communist: str, seed: object = 7, **more) -> dict:
        wanted = {"players": {"democrat": democrat, "communist": communist}, "seed": seed, **more}
        status, links = self.ask("/api/games", wanted)
        assert status == 200, links
        return links

    def seat(self, side: str, opponent: str = "human", seed: object = 5, **more) -> str:
        """The path of a person's seat in a new game."""
        players = ["human" if side == name else opponent for name in SIDE_NAMES]
        return self.new_game(*players, seed, **more)["seats"][side]

    def shelf(self, contents: bytes | dict) -> str:
        """The token of a shelf: a file that was opened, or a record."""
        data = contents if isinstance(contents, bytes) else (to_line(contents) + "\n").encode()
        status, opened = self.ask("/api/shelves", data)
        assert status == 200, opened
        return opened["shelf"].rsplit("/", 1)[1]

    def seat_at(self, shelf: str, at: int, side: str, opponent: str = "human") -> str:
        """The path of a person's seat in a game that goes on from a position of the first game of a shelf."""
        return self.seat(side, opponent, None, **{"from": {"replay": f"{shelf}.0", "at": at}})

    def seat_when(self, holds: Callable[[Game, str], bool]) -> tuple[str, str, Game]:
        """The path of the seat to act in the first ``golden_moment``, between people, with the action taken then."""
        record, at, game = golden_moment(holds)
        return self.seat_at(self.shelf(record), at, SIDE_NAMES[game.actor]), record["decisions"][at], game

    def live(self, path: str):
        return connect(f"{self.address.replace('http', 'ws')}/api{path}/live", max_size=2**24)


@contextmanager
def program(
    data: Path,
    *options: str,
    files: int | None = None,
    python: Path | str = sys.executable,
    begin: Sequence[str] = ("-m", "dawn_agents"),
    **settings,
):
    """``(server, process, path)`` of ``dawn web`` as a program: ``path`` of the seat of ``--game``.

    ``files``: how many it may have open; ``begin``: what Python runs; ``settings`` of ``subprocess.Popen``.
    """
    command = [python, *begin, "web", "--port", "0", "--data", str(data), *options]
    command = ["sh", "-c", f'ulimit -n {files}; exec "$@"', "sh", *command] if files else command
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, **settings) as process:
        try:
            address = urlsplit(process.stdout.readline().split()[-1])
            yield Server(f"http://{address.netloc}"), process, address.path
        finally:
            process.kill()


@contextmanager
def serving(file: Path, port: int = 0, **settings):
    """A ``Server`` in a thread of this process, its games in ``file``; ``port``: 0 for any."""
    port, started = port or free_port(), threading.Event()
    running: list[uvicorn.Server] = []

    def run():
        store = GameDatabase(file)
        config = uvicorn.Config(make_app(store, **settings), port=port, log_level="error", ws="websockets-sansio")
        running.append(uvicorn.Server(config))
        started.set()
        running[0].run()
        store.close()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    started.wait()
    deadline = time.monotonic() + DEADLINE
    while not running[0].started and thread.is_alive() and time.monotonic() < deadline:
        time.sleep(0.02)
    try:
        yield Server(f"http://127.0.0.1:{port}")
    finally:
        running[0].should_exit = True
        thread.join(DEADLINE)


def message_bytes(session: Session, seat: int) -> bytes:
    """What a seat is told, as it goes over the wire."""
    return json.dumps(session.tell(seat)).encode()


def messages(listener: Subscriber) -> list[dict]:
    """Messages that a connection of a room has got since the last time."""
    return [listener.queue.get_nowait() for _ in range(listener.queue.qsize())]


def next_state(live) -> dict:
    """The next message that shows how things stand for a side that is to decide, or at the end."""
    while True:
        message = json.loads(live.recv(DEADLINE))
        if message["type"] == "preparing":
            continue
        assert message["type"] == "state", message
        if message["ask"] or message["over"]:
            return message


def act(live, state: dict, action: str) -> None:
    live.send(json.dumps({"type": "act", "at": state["at"], "action": action}))

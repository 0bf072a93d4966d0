"""Programs over WebSocket: a bot behind ``serve-bot``, and all that can go wrong at either end."""

import asyncio
import json
import re
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest
from paths import ROOT
from processes import DEADLINE, Tether

pytest.importorskip("websockets")

from dawn_agents.commands import check_bot
from dawn_agents.external import websocket_player
from dawn_agents.external.bot_server import BotServer
from dawn_agents.external.secret_keys import make_token, read_token
from dawn_agents.external.websocket_player import WebSocket, WebSocketPlayer
from dawn_agents.match import Pairing, play_games
from dawn_agents.registry import make_player
from websockets.asyncio.client import connect
from websockets.asyncio.server import serve
from websockets.exceptions import ConnectionClosed, InvalidStatus

from dawn_env.errors import PlayerFailure
from dawn_env.game import Game
from dawn_env.observation.player_view import View
from dawn_env.options import STANDARD
from dawn_env.tables import DEMOCRAT

EXAMPLE = [sys.executable, str(ROOT / "docs/examples/bot.py")]
TOKEN = "a-secret-of-the-tests-1234"


@pytest.fixture
def token(tmp_path) -> Path:
    path = tmp_path / "bot.token"
    path.write_text(TOKEN + "\n")
    return path


@contextmanager
def listening(server: Callable) -> Iterator[int]:
    """The port at which an asynchronous context manager that makes a server listens, in a thread of its own."""
    loop, ready, over = asyncio.new_event_loop(), threading.Event(), asyncio.Event()
    ports: list[int] = []

    async def run() -> None:
        async with server() as made:
            ports.append(made.sockets[0].getsockname()[1])
            ready.set()
            await over.wait()

    thread = threading.Thread(target=loop.run_until_complete, args=(run(),), daemon=True)
    thread.start()
    try:
        assert ready.wait(DEADLINE)
        yield ports[0]
    finally:
        loop.call_soon_threadsafe(over.set)
        thread.join(DEADLINE)
        loop.close()


def bot_server(command: list[str] = EXAMPLE, token: str = TOKEN, games: int = 2, port: int = 0):
    return listening(lambda: BotServer(command, token, games).listening("127.0.0.1", port))


def player(port: int, token: Path | str, settings: str = "seconds=60,start=60,") -> WebSocketPlayer:
    return make_player(f"websocket:{settings}token={token},ws://127.0.0.1:{port}", seed=3)


def outcome_of(one):
    ((_, outcome),) = play_games([Pairing(1, one, make_player("random", 5))])
    one.close()
    return outcome


# --- a bot that does right ---------------------------------------------------------------------------


def test_a_bot_plays_over_the_network_as_through_pipes(token):
    with bot_server() as port:
        one = player(port, token)
        outcome = outcome_of(one)
        assert not outcome.failure and one.declared == "example 1"
        assert one._program is None and one.bot
        assert TOKEN not in f"{one.name} {one.options} {one.bot} {one.declared}"
    piped = outcome_of(make_player(f"process:{shlex.join(EXAMPLE)}", seed=3))
    assert outcome.actions == piped.actions


def test_the_checker_knows_addresses(token, capsys):
    with bot_server() as port:
        words = ["--games", "1", "--mode", "family", "--token", str(token)]
        assert check_bot.main([*words, f"ws://127.0.0.1:{port}"]) == 0
    said = capsys.readouterr().out
    assert "7 of 7 checks passed" in said and "closed the connection" in said and TOKEN not in said


# --- specifications and tokens -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["", "short", "two words of it are wrong", "x" * 201, "ü" * 20, "\x00" * 20, "x" * 5000]
)
def test_a_file_without_a_token_is_named_and_not_quoted(tmp_path, text):
    path = tmp_path / "token"
    path.write_text(text)
    with pytest.raises(ValueError, match="16 to 200 letters, digits") as caught:
        read_token(path)
    assert str(path) in str(caught.value) and (not text or text not in str(caught.value))


def test_a_new_token_is_for_its_owner_alone(tmp_path):
    path = tmp_path / "token"
    token = make_token(path)
    assert read_token(path) == token and len(token) > 40 and path.stat().st_mode & 0o777 == 0o600
    with pytest.raises(FileExistsError):
        make_token(path)


# --- bots that do wrong ----------------------------------------------------------------------------------


def behaving(behave: Callable, **more):
    """A server that does as it likes with a connection."""
    return listening(lambda: serve(behave, "127.0.0.1", 0, **more))


async def hello(connection, **says) -> None:
    await connection.recv()
    await connection.send(json.dumps({"bot": {"name": "x", "version": "1", "protocol": 2, **says}}))


async def silent(connection):
    await connection.wait_closed()


def saying(messages=(), **facts):
    """Behaviour of a program that introduces itself, sends ``messages`` (a list in fragments) and waits."""

    async def behave(connection):
        await hello(connection, **facts)
        for message in messages:
            await connection.send(message)
        await connection.wait_closed()

    return behave


async def leaving(connection):
    await hello(connection)
    await connection.recv()
    await connection.send('{"ready": true}')
    await connection.recv()
    await connection.close(1011, "no \x1b[2J more")


async def breaking(connection):
    await hello(connection)
    await connection.recv()
    connection.transport.abort()


@pytest.mark.parametrize(
    ("behave", "words"),
    [
        (silent, "gave no answer to 'hello' within 1.5 s"),
        (saying(protocol=7), "protocol 7, but protocol 2 is needed"),
        (saying(["x" * (1 << 21)]), "with a line longer than 1 MiB"),
        (saying([["x" * 10_000] * 200]), "with a line longer than 1 MiB"),
        (leaving, r"closed the connection (1011, 'no \x1b[2J more') when asked 'go'"),
        (breaking, "closed the connection (1006) when asked 'new-game'"),
        (saying([b"\xff\xfe\n\n"]), "which is no JSON object"),
    ],
)
def test_what_goes_wrong_is_named(token, behave, words):
    threads = threading.active_count()
    with behaving(behave) as port:
        start = 1.5 if "within" in words else 60
        outcome = outcome_of(player(port, token, f"seconds=60,start={start},"))
        assert outcome.reason == "forfeit" and words in outcome.failure and outcome.failure.isprintable()
    assert threading.active_count() <= threads + 1, "nothing is left behind"


def refusing(status: int, **headers):
    def answer(connection, request):
        response = connection.respond(status, "no\n")
        for name, value in headers.items():
            response.headers[name] = value
        return response

    return behaving(silent, process_request=answer)


@pytest.mark.parametrize("status", [401, 503, 404])
def test_refusals_are_named(token, status):
    words = f"it refuses the connection (HTTP {status}): 'no'"
    with refusing(status) as port, pytest.raises(PlayerFailure, match=re.escape(words)):
        player(port, token, "start=0.5,").begin_game(DEMOCRAT, STANDARD)


def test_a_token_that_is_missing_is_asked_for():
    with bot_server() as port, pytest.raises(PlayerFailure, match="HTTP 401.*the right token is missing: --token FILE"):
        make_player(f"websocket:ws://127.0.0.1:{port}").begin_game(DEMOCRAT, STANDARD)


def test_the_token_is_not_taken_elsewhere(token):
    """A bot that sends us on to another address would get at the token of this one."""
    heard = []

    async def elsewhere(connection):
        heard.append(connection.request.headers.get("Authorization"))

    with behaving(elsewhere) as other, refusing(302, Location=f"ws://127.0.0.1:{other}") as port:
        with pytest.raises(PlayerFailure):
            player(port, token).begin_game(DEMOCRAT, STANDARD)
    assert heard == [None]


def test_a_redirect_to_no_address_is_a_refusal(token):
    with refusing(302, Location="http://[") as port, pytest.raises(PlayerFailure, match="cannot be started: Invalid"):
        player(port, token).begin_game(DEMOCRAT, STANDARD)


def test_nobody_listens(token):
    with bot_server() as port:
        pass
    with pytest.raises(PlayerFailure, match="cannot be started: Connection refused"):
        player(port, token, "start=0.5,").begin_game(DEMOCRAT, STANDARD)


def test_whoever_does_not_read_blocks_nobody():
    async def deaf(connection):
        connection.transport.pause_reading()
        await asyncio.sleep(1)
        connection.transport.abort()

    with behaving(deaf, ping_interval=None) as port:
        socket = WebSocket(f"ws://127.0.0.1:{port}", "", 10)
        started = time.monotonic()
        for _ in range(100):
            socket.send("x" * 500_000)
        with pytest.raises(TimeoutError):
            socket.receive(0.1)
        socket.stop()
        assert time.monotonic() - started < 30


def test_remarks_without_end_do_not_extend_the_time():
    async def talking(connection):
        while True:
            await connection.send('{"info": 1}')

    with behaving(talking) as port:
        socket = WebSocket(f"ws://127.0.0.1:{port}", "", 10)
        deadline = time.monotonic() + 0.3
        with pytest.raises(TimeoutError):
            while time.monotonic() < deadline + DEADLINE:
                socket.receive(deadline - time.monotonic())
        assert time.monotonic() < deadline + DEADLINE / 2
        socket.stop()


# --- those who connect to serve-bot ----------------------------------------------------------------------


def talk(port: int, *lines: str, **headers: str) -> list[str]:
    """What is answered to some lines, and how it ended if it did."""

    async def conversation() -> list[str]:
        said = []
        async with connect(f"ws://127.0.0.1:{port}", additional_headers=headers, proxy=None) as connection:
            try:
                for line in lines:
                    await connection.send(line)
                    said.append(await asyncio.wait_for(connection.recv(), DEADLINE))
            except ConnectionClosed as closed:
                said.append(f"{closed.rcvd.code} {closed.rcvd.reason}" if closed.rcvd else "broken")
        return said

    return asyncio.run(conversation())


RIGHT = {"Authorization": f"Bearer {TOKEN}"}


@pytest.mark.parametrize(
    "headers",
    [{}, {"Authorization": "Bearer wrong"}, {"Authorization": TOKEN}, {"Authorization": f"Bearer {TOKEN}x"}],
)
def test_others_do_not_get_in_and_the_log_says_so(headers, caplog):
    with bot_server() as port:
        with pytest.raises(InvalidStatus) as caught:
            talk(port, "{}", **headers)
        assert caught.value.response.status_code == 401
        said = f"127.0.0.1: refused, {'wrong' if headers else 'no'} token"
        assert [record.message for record in caplog.records if record.name == "dawn.bot"] == [said]
        assert json.loads(talk(port, '{"command":"hello","protocol":1}', **RIGHT)[0])["bot"]["name"] == "example"


def test_pages_in_browsers_do_not_get_in():
    with bot_server(token="") as port:
        with pytest.raises(InvalidStatus) as caught:
            talk(port, "{}", Origin="http://evil.example")
        assert caught.value.response.status_code == 403
        assert talk(port, '{"command":"hello","protocol":1}')


def test_no_more_games_than_wanted_at_a_time(token):
    with bot_server(games=1) as port:
        first, second, patient = player(port, token), player(port, token, "start=0.5,"), player(port, token)
        first.begin_game(DEMOCRAT, STANDARD)
        with pytest.raises(PlayerFailure, match="HTTP 503"):
            second.begin_game(DEMOCRAT, STANDARD)
        threading.Timer(0.5, first.close).start()
        patient.begin_game(DEMOCRAT, STANDARD)
        patient.close()


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("raise SystemExit(3)", "1000 the bot has exited"),
        ("input(); print('x' * (1 << 21))", "1009 the bot wrote a line longer than 1 MiB"),
        ("import sys; sys.stdout.write('x' * (1 << 21)); sys.stdout.flush(); input()", "1009 the bot wrote a line"),
    ],
)
def test_what_the_bot_does_wrong_is_said(code, words):
    with bot_server([sys.executable, "-c", code]) as port:
        assert talk(port, "{}", "{}", **RIGHT)[-1].startswith(words)


def test_messages_too_long_end_the_connection_and_nothing_else():
    with bot_server() as port:
        assert talk(port, "x" * (1 << 21), **RIGHT)[-1].startswith("1009")
        assert talk(port, '{"command":"hello","protocol":1}', **RIGHT)


def test_the_bot_ends_with_its_connection(tmp_path):
    tether = Tether(tmp_path / "pipe")
    code = f"{tether.holder}\nprint(input(), flush=True)\ntime.sleep(3600)"
    with bot_server([sys.executable, "-c", code]) as port:
        assert talk(port, '{"a": 1}', **RIGHT) == ['{"a": 1}']
        tether.wait_for(1)
        assert tether.all_gone()


def test_a_line_is_a_line(tmp_path):
    """A message cannot be two lines for the bot, nor is a bot in another encoding the end of it."""
    code = (
        "import sys\nfor line in sys.stdin: print(len(line.split()), flush=True); sys.stdout.buffer.write(b'\\xff\\n')"
    )
    with bot_server([sys.executable, "-u", "-c", code]) as port:
        assert talk(port, "a\nb c", **RIGHT) == ["3"]


def test_the_command_serves_and_writes_a_token(tmp_path):
    path = tmp_path / "new.token"
    line = [sys.executable, "-c", "from dawn_agents.commands.serve_bot import main; raise SystemExit(main())"]
    command = [*line, "--port", "0", "--token", str(path), "--", *EXAMPLE]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as server:
        try:
            assert "a new token" in server.stdout.readline()
            port = int(re.search(r"ws://127.0.0.1:(\d+)", server.stdout.readline())[1])
            one = player(port, path)
            one.begin_game(DEMOCRAT, STANDARD)
            game = Game(1)
            while game.actor != DEMOCRAT:
                game.step(game.legal[0])
            assert game.legal.count(View(game.state).texts[0]) and one.choose(View(game.state)) >= 0
            one.close()
        finally:
            server.send_signal(signal.SIGINT)
        assert server.wait(DEADLINE) == 0 and TOKEN not in server.stdout.read()


def test_a_game_waits_for_a_server_that_is_restarted(token, monkeypatch):
    refused, judged = threading.Event(), websocket_player.process_exception
    monkeypatch.setattr(websocket_player, "process_exception", lambda error: refused.set() or judged(error))
    with bot_server() as port:
        pass
    one = player(port, token)
    with ThreadPoolExecutor() as games:
        begun = games.submit(one.begin_game, DEMOCRAT, STANDARD)
        assert refused.wait(DEADLINE)
        with bot_server(port=port):
            begun.result(DEADLINE)
            one.close()

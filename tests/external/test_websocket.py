"""Programs over WebSocket: a bot behind ``serve-bot``, and all that can go wrong at either end."""

import json
import re
import shlex
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest
from paths import ROOT
from processes import DEADLINE, Tether

pytest.importorskip("websockets")

from dawn_agents.commands import check_bot
from dawn_agents.players.external.bot_server import BotServer
from dawn_agents.players.external.secret_keys import make_token, read_token
from dawn_agents.players.external.websocket_player import WebSocketPlayer
from dawn_agents.players.registry import make_player
from dawn_agents.serving.server_socket import listen
from dawn_agents.tournaments.match import Pairing, play_games
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect
from websockets.sync.server import serve

from dawn_env.errors import PlayerFailure
from dawn_env.game import Game
from dawn_env.observation.player_view import View
from dawn_env.options import STANDARD
from dawn_env.tables import DEMOCRAT

EXAMPLE = [sys.executable, str(ROOT / "docs/examples/bot.py")]
TOKEN = "a-secret-of-the-tests-1234"
HELLO = '{"command":"hello","protocol":1}'


@pytest.fixture
def token(tmp_path) -> Path:
    path = tmp_path / "bot.token"
    path.write_text(TOKEN + "\n")
    return path


@contextmanager
def bot_server(command: list[str] = EXAMPLE, token: str = TOKEN, games: int = 2, port: int = 0) -> Iterator[int]:
    """Run a server of a bot in a thread; the value of the context is its port."""
    server = BotServer(command, token, games)
    with listen("127.0.0.1", port) as listening:
        thread = threading.Thread(target=server.run, args=([listening],), daemon=True)
        thread.start()
        try:
            yield listening.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join(DEADLINE)
            assert not thread.is_alive()


def player(port: int, token: Path | str, settings: str = "seconds=60,start=60,") -> WebSocketPlayer:
    return make_player(f"websocket:{settings}token={token},ws://127.0.0.1:{port}", seed=3)


def outcome_of(one):
    ((_, outcome),) = play_games([Pairing(1, one, make_player("random", 5))])
    one.close()
    return outcome


def failure(one: WebSocketPlayer) -> str:
    """Return the message with which the beginning of a game fails."""
    with pytest.raises(PlayerFailure) as caught:
        one.begin_game(DEMOCRAT, STANDARD)
    return str(caught.value)


# --- a bot that does right ---------------------------------------------------------------------------


def test_a_bot_plays_over_the_network_as_through_pipes(token):
    with bot_server() as port:
        one = player(port, token)
        outcome = outcome_of(one)
        assert not outcome.failure and one.declared == "example 1"
        assert TOKEN not in f"{one.name} {one.options} {one.bot} {one.declared}"
    piped = outcome_of(make_player(f"process:{shlex.join(EXAMPLE)}", seed=3))
    assert outcome.actions == piped.actions


def test_the_checker_knows_addresses(token, capsys):
    with bot_server() as port:
        words = ["--games", "1", "--mode", "family", "--token", str(token)]
        assert check_bot.main([*words, f"ws://127.0.0.1:{port}"]) == 0
    said = capsys.readouterr().out
    assert "8 of 8 checks passed" in said and TOKEN not in said


# --- specifications and tokens -------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["", "two words of it are wrong", "x" * 201, "ü" * 20, "\x00" * 20, "x" * 5000])
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


@contextmanager
def behaving(behave: Callable, **more) -> Iterator[int]:
    """A server that does as it likes with a connection; the value of the context is its port."""
    with serve(behave, "127.0.0.1", 0, **more) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.socket.getsockname()[1]


def silent(connection):
    list(connection)


def talking(connection):
    connection.send("x" * (1 << 21))


def leaving(connection):
    connection.recv()
    connection.close(1011, "no \x1b[2J more")


def breaking(connection):
    connection.recv()
    connection.socket.shutdown(2)


@pytest.mark.parametrize(
    ("behave", "words"),
    [
        (talking, "sent 1009 (message too big)"),
        (leaving, r"received 1011 (internal error) no \x1b[2J more"),
        (breaking, "exited with status 1 when asked 'hello'; stderr: the connection was closed: no close frame"),
    ],
)
def test_what_goes_wrong_is_named(token, behave, words):
    with behaving(behave) as port:
        outcome = outcome_of(player(port, token))
    assert outcome.reason == "forfeit" and words in outcome.failure and outcome.failure.isprintable()


def refusing(status: int, **headers):
    def answer(connection, request):
        response = connection.respond(status, "no\n")
        for name, value in headers.items():
            response.headers[name] = value
        return response

    return behaving(silent, process_request=answer)


def test_refusals_are_named(token):
    with refusing(404) as port:
        assert "it refuses the connection (HTTP 404): no" in failure(player(port, token))


def test_a_token_that_is_missing_is_asked_for():
    with bot_server() as port:
        words = failure(make_player(f"websocket:ws://127.0.0.1:{port}"))
    assert "HTTP 401" in words and "the right token is missing: --token FILE" in words


def test_the_token_is_not_taken_elsewhere(token):
    """A bot that sends us on to another address would get at the token of this one."""
    heard = []

    def elsewhere(connection):
        heard.append(connection.request.headers.get("Authorization"))

    with behaving(elsewhere) as other, refusing(302, Location=f"ws://127.0.0.1:{other}") as port:
        failure(player(port, token))
    assert heard == [None]


def test_nobody_listens(token):
    with bot_server() as port:
        pass
    assert "Connection refused" in failure(player(port, token, "start=1.5,"))


# --- those who connect to serve-bot ----------------------------------------------------------------------


def talk(port: int, *lines: str, **headers: str) -> list[str]:
    """What is answered to some lines, and how it ended if it did."""
    said = []
    with connect(f"ws://127.0.0.1:{port}", additional_headers=headers, proxy=None, legacy=True) as connection:
        try:
            for line in lines:
                connection.send(line)
                said.append(connection.recv(DEADLINE))
        except ConnectionClosed as closed:
            said.append(f"{closed.rcvd.code} {closed.rcvd.reason}")
    return said


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
        said = f"refused 127.0.0.1 (401): {'wrong' if headers else 'no'} token"
        assert [record.message for record in caplog.records if record.name == "dawn.bot"] == [said]
        assert json.loads(talk(port, HELLO, **RIGHT)[0])["bot"]["name"] == "example"


def test_pages_in_browsers_do_not_get_in():
    with bot_server(token="") as port:
        with pytest.raises(InvalidStatus) as caught:
            talk(port, "{}", Origin="http://evil.example")
        assert caught.value.response.status_code == 403
        assert talk(port, HELLO)


def test_requests_that_are_none_for_a_websocket_are_told_what_listens():
    with bot_server() as port, socket.create_connection(("127.0.0.1", port)) as other:
        other.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert other.makefile().readline() == "HTTP/1.1 426 Upgrade Required\n"


@contextmanager
def half_requests(port: int, count: int) -> Iterator[list[socket.socket]]:
    """Connections that begin a request and say no more."""
    with ExitStack() as stack:
        halves = [stack.enter_context(socket.create_connection(("127.0.0.1", port), DEADLINE)) for _ in range(count)]
        for half in halves:
            with suppress(OSError):
                half.sendall(b"GET / HTTP/1.1\r\nX: ")
        yield halves


@contextmanager
def limited_program(files: int, *words: str) -> Iterator[tuple[int, subprocess.Popen]]:
    """The command as a program that may have so many files open: its port and its process."""
    command = [sys.executable, "-m", "dawn_agents", "serve-bot", "--port", "0", *words, "--", *EXAMPLE]
    limited = ["sh", "-c", f'ulimit -n {files}; exec "$@"', "sh", *command]
    with subprocess.Popen(limited, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT) as server:
        try:
            yield int(re.search(r"ws://127.0.0.1:(\d+)", server.stdout.readline())[1]), server
        finally:
            server.kill()


def test_half_requests_hold_up_nobody(token):
    with limited_program(256, "--games", "2", "--token", str(token)) as (port, server):
        with half_requests(port, 150) as halves:
            one = player(port, token)
            one.begin_game(DEMOCRAT, STANDARD)
            assert one.choose(View(Game(1).state)) >= 0
            one.close()
            if sys.platform == "linux":
                assert len(list(Path(f"/proc/{server.pid}/task").iterdir())) < 20, "no thread for each of them"
            assert halves[0].recv(1) == b"", "those that wait longest make room"
        server.send_signal(signal.SIGINT)
        assert server.wait(DEADLINE) == 0 and server.stderr.read() == ""


def test_a_server_that_can_open_no_more_files_says_so_once_and_goes_on(token):
    """Its limit of connections is above what the system allows."""
    with limited_program(40, "--games", "200", "--token", str(token)) as (port, server):
        with half_requests(port, 50):
            assert "refused all (503): Too many open files; ulimit -n says how many" in server.stderr.readline()
        one = player(port, token)
        one.begin_game(DEMOCRAT, STANDARD)
        one.close()
        server.send_signal(signal.SIGINT)
        assert server.wait(DEADLINE) == 0 and server.stderr.read() == ""


def test_no_more_games_than_wanted_at_a_time(token):
    with bot_server(games=1) as port:
        first, patient = player(port, token), player(port, token)
        first.begin_game(DEMOCRAT, STANDARD)
        assert "HTTP 503" in failure(player(port, token, "start=1.5,"))
        threading.Timer(0.5, first.close).start()
        patient.begin_game(DEMOCRAT, STANDARD)
        patient.close()


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("raise SystemExit(3)", "1000 the bot has exited"),
        ("input(); print('x' * (1 << 21))", "1009 the bot wrote a line longer than 1 MiB"),
    ],
)
def test_what_the_bot_does_wrong_is_said(code, words):
    with bot_server([sys.executable, "-c", code]) as port:
        assert talk(port, "{}", "{}", **RIGHT)[-1].startswith(words)


def test_messages_too_long_end_the_connection_and_nothing_else():
    with bot_server() as port:
        assert talk(port, "x" * (1 << 21), **RIGHT)[-1].startswith("1009")
        assert talk(port, HELLO, **RIGHT)


def test_the_bot_ends_with_its_connection(tmp_path):
    tether = Tether(tmp_path / "pipe")
    code = f"{tether.holder}\nprint(input(), flush=True)\ntime.sleep(3600)"
    with bot_server([sys.executable, "-c", code]) as port:
        assert talk(port, '{"a": 1}', **RIGHT) == ['{"a": 1}']
        tether.wait_for(1)
        assert tether.all_gone()


def test_a_line_is_a_line():
    """A message cannot be two lines for the bot, nor is a bot in another encoding the end of it."""
    code = (
        "import sys\nfor line in sys.stdin: print(len(line.split()), flush=True); sys.stdout.buffer.write(b'\\xff\\n')"
    )
    with bot_server([sys.executable, "-u", "-c", code]) as port:
        assert talk(port, "a\nb c", **RIGHT) == ["3"]


def test_the_command_serves_and_writes_a_token(tmp_path):
    path = tmp_path / "new.token"
    command = [sys.executable, "-m", "dawn_agents", "serve-bot", "--port", "0", "--token", str(path), "--", *EXAMPLE]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as server:
        try:
            assert "a new token" in server.stdout.readline()
            port = int(re.search(r"ws://127.0.0.1:(\d+)", server.stdout.readline())[1])
            one = player(port, path)
            one.begin_game(DEMOCRAT, STANDARD)
            assert one.choose(View(Game(1).state)) >= 0
            one.close()
        finally:
            server.send_signal(signal.SIGINT)
        assert server.wait(DEADLINE) == 0 and read_token(path) not in server.stdout.read()


def test_a_game_waits_for_a_server_that_is_restarted(token):
    with bot_server() as port:
        pass
    one = player(port, token)
    with ThreadPoolExecutor() as games:
        begun = games.submit(one.begin_game, DEMOCRAT, STANDARD)
        while not (one._program and "refused" in one._program.stderr_tail):
            assert not begun.done()
        with bot_server(port=port):
            begun.result(DEADLINE)
            one.close()

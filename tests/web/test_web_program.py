"""The server of the browser game as a program: killed, interrupted, with addresses that it cannot have."""

import json
import os
import random
import re
import signal
import statistics
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, suppress
from pathlib import Path

import pytest
from dawn_agents.commands import web
from dawn_agents.frontends.web.game_database import GameDatabase
from dawn_agents.serving.server_socket import listen
from web_server import DEADLINE, Server, act, next_state, program

from dawn_env.support.compiling import COMPILED

_CLICK = 0.1  # seconds
_SECONDS = 20  # in which the server ends, on a busy machine


def test_nothing_is_lost_when_the_program_is_killed(tmp_path):
    data, rng = tmp_path / "games.sqlite", random.Random(3)
    with program(data, "--game", "democrat,heuristic,7") as (server, _, path), server.live(path) as live:
        state = next_state(live)
        for _ in range(12):
            act(live, state, rng.choice(state["ask"]["legal"]))
            state = next_state(live)
    with program(data) as (server, _, _), server.live(path) as live:
        again = next_state(live)
    shown = {"told": 0, "log": 0}
    assert {**again, **shown} == {**state, **shown}
    assert len(again["log"]) == state["told"] + len(state["log"])


@pytest.mark.skipif(not COMPILED or sys.platform != "linux", reason="nothing is compiled, or no /proc")
def test_ctrl_c_ends_the_server_while_it_compiles(tmp_path):
    settings = {"env": os.environ | {"DAWN_ENV_CACHE_DIR": str(tmp_path / "cache")}, "stderr": subprocess.PIPE}
    with program(tmp_path / "games.sqlite", **settings) as (server, process, _):
        assert "compiling the rules" in process.stderr.readline()
        time.sleep(1)
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        with server.live(server.seat("democrat", "random")) as live:
            assert json.loads(live.recv(_SECONDS))["type"] == "preparing", "the rules were compiled too soon"
        assert server.ask_once("/api/lesson/1")[0] == 503
        process.send_signal(signal.SIGINT)
        assert process.wait(_SECONDS) == 0
        assert children and not any(map(is_running, children))
        assert not process.stderr.read()


READS_FOR_EVER = """
import sys, threading
from dawn_agents.frontends.web import server
server.records_of = lambda contents: threading.Event().wait()
from dawn_agents.__main__ import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_the_server_ends_while_it_reads_files_of_others(tmp_path, sent):
    with program(tmp_path / "games.sqlite", begin=("-c", READS_FOR_EVER)) as (server, process, _), ExitStack() as stack:
        clients = stack.enter_context(ThreadPoolExecutor(3))
        uploads = [clients.submit(server.ask_once, "/api/shelves", b"{}") for _ in range(3)]
        time.sleep(1)
        assert server.ask_once("/api/preparation")[0] == 200 and not any(upload.done() for upload in uploads)
        process.send_signal(sent)
        assert process.wait(_SECONDS) == 0


def is_running(process: str) -> bool:
    """Return True if a process exists and has not ended."""
    with suppress(FileNotFoundError):
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    return False


def resident(process: subprocess.Popen) -> float:
    """MiB of memory that a program has."""
    return int(re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{process.pid}/status").read_text())[1]) / 1024


def play_a_little(server: Server, seed: int) -> None:
    """Begin a game against ``heuristic`` and decide once."""
    path = f"/api{server.seat('democrat', 'heuristic', seed)}"
    while (ask := (state := server.ask(path)[1])["ask"]) is None:
        time.sleep(0.01)
    assert server.ask(path, {"type": "act", "at": state["at"], "action": ask["legal"][0]})[0] == 200


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_hundred_games_against_players_take_little_memory(tmp_path):
    with program(tmp_path / "games.sqlite") as (server, process, _):
        play_a_little(server, 0)  # compiles what is not in the cache, which takes memory too
        ready = resident(process)
        for seed in range(1, 101):
            play_a_little(server, seed)
        assert resident(process) < ready + 150
        assert "torch" not in Path(f"/proc/{process.pid}/maps").read_text()


def test_clicks_are_answered_soon_with_twenty_games_open(tmp_path):
    rng, seconds = random.Random(1), []
    with program(tmp_path / "games.sqlite") as (server, _, _), ExitStack() as stack:
        paths = [server.seat("democrat", "heuristic", seed) for seed in range(20)]
        games = [stack.enter_context(server.live(path)) for path in paths]
        states = [next_state(live) for live in games]
        for _ in range(5):
            for number, live in enumerate(games):
                if states[number]["over"]:
                    continue
                began = time.monotonic()
                act(live, states[number], rng.choice(states[number]["ask"]["legal"]))
                states[number] = json.loads(live.recv(DEADLINE))  # the first that shows what the click has done
                seconds.append(time.monotonic() - began)
                if states[number]["type"] != "state" or not states[number]["ask"]:
                    states[number] = next_state(live)
    print(f"{len(seconds)} clicks, median {statistics.median(seconds):.3f} s, largest {max(seconds):.3f} s")
    assert statistics.median(seconds) < _CLICK


@pytest.fixture
def refusal(tmp_path, monkeypatch, capsys):
    """What the program says when it refuses to start in a folder of its own."""
    monkeypatch.chdir(tmp_path)

    def said(*words: str) -> str:
        assert web.main(["--port", "0", "--data", "games.sqlite", *words]) == 2
        output, errors = capsys.readouterr()
        assert not output
        return errors

    return said


def test_a_port_or_a_file_in_use_is_said_before_anything_else(refusal):
    with closing(listen("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        problem = f"cannot listen at 127.0.0.1, port {port}: Address already in use"
        assert refusal("--port", str(port)) == f"error: {problem}; --port 0 takes any free port\n"
    with closing(GameDatabase("games.sqlite")):
        assert refusal() == "error: games.sqlite is in use by another server\n"
    GameDatabase("games.sqlite").close()


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--puzzles", "none"], "none: No such file or directory"),
        (["--puzzles", "binary"], "binary: no text in UTF-8: byte 0 is 0xff"),
        (["--puzzles", "empty"], "empty: no puzzles"),
        (["--player", "policy:none"], "none: there is no such policy file"),
        (["--game", "democrat,policy:none,7"], "none: there is no such policy file"),
        (["--player", "sb3:none"], "none: no such file"),
        (["--results", "none"], "none: no such file"),
        (["--results", "damaged"], "damaged: not a database of results (file is not a database)"),
    ],
)
def test_files_that_cannot_be_used_are_named_before_anything_else(tmp_path, refusal, words, problem):
    (tmp_path / "binary").write_bytes(b"\xff\x00")
    (tmp_path / "empty").touch()
    (tmp_path / "damaged").write_bytes(b"SQLite format 3\0" + bytes(300))
    assert refusal(*words) == f"error: {problem}\n"

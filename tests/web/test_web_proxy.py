"""The server of the browser game behind a proxy: names, origins, monitors, refusals in the log."""

import re
import signal
import socket
import subprocess
import urllib.error
import urllib.request

import pytest
from dawn_agents.commands.web import printed_address
from dawn_agents.serving.request_limits import Gate, RefusalLog
from dawn_agents.serving.server_socket import listen
from random_records import random_game
from web_server import DEADLINE, program, serving

from dawn_env.errors import DawnError

# --- names and pages -----------------------------------------------------------------------------------


@pytest.mark.parametrize("host", ["127.0.0.1:1989", "games.example", "games.example:8445"])
def test_pages_of_an_allowed_host_may_ask_through_a_proxy_that_changes_the_name(host):
    gate = Gate(local=True, names=["Games.example"])
    assert not gate.problem({"host": host, "origin": "https://games.example:8445"}, "127.0.0.1")
    for page in ("https://evil.example", "https://games.example.evil.example", "null", "http://localhost:3000"):
        problem = gate.problem({"host": host, "origin": page}, "127.0.0.1")
        assert all(words in problem for words in (f"'{page}'", f"'{host}'", "--allow-host"))


# --- the log -------------------------------------------------------------------------------------------


def test_a_refusal_is_logged_once_with_time_and_address_and_without_links(tmp_path):
    with program(tmp_path / "games.sqlite", stderr=subprocess.PIPE) as (server, process, _):
        seat = server.seat("democrat")
        for _ in range(3):
            assert server.ask(f"/api{seat}", None, Host="evil.example")[0] == 403
            with socket.create_connection(server.peer) as rubbish:
                rubbish.sendall(b"\x16\x03\x01 no request\r\n\r\n")
                assert rubbish.recv(100).startswith(b"HTTP/1.1 400 ")
        process.send_signal(signal.SIGTERM)
        lines = process.communicate(timeout=DEADLINE)[1].splitlines()
    assert process.returncode == 0 and not (tmp_path / "games.sqlite-wal").exists(), "it ends in order"
    start = re.compile(r"2\d{3}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} WARNING dawn.web: ")
    lines = [line[found.end() :] for line in lines if (found := start.match(line))]
    assert lines[0].startswith("refused 127.0.0.1 (403): 'evil.example': this server answers to 127.0.0.1")
    assert lines[1:] == ["refused 127.0.0.1 (400): Invalid HTTP request received."]
    assert seat.rsplit("/", 1)[1] not in lines[0]


def test_lines_of_refusals_are_bounded(caplog):
    refusals = RefusalLog("dawn.web")
    for number in range(3000):
        refusals.log(429, f"192.0.2.{number}", "too many requests")
    assert len(caplog.messages) == 100 and caplog.messages[0] == "refused 192.0.2.0 (429): too many requests"


# --- while the rules are compiled --------------------------------------------------------------------


def test_requests_are_put_off_until_the_rules_are_compiled(tmp_path, compiling):
    with serving(tmp_path / "games.sqlite") as early:
        seat, watched = early.new_game("human", "human"), early.new_game("random", "random")
        places = seat["seats"]["democrat"], seat["watch"], watched["replay"], f"{watched['replay']}/0"
        paths = [*places, "/puzzles/family/1"]
        for path in paths:
            status, answer = early.ask_once(f"/api{path}")
            assert status == 503 and answer["type"] == "preparing" and answer["words"]
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(f"{early.address}/api/lesson/1", timeout=DEADLINE)
        assert refused.value.headers["Retry-After"] == "1"
        assert early.ask_once("/api/seat/nobody")[0] == 404
        compiling.set()
        assert [early.ask(f"/api{path}")[0] for path in paths] == [200] * len(paths)


def test_a_replay_opens_by_itself_when_the_rules_are_compiled(tmp_path, compiling, open_page):
    with serving(tmp_path / "games.sqlite") as early:
        page = open_page(f"{early.address}/replay/{early.shelf(random_game(2))}.0")
        page.wait_for_selector("#prompt[data-state=preparing]")
        asking = "import('/static/common.js').then((common) => common.request('/api/lesson/1'))"
        page.evaluate(f"void (window.lesson = {asking})")
        compiling.set()
        page.wait_for_selector("#prompt:not([data-state]) >> text=Position 0")
        assert page.evaluate("window.lesson")["count"] > 1


# --- addresses of visitors ------------------------------------------------------------------------------


def test_limits_count_the_visitor_whom_a_proxy_names(tmp_path, caplog):
    with serving(tmp_path / "games.sqlite") as own:
        wanted = {"players": {"democrat": "human", "communist": "human"}}
        visitor = {"X-Forwarded-For": "127.0.0.1, 192.0.2.7"}  # the first is what the visitor claims
        statuses = [own.ask("/api/games", wanted, **visitor)[0] for _ in range(42)]
    assert statuses[:40] == [200] * 40 and statuses[-1] == 429
    assert caplog.messages == ["refused 192.0.2.7 (429): too many new games; wait a moment"]


# --- monitors ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/", "/learn", "/api/preparation"])
def test_a_monitor_may_ask_for_headers_only(server, path):
    request = urllib.request.Request(server.address + path, method="HEAD")
    with urllib.request.urlopen(request, timeout=DEADLINE) as answer:
        assert answer.status == 200 and not answer.read()


# --- the address that is printed -----------------------------------------------------------------------


@pytest.mark.parametrize("host, shown", [("::1", "http://[::1]:1989"), ("games.example", "http://games.example:1989")])
def test_the_address_is_one_for_a_browser(host, shown):
    assert printed_address(host, 1989) == shown


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])
def test_a_server_for_everybody_answers_at_the_address_that_it_prints(tmp_path, host):
    try:
        listen(host, 0).close()
    except DawnError as error:
        pytest.skip(str(error))
    with program(tmp_path / "games.sqlite", "--host", host) as (server, _, _):
        assert server.peer[0] not in (host, None)
        assert server.ask("/api/preparation")[0] == 200
        with socket.create_connection(("127.0.0.1", server.peer[1])):
            pass

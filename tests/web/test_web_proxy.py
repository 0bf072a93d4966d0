"""The server of the browser game behind a proxy: names, origins, monitors, refusals in the log."""

import socket
import urllib.request

import pytest
from dawn_agents.commands.web import printed_address
from dawn_agents.web.request_limits import Gate
from dawn_agents.web.server_socket import listen
from web_server import DEADLINE, program

from dawn_env.errors import DawnError

# --- names and pages -----------------------------------------------------------------------------------


@pytest.mark.parametrize("host", ["127.0.0.1:1989", "games.example", "games.example:8445"])
def test_pages_of_an_allowed_host_may_ask_through_a_proxy_that_changes_the_name(host):
    gate = Gate(local=True, names=["Games.example"])
    assert not gate.problem({"host": host, "origin": "https://games.example:8445"}, "127.0.0.1")
    for page in ("https://evil.example", "https://games.example.evil.example", "null", "http://localhost:3000"):
        assert gate.problem({"host": host, "origin": page}, "127.0.0.1")


def test_a_refusal_names_the_page_and_the_name_that_it_asked():
    headers = {"host": "127.0.0.1:1989", "origin": "https://games.example"}
    problem = Gate(local=True).problem(headers, "127.0.0.1")
    assert all(words in problem for words in ("'https://games.example'", "'127.0.0.1:1989'", "--allow-host"))


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

"""The server of the browser game behind a proxy: names, origins, monitors, refusals in the log."""

import urllib.request

import pytest
from web_server import DEADLINE


@pytest.mark.parametrize("path", ["/", "/learn", "/api/preparation"])
def test_a_monitor_may_ask_for_headers_only(server, path):
    request = urllib.request.Request(server.address + path, method="HEAD")
    with urllib.request.urlopen(request, timeout=DEADLINE) as answer:
        assert answer.status == 200 and not answer.read()

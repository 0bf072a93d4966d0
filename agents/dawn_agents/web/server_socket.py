"""The web server's socket, and its life until it is stopped."""

import errno
import signal
import socket
from contextlib import suppress

import uvicorn
from fastapi import FastAPI

from dawn_agents.web.request_limits import MOST_MESSAGE
from dawn_env.errors import DawnError

_FAREWELL = 3  # seconds for requests under way when the server ends


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens; raises ``DawnError``, which names the address."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except OSError as error:
        reason = str(error.strerror).partition(" (")[0]  # without the address, which follows in brackets
        remedy = "; --port 0 takes any free port" if error.errno == errno.EADDRINUSE else ""
        raise DawnError(f"cannot listen at {host}, port {port}: {reason}{remedy}") from None


def serve(app: FastAPI, listening: list[socket.socket]) -> bool:
    """Serve until SIGINT or SIGTERM; return False if the server could not start."""
    server = uvicorn.Server(
        uvicorn.Config(
            app,
            log_config=None,  # the program's own
            log_level="error",
            ws="websockets-sansio",
            ws_max_size=MOST_MESSAGE,
            timeout_graceful_shutdown=_FAREWELL,
        )  # fmt: skip
    )
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # the server ends in order, then raises the signal again
    with suppress(KeyboardInterrupt):
        server.run(sockets=listening)
    return server.started

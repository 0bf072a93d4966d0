"""The web server's socket, its limits of connections, and its life until it is stopped."""

import errno
import signal
import socket
from contextlib import suppress
from functools import partial

try:
    import resource
except ImportError:  # Windows
    resource = None

import uvicorn
from fastapi import FastAPI

from dawn_agents.web.connection_limits import Connections, LimitedProtocol
from dawn_agents.web.request_limits import MOST_MESSAGE
from dawn_env.errors import DawnError

_MOST_CONNECTIONS, _MOST_EACH = 1000, 64  # in all, and from one address
_BURST = 32  # connections accepted before the first of them is counted
_OTHER_FILES = 100  # that the program has open besides connections that count
_FAREWELL = 3  # seconds for requests under way when the server ends


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens; raises ``DawnError``, which names the address."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=_BURST)
    except OSError as error:
        reason = str(error.strerror).partition(" (")[0]  # without the address, which follows in brackets
        remedy = "; --port 0 takes any free port" if error.errno == errno.EADDRINUSE else ""
        raise DawnError(f"cannot listen at {host}, port {port}: {reason}{remedy}") from None


def _most_connections() -> int:
    """Connections that the system's limit of open files allows, up to a limit of our own."""
    if resource is None:
        return _MOST_CONNECTIONS
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return _MOST_CONNECTIONS if files == resource.RLIM_INFINITY else min(_MOST_CONNECTIONS, files - _OTHER_FILES)


def serve(app: FastAPI, listening: list[socket.socket]) -> bool:
    """Serve until SIGINT or SIGTERM; return False if the server could not start."""
    protocol = partial(LimitedProtocol, Connections(_most_connections(), _MOST_EACH))
    server = uvicorn.Server(
        uvicorn.Config(
            app,
            http=protocol,
            log_config=None,  # the program's own
            log_level="error",  # refusals are logged by ``LimitedProtocol``
            ws="websockets-sansio",
            ws_max_size=MOST_MESSAGE,
            timeout_graceful_shutdown=_FAREWELL,
            backlog=_BURST,
        )  # fmt: skip
    )
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # the server ends in order, then raises the signal again
    with suppress(KeyboardInterrupt):
        server.run(sockets=listening)
    return server.started

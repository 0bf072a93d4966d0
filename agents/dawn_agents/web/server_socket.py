"""The web server's socket, its limits of connections, and its life until it is stopped."""

import asyncio
import errno
import signal
import socket
from contextlib import suppress
from functools import partial

import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.http.h11_impl import H11Protocol

from dawn_agents.web.request_limits import MOST_MESSAGE, RefusalLog, is_loopback
from dawn_env.errors import DawnError

REQUEST_SECONDS = 10
"""Time for the headers of a request."""

_MOST_CONNECTIONS, _MOST_EACH = 200, 64  # in all, within what systems let a program open, and from one address
_BURST = 32  # connections accepted before the first of them is counted
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


class Connections:
    """The open connections of a server. When there are too many, those that wait for a request longest are closed."""

    def __init__(self, most: int, most_each: int):
        """``most``: connections in all; ``most_each``: from one address, but for programs on this machine."""
        self._most, self._most_each = most, most_each
        self.refusals = RefusalLog()
        self._open: dict[asyncio.Transport, str] = {}
        self._waiting: dict[asyncio.Transport, asyncio.TimerHandle] = {}  # the longest waiting first

    def admit(self, transport: asyncio.Transport, address: str) -> bool:
        """Return False, and log it, if there are too many connections for one more from this address."""
        self._open = {known: place for known, place in self._open.items() if not known.is_closing()}
        too_many_there = (
            not is_loopback(address) and sum(place == address for place in self._open.values()) >= self._most_each
        )
        too_many = len(self._open) >= self._most
        if too_many_there or (too_many and not self._waiting):
            self.refusals.note(429, address, "too many connections")
            return False
        if too_many:
            self._close(next(iter(self._waiting)))
        self._open[transport] = address
        return True

    def expect(self, transport: asyncio.Transport) -> None:
        """Close a connection unless a request comes in time."""
        if transport not in self._waiting and not transport.is_closing():
            loop = asyncio.get_running_loop()
            self._waiting[transport] = loop.call_later(REQUEST_SECONDS, self._close, transport)

    def satisfy(self, transport: asyncio.Transport) -> None:
        """Note that the request has come, or that the connection is closed."""
        if timer := self._waiting.pop(transport, None):
            timer.cancel()

    def _close(self, transport: asyncio.Transport) -> None:
        self.satisfy(transport)
        self._open.pop(transport, None)
        transport.abort()


class LimitedProtocol(H11Protocol):
    """HTTP on a connection that counts among ``Connections``, as do the live connections that begin with it."""

    def __init__(self, limits: Connections, **settings):
        super().__init__(**settings)
        self._limits = limits

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Accept a connection; those beyond the limits are closed."""
        super().connection_made(transport)
        if self._limits.admit(transport, self.client[0] if self.client else ""):
            self._limits.expect(transport)
        else:
            transport.abort()

    def data_received(self, data: bytes) -> None:
        """Handle received bytes, and start or end the time limit of a request."""
        super().data_received(data)
        upgraded = self.transport.get_protocol() is not self
        if upgraded or (self.cycle and not self.cycle.response_complete):
            self._limits.satisfy(self.transport)
        else:
            self._limits.expect(self.transport)

    def send_400_response(self, msg: str) -> None:
        """Answer a malformed request with status 400, and log it."""
        self._limits.refusals.note(400, self.client[0] if self.client else "", msg)
        super().send_400_response(msg)

    def connection_lost(self, exc: Exception | None) -> None:
        """Handle the end of the connection, and end its time limit."""
        self._limits.satisfy(self.transport)
        super().connection_lost(exc)


def serve(app: FastAPI, listening: list[socket.socket]) -> bool:
    """Serve until SIGINT or SIGTERM; return False if the server could not start."""
    protocol = partial(LimitedProtocol, Connections(_MOST_CONNECTIONS, _MOST_EACH))
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

"""A server's socket, its limits of connections, and its life until it is stopped."""

import asyncio
import errno
import socket
from contextlib import suppress
from functools import partial
from http import HTTPStatus
from typing import Any, NamedTuple

from dawn_agents.serving.request_limits import RefusalLog, is_loopback
from dawn_env.errors import DawnError
from dawn_env.support.optional_packages import optional_imports

with optional_imports():
    import uvicorn
    from starlette.types import ASGIApp
    from uvicorn.protocols.http.h11_impl import H11Protocol

REQUEST_SECONDS = 10
"""Time for the headers of a request."""

_BURST = 32  # connections accepted before the first of them is counted
_FAREWELL = 3  # seconds for requests under way when the server ends
_NOTHING_LEFT = errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM


class Limits(NamedTuple):
    """Limits of a server: connections in all, within what systems let a program open, and from one address; bytes of a
    WebSocket message, 0 for a server without WebSocket."""

    connections: int
    from_one_address: int
    message: int


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens; raises ``DawnError``, which names the address."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=_BURST)
    except OSError as error:
        reason = str(error.strerror).partition(" (")[0]  # without the address, which follows in brackets
        remedy = "; --port 0 takes any free port" if error.errno == errno.EADDRINUSE else ""
        raise DawnError(f"cannot listen at {host}, port {port}: {reason}{remedy}") from None


class LimitedProtocol(H11Protocol):
    """HTTP on a connection, of which there is a limited number, live ones that begin with HTTP among them.

    Where there are too many in all, the one that waits for a request longest is closed.
    """

    def __init__(self, refusals: RefusalLog, limits: Limits, **settings):
        super().__init__(**settings)
        self._refusals, self._limits = refusals, limits
        self._timer: asyncio.TimerHandle | None = None  # while a request is waited for

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Accept a connection, or close it if there are too many: in all, or from its address unless that is local."""
        super().connection_made(transport)
        others = [one for one in self.connections if one is not self and not one.transport.is_closing()]
        there = [one for one in others if _address(one) == _address(self) and not is_loopback(_address(one))]
        waiting = [one for one in others if isinstance(one, LimitedProtocol) and one._timer]
        too_many = len(others) >= self._limits.connections
        if len(there) >= self._limits.from_one_address or (too_many and not waiting):
            self._refusals.log(429, _address(self), "too many connections")
            transport.abort()
            return
        if too_many:
            min(waiting, key=lambda one: one._timer.when()).transport.abort()
        self._expect(True)

    def data_received(self, data: bytes) -> None:
        """Handle received bytes, and start or end the time limit of a request."""
        super().data_received(data)
        upgraded = self.transport.get_protocol() is not self
        self._expect(not upgraded and (self.cycle is None or self.cycle.response_complete))

    def _expect(self, is_waiting: bool) -> None:
        """Close the connection unless a request comes in time; with False it has come, or the connection is closed."""
        if not is_waiting and self._timer:
            self._timer.cancel()
            self._timer = None
        elif is_waiting and not self._timer and not self.transport.is_closing():
            self._timer = asyncio.get_running_loop().call_later(REQUEST_SECONDS, self.transport.abort)

    def send_400_response(self, msg: str) -> None:
        """Answer a malformed request with status 400, and log it."""
        self._refusals.log(400, _address(self), msg)
        super().send_400_response(msg)

    def connection_lost(self, exc: Exception | None) -> None:
        """Handle the end of the connection, and end its time limit."""
        self._expect(False)
        super().connection_lost(exc)


def _address(protocol) -> str:
    return protocol.client[0] if protocol.client else ""


class Server(uvicorn.Server):
    """Server of an application within ``limits``; where no file can be opened for a connection, it waits a second."""

    def __init__(self, app: ASGIApp, limits: Limits, refusals: RefusalLog):
        self._refusals = refusals
        super().__init__(
            uvicorn.Config(
                app,
                http=partial(LimitedProtocol, refusals, limits),
                log_config=None,  # the program's own
                log_level="error",  # refusals are logged by ``LimitedProtocol``
                ws="websockets-sansio" if limits.message else "none",
                ws_max_size=limits.message,
                timeout_graceful_shutdown=_FAREWELL,
                backlog=_BURST,
            )  # fmt: skip
        )

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen."""
        asyncio.get_running_loop().set_exception_handler(self._on_error)
        await super().startup(sockets)

    def _on_error(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Log an error of the loop, which tries to accept connections every second while no file can be opened."""
        error = context.get("exception")
        if isinstance(error, OSError) and error.errno in _NOTHING_LEFT:
            self._refusals.log(HTTPStatus.SERVICE_UNAVAILABLE, "all", f"{error.strerror}; ulimit -n says how many")
        else:
            loop.default_exception_handler(context)


def serve(server: Server, listening: list[socket.socket]) -> bool:
    """Serve until SIGINT or SIGTERM; return False if the server could not start."""
    with suppress(KeyboardInterrupt):  # the server ends in order, then raises the signal again
        server.run(sockets=listening)
    return server.started

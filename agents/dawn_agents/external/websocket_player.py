"""Programs that listen elsewhere as players, over WebSocket: a connection for each that would be a process here.

We connect to them, not they to us: then nothing of ours listens to the network, every process of a tournament opens
the connections it needs, each game can have a fresh one, and any bot for pipes becomes such a program by ``dawn
serve-bot``. A message is a line of the protocol.
"""

import asyncio
import threading
import weakref
from collections.abc import Coroutine
from contextlib import suppress
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

from dawn_agents.external.bot_connection import LONGEST_LINE, Connection, LineTooLong
from dawn_agents.external.protocol_player import MoveLimits, ProtocolPlayer
from dawn_agents.external.secret_keys import read_token
from dawn_env.support.optional_packages import optional_imports
from dawn_env.support.safe_text import short_repr

with optional_imports():
    from websockets.asyncio.client import ClientConnection, connect, process_exception
    from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus
    from websockets.frames import CloseCode
    from websockets.protocol import State

_CLOSE_SECONDS = 1.0  # for the other end to agree that a connection is over
_LATE_SECONDS = 0.01  # for a message that had come when the time was over, but was not handed over yet
_GLANCE_SECONDS = 0.001
_AGAIN_SECONDS = 0.1  # until a program that is busy, or does not listen, is asked again
_NO_TOKEN = "it wants a token (HTTP 401): --token FILE for dawn check-bot, token=FILE in the name of a player"
_REFUSALS = {
    HTTPStatus.UNAUTHORIZED: "it does not accept the token",
    HTTPStatus.SERVICE_UNAVAILABLE: "it plays as many games as it can, and had no place within {seconds:g} s",
}


class WebSocketPlayer(ProtocolPlayer):
    """A program that listens at a ``ws://`` or ``wss://`` address and speaks the protocol there."""

    @dataclass(frozen=True)
    class Options(MoveLimits):
        """Options: ``token``, a file with the shared secret; the rest as for all programs."""

        url: str
        token: str = ""

        def __post_init__(self):
            super().__post_init__()
            if self.token:
                read_token(self.token)
            if problem := _address_problem(self.url):
                raise ValueError(
                    f"url: an address such as ws://host:1990 expected, not {short_repr(self.url)}: {problem}"
                )

    def _connect(self) -> Connection:
        token = read_token(self._options.token) if self._options.token else ""
        return WebSocket(self._options.url, token, self._options.start)


def _address_problem(url: str) -> str:
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        return str(error)
    if parts.scheme not in ("ws", "wss"):
        return "it begins with ws:// or wss://"
    if parts.username is not None:
        return "a secret belongs into the file of token"
    return "" if parts.hostname and port != 0 else "it names no host"


class _Connect(connect):
    """Connection without redirects: the token is for one address."""

    def process_redirect(self, exc: Exception) -> Exception:
        return exc


class WebSocket(Connection):
    """A conversation in messages. What goes over the network does so in a thread of its own, so nothing blocks."""

    def __init__(self, url: str, token: str, seconds: float):
        """Connect within so many seconds; ``token`` is sent unless it is empty. Raises ``OSError``."""
        self._loop = asyncio.new_event_loop()
        thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        thread.start()
        self._finalizer = weakref.finalize(self, _end_loop, self._loop, thread)
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        opening = _Connect(
            url, additional_headers=headers, max_size=LONGEST_LINE, open_timeout=None, close_timeout=_CLOSE_SECONDS,
            compression=None, proxy=None,
        )  # fmt: skip
        try:
            self._socket: ClientConnection = self._call(_opened(opening, seconds))
        except (OSError, InvalidHandshake) as error:
            self._finalizer()
            raise OSError(_why_not(error, seconds, token)) from None
        self._sending = asyncio.Lock()
        self._finalizer.detach()
        self._finalizer = weakref.finalize(self, _end, self._loop, thread, self._socket)

    def _call(self, work: Coroutine) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    @property
    def running(self) -> bool:
        return self._socket.state is State.OPEN

    @property
    def unread(self) -> str:
        """The next message, if there is one."""
        with suppress(TimeoutError, ConnectionClosed):
            return str(self._call(asyncio.wait_for(self._socket.recv(), _GLANCE_SECONDS)))
        return ""

    def send(self, line: str) -> None:
        """Send a message; it waits in line for those before it."""
        asyncio.run_coroutine_threadsafe(self._send(line), self._loop)

    async def _send(self, line: str) -> None:
        with suppress(ConnectionClosed):  # what is received tells the rest
            async with self._sending:
                await self._socket.send(line)

    def receive(self, seconds: float) -> str:
        if seconds <= 0:
            raise TimeoutError
        try:
            message = self._call(self._received(seconds))
        except ConnectionClosed as closed:
            if closed.sent is not None and closed.sent.code == CloseCode.MESSAGE_TOO_BIG:
                raise LineTooLong from None
            raise EOFError from None
        return message if isinstance(message, str) else message.decode(errors="replace")

    async def _received(self, seconds: float) -> str | bytes:
        for wait in (seconds, _LATE_SECONDS):
            with suppress(TimeoutError):
                return await asyncio.wait_for(self._socket.recv(), wait)
        raise TimeoutError

    def ending(self) -> str:
        """The code and the reason with which it was closed."""
        code, reason = self._socket.close_code, self._socket.close_reason
        return f"closed the connection ({code}{f', {short_repr(reason)}' if reason else ''})"

    def end_input(self) -> None:
        """Nothing: a WebSocket is closed in both directions at once."""

    def stop(self, seconds: float = 0) -> int | None:
        """Let the other end close the connection within ``seconds``, else close it; 0 if the other end did."""
        closed = seconds > 0 and self._call(self._left_to_close(seconds))
        self._finalizer()
        return 0 if closed else None

    async def _left_to_close(self, seconds: float) -> bool:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds), self._sending:
                await self._socket.wait_closed()
                return True
        return False


async def _opened(opening: _Connect, seconds: float) -> ClientConnection:
    """Connect within so many seconds, trying again while the program is busy, or not there as during a restart."""
    why: Exception = TimeoutError()
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            while True:
                try:
                    return await opening
                except (OSError, InvalidHandshake) as problem:
                    if process_exception(problem) is not None:  # it would be the same again
                        raise
                    why = problem
                await asyncio.sleep(_AGAIN_SECONDS)
    raise why


def _why_not(error: Exception, seconds: float, token: str) -> str:
    if isinstance(error, InvalidStatus):
        status = error.response.status_code
        if status == HTTPStatus.UNAUTHORIZED and not token:
            return _NO_TOKEN
        words = _REFUSALS.get(status, "it refuses the connection").format(seconds=seconds)
        return f"{words} (HTTP {status})"
    if isinstance(error, TimeoutError):
        return f"no answer within {seconds:g} s"
    if "Connect call failed" in str(error):  # so says asyncio of any address that cannot be reached
        return f"nothing listens at this address, or it cannot be reached (tried for {seconds:g} s)"
    return getattr(error, "strerror", "") or str(error) or type(error).__name__


def _end(loop: asyncio.AbstractEventLoop, thread: threading.Thread, socket: ClientConnection) -> None:
    """Close a connection, whatever its other end does."""
    with suppress(TimeoutError, OSError, RuntimeError):
        asyncio.run_coroutine_threadsafe(socket.close(), loop).result(2 * _CLOSE_SECONDS)
    loop.call_soon_threadsafe(socket.transport.abort)
    _end_loop(loop, thread)


def _end_loop(loop: asyncio.AbstractEventLoop, thread: threading.Thread) -> None:
    async def cancel_all() -> None:
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    with suppress(TimeoutError):
        asyncio.run_coroutine_threadsafe(cancel_all(), loop).result(_CLOSE_SECONDS)
    loop.call_soon_threadsafe(loop.stop)
    thread.join(_CLOSE_SECONDS)
    if not thread.is_alive():
        loop.close()

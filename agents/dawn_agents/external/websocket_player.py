"""Programs that listen elsewhere as players, over WebSocket: a connection for each that would be a process here.

We connect to them, not they to us: then nothing of ours listens to the network, every process of a tournament opens
the connections it needs, each game can have a fresh one, and any bot for pipes becomes such a program by ``dawn
serve-bot``. A message is a line of the protocol.
"""

import socket
import threading
import time
import weakref
from contextlib import suppress
from dataclasses import dataclass
from queue import SimpleQueue

from dawn_agents.external.protocol_player import LONGEST_LINE, Connection, LineTooLong, MoveLimits, ProtocolPlayer
from dawn_agents.external.secret_keys import read_token
from dawn_env.support.optional_packages import optional_imports
from dawn_env.support.safe_text import short_repr

with optional_imports():
    from websockets.exceptions import ConnectionClosed, InvalidStatus, InvalidURI, WebSocketException
    from websockets.frames import CloseCode
    from websockets.protocol import State
    from websockets.sync.client import ClientConnection, connect, process_exception
    from websockets.uri import parse_uri

_CLOSE_SECONDS = 1.0  # for the other end to agree that a connection is over
_LATE_SECONDS = 0.01  # for a message that had come when the time was over, but was not handed over yet
_AGAIN_SECONDS = 0.1  # until a program that is busy, or does not listen, is asked again


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
            try:
                secret = parse_uri(self.url).username
            except (ValueError, InvalidURI):
                wrong = short_repr(self.url)
                raise ValueError(f"url: an address such as ws://host:1990 expected, not {wrong}") from None
            if secret is not None:
                raise ValueError("url: a secret belongs into the file of token")

    def _connect(self) -> Connection:
        token = read_token(self._options.token) if self._options.token else ""
        return WebSocket(self._options.url, token, self._options.start)


class WebSocket(Connection):
    """A conversation in messages. They are sent by a thread of its own, so that sending never blocks."""

    def __init__(self, url: str, token: str, seconds: float):
        """Connect within so many seconds; ``token`` is sent unless it is empty. Raises ``OSError``."""
        try:
            self._socket = _opened(url, token, seconds)
        except (OSError, ValueError, WebSocketException) as error:
            raise OSError(_why_not(error, seconds)) from None
        self._unsent: SimpleQueue[str | None] = SimpleQueue()
        sender = threading.Thread(target=_send_all, args=(self._socket, self._unsent), daemon=True)
        sender.start()
        self._finalizer = weakref.finalize(self, _end, self._socket, self._unsent, sender)

    @property
    def running(self) -> bool:
        return self._socket.state is State.OPEN

    @property
    def unread(self) -> str:
        """The next message, if there is one."""
        with suppress(TimeoutError, ConnectionClosed):
            return str(self._socket.recv(0))
        return ""

    def send(self, line: str) -> None:
        """Send a message; it waits in line for those before it."""
        self._unsent.put(line)

    def receive(self, seconds: float) -> str:
        if seconds <= 0:
            raise TimeoutError
        try:
            message = self._received(seconds)
        except ConnectionClosed as closed:
            if closed.sent is not None and closed.sent.code == CloseCode.MESSAGE_TOO_BIG:
                raise LineTooLong from None
            raise EOFError from None
        return message if isinstance(message, str) else message.decode(errors="replace")

    def _received(self, seconds: float) -> str | bytes:
        with suppress(TimeoutError):
            return self._socket.recv(seconds)
        return self._socket.recv(_LATE_SECONDS)

    def ending(self) -> str:
        """The code and the reason with which it was closed."""
        code, reason = self._socket.close_code, self._socket.close_reason
        return f"closed the connection ({code}{f', {short_repr(reason)}' if reason else ''})"

    def end_input(self) -> None:
        """Nothing: a WebSocket is closed in both directions at once."""

    def stop(self, seconds: float = 0) -> int | None:
        """Let the other end close the connection within ``seconds``, else close it; 0 if the other end did."""
        closed = seconds > 0 and self._socket.wait_closed(seconds)
        self._finalizer()
        return 0 if closed else None


def _opened(url: str, token: str, seconds: float) -> ClientConnection:
    """Connect within so many seconds, trying again while the program is busy, or not there as during a restart.

    A redirect to another address is not sent the token (``websockets`` sees to that).
    """
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    deadline = time.monotonic() + seconds
    while True:
        try:
            return connect(
                url, additional_headers=headers, max_size=LONGEST_LINE, compression=None,
                open_timeout=deadline - time.monotonic(), close_timeout=_CLOSE_SECONDS, proxy=None, legacy=True,
            )  # fmt: skip
        except (OSError, ValueError, WebSocketException) as error:
            would_be_the_same = process_exception(error) is not None
            if would_be_the_same or time.monotonic() > deadline - _AGAIN_SECONDS:
                raise
        time.sleep(_AGAIN_SECONDS)


def _why_not(error: Exception, seconds: float) -> str:
    if isinstance(error, InvalidStatus):
        said = (error.response.body or b"").decode(errors="replace").strip()
        return f"it refuses the connection (HTTP {error.response.status_code}): {short_repr(said)}"
    if isinstance(error, TimeoutError):
        return f"no answer within {seconds:g} s"
    return getattr(error, "strerror", "") or str(error) or type(error).__name__


def _send_all(connection: ClientConnection, lines: SimpleQueue) -> None:
    """Send lines as they come, up to None."""
    with suppress(ConnectionClosed):  # what is received tells the rest
        while (line := lines.get()) is not None:
            connection.send(line)


def _end(connection: ClientConnection, lines: SimpleQueue, sender: threading.Thread) -> None:
    """Close a connection, whatever its other end does."""
    lines.put(None)
    sender.join(_CLOSE_SECONDS)
    if sender.is_alive():  # the other end does not read
        with suppress(OSError):
            connection.socket.shutdown(socket.SHUT_RDWR)
    connection.close()

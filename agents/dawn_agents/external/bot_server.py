"""Makes a program that listens out of any bot for pipes: started once for each connection, its lines are messages."""

import hmac
import logging
import socket
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from http import HTTPStatus

from dawn_agents.external.line_program import LineProgram, LineTooLong
from dawn_agents.external.process_player import QUIT_SECONDS
from dawn_env.support.optional_packages import optional_imports

with optional_imports():
    from websockets.exceptions import ConnectionClosed
    from websockets.frames import CloseCode
    from websockets.http11 import Request, Response
    from websockets.sync.server import Server, ServerConnection, serve

log = logging.getLogger("dawn.bot")

_CLOSE_SECONDS = 1.0


class BotServer:
    """Server that plays at most ``games`` at a time for clients with the ``token``; an empty one admits all."""

    def __init__(self, command: Sequence[str], token: str, games: int, isolate: bool = False):
        self._isolate = isolate
        self._command, self._expected, self._games = list(command), f"Bearer {token}" if token else "", games
        self._playing: set[ServerConnection] = set()

    def listening(self, host: str, port: int) -> Server:
        """A server at an address, port 0 for any, that refuses pages in browsers (an ``Origin``); raises ``OSError``.

        It is a context manager whose end ends all games.
        """
        return serve(
            self._play, host, port, family=socket.AF_INET6 if ":" in host else socket.AF_INET, origins=[None],
            process_request=self._admit, close_timeout=_CLOSE_SECONDS, compression=None,
        )  # fmt: skip

    def _admit(self, connection: ServerConnection, request: Request) -> Response | None:
        """A refusal, or none."""
        given = request.headers.get_all("Authorization")
        if self._expected and not (len(given) == 1 and hmac.compare_digest(given[0].encode(), self._expected.encode())):
            host, *_ = connection.remote_address
            log.warning("%s: refused, %s token", host, "wrong" if given else "no")
            return connection.respond(HTTPStatus.UNAUTHORIZED, "the right token is missing: --token FILE, token=FILE\n")
        if len(self._playing) >= self._games:
            return connection.respond(HTTPStatus.SERVICE_UNAVAILABLE, f"{self._games} games are being played\n")
        return None

    def _play(self, connection: ServerConnection) -> None:
        """Carry lines both ways until one end is done, then end the other."""
        self._playing.add(connection)
        try:
            program = LineProgram(self._command, self._isolate, sys.__stderr__.fileno())
            threading.Thread(target=_carry_out, args=(program, connection), daemon=True).start()
            with suppress(ConnectionClosed):
                for message in connection:
                    line = message if isinstance(message, str) else message.decode(errors="replace")
                    program.send(line.replace("\n", " "))
            program.end_input()
            program.stop(QUIT_SECONDS)
        finally:
            self._playing.discard(connection)


def _carry_out(program: LineProgram, connection: ServerConnection) -> None:
    """Forward lines of the program to the client."""
    with suppress(ConnectionClosed, ValueError):  # the latter: when the output was closed meanwhile
        try:
            while True:
                connection.send(program.receive())
        except EOFError:
            connection.close(CloseCode.NORMAL_CLOSURE, "the bot has exited")
        except LineTooLong:
            connection.close(CloseCode.MESSAGE_TOO_BIG, "the bot wrote a line longer than 1 MiB")

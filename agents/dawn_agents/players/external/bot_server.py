"""Makes a program that listens out of any bot for pipes: started once for each connection, its lines are messages."""

import asyncio
import hmac
import logging
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from http import HTTPStatus

from dawn_agents.players.external.line_program import LONGEST_LINE, LineProgram, LineTooLong
from dawn_agents.players.external.process_player import QUIT_SECONDS, VARIABLES
from dawn_agents.serving.request_limits import RefusalLog
from dawn_agents.serving.server_socket import Limits, Server
from dawn_env.support.optional_packages import optional_imports
from dawn_env.support.safe_text import escape_text

with optional_imports():
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import PlainTextResponse
    from starlette.routing import Route, WebSocketRoute
    from starlette.websockets import WebSocket, WebSocketDisconnect
    from websockets.frames import CloseCode

_WAITING = 64  # connections besides those of games: clients that ask for one, or have not said yet what they want
_ANYWHERE = "/{path:path}"
_LOGGER = "dawn.bot"

log = logging.getLogger(_LOGGER)


class BotServer(Server):
    """Server that plays at most ``games`` at a time for clients with the ``token``; an empty one admits all.

    It refuses pages in browsers, which send an ``Origin``. Its end ends all games.
    """

    def __init__(self, command: Sequence[str], token: str, games: int, isolate: bool = False):
        self._isolate, self._refusals = isolate, RefusalLog(_LOGGER)
        self._command, self._expected, self._games = list(command), f"Bearer {token}" if token else "", games
        self._playing = 0
        app = Starlette(routes=[WebSocketRoute(_ANYWHERE, self._serve_client), Route(_ANYWHERE, _say_what_listens)])
        super().__init__(app, Limits(games + _WAITING, games + _WAITING // 2, LONGEST_LINE), self._refusals)

    async def _serve_client(self, socket: WebSocket) -> None:
        """Play a game, or refuse to."""
        if refusal := self._refusal(socket):
            status, text = refusal
            await socket.send_denial_response(PlainTextResponse(f"{text}\n", status))
            return
        self._playing += 1
        try:
            await socket.accept()
            await self._play(socket)
        finally:
            self._playing -= 1

    def _refusal(self, socket: WebSocket) -> tuple[HTTPStatus, str] | None:
        """Status and text of a refusal, or none."""
        address, given = socket.client.host if socket.client else "", socket.headers.getlist("authorization")
        if "origin" in socket.headers:
            self._refusals.log(HTTPStatus.FORBIDDEN, address, "a page in a browser")
            return HTTPStatus.FORBIDDEN, "pages in browsers cannot connect"
        if self._expected and not (len(given) == 1 and hmac.compare_digest(given[0].encode(), self._expected.encode())):
            self._refusals.log(HTTPStatus.UNAUTHORIZED, address, f"{'wrong' if given else 'no'} token")
            return HTTPStatus.UNAUTHORIZED, "the right token is missing: --token FILE, token=FILE"
        if self._playing >= self._games:
            return HTTPStatus.SERVICE_UNAVAILABLE, f"{self._games} games are being played"
        return None

    async def _play(self, socket: WebSocket) -> None:
        """Carry lines both ways until one end is done, then end the other."""
        try:
            program = await asyncio.to_thread(
                LineProgram, self._command, self._isolate, sys.__stderr__.fileno(), VARIABLES if self._isolate else None
            )
        except OSError as error:
            log.warning("the bot cannot be started: %s", escape_text(error))
            await socket.close(CloseCode.INTERNAL_ERROR, "the bot cannot be started")
            return
        carrier = threading.Thread(
            target=_carry_out, args=(program, socket, asyncio.get_running_loop()), daemon=True
        )  # waits for the program, so that none of the threads for short work does
        carrier.start()
        try:
            while (message := await socket.receive())["type"] == "websocket.receive":
                text = message.get("text")
                line = message["bytes"].decode(errors="replace") if text is None else text
                program.send(line.replace("\n", " "))
        finally:
            program.end_input()
            await asyncio.to_thread(program.stop, QUIT_SECONDS)


def _say_what_listens(_: Request) -> PlainTextResponse:
    """Answer a request that is none for a WebSocket."""
    return PlainTextResponse("a bot listens here: websocket:ws://HOST:PORT\n", HTTPStatus.UPGRADE_REQUIRED)


def _carry_out(program: LineProgram, socket: WebSocket, loop: asyncio.AbstractEventLoop) -> None:
    """Forward lines of the program to the client."""

    def wait_for(sending) -> None:
        asyncio.run_coroutine_threadsafe(sending, loop).result()

    with suppress(WebSocketDisconnect, ValueError, RuntimeError):  # the client has gone, or the output was closed
        try:
            while True:
                wait_for(socket.send_text(program.receive()))
        except EOFError:
            wait_for(socket.close(CloseCode.NORMAL_CLOSURE, "the bot has exited"))
        except LineTooLong:
            wait_for(socket.close(CloseCode.MESSAGE_TOO_BIG, "the bot wrote a line longer than 1 MiB"))

"""Makes a program that listens out of any bot for pipes: started once for each connection, its lines are messages."""

import asyncio
import hmac
import logging
import socket
import subprocess
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from http import HTTPStatus

from dawn_agents.external.process_player import supervisor_command
from dawn_agents.external.protocol_player import LONGEST_LINE, QUIT_SECONDS
from dawn_env.support.optional_packages import optional_imports

with optional_imports():
    from websockets.asyncio.server import ServerConnection, serve
    from websockets.exceptions import ConnectionClosed
    from websockets.frames import CloseCode
    from websockets.http11 import Request, Response

log = logging.getLogger("dawn.bot")

_CLOSE_SECONDS = 1.0


class BotServer:
    """Server that plays at most ``games`` at a time for clients with the ``token``; an empty one admits all."""

    def __init__(self, command: Sequence[str], token: str, games: int, isolate: bool = False):
        self._isolate = isolate
        self._command, self._expected, self._games = list(command), f"Bearer {token}" if token else "", games
        self._playing = 0

    def listening(self, host: str, port: int) -> serve:
        """A context in which it listens at an address, port 0 for any, but not for pages in browsers (an ``Origin``).

        To enter it raises ``OSError``.
        """
        return serve(
            self._play, host, port, process_request=self._admit, origins=[None], max_size=LONGEST_LINE,
            close_timeout=_CLOSE_SECONDS, compression=None,
        )  # fmt: skip

    def _admit(self, connection: ServerConnection, request: Request) -> Response | None:
        """A refusal, or none."""
        given = request.headers.get_all("Authorization")
        if self._expected and not (len(given) == 1 and hmac.compare_digest(given[0].encode(), self._expected.encode())):
            host, *_ = connection.remote_address or ("?",)
            log.warning("%s: refused, %s token", host, "wrong" if given else "no")
            return connection.respond(HTTPStatus.UNAUTHORIZED, "the right token is missing: --token FILE, token=FILE\n")
        if self._playing >= self._games:
            return connection.respond(HTTPStatus.SERVICE_UNAVAILABLE, f"{self._games} games are being played\n")
        return None

    async def _play(self, connection: ServerConnection) -> None:
        """Carry lines both ways until one end is done, then end the other."""
        self._playing += 1
        try:
            async with _started(self._command, self._isolate) as program:
                carried_in = asyncio.create_task(_carry_in(connection, program))
                carried_out = asyncio.create_task(_carry_out(program, connection))
                await asyncio.wait((carried_in, carried_out), return_when=asyncio.FIRST_COMPLETED)
                program.stdin.close()
                with suppress(TimeoutError):
                    await asyncio.wait_for(asyncio.shield(carried_out), QUIT_SECONDS)
                for task in (carried_in, carried_out):
                    task.cancel()
                await asyncio.gather(carried_in, carried_out, return_exceptions=True)
            await connection.close()
        finally:
            self._playing -= 1


@asynccontextmanager
async def _started(command: Sequence[str], isolate: bool) -> AsyncIterator[asyncio.subprocess.Process]:
    """The bot under its supervisor, which ends it and all it has started when this is left."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        program = await asyncio.create_subprocess_exec(
            *supervisor_command(theirs.fileno(), command, isolate), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            pass_fds=(theirs.fileno(),), start_new_session=True, limit=LONGEST_LINE,
        )  # fmt: skip
        theirs.close()
        try:
            yield program
        finally:
            ours.close()
            await program.wait()


async def _carry_in(connection: ServerConnection, program: asyncio.subprocess.Process) -> None:
    """Forward messages of the client to the program."""
    with suppress(ConnectionClosed, BrokenPipeError, ConnectionResetError):
        async for message in connection:
            line = message.encode() if isinstance(message, str) else message
            program.stdin.write(line.replace(b"\n", b" ") + b"\n")
            await program.stdin.drain()


async def _carry_out(program: asyncio.subprocess.Process, connection: ServerConnection) -> None:
    """Forward lines of the program to the client."""
    with suppress(ConnectionClosed):
        try:
            while line := await program.stdout.readline():
                await connection.send(line.decode(errors="replace").rstrip("\n"))
        except ValueError:
            await connection.close(CloseCode.MESSAGE_TOO_BIG, "the bot wrote a line longer than 1 MiB")
            return
        await connection.close(CloseCode.NORMAL_CLOSURE, "the bot has exited")

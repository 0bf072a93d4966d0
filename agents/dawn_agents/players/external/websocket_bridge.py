"""Carries lines between its standard streams and a program that listens at a WebSocket address, a message a line.

Arguments: the address and, if the program wants a token, the file that holds it. While the program is busy, or does not
listen, it is asked again. What is wrong is said on standard error.

It is a script that imports nothing of this package, so that it starts fast.
"""

import os
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

from websockets.exceptions import ConnectionClosed, ConnectionClosedOK, InvalidStatus, WebSocketException
from websockets.sync.client import ClientConnection, connect, process_exception

_CLOSE_SECONDS = 1.0  # for the other end to agree that a connection is over
_AGAIN_SECONDS = 0.1  # until a program that is busy, or does not listen, is asked again


def main() -> None:
    """Carry lines until one end is closed; the exit status is 0 if the other end did so without an error."""
    connection = _opened(*sys.argv[1:])
    threading.Thread(target=_carry_out, args=(connection,), daemon=True).start()
    try:
        while True:
            message = connection.recv()
            line = message if isinstance(message, bytes) else message.encode()
            sys.stdout.buffer.write(line + b"\n")
            sys.stdout.flush()
    except ConnectionClosed as closed:
        print(f"the connection was closed: {closed}", file=sys.stderr, flush=True)
        os._exit(not isinstance(closed, ConnectionClosedOK))  # a thread may be reading


def _opened(url: str, token: str = "") -> ClientConnection:
    """Connect, as soon as that is possible.

    A redirect to another address is not sent the token (``websockets`` sees to that).
    """
    headers = {"Authorization": f"Bearer {Path(token).read_text().strip()}"} if token else {}
    said = ""
    while True:
        try:
            return connect(
                url, additional_headers=headers, compression=None, close_timeout=_CLOSE_SECONDS, proxy=None, legacy=True
            )
        except (OSError, ValueError, WebSocketException) as error:
            if process_exception(error) is not None:
                sys.exit(_reason(error))
            if _reason(error) != said:
                said = _reason(error)
                print(said, file=sys.stderr, flush=True)
        time.sleep(_AGAIN_SECONDS)


def _reason(error: Exception) -> str:
    if isinstance(error, InvalidStatus):
        said = (error.response.body or b"").decode(errors="replace").strip()
        return f"it refuses the connection (HTTP {error.response.status_code}): {said}"
    return f"cannot connect: {error}"


def _carry_out(connection: ClientConnection) -> None:
    """Send lines up to the end of input, then close the connection."""
    with suppress(ConnectionClosed):
        for line in sys.stdin.buffer:
            connection.send(line.decode().rstrip("\n"))
    connection.close()


if __name__ == "__main__":
    main()

"""Programs that listen elsewhere as players, over WebSocket.

We connect to them, not they to us: then nothing of ours listens to the network, every process of a tournament opens
the connections it needs, each game can have a fresh one, and any bot for pipes becomes such a program by ``dawn
serve-bot``. A connection is a program here that carries the lines (``websocket_bridge.py``).
"""

import sys
from dataclasses import dataclass
from pathlib import Path

from dawn_agents.players.external.line_program import LineProgram
from dawn_agents.players.external.process_player import MoveLimits, ProcessPlayer
from dawn_agents.players.external.secret_keys import read_token
from dawn_env.support.optional_packages import optional_imports
from dawn_env.support.safe_text import short_repr

with optional_imports():
    from websockets.exceptions import InvalidURI
    from websockets.uri import parse_uri

_BRIDGE = Path(__file__).with_name("websocket_bridge.py")


def bridge_words(url: str, token: str) -> list[str]:
    """Command of a program that carries lines to and from ``url``; raises ``ValueError`` for a bad address or token.

    ``token``: the file that holds it, or empty.
    """
    try:
        secret = parse_uri(url).username
    except (ValueError, InvalidURI):
        raise ValueError(f"url: an address such as ws://host:1990 expected, not {short_repr(url)}") from None
    if secret is not None:
        raise ValueError("url: a secret belongs into the file of token")
    if token:
        read_token(token)
    return [sys.executable, "-P", str(_BRIDGE), url, *filter(None, [token])]


class WebSocketPlayer(ProcessPlayer):
    """A program that listens at a ``ws://`` or ``wss://`` address and speaks the protocol there."""

    @dataclass(frozen=True)
    class Options(MoveLimits):
        """Options: ``token``, a file with the shared secret; the rest as for all programs."""

        url: str
        token: str = ""

        def __post_init__(self):
            super().__post_init__()
            bridge_words(self.url, self.token)

    def _started(self) -> LineProgram:
        return LineProgram(bridge_words(self._options.url, self._options.token))

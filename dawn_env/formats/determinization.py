"""Notation of a position in the view of the side to act, one short text, for programs that look ahead.

The text holds one deal of what is hidden, which depends on what the side knows alone (``View``).
"""

import base64
import zlib

import numpy as np

from dawn_env.errors import MalformedPosition
from dawn_env.game import Game
from dawn_env.observation.player_view import View
from dawn_env.state import STATE
from dawn_env.support.safe_text import short_repr

STATE_LAYOUT = f"{zlib.crc32(repr(STATE.descr).encode()):08x}"  # names the fields


def world_text(view: View) -> str:
    """A deal of a view as text, some 500 characters."""
    state = view.deal(np.zeros(1, np.int64))
    return f"{STATE_LAYOUT}:{base64.b64encode(zlib.compress(state.tobytes())).decode()}"


def game_of_world(text: object) -> Game:
    """The game in a text of ``world_text``; raises ``MalformedPosition``."""
    layout, _, data = text.partition(":") if isinstance(text, str) else ("", "", "")
    if not data:
        raise MalformedPosition("a world: a text as in the key world of a position expected")
    if layout != STATE_LAYOUT:
        raise MalformedPosition(f"a world: its fields are {short_repr(layout)}, but {STATE_LAYOUT!r} is needed")
    try:
        packed = base64.b64decode(data, validate=True)
        record = zlib.decompressobj().decompress(packed, STATE.itemsize + 1)
    except (ValueError, zlib.error):
        raise MalformedPosition("a world: the text is damaged") from None
    return Game.from_bytes(record)

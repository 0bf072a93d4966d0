"""Compilation at the start of the server, before its event loop needs it."""

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress

from dawn_agents.web.game_session import HUMAN, Session, Setting
from dawn_env.events import PUBLIC
from dawn_env.options import GameOptions
from dawn_env.state import MODES
from dawn_env.support.compiling import COMPILED
from dawn_env.tables import SIDES

_DECISIONS = 40  # of a game in which every kind of message has been made


def compile_boards() -> None:
    """Play the beginning of a game of each kind, and make all messages about it; nothing where nothing is compiled."""
    for mode in MODES if COMPILED else ():
        session = Session(Setting(1, GameOptions(mode=mode), (HUMAN, HUMAN)))
        for _ in range(_DECISIONS):
            for viewer in (*range(SIDES), PUBLIC):
                session.tell(viewer, "wide")
            session.enter(session.actor, session.game.legal[0])


async def in_daemon_thread(work: Callable[[], None]) -> None:
    """Wait for ``work``, which is done in a thread that the program does not wait for when it ends."""
    loop, done = asyncio.get_running_loop(), asyncio.Event()

    def run() -> None:
        try:
            work()
        finally:
            with suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(done.set)

    threading.Thread(target=run, daemon=True).start()
    await done.wait()

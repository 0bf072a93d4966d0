"""Compilation at the start of the server: in a process beside it, then loaded in a thread, with progress."""

import asyncio
import sys
import threading
from contextlib import suppress

from dawn_agents.compiling_ahead import is_compiled, load

_COMPILES = """
from dawn_agents.compiling_ahead import compile_all
for share, name in compile_all():
    print(f"{share:.2f} {name}", flush=True)
"""
_LOADING = 0.9  # share of the work behind when all is compiled


class Preparation:
    """Progress of what the games need before they begin: ``share`` done, 0 to 1, and ``words`` for people."""

    def __init__(self):
        self.share, self.words = 0.0, "Loading the rules"

    def message(self) -> dict:
        """Message to pages that wait."""
        return {"type": "preparing", "share": round(self.share, 2), "words": self.words}

    async def run(self) -> None:
        """Compile what is not compiled yet, beside the event loop, and load it."""
        if not is_compiled():
            await self._compile()
        self.share, self.words = _LOADING, "Loading the rules"
        await _in_daemon_thread()

    async def _compile(self) -> None:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", _COMPILES, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE
        )
        try:
            assert process.stdout is not None
            async for line in process.stdout:
                share, _, name = line.decode().strip().partition(" ")
                self.share = _LOADING * float(share)
                self.words = f"Compiling {name}. This happens once per version and takes about a minute."
            await process.wait()
        finally:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()


async def _in_daemon_thread() -> None:
    """Load it in a thread that the program does not wait for when it ends."""
    loop, done = asyncio.get_running_loop(), asyncio.Event()

    def run() -> None:
        try:
            load()
        finally:
            with suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(done.set)

    threading.Thread(target=run, daemon=True).start()
    await done.wait()

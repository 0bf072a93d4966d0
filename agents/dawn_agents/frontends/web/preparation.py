"""Compilation at the start of the server: in a process beside it, then loaded in a thread, with progress."""

import asyncio
import sys
from contextlib import suppress

from dawn_agents.frontends.web.compiling_ahead import is_compiled, load
from dawn_agents.frontends.web.live_rooms import Preparation

_COMPILES = """
from dawn_agents.frontends.web.compiling_ahead import compile_all
for share, name in compile_all():
    print(f"{share:.2f} {name}", flush=True)
"""
_LOADING = 0.9  # share of the work behind when all is compiled


async def prepare(progress: Preparation) -> None:
    """Compile what is not compiled yet, beside the event loop, and load it."""
    try:
        if not is_compiled():
            await _compile(progress)
        progress.share, progress.words = _LOADING, "Loading the rules"
        await asyncio.to_thread(load)
    finally:
        progress.done.set()


async def _compile(progress: Preparation) -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", _COMPILES, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE
    )
    try:
        assert process.stdout is not None
        async for line in process.stdout:
            share, _, name = line.decode().strip().partition(" ")
            progress.share = _LOADING * float(share)
            progress.words = f"Compiling {name}. This happens once per version and takes about a minute."
        await process.wait()
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()

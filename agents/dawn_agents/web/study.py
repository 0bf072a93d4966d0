"""Studying a replay over a live connection: one investigation at a time, in a thread beside the server."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from dawn_agents.web import wishes
from dawn_agents.web.analysis import analyse, losses
from dawn_agents.web.replay import Replay
from dawn_agents.web.wishes import BadRequest
from dawn_env.errors import DawnError
from dawn_env.state import Result
from dawn_env.support.plain_text import plain
from dawn_env.view import View


class Student:
    """Connection to a replay, with its latest analysis."""

    def __init__(self, kept: Replay, threads: ThreadPoolExecutor, send: Callable[[dict], None]):
        self._replay, self._threads, self._send = kept, threads, send
        self._number = 0  # of the latest investigation; others stop

    def stop(self) -> None:
        """End what is being looked into."""
        self._number += 1

    async def take(self, message: str) -> None:
        """``{"type": "analyse", "at": n}``, ``{"type": "losses"}`` or ``{"type": "stop"}``."""
        try:
            wanted = wishes.json_of(message)
            kind = wanted.get("type") if isinstance(wanted, dict) else None
            if kind not in ("analyse", "losses", "stop"):
                raise BadRequest("a type of analyse, losses, stop expected")
            self.stop()
            if kind == "analyse":
                at = wishes.place(wanted.get("at"), len(self._replay.decisions))
                if self._replay.states[at]["result"] == Result.RUNNING:
                    self._look_into({"type": "analysis", "at": at}, analyse, View(self._replay.states[at]))
            elif kind == "losses":
                self._look_into({"type": "losses"}, losses, self._replay)
        except DawnError as error:
            self._send({"type": "error", "text": plain(error)})

    def _look_into(self, head: dict, find, subject) -> None:
        number, loop = self._number, asyncio.get_running_loop()

        def run():
            try:
                for found in find(subject, lambda: number != self._number):
                    loop.call_soon_threadsafe(self._report, number, head | found)
            except Exception as error:  # a thread's errors would else be seen by nobody
                loop.call_soon_threadsafe(self._report, number, {"type": "error", "text": plain(error)})

        loop.run_in_executor(self._threads, run)

    def _report(self, number: int, found: dict) -> None:
        if number == self._number:
            self._send(found)

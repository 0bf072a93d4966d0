"""The replays that are open: found by their addresses, and kept as long as they are looked at."""

import asyncio
from collections import OrderedDict

from dawn_agents.web.replay import Replay
from dawn_agents.web.rooms import Rooms
from dawn_agents.web.session import HUMAN, Setting
from dawn_agents.web.wishes import BadRequest
from dawn_env.options import GameOptions

_KEPT = 8


class NoSuchReplay(BadRequest):
    """An address under which there is no replay."""


class Replays:
    """Replays by address: the replay token of a game, or ``TOKEN.NUMBER`` for a record of a shelf."""

    def __init__(self, rooms: Rooms):
        self._rooms, self._store = rooms, rooms.store
        self._replays: OrderedDict[str, tuple[Replay, dict]] = OrderedDict()

    async def of(self, address: str) -> tuple[Replay, dict]:
        """A replay, and how it stands: ``players``, ``running``, ``over`` (result and reason, or None).

        Raises ``NoSuchReplay``, and ``DawnError`` for a record that cannot be replayed.
        """
        token, _, number = address.partition(".")
        await self._rooms.compiled.wait()
        setting, decisions, facts = self._record(token, number) if number else await self._game(token)
        kept = self._replays.get(address)
        if kept is None or len(kept[0].decisions) != len(decisions):
            kept = await asyncio.to_thread(Replay, setting, decisions), facts
        self._replays[address] = kept[0], facts
        self._replays.move_to_end(address)
        if len(self._replays) > _KEPT:
            self._replays.popitem(last=False)
        return kept[0], facts

    async def _game(self, token: str) -> tuple[Setting, list[str], dict]:
        stored = self._store.by_replay(token)
        if stored is None:
            raise NoSuchReplay("there is no replay at this address")
        room = await self._rooms.of(stored)
        session = room.session
        if not session.over and HUMAN in stored.setting.players:
            raise NoSuchReplay("this game goes on: its replay opens when it is over")
        room.go_on()
        facts = {"players": session.players, "running": not session.over, "over": session.outcome}
        return stored.setting, session.decisions, facts

    def _record(self, token: str, number: str) -> tuple[Setting, list[str], dict]:
        record = self._store.record(token, int(number)) if number.isdecimal() and len(number) < 10 else None
        if record is None:
            raise NoSuchReplay("there is no replay at this address")
        players = record["players"]["D"], record["players"]["C"]
        over = {"result": record["result"], "reason": record["reason"]} if record["result"] != "running" else None
        options, position = GameOptions.of(record["options"]), record.get("position", "")
        setting = Setting(record["seed"], options, players, position=position)
        return setting, record["decisions"], {"players": list(players), "running": False, "over": over}

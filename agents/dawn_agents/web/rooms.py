"""Games that are being played: who is connected to them, and the players that think beside the server."""

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from dawn_agents.web.seated import Seated, seat_player
from dawn_agents.web.session import FORFEIT, HUMAN, Session
from dawn_agents.web.store import Store, StoredGame
from dawn_env.support.plain_text import plain
from dawn_env.view import View

log = logging.getLogger("dawn.web")

_THINKERS = 2
_KEPT = 64  # rooms in memory in which nobody is and nothing goes on
_PROGRESS = 0.5  # seconds between two words about the progress of who thinks
_PACE = 0.2  # seconds between two messages while players decide at once


class Listener:
    """Somebody at a seat, with the messages that wait for them; too many and they are cut off."""

    _MOST = 200

    def __init__(self, seat: int, layout: str, told: int):
        self.seat, self.layout, self.told = seat, layout, told
        self.queue: asyncio.Queue[dict | None] = asyncio.Queue(self._MOST)

    def send(self, message: dict) -> None:
        """Let a message wait for its turn."""
        if self.queue.full():
            while not self.queue.empty():
                self.queue.get_nowait()
            self.queue.put_nowait(None)
        else:
            self.queue.put_nowait(message)


class Room:
    """One game with its listeners. All methods belong to the server's thread."""

    def __init__(self, stored: StoredGame, store: Store, pool: ThreadPoolExecutor):
        """Raises ``DawnError`` when the journal is not of this version of the rules."""
        self.stored, self._store, self._pool = stored, store, pool
        self.session = Session(stored.setting, store.journal(stored.id))
        self.listeners: set[Listener] = set()
        self._players: dict[int, Seated] = {}  # by seat
        self._thinking: asyncio.Task | None = None
        self._shown = 0.0

    @property
    def busy(self) -> bool:
        """Whether somebody is here, or something goes on."""
        return bool(self.listeners) or self._thinking is not None

    # --- what people do ------------------------------------------------------------------------------

    def enter(self, seat: int, text: str) -> None:
        """Do and keep what is wanted at a seat, as ``Session.enter``, tell everybody, let the next player think."""
        self._enter(seat, text)
        self.tell_all()
        self.go_on()

    def _enter(self, seat: int, text: str) -> None:
        self.session.enter(seat, text)
        self._store.append(self.stored.id, len(self.session.journal) - 1, seat, text)
        for listener in self.listeners:  # what was taken back has to be told anew
            listener.told = min(listener.told, len(self.session.logs[listener.seat]))

    def join(self, listener: Listener) -> None:
        """Let somebody listen, who is told at once how things stand."""
        self.listeners.add(listener)
        self._tell(listener)
        self.go_on()

    def leave(self, listener: Listener) -> None:
        """Forget somebody."""
        self.listeners.discard(listener)

    def message(self, seat: int, layout: str, told: int) -> dict:
        """How things stand at a seat; under which address the game is watched, and replayed once it is over."""
        return self.session.tell(seat, layout, told) | {"watch": self.stored.replay}

    def tell_all(self) -> None:
        """Send everybody how things stand, but who may not know that something was asked."""
        self._shown = time.monotonic()
        for listener in self.listeners:
            if not self.session.waits_in_secret(listener.seat):
                self._tell(listener)

    def _tell(self, listener: Listener) -> None:
        message = self.message(listener.seat, listener.layout, listener.told)
        listener.told = message["told"] + len(message["log"])
        listener.send(message)

    # --- what players do -----------------------------------------------------------------------------

    def hurry(self) -> None:
        """Ask those who think to answer soon."""
        for player in self._players.values():
            player.hurry()

    def go_on(self) -> None:
        """Let the player whose turn it is think, if it is not a person."""
        if self._thinking is None and self._to_think() is not None:
            self._thinking = asyncio.get_running_loop().create_task(self._think())

    def _to_think(self) -> int | None:
        actor = self.session.actor
        return actor if actor >= 0 and self.stored.setting.players[actor] != HUMAN else None

    async def _think(self) -> None:
        try:
            while (seat := self._to_think()) is not None:
                await self._decide(seat)
                if self._to_think() is None or time.monotonic() - self._shown > _PACE:
                    self.tell_all()
        finally:
            self._thinking = None
            if self.session.over:
                await asyncio.get_running_loop().run_in_executor(self._pool, self._close_players)

    async def _decide(self, seat: int) -> None:
        """One decision of a player; it forfeits the game when it cannot answer."""
        given, decisions = View(self.session.game.state), tuple(self.session.decisions)
        try:
            thought = asyncio.get_running_loop().run_in_executor(self._pool, self._ask, seat, given, decisions)
            while not (await asyncio.wait([thought], timeout=_PROGRESS))[0]:
                self._tell_progress(seat)
            answer = thought.result()
            if self.session.over:
                return  # its opponent has resigned meanwhile
            self._enter(seat, given.texts[given.legal.tolist().index(int(answer))])
        except Exception as error:  # whatever a player does
            log.warning("game %d: %s: %s", self.stored.id, self.stored.setting.players[seat], plain(error))
            if not self.session.over:
                self._enter(seat, FORFEIT)

    def _tell_progress(self, seat: int) -> None:
        """Say how far a player has come, but to those who may not know that it was asked."""
        share = self._players[seat].progress if seat in self._players else None
        for listener in self.listeners:
            if share is not None and not self.session.waits_in_secret(listener.seat):
                listener.send({"type": "progress", "share": round(share, 3)})

    def _ask(self, seat: int, view: View, decisions: Sequence[str]) -> int:
        """In a thread of the pool; the player is made when it is first asked."""
        if seat not in self._players:
            setting = self.stored.setting
            player = seat_player(setting.players[seat], setting.seed, seat)
            self._players[seat] = Seated(player, setting.game(), seat)
        return self._players[seat].answer(view, decisions)

    def _close_players(self) -> None:
        outcome = {"result": self.session.game.result, "reason": self.session.game.reason, "vp": self.session.game.vp}
        for player in self._players.values():
            try:
                player.end(outcome | (self.session.ended or {}), self.session.decisions)
            except Exception as error:  # whatever a player does
                log.warning("game %d: %s", self.stored.id, plain(error))
        self._players.clear()

    def close(self) -> None:
        """End its players; nothing goes on here any more."""
        self._close_players()


class Rooms:
    """The rooms in memory; others are made from the file when they are asked for."""

    def __init__(self, store: Store):
        self.store = store
        self.pool = ThreadPoolExecutor(_THINKERS, thread_name_prefix="thinker")
        self._rooms: OrderedDict[int, Room] = OrderedDict()

    def of(self, stored: StoredGame) -> Room:
        """The room of a game; raises ``DawnError`` when it cannot be gone on with."""
        room = self._rooms.get(stored.id)
        if room is None:
            room = self._rooms[stored.id] = Room(stored, self.store, self.pool)
        self._rooms.move_to_end(stored.id)
        self._tidy()
        return room

    def _tidy(self) -> None:
        idle = [number for number, room in self._rooms.items() if not room.busy]
        for number in idle[: max(0, len(self._rooms) - _KEPT)]:
            self._rooms.pop(number).close()

    def close(self) -> None:
        """End all players and threads."""
        for room in self._rooms.values():
            room.hurry()
        self.pool.shutdown(wait=True, cancel_futures=True)
        for room in self._rooms.values():
            room.close()

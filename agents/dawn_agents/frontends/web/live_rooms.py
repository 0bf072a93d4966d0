"""Games that are being played: who is connected to them, and the players that think beside the server."""

import asyncio
import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import takewhile

import numpy as np

from dawn_agents.frontends.web.client_messages import BadRequest
from dawn_agents.frontends.web.game_database import GameDatabase, StoredGame
from dawn_agents.frontends.web.game_session import FORFEIT, HUMAN, Session
from dawn_agents.players.registry import make_player
from dawn_agents.serving.request_limits import RateLimit
from dawn_agents.sqlite_files import StoreError
from dawn_env.errors import DawnError, PlayerFailure
from dawn_env.events import PUBLIC
from dawn_env.host.seated_player import SeatedPlayer
from dawn_env.observation.player_view import View
from dawn_env.players import Player
from dawn_env.support.safe_text import escape_text

log = logging.getLogger("dawn.web")

_THINKERS = 2
_RESTING = 4  # players that can be made anew, kept between two of their decisions
_KEPT = 64  # rooms kept in memory in which nobody is and nothing goes on
_MOST_AT_SEAT, _MOST_WATCHERS = 8, 64  # live connections
_PROGRESS = 0.5  # seconds between two words about the progress of who thinks
_PACE = 0.2  # seconds between two messages while players decide at once


def seat_player(spec: str, secret: int, seat: int) -> Player:
    """Player at a seat of a game with this ``secret`` (``StoredGame``). Raises as ``make_player``."""
    player = make_player(spec, int(np.random.SeedSequence((secret, seat)).generate_state(1)[0]))
    player.threads = 1  # it is asked in one position at a time
    return player


class SeatedPlayers:
    """The players of all games. Safe for use by several threads; a seat is used by one at a time.

    Players hold megabytes of work space, so those that can be made anew are closed when others have answered since.
    """

    def __init__(self):
        self._lock = threading.Lock()
        self._resting: OrderedDict[tuple[int, int], SeatedPlayer] = OrderedDict()
        """By game and seat; the latest to have answered last."""

    @contextmanager
    def at(self, stored: StoredGame, seat: int) -> Iterator[SeatedPlayer]:
        """The player at a seat, made if it is not in memory; raises as ``seat_player``."""
        key, setting = (stored.id, seat), stored.setting
        with self._lock:
            player = self._resting.pop(key, None)
        if player is None:
            player = SeatedPlayer(seat_player(setting.players[seat], stored.secret, seat), setting.game(), seat)
        try:
            yield player
        finally:
            with self._lock:
                self._resting[key] = player
                replaceable = [key for key, seated in self._resting.items() if _can_be_made_anew(seated.player)]
                closed = [self._resting.pop(key) for key in replaceable[:-_RESTING]]
            for seated in closed:
                seated.player.close()

    def take(self, game: int | None = None) -> list[SeatedPlayer]:
        """The players in memory, of one game or of all, for the caller to end; they are forgotten here."""
        with self._lock:
            return [self._resting.pop(key) for key in list(self._resting) if game in (None, key[0])]

    def close(self, game: int | None = None) -> None:
        """Close the players of a game, or all."""
        for seated in self.take(game):
            seated.player.close()


def _can_be_made_anew(player: Player) -> bool:
    """Return True if a player keeps no state between questions."""
    return not (player.is_external or player.wants_events)


class Subscriber:
    """Connection of a seat with its queue of messages; closed when the queue is full."""

    _MOST = 200

    def __init__(self, seat: int):
        self.seat = seat
        self.latest: dict | None = None  # state sent last, with all events
        self.queue: asyncio.Queue[dict | None] = asyncio.Queue(self._MOST)

    def send(self, message: dict) -> None:
        """Queue a message; a full queue is emptied and the connection closed."""
        if self.queue.full():
            while not self.queue.empty():
                self.queue.get_nowait()
            self.queue.put_nowait(None)
        else:
            self.queue.put_nowait(message)


class Room:
    """One game with its listeners. All methods belong to the server's thread."""

    def __init__(self, stored: StoredGame, store: GameDatabase, pool: ThreadPoolExecutor, players: SeatedPlayers):
        """Raises ``DawnError`` when the journal is not of this version of the rules."""
        self.stored, self._store, self._pool, self._players = stored, store, pool, players
        self.session = Session(stored.setting, store.journal(stored.id))
        self.listeners: set[Subscriber] = set()
        self.rematch: StoredGame | None = None
        self._asked: SeatedPlayer | None = None  # the player that thinks
        self._thinking: asyncio.Task | None = None
        self._shown, self._reports = 0.0, RateLimit(1 / 3600, 1)

    @property
    def busy(self) -> bool:
        """Return True while there are connections or work in progress."""
        return bool(self.listeners) or self._thinking is not None

    # --- what people do ------------------------------------------------------------------------------

    def enter(self, seat: int, text: str) -> None:
        """Carry out and store a message of a seat (``Session.enter``), notify all, let the next player think.

        Raises ``StoreError`` when it cannot be kept; then nothing has changed.
        """
        self._enter(seat, text)
        self.tell_all()
        self.go_on()

    def _enter(self, seat: int, text: str) -> None:
        freely_undone = self.session.freely_undone
        self.session.enter(seat, text)
        try:
            self._store.append(self.stored.id, len(self.session.journal) - 1, seat, text)
        except StoreError:
            self.session.drop_latest()
            raise
        if self.session.freely_undone > freely_undone:  # decisions of the players, too: they begin anew
            for seated in self._players.take(self.stored.id):
                self._pool.submit(seated.player.close)

    def join(self, listener: Subscriber) -> None:
        """Add a connection and send it the present state. Raises ``BadRequest`` beyond the limit of connections."""
        most = _MOST_WATCHERS if listener.seat == PUBLIC else _MOST_AT_SEAT
        if sum(other.seat == listener.seat for other in self.listeners) >= most:
            raise BadRequest(f"this game is open {most} times already; close it elsewhere")
        self.listeners.add(listener)
        self.tell(listener)
        self.go_on()

    def leave(self, listener: Subscriber) -> None:
        """Remove a connection."""
        self.listeners.discard(listener)

    def message(self, seat: int) -> dict:
        """Message with the present state for a seat, the token for watching the game and for its replay, and whether a
        rematch has begun."""
        return self.session.tell(seat) | {"watch": self.stored.replay, "rematch": self.rematch is not None}

    def tell_all(self) -> None:
        """Send the present state to all connections, except seats that must not learn of the question."""
        self._shown = time.monotonic()
        for listener in self.listeners:
            if not self.session.waits_in_secret(listener.seat):
                self.tell(listener)

    def tell(self, listener: Subscriber) -> None:
        """Send the present state to one connection, unless it is the one sent last: its steps may be secret.

        The log is sent from the number ``told`` on, where it differs from the one sent before.
        """
        message, former = self.message(listener.seat), listener.latest
        if message == former:
            return
        listener.latest, events = message, message["log"]
        known = former["log"] if former else []
        same = takewhile(lambda pair: pair[0] == pair[1], zip(known, events, strict=False))
        told = len(list(same))
        listener.send(message | {"told": told, "log": events[told:]})

    # --- what players do -----------------------------------------------------------------------------

    def stop_thinking(self) -> None:
        """Ask the player that thinks to answer soon."""
        if asked := self._asked:
            asked.player.stop_thinking()

    def go_on(self) -> None:
        """Start the decision of the player to act, if it is a program; at the end notify the players."""
        if self._thinking is None and (self._to_think() is not None or self.session.over):
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
            if self.session.over:
                await asyncio.get_running_loop().run_in_executor(self._pool, self._end_players)
        except StoreError as problem:  # the game goes on from here when somebody looks at it again
            self._send_openly({"type": "error", "text": escape_text(problem)})
        finally:
            self._thinking = None

    async def _decide(self, seat: int) -> None:
        """One decision of a player; it forfeits the game when it cannot answer. Raises ``StoreError``."""
        try:
            text = await self._answer(seat)
        except Exception as error:  # whatever a player does
            name, trace = self.stored.setting.players[seat], not isinstance(error, PlayerFailure)
            if self._reports.take(name):  # it is asked again where its forfeit cannot be written
                log.warning("game %d: %s: %s", self.stored.id, name, escape_text(error), exc_info=trace)
            text = FORFEIT
        if not self.session.over:  # its opponent may have resigned meanwhile
            self._enter(seat, text)

    async def _answer(self, seat: int) -> str:
        """The action that a player chooses; raises what the player raises, and ``ValueError`` if it is not legal."""
        given, decisions = View(self.session.game.state), tuple(self.session.decisions)
        thought = asyncio.get_running_loop().run_in_executor(self._pool, self._ask, seat, given, decisions)
        while not (await asyncio.wait([thought], timeout=_PROGRESS))[0]:
            if (asked := self._asked) and (share := asked.player.progress) is not None:
                self._send_openly({"type": "progress", "share": round(share, 3)})
        return given.texts[given.legal.tolist().index(int(thought.result()))]

    def _send_openly(self, message: dict) -> None:
        """Send a message to all connections, except seats that must not learn of the question."""
        for listener in self.listeners:
            if not self.session.waits_in_secret(listener.seat):
                listener.send(message)

    def _ask(self, seat: int, view: View, decisions: Sequence[str]) -> int:
        """Ask a player, in a thread of the pool."""
        with self._players.at(self.stored, seat) as self._asked:
            try:
                return self._asked.answer(view, decisions)
            finally:
                self._asked = None

    def _end_players(self) -> None:
        outcome = {"result": self.session.game.result, "reason": self.session.game.reason, "vp": self.session.game.vp}
        for seated in self._players.take(self.stored.id):
            try:
                seated.end(outcome | (self.session.ended or {}), self.session.decisions)
            except Exception as error:  # whatever a player does
                trace = not isinstance(error, PlayerFailure)
                log.warning("game %d: %s", self.stored.id, escape_text(error), exc_info=trace)
            finally:
                seated.player.close()

    async def stop(self) -> None:
        """Stop all players; an answer that is still to come is not taken."""
        if self._thinking is not None:
            self._thinking.cancel()
            await asyncio.wait([self._thinking])


class NotPrepared(DawnError):
    """Something was asked for before what it needs is there: the compiled rules, or a game that is still being read."""

    def __init__(self, text: str, message: dict):
        """``message``: to pages that wait, as ``waiting_message`` makes it."""
        super().__init__(text)
        self.message = message


def waiting_message(title: str, share: float, words: str) -> dict:
    """Message to pages that wait for something: its title, how much of it is done (0 to 1), words for people."""
    return {"type": "preparing", "title": title, "share": round(share, 2), "words": words}


class Preparation:
    """Progress of what the games need before they begin: ``share`` done, 0 to 1, and ``words`` for people.

    ``done`` is set when boards are made without compiling, which would hold up the server's thread.
    """

    def __init__(self):
        self.share, self.words, self.done = 0.0, "Loading the rules", asyncio.Event()

    def require(self) -> None:
        """Raise ``NotPrepared`` until it is done."""
        if not self.done.is_set():
            raise NotPrepared("the rules are being prepared; ask again in a moment", self.message())

    def message(self) -> dict:
        """Message to pages that wait."""
        return waiting_message("Preparing the rules", self.share, self.words)


class Rooms:
    """The rooms in memory; others are made from the file when they are asked for."""

    def __init__(self, store: GameDatabase):
        self.store, self.preparation = store, Preparation()
        self._opponents = ThreadPoolExecutor(_THINKERS, thread_name_prefix="opponent")
        self._shows = ThreadPoolExecutor(1, thread_name_prefix="show")  # games of programs alone delay no people
        self._players = SeatedPlayers()
        self._rooms: OrderedDict[int, Room] = OrderedDict()  # by game; the latest asked for last

    def of(self, stored: StoredGame) -> Room:
        """The room of a game; raises ``DawnError`` when it cannot be gone on with, or not yet."""
        self.preparation.require()
        if stored.id not in self._rooms:
            pool = self._opponents if HUMAN in stored.setting.players else self._shows
            self._rooms[stored.id] = Room(stored, self.store, pool, self._players)
        self._rooms.move_to_end(stored.id)
        self._tidy()
        return self._rooms[stored.id]

    def _tidy(self) -> None:
        idle = [number for number, room in self._rooms.items() if not room.busy]
        for number in idle[:-_KEPT]:
            del self._rooms[number]
            self._opponents.submit(self._players.close, number)

    async def close(self) -> None:
        """End all players and threads."""
        rooms = list(self._rooms.values())
        for room in rooms:
            room.stop_thinking()
        await asyncio.gather(*(room.stop() for room in rooms))
        for pool in (self._opponents, self._shows):
            pool.shutdown(wait=True, cancel_futures=True)
        self._players.close()

"""Games, replays, players and messages that the server's routes serve."""

import asyncio
import secrets
import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Any, NamedTuple

from dawn_agents.frontends.web.analysis_session import hint
from dawn_agents.frontends.web.client_messages import DATED, BadRequest, NotFound, SeatMessage, TooMany
from dawn_agents.frontends.web.game_database import GameDatabase, StoredGame
from dawn_agents.frontends.web.game_session import FORFEIT, HUMAN, PRACTICE, RESIGN, UNDO, Setting, seat_names
from dawn_agents.frontends.web.live_rooms import Room, Rooms
from dawn_agents.frontends.web.new_games import offers
from dawn_agents.frontends.web.replays import Replays
from dawn_agents.serving.request_limits import RateLimit, RefusalLog, is_loopback
from dawn_env.errors import IllegalAction
from dawn_env.events import PUBLIC
from dawn_env.observation.player_view import View


class Site:
    """Application behind the routes."""

    def __init__(
        self, store: GameDatabase, more_players: Sequence[str], results: Sequence[Path], own_ladder: Path | None = None
    ):
        self.store, self.results = store, list(results)
        self.offers = offers(more_players, own_ladder)
        self.rooms = Rooms(store)
        self.preparation = self.rooms.preparation
        self.replays = Replays(self.rooms)
        self.analysts = ThreadPoolExecutor(1, thread_name_prefix="analyst")  # so that opponents need not wait
        self.advisers = ThreadPoolExecutor(1, thread_name_prefix="adviser")  # of hints, lesson and puzzles
        self._free_readers = asyncio.Semaphore(2)
        self.requests, self.refusals = RateLimit(200, 1000), RefusalLog("dawn.web")
        self._creations, self._all_creations = RateLimit(0.2, 40), RateLimit(5, 400)
        self.looked_up: dict[tuple[str, ...], str] = {}
        self._advised: set[int] = set()  # numbers of games for which a hint is in the making

    async def read(self, function: Callable, *arguments: object) -> Any:
        """Run a function that reads files of others, in a thread of its own: two at once, and the server's end waits
        for none of them."""
        await self._free_readers.acquire()
        loop = asyncio.get_running_loop()
        answer = loop.create_future()

        def settle(result: object, error: Exception | None) -> None:
            self._free_readers.release()
            if not answer.done():  # else nobody waits for it any more
                answer.set_exception(error) if error else answer.set_result(result)

        def work() -> None:
            result, problem = None, None
            try:
                result = function(*arguments)
            except Exception as error:  # for whoever waits
                problem = error
            with suppress(RuntimeError):  # the server has ended meanwhile
                loop.call_soon_threadsafe(settle, result, problem)

        threading.Thread(target=work, name="reader", daemon=True).start()
        return await answer

    def may_create(self, address: str) -> bool:
        """Return True if one more game or file may be added from an address; programs here count in all only."""
        return (is_loopback(address) or self._creations.take(address)) and self._all_creations.take()

    def begin(self, setting: Setting, journal: Iterable[tuple[int, str]] = ()) -> StoredGame:
        """A new game, in which programs begin to think."""
        stored = self.store.add(setting, journal)
        if self.preparation.done.is_set():  # else it begins when it is looked at
            self.rooms.of(stored).go_on()
        return stored

    def place(self, kind: str, token: str) -> tuple[Room, int]:
        """The room and the number of a ``seat``, or to ``watch`` it ``PUBLIC``.

        Raises ``NotFound``, and ``DawnError`` for a game of another version.
        """
        stored = self.store.by_seat(token) if kind == "seat" else self.store.by_replay(token)
        if stored is None:
            raise NotFound(f"there is no {'seat' if kind == 'seat' else 'game'} at this address")
        return self.rooms.of(stored), stored.tokens.index(token) if kind == "seat" else PUBLIC

    def rematch(self, room: Room, seat: int) -> str:
        """The path of a person's seat in a game with sides exchanged, the same for both; raises ``BadRequest``.

        The opponent is told of it in their next message.
        """
        if not room.session.over:
            raise BadRequest("a rematch begins when the game is over")
        if room.rematch is None:
            setting = room.stored.setting
            room.rematch = self.begin(Setting(secrets.randbits(63), setting.options, setting.players[::-1]))
            room.tell_all()
        return f"/seat/{room.rematch.tokens[1 - seat]}"

    async def do(self, room: Room, seat: int, message: SeatMessage) -> dict | None:
        """Handle a message from a seat; returns a hint if it asks for one, else None. Raises ``DawnError``."""
        if seat == PUBLIC:
            raise BadRequest("who watches a game has no part in it")
        if message.type == "hint":
            return await self._advise(room, seat, message.at)
        if message.type == "hurry":
            room.stop_thinking()
            return None
        if message.type in DATED and message.at != room.session.count(seat):
            raise IllegalAction("this was meant for an earlier state of the game")
        room.enter(seat, _action(message.action) if message.type == "act" else message.type)
        return None

    async def _advise(self, room: Room, seat: int, at: int) -> dict:
        """A hint for who is to act, unless they play against a person; raises ``DawnError``."""
        if room.stored.setting.players[1 - seat] == HUMAN:
            raise IllegalAction("hints are for games against players that are no people")
        if room.session.actor != seat or at != room.session.count(seat):
            raise IllegalAction("a hint is for who is to decide")
        game, view = room.stored.id, View(room.session.game.state)
        if game in self._advised:
            raise TooMany("the latest hint of this game is still in the making")
        self._advised.add(game)
        try:
            return {"at": at} | await asyncio.get_running_loop().run_in_executor(self.advisers, hint, view)
        finally:
            self._advised.discard(game)


def _action(text: str) -> str:
    """An action, which must not be taken for something else that a journal may hold."""
    if text in (UNDO, RESIGN, FORFEIT, PRACTICE):
        raise BadRequest(f"no action is called {text}")
    return text


def links(stored: StoredGame) -> dict:
    """Addresses of a game: of the seats where people sit, of what is open to all, and of the replay at the end."""
    places = zip(seat_names(stored.setting.options), stored.tokens, strict=True)
    seats = {seat: f"/seat/{token}" for seat, token in places if token}
    return {"seats": seats, "watch": f"/watch/{stored.replay}", "replay": f"/replay/{stored.replay}"}


class Page(NamedTuple):
    """``script``: its module in ``static``; ``content``: its template; ``kind``: class of its body."""

    path: str
    title: str
    script: str
    content: str
    kind: str


PAGES = (
    Page("/", "1989: Dawn of Freedom", "start.js", "start.html", "start"),
    Page("/seat/{token}", "A game of 1989: Dawn of Freedom", "play.js", "board.html", "play"),
    Page("/watch/{token}", "Watching a game of 1989: Dawn of Freedom", "watch.js", "board.html", "play"),
    Page("/replay/{address}", "Replay", "replay.js", "board.html", "play replay"),
    Page("/shelf/{token}", "Games", "shelf.js", "shelf.html", "start"),
    Page("/learn", "Learn 1989: Dawn of Freedom", "learn.js", "board.html", "play"),
    Page("/puzzles", "Puzzles", "puzzles.js", "board.html", "play"),
    Page("/mistakes/{address}", "Try again", "mistakes.js", "board.html", "play"),
)

MISSING = Page("", "There is no such page", "common.js", "missing.html", "start")
"""Page of addresses that do not exist."""


def _template(name: str) -> Template:
    return Template((files("dawn_agents.frontends.web") / "templates" / name).read_text())


@cache
def page_html(page: Page) -> str:
    """A page as HTML."""
    main = _template(page.content).substitute(title=page.title).rstrip("\n")
    return _template("frame.html").substitute(page._asdict(), main=main)

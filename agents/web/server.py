"""The server: pages, a plain HTTP interface, and live connections."""

import asyncio
import json
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from importlib.resources import as_file, files
from pathlib import Path

from dawn_env.support.extras import optional_imports

with optional_imports():
    from fastapi import FastAPI, Request, WebSocket, WebSocketDisconnect
    from fastapi.concurrency import run_in_threadpool
    from fastapi.responses import HTMLResponse, JSONResponse, PlainTextResponse, RedirectResponse, Response
    from fastapi.staticfiles import StaticFiles

from agents.terminal.narration import PUBLIC
from agents.web import wishes
from agents.web.analysis import analyse, hint, losses
from agents.web.facts import GAMES, facts_json, option_fields, theme_css
from agents.web.guard import MOST_MESSAGE, MOST_UPLOAD, Bucket, Buckets, Gate
from agents.web.offers import offers
from agents.web.openings import find_result, go_on_from, read_setting, records_of
from agents.web.pages import PLAY, REPLAY, SHELF, START, WATCH, Page, page_html
from agents.web.replay import Replay
from agents.web.replays import NoSuchReplay, Replays
from agents.web.rooms import Listener, Room, Rooms
from agents.web.session import HUMAN, RESIGN, UNDO
from agents.web.store import Store, StoredGame
from agents.web.wishes import BadRequest, Wish
from dawn_env.errors import DawnError, IllegalAction
from dawn_env.formats.foreign import parse_json
from dawn_env.state import Result
from dawn_env.support.plain_text import plain
from dawn_env.view import View

_POLICY = "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",
}
_REFUSED = 4403  # codes with which live connections are closed, like those of HTTP
_GONE = 4404
_TOO_MANY = 4429
_PAGE = 100  # records listed at once
_VIEWERS = {"democrat": 0, "communist": 1, "both": None}


class Site:
    """What the routes work on."""

    def __init__(self, store: Store, more_players: Sequence[str], results: Sequence[Path]):
        self.store, self.results = store, list(results)
        self.offers = offers(more_players)
        self.rooms = Rooms(store)
        self.replays = Replays(self.rooms)
        self.students = ThreadPoolExecutor(1, thread_name_prefix="student")  # so that opponents need not wait
        self.requests, self.creations = Buckets(200, 1000), Buckets(5, 400)
        self.looked_up: dict[tuple[str, str, str], str] = {}

    def seat(self, token: str) -> tuple[Room, int]:
        """The room and the number of a seat; raises ``NoSuchSeat``, and ``DawnError`` for a game of another version."""
        stored = self.store.by_seat(token)
        if stored is None:
            raise NoSuchSeat("there is no seat at this address")
        return self.rooms.of(stored), stored.seat_of(token)

    def spectator(self, token: str) -> tuple[Room, int]:
        """The room of a game to be watched, and what stands for its seat; raises as ``seat``."""
        stored = self.store.by_replay(token)
        if stored is None:
            raise NoSuchSeat("there is no game at this address")
        return self.rooms.of(stored), PUBLIC

    def do(self, room: Room, seat: int, wish: Wish) -> None:
        """What is wanted at a seat; raises ``DawnError``."""
        if seat == PUBLIC:
            raise BadRequest("who watches a game has no part in it")
        if wish.kind == wishes.HURRY:
            room.hurry()
            return
        if wish.kind in wishes.DATED and wish.at != room.session.count(seat):
            raise IllegalAction("this was meant for an earlier state of the game")
        words = {wishes.UNDO: UNDO, wishes.RESIGN: RESIGN}
        room.enter(seat, words.get(wish.kind) or _action(wish.text))

    async def advise(self, room: Room, seat: int, at: int) -> dict:
        """A hint for who is to act, unless they play against a person."""
        if room.stored.setting.players[1 - seat] == HUMAN:
            raise IllegalAction("hints are for games against players that are no people")
        if room.session.actor != seat or at != room.session.count(seat):
            raise IllegalAction("a hint is for who is to decide")
        view = View(room.session.game.state)
        return {"at": at} | await asyncio.get_running_loop().run_in_executor(self.rooms.pool, hint, view)


class NoSuchSeat(BadRequest):
    """An address under which there is no seat."""


def _action(text: str) -> str:
    """An action, which must not be taken for something else that a journal may hold."""
    if text in (UNDO, RESIGN, "forfeit"):
        raise BadRequest(f"no action is called {text}")
    return text


def links(stored: StoredGame) -> dict:
    """Addresses of a game: of the seats where people sit, of what is open to all, and of the replay at the end."""
    seats = {seat: f"/seat/{token}" for seat, token in zip(stored.setting.seats, stored.tokens, strict=True) if token}
    return {"seats": seats, "watch": f"/watch/{stored.replay}", "replay": f"/replay/{stored.replay}"}


def make_app(
    store: Store, local: bool = True, more_players: Sequence[str] = (), results: Sequence[Path] = ()
) -> FastAPI:
    """The application.

    ``local``: it listens on this machine only. ``more_players``: specifications on offer besides the usual ones.
    ``results``: databases of tournaments whose games can be looked up.
    """
    site, gate = Site(store, more_players, results), Gate(local)

    @asynccontextmanager
    async def life(_: FastAPI):
        for stored in store.unfinished_shows():
            with suppress(DawnError):
                site.rooms.of(stored).go_on()
        yield
        site.students.shutdown(cancel_futures=True)
        site.rooms.close()

    app = FastAPI(lifespan=life, docs_url=None, redoc_url=None, openapi_url=None)
    app.state.site = site

    @app.middleware("http")
    async def guard(request: Request, answer):
        if problem := gate.problem(request.headers):
            return _error(problem, 403)
        if not site.requests.take(_address(request)):
            return _error("too many requests; wait a moment", 429)
        response = await answer(request)
        response.headers.update(_HEADERS)
        return response

    @app.exception_handler(DawnError)
    async def refuse(_: Request, error: DawnError):
        return _error(plain(error), 404 if isinstance(error, NoSuchSeat | NoSuchReplay) else 400)

    _add_pages(app)
    _add_games(app, site, gate)
    _add_records(app, site)
    _add_replays(app, site, gate)
    return app


def _error(text: str, status: int) -> JSONResponse:
    return JSONResponse({"type": "error", "text": text}, status, _HEADERS)


def _address(connection: Request | WebSocket) -> str:
    return connection.client.host if connection.client else ""


# --- pages ------------------------------------------------------------------------------------------


def _add_pages(app: FastAPI) -> None:
    with as_file(files("agents.web") / "static") as folder:
        static = Path(folder)

    def page(which: Page):
        return lambda: HTMLResponse(page_html(which))

    app.get("/")(page(START))
    app.get("/seat/{token}")(page(PLAY))
    app.get("/watch/{token}")(page(WATCH))
    app.get("/replay/{address}")(page(REPLAY))
    app.get("/shelf/{token}")(page(SHELF))
    app.get("/theme.css")(lambda: Response(theme_css(), media_type="text/css"))
    app.get("/facts.json")(lambda: Response(facts_json(), media_type="application/json"))
    app.mount("/static", StaticFiles(directory=static))


# --- games ------------------------------------------------------------------------------------------


def _add_games(app: FastAPI, site: Site, gate: Gate) -> None:
    @app.get("/api/start")
    async def start():
        return {"players": site.offers, "games": GAMES, "options": option_fields()}

    @app.post("/api/games")
    async def create(request: Request):
        if not site.creations.take(_address(request)):
            return _error("too many new games; wait a moment", 429)
        wanted = _json(await _body(request, MOST_MESSAGE))
        return links(await store_game(site, wanted))

    for kind, find in (("seat", site.seat), ("watch", site.spectator)):
        _add_place(app, site, gate, kind, find)


def _add_place(app: FastAPI, site: Site, gate: Gate, kind: str, find: Callable[[str], tuple[Room, int]]) -> None:
    """Where a game is played or watched; ``find`` gives the room and the seat of a token."""

    @app.get(f"/api/{kind}/{{token}}")
    async def look(token: str, layout: str = "wide", told: str = "0"):
        room, seat = find(token)
        room.go_on()
        return room.message(seat, wishes.layout(layout), _count(told))

    @app.post(f"/api/{kind}/{{token}}")
    async def act(token: str, request: Request, layout: str = "wide", told: str = "0"):
        room, seat = find(token)
        wish, shape, count = wishes.read(await _body(request, MOST_MESSAGE)), wishes.layout(layout), _count(told)
        if wish.kind == wishes.HINT:
            return await site.advise(room, seat, wish.at)
        if wish.kind != wishes.LAYOUT:
            site.do(room, seat, wish)
        return room.message(seat, shape, count)

    @app.websocket(f"/api/{kind}/{{token}}/live")
    async def live(socket: WebSocket, token: str, layout: str = "wide", told: str = "0"):
        await socket.accept()
        if problem := gate.problem(socket.headers):
            await _close(socket, problem, _REFUSED)
            return
        try:
            room, seat = find(token)
            listener = Listener(seat, wishes.layout(layout), _count(told))
            room.join(listener)
        except DawnError as error:
            await _close(socket, plain(error), _GONE)
            return
        try:
            await _serve(socket, listener, lambda message: _wish(site, room, listener, message))
        finally:
            room.leave(listener)


async def store_game(site: Site, wanted: object) -> StoredGame:
    """A new game as a page asks for it; ``from``: go on in a replay, ``{"replay": address, "at": decisions}``."""
    origin = wanted.get("from") if isinstance(wanted, dict) else None
    if origin is None:
        return _opened(site, read_setting(wanted, site.offers))
    address, at = (origin.get("replay"), origin.get("at")) if isinstance(origin, dict) else (None, None)
    if not isinstance(address, str) or type(at) is not int:
        raise BadRequest("from: the address of a replay and a number of decisions expected")
    kept, _ = await site.replays.of(address)
    if not 0 <= at <= len(kept.decisions):
        raise BadRequest(f"from: at: 0 ... {len(kept.decisions)} expected, not {at}")
    return _opened(site, go_on_from(wanted, kept, at, site.offers))


def _opened(site: Site, setting) -> StoredGame:
    stored = site.store.add(setting)
    site.rooms.of(stored).go_on()
    return stored


async def _wish(site: Site, room: Room, listener: Listener, message: str) -> None:
    """Do what was asked for over a live connection, or say why not."""
    try:
        wish = wishes.read(message)
        if wish.kind == wishes.HINT:
            listener.send(await site.advise(room, listener.seat, wish.at))
        elif wish.kind == wishes.LAYOUT:
            listener.layout = wish.text
            listener.send(room.message(listener.seat, listener.layout, listener.told))
        else:
            site.do(room, listener.seat, wish)
    except DawnError as error:
        listener.send({"type": "error", "text": plain(error)})


async def _serve(socket: WebSocket, listener: Listener, take) -> None:
    """Send what waits and ``take`` what comes until either side ends it."""
    sender, bucket = asyncio.create_task(_send_all(socket, listener)), Bucket(30, 120)
    try:
        while True:
            message = await socket.receive_text()
            if not bucket.take():
                await _close(socket, "too many messages; wait a moment", _TOO_MANY)
                return
            await take(message)
    except (WebSocketDisconnect, KeyError, RuntimeError):  # KeyError: bytes instead of text
        pass
    finally:
        sender.cancel()


async def _send_all(socket: WebSocket, listener: Listener) -> None:
    with suppress(WebSocketDisconnect, RuntimeError):
        while (message := await listener.queue.get()) is not None:
            await socket.send_text(json.dumps(message))
        await socket.close(_TOO_MANY)


async def _close(socket: WebSocket, text: str, code: int) -> None:
    with suppress(WebSocketDisconnect, RuntimeError):
        await socket.send_text(json.dumps({"type": "error", "text": text, "final": True}))
        await socket.close(code)


# --- records ----------------------------------------------------------------------------------------


def _add_records(app: FastAPI, site: Site) -> None:
    @app.post("/api/shelves")
    async def open_file(request: Request, title: str = "Opened file"):
        if not site.creations.take(_address(request)):
            return _error("too many files; wait a moment", 429)
        contents = await _body(request, MOST_UPLOAD)
        records = await run_in_threadpool(lambda: list(records_of(contents)))
        if not records:
            raise BadRequest("the file holds no game")
        return {"shelf": f"/shelf/{site.store.add_shelf(title[:200], records)}", "games": len(records)}

    @app.get("/api/shelves/{token}")
    async def listing(token: str, first: str = "0"):
        title = site.store.shelf(token)
        if title is None:
            raise NoSuchReplay("there are no games at this address")
        size, games = site.store.listing(token, _count(first), _PAGE)
        return {"title": title, "size": size, "games": games}

    @app.get("/game")
    async def look_up(seed: str, democrat: str, communist: str):
        """The replay of a game of a tournament, as its report links it."""
        key = seed, democrat, communist
        if key not in site.looked_up:
            record = await run_in_threadpool(find_result, site.results, _count(seed), democrat, communist)
            site.looked_up[key] = site.store.add_shelf(f"{democrat} - {communist}", [record])
        return RedirectResponse(f"/replay/{site.looked_up[key]}.0")


# --- replays ----------------------------------------------------------------------------------------


def _add_replays(app: FastAPI, site: Site, gate: Gate) -> None:
    @app.get("/api/replay/{address}")
    async def about(address: str, viewer: str = "both", since: str = "-1"):
        kept, facts = await site.replays.of(address)
        facts = {**facts, "length": len(kept.decisions)}
        if _count(since.removeprefix("-")) == len(kept.decisions):
            return facts
        log, course = await run_in_threadpool(lambda: (kept.log(_viewer(viewer)), kept.course()))
        return facts | {"log": log, "course": course}

    @app.get("/api/replay/{address}/{at}")
    async def position(address: str, at: str, viewer: str = "both", layout: str = "wide"):
        kept, _ = await site.replays.of(address)
        return kept.tell(_place(kept, at), _viewer(viewer), wishes.layout(layout))

    @app.get("/api/replay/{address}/{at}/state")
    async def state(address: str, at: str):
        kept, _ = await site.replays.of(address)
        return PlainTextResponse(kept.game(_place(kept, at)).to_json())

    @app.websocket("/api/replay/{address}/live")
    async def study(socket: WebSocket, address: str):
        await socket.accept()
        if problem := gate.problem(socket.headers):
            await _close(socket, problem, _REFUSED)
            return
        try:
            kept, _ = await site.replays.of(address)
        except DawnError as error:
            await _close(socket, plain(error), _GONE)
            return
        listener = Listener(-1, "", 0)
        student = Student(kept, site, listener)
        try:
            await _serve(socket, listener, student.take)
        finally:
            student.stop()


class Student:
    """Somebody who studies a replay: one investigation at a time, the latest they asked for."""

    def __init__(self, kept: Replay, site: Site, listener: Listener):
        self._replay, self._site, self._listener = kept, site, listener
        self._number = 0  # of the latest investigation; others stop

    def stop(self) -> None:
        """End what is being looked into."""
        self._number += 1

    async def take(self, message: str) -> None:
        """``{"type": "analyse", "at": n}``, ``{"type": "losses"}`` or ``{"type": "stop"}``."""
        try:
            wanted = _json(message.encode())
            kind = wanted.get("type") if isinstance(wanted, dict) else None
            if kind not in ("analyse", "losses", "stop"):
                raise BadRequest("a type of analyse, losses, stop expected")
            self.stop()
            if kind == "analyse":
                at = _place(self._replay, wanted.get("at"))
                if self._replay.states[at]["result"] == Result.RUNNING:
                    self._look_into({"type": "analysis", "at": at}, analyse, View(self._replay.states[at]))
            elif kind == "losses":
                self._look_into({"type": "losses"}, losses, self._replay)
        except DawnError as error:
            self._listener.send({"type": "error", "text": plain(error)})

    def _look_into(self, head: dict, find, subject) -> None:
        number, loop = self._number, asyncio.get_running_loop()

        def run():
            try:
                for found in find(subject, lambda: number != self._number):
                    loop.call_soon_threadsafe(self._report, number, head | found)
            except Exception as error:  # a thread's errors would else be seen by nobody
                loop.call_soon_threadsafe(self._report, number, {"type": "error", "text": plain(error)})

        loop.run_in_executor(self._site.students, run)

    def _report(self, number: int, found: dict) -> None:
        if number == self._number:
            self._listener.send(found)


def _viewer(name: str) -> int | None:
    if name not in _VIEWERS:
        raise BadRequest(f"viewer: one of {', '.join(_VIEWERS)} expected")
    return _VIEWERS[name]


def _place(kept: Replay, at: object) -> int:
    number = int(at) if isinstance(at, str) and at.isdecimal() and len(at) < 10 else at
    if type(number) is not int or not 0 <= number <= len(kept.decisions):
        raise BadRequest(f"at: a number of decisions 0 ... {len(kept.decisions)} expected")
    return number


# --- what requests carry ------------------------------------------------------------------------------


def _count(text: str) -> int:
    if not text.isdecimal() or len(text) > 19:
        raise BadRequest("a whole number expected")
    return int(text)


async def _body(request: Request, most: int) -> bytes:
    contents = bytearray()
    async for chunk in request.stream():
        contents += chunk
        if len(contents) > most:
            raise BadRequest(f"at most {most:,} bytes expected")
    return bytes(contents)


def _json(contents: bytes):
    try:
        return parse_json(contents)
    except ValueError as error:
        raise BadRequest(f"not JSON: {error}") from None

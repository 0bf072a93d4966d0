"""The server: pages, a plain HTTP interface, and live connections."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Annotated, Literal

from dawn_env.support.optional_packages import optional_imports

with optional_imports():
    from fastapi import FastAPI, HTTPException, Query, Request, WebSocket, WebSocketDisconnect
    from fastapi.exception_handlers import http_exception_handler
    from fastapi.exceptions import RequestValidationError
    from fastapi.responses import HTMLResponse, JSONResponse, PlainTextResponse, RedirectResponse, Response
    from fastapi.staticfiles import StaticFiles
    from starlette.middleware.gzip import GZipMiddleware

from dawn_agents.frontends.web import client_messages
from dawn_agents.frontends.web.analysis_session import AnalysisSession
from dawn_agents.frontends.web.client_messages import (
    BadRequest,
    NewGame,
    NotFound,
    SavedGame,
    SeatMessage,
    TooMany,
    TooSlow,
)
from dawn_agents.frontends.web.exercises import Puzzles, lesson_step, mistake, mistake_verdict
from dawn_agents.frontends.web.game_database import GameDatabase, StoredGame
from dawn_agents.frontends.web.game_session import HUMAN, PRACTICE
from dawn_agents.frontends.web.live_rooms import NotPrepared, Subscriber
from dawn_agents.frontends.web.new_games import (
    UNFINISHED,
    find_result,
    game_from_replay,
    read_setting,
    records_of,
    saved_game,
)
from dawn_agents.frontends.web.page_facts import GAMES, blank_map, facts_json, theme_css
from dawn_agents.frontends.web.preparation import prepare
from dawn_agents.frontends.web.replays import NO_FILE
from dawn_agents.frontends.web.site import MISSING, PAGES, Site, links, page_html
from dawn_agents.serving.request_limits import MOST_MESSAGE, MOST_UPLOAD, Gate, RateLimit
from dawn_agents.sqlite_files import StoreError
from dawn_env.errors import DawnError
from dawn_env.support.safe_text import escape_text
from dawn_env.tables import COUNTRY_OF, ROMANIA, S
from dawn_env.validation.checked_input import problem_line

_POLICY = "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",
}
_STATUS = {NotFound: 404, TooSlow: 408, TooMany: 429, StoreError: 503}
"""By kind of error; 400 for others."""
_REFUSED = 4403  # codes with which live connections are closed, like those of HTTP
_GONE = 4404
_TOO_MANY = 4429
_BODY_SECONDS, _SLOWEST = 10, 2**18  # for what a request carries, and bytes in one more second
_READ = ["GET", "HEAD"]  # methods of what monitors ask for
_SVG = "image/svg+xml"
_LEAST_COMPRESSED = 500  # bytes
_PAGE = 100  # records listed at once
_RETRY_SECONDS = "1"  # for those who ask before the rules are compiled
_BEAT = 2.0  # seconds of silence between two signs of life to pages, which give a line up after 5
_BETWEEN_PROGRESS = 0.3  # seconds between two words to pages that wait for the server
_VIEWERS = {"democrat": 0, "communist": 1, "both": None}
_Viewer = Literal["democrat", "communist", "both"]
_Layout = Literal["wide", "narrow"]
_Mode = Literal["standard", "family"]
_Destroyed = Annotated[int, Query(ge=-1, lt=S)]
_Count = Annotated[int, Query(ge=0, lt=2**63)]
_Live = tuple[Subscriber, Callable[[str], Awaitable[None]], Callable[[], None]]
"""Queue of a live connection, what takes its messages and raises ``DawnError``, and what ends it."""


def make_app(
    store: GameDatabase,
    local: bool = True,
    more_players: Sequence[str] = (),
    results: Sequence[Path] = (),
    names: Sequence[str] = (),
    puzzles: Path | None = None,
    own_ladder: Path | None = None,
) -> FastAPI:
    """The application.

    ``local`` and ``names``: as for ``Gate``. ``more_players``: specifications on offer besides the usual ones.
    ``results``: databases of tournaments whose games can be looked up. ``puzzles``: as for ``Puzzles``. ``own_ladder``:
    file of a ladder whose players are on offer too. Raises ``StoreError`` when it is none.
    """
    site, gate = Site(store, more_players, results, own_ladder), Gate(local, names)

    @asynccontextmanager
    async def life(_: FastAPI):
        beginning = asyncio.create_task(prepare(site.preparation))
        yield
        beginning.cancel()
        await asyncio.wait([beginning])
        site.analysts.shutdown(cancel_futures=True)
        site.advisers.shutdown(cancel_futures=True)
        await site.rooms.close()

    app = FastAPI(lifespan=life, docs_url=None, redoc_url=None, openapi_url=None)
    app.state.site = site
    app.add_middleware(GZipMiddleware, minimum_size=_LEAST_COMPRESSED)

    @app.middleware("http")
    async def guard(request: Request, answer):
        if problem := _refusal(gate, request):
            response = _refuse(site, request, problem, 403)
        elif not site.requests.take(_address(request)):
            response = _refuse(site, request, "too many requests; wait a moment", 429)
        else:
            response = await answer(request)
        response.headers.update(_HEADERS)
        return response

    @app.exception_handler(RequestValidationError)
    async def refuse_parameter(_: Request, error: RequestValidationError):
        return _error(problem_line(error.errors()[0]), 400)

    @app.exception_handler(404)
    async def refuse_address(request: Request, error: HTTPException):
        if "text/html" in request.headers.get("accept", ""):  # of a person, not a program
            return HTMLResponse(page_html(MISSING), 404)
        return await http_exception_handler(request, error)

    @app.exception_handler(NotPrepared)
    async def put_off(_: Request, error: NotPrepared):
        return JSONResponse(error.message | {"text": str(error)}, 503, {"Retry-After": _RETRY_SECONDS})

    @app.exception_handler(DawnError)
    async def refuse(_: Request, error: DawnError):
        status = next((status for kind, status in _STATUS.items() if isinstance(error, kind)), 400)
        return _error(escape_text(error), status)

    _add_pages(app)
    _add_games(app, site, gate)
    _add_records(app, site)
    _add_replays(app, site, gate)
    _add_exercises(app, site, Puzzles(puzzles))
    return app


def _error(text: str, status: int) -> Response:
    return JSONResponse({"type": "error", "text": text}, status)


def _refuse(site: Site, request: Request, text: str, status: int) -> Response:
    """Log a refused request, and return the error response."""
    site.refusals.log(status, _address(request), text)
    return _error(text, status)


def _refusal(gate: Gate, connection: Request | WebSocket) -> str:
    return gate.problem(connection.headers, (connection.scope.get("server") or [""])[0])


def _address(connection: Request | WebSocket) -> str:
    return connection.client.host if connection.client else ""


# --- pages ------------------------------------------------------------------------------------------


def _add_pages(app: FastAPI) -> None:
    for page in PAGES:
        app.api_route(page.path, methods=_READ, response_class=HTMLResponse)(partial(page_html, page))
    app.get("/theme.css")(lambda: Response(theme_css(), media_type="text/css"))
    app.get("/map.svg")(_map)
    app.get("/facts.json")(lambda: Response(facts_json(), media_type="application/json"))
    app.mount("/static", StaticFiles(packages=[("dawn_agents.frontends.web", "static")]))


def _map(layout: _Layout = "wide", destroyed: _Destroyed = -1) -> Response:
    if destroyed >= 0 and COUNTRY_OF[destroyed] != ROMANIA:
        raise BadRequest(f"destroyed: a space of Romania or -1 expected, not {destroyed}")
    return Response(blank_map(layout, destroyed), media_type=_SVG)


# --- games ------------------------------------------------------------------------------------------


def _add_games(app: FastAPI, site: Site, gate: Gate) -> None:
    @app.get("/api/start")
    async def start():
        return {"players": site.offers, "games": GAMES, "address": gate.address(), "most": MOST_UPLOAD}

    @app.post("/api/games")
    async def create(request: Request):
        if not site.may_create(_address(request)):
            return _refuse(site, request, "too many new games; wait a moment", 429)
        return links(await store_game(site, client_messages.read(NewGame, await _body(request, MOST_MESSAGE))))

    @app.post("/api/seat/{token}/rematch")
    async def rematch(request: Request, token: str):
        if not site.may_create(_address(request)):
            return _refuse(site, request, "too many new games; wait a moment", 429)
        return {"seat": site.rematch(*site.place("seat", token))}

    for kind in ("seat", "watch"):
        _add_place(app, site, gate, kind)


def _add_place(app: FastAPI, site: Site, gate: Gate, kind: str) -> None:
    """Connection for playing or watching (``Site.place``)."""

    @app.get(f"/api/{kind}/{{token}}")
    async def look(token: str):
        room, seat = site.place(kind, token)
        room.go_on()
        return room.message(seat)

    @app.post(f"/api/{kind}/{{token}}")
    async def act(token: str, request: Request):
        message = client_messages.read(SeatMessage, await _body(request, MOST_MESSAGE))
        room, seat = site.place(kind, token)
        return await site.do(room, seat, message) or room.message(seat)

    @app.websocket(f"/api/{kind}/{{token}}/live")
    async def live(connection: WebSocket, token: str, beats: bool = False):
        async def begin() -> _Live:
            room, seat = site.place(kind, token)
            listener = Subscriber(seat)
            room.join(listener)

            async def take(text: str) -> None:
                if answer := await site.do(room, seat, client_messages.read(SeatMessage, text)):
                    listener.send(answer)

            return listener, take, partial(room.leave, listener)

        await _serve(connection, site, gate, begin, _BEAT if beats else None)


async def store_game(site: Site, wanted: dict) -> StoredGame:
    """A new game as a page asks for it (``NewGame``)."""
    if origin := wanted.get("from"):
        kept, _ = await site.replays.of(origin["replay"])
        at = client_messages.replay_index(origin["at"], len(kept.decisions))
        setting = game_from_replay(wanted["players"], kept, at, site.offers)
    else:
        setting = read_setting(wanted, site.offers)
    people = [seat for seat, player in enumerate(setting.players) if player == HUMAN]
    if wanted.get("practice") and len(people) != 1:
        raise BadRequest("practice: a game of a person against a program expected")
    return site.begin(setting, [(people[0], PRACTICE)] if wanted.get("practice") else [])


async def _serve(
    connection: WebSocket, site: Site, gate: Gate, begin: Callable[[], Awaitable[_Live]], beat: float | None = None
) -> None:
    """Serve a live connection: send queued messages and handle those received until either side closes it.

    ``beat``: seconds of silence after which the other side is told that the line holds.
    """
    await connection.accept()
    if problem := _refusal(gate, connection):
        site.refusals.log(403, _address(connection), problem)
        await _close(connection, problem, _REFUSED)
        return
    try:
        listener, take, end = await _begun(connection, site, begin)
    except DawnError as error:
        await _close(connection, escape_text(error), _GONE)
        return
    except WebSocketDisconnect:
        return
    sender, bucket = asyncio.create_task(_send_all(connection, listener, beat)), RateLimit(30, 120)
    try:
        while True:
            message = await connection.receive_text()
            if not bucket.take():
                site.refusals.log(429, _address(connection), "too many messages")
                await _close(connection, "too many messages; wait a moment", _TOO_MANY)
                return
            try:
                await take(message)
            except DawnError as error:
                listener.send({"type": "error", "text": escape_text(error)})
    except (WebSocketDisconnect, KeyError, RuntimeError):  # KeyError: bytes instead of text
        pass
    finally:
        sender.cancel()
        end()


async def _begun(connection: WebSocket, site: Site, begin: Callable[[], Awaitable[_Live]]) -> _Live:
    """Begin a live connection; sends progress messages until the rules are compiled."""
    while True:
        with suppress(NotPrepared):
            return await begin()
        try:
            await connection.send_text(json.dumps(site.preparation.message()))
        except RuntimeError:  # the page was closed before there was a game
            raise WebSocketDisconnect from None
        with suppress(TimeoutError):
            await asyncio.wait_for(site.preparation.done.wait(), _BETWEEN_PROGRESS)


async def _send_all(connection: WebSocket, listener: Subscriber, beat: float | None) -> None:
    with suppress(WebSocketDisconnect, RuntimeError):
        while (message := await _next(listener, beat)) is not None:
            await connection.send_text(json.dumps(message, separators=(",", ":")))
        await connection.close(_TOO_MANY)


async def _next(listener: Subscriber, beat: float | None) -> dict | None:
    """The next message of a queue; ``{"type": "beat"}`` when there is none for ``beat`` seconds."""
    try:
        return await asyncio.wait_for(listener.queue.get(), beat)
    except TimeoutError:
        return {"type": "beat"}


async def _close(connection: WebSocket, text: str, code: int) -> None:
    with suppress(WebSocketDisconnect, RuntimeError):
        await connection.send_text(json.dumps({"type": "error", "text": text, "final": True}))
        await connection.close(code)


# --- records ----------------------------------------------------------------------------------------


def _add_records(app: FastAPI, site: Site) -> None:
    @app.post("/api/shelves")
    async def open_file(request: Request, title: str = "Opened file"):
        if not site.may_create(_address(request)):
            return _refuse(site, request, "too many files; wait a moment", 429)
        contents = await _body(request, MOST_UPLOAD)
        records = await site.read(lambda: list(records_of(contents)))
        if not records:
            raise BadRequest("the file holds no game")
        token = await site.read(site.store.add_shelf, title[:200], records)
        unfinished = sum(record.get(UNFINISHED, False) for record in records)
        return {"shelf": f"/shelf/{token}", "games": len(records), "unfinished": unfinished}

    @app.get("/api/shelves/{token}")
    async def listing(token: str, first: _Count = 0):
        title = site.store.shelf(token)
        if title is None:
            raise NotFound(NO_FILE)
        size, games = site.store.listing(token, first, _PAGE)
        return {"title": title, "size": size, "games": games}

    @app.post("/api/shelves/{token}/{number}/game")
    async def go_on(request: Request, token: str, number: int):
        """Go on with a game that was saved at the terminal: the links of a new game with its decisions."""
        if not site.may_create(_address(request)):
            return _refuse(site, request, "too many new games; wait a moment", 429)
        wanted = client_messages.read(SavedGame, await _body(request, MOST_MESSAGE))
        record = site.store.record(token, number)
        if record is None:
            raise NotFound(NO_FILE)
        site.preparation.require()
        setting, journal = await site.read(saved_game, record, wanted["opponent"], site.offers)
        return links(site.begin(setting, journal))

    @app.get("/game")
    async def look_up(seed: _Count, democrat: str, communist: str, first: str = ""):
        """The replay of a game of a tournament, as its report links it."""
        key = seed, democrat, communist, first
        if site.store.shelf(site.looked_up.get(key, "")) is None:  # not found yet, or removed to make room
            record = await site.read(find_result, site.results, *key)
            site.looked_up[key] = await site.read(site.store.add_shelf, f"{democrat} - {communist}", [record])
        return RedirectResponse(f"/replay/{site.looked_up[key]}.0")


# --- replays ----------------------------------------------------------------------------------------


def _add_replays(app: FastAPI, site: Site, gate: Gate) -> None:
    @app.get("/api/replay/{address}")
    async def about(address: str, viewer: _Viewer = "both", since: int = -1):
        kept, facts = await site.replays.of(address)
        if since == len(kept.decisions):
            return facts
        log = await site.replays.log(kept, _VIEWERS[viewer])
        return facts | {"log": log, "course": await asyncio.to_thread(kept.course)}

    @app.get("/api/replay/{address}/record")
    async def record(address: str):
        """The record of a game that is over, as a file to be saved."""
        kept, facts = await site.replays.of(address)
        if facts["running"]:
            raise BadRequest("the game goes on: its record can be saved when it is over")
        line = await asyncio.to_thread(kept.record, facts["practice"])
        return PlainTextResponse(line, headers={"Content-Disposition": 'attachment; filename="game.jsonl"'})

    @app.get("/api/replay/{address}/{at}")
    async def position(address: str, at: int, viewer: _Viewer = "both"):
        kept, _ = await site.replays.of(address)
        return kept.tell(client_messages.replay_index(at, len(kept.decisions)), _VIEWERS[viewer])

    @app.get("/api/replay/{address}/{at}/state")
    async def state(address: str, at: int):
        kept, _ = await site.replays.of(address)
        return PlainTextResponse(kept.game(client_messages.replay_index(at, len(kept.decisions))).to_json())

    @app.websocket("/api/replay/{address}/live")
    async def study(connection: WebSocket, address: str):
        async def begin() -> _Live:
            kept, _ = await site.replays.of(address)
            listener = Subscriber(-1)
            session = AnalysisSession(kept, site.analysts, listener.send)
            return listener, session.take, session.stop

        await _serve(connection, site, gate, begin)


# --- exercises ---------------------------------------------------------------------------------------


def _add_exercises(app: FastAPI, site: Site, puzzles: Puzzles) -> None:
    async def run(function: Callable, *arguments: object) -> dict:
        site.preparation.require()
        return await asyncio.get_running_loop().run_in_executor(site.advisers, function, *arguments)

    @app.api_route("/api/preparation", methods=_READ)
    async def preparation():
        return site.preparation.message() | {"ready": site.preparation.done.is_set()}

    @app.get("/api/puzzles")
    async def sets():
        return {"sets": puzzles.sets()}

    @app.get("/api/puzzles/{mode}/{number}")
    async def puzzle(mode: _Mode, number: int):
        return await run(puzzles.tell, mode, number)

    @app.get("/api/puzzles/{mode}/{number}/verdict")
    async def verdict(mode: _Mode, number: int, action: str):
        return await run(puzzles.verdict, mode, number, action)

    @app.get("/api/replay/{address}/{at}/puzzle")
    async def own_mistake(address: str, at: int):
        kept, _ = await site.replays.of(address)
        return await run(mistake, kept, at)

    @app.get("/api/replay/{address}/{at}/puzzle/verdict")
    async def own_verdict(address: str, at: int, action: str):
        kept, _ = await site.replays.of(address)
        return await run(mistake_verdict, kept, at, action)

    @app.get("/api/lesson/{number}")
    async def lesson(number: int):
        return await run(lesson_step, number)


# --- what requests carry ------------------------------------------------------------------------------


async def _body(request: Request, most: int) -> bytes:
    """Body of a request; raises ``BadRequest`` when it is too large or comes too slowly."""
    contents = bytearray()
    try:
        async with asyncio.timeout(_BODY_SECONDS + most / _SLOWEST):
            async for chunk in request.stream():
                contents += chunk
                if len(contents) > most:
                    raise BadRequest(f"this is larger than the {most:,} bytes that can be taken")
    except TimeoutError:
        raise TooSlow("the request comes too slowly") from None
    return bytes(contents)

"""Rooms of the browser game: one per game, moves kept before they count, players that come and go."""

import asyncio
import threading
from contextlib import closing

import pytest
from dawn_agents.frontends.web import live_rooms, site
from dawn_agents.frontends.web.client_messages import BadRequest, SeatMessage, TooMany
from dawn_agents.frontends.web.game_database import GameDatabase
from dawn_agents.frontends.web.game_session import HUMAN, Session, Setting
from dawn_agents.frontends.web.live_rooms import Rooms, Subscriber
from dawn_agents.frontends.web.site import Site
from dawn_agents.sqlite_files import StoreError
from web_server import messages

from dawn_env.errors import PlayerFailure
from dawn_env.host.seated_player import SeatedPlayer
from dawn_env.observation.player_view import View
from dawn_env.options import STANDARD, GameOptions
from dawn_env.players import RandomPlayer, function_player
from dawn_env.state import MODES
from dawn_env.tables import DEMOCRAT, SIDES

pytestmark = pytest.mark.anyio
PEOPLE = Setting(7, STANDARD, (HUMAN, HUMAN))
COMMUNIST = 1  # decides first


@pytest.fixture
def anyio_backend():
    """What runs the tests that are coroutines."""
    return "asyncio"


@pytest.fixture
async def rooms(tmp_path, anyio_backend):
    """The rooms of an empty file, without the server."""
    with closing(GameDatabase(tmp_path / "games.sqlite")) as store:
        rooms = Rooms(store)
        rooms.preparation.done.set()
        yield rooms
        await rooms.close()


def writable(store: GameDatabase, may_write: bool) -> None:
    """Let SQLite refuse to write, or not any more."""
    store._db.execute(f"PRAGMA query_only = {int(not may_write)}")


def first_action(room) -> str:
    return room.session.game.legal[0]


async def until(holds) -> None:
    for _ in range(600):
        if holds():
            return
        await asyncio.sleep(0.05)
    raise AssertionError("it did not happen")


async def test_more_games_than_are_kept_each_have_one_room(rooms):
    for _ in range(70):
        stored, listener = rooms.store.add(PEOPLE), Subscriber(COMMUNIST)
        room = rooms.of(stored)
        room.join(listener)
        assert rooms.of(stored) is room
    rooms.of(stored).enter(COMMUNIST, first_action(room))
    assert messages(listener)[-1]["at"] == 1


async def test_live_connections_of_a_seat_are_limited(rooms):
    room = rooms.of(rooms.store.add(PEOPLE))
    with pytest.raises(BadRequest, match="open 8 times already"):
        for _ in range(9):
            room.join(Subscriber(0))
    room.join(Subscriber(1))


# --- a full disk -----------------------------------------------------------------------------------------


async def test_a_move_that_cannot_be_kept_is_not_made(rooms):
    stored = rooms.store.add(PEOPLE)
    room = rooms.of(stored)
    before = room.session.game.copy()
    writable(rooms.store, False)
    with pytest.raises(StoreError, match="^games.sqlite cannot be written: "):
        room.enter(COMMUNIST, first_action(room))
    assert room.session.game == before and room.session.journal == []
    writable(rooms.store, True)
    for _ in range(5):
        room.enter(room.session.actor, first_action(room))
    assert Session(PEOPLE, rooms.store.journal(stored.id)).game == room.session.game != before


async def test_an_opponent_does_not_forfeit_on_a_full_disk(rooms):
    stored = rooms.store.add(Setting(7, STANDARD, ("random", "random")))
    room = rooms.of(stored)
    writable(rooms.store, False)
    watcher = Subscriber(-1)
    room.join(watcher)
    await until(lambda: not room._thinking)
    assert not room.session.over
    assert room.session.journal == rooms.store.journal(stored.id)
    assert "games.sqlite cannot be written" in messages(watcher)[-1]["text"]
    writable(rooms.store, True)
    room.go_on()
    await until(lambda: room.session.over)
    assert room.session.outcome["reason"] != "forfeit"


# --- players ---------------------------------------------------------------------------------------------


async def test_a_server_that_ends_lets_nobody_forfeit(rooms, monkeypatch, caplog):
    """Also where a player answers, and the next is to think, after the end has begun."""
    may_answer = threading.Event()
    slow = function_player("slow", lambda view: may_answer.wait(60) and view.legal[0])
    monkeypatch.setattr(live_rooms, "make_player", lambda spec, seed: slow)
    games = [rooms.store.add(Setting(7, STANDARD, ("slow", "slow"))) for _ in range(4)]
    for stored in games:
        rooms.of(stored).go_on()
    await asyncio.sleep(0.3)
    threading.Timer(0.3, may_answer.set).start()
    await rooms.close()
    assert not [entry for stored in games for entry in rooms.store.journal(stored.id)] and not caplog.records


@pytest.mark.parametrize("error, has_traceback", [(KeyError("lost"), True), (PlayerFailure("no answer"), False)])
async def test_a_player_that_fails_forfeits_and_the_log_says_where(rooms, monkeypatch, caplog, error, has_traceback):
    def choose(view):
        raise error

    monkeypatch.setattr(live_rooms, "make_player", lambda spec, seed: function_player(spec, choose))
    room = rooms.of(rooms.store.add(Setting(7, STANDARD, (HUMAN, "failing"))))
    room.go_on()
    await until(lambda: room.session.over)
    assert room.session.outcome == {"result": "democrat", "reason": "forfeit"}
    (record,) = caplog.records
    assert "failing: " in record.message and ("in choose" in caplog.text) == has_traceback


async def test_few_players_stay_in_memory(rooms, monkeypatch):
    closed = []

    class Counted(RandomPlayer):
        def close(self):
            closed.append(self)

    monkeypatch.setattr(live_rooms, "make_player", lambda spec, seed: Counted(seed))
    held = []
    for _ in range(20):
        held.append(rooms.of(rooms.store.add(Setting(7, STANDARD, (HUMAN, "random")))))
        held[-1].join(Subscriber(0))
    await until(lambda: not any(room._thinking for room in held))
    assert len(closed) >= 16 and len(rooms._players._resting) == 4
    await rooms.close()
    assert len(set(map(id, closed))) == len(closed) >= 20


def test_players_learn_nothing_of_the_seed_of_their_game(tmp_path, monkeypatch):
    seeds = []
    monkeypatch.setattr(live_rooms, "make_player", lambda spec, seed: seeds.append(seed) or RandomPlayer(seed))

    path = tmp_path / "games.sqlite"
    with closing(GameDatabase(path)) as store:
        setting = Setting(2**63 - 1, STANDARD, ("random", "random"), ("space:Halle",))
        games = [store.add(setting) for _ in range(2)]
        assert games[0].secret != games[1].secret
    with closing(GameDatabase(path)) as store:
        again = store.by_replay(games[0].replay)
        assert again == games[0] and store.by_seat("") is None
        for stored in (*games, again):
            with live_rooms.SeatedPlayers().at(stored, 0), live_rooms.SeatedPlayers().at(stored, 1):
                pass
    assert seeds[:2] == seeds[4:] and len(set(seeds)) == 4


PLAYERS = (  # that come with the project, and the modes they play
    *((spec, MODES) for spec in ("random", "greedy", "heuristic", "search:sims=2")),
    ("pretrained", MODES[:1]),
)
GAMES = {"standard": {}, "bid": {"bid": True}, "family": {"mode": "family"}}


@pytest.mark.parametrize(
    "spec, kind",
    [(spec, kind) for spec, modes in PLAYERS for kind in GAMES if GAMES[kind].get("mode", MODES[0]) in modes],
)
def test_no_player_forfeits(spec, kind):
    """At both seats of whole games as the server asks them."""
    setting = Setting(3, GameOptions(**GAMES[kind]), (spec, spec))
    session = Session(setting)
    players = [SeatedPlayer(live_rooms.seat_player(spec, 5, seat), setting.game(), seat) for seat in range(SIDES)]
    while not session.over:
        view = View(session.game.state)
        action = players[session.actor].answer(view, session.decisions)
        session.enter(session.actor, view.texts[view.legal.tolist().index(action)])
    for one in players:
        one.end({}, session.decisions)
        one.player.close()


# --- threads ---------------------------------------------------------------------------------------------


@pytest.fixture
def gate(monkeypatch):
    """A gate at which hints wait, and players called ``slow``; others take the first legal action."""
    gate = threading.Event()

    def make(spec, seed):
        return function_player(spec, lambda view: (spec != "slow" or gate.wait(60)) and view.legal[0])

    monkeypatch.setattr(live_rooms, "make_player", make)
    monkeypatch.setattr(site, "hint", lambda view: {"waited": gate.wait(60)})
    yield gate
    gate.set()


async def opponent_answers(rooms) -> None:
    room = rooms.of(rooms.store.add(Setting(7, STANDARD, (HUMAN, "quick"))))
    room.go_on()
    await until(lambda: room.session.actor == DEMOCRAT)


async def test_opponents_do_not_wait_for_hints_of_which_a_game_has_one_at_a_time(rooms, gate):
    served, wishes = Site(rooms.store, (), ()), []
    for _ in range(4):
        room = rooms.of(rooms.store.add(Setting(7, STANDARD, ("quick", HUMAN))))
        wishes.append(asyncio.create_task(served.do(room, COMMUNIST, SeatMessage("hint", 0))))
    await opponent_answers(rooms)
    with pytest.raises(TooMany, match="still in the making"):
        await served.do(room, COMMUNIST, SeatMessage("hint", 0))
    gate.set()
    assert await asyncio.gather(*wishes) == [{"at": 0, "waited": True}] * 4
    assert await served.do(room, COMMUNIST, SeatMessage("hint", 0))
    served.advisers.shutdown()


async def test_opponents_of_people_do_not_wait_for_games_of_programs(rooms, gate):
    shows = [rooms.of(rooms.store.add(Setting(7, STANDARD, ("slow", "slow")))) for _ in range(4)]
    for room in shows:
        room.go_on()
    await opponent_answers(rooms)
    assert not any(room.session.journal for room in shows)
    gate.set()
    await until(lambda: all(room.session.over for room in shows))

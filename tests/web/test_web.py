"""The server of the browser game: by scripted clients, without a browser."""

import html
import json
import random
import re
import threading
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from dawn_agents.frontends.web import replays
from dawn_agents.frontends.web.game_session import HUMAN, UNDO, Session, Setting
from dawn_agents.frontends.web.new_games import find_result, offers
from dawn_agents.players.registry import make_player
from dawn_agents.tournaments.entrants import enter
from dawn_agents.tournaments.match import Pairing, play_games
from dawn_agents.tournaments.reporting.html_page import page
from dawn_agents.tournaments.result_database import ResultDatabase as Results
from dawn_agents.tournaments.strength.rating_scale import read_scale
from dawn_agents.tournaments.tournament_page import sections
from dawn_agents.tournaments.tournament_report import make_report
from hidden_cards import random_positions
from random_records import golden, random_game
from tables import table
from web_server import DEADLINE, act, message_bytes, next_state, serving

from dawn_env.actions import ACTIONS
from dawn_env.errors import IllegalAction
from dawn_env.events import EventObserver
from dawn_env.formats.game_record import record_from_actions, to_line
from dawn_env.formats.position_file import to_json
from dawn_env.game import Game
from dawn_env.options import STANDARD, GameOptions
from dawn_env.tables import SCORES, SIDE_NAMES, SIDES, SPACE_ID, STABILITY
from dawn_env.views.choice_costs import CHECK_PARTS, assess, check_sum

SETTING = Setting(7, STANDARD, (HUMAN, HUMAN))


# --- what a side is told -----------------------------------------------------------------------------


def test_a_check_is_told_part_by_part():
    """It moves as many support points as was told for its die (where nothing else follows at once)."""
    rng = random.Random(4)
    game, seen = Game(7), 0
    while not game.over and seen < 40:
        if game.decision == "check":
            spaces = [text for text in game.legal if text.startswith("space:")]
            target, seen = rng.choice(spaces), seen + len(spaces)
            space, side, before, frame = SPACE_ID[target[6:]], game.actor, game.state.support.copy(), game.state.depth
            parts = check_sum(assess(game.state, side), space)["parts"]
            assert all(of in CHECK_PARTS for of, _ in parts)
            game.step(target)
            if game.decision == "check" and game.actor == side and game.state.depth == frame:
                (die,) = game.chance["dice"]
                changed = game.state.support[:, space] - before[:, space]
                total = die + sum(number for _, number in parts)
                assert changed[side] - changed[1 - side] == max(0, total - 2 * STABILITY[space])
        else:
            game.step(rng.choice(game.legal))


@pytest.mark.parametrize("seed", [5, 13])  # with Common European Home, with and without a card beside it
def test_an_event_is_said_to_occur_exactly_when_the_rules_offer_it(seed):
    rng, game, seen = random.Random(seed), Game(seed), set()
    while not game.over:
        source = int(game.state.frames[game.state.depth - 1].source)
        if game.decision == "use" and SCORES[source] < 0:
            offered = {"event", "opponent-event"} & set(game.legal)
            assert bool(offered) == assess(game.state, game.actor).occurs[source], (source, game.legal)
            seen.add(source)
        game.step(rng.choice(game.legal))
    assert len(seen) > 15


# --- a session ---------------------------------------------------------------------------------------


def test_a_session_is_made_anew_from_its_journal():
    rng, session = random.Random(1), Session(SETTING)
    for _ in range(70):
        if session.over:
            break
        wish = UNDO if session.can_undo(session.actor) and rng.random() < 0.3 else rng.choice(session.game.legal)
        session.enter(session.actor, wish)
    assert any(text == UNDO for _, text in session.journal)
    again = Session(SETTING, session.journal)
    assert again.game == session.game and again.logs == session.logs
    assert [message_bytes(again, side) for side in range(SIDES)] == [message_bytes(session, s) for s in range(SIDES)]


def test_undo_takes_back_what_taught_nothing_and_nothing_else():
    session = Session(SETTING)
    side, before = session.actor, message_bytes(session, session.actor)
    assert not session.can_undo(side)
    session.enter(side, session.game.legal[0])
    assert session.can_undo(side)
    session.enter(side, UNDO)
    told = session.tell(side) | {"at": 0}
    assert json.dumps(told).encode() == before
    with pytest.raises(IllegalAction, match="nothing can be taken back"):
        session.enter(side, UNDO)


# --- over the wire ------------------------------------------------------------------------------------


def test_who_watches_sees_what_is_open_and_takes_no_part(server):
    links = server.new_game("human", "human")
    watch, seat = links["watch"], links["seats"]["communist"]
    _, state = server.ask(f"/api{seat}")  # once the server is ready for games
    with server.live(watch) as live:
        before = json.loads(live.recv(30))
        assert f"/watch/{state['watch']}" == watch
        server.ask(f"/api{seat}", {"type": "act", "at": 0, "action": state["ask"]["legal"][0]})
        after = json.loads(live.recv(30))
        assert after["support"] != before["support"] and after["log"]
        assert 0 < len(after["changes"]["spaces"]) < 10
    for wish in ({"type": "resign"}, {"type": "hint", "at": 0}, {"type": "hurry"}):
        status, answer = server.ask(f"/api{watch}", wish)
        assert status == 400 and "has no part" in answer["text"]
    assert server.ask("/api/watch/nothing")[0] == 404
    status, answer = server.ask(f"/api{links['replay']}")
    assert status == 404 and "goes on" in answer["text"]
    server.ask(f"/api{seat}", {"type": "resign"})
    assert server.ask(f"/api{watch}")[1]["over"] == {"result": "democrat", "reason": "resignation"}
    status, refused = server.ask(f"/api{links['seats']['democrat']}", {"type": "resign"})
    assert status == 400 and refused["text"] == "the game is over"
    assert server.ask(f"/api{links['replay']}")[1]["length"] == 1


BAD_MESSAGES = [
    *table(Path(__file__).with_name("bad_messages.txt")),
    (json.dumps({"type": "act", "at": 0, "action": "x" * 5000}), "at most"),
    ('{"type": ' + "[" * 200 + "]" * 200 + "}", "within each other"),
]


@pytest.mark.parametrize(("message", "problem"), BAD_MESSAGES, ids=range(len(BAD_MESSAGES)))
def test_bad_messages_get_a_line_and_the_game_goes_on(server, message, problem):
    with server.live(server.seat("communist")) as live:
        state = next_state(live)
        live.send(message)
        answer = json.loads(live.recv(10))
        assert answer["type"] == "error" and problem in answer["text"] and "\n" not in answer["text"]
        act(live, state, state["ask"]["legal"][0])
        assert next_state(live)["at"] == 1


BAD_FILES = {
    b"\x00\xff\x13": "record",
    b"SQLite format 3\0" + b"x" * 500: "database",
    b'{"frames": []}': "turn: missing",
    '{"frames": []}'.encode("utf-16"): "",
    b"{}": "or database of a tournament's results (line 1: version None",
    b'{"turn": 1}': "position",
    b"": "this file is empty",
}


@pytest.mark.parametrize(("asked", "expected"), table(Path(__file__).with_name("bad_requests.txt")))
def test_bad_requests_get_a_line(server, asked, expected):
    path, _, body = asked.partition(" ")
    check_refusal(server.ask(path, json.loads(body)), *expected.split(" ", 1))


@pytest.mark.parametrize(("contents", "problem"), BAD_FILES.items(), ids=range(len(BAD_FILES)))
def test_files_that_cannot_be_opened_get_a_line(server, contents, problem):
    check_refusal(server.ask("/api/shelves", contents), "400", problem)


def check_refusal(answered: tuple[int, dict], status: str, problem: str) -> None:
    assert answered[0] == int(status) and problem in answered[1]["text"] and "/tmp" not in answered[1]["text"]


# --- records -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("slow", ["server.records_of", "game_database.GameDatabase.add_shelf"])
def test_files_that_take_long_to_read_or_write_do_not_hold_up_the_server(server, monkeypatch, slow):
    at_work, may_end, record = [], threading.Event(), to_line(random_game(1)).encode()

    def work(*_):
        at_work.append(1)
        may_end.wait(DEADLINE)
        return []

    monkeypatch.setattr(f"dawn_agents.frontends.web.{slow}", work)
    with ThreadPoolExecutor(45) as clients:
        uploads = [clients.submit(server.ask, "/api/shelves", record) for _ in range(45)]
        time.sleep(1)
        with urllib.request.urlopen(server.address, timeout=DEADLINE) as answer:
            assert answer.status == 200 and 1 <= len(at_work) <= 2
        may_end.set()
    assert {upload.result()[0] for upload in uploads} == {400 if slow == "server.records_of" else 200}


def test_records_are_opened_and_replayed(server):
    names = {"D": "<b>bold</b>", "C": "other\x1b"}
    lines = "".join(to_line(random_game(seed, names=names)) + "\n" for seed in (1, 2))
    status, opened = server.ask("/api/shelves?title=two", lines.encode())
    assert status == 200 and opened["games"] == 2
    token = opened["shelf"].rsplit("/", 1)[1]
    _, listing = server.ask(f"/api/shelves/{token}")
    assert listing["size"] == 2 and listing["games"][0]["players"] == names
    assert server.ask(f"/api/replay/{token}.1")[1]["length"] == listing["games"][1]["length"]
    assert server.ask(f"/api/replay/{token}.1/record") == (200, json.loads(lines.splitlines()[1]))
    damaged = lines.replace("space:", "spice:", 1)
    token = server.shelf(damaged.encode())
    status, answer = server.ask(f"/api/replay/{token}.0")
    assert status == 400 and "decision 1" in answer["text"]


def test_a_replay_is_read_once_and_says_how_far_it_is_where_that_takes_long(server, monkeypatch):
    """Whoever asks comes again until it has been read; nobody's coming makes it start anew."""
    go_on, begun = threading.Event(), []
    server.ask("/api/lesson/1")  # so that the rules are ready

    class Slow(EventObserver):
        def see(self, *step):
            begun.append(step)
            assert len(begun) <= 20 or go_on.wait(DEADLINE)
            return super().see(*step)

    monkeypatch.setattr(replays, "EventObserver", Slow)
    record = golden(3)
    record = record_from_actions(record["seed"], record["decisions"][:40])
    path = f"/api/replay/{server.shelf(record)}.0?viewer=democrat"
    for _ in range(2):
        status, answer = server.ask_once(path)
        assert status == 503 and answer["type"] == "preparing" and answer["title"] == "Reading the game"
    assert answer["share"] == 0.5
    go_on.set()
    found = [server.ask(path)[1] for _ in range(2)]
    assert found[0]["log"] == found[1]["log"] and [number for number, _ in found[0]["log"]][-1] == 40
    assert len(begun) == 40


def test_the_replay_of_a_game_that_goes_on_is_read_on():
    """It is the same as one that is read at once."""
    record = random_game(6, {"bid": True})
    setting = Setting(record["seed"], GameOptions.of(record["options"]), ("random", "random"))
    whole, growing = (replays.Replay(setting, record["decisions"][:end]) for end in (200, 1))
    for end in (2, 5, 6, 90, 200):
        growing.extend(record["decisions"][:end])
        for viewer in (None, *range(SIDES)):
            growing.log(viewer)
    for viewer in (None, *range(SIDES)):
        assert growing.log(viewer) == whole.log(viewer)
    assert growing.course() == whole.course() and growing.tell(150, 1) == whole.tell(150, 1)


@pytest.mark.parametrize("options", [{}, {"mode": "family"}], ids=["standard", "family"])
def test_a_position_is_looked_at_and_gone_on_with(server, options):
    """As it was copied from a replay, and as position files have it."""
    game = next(game for game in random_positions(3, 1, options) if game.state.turn > 1 and game.decision == "card")
    for contents in (game.to_json(), json.dumps(to_json(game.state))):
        address = f"{server.shelf(contents.encode())}.0"
        _, about = server.ask(f"/api/replay/{address}")
        assert about["length"] == 0 and not about["running"] and about["over"] is None
        _, told = server.ask(f"/api/replay/{address}/0")
        assert told["support"] == game.state.support.tolist() and told["decision"] == "card"
        _, copied = server.ask(f"/api/replay/{address}/0/state")
        assert copied["support"] == game.state.support.tolist()
        status, refused = server.ask(f"/api/replay/{address}/record")
        assert status == 400 and "no record" in refused["text"]
        seat = server.seat_at(address.removesuffix(".0"), 0, SIDE_NAMES[game.actor])
        _, state = server.ask(f"/api{seat}")
        assert set(state["ask"]["legal"]) == set(game.legal)
        status, after = server.ask(f"/api{seat}", {"type": "act", "at": 0, "action": game.legal[0]})
        assert status == 200 and after["at"] == 1


def results_at(path: Path, **options) -> Path:
    """A database with the two games of a pair."""
    one, two = make_player("random"), make_player("heuristic")
    with Results.create(path, GameOptions(**options)) as results:
        results.add_players(enter(["random", "heuristic"]))
        results.add(game for _, game in play_games([Pairing(5, one, two), Pairing(5, two, one)], options=options))
    return path


@pytest.fixture(scope="module")
def results_file(tmp_path_factory) -> Path:
    return results_at(tmp_path_factory.mktemp("results") / "results.sqlite")


def test_a_database_of_results_is_opened(server, results_file):
    token = server.shelf(results_file.read_bytes())
    assert [server.ask(f"/api/replay/{token}.{number}")[0] for number in range(3)] == [200, 200, 404]


def test_every_game_of_a_report_links_to_its_replay(tmp_path, results_file):
    with serving(tmp_path / "games.sqlite", results=[results_file]) as server, Results(results_file) as results:
        text = page("", [], sections(make_report(results.games(), results.players())))
        links = [html.unescape(link) for link in re.findall(r'href="([^"]*/game[^"]*)"', text)]
        assert len(links) == 2
        for link in links:
            with urllib.request.urlopen(link.replace("http://127.0.0.1:1989", server.address)) as answer:
                assert "/replay/" in answer.url and answer.status == 200
            assert server.ask(f"/api/replay/{answer.url.rsplit('/', 1)[1]}")[1]["length"] > 20
        status, answer = server.ask("/game?seed=6&democrat=random&communist=heuristic")
        assert status == 404 and answer["text"].startswith("no such game in the databases")


def test_the_games_of_a_pair_with_a_bid_are_told_apart(tmp_path):
    path = results_at(tmp_path / "bids.sqlite", bid=True)
    with Results(path, read_only=True) as results:
        games = list(results.outcomes())
    for game in games:
        found = find_result([path], game.seed, *game.players, game.first)
        assert found["decisions"] == [ACTIONS[action] for action in game.actions]


# --- players ------------------------------------------------------------------------------------------


def test_the_players_on_offer_are_those_of_the_standing_scale():
    assert [offer["spec"] for offer in offers()] == read_scale().names
    ratings = [offer["rating"] for offer in offers()]
    assert ratings == sorted(ratings) and ratings[0] == 0

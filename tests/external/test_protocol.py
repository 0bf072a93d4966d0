"""The protocol of programs: what they are told, clocks, and the notation of worlds."""

import json
import re
import shutil
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from bots import write_bot
from dawn_agents.commands import check_bot, tournament
from dawn_agents.commands import data as data_command
from dawn_agents.commands.check_bot import Checks
from dawn_agents.frontends.terminal.undoable_game import UndoableGame
from dawn_agents.players.external.protocol_messages import PROTOCOL
from dawn_agents.players.registry import make_player
from dawn_agents.players.specification import BadSpec
from dawn_agents.tournaments.match import Pairing, play_games
from dawn_agents.tournaments.result_database import ResultDatabase
from hidden_cards import random_positions
from paths import ROOT

from dawn_env.errors import MalformedPosition
from dawn_env.events import EventFeed
from dawn_env.formats.determinization import game_of_world, world_text
from dawn_env.formats.printed_data import printed_data, printed_name
from dawn_env.game import Game
from dawn_env.observation import SLICES
from dawn_env.observation.player_view import View
from dawn_env.options import STANDARD
from dawn_env.players import RandomPlayer
from dawn_env.tables import COMMUNIST, COUNTRIES, DEMOCRAT, SIDE_NAMES

GAMES = ({}, {"bid": True}, {"mode": "family"})
EXAMPLE = ROOT / "docs/examples/bot.js"
node = pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")

LOGGED = """
log = open(LOG, "a")
bot.update(SAYS)
def heard(command):
    print(json.dumps(command), file=log, flush=True)
    if command["command"] == "bid":
        say({"offer": {"side": "democrat", "points": 1}})
"""


class Bot:
    """A program, the player that it is, and the lines it was told."""

    def __init__(self, folder: Path, says: dict, changes: str, settings: str):
        self.log = folder / "log"
        logged = LOGGED.replace("LOG", repr(str(self.log))).replace("SAYS", repr(says))
        self.player = make_player(write_bot(folder / "bot.py", logged + changes, settings), seed=3)

    def told(self, command: str | None = None) -> list[dict]:
        """All commands that it was told, or those of a name."""
        lines = [json.loads(line) for line in self.log.read_text().splitlines()]
        return [line for line in lines if command in (None, line["command"])]

    def play(self, seed: int, side: int = DEMOCRAT, options=STANDARD):
        """The outcome of a game against random."""
        rival = make_player("random", seed=5)
        players = (self.player, rival) if side == DEMOCRAT else (rival, self.player)
        ((_, outcome),) = play_games([Pairing(seed, *players)], options=options)
        self.player.close()
        return outcome


@pytest.fixture
def bot(tmp_path):
    """A function that makes a ``Bot`` of what it says of itself, changes in Python and settings before its command."""
    made = []

    def make(says: dict | None = None, changes: str = "", settings: str = "") -> Bot:
        folder = tmp_path / str(len(made))
        folder.mkdir()
        made.append(Bot(folder, says or {}, changes, settings))
        return made[-1]

    yield make
    for one in made:
        one.player.close()


# --- what a program is told ----------------------------------------------------------------------------


SCHEMA = json.loads((ROOT / "docs/reference/protocol.schema.json").read_text())


def fits(message: dict) -> bool:
    """Return True if a message is as the schema of the protocol says."""
    schemas = pytest.importorskip("jsonschema", reason="jsonschema is not installed")
    return schemas.Draft202012Validator(SCHEMA).is_valid(message)


class Board:
    """What can be told of a game from its events alone."""

    def __init__(self):
        self.support: dict[tuple[str, str], int] = {}
        self.vp, self.power = 0, dict.fromkeys(COUNTRIES, "communist")

    def apply(self, events: list[dict]) -> None:
        for event in events:
            if event["event"] == "support":
                for side in set(event) & set(SIDE_NAMES):
                    before, after = event[side]
                    assert before == self.support.get((side, event["space"]), before)
                    self.support[side, event["space"]] = after
            elif event["event"] == "vp":
                assert self.vp + event["by"] == event["vp"]
                self.vp = event["vp"]
            elif event["event"] == "power":
                self.power[event["country"]] = event["side"]

    def check(self, position: dict) -> None:
        mine = SIDE_NAMES.index(position["side"])
        view, sides = position["view"], (SIDE_NAMES[mine], SIDE_NAMES[1 - mine])
        for side, part in zip(sides, ("my_support", "their_support"), strict=True):
            for (owner, space), points in self.support.items():
                assert owner != side or view[part].get(space, 0) == points, (space, position["decision"])
        assert view["vp"] == (self.vp if mine == DEMOCRAT else -self.vp)
        if "power" in view:
            held = {country: sides[0 if value > 0 else 1] for country, value in view["power"].items()}
            assert held == self.power


@pytest.mark.parametrize("options", GAMES, ids=["standard", "bid", "family"])
def test_events_tell_all_that_changes_on_the_board(bot, options):
    program = bot({"wants": ["world"]})
    outcome = program.play(11, COMMUNIST, options)
    assert not outcome.failure
    board, kinds = Board(), set()
    for line in program.told():
        assert fits(line), line
        board.apply(line.get("events", []))
        kinds |= {event["event"] for event in line.get("events", [])}
        if line["command"] == "position":
            board.check(line)
            assert game_of_world(line["world"]).legal == sorted(line["legal"])
    (end,) = program.told("end-game")
    assert end["events"] and board.vp == outcome.vp == end["vp"]
    assert kinds >= {"decision", "support", "vp"}
    assert ("offer" in kinds) == ("sides" in kinds) == bool(options.get("bid"))
    for before, now in pairwise(program.told("position")):
        own = now["events"][0]
        assert (own["event"], own["who"], own["action"]) == ("decision", before["side"], before["legal"][0])


def test_printed_data_are_named_or_carried(bot, capsys):
    named, carried = bot(), bot({"wants": ["data", "something else"]})
    for program in (named, carried):
        program.player.begin_game(DEMOCRAT, STANDARD)
        program.player.close()
    (told,), (all_told,) = named.told("new-game"), carried.told("new-game")
    assert told["data"] == printed_name() and told["protocol"] == 2
    assert all_told["data"] == printed_data() and printed_data().items() >= printed_name().items()
    assert data_command.main([]) == 0
    assert json.loads(capsys.readouterr().out) == all_told["data"]
    data = printed_data()
    assert len(data["spaces"]) == 75 and len(data["cards"]) == 110
    assert sum(face["copies"] for face in data["struggle_cards"]) == 52
    assert [card["scores"] for card in data["cards"] if card["number"] == 22] == ["Poland"]
    assert all(card["text"] for card in data["cards"])


# --- clocks ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["0", "+2", "300+", "1e3", "-5", "300+2+1", "inf", "300+x"])
def test_other_clocks_are_refused(text):
    with pytest.raises(BadSpec, match="clock: seconds, such as 300"):
        make_player(f"process:clock={text},cat")


def test_the_clock_is_told_and_runs_in_each_game_anew(bot):
    slow = "def play(position):\n    time.sleep(0.02)\n    say({'action': position['legal'][0]})"
    program, view = bot(changes=slow, settings="seconds=8,clock=30+0.5,"), View(Game(1).state)
    for _ in range(2):
        program.player.begin_game(COMMUNIST, STANDARD)
        for _ in range(2):
            program.player.choose(view)
    first, after, new, _ = (line["clock"]["left"] for line in program.told("go"))
    assert first == new == 30 and first < after < 30.5 - 0.019
    assert {(line["seconds"], line["clock"]["increment"]) for line in program.told("go")} == {(8.0, 0.5)}


def test_a_flag_that_falls_loses_the_game_and_is_kept_with_the_results(bot, tmp_path):
    slow = """
def play(position):
    time.sleep(60 if position["decision"] == "card" else 0)
    say({"action": position["legal"][0]})"""
    program, db = bot(changes=slow, settings="clock=0.4,"), tmp_path / "results.db"
    words = ["--players", "random", program.player.name, "--pairs", "1", "--no-luck"]
    assert tournament.main([*words, "--workers", "1", "--db", str(db)]) == 0
    with ResultDatabase(db) as store:
        games = store.games()
        assert [(game.reason, game.points[game.players.index("random")]) for game in games] == [("forfeit", 1)] * 2
        assert all(game.failure.endswith("lost on time: its clock of 0.4 ran out") for game in games)
        assert {player["declared"] for player in store.players().values()} == {"", "first 1"}
    assert program.told("go")[-1]["seconds"] <= 0.4


def test_the_limit_of_a_decision_holds_beside_the_clock(bot):
    program = bot(changes="def play(position):\n    time.sleep(60)", settings="seconds=0.3,clock=30,")
    assert program.play(4).failure.endswith("gave no answer to 'go' within 0.3 s")


# --- worlds ------------------------------------------------------------------------------------------------


def test_a_world_is_the_position_as_its_side_knows_it():
    for game in random_positions(6, 25):
        view = View(game.state)
        dealt = game_of_world(world_text(view))
        assert (View(dealt.state).observation == view.observation).all() and (dealt.mask == view.mask).all()
        assert (dealt.redeal(dealt.actor, 9).to_bytes()) == view.deal(np.array([9]))[0].tobytes()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda text: None, "a text as in the key world"),
        (lambda text: "", "a text as in the key world"),
        (lambda text: "00000000:" + text.partition(":")[2], "fields are '00000000', but "),
        (lambda text: text[:-9] + "!" + text[-8:], "damaged"),
        (lambda text: text.partition(":")[0] + ":eJwDAAAAAAE=", "2344 bytes, not 0"),
    ],
)
def test_what_is_no_world_is_refused(change, words):
    with pytest.raises(MalformedPosition, match=words):
        game_of_world(change(world_text(View(Game(1).state))))


# --- whoever plays games tells those who follow -----------------------------------------------------------


def test_who_fails_at_what_they_hear_forfeits():
    class Deaf(RandomPlayer):
        wants_events = True

        def on_events(self, events):
            raise RuntimeError("what?")

    pairings = [Pairing(seed, Deaf(seed), make_player("random", 5)) for seed in (1, 2)]
    outcomes = [outcome for _, outcome in play_games(pairings)]
    assert [(game.reason, game.failure) for game in outcomes] == [("forfeit", "RuntimeError: what?")] * 2


def test_an_opponent_at_the_table_is_not_told_what_was_taken_back():
    table = UndoableGame(3, COMMUNIST, "random")
    table.step("space:Rostock")
    assert table.can_undo
    assert [event["event"] for event in EventFeed(Game(3), DEMOCRAT).news(table.decisions)] == ["decision", "support"]
    table.undo()
    feed = EventFeed(Game(3), DEMOCRAT)
    table.step("space:Rostock")
    table.undo()
    table.step("space:Schwerin")
    told = [event["action"] for event in feed.news(table.decisions) if event["event"] == "decision"]
    assert told == ["space:Schwerin"] and feed.news(table.decisions) == []


# --- the example in JavaScript -------------------------------------------------------------------------------


@node
def test_the_bot_in_javascript_passes_the_checker(capsys):
    assert check_bot.main(["--games", "1", "--mode", "family", "node", str(EXAMPLE)]) == 0
    said = capsys.readouterr().out
    assert "8 of 8 checks passed" in said and "protocol 2" in said and "events told" in said


ORDERLY = """
def heard(command):
    global before
    if command["command"] == "bid":
        say({"offer": {"side": "democrat", "points": 3}})
    assert command["command"] != "new-game" or before == "bid"
    assert command["command"] != "position" or command["events"] and not command["decision"].startswith("offer")
    before = command["command"]
"""


def test_the_checker_bids_before_each_game_as_matches_do(tmp_path, monkeypatch):
    monkeypatch.setattr(check_bot, "CHECKS", (Checks.hello, Checks.broken_off, Checks.quit, Checks.end_of_input))
    assert check_bot.main(["--bid", write_bot(tmp_path / "bot.py", ORDERLY).removeprefix("process:")]) == 0


@node
@pytest.mark.parametrize("options", GAMES, ids=["standard", "bid", "family"])
def test_the_example_in_javascript_beats_random(options):
    bot, points = make_player(f"process:node {EXAMPLE}", seed=3), 0.0
    pairings = [Pairing(5, bot, make_player("random", 1)), Pairing(5, make_player("random", 1), bot)]
    for _, outcome in play_games(pairings, options=options):
        assert not outcome.failure
        points += outcome.points[outcome.players.index(bot.name)]
    bot.close()
    assert points == 2


# --- the document --------------------------------------------------------------------------------------------


def listed(text: str) -> set[str]:
    """Names in the first column of tables."""
    return set(re.findall(r"`([a-z-]+)`", "".join(re.findall(r"^\| (`[a-z`, -]+) \|", text, re.M))))


def test_the_document_shows_the_messages():
    text = (ROOT / "docs/reference/protocol.md").read_text()
    lines = re.findall(r"^[<>] (.*)$", text.partition("## A transcript")[2], re.M)
    transcript = [json.loads(line) for line in lines]
    assert len(transcript) == 12 and all(fits(message) for message in transcript)
    assert transcript[2]["data"] == printed_name() and transcript[0]["protocol"] == PROTOCOL
    commands, _, events = text.partition("## Commands")[2].partition("## Events")
    code = (ROOT / "agents/dawn_agents/players/external/process_player.py").read_text()
    asked = re.findall(r"\.(?:tell|ask)\(\"([a-z-]+)\"", code)
    assert len(asked) > 5 and listed(commands) >= {*asked}
    assert listed(events) >= {*SCHEMA["$defs"]["event"]["properties"]["event"]["enum"]}
    assert all(message.get("view", {}).keys() <= SLICES.keys() for message in transcript)
    for key in printed_data():
        assert f"`{key}`" in text
    for wrong in ({}, {"command": "go"}, {"action": ""}, {"command": "hello", "protocol": 1}, {"offer": {"side": "x"}}):
        assert not fits(wrong)

"""The game as tools of the Model Context Protocol, asked by the client of its SDK, over pipes and HTTP as well."""

import asyncio
import json
import os
import random
import re
import subprocess
import sys
import urllib.error
import urllib.request
from contextlib import closing

import numpy as np
import pytest
from hidden_cards import swap_hidden_cards
from paths import ROOT

pytest.importorskip("mcp", reason="mcp not installed")

from dawn_agents.frontends.tool_server import tools
from dawn_agents.frontends.tool_server.hosted_game import HostedGame
from dawn_agents.frontends.tool_server.tools import GameTable, make_server
from mcp import Client, StdioServerParameters
from mcp.shared.exceptions import MCPError

from dawn_env.errors import GameOver, IllegalAction
from dawn_env.formats.game_record import read_records, verify
from dawn_env.game import Game
from dawn_env.options import STANDARD
from dawn_env.players import RandomPlayer, ViewPlayer
from dawn_env.views.text_reading import answers_of
from dawn_env.views.view_facts import card_facts
from dawn_env.views.view_text import DETAILS

TOOLS = {"new_game", "look", "legal_actions", "act", "card", "rules", "resign", "record"}


def asked(play, server, **settings):
    """Result of ``play``, a coroutine function of a client of ``server``."""

    async def run():
        async with Client(server, **settings) as client:
            return await play(client)

    return asyncio.run(run())


async def said(client, tool, **arguments):
    """Text of an answer that is no error."""
    answer = await client.call_tool(tool, arguments)
    (content,) = answer.content
    assert not answer.is_error, content.text
    return content.text


async def refused(client, tool, **arguments):
    """Text of an answer that is an error."""
    answer = await client.call_tool(tool, arguments)
    (content,) = answer.content
    assert answer.is_error, content.text
    return content.text


async def whole_game(client, seed=1, most=10_000, **wanted):
    """Play a game at random by what the texts say; the name of the game, the last text and the number of answers."""
    chooser, count = random.Random(seed), 0
    text = await said(client, "new_game", **wanted)
    name = re.match(r"Game (\w+)\n", text)[1]
    while "The game is over" not in text and count < most:
        text, count = await said(client, "act", game=name, action=chooser.choice([*answers_of(text)])), count + 1
    return name, text, count


@pytest.fixture
def table():
    with closing(GameTable(["random", "heuristic"], seed=7)) as table:
        yield table


@pytest.mark.parametrize("mode", ["standard", "family"])
def test_a_whole_game_by_its_words_alone(tmp_path, mode):
    records = tmp_path / "games.jsonl"
    with closing(GameTable(["random"], records, seed=7)) as table:

        async def play(client):
            name, text, count = await whole_game(client, opponent="random", side="communist", mode=mode)
            over = await refused(client, "act", game=name, action="pass")
            return text, count, over, json.loads(await said(client, "record", game=name))

        text, count, over, record = asked(play, make_server(table))
    assert count > 20 and "the game is over" in over
    verify(record)
    assert [record] == list(read_records(records)) and record["result"] != "running"
    assert record["players"] == {"D": "random", "C": "caller"} and record["options"]["mode"] == mode


def test_tools_and_what_they_tell(table):
    async def play(client):
        assert {tool.name for tool in (await client.list_tools()).tools} == TOOLS
        text = await said(client, "new_game", side="communist", opponent="random")
        name, game = re.match(r"Game (\w+)\n", text)[1], Game(table._seeds(0)[0])
        assert text == f"Game {name}\n{game.view(1).text()}"
        assert await said(client, "look", game=name, detail="full") == game.view(1).text("full")
        assert json.loads(await said(client, "look", game=name, detail="json")) == json.loads(game.view(1).to_json())
        answers = json.loads(await said(client, "legal_actions", game=name))
        assert [answer["action"] for answer in answers] == game.view(1).texts
        assert json.loads(await said(client, "card", number=31)) == card_facts(31)
        assert (await said(client, "rules", chapter="check")).startswith("Support check: Die +")
        assert (await said(client, "rules")).startswith("Goal: ") and name in table._games
        assert "running; its record tells all hidden cards" in await refused(client, "record", game=name)
        over = "The game is over. You lost: resignation by the Communist."
        assert await said(client, "resign", game=name) == await said(client, "look", game=name) == over
        assert await said(client, "legal_actions", game=name) == "[]"
        assert json.loads(await said(client, "record", game=name))["seed"] == table._seeds(0)[0]

    asked(play, make_server(table))


def test_wrong_calls_are_explained_and_change_nothing(table):
    async def play(client):
        name, _, _ = await whole_game(client, opponent="random", most=3)
        before = await said(client, "look", game=name)
        for tool, arguments, told in (
            ("act", {"game": name, "action": "space:Nowhere"}, "'space:Nowhere' is not legal at decision"),
            ("act", {"game": "x", "action": "pass"}, "no game is called 'x': new_game tells the name"),
            ("look", {"game": name, "detail": "deep"}, "detail"),
            ("card", {"number": 111}, "card: 1 ... 110 expected, not 111"),
            ("rules", {"chapter": "poker"}, "chapter"),
            ("new_game", {"opponent": "process:rm -rf /"}, "opponent: one of random, heuristic expected"),
            ("new_game", {"side": "king"}, "side"),
        ):
            assert told in await refused(client, tool, **arguments)
        assert await said(client, "look", game=name) == before

    asked(play, make_server(table))


@pytest.mark.parametrize("mode", ["standard", "family"])
def test_no_tool_tells_what_is_hidden(table, mode):
    offered, rng = {tool.__name__: tool for tool in tools._tools(table)}, np.random.default_rng(3)
    name, compared = table.begin("democrat", "random", mode), 0
    with table.game(name) as hosted:
        states = hosted.game.states

    def told():
        return [*(offered["look"](name, detail) for detail in (*DETAILS, "json")), offered["legal_actions"](name)]

    while not hosted.over:
        if hosted.game.state.decisions % 7 == 0:
            before, kept = told(), states.copy()
            swap_hidden_cards(hosted.game.state, hosted.side, rng)
            compared += (states != kept).any()
            assert told() == before
            states[:] = kept
        offered["act"](name, str(rng.choice(hosted.game.legal)))
    assert compared > 5


def test_resources(table):
    async def play(client):
        listed = {str(resource.uri) for resource in (await client.list_resources()).resources}
        (cards,) = (await client.read_resource("dawn://cards")).contents
        (card,) = (await client.read_resource("dawn://cards/31")).contents
        (terms,) = (await client.read_resource("dawn://glossary")).contents
        with pytest.raises(MCPError, match="card: 1 ... 110 expected, not '111'"):
            await client.read_resource("dawn://cards/111")
        return listed, json.loads(cards.text), json.loads(card.text), terms.text

    listed, cards, card, terms = asked(play, make_server(table))
    assert listed == {"dawn://cards", "dawn://glossary", "dawn://rules"}
    assert len(cards) == 110 and cards[30] == card == card_facts(31) and "Battleground: " in terms


def test_a_server_keeps_a_number_of_games_those_in_progress_longest(table, monkeypatch):
    monkeypatch.setattr(tools, "MOST_GAMES", 3)
    first, second, third = (table.begin("democrat", "random", "family") for _ in range(3))
    with table.game(second) as game:
        game.resign()
    fourth = table.begin("democrat", "random", "family")
    assert [*table._games] == [first, third, fourth]
    table.begin("democrat", "random", "family")
    assert first not in table._games


class Failing(ViewPlayer):
    """Fails at its first decision."""

    closed = 0

    def choose(self, view):
        raise RuntimeError("no idea")

    def close(self):
        self.closed += 1


def test_an_opponent_that_fails_forfeits():
    player = Failing()
    game = HostedGame(7, 0, player, STANDARD)  # the Communist begins
    assert (
        game.result == "democrat"
        and player.closed == 1
        and game.outcome() == "You won: forfeit by the Communist (RuntimeError: no idea)"
    )
    with pytest.raises(GameOver):
        game.act("pass")
    assert game.record()["decisions"] == []


def test_events_are_told_since_the_own_latest_decision():
    game = HostedGame(7, 1, RandomPlayer(1), STANDARD)
    game.act("space:Berlin")
    assert game.happened() and game.facts()["events"]
    with pytest.raises(IllegalAction):
        game.record()


# --- as a program ----------------------------------------------------------------------------------

VARIABLES = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, (ROOT, ROOT / "agents")))}
COMMAND = [sys.executable, "-m", "dawn_agents", "mcp"]


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_over_pipes(tmp_path, mode):
    started = StdioServerParameters(command=COMMAND[0], args=COMMAND[1:], env=VARIABLES, cwd=tmp_path)
    name, text, count = asked(lambda client: whole_game(client, opponent="random", most=3), started, mode=mode)
    assert count == 3 and "Decide:" in text and len(name) == 16


def test_over_http_on_this_machine_alone(tmp_path):
    program = subprocess.Popen(
        [*COMMAND, "--http", "0"], stdout=subprocess.PIPE, text=True, cwd=tmp_path, env=VARIABLES
    )
    try:
        address = re.search(r"http://127\.0\.0\.1:\d+/mcp", program.stdout.readline())[0]
        name, text, count = asked(lambda client: whole_game(client, opponent="random", most=3), address)
        assert count == 3 and "Decide:" in text
        stranger = urllib.request.Request(
            address, b"{}", {"Host": "stranger.example", "Content-Type": "application/json"}
        )
        with pytest.raises(urllib.error.HTTPError, match="421"):  # a page of a stranger whose name leads here
            urllib.request.urlopen(stranger, timeout=30)
    finally:
        program.terminate()
        assert program.wait(30) is not None

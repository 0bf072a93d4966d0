"""The player ``llm`` against a local server: answers of all kinds, failures of the server, memory, costs, matches."""

import json
from contextlib import contextmanager

import numpy as np
import pytest
from hidden_cards import random_positions, swap_hidden_cards
from processes import python

pytest.importorskip("openai", reason="openai not installed")

from chat_server import KEY, Cut, chat_server, completion, first_answer, slowly
from dawn_agents.commands import tournament
from dawn_agents.players.language import chat_endpoint
from dawn_agents.players.language.answer_reading import read_answer
from dawn_agents.players.registry import make_player
from dawn_agents.players.specification import BadSpec
from dawn_agents.tournaments.match import FORFEIT, Pairing, play_games
from dawn_agents.tournaments.result_database import ResultDatabase

from dawn_env.formats.game_record import read_records, verify
from dawn_env.game import Game
from dawn_env.host.host import Host
from dawn_env.options import STANDARD, GameOptions
from dawn_env.players import PlayerUnreachable, RandomPlayer
from dawn_env.views.text_reading import answers_of

LEGAL = ["card:3", "card:31", "space:Berlin", "space:East Side", "pass"]


@pytest.fixture(autouse=True)
def hurried(monkeypatch):
    monkeypatch.setattr(chat_endpoint, "FIRST_PAUSE", 0.001)
    monkeypatch.setenv("KEY_OF_TESTS", KEY)
    for name in ("API_KEY", "ADMIN_KEY", "ORG_ID", "PROJECT_ID"):
        monkeypatch.setenv(f"OPENAI_{name}", "secret-of-another")


@contextmanager
def model(answer, options="", key=""):
    """A player behind a server that answers so, and the server."""
    with chat_server(answer, key) as server:
        player = make_player(f"llm:model=m,url={server.address}{options}")
        try:
            player.begin_game(1, STANDARD)
            yield player, server
        finally:
            player.close()


def first_decision():
    return Game(seed=7).view()


# --- reading -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "content, action",
    [
        ("card:31", "card:31"),
        ("  card:31\n\n", "card:31"),
        ("I think of Berlin.\nIt is cheap.\nspace:Berlin", "space:Berlin"),
        ("So:\n**space:East Side**", "space:East Side"),
        ("Final answer: `pass`.", "pass"),
        ('{"action": "card:3"}', "card:3"),
        ('Well.\n```json\n{\n  "action": "card:3"\n}\n```', "card:3"),
        ("<think>card:31?</think>\ncard:3", "card:3"),
    ],
)
def test_the_last_line_is_the_answer(content, action):
    assert read_answer(content, "", LEGAL).action == action


@pytest.mark.parametrize(
    "content, call, problem",
    [
        ("", "", "the answer is empty"),
        ("card:31\nThat is my choice.", "", "'That is my choice' is not one of the legal answers"),
        ("I play card:31", "", "'I play card:31' is not one"),
        ("space:Berlim", "", "'space:Berlim' is not one of the legal answers; did you mean space:Berlin?"),
        ("card:3, card:31", "", "not one of the legal answers"),
        ('{"move": "pass"}', "", "not one of the legal answers"),
        ('["pass"]', "", "not one of the legal answers"),
        ("pass", '{"action": 3}', "the arguments of act have no action"),
        ("pass", "pass", "the arguments of act have no action"),
    ],
)
def test_what_is_not_read_is_explained(content, call, problem):
    reading = read_answer(content, call, LEGAL)
    assert reading.action is None and problem in reading.problem


def test_an_answer_that_was_cut_off_is_told_so():
    assert "cut off" in read_answer("I am thinking of", "", LEGAL, cut_off=True).problem
    assert "cut off" in read_answer("", "", LEGAL, cut_off=True).problem


# --- answers -------------------------------------------------------------------------------------


def test_a_good_answer_is_taken_and_counted():
    with model(first_answer, ",input_price=2,output_price=10") as (player, server):
        action = player.choose(view := first_decision())
        costs = player.costs()
    assert view.texts[view.legal.tolist().index(action)] == first_answer(server.requests[0])
    assert costs["requests"] == 1 and costs["input_tokens"] == 100 and costs["output_tokens"] == 7
    assert costs["dollars"] == pytest.approx(270 / 1e6) and not costs["retries"] + costs["fallbacks"]
    system, question = server.requests[0]["messages"]
    assert "as the Communist" in system["content"] and "Power struggle:" in system["content"]
    assert question["content"] == view.text("medium")
    assert server.authorizations == ["Bearer none"] and "secret-of-another" not in server.headers[0], (
        "nothing is sent unasked"
    )


def test_an_illegal_answer_is_asked_for_again_with_the_reason():
    answers = iter(["space:Nowhere", "", "Let me see.\nspace:Berlin"])
    with model(lambda _: next(answers)) as (player, server):
        action = player.choose(view := first_decision())
        costs = player.costs()
    assert view.texts[view.legal.tolist().index(action)] == "space:Berlin"
    assert costs["illegal_answers"] == costs["retries"] == 2 and costs["requests"] == 3 and costs["fallbacks"] == 0
    *_, refused, reason = server.requests[1]["messages"]
    assert refused == {"role": "assistant", "content": "space:Nowhere"}
    assert "'space:Nowhere' is not one of the legal answers" in reason["content"] and reason["role"] == "user"
    assert "is empty" in server.requests[2]["messages"][-1]["content"]


@pytest.mark.parametrize("fallback", ["first", "random", "forfeit"])
def test_the_fallback_decides_after_the_last_try(fallback):
    with model(lambda _: "I resign", f",retries=1,fallback={fallback}") as (player, server):
        view = first_decision()
        if fallback == "forfeit":
            (_, outcome), *_ = play_games([Pairing(1, RandomPlayer(1), player)])
            assert outcome.reason == FORFEIT and outcome.forfeited_by == player.name
            assert "no legal answer in 2 tries at 'setup'" in outcome.failure
            assert dict(outcome.costs[1])["fallbacks"] == 1 and outcome.costs[0] == ()
            return
        chosen = {player.choose(view) for _ in range(2)}
        costs = player.costs()
    assert len(chosen) == 1 and chosen <= set(view.legal.tolist()), "the same from the same seed"
    assert (chosen == {view.legal[0]}) == (fallback == "first")
    assert costs["fallbacks"] == 2 and costs["illegal_answers"] == 4 and len(server.requests) == 4


def test_answers_by_a_call_of_the_function():
    call = {"id": "c", "type": "function", "function": {"name": "act", "arguments": '{"action": "space:Berlin"}'}}
    with model(lambda _: completion({"tool_calls": [call]}, "tool_calls"), ",answers=tool") as (player, server):
        action = player.choose(view := first_decision())
    assert view.texts[view.legal.tolist().index(action)] == "space:Berlin"
    (tool,) = server.requests[0]["tools"]
    assert tool["function"]["name"] == "act" and tool["function"]["parameters"]["required"] == ["action"]


def test_a_late_answer_leads_to_the_fallback_without_another_request():
    with model(slowly(5.0, "space:Berlin"), ",seconds=0.2,fallback=first") as (player, server):
        assert player.choose(view := first_decision()) == view.legal[0]
        costs = player.costs()
    assert costs["late_answers"] == costs["fallbacks"] == 1 and len(server.requests) == 1


# --- failures of the server ------------------------------------------------------------------------


def failing(*failures):
    """Fails so, one after another, and then answers."""
    left = list(failures)

    def answer(body):
        failure = left.pop(0) if left else None
        if failure is Cut:
            raise Cut
        return failure or first_answer(body)

    return answer


@pytest.mark.parametrize("failure", [(429, {"retry-after": "0.01"}), (500, {}), (503, {}), Cut])
def test_a_failing_server_is_asked_again(failure):
    with model(failing(failure, failure)) as (player, server):
        player.choose(first_decision())
        costs = player.costs()
    assert costs["unanswered"] == 2 and costs["requests"] == 1 and costs["illegal_answers"] == 0
    assert len(server.requests) == 3


@pytest.mark.parametrize(
    "failure, told",
    [((500, {}), "status 500"), ((429, {"retry-after": "0"}), "status 429"), (Cut, "Connection error")],
)
def test_a_server_that_goes_on_failing_ends_the_match_not_the_game(failure, told):
    with model(failing(*[failure] * 100)) as (player, _):
        with pytest.raises(PlayerUnreachable, match=rf"^llm:model=m.*: http://127.*does not answer: .*{told}"):
            list(play_games([Pairing(1, RandomPlayer(1), player)]))


def test_a_wrong_key_ends_the_match_at_once_and_is_not_shown(monkeypatch):
    monkeypatch.setenv("KEY_OF_TESTS", "another-secret")
    with model(first_answer, ",key=KEY_OF_TESTS", key=KEY) as (player, server):
        with pytest.raises(PlayerUnreachable, match="status 401: .*Incorrect API key") as raised:
            player.choose(first_decision())
    assert len(server.requests) == 1 and "another-secret" not in str(raised.value) + repr(player.options)


def test_the_right_key_comes_from_the_environment():
    with model(first_answer, ",key=KEY_OF_TESTS", key=KEY) as (player, server):
        player.choose(first_decision())
        assert KEY not in player.name + json.dumps(player.options)
    assert server.authorizations == [f"Bearer {KEY}"]


def test_no_server_and_no_completion():
    player = make_player("llm:model=m,url=http://127.0.0.1:1/v1")
    with pytest.raises(PlayerUnreachable, match="does not answer: Connection error"):
        player.choose(first_decision())
    with (
        model(lambda _: {"hello": 1}) as (player, _),
        pytest.raises(PlayerUnreachable, match="a chat completion expec"),
    ):
        player.choose(first_decision())


def test_hosts_end_with_it_whatever_they_do_with_failures():
    with model(lambda _: (403, {})) as (player, _):
        host = Host(1, on_failure="forfeit")
        host.begin([0], [1], [[0, host.register(player)]])
        with pytest.raises(PlayerUnreachable, match="status 403"):
            while True:
                host.advance()


@pytest.mark.parametrize(
    "options, problem",
    [
        ("", "model is missing; right would be llm:model=NAME,url="),
        ("model=m", "url is missing; right would be"),
        ("model=m,url=localhost:8000", "url: an address such as http://127"),
        ("model=m,url=http://me:secret@host/v1", "url: a secret belongs into a variable of the environment"),
        ("model=m,url=http://host/v1,key=NO_SUCH_VARIABLE", "key: the variable NO_SUCH_VARIABLE of the environment"),
        ("model=m,url=http://host/v1,key=sk-123-456", "key: the name of a variable of the environment expected"),
        ("model=m,url=http://host/v1,retries=-1", "retries: at least 0 expected, not -1"),
        ("model=m,url=http://host/v1,seconds=0", "seconds: more than 0 expected, not 0"),
        ("model=m,url=http://host/v1,tokens=0", "tokens: at least 1 expected, not 0"),
        ("model=m,url=http://host/v1,fallback=pray", "fallback: 'pray' is not a value; known: random, first, forfeit"),
    ],
)
def test_bad_options(options, problem):
    with pytest.raises(BadSpec, match=problem) as raised:
        make_player(f"llm:{options}")
    assert "sk-123" not in str(raised.value)


# --- memory and transcripts --------------------------------------------------------------------------


def decide(player, game, count):
    """So many decisions of the player, in a game in which it plays both sides; the texts of the actions."""
    for _ in range(count):
        game.step(player.choose(game.view()))


def test_the_conversation_holds_the_last_decisions():
    with model(first_answer, ",memory=2") as (player, server):
        decide(player, Game(seed=7), 4)
        messages = server.requests[-1]["messages"]
        assert [message["role"] for message in messages] == ["system", *["user", "assistant"] * 2, "user"]
        assert messages[1]["content"].startswith("You are the") and "Map:" not in messages[1]["content"]
        assert messages[2]["content"] in [*answers_of(messages[1]["content"])]
        player.begin_game(0, STANDARD)
        player.choose(first_decision())
    assert (
        len(server.requests[-1]["messages"]) == 2 and "as the Democrat" in server.requests[-1]["messages"][0]["content"]
    )


def test_notes_are_kept_until_they_are_replaced_and_end_with_the_game():
    with model(lambda body: f"NOTES: hold Berlin {'!' * 2000}\n{first_answer(body)}", ",notes=true,memory=0") as (
        player,
        server,
    ):
        decide(player, Game(seed=7), 2)
        player.begin_game(0, STANDARD)
        player.choose(first_decision())
    first, second, third = (request["messages"][-1]["content"] for request in server.requests)
    assert second.startswith("Your notes: hold Berlin !!") and len(second.partition("\n")[0]) <= 1012
    assert "hold Berlin" not in first + third and "NOTES:" in server.requests[0]["messages"][0]["content"]


def test_family_mode_has_rules_of_its_own():
    with model(first_answer) as (player, server):
        player.begin_game(0, GameOptions(mode="family"))
        player.choose(Game(seed=7, options={"mode": "family"}).view())
    system = server.requests[0]["messages"][0]["content"]
    assert "take-over" in system and "Power struggle:" not in system


@pytest.mark.parametrize("options", [{}, {"mode": "family"}], ids=str)
def test_prompts_hold_nothing_that_is_hidden(options):
    rng = np.random.default_rng(5)
    with model(first_answer, ",detail=full,memory=1") as (player, server):
        for game in random_positions(5, 41, options):
            twin, told = game.copy(), []
            swap_hidden_cards(twin.state, game.actor, rng)
            for one in game, twin:
                player.begin_game(game.actor, game.options)
                player.choose(one.view())
                player.choose(one.view())  # with the decision before
                told.append([request["messages"] for request in server.requests])
                server.requests.clear()
            assert len(told[0]) == 2 and told[0] == told[1]


def test_a_transcript_tells_a_game_line_by_line(tmp_path):
    folder, answers = tmp_path / "texts", iter(["nonsense", "space:Berlin"])
    with model(lambda _: next(answers), f",transcripts={folder}") as (player, _):
        player.choose(first_decision())
        (path,) = folder.iterdir()
        before = path.read_text().splitlines()
        player.end_game({"result": "draw", "reason": "final scoring", "vp": 0})
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    kinds = [line["kind"] for line in lines]
    assert kinds == ["game", "question", "answer", "refusal", "answer", "action", "end"] and len(before) == 6
    assert lines[0]["player"].startswith("llm:model=m") and lines[2]["message"]["content"] == "nonsense"
    assert lines[5] == {"kind": "action", "decision": 1, "action": "space:Berlin", "fallback": False}
    assert lines[6]["costs"]["illegal_answers"] == 1 and lines[6]["result"] == "draw"


# --- matches -----------------------------------------------------------------------------------------


def test_a_match_is_interrupted_and_resumed_with_all_costs_in_the_report(tmp_path, capsys):
    """The server stops after the first game and a half; nothing that was finished is lost or paid for twice."""
    stopped, asked, files = [], [], {name: tmp_path / f"report.{name}" for name in ("json", "html", "csv")}

    def answer(body):
        asked.append(body)
        return (401, {}) if stopped else first_answer(body)

    with chat_server(answer) as server:
        player = f"llm:model=m,url={server.address},memory=1,input_price=1"
        words = ["--players", player, "random", "--pairs", "1", "--workers", "1", "--db", str(tmp_path / "games.db")]

        def note_end(outcome):
            stopped.extend([True] * (len(ended := [*ended_games, outcome]) == 1))
            ended_games[:] = ended

        ended_games: list = []
        with pytest.MonkeyPatch.context() as patch:
            add = ResultDatabase.add
            patch.setattr(ResultDatabase, "add", lambda store, games: (add(store, games), note_end(games))[0])
            assert tournament.main(words) == 1
        told = capsys.readouterr().err
        assert "does not answer: status 401" in told and len(ended_games) == 1
        stopped.clear()
        files_words = [word for name, path in files.items() for word in (f"--{name}", str(path))]
        records = tmp_path / "games.jsonl"
        assert tournament.main([*words, *files_words, "--records", str(records)]) == 0
        shown = capsys.readouterr().out
    assert "1 game played now, 1 stored before" in shown and "Costs of a game, on average" in shown
    report = json.loads(files["json"].read_text())
    costs = {row["name"]: row["costs"] for row in report["players"]}
    decisions = {row["name"]: row["decisions"] for row in report["players"]}
    assert costs["random"] == {} and costs[player]["requests"] == decisions[player] == len(asked) - 1
    assert costs[player]["input_tokens"] == 100 * decisions[player] and costs[player]["illegal_answers"] == 0
    assert costs[player]["dollars"] == pytest.approx(decisions[player] * 1e-4)
    assert "Costs of a game" in files["html"].read_text() and "costs" not in files["csv"].read_text()
    kept = list(read_records(records))
    for record in kept:
        verify(record)
    assert sum(record["costs"][letter].get("requests", 0) for record in kept for letter in "DC") == decisions[player]
    with ResultDatabase(tmp_path / "games.db") as store, ResultDatabase.create(tmp_path / "other.db") as other:
        assert other.merge(store.path) == 2 and other.merge(store.path) == 0
        assert [game.costs for game in other.outcomes()] == [game.costs for game in store.outcomes()]
        other.rename(player, "model")
        assert [game.costs for game in other.outcomes()] == [game.costs for game in store.outcomes()]


def test_importing_the_game_imports_no_client_and_no_server():
    program = (
        "import sys, dawn_env, dawn_agents.players.registry; print({'openai', 'mcp', 'httpx2'} & set(sys.modules))"
    )
    done = python("-c", program)
    assert done.stdout.strip() == "set()", done.stdout + done.stderr

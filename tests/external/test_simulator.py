"""The engine in lines of JSON: it plays as the engine does, refuses what is wrong, and loses nothing by it."""

import base64
import io
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from dawn_agents.players.external.engine_service import MOST_OBSERVED, EngineService, serve
from dawn_agents.players.registry import make_player
from hidden_cards import random_positions
from paths import ROOT
from tables import table

from dawn_env import engine
from dawn_env.actions import ACTIONS
from dawn_env.batch import Batch
from dawn_env.formats.determinization import world_text
from dawn_env.formats.printed_data import printed_data
from dawn_env.game import Game
from dawn_env.observation import observe
from dawn_env.observation.player_view import View
from dawn_env.state import RESULTS, Zone, put_states, take_states
from dawn_env.tables import COMMUNIST, DEMOCRAT, SIDE_NAMES


@pytest.fixture
def simulator() -> EngineService:
    return EngineService(300)


def ask(simulator: EngineService, command: str, **fields) -> dict:
    """An answer that is no error, as it would be read."""
    answer = json.loads(json.dumps(simulator.answer({"command": command, **fields})))
    assert "error" not in answer, answer
    return answer


def as_told(game: Game) -> dict:
    """The position of one game, as in the lists of an answer."""
    return {
        "side": SIDE_NAMES[game.actor], "decision": game.decision, "legal": np.flatnonzero(game.mask).tolist(),
        "result": game.result, "vp": game.vp,
    }  # fmt: skip


def rows(answer: dict) -> list[dict]:
    """The positions of an answer, game by game."""
    keys = ("side", "decision", "legal", "result", "vp")
    return [dict(zip(keys, values, strict=True)) for values in zip(*(answer[key] for key in keys), strict=True)]


@pytest.mark.parametrize("rules", [None, {"bid": True}, {"mode": "family"}, {"extra_support": [2, 0]}])
def test_games_are_those_of_the_engine(simulator, rules):
    """Several games at a time are played to their ends; finished games refuse further actions."""
    seeds, rng = [5, 6, 7], np.random.default_rng(1)
    ours = [Game(seed, rules) for seed in seeds]
    answer = ask(simulator, "new", seeds=seeds, **({"rules": rules} if rules else {}))
    games = dict(zip(answer["games"], ours, strict=True))
    told = rows(answer)
    while games:
        assert told == [as_told(game) for game in games.values()]
        for number in [number for number, game in games.items() if game.over]:
            del games[number]
        actions = {number: rng.choice(np.flatnonzero(game.mask)) for number, game in games.items()}
        for number, action in actions.items():
            games[number].step(int(action))
        if games:
            told = rows(ask(simulator, "step", games=[*games], actions=[int(action) for action in actions.values()]))
    answer = simulator.answer({"command": "step", "games": [number], "actions": [0]})
    assert answer == {"error": f"game {number}: nothing can be decided, it is over"}
    assert ask(simulator, "free", games="all") == {"kept": 0}


def test_copies_go_on_alike(simulator):
    (one,) = ask(simulator, "new", seeds=[3])["games"]
    (other,) = ask(simulator, "copy", games=[one])["games"]
    for _ in range(30):
        action = ask(simulator, "position", games=[one])["legal"][0][-1]
        first, second = (ask(simulator, "step", games=[game], actions=[action]) for game in (one, other))
        assert first == second


def advanced(steps: int) -> Game:
    return next(game for game in random_positions(4, steps) if game.state.decisions)


def loaded(simulator: EngineService, game: Game, seeds: list[int]) -> dict:
    return ask(simulator, "load", world=world_text(View(game.state)), seeds=seeds)


@pytest.mark.parametrize("steps", [40, 90])
def test_deals_of_a_world_look_alike_to_its_side_and_differ(simulator, steps):
    game = advanced(steps)
    answer = loaded(simulator, game, list(range(20)))
    assert rows(answer) == [as_told(game)] * 20
    seen = ask(simulator, "observe", games=answer["games"])["observations"]
    assert seen == [observe(game.state, game.actor).tolist()] * 20
    hands = take_states(simulator._states, np.array(answer["games"]))["where"] == Zone.HAND + 1 - game.actor
    assert len({hand.tobytes() for hand in hands}) > 5


@pytest.mark.parametrize("side", [DEMOCRAT, COMMUNIST])
def test_hidden_cards_are_dealt_anew_from_one_side(simulator, side):
    numbers = loaded(simulator, advanced(60), [0])["games"]
    name = SIDE_NAMES[side]
    before = ask(simulator, "observe", games=numbers, side=name)["observations"][0]
    dealt = ask(simulator, "redeal", games=numbers, side=name, seeds=list(range(15)))["games"]
    assert ask(simulator, "observe", games=dealt, side=name)["observations"] == [before] * 15
    others = ask(simulator, "observe", games=dealt, side=SIDE_NAMES[1 - side], **{"as": "base64"})["observations"]
    assert len(set(others)) > 5
    again = ask(simulator, "redeal", games=numbers * 15, side=name, seeds=list(range(15)))["games"]
    assert (take_states(simulator._states, np.array(again)) == take_states(simulator._states, np.array(dealt))).all()


def test_observations_have_three_forms_and_mixed_games(simulator):
    standard = ask(simulator, "new", seeds=[1])["games"]
    family = ask(simulator, "new", seeds=[1], rules={"mode": "family"})["games"]
    games = [*standard, *family, *standard]
    vectors = ask(simulator, "observe", games=games)["observations"]
    packed = ask(simulator, "observe", games=games, **{"as": "base64"})["observations"]
    named = ask(simulator, "observe", games=games, **{"as": "view"})["observations"]
    assert [np.frombuffer(base64.b64decode(text), np.int8).tolist() for text in packed] == vectors
    assert vectors[0] == vectors[2] == observe(Game(1).state, Game(1).actor).tolist()
    assert "deck_size" in named[1] and named[0]["turn"] == 0 and named[0] == named[2]


# --- play-outs: to the end, from what a side knows, without changing the game ---------------------------------


def test_playouts_are_the_games_of_the_player_from_redealt_positions(simulator):
    seeds = [11, 12, 13, 14]
    told = ask(simulator, "new", seeds=[5, 6])
    before = ask(simulator, "position", games=told["games"])
    found = ask(simulator, "playout", games=told["games"], seeds=seeds, player="heuristic", side="democrat")
    assert ask(simulator, "position", games=told["games"]) == before
    assert found == ask(simulator, "playout", games=told["games"], seeds=seeds, player="heuristic", side="democrat")
    for seed, results, vp in zip((5, 6), found["result"], found["vp"], strict=True):
        batch, player = Batch(4, 0, auto_restart=False), make_player("heuristic")
        states = take_states(Game(seed).states, np.zeros(4, np.int64))
        put_states(batch.states, np.arange(4), engine.redeal(states, 0, np.array(seeds)))
        batch.write_rows(np.arange(4))
        while not (batch.states["result"] != 0).all():
            rows = np.flatnonzero(batch.states["result"] == 0)
            batch.step_rows(rows, player.choose(batch.observations[rows], batch.masks[rows]))
        assert [RESULTS[number] for number in batch.states["result"]] == results
        assert batch.states["vp"].tolist() == vp


def test_playouts_tell_nothing_of_cards_that_the_side_cannot_know(simulator):
    game = Game(8)
    while game.decision == "setup":
        game.step(game.legal[0])
    side = game.actor
    ours = [simulator._added(engine.redeal(game.states, side, np.array([seed])))["games"][0] for seed in (1, 2)]
    hands = take_states(simulator._states, np.array(ours))["where"]
    found = ask(simulator, "playout", games=[int(number) for number in ours], seeds=[1, 2, 3])
    assert (hands[0] != hands[1]).any() and len(found["result"][0]) == 3
    other = ask(simulator, "playout", games=[int(ours[1])], seeds=[1, 2, 3], side=SIDE_NAMES[side])
    assert other["result"][0] == found["result"][1] and found["result"][0] == found["result"][1]
    assert found["vp"][0] == found["vp"][1]


@pytest.mark.parametrize("rules", [{"mode": "family"}, {"extra_support": [2, 0]}])
def test_playouts_of_other_games_are_by_their_rules(simulator, rules):
    told = ask(simulator, "new", seeds=[5], rules=rules)
    found = ask(simulator, "playout", games=told["games"], seeds=[1, 2], player="heuristic")
    assert set(found["result"][0]) <= {"democrat", "communist", "draw"}
    bid = ask(simulator, "new", seeds=[5], rules={"bid": True})["games"]
    assert "sides known" in simulator.answer({"command": "playout", "games": bid, "seeds": [1]})["error"]


# --- what is wrong -----------------------------------------------------------------------------------------

MOST = json.dumps({"command": "observe", "games": [0] * (MOST_OBSERVED + 1)})
WRONG = [*table(Path(__file__).with_name("engine_refusals.txt")), (MOST, f"at most {MOST_OBSERVED} expected")]


@pytest.fixture(scope="module")
def held() -> tuple[EngineService, bytes]:
    """Two games that nothing wrong may change, and how they stand."""
    simulator = EngineService(4)
    ask(simulator, "new", seeds=[1, 2])
    return simulator, take_states(simulator._states, np.arange(2)).tobytes()


@pytest.mark.parametrize(("asked", "words"), WRONG, ids=range(len(WRONG)))
def test_what_is_wrong_is_named_and_changes_nothing(held, asked, words):
    simulator, before = held
    answer = simulator.answer(json.loads(asked))
    assert set(answer) == {"error"} and words in answer["error"] and answer["error"].isprintable()
    assert simulator._used.sum() == 2 and take_states(simulator._states, np.arange(2)).tobytes() == before


def test_memory_is_bounded_and_used_again():
    simulator = EngineService(3)
    for _ in range(5):
        assert sorted(ask(simulator, "new", seeds=[1, 2, 3])["games"]) == [0, 1, 2]
        assert "no room" in simulator.answer({"command": "copy", "games": [0]})["error"]
        assert ask(simulator, "free", games=[1, 0]) == {"kept": 1}
        assert ask(simulator, "copy", games=[2, 2])["games"] == [0, 1]
        ask(simulator, "free", games="all")
    assert ask(simulator, "free", games="all") == {"kept": 0}


# --- lines ---------------------------------------------------------------------------------------------------


def served(*lines: bytes) -> list[dict]:
    """The answers to some lines."""
    sink = io.BytesIO()
    serve(io.BytesIO(b"\n".join(lines)), sink, EngineService(10))
    return [json.loads(line) for line in sink.getvalue().splitlines()]


def test_bad_lines_are_answered_and_the_next_ones_too():
    deep = b"[" * 100_000
    lines = (b"{", b"\xff\xfe", deep, b"", b'{"command":"hello","id":NaN}', b"null")
    answers = served(
        *lines, b'{"command":"new","seeds":[1],"id":{"any":["thing"]}}', b'{"command":"position","games":[0]}'
    )
    assert len(answers) == len(lines) - 1 + 2
    assert all(set(answer) == {"error"} for answer in answers[:-2])
    assert "not a line of JSON" in answers[0]["error"]
    assert answers[-2].pop("id") == {"any": ["thing"]} and answers[-2].pop("games") == [0]
    assert answers[-1] == answers[-2]


def test_a_mistake_of_ours_does_not_take_the_games_along(monkeypatch):
    def fail(*_):
        raise KeyError("a mistake")

    monkeypatch.setattr(EngineService, "_copy", fail)
    answers = served(
        b'{"command":"new","seeds":[1]}', b'{"command":"copy","games":[0]}', b'{"command":"position","games":[0]}'
    )
    assert answers[1] == {"error": "the engine failed, nothing has changed: KeyError"} and answers[2]["side"]


def test_hello_and_data_of_a_program_that_writes_blank_lines_and_a_byte_order_mark():
    hello, data = served(b'\xef\xbb\xbf{"command":"hello"}', b" ", b'{"command":"data"}')
    assert hello["version"] == 1 and hello["most_games"] == 10 and data["data"] == printed_data()
    assert hello["data"] == {key: data["data"][key] for key in ("format", "digest")}
    assert data["data"]["actions"] == list(ACTIONS)


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_the_command_serves_the_client_in_javascript():
    engine = [sys.executable, "-m", "dawn_agents", "serve-engine", "--games", "50"]
    command = ["node", str(ROOT / "docs/examples/engine.js"), "40", "0.1", *engine]
    ran = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=240)
    assert re.fullmatch(r"\d+ decisions a second, 40 games at a time\n", ran.stdout), ran.stdout + ran.stderr


# --- the document --------------------------------------------------------------------------------------------


def shortened(shown, full) -> bool:
    """Whether lists are shown as they are, or only their beginnings."""
    if isinstance(shown, dict):
        return shown.keys() == full.keys() and all(shortened(value, full[key]) for key, value in shown.items())
    if isinstance(shown, list) and shown and isinstance(shown[0], list):
        return all(few == many[: len(few)] for few, many in zip(shown, full, strict=True))
    return shown == full


def test_the_examples_of_the_document_are_answered_as_shown():
    text = (ROOT / "docs/reference/engine.md").read_text()
    simulator = EngineService(10)
    pairs = re.findall(r"^> (.*)\n< (.*)$", text, re.M)
    for request, answer in pairs:
        given = simulator.answer(json.loads(request))
        if "error" in given:
            given["error"] = re.sub(r"(legal: .*?, .*?), .*", r"\1", given["error"])
        assert shortened(json.loads(answer), given), (request, given)
    assert len(pairs) == 3
    assert set(re.findall(r"^\| `([a-z]+)` \|", text, re.M)) == set(simulator._commands)

"""A person at the terminal: playing, taking back, saving, going on, help, what they see and type, bad input."""

import io
import re
import sys
from pathlib import Path

import numpy as np
import pytest
from dawn_agents.commands import play
from dawn_agents.frontends.terminal import human_player
from dawn_agents.frontends.terminal.decision_prompt import Menu
from dawn_agents.frontends.terminal.human_player import Prompt, Unclear, find, help_text
from dawn_agents.frontends.terminal.undoable_game import UndoableGame, is_undoable
from dawn_agents.players.registry import make_player
from dawn_agents.tournaments.match import Pairing, play_games
from hidden_cards import random_positions, swap_hidden_cards
from scenario import scenario

from dawn_env.actions import ACTIONS, action_id
from dawn_env.errors import MalformedPosition, PlayerFailure
from dawn_env.formats.game_record import from_line, verify
from dawn_env.game import Game
from dawn_env.observation import observe
from dawn_env.observation.player_view import View
from dawn_env.players import choose_action
from dawn_env.tables import CARD_TITLES, DEMOCRAT

OPPONENT_SEED = 457190280
GAME = ["--as", "democrat", "--against", "random", "--seed", "3"]


@pytest.fixture(autouse=True)
def _empty_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("dawn_agents.frontends.terminal.undoable_game.row_seeds", lambda *_: [OPPONENT_SEED])


@pytest.fixture
def sit(monkeypatch, capsys):
    """A function that sits down with a command line, types lines, and returns (status, output, errors)."""

    def run(arguments: list[str], *lines: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        status = play.main(arguments)
        out, errors = capsys.readouterr()
        return status, out, errors

    return run


def middle_actions(count: int) -> list[str]:
    """What the person types in the game of ``GAME`` when they always take the middle action; fewer if it ends."""
    at, opponent, typed = UndoableGame(3, DEMOCRAT, "random"), make_player("random", OPPONENT_SEED), []
    while not at.game.over and len(typed) < count:
        view = View(at.game.state)
        if view.side == DEMOCRAT:
            typed.append(view.texts[len(view.texts) // 2])
            at.step(typed[-1])
        else:
            at.step(choose_action(opponent, view))
    return typed


def saved(name: str) -> dict:
    return from_line(Path(name).read_text())


# --- a sitting -------------------------------------------------------------------------------------------


def test_a_whole_game(sit):
    typed = middle_actions(10_000)
    status, out, _ = sit(GAME, "save mine.json", *typed)
    record = saved("mine.json")
    assert status == 0 and f"Game over: You {'won' if record['result'] == 'democrat' else 'lost'}: " in out
    assert record["result"] != "running" and record["players"] == {"D": "human", "C": "random"}
    verify(record)


def test_the_end_of_input_saves_and_going_on_is_the_same_game(sit):
    typed = middle_actions(40)
    status, out, _ = sit(GAME, *typed[:25])
    assert status == 0 and "--resume 1989-3-1.json" in out
    sit(["--resume", "1989-3-1.json"], *typed[25:])
    sit(GAME, *typed)
    assert saved("1989-3-1.json") == saved("1989-3-2.json")


def test_going_on_begins_with_what_happened_since_the_last_decision(sit):
    typed = middle_actions(3)
    _, before, _ = sit(GAME, *typed)
    _, after, _ = sit(["--resume", "1989-3-1.json"])
    last_news = before.split("\n> ")[-2].partition("Set-up:")[0].partition("1989:")[0]
    assert "Democrat sets up" in last_news and after.startswith(last_news)


@pytest.mark.parametrize("way", ["person", "opponent"])
def test_an_interrupt_saves(sit, monkeypatch, way):
    def interrupted(*_):
        raise KeyboardInterrupt

    place = ("builtins.input",) if way == "person" else (play.SeatedPlayer, "answer")
    monkeypatch.setattr(*place, interrupted)
    status, out, _ = sit(GAME)
    assert status == 0 and "Saved. To go on: " in out
    assert saved("1989-3-1.json")["result"] == "running"


def test_a_folder_that_cannot_be_written_to_loses_no_game(sit, tmp_path_factory, monkeypatch):
    elsewhere = tmp_path_factory.mktemp("temporary")
    monkeypatch.setattr(play.os, "access", lambda *_: False)
    monkeypatch.setattr(play.tempfile, "gettempdir", lambda: str(elsewhere))
    status, out, _ = sit(GAME, *middle_actions(40)[:25])
    assert status == 0 and f"--resume {elsewhere}/1989-3-1.json" in out.replace("\n", "")
    assert saved(elsewhere / "1989-3-1.json")["decisions"]


def test_an_opponent_that_fails_ends_the_sitting_but_not_the_game(sit, monkeypatch):
    answer = play.SeatedPlayer.answer

    def answer_once(player, view, decisions):
        if decisions:
            raise PlayerFailure("out of order")
        return answer(player, view, decisions)

    monkeypatch.setattr(play.SeatedPlayer, "answer", answer_once)
    status, out, errors = sit(GAME, *middle_actions(40))
    assert status == 1 and errors == "error: out of order\n" and "Saved. To go on: " in out
    assert saved("1989-3-1.json")["decisions"]


def test_a_game_that_the_opponent_cannot_begin_is_not_saved(sit):
    status, out, errors = sit(["--against", "process:start=0.2,sleep 60", "--seed", "3"])
    assert status == 1 and "gave no answer to 'hello'" in errors
    assert "Saved" not in out and not list(Path().iterdir())


# --- saving ------------------------------------------------------------------------------------------------


def test_a_file_of_something_else_is_never_overwritten(sit):
    Path("mine.txt").write_text("my letter")
    _, out, _ = sit(GAME, "save mine.txt", "save", "save no/such/folder", "save a.json", "save a.json")
    assert Path("mine.txt").read_text() == "my letter"
    assert "mine.txt is there already" in out and "the name of a file is missing" in out
    assert "no/such/folder cannot be written" in out and out.count("Saved in a.json") == 2


# --- taking back -----------------------------------------------------------------------------------------------


def test_taking_back_restores_the_game(sit):
    _, out, _ = sit(GAME, "undo", "Pecs", "undo", "undo", "Halle")
    decisions = saved("1989-3-1.json")["decisions"]
    assert out.count("Nothing can be taken back") == 2 and "Taken back: Pecs" in out
    assert decisions[-1] == "space:Halle" and "space:Pecs" not in decisions
    assert "Taken back: Halle" in sit(["--resume", "1989-3-1.json"], "undo")[1]


@pytest.mark.parametrize("seed", [41, 42, 43])
def test_nothing_can_be_taken_back_after_something_was_learnt(seed):
    rng, counts = np.random.default_rng(seed), [0, 0]
    for game in random_positions(seed, 2):
        before, action = game.copy(), int(rng.choice(np.flatnonzero(game.mask)))
        after = before.copy()
        after.step(action)
        free = is_undoable(before, after, action)
        counts[free] += 1
        if not free:
            continue
        assert after.actor == before.actor and not after.chance
        swapped = before.copy()
        swap_hidden_cards(swapped.state, before.actor, rng)
        swapped.state.tape_len[:] = 0
        swapped.step(action)
        assert (observe(swapped.state, before.actor) == observe(after.state, before.actor)).all(), before.decision
    assert min(counts) > 10


def test_not_being_asked_gives_the_opponents_hand_away():
    """Inflationary Currency (44) asks the opponent only if they hold a card worth 3 or more."""
    poland = {"Lodz": (0, 3), "Gdansk": (0, 3)}
    game = scenario(hand="D: 44 / C: 11 12", support=poland, turn=4)
    game.take("event", "country:Poland", "space:Lodz")
    before = game.copy()
    game.take("space:Lodz")
    assert game.decision == "check" and game.actor == before.actor and not game.chance
    assert not is_undoable(before, game, action_id("space:Lodz"))


# --- what they type --------------------------------------------------------------------------------------------


@pytest.fixture
def view() -> View:
    return View(Game(3).state)


@pytest.mark.parametrize("typed", ["space:Rostock", "Rostock", "rost", "space:rostock"])
def test_names_of_an_action(view, typed):
    assert ACTIONS[find(typed, Menu(view).names)] == "space:Rostock"


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("Polish", "'Polish' could be Polish Catholic Church, Polish Writers"),
        ("Rostok", "did you mean 'Rostock'?"),
        ("233", "'233' is not possible now"),
        ("xyzzy", "'xyzzy' is not possible now; actions lists what is"),
    ],
)
def test_unclear_names(typed, words):
    names = {"Polish Catholic Church": 1, "Polish Writers": 2, "Rostock": 3}
    with pytest.raises(Unclear, match=re.escape(words)):
        find(typed, names)


def test_bad_input_asks_again(sit):
    _, out, _ = sit(GAME, "", "space:Nowhere", "\t", "help nothing at all", "9" * 50, "Lublin " * 500, "undo now")
    assert "Set-up: place 3 more support points" in out and "is not possible now" in out
    assert len(saved("1989-3-1.json")["decisions"]) == 2  # the opponent's, who places first


def test_a_space_that_is_not_legal_is_answered_with_the_reason(sit):
    _, out, _ = sit(GAME, "Warszawa", "space:praha")
    assert "Praha is not possible now: the Communist has support points here" in out


def test_help_of_a_card():
    assert help_text("tear gas") == help_text("30") == help_text("tear")
    assert help_text("30").startswith("30 Tear Gas: 1 ops, Communist")
    assert "save FILE" in help_text("")
    with pytest.raises(Unclear, match="did you mean 'Tear Gas'"):
        help_text("Tear Gaz")


def test_no_action_is_called_like_a_command():
    commands = {human_player.UNDO, human_player.SAVE, human_player.QUIT, "actions", "board", "view", "help"}
    words = {word for action in ACTIONS for word in (action, action.partition(":")[2])}
    assert not commands & ({word.casefold() for word in words} | {title.casefold() for title in CARD_TITLES})


def test_completion(sit, view):
    prompt = Prompt()
    prompt._words = list(Menu(view).names)
    assert [prompt._complete("ros", n) for n in (0, 1)] == ["Rostock", None]


def test_a_person_in_a_match_may_leave(monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", io.StringIO("undo\nBerlin\nquit\n"))
    person = make_player("human")
    ((_, outcome),) = play_games([Pairing(3, make_player("random"), person)])
    assert outcome.reason == "forfeit" and "human left the game at decision 'setup'" in outcome.failure
    assert "undo is possible in dawn play only" in capsys.readouterr().out


# --- a bid -------------------------------------------------------------------------------------------

BID = ["--bid", "--against", "greedy", "--seed", "3"]


def test_a_person_is_asked_for_their_offer(sit):
    """``greedy`` offers none for the Democrat, so that the person has the larger offer."""
    status, out, _ = sit(BID, "west", "democrat", "13", "2", "quit")
    assert status == 0 and out.count("is not possible now") == 2 and "  0, 1, 2, 3" in out
    said = " ".join(out.split())  # lines are wrapped
    assert "Second player wants the opponent to play the Democrat with 0 extra support points" in said
    assert "You play the Communist" in said and "extra support: 2 for the Democrat" in said


def test_of_equal_offers_the_higher_die_says_which_counts(sit):
    asked = set()
    for seed in range(1, 7):
        status, out, _ = sit([*BID[:-1], str(seed)], "democrat", "0", "perhaps", "no", "quit")
        asked.add("you rolled higher" in out)
        assert status == 0 and "You play the" in out
        if "you rolled higher" in out:
            assert "'perhaps' is not possible now" in out and "You play the Democrat" in out
    assert asked == {True, False}


def test_a_bid_can_be_left_and_gone_on_with(sit):
    status, out, _ = sit(BID, "democrat")
    assert status == 0 and "Saved. To go on: " in out
    assert "You play the Communist" in sit(["--resume", "1989-3-1.json"], "2", "quit")[1]


def test_the_seed_of_the_opponent_is_drawn_and_kept(monkeypatch, tmp_path):
    drawn = iter(range(5, 9))
    monkeypatch.setattr("dawn_agents.frontends.terminal.undoable_game.row_seeds", lambda *_: [next(drawn)])
    tables = [UndoableGame(3, DEMOCRAT, "random") for _ in range(2)]
    assert [table.opponent_seed for table in tables] == [5, 6]
    tables[0].save(tmp_path / "game.json")
    assert UndoableGame.load(tmp_path / "game.json")[0].opponent_seed == 5
    verify(saved("game.json"))
    text = (tmp_path / "game.json").read_text().replace('"opponent_seed":5', '"opponent_seed":-5')
    (tmp_path / "game.json").write_text(text)
    with pytest.raises(MalformedPosition, match="opponent_seed: greater than or equal to 0 expected, not -5"):
        UndoableGame.load(tmp_path / "game.json")

"""What a person at the terminal is shown and may type: questions, what is left, choices, widths."""

import io
import re
import sys
from pathlib import Path

import pytest
from dawn_agents.commands import play
from dawn_agents.frontends.terminal.decision_prompt import Menu, redraw_key
from dawn_agents.frontends.terminal.human_player import (
    ACT,
    HELP,
    Prompt,
    Unclear,
    _choice,
    board,
    find,
    help_text,
    width,
)
from dawn_agents.frontends.terminal.undoable_game import UndoableGame
from hidden_cards import random_positions
from scenario import scenario
from scripted_cases import play as play_case
from tables import table

from dawn_env.actions import ACTIONS
from dawn_env.game import Game
from dawn_env.observation.player_view import View
from dawn_env.picture.board_text import wrapped
from dawn_env.players import function_player
from dawn_env.state import DECISIONS
from dawn_env.tables import CARD_TITLES, DEMOCRAT
from dawn_env.views.questions import QUESTIONS, question


def of(hand: str, *actions: str, **position) -> View:
    return View(scenario(hand, **position).take(*actions).state)


# --- what may be typed -------------------------------------------------------------------------------------------


def test_a_number_is_that_on_the_card():
    names = Menu(of("D: 3 7 77", turn=4)).names
    for typed in ("77", "Samizdat", "samiz", "card:77"):
        assert ACTIONS[find(typed, names)] == "card:77"
    assert ACTIONS[find("7", names)] == "card:7" and ACTIONS[find("3", names)] == "card:3"
    for number in ("1", "33", "78", "0"):
        with pytest.raises(Unclear, match="is not possible now"):
            find(number, names)
    with pytest.raises(Unclear):
        find("7", Menu(of("D: 3 77", turn=4)).names)  # its beginning is another number


def test_all_can_be_typed_as_it_is_shown():
    families = set()
    for view in (View(game.state) for seed in (71, 72, 73) for game in random_positions(seed, 3)):
        menu, legal = Menu(view), set(view.legal.tolist())
        text = menu.text(80)
        assert set(menu.names.values()) == legal
        for number, name in re.findall(r"^ +(\d+) ([^(\n]+?)(?: \(.*)?$", text if menu.numbered else "", re.MULTILINE):
            assert menu.names[number] == menu.names[name]
        assert menu.numbered or {int(name) for name in menu.names if name.isdecimal()} == set(menu.cards)
        for action in legal:
            family, _, name = ACTIONS[action].partition(":")
            families.add(family)
            assert (f"{name} {CARD_TITLES[int(name)]}" if family == "card" else name or family) in text
    assert {"space", "card", "check", "power"} <= families


def test_a_card_that_is_not_possible_says_why():
    """Numbers of choices are no cards."""
    view = of("D: 30 77", "card:30", turn=4)
    names = Menu(view).names
    with pytest.raises(Unclear, match="^77 is not possible now: no card is asked for now$"):
        _choice("Samizdat", names, view)
    with pytest.raises(Unclear, match="^'9' is not possible now; actions lists what is$"):
        _choice("9", names, view)


# --- the choices ---------------------------------------------------------------------------------------------------


def test_cards_are_shown_with_number_title_side_and_value():
    text = Menu(of("D: 22 14 77 30", turn=4)).text(200)
    assert text == "  14 Gorbachev Charms the West (DC 4), 22 Poland Scoring, 30 Tear Gas (C 1), 77 Samizdat (D 1)"


def test_places_are_grouped_by_country():
    lines = Menu(View(Game(3).state)).text(1000).splitlines()
    assert [line.split(":")[0].strip() for line in lines] == [
        "East Germany", "Poland", "Czechoslovakia", "Hungary", "Romania", "Bulgaria",
    ]  # fmt: skip
    assert "Lodz, " in lines[1]


def test_words_are_numbered_and_explained():
    view = of("D: 30 77", "card:30", support={"Lodz": (1, 1)}, turn=4)
    assert Menu(view).text(80).splitlines() == [
        "  1 opponent-event (the opponent's event, then operations)",
        "  2 place (place support points, then the opponent's event)",
        "  3 check (make support checks, then the opponent's event)",
        "  4 tiananmen (50%, try to advance on the Tiananmen Square track; a die of 4 or",
        "    more enters box 1 (+1 to attempts); a failure adds 1 to the next attempt;",
        "    one attempt a turn)",
    ]


def test_what_rolls_a_die_is_shown_with_its_odds():
    view = of("D: 30 77", "card:30", "check", support={"Lodz": (1, 1), "Szczecin": (0, 2), "Gdansk": (3, 0)}, turn=4)
    text = Menu(view).text(80)
    facts = {one["action"]: one["faces"] for one in view.facts()["legal"] if "faces" in one}
    odds = {f"space:{name}": int(percent) for name, percent in re.findall(r"([A-Z][\w -]+?) (\d+)%", text)}
    assert odds == {action: round(100 * faces / 6) for action, faces in facts.items()}
    assert len(set(odds.values())) > 1
    assert re.search(r"tiananmen \(\d+%, ", Menu(of("D: 30 77", "card:30", turn=4)).text(80))


def test_help_explains_terms_by_the_words_that_are_typed():
    for typed in ("check", "support check", "Check"):
        assert help_text(typed).startswith("Support check: ")
    assert help_text("vp").startswith("Victory points")
    assert help_text("14").startswith("14 Gorbachev")


# --- the question ---------------------------------------------------------------------------------------------------


def test_every_decision_has_its_question():
    assert set(QUESTIONS) == set(DECISIONS) - {"none"}


@pytest.mark.parametrize(("steps", "words"), table(Path(__file__).with_name("questions.txt")))
def test_the_question_says_what_is_left(steps, words):
    assert question(View(play_case(f"{steps} = not over").state)) == words


@pytest.mark.parametrize("seed", [73, 74])
def test_the_count_left_is_the_games(seed):
    counted = 0
    for game in random_positions(seed, 1):
        if found := re.search(r" (\d+) ((point|check)s? left|more (support point|space))", question(View(game.state))):
            assert int(found[1]) == game.state.frames[game.state.depth - 1].left
            counted += 1
    assert counted > 50


def test_a_question_is_made_of_what_is_seen():
    for game in random_positions(75, 7):
        other = game.redeal(game.actor, 75)
        assert question(View(game.state)) == question(View(other.state))
        assert redraw_key(View(game.state)) == redraw_key(View(other.state))


# --- widths ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("columns", "used"), [(20, 40), (40, 40), (60, 60), (80, 80), (200, 200)])
def test_everything_fits_the_terminal(monkeypatch, columns, used):
    monkeypatch.setenv("COLUMNS", str(columns))
    assert width() == used
    longest = 0
    for game in random_positions(76, 1):
        view = View(game.state)
        text = [wrapped(question(view), used), Menu(view).text(used), wrapped(HELP, used)]
        if game.state.decisions % 10 == 0:
            text.append(board(view))
        for line in "\n".join(text).splitlines():
            assert len(line) <= used, line
            longest = max(longest, len(line))
    assert longest > used - 10


# --- the sitting -----------------------------------------------------------------------------------------------------


def refuse(view: View) -> int:
    """Decline whatever can be declined, else take the first action."""
    return view.legal[view.texts.index("pass") if "pass" in view.texts else 0]


def sat(game: Game, monkeypatch, capsys, *lines: str) -> str:
    """All a Democrat at the terminal sees of a game of which they type some decisions."""
    sitting = play.Sitting(UndoableGame(1, DEMOCRAT, "random"), function_player("refuser", refuse), None)
    sitting.table.game = game
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    monkeypatch.setattr(sitting, "leave", lambda: None)
    sitting.play()
    return capsys.readouterr().out


def test_the_terminal_does_not_betray_that_the_opponent_was_asked(monkeypatch, capsys):
    """Inflationary Currency (44): the board is not shown again either."""
    shown = []
    for hand in ("D: 44 7 / C: 11 37", "D: 44 7 / C: 11 32"):
        game = scenario(hand, {"Lodz": (0, 3), "Gdansk": (0, 3)}, turn=4, stop=False)
        game.end_script()
        shown.append(sat(game, monkeypatch, capsys, "44", "event", "Poland", "lodz", "lodz", "pass"))
    assert shown[0] == shown[1] and "make a support check" in shown[0]


def test_the_board_is_shown_once_in_the_set_up_and_once_a_round_of_ones_own(monkeypatch, capsys):
    """A struggle, or a question in a round of the opponent, does not bring it back."""
    out = sat(Game(3), monkeypatch, capsys, "lodz", "pecs", "ros")
    assert out.count("USSR stability") == 1
    game = scenario("D: 22 3 7 / C: 11 37", turn=4, stop=False)
    game.end_script()
    out = sat(game, monkeypatch, capsys, "22", *["1"] * 60)
    assert "struggle in Poland" in out and out.count("USSR stability") == 1 + out.count(", Democrat to play")


def test_the_question_counts_down(monkeypatch, capsys):
    out = sat(Game(3), monkeypatch, capsys, "lodz", "pecs", "ros")
    assert re.findall(r"Set-up: place (\d) more support point", out) == ["3", "2", "1", "4"]


def test_all_choices_are_listed_on_request(monkeypatch, capsys):
    view, prompt = View(Game(3).state), Prompt()
    prompt.show(view)
    shown = capsys.readouterr().out
    monkeypatch.setattr(sys, "stdin", io.StringIO("actions\nLublin\n"))
    assert prompt.ask(view)[0] == ACT
    listed = capsys.readouterr().out.removeprefix("> ").removesuffix("> ")
    assert shown.endswith(listed) and listed.startswith("Set-up: ")

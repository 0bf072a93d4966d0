"""Studying in a real browser and by the server's words: puzzles and what is said of answers."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from clicks import PHONE, assert_accessible
from dawn_agents.frontends.analysis.action_gains import gain_words
from dawn_agents.frontends.analysis.puzzles import Puzzle, read_puzzles
from dawn_agents.frontends.web import exercises
from dawn_agents.frontends.web.exercises import Puzzles, answer_verdict, choice_losses, pose
from scenario import scenario

from dawn_env.game import Game
from dawn_env.observation.player_view import View
from dawn_env.tables import CARD_TITLES, SPACES

MODES = ("standard", "family")


@pytest.fixture(scope="module")
def puzzles() -> Puzzles:
    return Puzzles()


def puzzles_of(mode: str) -> list[Puzzle]:
    """The puzzles of a set, in its order."""
    found = read_puzzles(exercises._file("puzzles.jsonl"), "puzzles.jsonl")
    return [one for one in found if one.options["mode"] == mode]


def view_of(puzzle: Puzzle) -> View:
    game = Game(puzzle.seed, puzzle.options)
    for text in puzzle.decisions:
        game.step(text)
    return View(game.state)


# --- what the server says --------------------------------------------------------------------------------


def test_puzzles_come_in_a_set_for_each_mode(puzzles, tmp_path: Path):
    sets = puzzles.sets()
    assert [(one["mode"], one["title"]) for one in sets] == [("standard", "Standard game"), ("family", "Family mode")]
    assert [len(one["ids"]) for one in sets] == [len(puzzles_of(mode)) for mode in MODES]
    ids = [name for one in sets for name in one["ids"]]
    assert len(set(ids)) == len(ids)
    own = tmp_path / "own.jsonl"
    own.write_text(json.dumps(puzzles_of("family")[4].__dict__) + "\n")
    (alone,) = Puzzles(own).sets()
    assert (alone["mode"], alone["ids"]) == ("family", [sets[1]["ids"][4]]), "a puzzle keeps its id in another file"


@pytest.mark.parametrize("mode", MODES)
def test_a_puzzle_tells_nothing_of_its_answer(puzzles, mode):
    puzzle, told = puzzles_of(mode)[0], puzzles.tell(mode, 1)
    assert not {"best", "taken", "loss", "next", "seed"} & set(told) and told["mode"] == mode
    assert {puzzle.taken, puzzle.better} <= set(told["ask"]["legal"])
    assert not told["hands"][1 - told["side"]]["cards"]
    states = puzzles._replay(mode, 1).states
    before = states[:-1][states[:-1]["actor"] == told["side"]][-1]
    changed = {SPACES[space] for space in np.flatnonzero((before["support"] != states[-1]["support"]).any(axis=0))}
    assert {entry["space"] for entry in told["changes"]["spaces"]} == changed, "since its latest decision"


@pytest.mark.parametrize("mode", MODES)
def test_a_verdict_has_the_loss_of_each_choice(puzzles, mode):
    puzzle = puzzles_of(mode)[0]
    legal = puzzles.tell(mode, 1)["ask"]["legal"]
    verdicts = {action: puzzles.verdict(mode, 1, action) for action in (puzzle.taken, puzzle.better, legal[-1])}
    for action, found in verdicts.items():
        assert sorted(row["action"] for row in found["choices"]) == sorted(legal)
        assert found["choices"][0] == {"action": puzzle.better, "loss": 0, "error": 0}
        losses = [row["loss"] for row in found["choices"][1:]]
        assert losses == sorted(losses)
        (row,) = (row for row in found["choices"] if row["action"] == action)
        assert (found["loss"], found["best"], found["taken"]) == (row["loss"], puzzle.better, puzzle.taken)
    assert verdicts[puzzle.taken]["loss"] == puzzle.loss
    assert verdicts[puzzle.better]["against"] == puzzle.taken


@pytest.mark.parametrize("mode", MODES)
def test_what_is_said_of_a_puzzle_depends_on_what_its_side_sees_alone(puzzles, mode):
    """Byte for byte the same with all that is hidden from the side dealt anew."""
    puzzle, replay = puzzles_of(mode)[1], puzzles._replay(mode, 2)
    at, told = len(replay.decisions), []
    for seed in (None, 3, 4):
        game = replay.game(at)
        state = (game if seed is None else game.redeal(game.actor, seed)).state
        states, replay.states[at] = replay.states.copy(), state
        view = View(replay.states[at])
        verdict = answer_verdict(view, puzzle, choice_losses(view, puzzle), puzzle.taken)
        told.append(json.dumps([pose(replay, at, 0), verdict]))
        replay.states = states
    assert len(set(told)) == 1


def test_one_sentence_says_what_the_better_action_wins():
    """Odds, points and scoring; what one action gains the other one does not."""
    puzzle = puzzles_of("standard")[2]
    view = view_of(puzzle)
    gained = gain_words(view, puzzle.better, puzzle.taken, 1)
    lost = gain_words(view, puzzle.taken, puzzle.better, 1)
    points = re.findall(r"(\d\.\d) VP more (on the track|to come from a scoring of [A-Z][\w ]+)", gained)
    assert len(points) == 2 and gained.endswith(".")
    assert not any(words in lost for _, words in points)


def test_the_sentence_names_the_odds_of_a_roll():
    game = scenario(
        "D: 7 / C: 11", turn=2, support={"Gdansk": (1, 2), "Polish Writers": (0, 1)}, phasing="D", stop=False
    )
    game.take("check")
    for space, faces in (("Gdansk", 2), ("Polish Writers", 4)):
        words = gain_words(View(game.state), f"space:{space}", "space:Gdansk", 1)
        assert words.startswith(f"it succeeds with {faces} of the 6 faces of the die; "), words


# --- on the page -------------------------------------------------------------------------------------------


def test_a_puzzle_is_answered_by_keys_and_explained(server, open_page):
    page = open_page(f"{server.address}/puzzles?n=1")
    page.wait_for_selector("#prompt[data-state=asked]")
    assert "Standard game: puzzle 1 of " in page.inner_text("#prompt h2") and "Standard" in page.inner_text("#said")
    page.keyboard.press("c")
    card = int(page.evaluate("document.activeElement.dataset.card"))
    page.keyboard.press("Enter")
    assert CARD_TITLES[card] in page.inner_text("#detail h3")
    page.keyboard.press("Enter")
    page.wait_for_selector("#verdict")
    assert "Compared with " in page.inner_text("#why") and page.inner_text("#why") in page.inner_text("#said")
    rows = page.locator(".losing tbody tr")
    assert rows.count() == 7 and rows.nth(0).inner_text().endswith("best") and "±" in rows.last.inner_text()
    assert "your choice" in page.inner_text(".losing") and "in the game" in page.inner_text(".losing")
    assert page.locator("#prompt .strong").all_inner_texts() == ["Next puzzle"]
    page.keyboard.press("Enter")
    page.wait_for_selector("#prompt[data-at='2'][data-state=asked]")
    assert page.evaluate("inPage.hasFocus") and page.inner_text("#question") in page.inner_text("#said")
    page.keyboard.press("?")
    page.wait_for_selector("dialog summary >> text=Tiananmen Square")
    page.goto(f"{server.address}/puzzles?n=1000")
    page.wait_for_selector("#prompt[data-at='1'][data-state=asked]")  # there is no such puzzle


def test_solved_puzzles_are_remembered_in_their_set(server, open_page):
    best = puzzles_of("family")[1].better
    page = open_page(f"{server.address}/puzzles?set=family&n=2", **PHONE)
    page.wait_for_selector("#prompt[data-state=asked] h2 >> text=Family mode: puzzle 2 of ")
    page.click(f"[data-action='{best}']" if not best.startswith("space:") else f"[data-space='{best[6:]}']")
    page.click("#prompt .strong")
    page.wait_for_selector("#verdict >> text=The best move!")
    assert page.evaluate("inPage.seen", "[data-puzzle=next]") == 1
    assert_accessible(page)
    page.select_option("[aria-label='Set of puzzles']", "standard")
    page.wait_for_selector("#prompt[data-at='1'][data-state=asked] h2 >> text=Standard game: puzzle 1 of ")
    page.select_option("[aria-label='Set of puzzles']", "family")
    page.wait_for_selector("#prompt[data-state=asked] h2 >> text=/puzzle 2 of .* ✓/")
    page.goto(f"{server.address}/puzzles")
    page.wait_for_selector("#prompt[data-state=asked] h2 >> text=/Family mode: puzzle 2 of .* ✓/")
    options = page.locator("[aria-label='Set of puzzles'] option").all_inner_texts()
    assert [words.split("(")[1] for words in options] == ["0 of 39 solved)", "1 of 37 solved)"]
    assert page.locator("[aria-label=Puzzle] option:has-text('✓')").count() == 1

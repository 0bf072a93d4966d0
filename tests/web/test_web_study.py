"""Studying in a real browser and by the server's words: puzzles and what is said of answers."""

import json
import os
import random
import re
from pathlib import Path

import numpy as np
import pytest
from clicks import PHONE, assert_accessible, decide, resign, wait_for_turn
from dawn_agents.frontends.analysis.action_gains import gain_words
from dawn_agents.frontends.analysis.puzzles import Puzzle, read_puzzles
from dawn_agents.frontends.terminal.undoable_game import UndoableGame
from dawn_agents.frontends.web import exercises, kept_results, replays
from dawn_agents.frontends.web.analysis_session import losses
from dawn_agents.frontends.web.client_messages import BadRequest
from dawn_agents.frontends.web.exercises import (
    Puzzles,
    answer_verdict,
    choice_losses,
    mistake,
    mistake_verdict,
    pose,
)
from dawn_agents.frontends.web.game_session import HUMAN, PRACTICE, UNDO, Session, Setting
from dawn_agents.frontends.web.kept_results import ResultFolder
from dawn_agents.frontends.web.position_messages import seen_by
from dawn_agents.frontends.web.replays import Replay
from dawn_agents.players.search.decision_judge import Judge
from random_records import golden, golden_moment
from scenario import scenario
from web_server import act, next_state

from dawn_env.errors import IllegalAction
from dawn_env.formats.game_record import record_from_actions
from dawn_env.game import Game
from dawn_env.observation.player_view import View
from dawn_env.options import STANDARD, GameOptions
from dawn_env.tables import CARD_TITLES, SIDE_NAMES, SPACES

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


# --- one's own mistakes --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def beginning() -> Replay:
    """The first decisions of a golden game."""
    record = golden(1)
    return Replay(Setting(record["seed"], GameOptions.of(record["options"]), SIDE_NAMES), record["decisions"][:44])


def test_losses_begin_with_the_side_that_asks_and_are_judged_once(beginning, monkeypatch):
    for first in (1, 0):
        *_, last = told = list(losses(beginning, lambda: False, first))
        sides = [loss["side"] for loss in last["losses"]]
        assert sides == sorted(sides, key=lambda side: side != first) and set(sides) == {0, 1}
        (own,) = (message for message in told if message["done"] == message["own"])
        assert own["losses"] == [loss for loss in last["losses"] if loss["side"] == first]
        monkeypatch.setattr(Judge, "verdict", None)  # everything is known
    assert list(losses(Replay(beginning.setting, []), lambda: False)) == [{"done": 1, "own": 1, "losses": []}]


def test_what_was_worked_out_of_a_game_is_kept_between_servers(tmp_path, beginning, monkeypatch):
    """A file that is damaged, or of other sources, is not used."""
    folder = ResultFolder(tmp_path / "results")

    def opened() -> Replay:
        replay = Replay(beginning.setting, beginning.decisions)
        replay.keep_in(folder)
        return replay

    def results(replay: Replay) -> str:
        *_, last = losses(replay, lambda: False)
        return json.dumps([[replay.log(viewer) for viewer in (None, 0, 1)], replay.course(), last])

    first = results(opened())
    with monkeypatch.context() as patch:
        for place, name in ((replays, "EventObserver"), (replays, "win_probabilities"), (Judge, "verdict")):
            patch.setattr(place, name, None)  # everything is known
        assert results(opened()) == first
    [file] = (tmp_path / "results").iterdir()
    assert file.stat().st_size < 20_000
    whole = file.read_bytes()
    for damaged in (whole[:-1], whole[:-1] + bytes([whole[-1] ^ 1]), b""):
        file.write_bytes(damaged)
        replay = opened()
        assert replay.verdicts == {}
        replay.course()
        assert len(file.read_bytes()) < len(whole)
    monkeypatch.setattr(kept_results, "_version", lambda: "another")
    assert opened().verdicts == {}


def test_a_folder_of_results_keeps_those_used_last(tmp_path):
    folder = ResultFolder(tmp_path / "results", most=3_000)
    for number in range(5):
        folder.write(f"{number}", {"random": random.Random(number).randbytes(500).hex()})
        os.utime(tmp_path / "results" / f"{number}", (number, number))
    assert folder.read("0"), "looked at now"
    for number in range(5, 8):
        folder.write(f"{number}", {"random": random.Random(number).randbytes(500).hex()})
    left = {path.name: path.stat().st_size for path in (tmp_path / "results").iterdir()}
    assert {"0", "7"} <= set(left) and "1" not in left and 2_000 < sum(left.values()) <= 3_000


def test_results_that_cannot_be_kept_are_worked_out_all_the_same(tmp_path, beginning, caplog):
    (tmp_path / "results").write_text("no folder")
    replay = Replay(beginning.setting, beginning.decisions)
    replay.keep_in(ResultFolder(tmp_path / "results"))
    assert replay.course()["turn"] and replay.log(None)
    assert len(caplog.records) == 1


def test_what_is_said_of_a_mistake_depends_on_what_its_side_sees_alone(beginning):
    *_, last = losses(beginning, lambda: False, 1)
    worst, told = last["losses"][0], []
    at = worst["at"]
    taken = beginning.decisions[at]
    states = beginning.states
    for seed in (None, 5, 6):
        game = beginning.game(at)
        beginning.states = states.copy()
        beginning.states[at] = (game if seed is None else game.redeal(game.actor, seed)).state
        beginning.verdicts.clear()
        told.append(json.dumps([mistake(beginning, at), mistake_verdict(beginning, at, taken)]))
    beginning.states = states
    assert len(set(told)) == 1
    posed, verdict = json.loads(told[0])
    assert posed["side"] == 1 and not {"best", "taken", "loss", "next"} & set(posed)
    assert (verdict["taken"], verdict["loss"]) == (taken, worst["loss"])
    with pytest.raises(BadRequest, match="at: a decision 0 ... 43 "):
        mistake(beginning, 44)


def test_mistakes_are_tried_again_from_ones_own_seat(server, open_page, beginning):
    shelf = server.shelf(record_from_actions(beginning.setting.seed, beginning.decisions))
    page = open_page(f"{server.address}/replay/{shelf}.0?viewer=communist")
    page.wait_for_selector("#prompt >> text=Position 0 of")
    page.click("[role=tab] >> text=Losses")
    page.click("[data-study=losses]")
    page.wait_for_selector("#losses:not(:has(progress)) .losses li")
    assert page.locator("#losses h3").first.inner_text().strip() == "unknown"
    assert page.locator("#losses h3 .mark").first.get_attribute("aria-label") == "Communist"
    page.click("[data-study=again-communist]")
    page.wait_for_selector("#prompt[data-state=asked] h2 >> text=/Mistake 1 of /")
    assert page.inner_text("#prompt").count("Communist") and page.locator("#hand h2 .mark.c").count()
    page.locator("#board [data-legal], #hand .legal, #prompt [data-action]").first.click()
    page.click("#prompt .strong")
    page.wait_for_selector("#verdict")
    assert "in the game" in page.inner_text(".losing")
    page.click("[data-puzzle=next]")
    page.wait_for_selector("#prompt[data-state=asked] h2 >> text=/Mistake 2 of /")


def test_a_game_that_ends_offers_its_mistakes(server, open_page):
    page = open_page(server.address + server.seat("communist", "heuristic", 8))
    wait_for_turn(page)
    resign(page)
    page.click("#prompt[data-state=over] [data-study=again]")
    page.wait_for_selector("#prompt h2 >> text=No mistake found")
    assert page.url.endswith("?side=communist")


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


# --- practice, rematches, two people at one screen -----------------------------------------------------------


def test_in_practice_every_decision_is_taken_back_and_the_game_is_as_it_was():
    """Dice and answers of the opponent too; a session made anew from the journal agrees."""
    rng, session = random.Random(2), Session(Setting(7, STANDARD, (HUMAN, "random")))
    before, at = {}, {}
    while session.game.state.turn < 2:
        if session.actor == 0:
            before[len(session.decisions)] = session.tell(0)["hands"], session.game.copy()
        session.enter(session.actor, rng.choice(session.game.legal))
    while session.actor != 0:
        session.enter(1, rng.choice(session.game.legal))
    with pytest.raises(IllegalAction, match="for games against players that are no people"):
        Session(Setting(7, STANDARD, (HUMAN, HUMAN))).enter(0, PRACTICE)
    assert not session.can_undo(0)
    session.enter(0, PRACTICE)
    for number in sorted(before, reverse=True):
        assert session.tell(0)["practice"] and session.can_undo(0)
        session.enter(0, UNDO)
        at[number] = len(session.decisions)
        hands, game = before[number]
        assert session.game == game and session.tell(0)["hands"] == hands
    assert list(at) == list(at.values()) and not session.can_undo(0)
    assert 0 < session.freely_undone < len(before), "points that are placed count as undo"
    again = Session(session.setting, session.journal)
    assert again.tell(0) == session.tell(0) and again.freely_undone == session.freely_undone


def test_practice_is_marked_in_the_record(server, open_page):
    page = open_page(server.address)
    page.check("input[name=practice]")
    page.click("[data-start=play]")
    page.wait_for_url("**/seat/*")
    wait_for_turn(page)
    assert "Practice game" in page.inner_text("#prompt")
    record, at, _ = golden_moment(lambda game, _: game.decision == "card" and game.actor == 0 and game.state.turn == 2)
    seat = server.seat_at(server.shelf(record), at, "democrat", "random")
    server.ask(f"/api{seat}", {"type": "practice"})
    with server.live(seat) as live:
        told = next_state(live)
        while told["at"] < 2 or [one for one in told["log"] if one["event"] == "decision"][-1]["who"] != "communist":
            act(live, told, told["ask"]["legal"][0])
            told = next_state(live)
        live.send(json.dumps({"type": "undo", "at": told["at"]}))
        assert len(next_state(live)["log"]) <= len(told["log"])
    server.ask(f"/api{seat}", {"type": "resign"})
    watch = server.ask(f"/api{seat}")[1]["watch"]
    status, marked = server.ask(f"/api/replay/{watch}/record")
    assert (status, marked["practice"]) == (200, 1)
    page.goto(f"{server.address}/replay/{server.shelf(marked)}.0")
    page.wait_for_selector("#prompt >> text=Practice game: 1 decision taken back freely")


def test_a_rematch_exchanges_the_sides_and_is_the_same_for_both(server):
    seats = server.new_game("human", "human", options={"extra_support": [0, 2]})["seats"]
    one, other = seats["democrat"], seats["communist"]
    status, refused = server.ask(f"/api{one}/rematch", {})
    assert status == 400 and "when the game is over" in refused["text"]
    server.ask(f"/api{one}", {"type": "resign"})
    assert not server.ask(f"/api{other}")[1]["rematch"]
    again = [server.ask(f"/api{seat}/rematch", {})[1]["seat"] for seat in (one, other, one)]
    assert again[0] == again[2] != again[1] and server.ask(f"/api{other}")[1]["rematch"]
    told = [server.ask(f"/api{seat}")[1] for seat in again]
    assert [message["side"] for message in told] == [1, 0, 1]
    assert told[0]["watch"] == told[1]["watch"] and not told[0]["log"]


def test_two_people_at_one_screen_see_their_own_cards_only(server, open_page):
    page = open_page(server.address)
    page.click("[data-start=together]")
    seen = set()
    for _ in range(6):
        page.wait_for_selector("[data-wish=look]")
        assert not page.is_visible("#hand") and not page.is_visible("#prompt") and page.title().endswith(" is next")
        page.click("[data-wish=look]")
        page.wait_for_selector("#prompt[data-state=asked]")
        seen.add(page.locator("#hand h2 .mark").first.get_attribute("class"))
        page.reload()
        page.wait_for_selector("#curtain >> text=Only they should look now")
        page.click("[data-wish=look]")
        at = wait_for_turn(page)
        while not page.locator("#curtain").count():
            decide(page, random.Random(3))
            page.wait_for_function("at => document.getElementById('curtain') || inPage.ready(at)", arg=at)
            at = page.get_attribute("#prompt", "data-at")
    assert seen == {"mark d", "mark c"}
    assert_accessible(page)


# --- files ---------------------------------------------------------------------------------------------------


def saved_game(path: Path, opponent: str = "heuristic", decisions: int = 30) -> UndoableGame:
    """A game saved at the terminal while the Communist, a person, is to decide."""
    rng, table = random.Random(5), UndoableGame(9, 1, opponent)
    while len(table.decisions) < decisions or table.game.actor == 0:
        table.step(rng.choice(table.game.legal))
    table.save(path)
    return table


def test_an_unfinished_game_of_the_terminal_goes_on_and_is_no_replay(server, tmp_path):
    table = saved_game(tmp_path / "1989-9-1.json")
    status, opened = server.ask("/api/shelves?title=mine", (tmp_path / "1989-9-1.json").read_bytes())
    assert (status, opened["games"], opened["unfinished"]) == (200, 1, 1)
    token = opened["shelf"].rsplit("/", 1)[1]
    for path in ("", "/5", "/5/state", "/record"):
        status, answer = server.ask(f"/api/replay/{token}.0{path}")
        assert status == 404 and answer["text"].startswith("this game goes on")
    go_on = f"/api/shelves/{token}/0/game"
    assert server.ask(go_on, {"opponent": "process:rm"})[0] == 400
    assert server.ask(f"/api/shelves/{token}/1/game", {"opponent": "heuristic"})[0] == 404
    status, links = server.ask(go_on, {"opponent": "heuristic"})
    assert status == 200 and list(links["seats"]) == ["communist"]
    told = server.ask(f"/api{links['seats']['communist']}")[1]
    assert set(told["ask"]["legal"]) == set(table.game.legal) and told["undo"] == table.can_undo
    assert told["at"] == sum(event.get("who") == "communist" for event in told["log"] if event["event"] == "decision")
    assert told["hands"][0]["cards"] == seen_by(table.game.state, 1).hand(0), "what is known of it, no more"
    finished = server.shelf(record_from_actions(9, table.decisions, names={"D": "heuristic", "C": "human"}))
    assert server.ask(f"/api/replay/{finished}.0")[0] == 200, "the record of a game that was resigned"


def test_an_unfinished_game_is_opened_by_a_click_and_files_stay_listed(server, open_page, tmp_path):
    path = tmp_path / "1989-9-1.json"
    saved_game(path, opponent="policy:mine.zip")
    empty, other = tmp_path / "empty.json", tmp_path / "letter.txt"
    empty.write_text(" ")
    other.write_text("Dear friend")
    page = open_page(server.address)
    for file, words in (
        (empty, "This file is empty."),
        (other, "This file cannot be opened: it holds no game records, "),
    ):
        page.set_input_files("input[type=file]", file)
        page.wait_for_selector(f"#toast.shown >> text={words}")
    page.set_input_files("input[type=file]", path)
    page.wait_for_selector("#saved h2 >> text=you are the Communist")
    assert "policy:mine.zip, is not on offer here" in page.inner_text("#saved") and not page.locator("#list a").count()
    page.click("[data-start=go-on]")
    page.wait_for_url("**/seat/*")
    wait_for_turn(page)
    page.goto(server.address)
    page.click("#open li a >> text=1989-9-1.json")
    page.wait_for_selector("#saved [data-start=go-on]")


# --- the lesson --------------------------------------------------------------------------------------------

TARGETS = "#board [data-legal], #hand .card.legal, #fight .legal, #prompt [data-legal], #prompt .strong"


def test_on_a_phone_the_target_of_each_step_of_the_lesson_is_in_sight(server, open_page):
    steps = json.loads(exercises._file("lesson.json"))["steps"]
    page = open_page(f"{server.address}/learn?n=1", **PHONE)
    for step in range(1, len(steps) + 1):
        page.wait_for_selector(f"#prompt[data-at='{step}']")
        assert page.url.endswith(f"?n={step}")
        assert page.evaluate("inPage.seen", TARGETS) >= 1, steps[step - 1]["title"]
        if step < len(steps):
            page.locator(TARGETS).first.click()


def test_a_wrong_click_in_the_lesson_is_answered(server, open_page):
    """On a space, on a card and on a button; the address tells the step."""
    page = open_page(f"{server.address}/learn?n=5")
    for step, wrong, words in (
        (5, "[data-space=Lodz]", "That is Lodz. This step asks for Gdansk."),
        (5, "#hand [data-card='17']", "That is 17 Roundtable Talks. This step asks for Gdansk."),
        (8, "#prompt .choice >> nth=1", "This step asks for Let the event occur."),
    ):
        page.goto(f"{server.address}/learn?n={step}")
        page.wait_for_selector(f"#prompt[data-at='{step}']")
        if step == 8:
            page.set_viewport_size(PHONE)
        page.click(wrong)
        page.wait_for_function("words => document.getElementById('miss').textContent.endsWith(words)", arg=words)
        assert page.get_attribute("#prompt", "data-at") == str(step) and page.evaluate("inPage.seen", "#miss") == 1
    page.goto(f"{server.address}/learn?n=99")
    page.wait_for_selector("#prompt[data-at='1']")

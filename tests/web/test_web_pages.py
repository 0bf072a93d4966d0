"""The page in a real browser: explanations, the map on a phone, replays, the start page, puzzles and the lesson."""

import json
import random
from itertools import product

import pytest
from clicks import PHONE
from dawn_agents.frontends.analysis.puzzles import lead, read_puzzles
from dawn_agents.frontends.web import exercises
from dawn_agents.frontends.web.game_session import Setting
from dawn_agents.frontends.web.page_facts import LAYOUTS
from dawn_agents.frontends.web.position_messages import changes, describe, seen_by
from dawn_agents.frontends.web.replays import Replay
from random_records import golden

from dawn_env.game import Game
from dawn_env.options import GameOptions
from dawn_env.picture.drawing import map_svg
from dawn_env.tables import COUNTRIES, NEIGHBOURS, SIDE_NAMES, SPACES

DESTROYED = 24, 391  # golden game and decision, after Systematization
PLACING = 60  # decisions before one on the board in the golden game below


def replay_of(server, number: int) -> str:
    """The path of the replay of a golden game."""
    return f"/replay/{server.shelf(golden(number))}.0"


# --- explanations --------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{}, {"mode": "family"}, {"bid": True}])
def test_countries_tell_what_they_would_score_and_explain_themselves(server, open_page, options):
    seats = ("first", "second") if options.get("bid") else ("democrat", "communist")
    wanted = {"players": dict.fromkeys(seats, "human"), "options": options, "seed": 5}
    path = server.ask("/api/games", wanted)[1]["seats"][seats[0]]
    page = open_page(server.address + path)
    page.wait_for_selector("#board [data-space]")
    scores = server.ask(f"/api{path}")[1]["scores"]
    for country, score in zip(COUNTRIES, scores, strict=True):
        shown = page.locator(f"[data-country='{country}'] [data-scored-now]")
        assert shown.get_attribute("data-scored-now") == f"{score:+d}"
        assert (str(abs(score)) in shown.text_content()) or (score == 0 and shown.text_content() == "even")
    assert ("Family mode" in page.inner_text("#tracks")) == (options.get("mode") == "family")
    page.locator("[data-country='Poland'] text").first.hover()
    assert "Scored now" in page.inner_text("#term") and "14 spaces, 6 of them battlegrounds" in page.inner_text("#term")
    page.get_by_role("note", name="VP 0").focus()
    assert "20 win at once" in page.inner_text("#term")
    page.keyboard.press("Escape")
    assert not page.locator("#term").is_visible()
    page.click("text=Legend")
    assert "battleground" in page.inner_text("dialog .key") and "Power" in page.inner_text("dialog")


def positions_of_all_kinds():
    """Positions that together have all marks of the map: a destroyed space, a hideout, a move of points."""
    number, at = DESTROYED
    record = golden(number)
    setting = Setting(record["seed"], GameOptions.of(record["options"]), SIDE_NAMES)
    state = Replay(setting, record["decisions"]).game(at).state
    state.hideout = SPACES.index("Sliven")
    yield state
    family, rng = Game(3, GameOptions(mode="family")), random.Random(3)
    for number in range(240):
        family.step(rng.choice(family.legal))
        if number % 20 == 0:
            yield family.state


@pytest.mark.parametrize("size", [{}, PHONE], ids=["wide", "narrow"])
def test_pages_paint_the_map_as_pictures_show_it(server, open_page, size):
    page, moved = open_page(f"{server.address}/learn", **size), 0
    for state in positions_of_all_kinds():
        seen = seen_by(state, None)
        told = describe(seen) | {"changes": changes(seen, None)}
        drawing = map_svg(seen, LAYOUTS["narrow" if size else "wide"], "map")
        painted, drawn = page.evaluate("inPage.painted", {"state": told, "drawing": drawing})
        for one, other in zip(painted, drawn, strict=True):
            assert one == other
        moved += bool(drawn[-1])
    assert moved > 2, "nothing moves in these positions"


def test_neighbours_of_the_space_that_is_looked_at(server, open_page):
    number, at = DESTROYED
    page = open_page(f"{server.address}{replay_of(server, number)}?at={at}")
    page.wait_for_selector("#prompt >> text=Position")
    gone = SPACES.index("Harghita/Covasna")
    variant = 1 + gone - SPACES.index("Timisoara")
    for name in ("Brasov", "Berlin", SPACES[gone]):
        page.locator(f"[data-space='{name}']").hover()
        marked = page.locator("[data-neighbour]").evaluate_all("found => found.map(one => one.dataset.space)")
        assert set(marked) == {SPACES[near] for near in NEIGHBOURS[variant, SPACES.index(name)] if near >= 0}
        named = page.inner_text("#neighbours").removeprefix("Neighbours: ").removesuffix(".")
        assert set(named.split(", ")) == (set(marked) or {"none"})
    assert page.locator("[data-space=Berlin]").get_attribute("aria-label").endswith(", in East Germany")


def test_the_boxes_of_tiananmen_square_are_explained_by_focus_readable_and_clear_of_the_menu(server, open_page):
    page = open_page(server.address + server.seat("democrat"))
    page.focus("[data-term=square]")
    words = page.inner_text("#term")
    assert "Box 1: " in words and "Box 8: " in words and "Democrat needs 10 or more" in words
    for width, offline in product((820, 960, 1024, 1200, 1280, 1440), (False, True)):
        page.set_viewport_size({"width": width, "height": 900})
        page.evaluate("offline => document.body.classList.toggle('offline', offline)", offline)
        boxes = page.locator(".square :is(.box, em)")
        assert boxes.evaluate_all("all => all.every(one => one.scrollWidth <= one.clientWidth)")
        assert boxes.evaluate_all("all => all.every(one => one.scrollHeight <= one.clientHeight)")
        box, menu = page.locator(".square").bounding_box(), page.locator("#menu").bounding_box()
        assert box["x"] + box["width"] <= menu["x"]


# --- phones and tablets ----------------------------------------------------------------------------------


def test_a_board_that_cannot_be_fetched_is_asked_for_once(server, open_page):
    page, asked = open_page(f"{server.address}{replay_of(server, 1)}?at=20"), []
    page.wait_for_selector("#prompt >> text=Position")  # before, the board alone is shown, and drawn again with it
    page.route("**/map.svg*", lambda route: asked.append(route.abort()))
    page.set_viewport_size(PHONE)
    page.wait_for_selector("#toast.shown")
    page.wait_for_timeout(300)
    assert len(asked) == 1 and page.locator("#board [data-space]").count() == len(SPACES)
    page.unroute("**/map.svg*")
    page.set_viewport_size({"width": 1440, "height": 900})
    page.set_viewport_size(PHONE)
    page.wait_for_selector("#board svg[viewBox^='0 -5 390']")


def test_a_phone_shows_six_countries_at_a_glance_and_one_large(server, open_page):
    page = open_page(server.address + server.seat("communist"), **PHONE)
    page.wait_for_selector("#prompt[data-state=asked]")
    tiles = page.locator("[data-enlarge]")
    assert tiles.evaluate_all("all => all.map(one => one.dataset.enlarge)") == list(COUNTRIES)
    boxes = [tiles.nth(at).bounding_box() for at in range(len(COUNTRIES))]
    assert max(box["y"] + box["height"] for box in boxes) - min(box["y"] for box in boxes) < 250
    counts = page.locator("[data-enlarge] .count").evaluate_all("all => all.map(one => parseInt(one.textContent))")
    assert sum(counts) == page.locator("#board [data-legal]").count() > 0
    assert page.evaluate("document.documentElement.scrollHeight") < 1500
    for country, space in (("Bulgaria", "Plovdiv"), ("Poland", "Lodz")):
        page.click(f"[data-enlarge='{country}']")
        map_box, box = page.locator("#board").bounding_box(), page.locator(f"[data-space={space}]").bounding_box()
        assert map_box["y"] < box["y"] and box["y"] + box["height"] < map_box["y"] + map_box["height"]
        assert box["width"] > 60
    page.click("[data-space=Halle]")
    page.wait_for_selector("[data-enlarge='East Germany'][aria-pressed=true]")


def test_at_twice_the_size_spaces_are_large_and_the_question_is_seen(server, open_page):
    page = open_page(server.address + server.seat("communist"), width=720, height=450)
    page.wait_for_selector("#prompt[data-state=asked]")
    page.wait_for_selector("#board svg[viewBox^='0 -5 390']")
    assert page.evaluate("inPage.seen", "#question") == 1
    assert page.locator("[data-space=Halle]").bounding_box()["width"] > 70
    page.focus("[data-space=Dresden]")
    assert page.evaluate("inPage.seen", "[data-space=Dresden]"), "the question covers the space"
    height = page.locator("#board").bounding_box()["height"]
    page.set_viewport_size({"width": 450, "height": 720})
    page.wait_for_function("height => document.getElementById('board').clientHeight > height + 30", arg=height)


def is_clear(game: Game) -> bool:
    """Return True unless support is lost in a struggle in which nobody attacked."""
    return game.decision != "support-loss" or game.state.led_suit >= 0


@pytest.mark.parametrize(
    "decision, choices",
    [
        ("attack", "#prompt .choice"),
        ("defend", "#prompt .choice"),
        ("support-loss", "#board [data-legal]"),
        ("card", "#hand .card.legal"),
        ("use", "#prompt .choice"),
    ],
)
def test_a_phone_shows_question_and_choices_without_scrolling(server, open_page, decision, choices):
    seat, _, _ = server.seat_when(lambda game, _: game.decision == decision and len(game.legal) > 1 and is_clear(game))
    page = open_page(server.address + seat, **PHONE)
    page.wait_for_selector("#prompt[data-state=asked]")
    assert page.evaluate("inPage.seen", "#question")
    assert page.evaluate("inPage.seen", ".struggle") == (decision in ("attack", "defend"))
    assert page.locator(".struggle .duel").count() == (decision == "defend")
    assert page.evaluate("inPage.seen", "[data-enlarge]") >= len(COUNTRIES) // 2
    expected = page.locator(choices).count() if choices.startswith("#prompt") else 1
    assert page.evaluate("inPage.seen", choices) >= expected


def test_a_phone_shows_the_hand_of_a_puzzle(server, open_page):
    page = open_page(f"{server.address}/puzzles?n=1", **PHONE)
    page.wait_for_selector("#hand .card.legal")
    assert page.evaluate("inPage.seen", "#hand .card.legal") >= 2


@pytest.mark.parametrize("width, height", [(390, 844), (1024, 768), (960, 600)])
def test_question_choices_and_how_to_go_on_are_shown_without_scrolling(server, open_page, width, height):
    seat, _, _ = server.seat_when(lambda game, _: game.decision == "ops-place")
    page = open_page(server.address + seat, width, height, paced=True)
    page.wait_for_selector("#prompt[data-state=asked]")
    assert page.evaluate("inPage.seen", "#question") == 1
    legal = page.locator("#board [data-legal]").count()
    assert page.evaluate("inPage.seen", "#board [data-legal]") > (0 if width == PHONE["width"] else legal / 2)
    event = {"event": "cards", "cards": list(range(1, 60)), "to": "discard_pile"}  # longer than the screen
    page.evaluate("inPage.present", event)
    assert page.evaluate("inPage.seen", "[data-action=continue]") == 1
    page.goto(server.address + server.new_game("human", "human", 5)["watch"])
    page.wait_for_selector("#board [data-space]")
    assert page.evaluate("inPage.seen", "#prompt h2") == 1


def test_a_phone_shows_the_countries_of_family_mode_by_their_whole_names(server, open_page):
    seat = server.seat("democrat", options={"mode": "family"})
    page = open_page(server.address + seat, **PHONE)
    page.wait_for_selector(".scored small")
    names = page.locator(".scored small")
    assert names.all_inner_texts() == list(COUNTRIES)
    assert names.evaluate_all("all => all.every(one => one.scrollWidth <= one.clientWidth)")


def test_notes_on_scoring_cards_end_with_the_last_card_and_with_the_game(server, open_page):
    page = open_page(server.address)
    state = {"over": None, "turn": 3, "round": 7, "phasing": 0, "side": 0, "decision": "card", "power": [1]}
    for changed, left in (
        ({}, 1),
        ({"decision": "ops-place"}, 0),
        ({"phasing": 1, "decision": "check"}, 1),
        ({"side": 1}, 0),
        ({"side": 1, "phasing": 1, "round": 1, "decision": "swap-card"}, 7),
        ({"over": {"result": "draw"}}, 0),
    ):
        assert page.evaluate("inPage.roundsLeft", state | changed) == left, changed


# --- replays ---------------------------------------------------------------------------------------------


def test_watching_shows_only_what_was_reached(server, open_page):
    page = open_page(f"{server.address}{replay_of(server, 1)}?watch=1")
    page.wait_for_selector("#prompt >> text=/Position [3-9]$|Position [3-9];/")
    page.click("#autoplay")
    page.wait_for_timeout(300)
    at = int(page.locator("#slider").input_value())
    assert page.locator("#slider").get_attribute("max") == str(at)
    assert page.locator("#log .entry").evaluate_all("all => Math.max(...all.map(one => +one.dataset.number))") <= at
    length = len(golden(1)["decisions"])
    assert str(length) not in page.inner_text("#prompt") and "Next:" not in page.inner_text("#prompt")
    assert page.locator(".chart .points").get_attribute("d").count("L") == at
    assert page.locator("#board .ring.chosen").count() == 0
    page.keyboard.press("End")
    assert page.locator("#slider").input_value() == str(at)
    page.reload()
    page.wait_for_selector("#slider")
    assert int(page.locator("#slider").get_attribute("max")) <= at + 2


def test_rings_for_the_move_played_and_the_best_one(server, open_page):
    record = golden(1)
    at = next(n for n, text in enumerate(record["decisions"]) if n > PLACING and text.startswith("space:"))
    page = open_page(f"{server.address}{replay_of(server, 1)}?at={at}")
    played = page.wait_for_selector("[data-space]:has(.ring.chosen)").get_attribute("data-space")
    assert f"space:{played}" == record["decisions"][at]
    page.click("[role=tab] >> text=Analysis")
    page.click("[data-study=analyse]")
    best = page.wait_for_selector("[data-space]:has(.ring.hinted)").get_attribute("data-space")
    assert page.inner_text(".values tbody tr td >> nth=0").startswith(best)


# --- the start page ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [{"width": 1440, "height": 900}, PHONE])
def test_the_start_page_needs_no_scrolling_to_play(server, open_page, size):
    page = open_page(server.address, **size)
    page.wait_for_selector("[data-start=play]")
    box = page.locator("[data-start=play]").bounding_box()
    assert box["y"] + box["height"] < size["height"]
    names = page.locator(".strengths b").all_inner_texts()
    assert names == ["Beginner", "Casual", "Experienced", "Strongest"]
    assert page.locator("fieldset details:not([open]) input[name=opponent]").count() >= 10
    for path in ("/learn", "/puzzles"):
        assert page.locator(f"a[href='{path}']").count() == 1


def test_what_is_wrong_in_folded_fields_is_shown_and_a_refused_start_can_be_repeated_at_once(server, open_page):
    page = open_page(server.address)
    page.click("text=Seed of the game")
    page.fill("input[name=seed]", "abc")
    page.click("text=Seed of the game")
    page.click("[data-start=play]")
    page.wait_for_selector("details[open] input[name=seed]:focus")
    assert page.locator("input[name=seed]").get_attribute("title") == "Digits only"
    page.fill("input[name=seed]", "7")
    page.route("**/api/games", lambda route: route.fulfill(status=400, json={"text": "not now"}), times=1)
    page.click("[data-start=play]")
    page.wait_for_selector("#toast.shown >> text=not now")
    page.click("[data-start=play]")
    page.wait_for_url("**/seat/*", timeout=10_000)


def test_an_address_without_a_page_leads_home(server, open_page):
    page = open_page(f"{server.address}/nothing")
    assert "no such page" in page.inner_text("h1")
    page.click("text=Start page")
    page.wait_for_selector("[data-start=play]")
    assert server.ask("/nothing") == (404, {"detail": "Not Found"})


# --- puzzles and the lesson ----------------------------------------------------------------------------------


def test_the_puzzles_that_come_along_have_one_much_better_action():
    found = read_puzzles(exercises._file("puzzles.jsonl"), "puzzles.jsonl")
    assert len(found) >= 50 and {one.options.get("mode") for one in found} >= {"standard", "family"}
    assert all(one.loss - 2 * one.error >= 0.1 for one in found)
    for mode in ("standard", "family"):
        leads = [lead(one) for one in found if one.options["mode"] == mode]
        assert leads == sorted(leads, reverse=True) and len(leads) >= 15 and leads[0] < 5


def test_the_map_is_one_stop_of_tab_and_keys_reach_each_space(server, open_page):
    page = open_page(server.address + server.seat("communist"))
    page.wait_for_selector("#prompt[data-state=asked]")
    legal = page.locator("#board [data-legal]").count()
    assert page.locator("#board [data-space][tabindex='0']").count() == 1 and legal > 50
    focused = "document.activeElement.dataset.space"
    page.keyboard.press("m")
    page.keyboard.press("ArrowDown")
    below = page.evaluate(focused)
    page.locator("#log").focus()
    page.keyboard.press("m")
    assert page.evaluate(focused) == below, "the board remembers the space"
    reached = {below}
    for _ in range(legal - 1):
        page.keyboard.press("m")
        reached.add(page.evaluate(focused))
    assert len(reached) == legal


def test_the_lesson_follows_its_game():
    lesson = json.loads(exercises._file("lesson.json"))
    game, actors = Game(lesson["seed"]), []
    for text in lesson["decisions"]:
        assert text in game.legal
        actors.append(game.actor)
        game.step(text)
    assert all(actors[step["at"]] == 0 for step in lesson["steps"] if "look" not in step) and game.actor == 0
    assert [step["at"] for step in lesson["steps"]] == sorted(step["at"] for step in lesson["steps"])


def test_the_lesson_is_done_on_the_board_and_ends_in_a_game(server, open_page):
    page = open_page(f"{server.address}/learn")
    page.click("text=Keys")
    assert "arrow keys" in page.inner_text("dialog .keys")
    page.keyboard.press("Escape")
    steps = len(json.loads(exercises._file("lesson.json"))["steps"])
    for step in range(1, steps):
        page.wait_for_selector(f"#prompt[data-at='{step}']")
        assert step == 1 or page.evaluate("inPage.hasFocus")
        if page.locator("#hand .card.legal").count():
            page.keyboard.press("c")
            assert page.evaluate("document.activeElement.matches('.legal')")
        page.locator("#board [data-legal], #hand [data-legal], #prompt [data-action]").first.click()
    page.wait_for_selector(f"#prompt[data-at='{steps}']")
    page.click("[data-start=play]")
    page.wait_for_url("**/seat/*")
    page.wait_for_selector("#prompt[data-state=asked]")

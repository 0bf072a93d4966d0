"""Where things stand on the page: the question beside the map or below it, the hand in sight, labels, colours."""

import pytest
from clicks import assert_accessible, wait_for_turn
from random_records import golden_records

from dawn_env.game import Game
from dawn_env.tables import SIDE_NAMES, SPACES

BESIDE = [(960, 640), (1024, 768), (1366, 768), (1440, 900)]
ACROSS = [(844, 390), (720, 450), (683, 384), (960, 470)]  # a phone held across, windows at twice the size
STACKED = [(390, 844), (820, 1180), (800, 600)]


def placing(game: Game, _: str) -> bool:
    """Hold in a question with choices in several countries and two cards in hand."""
    return game.decision == "ops-place" and game.state.turn == 3 and len(game.legal) > 12


def attacking(game: Game, _: str) -> bool:
    """Hold while both sides have many struggle cards."""
    return game.decision == "attack" and game.state.turn >= 2


@pytest.mark.parametrize("width, height", BESIDE)
def test_the_question_stands_beside_the_map_and_the_hand_is_in_sight_in_a_struggle_too(
    server, open_page, width, height
):
    """A struggle does not change the height of the map."""
    heights = []
    for holds in (placing, attacking):
        seat, _, _ = server.seat_when(holds)
        page = open_page(server.address + seat, width, height)
        wait_for_turn(page)
        board, prompt = (page.locator(one).bounding_box() for one in ("#board svg", "#prompt"))
        assert prompt["x"] >= board["x"] + board["width"] and prompt["y"] < height / 3
        heights.append(board["height"])
        cards = page.locator("#hand .card").count()
        assert cards and page.evaluate("inPage.seen", "#hand .card") == cards
        assert page.evaluate("inPage.seen", "#board [data-space]") == len(SPACES)
        assert not page.is_visible("#fold")
    assert page.evaluate("inPage.seen", "#fight .struggle h2") == 1
    whole = page.locator("#prompt").evaluate("box => box.scrollHeight <= box.clientHeight")
    assert whole or width < 1366, "eight choices and more are higher than the room beside the panel"
    assert heights[0] == heights[1] > 0.4 * height


@pytest.mark.parametrize("width, height", ACROSS)
def test_low_windows_show_a_whole_country_all_countries_and_the_question(server, open_page, width, height):
    seat, _, _ = server.seat_when(placing)
    page = open_page(server.address + seat, width, height)
    wait_for_turn(page)
    assert page.evaluate("inPage.seen", "#question") == 1
    assert page.evaluate("inPage.seen", "[data-enlarge]") == 6
    board, prompt = (page.locator(one).bounding_box() for one in ("#board", "#prompt"))
    assert board["y"] >= 0 and board["y"] + board["height"] <= height
    assert prompt["x"] >= board["x"] + board["width"]
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate("inPage.reached") == page.locator("#board [data-legal]").count() > 5


@pytest.mark.parametrize("width, height", STACKED)
def test_a_question_below_folds_away_and_every_space_can_be_reached(server, open_page, width, height):
    seat, _, _ = server.seat_when(placing)
    page = open_page(server.address + seat, width, height)
    at = wait_for_turn(page)
    tall = page.locator("#prompt").bounding_box()["height"]
    page.click("#fold")
    assert page.get_attribute("#fold", "aria-expanded") == "false"
    assert page.locator("#prompt").bounding_box()["height"] < min(110, tall / 2)
    assert page.evaluate("inPage.seen", "#question") == 1
    assert_accessible(page)
    assert page.evaluate("inPage.reached") == page.locator("#board [data-legal]").count() > 5
    page.locator("#board [data-legal]").nth(3).dispatch_event("click")
    wait_for_turn(page, at)
    assert page.get_attribute("#fold", "aria-expanded") == "false", "it stays folded while there are spaces to choose"
    page.click("#fold")
    assert page.is_visible("[data-wish=undo]")


def test_a_folded_question_unfolds_where_it_asks_again_or_has_the_choices(server, open_page):
    seat, _, _ = server.seat_when(lambda game, _: game.decision == "card" and game.state.turn == 2)
    page = open_page(server.address + seat, 390, 844)
    at = wait_for_turn(page)
    page.click("#fold")
    page.locator("#hand .card.legal").first.click()
    assert page.is_visible("#prompt .strong")
    page.click("#prompt .strong")
    wait_for_turn(page, at)
    assert page.get_attribute("#fold", "aria-expanded") == "true" and page.is_visible("#prompt .choice >> nth=0")


@pytest.mark.parametrize("width, height", [(1366, 768), (1024, 768), (844, 390), (390, 844)])
def test_where_the_points_came_from_is_seen_without_scrolling_sideways(server, open_page, width, height):
    record = next(one for one in golden_records() if one["reason"] == "final scoring")
    at = len(record["decisions"]) - 1
    game = Game(record["seed"], record["options"])
    for action in record["decisions"][:at]:
        game.step(action)
    path = server.seat_at(server.shelf(record), at, SIDE_NAMES[game.actor])
    server.ask(f"/api{path}", {"type": "act", "at": 0, "action": record["decisions"][at]})
    page = open_page(server.address + path, width, height)
    page.wait_for_selector("#prompt[data-state=over] .points")
    wide, seen = page.evaluate(
        "(({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth])(document.querySelector('.points .scroll'))"
    )
    assert wide <= seen and "Total" in page.inner_text(".points tbody tr >> nth=0")


def test_labels_stay_in_their_boxes_and_cover_no_others(server, open_page):
    """With everything at once: changes of both sides and odds at all spaces."""
    path = server.seat("communist")
    page = open_page(server.address + path)
    wait_for_turn(page)
    state = server.ask(f"/api{path}")[1]
    state["changes"]["spaces"] = [
        {"space": space, "democrat": [0, 9 + at % 3], "communist": [12, at % 9]} for at, space in enumerate(SPACES)
    ]
    labels = page.evaluate("inPage.labels", {"state": state, "odds": dict.fromkeys(SPACES, "100 %")})
    assert len(labels) == len(SPACES)
    assert not [one for one in labels if one["outside"]], "a change leaves the box of its space"
    assert not [one for one in labels if one["covered"]], "odds cover a change"
    assert labels[3]["words"] == ["0→9", "12→3", "100 %"]


def test_one_colour_has_one_meaning_and_the_legend_has_them_all(server, open_page):
    seat, _, _ = server.seat_when(lambda game, _: game.decision == "check" and game.state.turn >= 2)
    page = open_page(server.address + seat)
    wait_for_turn(page)
    page.click("text=Legend")
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        page.wait_for_selector(f"html[data-theme={theme}]", state="attached")
        key, board = page.evaluate("inPage.colours", "dialog .key"), page.evaluate("inPage.colours", "#board")
        meanings = ("legal", "hinted", "neighbour", "news", "price", "chance")
        assert set(key) >= set(meanings) and len({key[name] for name in meanings}) == len(meanings)
        assert key["chosen"] == key["legal"] and key["change"] == key["news"]
        assert {"legal", "chance"} <= set(board)
        assert {name: key[name] for name in board} == board


def test_axe_finds_nothing_in_questions_struggles_dialogs_and_low_windows(server, open_page):
    """Start page, lists, replays, puzzles, presented events and results: elsewhere."""
    for holds, size in ((placing, (1440, 900)), (attacking, (1366, 768)), (attacking, (844, 390))):
        page = open_page(server.address + server.seat_when(holds)[0], *size)
        wait_for_turn(page)
        assert_accessible(page)
    for name in ("Legend", "Keys", "Aids"):
        page.set_viewport_size({"width": 1024, "height": 768})
        page.click(f"#menu >> text={name}")
        page.wait_for_selector("dialog")
        assert_accessible(page)
        page.keyboard.press("Escape")

"""The page in a real browser: why something is not possible, and what choices do."""

import pytest
from clicks import PHONE, assert_accessible
from dawn_agents.frontends.web.position_messages import describe_for
from scenario import scenario

from dawn_env.events.wording import say
from dawn_env.observation.player_view import View
from dawn_env.state import Zone
from dawn_env.tables import CARD_TITLES, SPACES
from dawn_env.views.barred_cards import barred_cards


@pytest.mark.parametrize("size", [{}, PHONE], ids=["wide", "narrow"])
@pytest.mark.parametrize("decision", ["ops-place", "check"])
def test_a_click_on_a_space_that_is_not_legal_says_why(server, open_page, decision, size):
    """In one line, and nothing is chosen."""
    path, _, game = server.seat_when(lambda game, _: game.decision == decision)
    reason, spaces = server.ask(f"/api{path}")[1]["ask"]["barred"][-1]
    page = open_page(server.address + path, **size)
    page.wait_for_selector("#prompt[data-state=asked]")
    at = page.get_attribute("#prompt", "data-at")
    page.locator(f"[data-space='{SPACES[spaces[0]]}']").dispatch_event("click")
    words = say("barred", reason)
    told = f"{SPACES[spaces[0]]}: {words[0].upper()}{words[1:]}."
    assert page.inner_text("#toast.shown") == told and "\n" not in told
    assert page.inner_text("#detail .cannot").endswith(told.partition(": ")[2])
    assert page.get_attribute("#prompt", "data-at") == at and not page.locator("#prompt .strong").count()
    page.locator("#board [data-legal]").first.dispatch_event("pointerover")
    assert not page.locator("#detail .cannot").count()


def moment_with_barred(kind: str):
    """Hold of a position in which a card of a kind cannot be chosen."""
    return lambda game, _: any(texts[0].startswith(kind) for _, texts in barred_cards(View(game.state)))


def capitalized(words: str) -> str:
    return words[0].upper() + words[1:]


@pytest.mark.parametrize("keys", [False, True], ids=["mouse", "keys"])
def test_a_card_that_cannot_be_chosen_says_why(server, open_page, keys):
    path, _, _ = server.seat_when(moment_with_barred("card:"))
    reason, texts = server.ask(f"/api{path}")[1]["ask"]["barred_cards"][0]
    card, words = int(texts[0].removeprefix("card:")), capitalized(say("barred", reason))
    page = open_page(server.address + path)
    page.wait_for_selector("#prompt[data-state=asked]")
    at, tile = page.get_attribute("#prompt", "data-at"), page.locator(f"#hand [data-card='{card}']")
    assert tile.get_attribute("aria-label").endswith(f"cannot be chosen: {words}")
    if keys:
        page.keyboard.press("c")
        page.evaluate("document.querySelector('#hand .card').focus()")
        for _ in range(10):
            if tile.evaluate("tile => tile === document.activeElement"):
                break
            page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
    else:
        tile.click()
    assert page.inner_text("#toast.shown") == f"{CARD_TITLES[card]}: {words}."
    assert f"✗ {words}." in page.locator("#detail .cannot").all_inner_texts()
    assert page.get_attribute("#prompt", "data-at") == at and not page.locator("#prompt .strong").count()


def test_a_struggle_card_that_cannot_be_chosen_says_why(server, open_page):
    path, _, _ = server.seat_when(moment_with_barred("power:"))
    reason, texts = server.ask(f"/api{path}")[1]["ask"]["barred_cards"][0]
    page = open_page(server.address + path)
    page.wait_for_selector("#prompt[data-state=asked]")
    chips = page.locator("#fight button.chip.barred")
    assert chips.count() >= len(texts)
    words, told = f": {capitalized(say('barred', reason))}.", set()
    for chip in chips.all():
        chip.press("Enter")
        told.add(page.inner_text("#toast.shown"))
    assert sum(one.endswith(words) for one in told) == len(texts), (told, texts)


def test_a_card_says_where_none_is_asked_for(server, open_page):
    path, _, _ = server.seat_when(
        lambda game, _: game.decision == "ops-place" and (game.state.where == Zone.HAND + game.actor).any()
    )
    page = open_page(server.address + path)
    page.wait_for_selector("#prompt[data-state=asked]")
    page.locator("#hand [data-card]").first.click()
    assert page.inner_text("#toast.shown").endswith(": No card is asked for now.")


def test_the_keyboard_reaches_spaces_that_are_not_legal(server, open_page):
    """Shift and arrow keys; Enter says why, and nothing is chosen."""
    path, _, _ = server.seat_when(lambda game, _: game.decision == "ops-place")
    barred = {
        SPACES[space]: capitalized(say("barred", reason))
        for reason, spaces in server.ask(f"/api{path}")[1]["ask"]["barred"]
        for space in spaces
    }
    page = open_page(server.address + path)
    page.wait_for_selector("#prompt[data-state=asked]")
    at = page.get_attribute("#prompt", "data-at")
    page.keyboard.press("m")
    seen = set()
    for key in ["Shift+ArrowRight"] * 9 + ["Shift+ArrowDown"] * 9 + ["Shift+ArrowLeft"] * 9 + ["Shift+ArrowUp"] * 9:
        page.keyboard.press(key)
        name, label = page.evaluate("(({ dataset, ariaLabel }) => [dataset.space, ariaLabel])(document.activeElement)")
        if name in barred and name not in seen:
            seen.add(name)
            assert label.endswith(f"cannot be chosen: {barred[name]}")
            assert page.inner_text("#detail .cannot") == f"✗ {barred[name]}."
            page.keyboard.press("Enter")
            assert page.inner_text("#toast.shown") == f"{name}: {barred[name]}."
    assert len(seen) > 8 and page.get_attribute("#prompt", "data-at") == at
    assert_accessible(page)
    page.keyboard.press("m")
    assert page.evaluate("document.activeElement.hasAttribute('data-legal')")


def test_the_buttons_of_power_say_what_they_do(server, open_page):
    path, _, _ = server.seat_when(lambda game, _: game.decision == "power")
    effects = server.ask(f"/api{path}")[1]["ask"]["effects"]
    page = open_page(server.address + path)
    page.wait_for_selector("#prompt[data-state=asked]")
    for action in ("retain", "surrender"):
        words = say("consequence", effects[action])
        shown = page.inner_text(f"[data-action={action}]")
        assert action.capitalize() in shown and f"{words[0].upper()}{words[1:]}." in shown


def test_the_text_of_a_card_is_shown_wherever_its_name_stands(server, open_page):
    """By the mouse in log, hand and question, by the keyboard, and by a finger that rests."""
    path, _, game = server.seat_when(lambda game, _: game.decision == "ops-place")
    page = open_page(server.address + path, has_touch=True)
    page.wait_for_selector("#prompt[data-state=asked]")
    for place in ("#log", "#hand", "#question"):
        name = page.locator(f"{place} [data-card]").last
        card = int(name.get_attribute("data-card"))
        name.hover()
        assert f"{card} {CARD_TITLES[card]}" in page.inner_text("#term h3") and page.inner_text("#term p >> nth=1")
        page.mouse.move(1, 1)
        page.keyboard.press("Escape")
        assert page.locator("#term").is_hidden()
    page.keyboard.press("c")
    page.keyboard.press("ArrowRight")
    assert page.locator("#term h3").is_visible()
    page.keyboard.press("Escape")
    tile = page.locator("#hand [data-card]").first
    tile.dispatch_event("pointerdown", {"pointerType": "touch"})
    page.wait_for_selector("#term h3")
    log = page.locator("#log [data-spaces]").last
    log.hover()
    told = page.locator("#board [data-told]").evaluate_all("all => all.map(one => one.dataset.space)")
    assert told == log.get_attribute("data-spaces").split("|")


def test_a_card_offered_as_a_button_shows_its_text_before_it_is_taken(server, open_page):
    path, _, game = server.seat_when(lambda game, _: game.decision in ("event-from-discard", "take-discard"))
    page = open_page(server.address + path)
    page.wait_for_selector("#prompt[data-state=asked]")
    at, button = page.get_attribute("#prompt", "data-at"), page.locator("#prompt .choice[data-card]").first
    card = int(button.get_attribute("data-card"))
    button.click()
    assert f"{card} {CARD_TITLES[card]}" in page.inner_text("#detail h3")
    assert page.get_attribute("#prompt", "data-at") == at
    page.click(f"#prompt .strong[data-action='card:{card}']")
    page.wait_for_function("at => document.getElementById('prompt').dataset.at !== at", arg=at)


@pytest.mark.parametrize(("decision", "card"), [("strike-card", 5), ("stasi-card", 13)])
def test_the_card_that_asks_is_named_and_shown(server, open_page, decision, card):
    path, _, _ = server.seat_when(lambda game, _: game.decision == decision)
    page = open_page(server.address + path)
    page.wait_for_selector("#prompt[data-state=asked]")
    assert page.inner_text("#question").strip().startswith(f"{card} {CARD_TITLES[card]}: ")
    assert f"{card} {CARD_TITLES[card]}" in page.inner_text("#detail h3")


def test_lasting_events_and_known_cards_say_what_they_are(server, open_page):
    """A chip for each card in play, with its text; of a known card why it is known."""
    path, _, game = server.seat_when(
        lambda game, _: (
            len(View(game.state).facts()["in_play"]) > 2 and bool(View(game.state).facts()["opponent"]["known"])
        )
    )
    facts = View(game.state).facts()
    page = open_page(server.address + path)
    page.wait_for_selector("#prompt[data-state=asked]")
    chips = page.locator("#lasting [data-card]")
    assert chips.evaluate_all("all => all.map(one => +one.dataset.card)") == [one["card"] for one in facts["in_play"]]
    chips.last.focus()
    page.keyboard.press("Shift+Tab")
    assert facts["in_play"][-2]["title"] in page.inner_text("#term h3")
    heading = page.inner_text("#hand h2")
    for deduced in (False, True):
        cards = [card for card in facts["opponent"]["known"] if (not game.state.known[card]) == deduced]
        names = ", ".join(f"{card} {CARD_TITLES[card]}" for card in cards)
        assert (f"among them {names} ({say('known', {'deduced': deduced})})" in heading) == bool(cards)


def test_a_card_that_no_other_can_stand_for_is_known_by_counting():
    """Nobody has shown the last card of the hand; all others lie elsewhere."""
    message = describe_for(counted_out().state, 0, counted_out().state)
    assert message["deduced"] == message["hands"][1]["cards"] == [12]


def counted_out():
    return scenario("D: 3 / C: 12", draw_pile=[])

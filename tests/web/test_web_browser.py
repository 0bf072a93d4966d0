"""The page in a real browser: games by clicks and by keys, restarts, replays, analysis, accessibility."""

import random
from pathlib import Path

import pytest
from clicks import PHONE, assert_accessible, decide, play, resign, wait_for_turn
from random_records import golden, golden_moment, write_records
from scenario import scenario
from web_server import serving

from dawn_env.cards.card_text import condition_text
from dawn_env.formats.game_record import record_from_actions
from dawn_env.game import Game
from dawn_env.tables import SIDE_NAMES

_SECOND = 1000
BID = {"players": {"first": "human", "second": "heuristic"}, "options": {"bid": True}}


# --- playing like somebody who clicks at random ---------------------------------------------------------


_TOLD = {
    "price": ".map .price",
    "odds": ".check .odds",
    "sum": ".check .sum .total",
    "struggle hands": ".struggle .faces h3",
    "own struggle cards": ".struggle .chip",
    "news": ".log .new",
    "discards": "#tables details:nth-of-type(2) li",
}
"""What the page tells, by name."""


@pytest.mark.parametrize("side, seed", [("democrat", 5), ("communist", 8)])
def test_a_whole_game_by_clicks(server, open_page, side, seed):
    page = open_page(server.address + server.seat(side, "heuristic", seed))
    questions, told = page.evaluate("inPage.wholeGame", {"seed": seed, "parts": _TOLD})
    assert page.locator("#prompt h2").inner_text().strip()
    assert set(told) == set(_TOLD)
    for unit in ("points", "checks"):
        assert any(f"2 {unit} left" in question for question in questions)
    assert any("Power struggle" in question for question in questions)
    page.click("text=Replay and analysis")
    page.wait_for_selector("#slider")
    assert int(page.locator("#slider").get_attribute("max")) > len(questions)


def test_a_card_says_why_its_event_cannot_occur(server, open_page):
    game = scenario("D: 3 7 / C: 11", turn=2, stop=False).finish()
    shelf = server.shelf(game.to_json().encode())
    page = open_page(server.address + server.seat_at(shelf, 0, "democrat", "heuristic"))
    wait_for_turn(page)
    page.click("#hand [data-card='3']")
    assert f"cannot occur now: only {condition_text(3)}" in page.inner_text("#prompt .cannot")


def test_two_people_each_in_their_browser(server, open_page):
    page = open_page(server.address)
    page.click("text=Seed of the game")
    page.fill("input[name=seed]", "7")
    page.click("[data-start=two]")
    page.wait_for_selector("[role=status] [data-note=seed] >> text=The seed is not used")
    assert "--host" in page.inner_text("[data-note=watch]"), "the links lead to nobody else's machine"
    other = open_page(page.input_value("[data-link=communist]"))
    page.click("a[data-link]")
    people, rng = (page, other), random.Random(4)
    for _ in range(20):
        for person in people:
            person.wait_for_selector("#prompt[data-state=asked], #prompt[data-state=waiting]")
        asked = [person for person in people if person.locator("#prompt").get_attribute("data-state") == "asked"]
        if not asked:
            page.wait_for_timeout(50)
            continue
        at = asked[0].locator("#prompt").get_attribute("data-at")
        decide(asked[0], rng)
        asked[0].wait_for_function("at => document.getElementById('prompt').dataset.at !== at", arg=at)
    page.reload()
    page.wait_for_selector("#board [data-space]")
    resign(other)
    for person in people:
        person.wait_for_selector("#prompt[data-state=over]")
        assert "resignation" in person.inner_text("#prompt")


def test_who_waits_sees_progress_and_can_cut_it_short(tmp_path, open_page):
    with serving(tmp_path / "games.sqlite", more_players=["search:ms=20000"]) as server:
        page = open_page(server.address + server.seat("democrat", "search:ms=20000"))
        page.wait_for_selector("#share:not([hidden])")
        page.click("[data-wish=hurry]")
        page.wait_for_selector("#log .entry", timeout=15 * _SECOND)


def test_undo_takes_a_point_back(server, open_page):
    page = open_page(server.address + server.seat("communist"))
    at = wait_for_turn(page)
    page.click("[data-space=Halle]")
    at = wait_for_turn(page, at)
    assert "Communist 1" in page.locator("[data-space=Halle]").get_attribute("aria-label")
    page.click("[data-wish=undo]")
    wait_for_turn(page, at)
    assert "Communist 0" in page.locator("[data-space=Halle]").get_attribute("aria-label")


def test_a_click_draws_anew_only_the_space_and_the_lines_that_it_changes(server, open_page):
    """The log shows its end after it."""
    page = open_page(server.address + server.seat("communist"))
    wait_for_turn(page)
    page.click("[data-space=Halle]")
    page.wait_for_selector("#log .entry")
    page.evaluate("""() => {
        for (const part of document.querySelectorAll('#board .held > *, #log .entry')) part.isKept = true;
        document.getElementById('log').style.maxHeight = '20px';
    }""")
    page.click("[data-space=Leipzig]")
    page.wait_for_selector("#prompt[data-state=waiting]")
    drawn = """[...document.querySelectorAll('#board [data-space]')]
        .filter((space) => !space.querySelector('.held > *').isKept).map((space) => space.dataset.space)"""
    assert page.evaluate(drawn) == ["Leipzig"]
    lines = page.evaluate("[...document.querySelectorAll('#log .entry')].map((line) => Boolean(line.isKept))")
    assert lines[0] and not lines[-1] and lines == sorted(lines, reverse=True)
    page.wait_for_function("""() => {
        const { scrollTop, clientHeight, scrollHeight } = document.getElementById('log');
        return scrollTop > 0 && scrollTop + clientHeight >= scrollHeight - 1;
    }""")


def test_a_double_click_on_a_space_places_one_point(server, open_page):
    """The second click is none of its own; one that comes later is, on the same place too."""
    seat = server.seat("communist", "heuristic")
    page = open_page(server.address + seat)
    at = wait_for_turn(page)
    page.dblclick("[data-space=Halle]")
    at = wait_for_turn(page, at)
    assert server.ask(f"/api{seat}")[1]["at"] == 1
    click = """([time, detail]) => {
        const event = new MouseEvent('click', { bubbles: true, detail });
        Object.defineProperty(event, 'timeStamp', { value: time });
        document.querySelector('[data-space=Halle] text').dispatchEvent(event);
    }"""
    page.evaluate(click, [1e9, 1])
    at = wait_for_turn(page, at)
    page.evaluate(click, [1e9 + 249, 2])
    assert page.get_attribute("#prompt", "data-state") == "asked" and server.ask(f"/api{seat}")[1]["at"] == 2
    page.evaluate(click, [1e9 + 500, 3])
    wait_for_turn(page, at)
    assert server.ask(f"/api{seat}")[1]["at"] == 3


def test_a_game_taken_off_the_list_can_be_put_back(server, open_page):
    page = open_page(server.address)
    page.click("[data-start=two]")
    link = page.input_value("[data-link=communist]")
    listed = page.locator("#own li a")
    page.click("#own li button")
    assert listed.count() == 0 and page.evaluate("document.activeElement.innerText") == "Undo"
    page.keyboard.press("Enter")
    assert listed.count() == 1
    page.reload()
    page.click("#own li button")
    page.wait_for_selector("#own li", state="detached", timeout=15 * _SECOND)
    page.reload()
    page.wait_for_selector("#own >> text=Games that you play")
    assert link.rsplit("/", 1)[1] not in page.evaluate("JSON.stringify(localStorage)")


def test_the_link_of_the_opponent_can_be_had_again_from_the_seat(server, open_page):
    """In the browser that made the game, and nowhere else."""
    rights = {"permissions": ["clipboard-read", "clipboard-write"]}
    page = open_page(server.address, **rights)
    page.click("[data-start=two]")
    link, own = page.input_value("[data-link=communist]"), page.get_attribute("a[data-link]", "href")
    page.click("a[data-link]")
    wait_for_turn_or_wait(page)
    page.reload()
    wait_for_turn_or_wait(page)
    page.click("text=Share")
    page.click("[data-share=opponent]")
    page.wait_for_selector("#toast.shown >> text=Link for your opponent copied")
    assert page.evaluate("navigator.clipboard.readText()") == link
    elsewhere = open_page(server.address + own, **rights)
    wait_for_turn_or_wait(elsewhere)
    elsewhere.click("text=Share")
    elsewhere.wait_for_selector("#toast.shown >> text=Link for spectators copied")
    assert not elsewhere.locator("[data-share=opponent]").count()


def wait_for_turn_or_wait(page):
    """Wait until a page shows its game."""
    page.wait_for_selector("#prompt[data-state=asked], #prompt[data-state=waiting]")


# --- other games ----------------------------------------------------------------------------------------


def test_two_people_bid_for_sides_and_a_third_watches(server, open_page):
    page = open_page(server.address)
    page.check("input[value=bid]")
    page.click("[data-start=two]")
    other, third = (open_page(page.input_value(f"[data-link={name}]")) for name in ("second", "watch"))
    page.click("a[data-link=first]")
    other.wait_for_selector("#prompt >> text=Your opponent makes an offer")
    assert other.inner_text("#said") == "Your opponent makes an offer."
    for person, points in ((page, "3"), (other, "5")):
        person.click("[data-action='offer:democrat']")
        person.wait_for_selector(f"[data-action='points:{points}']")
        assert "secret" in page.inner_text(".bid") and "with" not in third.inner_text(".bid li")
        person.keyboard.press(points)
    for person, side in ((page, "Democrat"), (other, "Communist")):
        person.wait_for_selector("#hand .card")
        assert f"{'Communist' if side == 'Democrat' else 'Democrat'} holds 8" in person.inner_text("#hand")
        assert "to play the Democrat with 5 extra support points" in person.inner_text("#log")
        person.click("[role=tab] >> text=Cards")
        assert "with 3 extra support points" in person.inner_text(".bid")
    third.wait_for_selector("#hand >> text=holds 8 cards")
    assert third.locator("[data-legal], .card").count() == 0
    resign(other)
    third.wait_for_selector("#prompt[data-state=over]")
    assert third.locator("#hand .card").count() == 16, "both hands are open once the game is over"
    third.click("text=Replay and analysis")
    third.wait_for_selector("#prompt >> text=/Next:.*First player wants the opponent/")
    third.keyboard.press("ArrowRight")
    third.wait_for_selector("#prompt >> text=/Position 1 /")
    assert "to play the Democrat" in " ".join(third.inner_text(".bid li").split())
    third.keyboard.press("End")
    third.wait_for_selector("#hand .card >> nth=15")


def test_family_mode_by_clicks(server, open_page):
    page = open_page(server.address)
    page.check("input[value=family]")
    assert not page.locator("input[value=pretrained]").count()
    page.check("input[value=heuristic]")
    page.click("[data-start=play]")
    page.wait_for_url("**/seat/*")
    questions, _ = page.evaluate("inPage.wholeGame", {"seed": 2, "parts": {}})
    for words in ("Play a card", "Place support", "Move support points", "To where", "How many", "struggle card"):
        assert any(words in question for question in questions), words
    page.click("text=Replay and analysis")
    page.wait_for_selector(".chart")
    page.click("[role=tab] >> text=Analysis")
    page.click("[data-study=analyse]")
    page.wait_for_selector(".values tbody tr")
    assert "standard game only" in page.inner_text("#analysis")


def test_a_card_to_be_discarded_says_nothing_of_its_event(server, open_page):
    seat, _, _ = server.seat_when(lambda game, _: game.decision == "strike-card")
    page = open_page(server.address + seat)
    wait_for_turn(page)
    for card in page.locator("#hand .card.legal").all():
        card.click()
        assert "can occur now" not in page.inner_text("#detail") and "occur" not in card.inner_text()


# --- replay and analysis -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def record_file(tmp_path_factory) -> Path:
    names = {"D": "<img src=x onerror=alert(1)>", "C": "plain"}
    path = tmp_path_factory.mktemp("records") / "games.jsonl"
    return write_records(path, [golden(number) | {"players": names} for number in (1, 2)])


def test_a_file_is_opened_and_stepped_through(server, open_page, record_file):
    page, damaged = open_page(server.address), record_file.with_name("damaged.sqlite")
    damaged.write_bytes(b"SQLite format 3\0" + bytes(300))
    page.set_input_files("input[type=file]", damaged)
    page.wait_for_selector("#toast.shown >> text=database")
    page.set_input_files("input[type=file]", record_file)
    page.wait_for_url("**/shelf/*")
    page.wait_for_selector("#list a")
    assert "<img" in page.inner_text("#list") and page.locator("#list img").count() == 0
    page.click("#list a >> nth=1")
    page.wait_for_selector("#prompt >> text=Position 0 of")
    for key, at in (("ArrowRight", "1"), ("ArrowRight", "2"), ("ArrowLeft", "1"), ("End", None), ("Home", "0")):
        page.keyboard.press(key)
        at = at or page.locator("#slider").get_attribute("max")
        page.wait_for_function("at => new URLSearchParams(location.search).get('at') === at", arg=at)
        page.wait_for_selector(f"#prompt >> text=Position {at} of")
    assert page.get_by_role("heading", name="– Communist plain").count() == 1, "a mark names its side"
    for turn in ("Turn 1,", "Turn 2,"):
        page.keyboard.press("ArrowDown")
        page.wait_for_selector(f".clock >> text={turn}")
    page.locator(".chart").click(position={"x": 5, "y": 20})
    page.wait_for_selector(".clock >> text=Set-up")
    page.locator("#slider").fill("50")
    page.wait_for_selector("#prompt >> text=Position 50 of")
    page.click("[role=tab] >> text=Cards")
    page.focus("#tables summary >> text=Discarded")
    page.keyboard.press("Space")
    page.wait_for_selector("#tables details[open] summary >> text=Discarded")
    assert page.inner_text("#autoplay") == "Play"
    page.select_option("[aria-label='Hands shown']", "communist")
    page.wait_for_function("() => location.search.includes('viewer=communist')")
    page.wait_for_selector("#hand >> text=not seen")


def test_the_largest_losses_come_with_a_better_move(server, open_page):
    shelf = server.shelf(record_from_actions(golden(1)["seed"], golden(1)["decisions"][:40]))
    page = open_page(f"{server.address}/replay/{shelf}.0?at=3")
    page.wait_for_selector("#prompt >> text=Position 3 of")  # until then the tabs move, away from under a click
    page.click("[role=tab] >> text=Losses")
    page.click("[data-study=losses]")
    page.wait_for_selector("#losses:not(:has(progress)) .losses li")
    assert page.evaluate("document.activeElement.dataset.study") == "losses"
    assert "better: " in page.inner_text(".losses li >> nth=0") and "±" in page.inner_text(".losses li >> nth=0")
    page.click(".losses li button >> nth=0")
    page.wait_for_function("() => !location.search.includes('at=3&') && !location.search.endsWith('at=3')")


def test_a_replay_that_is_loaded_says_so_and_takes_keys_afterwards(server, open_page, record_file):
    shelf, waiting = server.shelf(record_file.read_bytes()), []
    page = open_page(f"{server.address}/learn")
    page.route("**/api/replay/*", lambda route: route.continue_() if waiting else waiting.append(route))
    page.goto(f"{server.address}/replay/{shelf}.0")
    page.wait_for_selector("#prompt >> text=Loading")
    page.keyboard.press("ArrowRight")
    page.wait_for_timeout(100)
    assert page.locator("#toast").count() == 0 and page.locator("#side[inert]").count()
    waiting[0].continue_()
    page.wait_for_selector("#prompt >> text=Position 0 of")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("#prompt >> text=Position 1 of")
    page.click("[role=tab] >> text=Analysis")


def test_the_live_region_follows_a_replay_and_its_analysis(server, open_page, record_file):
    shelf = server.shelf(record_file.read_bytes())
    page = open_page(f"{server.address}/replay/{shelf}.0?at=20")
    page.wait_for_selector("#prompt >> text=Position 20 of")
    page.evaluate("inPage.listen")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("#prompt >> text=Position 21 of")
    following = page.inner_text("#prompt p:has-text('Next:')").strip()
    page.focus("[role=tab][tabindex='0']")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.textContent") == "Analysis" and page.is_visible("#analysis")
    page.click("[data-study=analyse]")
    page.wait_for_function("() => window.heard.some((words) => words.includes('The analysis is done'))")
    heard = page.evaluate("() => window.heard")
    assert following in heard[0] and page.inner_text(".event h2 >> nth=0").strip() in heard[0]
    assert "best: " in heard[1] and len(heard) <= 3


def test_a_position_is_copied_pasted_analysed_and_gone_on_with(server, open_page):
    record, at, game = golden_moment(lambda game, _: game.state.turn == 2 and game.decision == "card")
    shelf = server.shelf(record)
    page = open_page(f"{server.address}/replay/{shelf}.0?at={at}", permissions=["clipboard-read", "clipboard-write"])
    page.click("[data-study=copy]")
    page.wait_for_selector("#toast.shown >> text=Position copied")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert Game.from_json(copied).to_json() == copied
    page.route("**/state", lambda route: route.fulfill(status=500, json={"text": "an error"}))
    page.click("[data-study=copy]")
    page.wait_for_selector("#toast.shown >> text=The position cannot be copied")
    assert page.evaluate("navigator.clipboard.readText()") == copied
    page.goto(server.address)
    page.click("text=Paste a position")
    page.fill("textarea[name=position]", copied)
    page.click("[data-start=position]")
    page.wait_for_selector("#prompt >> text=/: Play a card/")
    page.click("[role=tab] >> text=Analysis")
    page.click("[data-study=analyse]")
    page.wait_for_selector(".values tbody tr")
    assert page.evaluate("document.activeElement.dataset.study") == "analyse"
    page.click("[data-study=go-on]")
    page.select_option("[aria-label='Your side']", SIDE_NAMES[game.actor])
    page.click("[data-study=start]")
    page.wait_for_url("**/seat/*")
    play(page, random.Random(1), 2)


@pytest.mark.parametrize("kind", ["standard", "bid", "family"])
def test_watching_two_players(server, open_page, kind):
    page = open_page(server.address)
    page.select_option("[aria-label='Game to watch']", kind)
    page.click("[data-start=watch]")
    page.wait_for_url("**/replay/*")
    page.wait_for_selector("#prompt >> text=/Position [1-9]/")


# --- sizes and readers ---------------------------------------------------------------------------------


def test_pages_are_light_fit_a_phone_and_are_accessible(server, open_page, record_file):
    shelf = server.shelf(record_file.read_bytes())
    bid = server.ask("/api/games", BID)[1]["seats"]["first"]
    family = server.seat("democrat", options={"mode": "family"})
    links = server.new_game("human", "heuristic", 5)
    seats = (bid, family, links["watch"], links["seats"]["democrat"])
    for path in ("/", "/learn", "/puzzles", f"/shelf/{shelf}", f"/replay/{shelf}.0?at=60", *seats):
        page = open_page(server.address + path, **PHONE)
        page.wait_for_selector("[data-start], #list a, #board [data-space]")
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        assert 10_000 < page.evaluate("inPage.weight") < (120_000 if path == "/" else 500_000)
        page.set_viewport_size({"width": 1440, "height": 900})
        page.wait_for_selector("[data-start], #list a, #board svg:not([viewBox^='0 -5 390'])")
        assert_accessible(page)
    page.set_viewport_size(PHONE)
    play(page, random.Random(5), 8)


def test_forced_colours_keep_what_colours_tell(server, open_page):
    seat, _, _ = server.seat_when(lambda game, _: game.decision == "card" and game.state.turn == 2)
    page = open_page(server.address + seat, forced_colors="active")
    wait_for_turn(page)
    page.click("#hand .card.legal >> nth=0")
    parts = (".mark.d", ".mark.c", ".vp .fill", ".card.chosen", ".card.legal:not(.chosen)", "#prompt")
    look = "one => getComputedStyle(one).backgroundColor + getComputedStyle(one).border"
    looks = [page.locator(part).first.evaluate(look) for part in parts]
    assert len(set(looks)) == len(looks)
    tabs = page.locator("[role=tab]").evaluate_all("all => all.map(one => getComputedStyle(one).borderBottomColor)")
    assert tabs[0] != tabs[1]


def test_an_attack_waits_for_the_answer(server, open_page):
    """Nothing is sent to the attacker while the defender is asked; the page says that it waits, and still resigns."""
    seat, attack, _ = server.seat_when(can_be_answered)
    page = open_page(server.address + seat)
    wait_for_turn(page)
    page.click(f"[data-action='{attack}']")
    assert page.locator("#fight .chip.legal").count()
    page.wait_for_selector("#prompt[data-state=sent] >> text=Your choice is made")
    assert page.inner_text("#said").startswith("Your choice is made. The game goes on as soon as ")
    assert not page.locator("#fight .chip.legal, [data-legal]").count()
    resign(page)
    page.wait_for_selector("#prompt[data-state=over]")


def can_be_answered(game: Game, action: str) -> bool:
    """Return True if an action is an attack that the defender can answer."""
    if game.decision != "attack":
        return False
    after = game.copy()
    after.step(action)
    return after.decision == "defend"

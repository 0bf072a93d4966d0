"""Events on the page in a real browser: presented one by one, in the words of the log, with the odds of choices."""

import json
import random
import sqlite3
import time
from contextlib import closing

import pytest
from clicks import PHONE, assert_accessible, decide, press, resign, wait_for_turn
from dawn_agents.frontends.web.game_session import HUMAN, Session, Setting
from playwright.sync_api import Page
from random_records import golden, random_game
from web_server import Server, serving

from dawn_env.events import EVERYTHING
from dawn_env.events.narration import all_events
from dawn_env.events.wording import say
from dawn_env.game import Game
from dawn_env.options import GameOptions

_LARGEST = 6000  # bytes of a state message, at the 95th percentile


def wait_for(page: Page, *states: str) -> str:
    """Wait for one of some states of the prompt; the state."""
    page.wait_for_function("inPage.isOneOf", arg=states)
    return page.evaluate("inPage.state")


def play_until_presenting(page: Page, rng: random.Random) -> str:
    """Answer questions until events are presented; ``data-at`` before that."""
    while wait_for(page, "asked", "presenting") == "asked":
        at = page.get_attribute("#prompt", "data-at")
        decide(page, rng)
        page.wait_for_function("inPage.answered", arg=at)
    return page.get_attribute("#prompt", "data-at")


def ask_next(page: Page) -> None:
    """Go on until something is asked, or the game is over."""
    while wait_for(page, "asked", "over", "presenting") == "presenting":
        page.keyboard.press("Escape")


def test_events_are_presented_one_by_one_before_the_question_and_at_the_end(server, open_page):
    """The pages that present them are accessible."""
    page = open_page(server.address + server.seat("democrat", "heuristic"), paced=True)
    at = play_until_presenting(page, random.Random(5))
    assert page.title().startswith("● ")
    first = page.inner_text("#prompt [data-event] h2")
    assert first.strip() and first.strip().split("\n")[-1][-20:] in page.inner_text("#said")
    assert page.locator("#board [data-legal]").count() == 0 and page.locator("#log .new").count()
    assert_accessible(page)
    page.keyboard.press("Space")
    for _ in range(40):
        if wait_for(page, "asked", "presenting") == "asked":
            break
        assert page.get_attribute("#prompt", "data-at") == at
        page.click("[data-action=continue]")
    assert page.evaluate("inPage.state") == "asked" and page.get_attribute("#prompt", "data-at") == at
    rng, skip = random.Random(6), page.locator("#prompt button >> text=/^Skip/")
    play_until_presenting(page, rng)
    while not skip.count():
        page.keyboard.press("Space")
        play_until_presenting(page, rng)
    skip.focus()
    page.keyboard.press("Space")
    wait_for(page, "asked")
    page.reload()
    assert wait_for(page, "asked", "presenting") == "asked"
    resign(page)
    ask_next(page)
    assert page.inner_text("#prompt h2").startswith("You lost: resignation by the Democrat")
    assert_accessible(page)


def assert_said_once(page: Page, before: int) -> None:
    """Hold that the live region said each line of the log, after the first ones, as often as it is there."""
    said = " ".join(page.evaluate("() => window.heard"))
    for heading in page.locator("#prompt[data-state=over] h2").all_inner_texts():
        said = said.replace(heading.strip(), "")  # at the end of a game it quotes the log
    lines = [f"{line.strip()}.".replace("!.", "!") for line in page.locator("#log > p").all_inner_texts()[before:]]
    assert len(lines) > 40
    assert {line: said.count(line) for line in lines} == {line: " ".join(lines).count(line) for line in lines}


def test_forty_decisions_by_keys_are_followed_by_the_live_region_alone(server, open_page):
    """The focus is kept, and every event is said once."""
    page = open_page(server.address + server.seat("democrat", "heuristic", 3), paced=True)
    ask_next(page)
    page.keyboard.press("c")
    page.keyboard.press("Enter")
    assert page.inner_text("#detail p >> nth=0") in page.inner_text("#said"), "a card that is looked at"
    assert page.evaluate("document.activeElement.matches('.card')")
    page.keyboard.press("u")
    assert page.inner_text("#said") == "Nothing can be undone."
    page.keyboard.press("h")
    page.wait_for_selector(".advice li")
    assert page.evaluate("inPage.hasFocus") and page.inner_text(".advice li >> nth=0") in page.inner_text("#said")
    page.evaluate("inPage.listen")
    rng, at, before, decisions = random.Random(3), "", page.locator("#log > p").count(), 0
    while decisions < 40:
        page.wait_for_function("inPage.next", arg=at)
        assert page.evaluate("inPage.hasFocus")
        state = page.evaluate("inPage.state")
        if state == "over":
            break
        if state == "presenting":
            assert page.evaluate("document.activeElement.innerText") == "Continue"
            page.keyboard.press(rng.choice(["Space", "Enter"]))
            continue
        assert not at or page.inner_text("#question").strip() in page.inner_text("#said")
        at, decisions = page.get_attribute("#prompt", "data-at"), decisions + 1
        press(page, rng)
    page.wait_for_function("inPage.next", arg=at)
    assert_said_once(page, before)
    page.keyboard.press("?")
    page.wait_for_selector("dialog")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")
    ask_next(page)
    if page.evaluate("inPage.state") != "over":
        resign(page)
        ask_next(page)
    assert page.evaluate("document.activeElement.innerText") == "Replay and analysis"


def do(server: Server, seat: str, wish: str, rng: random.Random) -> dict:
    """Do something at a seat as soon as it is asked, ``act`` at random; the state after it."""
    while not (state := server.ask(f"/api{seat}")[1])["ask"]:
        time.sleep(0.02)
    action = rng.choice(state["ask"]["legal"]) if wish == "act" else ""
    return server.ask(f"/api{seat}", {"type": wish, "at": state["at"], "action": action})[1]


def test_what_is_missed_without_a_connection_is_presented_afterwards(tmp_path, open_page):
    """Also on a page that is loaded anew meanwhile."""
    rng = random.Random(5)
    with serving(tmp_path / "games.sqlite") as server:
        seats = server.new_game("human", "human")["seats"]
        page = open_page(server.address + seats["democrat"], paced=True, **PHONE)
        wait_for(page, "waiting")
    page.wait_for_selector("body.offline", state="attached")
    content = page.evaluate("getComputedStyle(document.getElementById('prompt'), '::before').content")
    assert "no connection" in content and not page.is_visible("#prompt .progress")
    with serving(tmp_path / "games.sqlite") as elsewhere:
        do(elsewhere, seats["communist"], "act", rng)
        log = do(elsewhere, seats["communist"], "act", rng)["log"]
    words = " ".join(f"{say('event', event)}." for event in log)
    with serving(tmp_path / "games.sqlite", port=server.peer[1]):
        wait_for(page, "presenting")
        assert page.inner_text("#said") == f"Connected again. {words}"
        page.reload()
        wait_for(page, "presenting")
        assert page.inner_text("#said") == words
        page.keyboard.press("Space")
        wait_for(page, "asked")
        question = page.inner_text("#question"), page.inner_text("#log")
        page.reload()
        assert wait_for(page, "asked", "presenting") == "asked"
        assert (page.inner_text("#question"), page.inner_text("#log")) == question


def test_what_the_opponent_takes_back_is_said_and_the_rest_still_presented(server, open_page):
    links, rng = server.new_game("human", "human"), random.Random(5)
    seat, words = links["seats"]["democrat"], "The Democrat takes back the latest decision."
    for _ in range(2):  # of the set-up
        do(server, links["seats"]["communist"], "act", rng)
    page = open_page(server.address + links["seats"]["communist"], paced=True)
    third = open_page(server.address + links["watch"])
    for one in (page, third):
        wait_for(one, "waiting")
    do(server, seat, "act", rng)
    wait_for(page, "presenting")
    first = page.inner_text("#prompt .event")
    do(server, seat, "act", rng)
    page.wait_for_selector("#prompt >> text=Skip 2 events")
    do(server, seat, "undo", rng)
    page.wait_for_selector("#prompt >> text=Skip", state="detached")
    assert page.inner_text("#prompt .event") == first
    page.keyboard.press("Space")
    wait_for(page, "waiting")
    for one in (page, third):
        one.wait_for_selector(f"#prompt >> text={words}")
        assert words in one.inner_text("#said")
    do(server, seat, "act", rng)
    wait_for(page, "presenting")
    do(server, seat, "resign", rng)
    page.wait_for_function("() => document.title.startsWith('You won')")
    assert page.evaluate("inPage.state") == "presenting"


def test_who_watches_is_shown_and_told_every_event(server, open_page):
    links, rng = server.new_game("human", "heuristic", 5), random.Random(5)
    page = open_page(server.address + links["watch"])
    wait_for(page, "waiting")
    page.evaluate("inPage.listen")
    before = page.locator("#log > p").count()
    for _ in range(40):
        do(server, links["seats"]["democrat"], "act", rng)
    lines = len(server.ask(f"/api{links['watch']}")[1]["log"])
    page.locator("#log > *").nth(lines - 1).wait_for()
    assert page.locator("#prompt .event").count()
    assert_said_once(page, before)


def test_an_own_check_shows_its_odds_and_its_result(server, open_page):
    page = open_page(server.address + server.seat("democrat", "heuristic"))
    rng, at = random.Random(3), wait_for_turn(page)
    while "support check" not in page.inner_text("#question"):
        decide(page, rng)
        at = wait_for_turn(page, at)
    odds = page.locator("#board .chance").all_text_contents()
    assert odds and all(text.endswith(" %") for text in odds)
    page.keyboard.press("m")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.innerText").startswith("Roll the die in ")
    assert "Support check in" in page.inner_text("#said") and "support point: " in page.inner_text("#said")
    page.keyboard.press("Enter")
    wait_for_turn(page, at)
    assert page.locator("#prompt .event .die").count() and "needed" not in page.inner_text("#question")


def test_an_own_result_is_still_there_when_the_opponent_has_moved_until_the_pace_is_none(server, open_page):
    page = open_page(server.address + server.seat("democrat", "heuristic"), paced=True)
    rng = random.Random(3)
    for _ in range(40):
        play_until_presenting(page, rng)
        if page.locator("#prompt [data-event].de:first-child:has(.die) + [data-event].ce").count():
            break
        page.keyboard.press("Escape")
    else:
        pytest.fail("no result of an own roll was shown beside the opponent's card")
    page.click("text=Keys")
    page.select_option("[aria-label='Events to present']", "none")
    page.keyboard.press("Escape")
    at = wait_for_turn(page)
    page.evaluate("inPage.watchStates")
    for _ in range(5):
        decide(page, rng)
        at = wait_for_turn(page, at)
    assert "presenting" not in page.evaluate("() => [...window.states]")


def test_a_whole_game_is_presented_without_clicks_at_the_time_that_was_chosen(server, open_page):
    """Two seconds a card, unless something else is chosen."""
    page = open_page(f"{server.address}/learn")
    page.wait_for_selector("#board [data-space]")
    page.evaluate("sessionStorage.clear()")
    for chosen, seconds in ((None, 2), ("0.5", 0.5)):
        page.evaluate("chosen => chosen ? localStorage.seconds = chosen : delete localStorage.seconds", chosen)
        times, left = page.evaluate("inPage.presentAll", events_of(golden(1)))
        assert len(times) > 100 and set(times) == {1000 * seconds} and left == 0
    page.evaluate("localStorage.seconds = '0'")
    times, left = page.evaluate("inPage.presentAll", events_of(golden(1)))
    assert not times and left > 100


def test_events_go_on_by_themselves_until_a_key_or_a_choice_stops_them(server, open_page):
    page = open_page(server.address + server.seat("democrat", "heuristic"), paced=True, seconds=0.5)
    rng = random.Random(5)
    play_until_presenting(page, rng)
    at, clicked = page.evaluate("inPage.clickOnceAsked")
    assert clicked and wait_for(page, "asked") and page.get_attribute("#prompt", "data-at") == at, (
        "too soon to be meant"
    )
    page.wait_for_timeout(500)
    page.keyboard.press("p")
    assert page.inner_text("#said") == "Events wait for Continue."
    play_until_presenting(page, rng)
    assert page.input_value("[aria-label='When to go on']") == "0"
    card = page.inner_text("#prompt .event:last-of-type")
    page.wait_for_timeout(1200)
    assert page.inner_text("#prompt .event:last-of-type") == card
    page.keyboard.press("p")
    assert "Events go on after 0.5 seconds." in page.inner_text("#said")
    wait_for(page, "asked")
    page.wait_for_timeout(500)
    play_until_presenting(page, rng)
    page.select_option("[aria-label='When to go on']", "4")
    assert page.evaluate("localStorage.seconds") == "4"
    page.keyboard.press("Escape")
    wait_for(page, "asked")


def events_of(record: dict) -> list[dict]:
    game = Game(record["seed"], record["options"])
    return [event for step in all_events(game, record["decisions"], EVERYTHING) for event in step]


def test_the_end_shows_where_the_points_came_from(server, open_page):
    page = open_page(server.address)
    for record in (golden(1), random_game(4, {"mode": "family"})):
        events = events_of(record)
        rows = page.evaluate("inPage.pointsTable", events)
        [name, *total], *rows = rows
        democrat, communist = (sum(int(row[column] or 0) for row in rows) for column in (1, 2))
        assert len(rows) > 3 and all(row[0] for row in rows)
        assert name == "Total" and list(map(int, total)) == [democrat, communist]
        assert democrat - communist == events[-1]["vp"]


def test_the_page_has_the_words_of_the_terminal(server, open_page):
    """Every event of a game in the same words, from the same table."""
    page, events = open_page(server.address), events_of(golden(1))
    said = page.evaluate("inPage.wordsOf", events)
    assert said == [say("event", event) for event in events] and len({event["event"] for event in events}) > 12


def test_a_page_that_comes_early_shows_the_board_and_the_progress(tmp_path, open_page, compiling):
    with serving(tmp_path / "games.sqlite") as early:
        page = open_page(early.address)
        page.wait_for_selector("[data-start=play]")
        page.evaluate("() => { for (let i = 0; i < 3; i++) document.querySelector('[data-start=play]').click(); }")
        page.wait_for_url("**/seat/*")
        assert wait_for(page, "preparing") == "preparing"
        page.wait_for_selector("#board [data-space=Berlin]")
        assert "Compiling the board" in page.inner_text("#prompt") and page.locator("#prompt progress").count()
        assert early.ask("/api/start")[0] == 200
        watch = open_page(early.address + early.new_game("human", "human")["watch"])
        lesson = open_page(early.address + "/learn")
        for other in (watch, lesson):
            assert wait_for(other, "preparing") and "Compiling the board" in other.inner_text("#prompt")
        compiling.set()
        assert wait_for(lesson, "asked")
        ask_next(page)
    with closing(sqlite3.connect(tmp_path / "games.sqlite")) as database:
        assert database.execute("SELECT count(*) FROM games").fetchone() == (2,)  # one by three clicks


@pytest.mark.parametrize("mode", ["standard", "family"])
def test_messages_are_small(mode):
    session, rng = Session(Setting(3, GameOptions(mode=mode), (HUMAN, HUMAN))), random.Random(3)
    told, sizes = [0, 0], []
    for _ in range(150):
        for seat in (0, 1):
            if session.over or session.waits_in_secret(seat):
                continue
            message = session.tell(seat)
            message["log"], told[seat] = message["log"][told[seat] :], len(message["log"])
            sizes.append(len(json.dumps(message, separators=(",", ":"))))
        if not session.over:
            session.enter(session.actor, rng.choice(session.game.legal))
    late = sorted(sizes)[int(0.95 * len(sizes))]
    print(f"{len(sizes)} messages, 95 % of them at most {late} bytes")
    assert late < _LARGEST

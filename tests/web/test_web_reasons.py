"""The page in a real browser: why something is not possible, and what choices do."""

import pytest
from clicks import PHONE

from dawn_env.events.wording import say
from dawn_env.tables import SPACES


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


def test_the_buttons_of_power_say_what_they_do(server, open_page):
    path, _, _ = server.seat_when(lambda game, _: game.decision == "power")
    effects = server.ask(f"/api{path}")[1]["ask"]["effects"]
    page = open_page(server.address + path)
    page.wait_for_selector("#prompt[data-state=asked]")
    for action in ("retain", "surrender"):
        words = say("consequence", effects[action])
        shown = page.inner_text(f"[data-action={action}]")
        assert action.capitalize() in shown and f"{words[0].upper()}{words[1:]}." in shown

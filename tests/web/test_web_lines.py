"""Lines to the server that die without a word: the page says so, comes back, and its choice is taken once."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from clicks import wait_for_turn
from playwright.sync_api import Page, WebSocketRoute


@dataclass
class Line:
    """Which ways the lines of a page carry messages; one that has lost a message carries no more of them that way."""

    up: bool = True
    down: bool = True

    def carry(self, page: Page) -> None:
        """Let all lines of a page pass here, and load it anew."""

        def route(line: WebSocketRoute) -> None:
            server, dead = line.connect_to_server(), set()

            def carry(way: str, message: str | bytes, send: Callable) -> None:
                if not getattr(self, way):
                    dead.add(way)
                if way not in dead:
                    send(message)

            line.on_message(lambda message: carry("up", message, server.send))
            server.on_message(lambda message: carry("down", message, line.send))

        page.route_web_socket("**/live*", route)
        page.reload()


@pytest.mark.parametrize("arrives", [False, True])
def test_a_choice_on_a_dead_line_is_sent_again_and_never_doubled(server, open_page, arrives):
    seat, line = server.seat("communist"), Line()
    page = open_page(server.address + seat)
    line.carry(page)
    at = wait_for_turn(page)
    line.up, line.down = arrives, False
    page.click("[data-space=Halle]")
    page.wait_for_selector("body.offline", state="attached")
    page.wait_for_selector("#prompt[data-state=sent]")
    assert page.inner_text("#said") == "No connection."
    assert server.ask(f"/api{seat}")[1]["at"] == int(at) + arrives
    line.up = line.down = True
    page.evaluate("dispatchEvent(new Event('online'))")
    wait_for_turn(page, at)
    page.wait_for_selector("body:not(.offline)", state="attached")
    now = server.ask(f"/api{seat}")[1]
    assert now["at"] == int(at) + 1
    assert "Communist 1" in page.locator("[data-space=Halle]").get_attribute("aria-label")


def test_a_quiet_line_is_kept(server, open_page):
    """Who waits for a person hears nothing for long; the server's signs of life suffice."""
    page, line = open_page(server.address + server.seat("democrat")), Line()
    line.carry(page)
    page.wait_for_selector("#prompt[data-state=waiting]")
    page.evaluate("inPage.listen")
    page.wait_for_timeout(6500)
    assert page.evaluate("() => window.heard") == []


def test_a_page_that_is_looked_at_again_connects_at_once(server, open_page):
    page, line = open_page(server.address + server.seat("democrat")), Line(down=False)
    line.carry(page)
    page.wait_for_selector("body.offline", state="attached")
    line.down = True
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.wait_for_selector("#prompt[data-state=waiting]")

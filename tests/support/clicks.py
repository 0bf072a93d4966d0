"""Playing on a page of the web server as somebody who clicks or presses keys at random."""

import json
import random

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

PHONE = {"width": 390, "height": 844}


def wait_for_turn(page: Page, after: str = "") -> str:
    """Wait for the next question; the number of the state, or ``over``."""
    page.wait_for_function("inPage.ready", arg=after)
    prompt = page.locator("#prompt")
    return "over" if prompt.get_attribute("data-state") == "over" else prompt.get_attribute("data-at")


def decide(page: Page, rng: random.Random) -> str:
    """Click something that can be chosen; the question it answered."""
    question = page.inner_text("#question")
    selector, at = rng.choice(page.evaluate("inPage.choices"))
    page.locator(selector).nth(at).click()
    confirm = page.locator("#prompt .strong[data-action]")
    if confirm.count():
        confirm.click()
    return question


def play(page: Page, rng: random.Random, decisions: int) -> list[str]:
    """Play on; the questions there were."""
    questions, at = [], wait_for_turn(page)
    while at != "over" and len(questions) < decisions:
        questions.append(decide(page, rng))
        at = wait_for_turn(page, at)
    return questions


def resign(page: Page) -> None:
    page.click("[data-wish=resign]")
    page.click("[data-wish=resign-now]")


def press(page: Page, rng: random.Random) -> None:
    """Answer a question without a mouse."""
    spaces, cards = (page.locator(f"{part} [data-legal]").count() for part in ("#board", "#hand"))
    if page.locator("#prompt .choice").count() and (rng.random() < 0.5 or not spaces + cards):
        page.keyboard.press("1")
        if page.locator("#prompt .strong[data-action]").count():
            page.keyboard.press("Enter")
        return
    page.keyboard.press("m" if spaces else "c")
    for _ in range(rng.randrange(4)):
        page.keyboard.press(rng.choice(["ArrowRight", "ArrowDown", "ArrowLeft"]) if spaces else "ArrowRight")
    if not page.evaluate("document.activeElement.matches('[data-legal]')"):
        page.keyboard.press("m" if spaces else "c")  # arrow keys also lead to cards that cannot be chosen
    page.keyboard.press("Enter")
    if page.locator("#prompt .strong[data-action]").count():
        page.keyboard.press("Enter")  # the button has the focus


def assert_accessible(page: Page) -> None:
    """Axe finds nothing, of any weight, in both themes."""
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        page.wait_for_selector(f"html[data-theme={theme}]", state="attached")
        found = Axe().run(page).response["violations"]
        wrong = [(one["id"], one["impact"], one["nodes"][0]["html"]) for one in found]
        assert not wrong, json.dumps([page.url, theme, *wrong], indent=1)

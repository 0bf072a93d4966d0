"""Fixtures of the web tests: a server, Chromium, and its pages."""

import asyncio
import threading
from pathlib import Path

import pytest
from chromium import chromium
from playwright.sync_api import Page
from web_server import serving

_NO_FAULTS = ("WebSocket connection", "Failed to load resource")  # the server is gone, or refuses something


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("web") / "games.sqlite") as found:
        yield found


@pytest.fixture(scope="module")
def browser():
    with chromium() as found:
        yield found


@pytest.fixture
def compiling(monkeypatch):
    """Lets servers compile until it is set."""
    ready = threading.Event()

    async def prepare(progress):
        progress.share, progress.words = 0.25, "Compiling the board"
        while not ready.is_set():
            await asyncio.sleep(0.05)
        progress.done.set()

    monkeypatch.setattr("dawn_agents.frontends.web.server.prepare", prepare)
    return ready


@pytest.fixture
def open_page(browser):
    """Pages in browsers of their own: events are left out there, or (paced) go on after ``seconds``, 0 for by clicks.

    A JavaScript error on a page fails the test and prints the visible text of all pages.
    """
    contexts, errors = [], []

    def opened(
        address: str, width: int = 1440, height: int = 900, paced: bool = False, seconds: float = 0, **more
    ) -> Page:
        context = browser.new_context(viewport={"width": width, "height": height}, reduced_motion="reduce", **more)
        context.add_init_script(path=Path(__file__).with_name("in_page.js"))
        contexts.append(context)
        context.add_init_script(f"localStorage.seconds ??= '{seconds}'")
        page = context.new_page()
        page.set_default_timeout(60_000)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda message: message.type == "error" and errors.append(message.text))
        page.on("response", lambda response: response.ok or print(response.status, response.url))
        page.on("requestfailed", lambda failed: print(failed.failure, failed.url))
        page.goto(address if paced else f"{address}{'&' if '?' in address else '?'}pace=0")
        return page

    yield opened
    for context in contexts:
        for page in context.pages:
            print(page.url, page.inner_text("body"), sep="\n")
        context.close()
    assert not [error for error in errors if not any(words in error for words in _NO_FAULTS)]

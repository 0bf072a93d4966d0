"""The page with live games: games are played in the browser, counted and scored, at the speed that is chosen."""

import shutil
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest
from paths import ROOT
from playwright.sync_api import expect, sync_playwright

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
PACKAGE = ROOT / "packages" / "js"
pytestmark = pytest.mark.skipif(BROWSER is None, reason="no Chromium here; apt-get install chromium")
PATIENCE = 60_000  # milliseconds
FASTEST = "5"


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture
def address(built, tmp_path):
    """Address of the page as ``make site`` puts it together."""
    folder = shutil.copytree(ROOT / "docs" / "extra" / "live", tmp_path / "live")
    (folder / "engine").mkdir()
    for name in ("dawn.js", "layout.js", "dawn.wasm", "compact.bin"):
        shutil.copy(PACKAGE / name, folder / "engine")
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(tmp_path))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/live/index.html"
        server.shutdown()


def test_games_are_played_and_counted(address):
    errors = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        page = browser.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(address)
        facts = page.locator("#facts")
        expect(facts).to_contain_text("Last move: communist space:", timeout=PATIENCE)
        assert page.locator(".space").count() == 75
        page.select_option("#democrat", "Network")
        page.select_option("#communist", "Random")
        page.locator("#speed").fill(FASTEST)
        page.wait_for_function(
            "/Games: [1-9]\\d*/.test(document.getElementById('facts').textContent)", timeout=PATIENCE
        )
        expect(facts).to_contain_text("Won by Democrat", timeout=PATIENCE)
        page.click("#pause")
        assert page.locator("#pause").inner_text() == "Go on"
        browser.close()
    assert not errors

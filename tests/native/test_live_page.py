"""The page with live games: games are played in the browser, counted and scored, at the speed that is chosen."""

import shutil
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest
from batches import random_choices
from chromium import chromium
from paths import ROOT
from playwright.sync_api import expect

from dawn_env.batch import Batch

PACKAGE = ROOT / "packages" / "js"
PATIENCE = 60_000  # milliseconds
FASTEST = "5"


@pytest.fixture(scope="module")
def address(browser, built, tmp_path_factory):
    """Address of the page as ``make site`` puts it together."""
    site = tmp_path_factory.mktemp("site")
    folder = shutil.copytree(ROOT / "docs" / "extra" / "live", site / "live")
    (folder / "engine").mkdir()
    for name in ("dawn.js", "engine.js", "layout.js", "dawn.wasm", "pretrained.bin"):
        shutil.copy(PACKAGE / name, folder / "engine")
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(SimpleHTTPRequestHandler, directory=str(site))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/live/index.html"
        server.shutdown()


@pytest.fixture(scope="module")
def browser():
    with chromium() as found:
        yield found


WORKER = """address => new Promise((resolve, reject) => {
  const program = `import { Batch } from "${new URL("engine/dawn.js", address)}";
    const batch = new Batch(64, 0);
    for (let step = 0; step < 600; step++) { batch.chooseRandom(); batch.step(); }
    postMessage(Array.from(batch.finalVp));`;
  const worker = new Worker(URL.createObjectURL(new Blob([program], { type: "text/javascript" })), { type: "module" });
  worker.onmessage = ({ data }) => resolve(data);
  worker.onerror = ({ message }) => reject(new Error(message));
})"""


def test_a_worker_plays_the_same_games(address, browser):
    batch = Batch(64, 0)
    for _ in range(600):
        batch.step(random_choices(batch))
    page = browser.new_page()
    page.goto(address)
    assert page.evaluate(WORKER, address) == batch.final_vp.tolist()
    page.close()


def test_games_are_played_and_counted(address, browser):
    errors, page = [], browser.new_page()
    page.set_default_timeout(PATIENCE)
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(address)
    facts = page.locator("#facts")
    expect(facts).to_contain_text("Last move: communist space:", timeout=PATIENCE)
    assert page.locator(".space").count() == 75
    page.select_option("#democrat", "Network")
    page.select_option("#communist", "Random")
    page.locator("#speed").fill(FASTEST)
    page.wait_for_function("/Games: [1-9]\\d*/.test(document.getElementById('facts').textContent)", timeout=PATIENCE)
    expect(facts).to_contain_text("Won by Democrat", timeout=PATIENCE)
    page.click("#pause")
    assert page.locator("#pause").inner_text() == "Go on"
    page.close()
    assert not errors

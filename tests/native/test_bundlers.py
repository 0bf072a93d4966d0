"""The JavaScript package behind bundlers: built pages and their workers play in the browser, bundles in Node."""

import json
import re
import shutil
import subprocess
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from chromium import chromium
from paths import ROOT

PACKAGE = ROOT / "packages" / "js"
BUNDLERS = ("vite@8.4.0", "esbuild@0.28.2")
PATIENCE = 60_000  # milliseconds
MAIN = """
import { Game, PretrainedPlayer } from "dawn-env";
const game = new Game(7), player = await PretrainedPlayer.load();
while (!game.over) game.step(player.choose(game));
if (globalThis.document) {
  const { points } = await new Promise((resolve, reject) => {
    const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = ({ message }) => reject(new Error(message));
  });
  document.body.textContent = `${game.result} ${points.length}`;
}
console.log(game.result);
"""
PAGE = '<!doctype html><body></body><script type="module" src="./main.js"></script>'


def run(*words, cwd):
    done = subprocess.run(list(map(str, words)), cwd=cwd, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def worker():
    """The worker that the README of the package shows."""
    (block,) = re.findall(r"// worker\.js\n(.*?)```", (PACKAGE / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    return block


@pytest.fixture(scope="module")
def project(built, tmp_path_factory):
    """A folder with a page, its worker, the package and two bundlers."""
    if shutil.which("npm") is None:
        pytest.skip("needs npm")
    folder = tmp_path_factory.mktemp("project")
    (packed,) = json.loads(run("npm", "pack", "--json", "--pack-destination", folder, cwd=PACKAGE))
    (folder / "package.json").write_text('{"type": "module"}')
    run("npm", "install", "--no-audit", "--no-fund", folder / packed["filename"], *BUNDLERS, cwd=folder)
    for name, text in (("main.js", MAIN), ("worker.js", worker()), ("index.html", PAGE)):
        (folder / name).write_text(text)
    (folder / "vite.config.js").write_text('export default { base: "./", worker: { format: "es" } };')
    return folder


def by_vite(project: Path) -> Path:
    run("npx", "vite", "build", "--logLevel", "error", cwd=project)
    return project / "dist"


def by_esbuild(project: Path) -> Path:
    run("npx", "esbuild", "main.js", "worker.js", "--bundle", "--format=esm", "--outdir=built", cwd=project)
    for path in (project / "node_modules/dawn-env/dawn.wasm", project / "node_modules/dawn-env/pretrained.bin"):
        shutil.copy(path, project / "built")
    shutil.copy(project / "index.html", project / "built")
    return project / "built"


def by_nobody(project: Path) -> Path:
    """The files as they are, with the package copied beside them."""
    site = project / "site"
    shutil.copytree(project / "node_modules/dawn-env", site / "dawn-env", dirs_exist_ok=True)
    for name in ("main.js", "worker.js", "index.html"):
        (site / name).write_text((project / name).read_text().replace('from "dawn-env"', 'from "./dawn-env/dawn.js"'))
    return site


@pytest.fixture(scope="module")
def browser():
    with chromium() as found:
        yield found


def shown(browser, folder: Path) -> tuple[str, list[str]]:
    """What a page of a folder shows in the end, and its errors."""
    errors, page = [], browser.new_page()
    page.on("pageerror", lambda error: errors.append(str(error)))
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(SimpleHTTPRequestHandler, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        page.goto(f"http://127.0.0.1:{server.server_port}/index.html")
        while not errors and not (text := page.inner_text("body").strip()):
            page.wait_for_timeout(100)
        server.shutdown()
    page.close()
    return ("" if errors else text), errors


@pytest.mark.parametrize("build", [by_vite, by_esbuild, by_nobody])
def test_a_page_and_its_worker_play_in_the_browser(build, project, browser):
    text, errors = shown(browser, build(project))
    assert not errors and text.split()[0] in ("democrat", "communist", "draw") and text.split()[1] == "1000"


def test_a_file_that_is_missing_is_named_with_its_status(project, browser):
    site = shutil.copytree(by_esbuild(project), project / "without")
    (site / "dawn.wasm").unlink()
    _, (error, *_) = shown(browser, site)
    assert "dawn.wasm of dawn-env is not at http://127.0.0.1" in error and "status 404" in error


def test_a_bundle_plays_in_node(project):
    words = ("main.js", "--bundle", "--platform=node", "--format=esm", "--outfile=bundle/main.mjs")
    run("npx", "esbuild", *words, cwd=project)
    assert run("node", "bundle/main.mjs", cwd=project).strip() in ("democrat", "communist", "draw")

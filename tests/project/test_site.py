"""The documentation site: builds without a warning and offline, and its links hold."""

import re

import pytest
from chromium import chromium
from paths import ROOT
from processes import python

DOCS = ROOT / "docs"
LOADED = r"""<(?:script|img|link|iframe)[^>]*?(?:src|href)="([^"]+)"|url\(["']?(https?:[^)]+)|@import\s+["']([^"']+)"""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    for package in ("sphinx", "myst_parser", "furo", "sphinx_copybutton"):
        pytest.importorskip(package, reason=f"{package} not installed")
    folder = tmp_path_factory.mktemp("site")
    done = python("-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html", DOCS, folder)
    assert done.returncode == 0, done.stderr
    return folder


def test_nothing_comes_from_elsewhere(site):
    files = [path for kind in ("*.html", "*.css") for path in site.rglob(kind)]
    loaded = {
        address
        for path in files
        for found in re.findall(LOADED, path.read_text(encoding="utf-8"))
        for address in found
        if address
    }
    assert loaded and not [address for address in loaded if address.startswith(("http:", "https:", "//"))]


def test_the_reference_has_signatures_and_docstrings(site):
    assert not {"genindex", "modindex", "search"} & {path.stem for path in DOCS.rglob("*.md")}, "names of Sphinx itself"
    text = re.sub(r"<[^>]+>", "", (site / "reference" / "api" / "games.html").read_text(encoding="utf-8"))
    assert "class dawn_env.batch.Batch(" in text and "Start new games in rows" in text


def test_no_page_scrolls_sideways(site):
    pages = [path for path in site.rglob("*.html") if "_modules" not in path.parts and "live" not in path.parts]
    with chromium() as browser:
        page = browser.new_page(viewport={"width": 390, "height": 844}, color_scheme="light")
        for path in pages:
            page.goto(path.as_uri(), wait_until="domcontentloaded")
            for width in (390, 1440):
                page.set_viewport_size({"width": width, "height": 844})
                beyond = page.evaluate("document.documentElement.scrollWidth - innerWidth")
                assert beyond <= 0, f"{path.name} at {width} pixels"

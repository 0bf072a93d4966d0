"""Chromium for the tests of pages: the program that is installed here, and how it is started."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

_NO_ADDRESS_BAR = "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup"
"""No processes for the suggestions of an address bar that nobody sees: they took as long as the pages."""


@contextmanager
def chromium() -> Iterator:
    """A browser of Playwright; skips the test where there is none."""
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if program is None:
        pytest.skip("no Chromium here; apt-get install chromium")
    with pytest.importorskip("playwright.sync_api").sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", _NO_ADDRESS_BAR])
        yield browser
        browser.close()

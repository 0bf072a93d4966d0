"""Chromium for the tests of pages: the program that is installed here, and how it is started."""

import shutil

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
"""Path of the program; None where there is none."""
_NO_ADDRESS_BAR = "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup"
"""No processes for the suggestions of an address bar that nobody sees: they took as long as the pages."""


def launch(playwright):
    """Start the browser; the caller closes it."""
    return playwright.chromium.launch(executable_path=BROWSER, args=["--no-sandbox", _NO_ADDRESS_BAR])

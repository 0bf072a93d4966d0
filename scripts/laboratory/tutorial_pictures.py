"""Pictures of the browser for README and pages: positions of the tutorial's game, and one in the middle of a game.

``python -m scripts.laboratory.tutorial_pictures`` makes those anew whose position is another than before; all with
``--all``. Needs Chromium and the extras ``web`` and ``picture``.
"""

import argparse
import doctest
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from io import BytesIO, StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple
from unittest.mock import patch

from PIL import Image
from PIL.PngImagePlugin import PngInfo

from dawn_env.formats.game_record import read_records, record_from_actions, to_line
from dawn_env.game import Game
from dawn_env.tables import COUNTRIES, SIDE_NAMES

ROOT = Path(__file__).resolve().parent.parent.parent
_TUTORIAL = ROOT / "docs" / "tutorials" / "game.md"
_IMAGES = ROOT / "docs" / "images"
_MARK = re.compile(r"<!-- picture: (?P<part>[^,]+), (?P<viewer>\w+) -->\n!\[[^\]]*\]\((?P<file>[^)]+)\)")
_LABEL = "position"
"""Key of the text in a picture that says what it shows."""
_SIZE, _SCALE = {"width": 1440, "height": 900}, 1.5


class Picture(NamedTuple):
    """What a file shows: a part of the page in the position of a record after ``at`` decisions."""

    file: Path
    record: dict
    at: int
    viewer: str
    part: str

    @property
    def label(self) -> str:
        """All that the picture depends on but for the looks of the page."""
        seed, options, decisions = (self.record[key] for key in ("seed", "options", "decisions"))
        return json.dumps([seed, options, decisions[: self.at], self.viewer, self.part])

    @property
    def is_current(self) -> bool:
        """Return True if the file is there and shows this position."""
        return self.file.exists() and Image.open(self.file).info.get(_LABEL) == self.label


def pictures() -> list[Picture]:
    """Pictures to make: of each comment ``<!-- picture: PART, VIEWER -->`` in the tutorial, and that of the README."""
    golden = list(read_records(ROOT / "tests" / "data" / "golden.jsonl"))
    return [Picture(_IMAGES / "board.png", golden[23], 391, "communist", "page"), *_of_tutorial(_TUTORIAL)]


def _of_tutorial(page: Path) -> list[Picture]:
    """Pictures of the game of the ``pycon`` examples, at each mark after the examples above it."""
    text, names, found, read = page.read_text(encoding="utf-8"), {}, [], 0
    decisions: list[str] = []
    step = Game.step

    def noted(game: Game, action: str) -> None:
        decisions.append(action)
        step(game, action)

    with patch.object(Game, "step", noted):
        for mark in _MARK.finditer(text):
            _play(text[read : mark.start()], names)
            found.append((mark, len(decisions)))
            read = mark.end()
        _play(text[read:], names)
    record = record_from_actions(int(names["game"].state.seed), decisions, names={"D": "Democrat", "C": "Communist"})
    return [
        Picture((page.parent / mark["file"]).resolve(), record, at, mark["viewer"], mark["part"]) for mark, at in found
    ]


def _play(text: str, names: dict) -> None:
    """Execute the ``pycon`` examples of a text in ``names``, without what they show."""
    for block in re.findall(r"```pycon\n(.*?)```", text, re.DOTALL):
        for example in doctest.DocTestParser().get_examples(block):
            with redirect_stdout(StringIO()):
                exec(example.source, names)


@contextmanager
def _server(folder: Path) -> Iterator[str]:
    """Address of a server of the browser's pages."""
    command = [sys.executable, "-m", "dawn_agents", "web", "--port", "0", "--data", str(folder / "web.sqlite")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield process.stdout.readline().split()[-1]
        finally:
            process.terminate()


def draw(wanted: list[Picture]) -> None:
    """Write pictures."""
    from playwright.sync_api import sync_playwright

    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
    with TemporaryDirectory() as folder, _server(Path(folder)) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        for picture in wanted:
            page = browser.new_page(viewport=_SIZE, color_scheme="light", device_scale_factor=_SCALE)
            record = (to_line(picture.record) + "\n").encode()
            shelf = page.request.post(f"{address}/api/shelves", data=record).json()["shelf"].rsplit("/", 1)[1]
            page.goto(f"{address}/replay/{shelf}.0?at={picture.at}&viewer={picture.viewer}")
            page.wait_for_selector(f"#prompt >> text=Position {picture.at}", timeout=300_000)
            page.evaluate("hand.style.gridTemplateColumns = '1fr'")  # all cards of a hand beside each other
            shown = page if picture.part == "page" else page.locator(_place(picture))
            _write(picture, shown.screenshot(animations="disabled"))
            page.close()
        browser.close()


def _place(picture: Picture) -> str:
    """Selector of a country, of the hand of the viewer, or of the struggle."""
    if picture.part in COUNTRIES:
        return f"[data-panel='{picture.part}']"
    return "#fight" if picture.part == "struggle" else f"#hand > div:nth-child({1 + SIDE_NAMES.index(picture.viewer)})"


def _write(picture: Picture, png: bytes) -> None:
    note = PngInfo()
    note.add_text(_LABEL, picture.label)
    Image.open(BytesIO(png)).convert("RGB").quantize(256).save(picture.file, pnginfo=note, optimize=True)


def main() -> None:
    """Write what is not current."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--all", action="store_true", help="all of them, since pages look different now")
    every = parser.parse_args().all
    draw([picture for picture in pictures() if every or not picture.is_current])


if __name__ == "__main__":
    main()

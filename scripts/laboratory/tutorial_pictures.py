"""Pictures of a tutorial: positions of the game that its examples play, drawn where the page asks for them."""

import doctest
import re
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

from dawn_env.game import Game
from dawn_env.picture.drawing import part_svg

_MARK = re.compile(r"<!-- picture: (?P<part>[^,]+), (?P<viewer>\w+) -->\n!\[[^\]]*\]\((?P<file>[^)]+)\)")


def tutorial_pictures(page: Path) -> dict[Path, str]:
    """Files and SVG of the pictures of a page.

    A mark ``<!-- picture: PART, VIEWER -->`` stands before each of them. Drawn is ``game`` of the ``pycon`` examples
    above it; what has changed since the picture before is marked.
    """
    text, names, pictures = page.read_text(encoding="utf-8"), {}, {}
    before: Game | None = None
    read = 0
    for mark in _MARK.finditer(text):
        _play(text[read : mark.start()], names)
        game, read = names["game"], mark.end()
        svg = part_svg(game.state, mark["viewer"], mark["part"], before and before.state)
        pictures[(page.parent / mark["file"]).resolve()] = svg + "\n"
        before = game.copy()
    return pictures


def _play(text: str, names: dict[str, object]) -> None:
    """Execute the ``pycon`` examples of a text in ``names``, without what they show."""
    for block in re.findall(r"```pycon\n(.*?)```", text, re.DOTALL):
        for example in doctest.DocTestParser().get_examples(block):
            with redirect_stdout(StringIO()):
                exec(example.source, names)

"""The pages: one frame around what they show, which their modules fill."""

from functools import cache
from importlib.resources import files
from string import Template
from typing import NamedTuple


class Page(NamedTuple):
    """``script``: its module in ``static``; ``content``: its template; ``kind``: class of its body."""

    title: str
    script: str
    content: str
    kind: str


START = Page("1989: Dawn of Freedom", "start.js", "start.html", "start")
PLAY = Page("A game of 1989: Dawn of Freedom", "play.js", "board.html", "play")
WATCH = Page("Watching a game of 1989: Dawn of Freedom", "watch.js", "board.html", "play watch")
REPLAY = Page("Replay", "replay.js", "board.html", "play replay")
SHELF = Page("Games", "shelf.js", "shelf.html", "start")


def _template(name: str) -> Template:
    return Template((files("dawn_agents.web") / "templates" / name).read_text())


@cache
def page_html(page: Page) -> str:
    """A page as HTML."""
    main = _template(page.content).substitute(title=page.title).rstrip("\n")
    return _template("frame.html").substitute(page._asdict(), main=main)

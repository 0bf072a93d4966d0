"""Parser of code blocks in documentation pages, and of the shell commands in them."""

import re
import shlex
from pathlib import Path
from typing import NamedTuple

_BLOCK = re.compile(
    r"(?P<mark><!-- not run: (?P<why>[^>]+) -->\n)?^```(?P<language>[^\n`]*)\n(?P<code>.*?)^```", re.M | re.S
)


class Block(NamedTuple):
    """A block of code of a page. ``why``: the reason why tests do not run it, empty if they do."""

    language: str
    code: str
    why: str


def blocks(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    return [Block(found["language"], found["code"], found["why"] or "") for found in _BLOCK.finditer(text)]


def command_lines(code: str) -> list[list[str]]:
    """Split a shell block into commands, each a list of words; comments are dropped and continued lines joined."""
    lines = code.replace("\\\n", " ").splitlines()
    return [words for line in lines if (words := shlex.split(line, comments=True))]

"""Parser of ``View.text``: legal answers at any level of detail, observation and mask at the level ``full``."""

import re
from collections.abc import Iterator
from itertools import takewhile

import numpy as np

from dawn_env.actions import action_id
from dawn_env.errors import MalformedPosition
from dawn_env.observation.view_layouts import LAYOUTS
from dawn_env.views.named_parts import observation_of_lines
from dawn_env.views.view_text import ANSWERS, MARK, MARKED, PARTS, PLACES

_MARKED_SPACE = re.compile(re.escape(MARK) + r"([A-Z][^\d+;:,(]*?) \d")
_CARD = re.compile(r"card:\d+")
_REMARK = re.compile(r": | \(")
_PARTS = re.compile(re.escape(PARTS).replace(r"\{game\}", r"(\w+)").replace(r"\{version\}", r"(\d+)"))


def answers_of(text: str) -> Iterator[str]:
    """Legal answers listed in a text of ``View.text``, as texts of actions such as ``space:Berlin``."""
    lines = text.splitlines()
    start = next((at for at, line in enumerate(lines, 1) if line.endswith(ANSWERS)), len(lines))
    for line in lines[start:]:
        if line == f"{PLACES}, {MARKED}":
            yield from (f"space:{name}" for above in lines[:start] for name in _MARKED_SPACE.findall(above))
        elif line.startswith(PLACES):
            yield from (f"space:{name}" for name in line.partition(", NAME: ")[2].split(", "))
        elif cards := _CARD.findall(line):
            yield from cards
        else:
            yield _REMARK.split(line)[0]


def observation_and_mask_of_text(text: str) -> tuple[np.ndarray, np.ndarray]:
    """Observation int8 [F] and mask int8 [A] of a view, read from its ``text("full")``.

    Raises ``MalformedPosition`` for other texts, those of less detail too, and for another version of observations.
    """
    lines = text.splitlines()
    at, named = next(((at, named) for at, line in enumerate(lines, 1) if (named := _PARTS.fullmatch(line))), (0, None))
    layout = next(
        (layout for layout in LAYOUTS if named and (layout.name, str(layout.version)) == named.groups()), None
    )
    if layout is None:
        raise MalformedPosition("a view: its text at the detail full, of this version, expected")
    try:
        parts = takewhile(lambda line: line.startswith(" "), lines[at:])
        mask = np.zeros(layout.actions, np.int8)
        mask[[action_id(answer) for answer in answers_of(text)]] = 1
        return observation_of_lines(map(str.strip, parts), layout), mask
    except (LookupError, ValueError, OverflowError) as error:
        raise MalformedPosition(f"a view: its text at the detail full expected ({error!r})") from None

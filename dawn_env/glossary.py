"""Names of cards and boxes; the glossary, definitions of the game's terms; the rules in brief."""

import json
from typing import NamedTuple

from dawn_env import tables
from dawn_env.actions import MOST_POINTS
from dawn_env.tables import CARD_TITLES, SOURCE_TITLES

AWARDS = ("+1 to attempts", "1 ops count 2", "draw 3, keep 1", "remove 2 SP", "swap a card", "free check",
           "cancel event", "event and ops")  # fmt: skip
"""What the first side to enter each box of the Tiananmen Square Track gets (rule 6.3.5)."""
USSR_STEPS = (("stable", ""), ("Sajudis", "+1"), ("Baltic Way", "+3"), ("Breakaway", "+5"), ("Coup", "-3"))
"""Events of the USSR Stability Track and their VP (rule 12.0)."""


def card_name(card: int) -> str:
    """Number and title of a strategy card; an award or an operation has no number."""
    return f"{card} {CARD_TITLES[card]}" if card < len(CARD_TITLES) else SOURCE_TITLES[card]


def face_name(face: str) -> str:
    """Name of a power struggle card."""
    kind, _, rest = face.partition("-")
    return f"{rest.capitalize()} leader" if kind == "leader" else face.replace("-", " ").capitalize()


def counted(number: int, noun: str) -> str:
    """``1 point``, ``2 points``."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


class Term(NamedTuple):
    """A term of the game and its definition."""

    title: str
    meaning: str

    def __str__(self) -> str:
        return f"{self.title}: {self.meaning}"


_TEXTS = json.loads((tables.DATA / "glossary.json").read_text("utf-8"))  # title and meaning, numbers by their names
_NUMBERS = vars(tables) | {"MOST_POINTS": MOST_POINTS}
GLOSSARY = {name: Term(title, meaning.format_map(_NUMBERS)) for name, (title, meaning) in _TEXTS.items()}
"""Terms by a short name, which the page carries as ``data-term``; in the order of their titles."""

_CHAPTER_TEXTS = json.loads((tables.DATA / "chapters.json").read_text("utf-8"))  # likewise
CHAPTERS = {name: Term(title, text.format_map(vars(tables))) for name, (title, text) in _CHAPTER_TEXTS.items()}
"""The rules in brief, chapters by a short name, in words of our own: for prompts of language models and for tools."""
_FAMILY = "goal", "control", "scoring", "family"
"""Chapters that hold in family mode; ``family`` says what differs."""


def rules_in_brief(mode: str) -> str:
    """Chapters of a game of this ``mode`` (``standard`` or ``family``), one a line."""
    names = _FAMILY if mode == "family" else [name for name in CHAPTERS if name != "family"]
    return "\n".join(str(CHAPTERS[name]) for name in names)

"""The rules in brief, by chapter, in words of our own: for prompts of language models and for tools."""

import json

from dawn_env import tables
from dawn_env.glossary import Term

_TEXTS = json.loads((tables.DATA / "chapters.json").read_text("utf-8"))  # title and text, numbers by their names
CHAPTERS = {name: Term(title, text.format_map(vars(tables))) for name, (title, text) in _TEXTS.items()}
"""Chapters by a short name."""
_FAMILY = "goal", "control", "scoring", "family"
"""Chapters that hold in family mode; ``family`` says what differs."""


def rules_in_brief(mode: str) -> str:
    """Chapters of a game of this ``mode`` (``standard`` or ``family``), one a line."""
    names = _FAMILY if mode == "family" else [name for name in CHAPTERS if name != "family"]
    return "\n".join(str(CHAPTERS[name]) for name in names)

"""Answers of language models: the action that a reply names, or what is wrong with it."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from dawn_env.support.safe_text import short_repr

MOST_NOTES = 1000
"""Characters of the notes that a model may keep."""
_FENCE = re.compile(r"\s*```\w*\s*")
_OBJECT = re.compile(r"\{[^{}]*\}\s*$")
_LABEL = re.compile(r"(?:(?:final\s+)?answer|action)\s*:\s*", re.IGNORECASE)
_NOTES = re.compile(r"^\W*notes:\s*(.*)", re.IGNORECASE | re.MULTILINE)
_MARKUP = " \t`*\"'."


@dataclass(frozen=True)
class Reading:
    """``action``: text of a legal action, or None, and then the ``problem``. ``notes``: None where none were given."""

    action: str | None
    problem: str = ""
    notes: str | None = None


def read_answer(content: str, call: str, legal: Sequence[str], cut_off: bool = False) -> Reading:
    """Read a reply: ``call``, arguments of the function ``act`` as JSON, or else the last line of ``content``.

    The line is one of the ``legal`` texts, perhaps in quotes, bold or behind "Answer:", or an object with ``action``.
    """
    notes, named = None, None
    if call:
        named, notes = _from_object(call)
        if named is None:
            return Reading(None, f"the arguments of act have no action: {short_repr(call)}")
    else:
        lines = [line for line in content.splitlines() if line.strip() and not _FENCE.fullmatch(line)]
        if found := _NOTES.findall(content):
            notes = found[-1].strip()[:MOST_NOTES]
        if not lines:
            why = "was cut off at the limit of tokens" if cut_off else "is empty"
            return Reading(None, f"the answer {why}", notes)
        if last_object := _OBJECT.search("\n".join(lines)):
            named, told = _from_object(last_object[0])
            notes = told if told is not None else notes
        named = named if named is not None else _LABEL.sub("", lines[-1].strip(_MARKUP), count=1).strip(_MARKUP)
    if named in legal:
        return Reading(named, notes=notes)
    near = get_close_matches(named, legal, 1)
    hint = f"; did you mean {near[0]}?" if near else ""
    cut = ", and the answer was cut off at the limit of tokens" if cut_off else ""
    return Reading(None, f"{short_repr(named)} is not one of the legal answers{cut}{hint}", notes)


def _from_object(text: str) -> tuple[str | None, str | None]:
    """Action and notes of an object in JSON, None for what it does not have."""
    try:
        found = json.loads(text)
    except ValueError:
        return None, None
    if not isinstance(found, dict):
        return None, None
    action, notes = found.get("action"), found.get("notes")
    return (
        action.strip() if isinstance(action, str) else None,
        notes.strip()[:MOST_NOTES] if isinstance(notes, str) else None,
    )

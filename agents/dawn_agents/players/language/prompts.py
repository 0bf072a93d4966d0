"""Messages to language models: rules in brief, how to answer, the view of a decision, and why an answer was refused.

What is true of a position comes from ``dawn_env.views``, what is true of the game from ``dawn_env.glossary``.
"""

from typing import Any

from dawn_agents.players.language.answer_reading import MOST_NOTES
from dawn_env.glossary import rules_in_brief
from dawn_env.tables import SIDE_NAMES

TEXT, TOOL = ANSWERS = "text", "tool"
"""Ways to answer: the last line of the reply, or a call of the function ``act``."""
_SYSTEM = """You play the board game 1989: Dawn of Freedom, as the {side}.

{rules}

Each message shows what you may know of the position, and the answers that are legal. {how}"""
_HOW = {
    TEXT: "You may think first. The last line of your reply is your answer and nothing else: one of the legal answers "
    "as it is written, such as card:31 or space:Berlin.",
    TOOL: "Answer by a call of the function act with one of the legal answers as it is written, such as card:31 or "
    "space:Berlin.",
}
_NOTES = {
    TEXT: f" You have notes, which each message repeats: a line that begins with NOTES: replaces them (at most "
    f"{MOST_NOTES} characters). Keep plans and what you know of your opponent there.",
    TOOL: f" You have notes, which each message repeats: the argument notes of act replaces them (at most "
    f"{MOST_NOTES} characters). Keep plans and what you know of your opponent there.",
}
_REFUSED = "Not accepted: {problem}. Answer again: {how}"


def system_message(side: int, mode: str, answers: str, with_notes: bool) -> str:
    """First message of a game of a ``mode``."""
    how = _HOW[answers] + (_NOTES[answers] if with_notes else "")
    return _SYSTEM.format(side=SIDE_NAMES[side].capitalize(), rules=rules_in_brief(mode), how=how)


def question_message(text: str, notes: str) -> str:
    """Message for a decision: ``text`` of the view, behind the model's notes."""
    return f"Your notes: {notes}\n\n{text}" if notes else text


def refusal_message(problem: str, answers: str) -> str:
    """Message after an answer that could not be read or is not legal."""
    return _REFUSED.format(problem=problem, how=_HOW[answers])


def act_function(with_notes: bool) -> dict[str, Any]:
    """Declaration of the function ``act`` for a request."""
    action = {"type": "string", "description": "one of the legal answers, as it is written"}
    notes = {"type": "string", "description": f"your notes from now on, at most {MOST_NOTES} characters"}
    properties = {"action": action} | ({"notes": notes} if with_notes else {})
    parameters = {"type": "object", "properties": properties, "required": ["action"], "additionalProperties": False}
    described = {"name": "act", "description": "Answer the pending decision.", "parameters": parameters}
    return {"type": "function", "function": described}


def wording() -> str:
    """All fixed words of prompts, by which versions of players differ."""
    parts = [_SYSTEM, *_HOW.values(), *_NOTES.values(), _REFUSED, *map(rules_in_brief, ("standard", "family"))]
    return "\n".join(parts)

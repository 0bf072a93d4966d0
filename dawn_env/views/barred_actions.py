"""Reasons, in words, why an action is not legal in the pending decision."""

from dawn_env.events.wording import say
from dawn_env.observation.player_view import View
from dawn_env.tables import SPACE_ID
from dawn_env.views.barred_cards import barred_cards
from dawn_env.views.barred_spaces import barred_spaces

_KINDS = {"card": "no-card", "power": "no-card", "space": "no-space"}
"""By family of actions, the reason where the question is about something else."""


def barred_words(view: View, text: str) -> str:
    """Reason why a space or a card, given by the text of its action, cannot be chosen; empty where it can.

    Of a card that is not at hand nothing is said.
    """
    family, _, name = text.partition(":")
    if text in view.texts:
        return ""
    if not any(legal.startswith(f"{family}:") for legal in view.texts):
        return say("barred", {"barred": _KINDS[family]})
    found, wanted = (barred_spaces(view), SPACE_ID[name]) if family == "space" else (barred_cards(view), text)
    return next((say("barred", reason) for reason, barred in found if wanted in barred), "")

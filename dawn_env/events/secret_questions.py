"""Questions that are asked only of a hand that holds certain cards, so that the question itself would betray them.

Whoever is asked about the discard that cancels a check holds a card worth 3 or more.
"""

from dawn_env.actions import Word
from dawn_env.game import Game
from dawn_env.state import Decision

PUBLIC, EVERYTHING = -1, -2
"""Viewers who see what is open to all, no more, and who see all."""

_REFUSALS = {Decision.CANCEL_WITH_HOME: Word.NO, Decision.CANCEL_CHECK: Word.PASS, Decision.DEFEND: Word.CONCEDE}
"""Questions to a hand with certain cards, and the answer that is as if they had not been asked."""
_CHOICES = (Decision.HOME_CARD, Decision.GIVE_CARD, Decision.ATTACK)
"""Choices that are no question for a hand with just one card for them."""


def asked_in_secret(game: Game, viewer: int) -> bool:
    """Return True if the pending question reveals something hidden from ``viewer``, a side or ``PUBLIC``."""
    if game.over or viewer in (game.actor, EVERYTHING):
        return False
    decision = game.state.decision
    further_stake = decision == Decision.STAKES and game.state.staked > 0  # three cards of one face go without asking
    return decision in _REFUSALS or decision in _CHOICES or further_stake


def is_silent_refusal(decision: int, action: int) -> bool:
    """Return True if ``action`` changes nothing, so that only its own side may learn of the question.

    To concede is told: whether there was another answer or not comes to the same.
    """
    return action != Word.CONCEDE and _REFUSALS.get(decision) == action

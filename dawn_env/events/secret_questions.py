"""Questions that are asked only of a hand that holds certain cards, so that the question itself would betray them.

Whoever is asked about the discard that cancels a check holds a card worth 3 or more.
"""

from dawn_env.actions import Word, action_id
from dawn_env.game import Game
from dawn_env.state import Decision

PUBLIC = -1
"""Stands for a viewer who sees what is open to all, no more."""

_REFUSALS = {Decision.CANCEL_WITH_HOME: Word.NO, Decision.CANCEL_CHECK: Word.PASS, Decision.DEFEND: Word.CONCEDE}
"""Questions to a hand with certain cards, and the answer that is as if they had not been asked."""
_CHOICES = (Decision.HOME_CARD, Decision.GIVE_CARD, Decision.ATTACK)
"""Choices that are no question for a hand with just one card for them."""


def asked_in_secret(game: Game, viewer: int) -> bool:
    """Return True if the pending question reveals something hidden from ``viewer``, a side or ``PUBLIC``."""
    if game.over or game.actor == viewer:
        return False
    decision = game.state.decision
    further_stake = decision == Decision.STAKES and game.state.staked > 0  # three cards of one face go without asking
    return decision in _REFUSALS or decision in _CHOICES or further_stake


def acts_openly(game: Game, action: str, viewer: int) -> bool:
    """Return True if the choice of ``action`` is open to the viewer: the question came in any case."""
    refusal = _REFUSALS.get(int(game.state.decision))
    return not asked_in_secret(game, viewer) or (refusal is not None and action_id(action) != refusal)

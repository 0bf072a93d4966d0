"""What the cards in play change: reading the tables of lasting effects (``dawn_env.cards.lasting``).

``effects`` is one of those tables of ``dawn_env.cards.events``. A region "that country" is the one of the field
``debt_burden``.
"""

from dawn_env.cards.events import DEMANDS
from dawn_env.cards.lasting import AMOUNT, CARD, EXTRA, OF_SIDE, REGION
from dawn_env.rules.board import score_vp
from dawn_env.rules.cards import in_play, leave_play
from dawn_env.rules.regions import in_region
from dawn_env.support.compiling import jit


@jit
def acts(s, effect, side):
    """Whether an effect is in force for a side."""
    return effect[OF_SIDE] == side and in_play(s, effect[CARD])


@jit
def acts_in(s, effect, side, space):
    """Whether an effect is in force for a side in a space."""
    return acts(s, effect, side) and in_region(effect[REGION], s.debt_burden, space)


@jit
def any_acts(s, effects, side):
    """Whether some effect is in force for a side, be it in one space only."""
    for row in range(len(effects)):
        if acts(s, effects[row], side):
            return True
    return False


@jit
def any_in(s, effects, side, space):
    """Whether some effect is in force for a side in a space."""
    for row in range(len(effects)):
        if acts_in(s, effects[row], side, space):
            return True
    return False


@jit
def total(s, effects, side):
    """Sum of what the effects in force for a side amount to."""
    amount = 0
    for row in range(len(effects)):
        if acts(s, effects[row], side):
            amount += effects[row, AMOUNT]
    return amount


@jit
def total_in(s, effects, side, space):
    """Sum of what the effects in force for a side in a space amount to."""
    amount = 0
    for row in range(len(effects)):
        if acts_in(s, effects[row], side, space):
            amount += effects[row, AMOUNT]
    return amount


@jit
def spend(s, effects, side, space):
    """The cards whose effects were in force for a side in a space have served."""
    for row in range(len(effects)):
        if acts_in(s, effects[row], side, space):
            leave_play(s, effects[row, CARD])


@jit
def spend_all(s, effects):
    """The cards in play with such an effect have served."""
    for row in range(len(effects)):
        if in_play(s, effects[row, CARD]):
            leave_play(s, effects[row, CARD])


@jit
def meet_demands(s, side, played):
    """A side has played the event of a card, 0 for anything else, where one may have been demanded (99)."""
    for row in range(len(DEMANDS)):
        if acts(s, DEMANDS[row], side):
            leave_play(s, DEMANDS[row, CARD])
            if played != DEMANDS[row, EXTRA]:
                score_vp(s, DEMANDS[row, AMOUNT])

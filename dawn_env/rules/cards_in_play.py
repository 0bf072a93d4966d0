"""Modifiers from cards in play, read from the table of lasting effects (``dawn_env.cards.lasting_effects``).

``kind`` is an ``EffectKind``. A region "that country" is the one of the field ``debt_burden``.
"""

from dawn_env.cards.event_tables import EFFECTS, FIRST_EFFECT, SERVES_ONCE
from dawn_env.rules.board import MEMBERS, in_region
from dawn_env.rules.cards import in_play, leave_play
from dawn_env.support.compiling import jit
from dawn_env.tables import S


@jit
def applies(s, effect, side):
    """Return True if an effect is in force for a side."""
    return effect.side == side and in_play(s, effect.card)


@jit
def acts_in(s, effect, side, space):
    """Return True if an effect is in force for a side in a space."""
    return applies(s, effect, side) and in_region(effect.region, s.debt_burden, space)


@jit
def any_acts(s, kind, side):
    """Return True if some effect of a kind is in force for a side, be it in one space only."""
    for row in range(FIRST_EFFECT[kind], FIRST_EFFECT[kind + 1]):
        if applies(s, EFFECTS[row], side):
            return True
    return False


@jit
def any_in(s, kind, side, space):
    """Return True if some effect of a kind is in force for a side in a space."""
    for row in range(FIRST_EFFECT[kind], FIRST_EFFECT[kind + 1]):
        if acts_in(s, EFFECTS[row], side, space):
            return True
    return False


@jit
def clear_where(s, kind, side, spaces):
    """Set to 0 those of ``spaces`` [S] in which some effect of a kind is in force for a side."""
    for row in range(FIRST_EFFECT[kind], FIRST_EFFECT[kind + 1]):
        if applies(s, EFFECTS[row], side):
            inside = MEMBERS[EFFECTS[row].region, s.debt_burden]
            for space in range(S):
                spaces[space] &= 1 - inside[space]


@jit
def total(s, kind, side):
    """Sum of what the effects of a kind in force for a side amount to."""
    amount = 0
    for row in range(FIRST_EFFECT[kind], FIRST_EFFECT[kind + 1]):
        if applies(s, EFFECTS[row], side):
            amount += EFFECTS[row].amount
    return amount


@jit
def total_in(s, kind, side, space):
    """Sum of what the effects of a kind in force for a side in a space amount to."""
    amount = 0
    for row in range(FIRST_EFFECT[kind], FIRST_EFFECT[kind + 1]):
        if acts_in(s, EFFECTS[row], side, space):
            amount += EFFECTS[row].amount
    return amount


@jit
def discard_used(s, kind, side, space):
    """Discard single-use cards whose effect of a kind has just applied to a side in a space."""
    for row in range(FIRST_EFFECT[kind], FIRST_EFFECT[kind + 1]):
        effect = EFFECTS[row]
        if SERVES_ONCE[effect.card] and acts_in(s, effect, side, space):
            leave_play(s, effect.card)


@jit
def spend_all(s, kind):
    """Discard the cards in play with an effect of a kind."""
    for row in range(FIRST_EFFECT[kind], FIRST_EFFECT[kind + 1]):
        if in_play(s, EFFECTS[row].card):
            leave_play(s, EFFECTS[row].card)

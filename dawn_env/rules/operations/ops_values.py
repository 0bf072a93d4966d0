"""Operations values and the holders of Tiananmen awards (rules 6.3.5, 7.3)."""

from dawn_env.cards.event_tables import BOUND_OPS, REGIONS
from dawn_env.cards.lasting_effects import EffectKind
from dawn_env.rules.cards_in_play import total
from dawn_env.support.compiling import jit
from dawn_env.tables import CROWD_OPERATION, PRINTED_OPS


@jit
def holds_award(s, side, box):
    """Return True if a side holds the lasting award of a box: it is there and the opponent is not."""
    return s.track[side] >= box and s.track[1 - side] < box


@jit
def ops_change(s, side):
    """Changes by cards in play and Prudence (8) of every value that a side uses."""
    return int(s.prudence[side]) + total(s, EffectKind.OPS_VALUES, side)


@jit
def ops_value(s, side, source, base, bonus):
    """Value of ``base`` printed points for a side; ``bonus`` is that of operations bound to a region (rule 7.3).

    Modifiers are summed first, then raised to 1, or to 0 for The Crowd's operation (ruling value-of-the-crowd).
    """
    value = base + ops_change(s, side) + bonus
    if base == 1 and holds_award(s, side, 2):
        value += 1
    return max(0 if source == CROWD_OPERATION else 1, value)


@jit
def in_bound_region(space):
    """Return True if a space lies in the region of BOUND_OPS."""
    return REGIONS[BOUND_OPS.region, space]


@jit
def card_value(s, side, card):
    """Current value of a strategy card for a side."""
    return ops_value(s, side, card, PRINTED_OPS[card], 0)

"""Operations values and the holders of Tiananmen awards (rules 5.3, 6)."""

from dawn_env.rules.cards import in_play
from dawn_env.support.compiling import jit
from dawn_env.tables import COMMUNIST, CROWD_OPERATION, DEMOCRAT, PRINTED_OPS


@jit
def holds_award(s, side, box):
    """Whether a side holds the lasting award of a box: it is there and the opponent is not."""
    return s.track[side] >= box and s.track[1 - side] < box


@jit
def ops_change(s, side):
    """Sum of Perestroika (25), Sinatra (50) and Prudence (8) on every value a side uses."""
    change = int(s.prudence[side])
    if side == COMMUNIST and in_play(s, 25):
        change += 1
    if side == DEMOCRAT and in_play(s, 50):
        change += 1
    return change


@jit
def ops_value(s, side, source, base, border):
    """Value of ``base`` printed points for a side; ``border`` is 1 when card 58 adds to it (rule 6).

    Modifiers are summed first, then raised to 1, or to 0 for The Crowd's operation (ours O20).
    """
    value = base + ops_change(s, side) + border
    if base == 1 and holds_award(s, side, 2):
        value += 1
    return max(0 if source == CROWD_OPERATION else 1, value)


@jit
def card_value(s, side, card):
    """Current value of a strategy card for a side."""
    return ops_value(s, side, card, PRINTED_OPS[card], 0)

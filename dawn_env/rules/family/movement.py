"""Legal spaces for support points in family mode (TR.2.4.2, TR.2.4.3)."""

from dawn_env.rules.board import controls
from dawn_env.rules.operations.placement import within_reach
from dawn_env.support.compiling import jit
from dawn_env.tables import MAX_NEIGHBOURS, NEIGHBOURS

PRINTED_MAP = 0  # variant of NEIGHBOURS


@jit
def may_place(s, side, space):
    """A space with points of the side, or next to one, that the opponent does not control (ruling
    family-presence-places)."""
    return within_reach(s, side, space, PRINTED_MAP) and not controls(s, 1 - side, space)


@jit
def may_enter(s, side, space):
    """Return True if points may go to a space next to their own: a shift, or a take-over (ruling family-one-shift,
    ruling family-take-over-next-door, ruling family-contested-spaces-stand)."""
    empty = s.support[0, space] == 0 and s.support[1, space] == 0
    return empty or controls(s, side, space) or controls(s, 1 - side, space)


@jit
def may_leave(s, side, space):
    """Return True if points of a side may leave a space: it is controlled, and there is somewhere to go."""
    if not controls(s, side, space):
        return False
    around = NEIGHBOURS[PRINTED_MAP, space]
    for i in range(MAX_NEIGHBOURS):
        if around[i] < 0:
            return False
        if may_enter(s, side, around[i]):
            return True
    return False

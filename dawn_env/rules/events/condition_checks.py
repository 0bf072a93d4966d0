"""Conditions on the game (``dawn_env.cards.event_conditions``)."""

from dawn_env.cards.event_conditions import Test
from dawn_env.cards.event_tables import CONDITIONS
from dawn_env.rules.board import controls, countries_held
from dawn_env.rules.frames import fail
from dawn_env.state import Zone
from dawn_env.support.compiling import jit
from dawn_env.tables import DEMOCRAT


@jit
def holds(s, condition, side):
    """Return True if a row of CONDITIONS holds, ``side`` being the executor of the event that asks."""
    row = CONDITIONS[condition]
    return _test(s, row, side) == (row.expected != 0)


@jit
def _test(s, row, side):
    test, value = row.test, row.value
    if test == Test.OCCURRED:
        return s.where[value] == Zone.IN_PLAY or s.where[value] == Zone.REMOVED
    if test == Test.LIES_IN_PLAY:
        return s.where[value] == Zone.IN_PLAY
    if test == Test.CROWD_ACTED:
        return s.crowd_done != 0
    if test == Test.TYRANT_FLED:
        return s.tyrant_done != 0
    if test == Test.TURN_AT_MOST:
        return s.turn <= value
    if test == Test.LEADS:
        return s.vp > 0 if row.side == DEMOCRAT else s.vp < 0
    if test == Test.CONTROLS_SPACE:
        return controls(s, row.side, value)
    if test == Test.AHEAD_ON_TRACK:
        return s.track[side] > s.track[1 - side]
    if test == Test.REACHED_BOX:
        return s.track[row.side] >= value
    if test == Test.HOLDS_COUNTRIES:
        return countries_held(s, row.side) >= value
    if test != Test.ALWAYS:
        fail(s)
    return True

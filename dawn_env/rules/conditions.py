"""Conditions on the game (``dawn_env.cards.conditions``)."""

from dawn_env.cards.conditions import (
    AHEAD_ON_TRACK,
    CONTROLS_SPACE,
    CROWD_ACTED,
    EXPECTED,
    HOLDS_COUNTRIES,
    LEADS,
    LIES_IN_PLAY,
    OCCURRED,
    OF_SIDE,
    REACHED_BOX,
    TEST,
    TURN_AT_MOST,
    TYRANT_FLED,
    VALUE,
)
from dawn_env.cards.events import CONDITIONS
from dawn_env.rules.board import controls, countries_held
from dawn_env.state import IN_PLAY, REMOVED
from dawn_env.support.compiling import entry, jit
from dawn_env.tables import COMMUNIST, DEMOCRAT


@jit
def holds(s, condition, side):
    """Whether a row of CONDITIONS holds, ``side`` being the executor of the event that asks."""
    row = CONDITIONS[condition]
    return _test(s, row, side) == (row[EXPECTED] != 0)


@jit
def _test(s, row, side):
    test, value = row[TEST], row[VALUE]
    if test == OCCURRED:
        return s.where[value] == IN_PLAY or s.where[value] == REMOVED
    if test == LIES_IN_PLAY:
        return s.where[value] == IN_PLAY
    if test == CROWD_ACTED:
        return s.crowd_done != 0
    if test == TYRANT_FLED:
        return s.tyrant_done != 0
    if test == TURN_AT_MOST:
        return s.turn <= value
    if test == LEADS:
        return s.vp > 0 if row[OF_SIDE] == DEMOCRAT else s.vp < 0
    if test == CONTROLS_SPACE:
        return controls(s, row[OF_SIDE], value)
    if test == AHEAD_ON_TRACK:
        return s.track[side] > s.track[1 - side]
    if test == REACHED_BOX:
        return s.track[row[OF_SIDE]] >= value
    if test == HOLDS_COUNTRIES:
        return countries_held(s, row[OF_SIDE]) >= value
    return True  # ALWAYS


@entry
def holds_for_someone(s, condition):
    """Whether a condition holds with either side as the executor; for callers outside the rules."""
    return holds(s, condition, DEMOCRAT) or holds(s, condition, COMMUNIST)

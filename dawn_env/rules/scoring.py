"""Scoring a country, and the end of the game (rules 9.0, 10.4)."""

import numpy as np

from dawn_env.rules.board import controls, countries_held, end_game
from dawn_env.state import Result
from dawn_env.support.compiling import jit
from dawn_env.tables import (
    BATTLEGROUND,
    BATTLEGROUNDS,
    COMMUNIST,
    CONTROL,
    COUNTRY_OF,
    DEMOCRAT,
    DOMINATION,
    FIRST_SPACE,
    PRESENCE,
    N,
)

LEVELS = ("none", "Presence", "Domination", "Control")
"""Levels of a side in a country that is scored (rule 9.2)."""
_NONE, _PRESENCE, _DOMINATION, _CONTROL = range(len(LEVELS))
LEVEL_VP = np.stack([np.zeros_like(PRESENCE), PRESENCE, DOMINATION, CONTROL])
"""[LEVELS, N] VP for each level in each country."""
LEVEL_VP.setflags(write=False)

FINAL_POWER_VP = 4  # of the Communist for each country in which they hold Power at the end


@jit
def level_of(spaces, battlegrounds, other_spaces, other_battlegrounds, all_battlegrounds):
    """Highest level of a side that controls so many spaces and battlegrounds (rule 9.2)."""
    if spaces == 0:
        return _NONE
    if spaces > other_spaces:
        if battlegrounds == all_battlegrounds:
            return _CONTROL
        if battlegrounds > other_battlegrounds and spaces > battlegrounds:
            return _DOMINATION
    return _PRESENCE


@jit
def levels(s, country):
    """Level and battlegrounds of the Democrat in a country, then those of the Communist."""
    spaces_d = battlegrounds_d = spaces_c = battlegrounds_c = 0
    for space in range(FIRST_SPACE[country], FIRST_SPACE[country + 1]):
        if controls(s, DEMOCRAT, space):
            spaces_d += 1
            battlegrounds_d += BATTLEGROUND[space]
        elif controls(s, COMMUNIST, space):
            spaces_c += 1
            battlegrounds_c += BATTLEGROUND[space]
    # Systematization (69) may have destroyed one.
    lost = s.destroyed >= 0 and COUNTRY_OF[s.destroyed] == country and BATTLEGROUND[s.destroyed]
    existing = BATTLEGROUNDS[country] - (1 if lost else 0)
    level_d = level_of(spaces_d, battlegrounds_d, spaces_c, battlegrounds_c, existing)
    level_c = level_of(spaces_c, battlegrounds_c, spaces_d, battlegrounds_d, existing)
    return level_d, battlegrounds_d, level_c, battlegrounds_c


@jit
def country_score(s, country):
    """VP for scoring a country now, Democrat positive (rule 9.3.3): those of the levels, and 1 per battleground."""
    level_d, battlegrounds_d, level_c, battlegrounds_c = levels(s, country)
    return LEVEL_VP[level_d, country] + battlegrounds_d - LEVEL_VP[level_c, country] - battlegrounds_c


@jit
def decide_by_vp(s, reason):
    """The side ahead wins; 0 is a draw."""
    if s.vp > 0:
        end_game(s, Result.DEMOCRAT, reason)
    elif s.vp < 0:
        end_game(s, Result.COMMUNIST, reason)
    else:
        end_game(s, Result.DRAW, reason)


@jit
def final_scoring(s, reason):
    """All six countries, then the bonus for Power and the Ceausescus at large (rules 7.6.5, 10.4.1)."""
    for country in range(N):
        s.vp += country_score(s, country)
    s.vp -= FINAL_POWER_VP * countries_held(s, COMMUNIST)
    if s.hideout >= 0:
        s.vp -= 2
    decide_by_vp(s, reason)

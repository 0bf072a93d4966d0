"""Value of the board in family mode: points of the next scoring, Democrat positive.

Every country scores every turn, so the board is worth what it would score, near control counted in part.
"""

from dawn_agents.heuristic_values.country_value import control_degree, points_ahead
from dawn_env.rules.board import is_control
from dawn_env.state import Result
from dawn_env.support.compiling import jit
from dawn_env.tables import BATTLEGROUND, COMMUNIST, COUNTRY_OF, DEMOCRAT, FIRST_SPACE, STABILITY, N

WON = 60.0
"""Value of a won game; that of a game that runs stays well below."""
_PROGRESS = 0.4  # share of a controlled space's worth that points short of control have
_GUARD, _MOST_GUARD = 0.12, 4  # worth of each point beyond control, up to so many
_FOOTHOLD = 0.1  # of a space from which one can go on
_AHEAD = 1.5  # victory points on the track against those of the next scoring: the lead decides in the end


@jit
def _extras(s, side, space, lead):
    if is_control(lead, space):
        return _FOOTHOLD + _GUARD * min(_MOST_GUARD, lead - STABILITY[space])
    return _FOOTHOLD if s.support[side, space] > 0 else 0.0


@jit
def country_worth(s, country):
    """Points a country is expected to give when it is scored, and a little for what may become of it."""
    spaces_d = spaces_c = grounds_d = grounds_c = extras = 0.0
    for space in range(FIRST_SPACE[country], FIRST_SPACE[country + 1]):
        lead = s.support[DEMOCRAT, space] - s.support[COMMUNIST, space]
        share_d, share_c = control_degree(lead, space, _PROGRESS), control_degree(-lead, space, _PROGRESS)
        spaces_d += share_d
        spaces_c += share_c
        if BATTLEGROUND[space]:
            grounds_d += share_d
            grounds_c += share_c
        extras += _extras(s, DEMOCRAT, space, lead) - _extras(s, COMMUNIST, space, -lead)
    return points_ahead(country, spaces_d, spaces_c, grounds_d, grounds_c) + extras


@jit
def worth_of_both(s, space, other):
    """Worth of the countries of two spaces, which may be the same."""
    worth = country_worth(s, COUNTRY_OF[space])
    return worth if COUNTRY_OF[other] == COUNTRY_OF[space] else worth + country_worth(s, COUNTRY_OF[other])


@jit
def evaluate(s):
    """Value of a record in victory points, Democrat positive; +-``WON`` when the game is over."""
    if s.result != Result.RUNNING:
        return WON if s.result == Result.DEMOCRAT else -WON
    worth = _AHEAD * s.vp
    for country in range(N):
        worth += country_worth(s, country)
    return worth

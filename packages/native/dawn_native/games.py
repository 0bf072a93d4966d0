"""Functions for callers in other languages: games that are started, stepped and observed with checked arguments."""

from enum import auto

from dawn_env.actions import ALL_ACTIONS, A
from dawn_env.observation import F
from dawn_env.observation.bid_observation import BID_F, write_bid_view
from dawn_env.observation.family_observation import FAMILY_F, write_family_view
from dawn_env.observation.view_layouts import write_standard_view
from dawn_env.rules import flow
from dawn_env.state import MOST_EXTRA_SUPPORT, Error, Mode, Result
from dawn_env.support.compiling import AutoIntEnum, entry, inlined
from dawn_env.tables import COMMUNIST, DEMOCRAT, SIDES

_begin, _advance = inlined(flow.begin), inlined(flow.advance)
_write_standard, _write_bid, _write_family = map(inlined, (write_standard_view, write_bid_view, write_family_view))


class Code(AutoIntEnum):
    """Return codes of the functions; -1 is an unknown failure."""

    OK = auto()
    BAD_OPTIONS = auto()
    BAD_SIZE = auto()
    ILLEGAL = auto()
    OVER = auto()
    STOPPED = auto()  # by an error of the rules, the field ``error`` of the game
    BAD_STATE = auto()


@entry
def new_game(s, seed, mode, bid, democrat, communist):
    """Start a game in a record, with the ``GameOptions``; returns a ``Code``."""
    extra = min(democrat, communist) < 0 or max(democrat, communist) > MOST_EXTRA_SUPPORT
    plain = mode == Mode.STANDARD and bid == 0
    if seed < 0 or extra or (democrat + communist > 0 and not plain):
        return Code.BAD_OPTIONS
    if not (plain or (mode == Mode.STANDARD and bid == 1) or (mode == Mode.FAMILY and bid == 0)):
        return Code.BAD_OPTIONS
    s.mode, s.bid = mode, bid
    s.extra_support[DEMOCRAT], s.extra_support[COMMUNIST] = democrat, communist
    _begin(s, seed)
    return Code.OK


@entry
def step(s, action):
    """Take an action if it is legal; returns a ``Code``."""
    if s.result != Result.RUNNING:
        return Code.OVER
    if action < 0 or action >= ALL_ACTIONS or s.legal[action] == 0:
        return Code.ILLEGAL
    _advance(s, action)
    return Code.OK if s.error == Error.NONE else Code.STOPPED


@entry
def observe(s, side, view, mask):
    """Write the observation of a side, in the layout of the game's mode, and its mask; returns a ``Code``."""
    family, bid = s.mode == Mode.FAMILY, s.bid != 0
    size = FAMILY_F if family else BID_F if bid else F
    if len(view) != size or len(mask) != (ALL_ACTIONS if family or bid else A) or side < 0 or side >= SIDES:
        return Code.BAD_SIZE
    if family:
        _write_family(s, side, view, mask)
    elif bid:
        _write_bid(s, side, view, mask)
    else:
        _write_standard(s, side, view, mask)
    return Code.OK

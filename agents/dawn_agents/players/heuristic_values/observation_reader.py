"""Conversion of an observation into a POSITION: the only module of the package that depends on the layout."""

from dawn_env.observation.parts import TABLE, offsets
from dawn_env.state import STANDARD_DECISIONS, STANDARD_FRAME_KINDS, Decision, PowerZone, Zone
from dawn_env.support.compiling import jit
from dawn_env.tables import DEMOCRAT, FIRST_ROMANIAN, FIRST_SPACE, ROMANIAN_SPACES, SIDES, SOURCES, SUITS, C, N, P

_AT = offsets(TABLE)
"""Offset of each part of the observation."""


@jit
def marked(o, at, size):
    """Index marked in a one-hot part, -1 when there is none."""
    for i in range(size):
        if o[at + i]:
            return i
    return -1


@jit
def _marked_space(o, at):
    """Space marked in a part that marks Romanian ones only, -1 when there is none."""
    index = marked(o, at + FIRST_ROMANIAN, ROMANIAN_SPACES)
    return -1 if index < 0 else FIRST_ROMANIAN + index


@jit
def _side_of(o, at, viewer):
    """Side that 1 (the viewer) or -1 (the opponent) stands for, -1 for 0."""
    if o[at] == 0:
        return -1
    return viewer if o[at] > 0 else 1 - viewer


@jit
def _read_support(o, support, board, at, first, end):
    """A side's support points in a country, into the row of all spaces and that of the country."""
    for space in range(first, end):
        support[space] = board[space - first] = o[at + space]


@jit
def _read_board(o, p, viewer):
    for n in range(N):
        _read_support(o, p.support[viewer], p.board[n, viewer], _AT.my_support, FIRST_SPACE[n], FIRST_SPACE[n + 1])
        _read_support(
            o, p.support[1 - viewer], p.board[n, 1 - viewer], _AT.their_support, FIRST_SPACE[n], FIRST_SPACE[n + 1]
        )
    p.destroyed, p.hideout = _marked_space(o, _AT.destroyed), _marked_space(o, _AT.hideout)
    for n in range(N):
        p.power[n] = _side_of(o, _AT.power + n, viewer)
        p.times_scored[n] = o[_AT.times_scored + n]


@jit
def _read_cards(o, p, viewer):
    """Zones of the cards, each seen in one plane at most."""
    mine, theirs = Zone.HAND + viewer, Zone.HAND + 1 - viewer
    for i in range(C - 1):
        held = mine * o[_AT.my_hand + i] + theirs * o[_AT.known_theirs + i]
        hidden = Zone.SET_ASIDE * o[_AT.set_aside + i] + Zone.DRAWN * o[_AT.drawn + i]
        piled = (
            Zone.DISCARD_PILE * o[_AT.discard_pile + i]
            + Zone.REMOVED * o[_AT.removed + i]
            + Zone.FUTURE * o[_AT.future + i]
        )
        table = Zone.IN_PLAY * o[_AT.in_play + i] + Zone.RESOLVING * o[_AT.resolving + i]
        p.where[i + 1] = held + hidden + piled + table


@jit
def _read_clock_and_tracks(o, p, viewer):
    p.turn, p.action_round = o[_AT.turn], o[_AT.round]
    p.phasing = viewer if o[_AT.phasing] else 1 - viewer
    p.vp = o[_AT.vp] if viewer == DEMOCRAT else -o[_AT.vp]
    p.ussr, p.award7_used, p.award8_used = o[_AT.ussr], o[_AT.award7_used], o[_AT.award8_used]
    for side in range(SIDES):
        at = side ^ viewer  # first the viewer's number, then the opponent's
        p.track[side], p.prudence[side] = o[_AT.track + at], o[_AT.prudence + at]
        p.tried_box[side], p.tried_turn[side] = o[_AT.tried_box + at], o[_AT.tried_turn + at]
        p.raised[side], p.power_hands[side] = o[_AT.raised + at], o[_AT.power_hand_size + at]
    p.stand_fast = _side_of(o, _AT.stand_fast, viewer)
    p.debt_burden = marked(o, _AT.debt_burden, N)
    p.crowd_done, p.tyrant_done, p.ceausescu_due = o[_AT.crowd_done], o[_AT.tyrant_done], o[_AT.ceausescu_due]


@jit
def _read_struggle(o, p, viewer):
    p.struggle = marked(o, _AT.struggle, N)
    fought = p.struggle >= 0
    p.starter = (viewer if o[_AT.started] else 1 - viewer) if fought else -1
    p.attacker = (viewer if o[_AT.attacking] else 1 - viewer) if fought else -1
    p.staked, p.led_rank = o[_AT.staked], o[_AT.led_rank]
    p.blocked, p.led_suit = marked(o, _AT.blocked, len(SUITS)), marked(o, _AT.led_suit, len(SUITS))
    p.winner, p.winning_suit = _side_of(o, _AT.struggle_won, viewer), marked(o, _AT.winning_suit, len(SUITS))
    for face in range(P):
        p.power_cards[PowerZone.HAND + viewer, face] = o[_AT.my_power_hand + face]
        p.power_cards[PowerZone.HAND + 1 - viewer, face] = o[_AT.their_power_hand + face]
        p.power_cards[PowerZone.DISCARD, face] = o[_AT.power_discard + face]


@jit
def _read_decision(o, p, viewer):
    """The pending decision and the innermost thing that is being resolved."""
    p.decision = marked(o, _AT.decision, len(STANDARD_DECISIONS))
    p.kind = marked(o, _AT.activity, len(STANDARD_FRAME_KINDS))
    p.executor = viewer if o[_AT.executing] else 1 - viewer
    p.source = max(0, marked(o, _AT.source, SOURCES))
    p.left, p.value, p.bonus = o[_AT.left], o[_AT.value], o[_AT.roll_bonus] + o[_AT.bound_points]
    if p.decision == Decision.OPS:  # bound to all of a country, or nothing
        p.bound = 0
        for n in range(N):
            p.bound |= int(o[_AT.scope + FIRST_SPACE[n]]) << n


@jit
def read(o, p):
    """Fill what a POSITION shares with STATE, and what the decision is about, from an observation int8 [F]."""
    viewer = int(o[_AT.side])
    p.viewer = viewer
    _read_clock_and_tracks(o, p, viewer)
    _read_board(o, p, viewer)
    _read_cards(o, p, viewer)
    _read_struggle(o, p, viewer)
    _read_decision(o, p, viewer)

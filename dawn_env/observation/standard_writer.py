"""Writing the observation from a record, compiled.

It is a large part of what a decision costs in a batch, so every entry is written once: no part is cleared first,
planes are written by loops over bytes that the compiler turns into vector instructions, and a struggle only when one
is fought.
"""

import numpy as np

from dawn_env.cards.event_tables import BOUND_OPS, REGIONS, TOUCHES
from dawn_env.observation.parts import MOST, TABLE, F, offsets
from dawn_env.rules.board import MEMBERS
from dawn_env.rules.card_play import PlayPart, next_part
from dawn_env.rules.operations.support_checks import BORDER_ON
from dawn_env.rules.struggle import sees_their_hand
from dawn_env.state import (
    DECISIONS,
    STANDARD_DECISIONS,
    STANDARD_FRAME_KINDS,
    Decision,
    FrameKind,
    PowerZone,
    Result,
    Zone,
)
from dawn_env.support.compiling import jit, spliced
from dawn_env.tables import DEMOCRAT, FIRST_SPACE, STABILITY, SUITS, C, N, P, S

CARDS = C - 1
SUIT_COUNT, DECISION_COUNT, ACTIVITY_COUNT = len(SUITS), len(STANDARD_DECISIONS), len(STANDARD_FRAME_KINDS)

_AT = offsets(TABLE)
_STABILITY = STABILITY.astype(np.int16)

SHOWN_OFF_TURN = np.arange(len(DECISIONS))
"""[decisions] what the side that does not act is shown. Some questions are only asked because of what a hand holds:
the one about 21 looks like the question that follows it in any case; those about cards to give (20) or to discard
(44) are not named (ruling secret-questions)."""
SHOWN_OFF_TURN[Decision.CANCEL_WITH_HOME] = Decision.USE
SHOWN_OFF_TURN[[Decision.CANCEL_CHECK, Decision.GIVE_CARD]] = Decision.NONE
SHOWN_OFF_TURN.setflags(write=False)


# --- kinds of part ---------------------------------------------------------------------------------


@jit
def _put(out, at, value):
    """Write an integer, clipped to int8."""
    out[at] = min(max(value, -128), 127)


@jit
def _side(out, at, owner, side):
    """Write 1 for the viewer, -1 for the opponent, 0 for owner -1."""
    out[at] = 0 if owner < 0 else 1 if owner == side else -1


@jit
def put_pair(out, at, pair, side):
    """Write a field kept per side: first the viewer's value, then the opponent's."""
    out[at] = pair[side]
    out[at + 1] = pair[1 - side]


@jit
def put_all(out, at, values):
    """Write all values of an array."""
    part = out[at : at + len(values)]
    for i in range(len(values)):
        part[i] = values[i]


@jit
def _clear(out, at, size):
    part = out[at : at + size]
    for i in range(size):
        part[i] = 0


@jit
def put_one_hot(out, at, size, index):
    """Write a one-hot vector; all zeros if ``index`` is outside."""
    _clear(out, at, size)
    if 0 <= index < size:
        out[at + int(index)] = 1


@jit
def put_zone(out, at, where, zone):
    """Write a flag for each card: 1 if it is in ``zone``; zone -1 is none."""
    part, sought = out[at : at + CARDS], np.int8(zone)
    for i in range(CARDS):
        part[i] = where[i + 1] == sought


# --- parts -----------------------------------------------------------------------------------------


@jit
def _write_clock(s, side, out):
    out[_AT.side] = side
    out[_AT.turn] = s.turn
    out[_AT.round] = s.action_round
    out[_AT.phasing] = s.phasing == side
    _put(out, _AT.vp, s.vp if side == DEMOCRAT else -s.vp)


@jit
def _write_board(s, side, out):
    mine, theirs = s.support[side], s.support[1 - side]
    my_part, their_part = out[_AT.my_support : _AT.their_support], out[_AT.their_support : _AT.control]
    control = out[_AT.control : _AT.destroyed]
    for i in range(S):
        my_part[i] = min(mine[i], MOST)
    for i in range(S):
        their_part[i] = min(theirs[i], MOST)
    for i in range(S):
        lead = np.int16(mine[i] - theirs[i])
        control[i] = np.int8(lead >= _STABILITY[i]) - np.int8(lead <= -_STABILITY[i])
    put_one_hot(out, _AT.destroyed, S, s.destroyed)
    put_one_hot(out, _AT.hideout, S, s.hideout)
    put_all(out, _AT.picked, s.picked)
    put_all(out, _AT.reach, s.reach)
    for i in range(N):
        out[_AT.power + i] = 1 if s.power[i] == side else -1
    put_all(out, _AT.times_scored, s.times_scored)


@jit
def _write_cards(s, side, out):
    """Write the planes of the zones visible to a side."""
    where, known, counted = s.where, s.known, s.counted[1 - side]
    put_zone(out, _AT.my_hand, where, Zone.HAND + side)
    put_zone(out, _AT.discard_pile, where, Zone.DISCARD_PILE)
    put_zone(out, _AT.removed, where, Zone.REMOVED)
    put_zone(out, _AT.in_play, where, Zone.IN_PLAY)
    put_zone(out, _AT.future, where, Zone.FUTURE)
    put_zone(out, _AT.resolving, where, Zone.RESOLVING)
    put_zone(out, _AT.set_aside, where, Zone.SET_ASIDE if side == DEMOCRAT else -1)
    put_zone(out, _AT.drawn, where, Zone.DRAWN if s.decision == Decision.KEEP_CARD and s.actor == side else -1)
    for i in range(CARDS):
        mine = out[_AT.my_hand + i] | out[_AT.set_aside + i]
        out[_AT.known_mine + i] = known[i + 1] & mine
        out[_AT.known_theirs + i] = (known[i + 1] & (mine ^ 1)) | counted[i + 1]
    put_one_hot(out, _AT.stasi_card, CARDS, s.stasi_card - 1)


@jit
def _write_card_counts(s, side, out):
    """Sums in bytes, as there are fewer than 128 cards."""
    theirs, drawn, discarded, aside = np.int8(0), np.int8(0), np.int8(0), np.int8(0)
    their_zone, where = np.int8(Zone.HAND + 1 - side), s.where
    for i in range(1, C):
        theirs = np.int8(theirs + np.int8(where[i] == their_zone))
        drawn = np.int8(drawn + np.int8(where[i] == Zone.DRAW_PILE))
        discarded = np.int8(discarded + np.int8(where[i] == Zone.DISCARD_PILE))
        aside = np.int8(aside + np.int8(where[i] == Zone.SET_ASIDE))
    out[_AT.their_hand_size], out[_AT.any_set_aside] = theirs, aside > 0
    out[_AT.draw_pile_size], out[_AT.discard_pile_size] = drawn, discarded


@jit
def _write_tracks(s, side, out):
    out[_AT.ussr] = s.ussr
    put_pair(out, _AT.track, s.track, side)
    put_pair(out, _AT.tried_box, s.tried_box, side)
    put_pair(out, _AT.tried_turn, s.tried_turn, side)
    out[_AT.award7_used], out[_AT.award8_used] = s.award7_used, s.award8_used
    put_pair(out, _AT.prudence, s.prudence, side)
    _side(out, _AT.stand_fast, s.stand_fast, side)
    put_one_hot(out, _AT.debt_burden, N, s.debt_burden)
    out[_AT.crowd_done], out[_AT.tyrant_done], out[_AT.ceausescu_due] = s.crowd_done, s.tyrant_done, s.ceausescu_due
    put_pair(out, _AT.extra_support, s.extra_support, side)


@jit
def _write_struggle(s, side, out):
    if s.struggle < 0:
        _clear(out, _AT.struggle, _AT.acting - _AT.struggle)
        return
    put_one_hot(out, _AT.struggle, N, s.struggle)
    out[_AT.started], out[_AT.attacking] = s.starter == side, s.attacker == side
    put_pair(out, _AT.raised, s.raised, side)
    out[_AT.staked] = s.staked
    put_one_hot(out, _AT.blocked, SUIT_COUNT, s.blocked)
    put_one_hot(out, _AT.led_suit, SUIT_COUNT, s.led_suit)
    out[_AT.led_rank] = s.led_rank
    _side(out, _AT.struggle_won, s.winner, side)
    put_one_hot(out, _AT.winning_suit, SUIT_COUNT, s.winning_suit)
    mine, theirs = s.power_cards[PowerZone.HAND + side], s.power_cards[PowerZone.HAND + 1 - side]
    put_all(out, _AT.my_power_hand, mine)
    shown = sees_their_hand(s, side)
    for face in range(P):
        out[_AT.their_power_hand + face] = theirs[face] if shown else 0
    put_all(out, _AT.power_discard, s.power_cards[PowerZone.DISCARD])
    out[_AT.power_hand_size], out[_AT.power_hand_size + 1] = mine.sum(), theirs.sum()
    out[_AT.power_deck_size] = s.power_cards[PowerZone.DECK].sum()


@jit
def shown_decision(s, side):
    """Decision shown to ``side``: the pending one, or the one that a secret decision is shown as."""
    return int(s.decision) if s.actor == side else SHOWN_OFF_TURN[s.decision]


@jit
def _write_decision(s, side, out):
    out[_AT.acting] = s.actor == side and s.result == Result.RUNNING
    put_one_hot(out, _AT.decision, DECISION_COUNT, shown_decision(s, side))


@jit
def _write_activity(s, side, out):
    """The innermost frame, and what follows in the card play it belongs to."""
    _clear(out, _AT.activity, F - _AT.activity)
    _clear(out, _AT.scope, S)
    if s.depth == 0:
        return
    f = s.frames[s.depth - 1]
    if f.kind < ACTIVITY_COUNT:  # pictures are drawn of other games too
        out[_AT.activity + int(f.kind)] = 1
    out[_AT.source + int(f.source)] = 1
    out[_AT.executing] = f.side == side
    out[_AT.left], out[_AT.setup_batch] = f.left, f.batch
    if f.country >= 0:
        out[_AT.country_named + int(f.country)] = 1
    if f.kind == FrameKind.EVENT:
        _write_region(f, TOUCHES[f.pc], out)
    elif f.kind == FrameKind.CHECKS:
        _write_checks(s, f, out)
    elif f.kind == FrameKind.OPERATIONS:
        out[_AT.value] = f.value
        _write_region(f, f.region, out)
    elif f.kind == FrameKind.PLACEMENT:
        out[_AT.value], out[_AT.bound_points] = f.value, f.bonus
    elif f.kind == FrameKind.STRUGGLE:
        for i in range(FIRST_SPACE[f.country], FIRST_SPACE[f.country + 1]):
            out[_AT.scope + i] = 1
    for depth in range(1, s.depth):
        if s.frames[depth].kind == FrameKind.PLAY:
            _write_play(s.frames[depth], out)


@jit
def _write_region(f, region, out):
    """The spaces of a region that a frame is bound to; region -1 is none."""
    if region >= 0:
        put_all(out, _AT.scope, MEMBERS[region, f.country])


@jit
def _write_checks(s, f, out):
    out[_AT.value], out[_AT.roll_bonus] = f.value, f.bonus
    declared = f.marks & BORDER_ON != 0
    out[_AT.bonus_declared] = declared
    if s.decision == Decision.BORDER_BONUS:
        out[_AT.scope + int(f.target)] = 1
        return
    _write_region(f, f.region, out)
    if declared:
        for i in range(S):
            out[_AT.scope + i] &= REGIONS[BOUND_OPS.region, i]


@jit
def _write_play(play, out):
    """The card play that is going on; there is one at most."""
    part = next_part(play)
    out[_AT.event_to_come] = part == PlayPart.EVENT or part == PlayPart.EVENT_AFTER
    out[_AT.operations_to_come] = part == PlayPart.OPERATION


@spliced  # a call, which passes the array on the stack, makes a batch a twentieth slower
def write_observation(s, side, out):
    """Write the view that ``side`` has of a ``STATE`` record into ``out``, ``[F]`` int8."""
    _write_clock(s, side, out)
    _write_board(s, side, out)
    _write_cards(s, side, out)
    _write_card_counts(s, side, out)
    _write_tracks(s, side, out)
    _write_struggle(s, side, out)
    _write_decision(s, side, out)
    _write_activity(s, side, out)


@jit
def write_mask(s, side, out):
    """Write the legal actions of ``side`` into ``out``, int8: zeros unless the decision is theirs.

    ``out`` has a place for each action of the game: ``[A]``, or all there are for a bid and family mode.
    """
    if s.actor == side and s.result == Result.RUNNING:
        legal = s.legal
        for action in range(len(out)):
            out[action] = legal[action]
    else:
        out[:] = 0

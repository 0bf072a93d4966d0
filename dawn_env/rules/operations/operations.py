"""Conducting operations: placement, checks or an attempt on the Tiananmen Square track (rule 6.0)."""

from dawn_env.actions import Word
from dawn_env.cards.lasting_effects import EffectKind
from dawn_env.rules.cards_in_play import total
from dawn_env.rules.chance import roll
from dawn_env.rules.frames import allow, ask, fail, pop, push, start_event
from dawn_env.rules.operations.ops_values import holds_award, ops_value
from dawn_env.rules.operations.placement import can_place, start_placement
from dawn_env.rules.operations.support_checks import start_checks
from dawn_env.state import Decision, FrameKind
from dawn_env.support.compiling import jit
from dawn_env.tables import AWARD_3, AWARD_4, OWNER, PRINTED_OPS, TIANANMEN_BOXES, TIANANMEN_NEED

CHECKS_PER_OPERATION = 2
TRACK_ALLOWED = 1  # flag of an operation that may also be a track attempt


@jit
def start_operation(s, side, source, base, region, marks):
    """Push the choice between the kinds of operations with ``base`` printed points."""
    f = push(s, FrameKind.OPERATIONS, side, source)
    f.value, f.region, f.marks = base, region, marks


@jit
def step_operation(s, f):
    """Ask for the kind of operation."""
    side = f.side
    ask(s, Decision.OPS, side)
    if can_place(s, side, f.source, f.value, f.region):
        allow(s, Word.PLACE)
    allow(s, Word.CHECK)
    if f.marks & TRACK_ALLOWED and can_attempt(s, side):
        allow(s, Word.TIANANMEN)


@jit
def answer_operation(s, f, action):
    """Replace the choice by the operation chosen."""
    side, source, base, region = int(f.side), int(f.source), int(f.value), int(f.region)
    pop(s)
    conduct(s, side, source, base, region, action)


@jit
def conduct(s, side, source, base, region, action):
    """Start the kind of operation given by an action word."""
    if action == Word.PLACE:
        start_placement(s, side, source, base, region)
    elif action == Word.CHECK:
        start_checks(s, side, source, base, CHECKS_PER_OPERATION, region, -1, 0, False)
    elif action == Word.TIANANMEN:
        attempt(s, side, source)
    else:
        fail(s)


# --- the Tiananmen Square track (rule 6.3) ---------------------------------------------------------


@jit
def can_attempt(s, side):
    """One attempt a turn, none from the last box."""
    return s.track[side] < TIANANMEN_BOXES and not s.tried_turn[side]


@jit
def least_roll(s, side, card):
    """The roll from which on an attempt at the next box with a card succeeds."""
    added = ops_value(s, side, card, PRINTED_OPS[card], 0)
    added += OWNER[card] == side  # ruling own-event-on-the-track
    added += s.tried_box[side]
    added += total(s, EffectKind.TRACK_ROLLS, side)
    added += holds_award(s, side, 1)
    return TIANANMEN_NEED[side, s.track[side] + 1] - added


@jit
def attempt(s, side, card):
    """Roll for the next box with a card; its award, if any, is pushed."""
    s.tried_turn[side] = 1
    if roll(s) >= least_roll(s, side, card):
        advance_track(s, side)
    else:
        s.tried_box[side] = 1


@jit
def advance_track(s, side):
    """Move a side one box up the Tiananmen Square track; the first one in box 3 or 4 uses its award at once."""
    s.track[side] += 1
    s.tried_box[side] = 0  # ruling advance-forgets-failure
    box = s.track[side]
    if s.track[1 - side] < box and (box == 3 or box == 4):
        award = AWARD_3 if box == 3 else AWARD_4
        start_event(s, side, award, 0)

"""Conducting operations: placement, checks or a track attempt (rule 6.0)."""

from dawn_env.actions import Word
from dawn_env.rules.frames import allow, ask, fail, pop, push
from dawn_env.rules.operations.placement import can_place, start_placement
from dawn_env.rules.operations.support_checks import start_checks
from dawn_env.rules.operations.tiananmen import attempt, can_attempt
from dawn_env.state import Decision, FrameKind
from dawn_env.support.compiling import jit

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

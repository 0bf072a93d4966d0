"""The stack of frames, starting an event, and posing a decision."""

from enum import auto

from dawn_env.actions import CARD0, Word
from dawn_env.cards.event_tables import PROGRAM_START
from dawn_env.state import MAX_FRAMES, NEW_FRAMES, Error, FrameKind
from dawn_env.support.compiling import AutoIntEnum, jit
from dawn_env.tables import SCORES, C


@jit
def top(s):
    """The innermost frame, as a view."""
    return s.frames[s.depth - 1]


@jit
def push(s, kind, side, source):
    """Put a fresh frame on the stack and return it; on a full one (no legal game) the innermost is lost."""
    if s.depth == MAX_FRAMES:
        s.error = Error.STACK_FULL
    else:
        s.depth += 1
    s.frames[s.depth - 1] = NEW_FRAMES[0]
    f = s.frames[s.depth - 1]
    f.kind, f.side, f.source = kind, side, source
    return f


@jit
def fail(s):
    """End the step with an error: no case of a dispatch fits, in no legal game."""
    s.error = Error.BROKEN


@jit
def pop(s):
    """Drop the innermost frame."""
    s.depth -= 1


@jit
def ask(s, decision, side):
    """Pose a decision; the caller then allows the legal actions."""
    s.decision, s.actor = decision, side
    s.legal[:] = 0
    s.legal_count = 0


@jit
def allow(s, action):
    """Make an action legal in the decision being posed (once per action)."""
    s.legal[action] = 1
    s.legal_count += 1
    s.last_legal = action


@jit
def count_allowed(s, first, end):
    """Count the actions ``first`` ... ``end - 1`` that a loop has made legal by itself; without branches, such loops
    do many at a time."""
    count, last = 0, -1
    for action in range(first, end):
        legal = int(s.legal[action])
        count += legal
        last = max(last, action & -legal | legal - 1)
    if count > 0:
        s.legal_count += count
        s.last_legal = last


@jit
def ask_card(s, decision, side, zone, scoring):
    """Ask a side to choose one of the cards in a zone; ``scoring``: also scoring cards."""
    ask(s, decision, side)
    for card in range(1, C):
        s.legal[CARD0 + card] = (s.where[card] == zone) & (scoring | (SCORES[card] < 0))
    count_allowed(s, CARD0 + 1, CARD0 + C)


@jit
def withdraw(s):
    """Take back a decision that turned out to offer nothing."""
    s.decision = 0


DISPOSES = 1  # flag of an event whose card goes where it belongs when the event is over
NOTHING_MORE = int(PROGRAM_START[0])  # row of the empty program


@jit
def start_event(s, side, source, marks):
    """Push the event of a card (or award), executed by ``side``."""
    f = push(s, FrameKind.EVENT, side, source)
    f.pc, f.marks = PROGRAM_START[source], marks


@jit
def skip_empty_choice(s, f):
    """A choice that offers nothing is not asked; the program goes on."""
    if s.legal_count == 0:
        withdraw(s)
        f.pc += 1


@jit
def allow_pass(s, f):
    """Offer to decline, unless there is nothing to decline."""
    if s.legal_count > 0:
        allow(s, Word.PASS)
    skip_empty_choice(s, f)


class TurnStep(AutoIntEnum):
    """Steps of a turn. Position files are loaded at ``SET_UP`` and ``ROUND``."""

    SET_UP = auto()
    ROUND = auto()
    ROUND_END = auto()
    ANNOUNCE = auto()
    AFTER_LAST_ROUND = auto()
    EXTRA_CHECK = auto()
    VERIFY = auto()
    LAST_STRUGGLE = auto()
    PARTY_OVER = auto()
    END = auto()
    START = auto()
    SWAP = auto()


class PlayStep(AutoIntEnum):
    """Steps of a play. ``COMMITTED`` goes on with the use kept in the column ``use``, once its price has been paid;
    ``FIRST`` and ``SECOND`` carry out the parts kept in the columns of these names."""

    ANNOUNCED = auto()
    USE = auto()
    ORDER = auto()
    PAIR = auto()
    FIRST = auto()
    SECOND = auto()
    DONE = auto()
    COMMITTED = auto()


class ChecksStep(AutoIntEnum):
    """Steps of a check in a series."""

    TARGET = auto()
    ROLL = auto()


class StruggleStep(AutoIntEnum):
    """Steps of a power struggle; from ``LOSS_ROLL`` on it is won."""

    DEAL = auto()
    CROWD = auto()
    STAKES = auto()
    LEAD = auto()
    SCARE = auto()
    NAME_SUIT = auto()
    ANSWER = auto()
    LOSS_ROLL = auto()
    LOSING = auto()
    VP_ROLL = auto()
    POWER = auto()
    SCORING = auto()


class FamilyStep(AutoIntEnum):
    """Steps of a turn in family mode, in the order of play."""

    DEAL = auto()
    CARD = auto()
    PLACE = auto()
    ORIGIN = auto()
    DESTINATION = auto()
    POINTS = auto()
    ATTACK = auto()
    DEFENCE = auto()
    SCORE = auto()

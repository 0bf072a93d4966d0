"""Starting the program of an event."""

from dawn_env.actions import Word
from dawn_env.cards.event_tables import PROGRAM_START
from dawn_env.rules.frames import allow, push, withdraw
from dawn_env.state import FrameKind
from dawn_env.support.compiling import jit

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

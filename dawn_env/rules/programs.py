"""Starting the program of an event."""

from dawn_env.cards.events import PROGRAM_START
from dawn_env.rules.stack import push
from dawn_env.state import EVENT_FRAME, FLAGS, PC
from dawn_env.support.compiling import jit

DISPOSES = 1  # flag of an event whose card goes where it belongs when the event is over
NOTHING_MORE = int(PROGRAM_START[0])  # row of the empty program


@jit
def start_event(s, side, source, flags):
    """Push the event of a card (or award), executed by ``side``."""
    f = push(s, EVENT_FRAME, side, source)
    f[PC], f[FLAGS] = PROGRAM_START[source], flags

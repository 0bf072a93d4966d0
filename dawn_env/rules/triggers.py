"""Making events happen: pushing an event's program, or the struggle of a scoring card."""

from dawn_env.compiling import jit
from dawn_env.events import PROGRAM_START
from dawn_env.rules.cards import is_scoring, put
from dawn_env.rules.stack import push
from dawn_env.rules.struggle import start_struggle
from dawn_env.state import EVENT_FRAME, FLAGS, PC, RESOLVING
from dawn_env.tables import SCORES

DISPOSES = 1  # flag of an event whose card goes where it belongs when the event is over
NOTHING_MORE = int(PROGRAM_START[0])  # row of the empty program


@jit
def start_event(s, side, source, flags):
    """Push the event of a card (or award), executed by ``side``."""
    f = push(s, EVENT_FRAME, side, source)
    f[PC], f[FLAGS] = PROGRAM_START[source], flags


@jit
def trigger(s, side, card):
    """Another card makes this one's event happen now; a scoring card starts a struggle (rule 4.7)."""
    put(s, card, RESOLVING)
    if is_scoring(card):
        start_struggle(s, side, SCORES[card], card)
    else:
        start_event(s, side, card, DISPOSES)

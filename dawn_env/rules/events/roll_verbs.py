"""The roll that decides whether an event goes on."""

from dawn_env.cards.event_verbs import USSR_STABILITY
from dawn_env.rules.board import controls
from dawn_env.rules.chance import roll
from dawn_env.rules.events.event_start import NOTHING_MORE
from dawn_env.rules.region_membership import in_region
from dawn_env.support.compiling import jit
from dawn_env.tables import S


@jit
def step_roll(s, f, row):
    """Roll a die and add the modifier; the event ends unless that is enough."""
    f.pc += 1
    modifier = int(s.ussr) if row.extra == USSR_STABILITY else -controlled_in(s, f, row, row.extra)
    if roll(s) + modifier < row.count:
        f.pc = NOTHING_MORE


@jit
def controlled_in(s, f, row, side):
    """Number of spaces of the region that a side controls."""
    count = 0
    for space in range(S):
        if in_region(row.region, f.country, space):
            count += controls(s, side, space)
    return count

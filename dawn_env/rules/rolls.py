"""Verbs of events that roll to see whether, or how, an event goes on."""

from dawn_env.cards.effects import Opcode
from dawn_env.rules.board import controls
from dawn_env.rules.chance import DIE, roll
from dawn_env.rules.programs import NOTHING_MORE
from dawn_env.rules.regions import in_region
from dawn_env.rules.stack import refuse
from dawn_env.state import Error
from dawn_env.support.compiling import jit
from dawn_env.tables import COMMUNIST, DEMOCRAT, S


@jit
def step_roll(s, f, row):
    """A verb from ROLL_ABOVE to CONTEST."""
    opcode = row.opcode
    f.pc += 1
    if opcode == Opcode.ROLL_ABOVE:
        goes_on = roll(s) > _controlled(s, f, row, row.extra)
    elif opcode == Opcode.ROLL_AT_LEAST:
        goes_on = roll(s) - _controlled(s, f, row, row.extra) >= row.count
    elif opcode == Opcode.ROLL_USSR:
        goes_on = roll(s) + s.ussr >= row.count
    elif opcode == Opcode.ROLL_POINTS:
        f.value = row.extra // 10 ** (DIE - roll(s)) % 10  # a digit per face
        goes_on = True
    elif opcode == Opcode.CONTEST:
        goes_on = _wins_contest(s, f, row)
    else:
        refuse(s)
        goes_on = False
    if not goes_on:
        f.pc = NOTHING_MORE


@jit
def _controlled(s, f, row, side):
    """Spaces of the region that a side controls."""
    count = 0
    for space in range(S):
        if in_region(row.region, f.country, space):
            count += controls(s, side, space)
    return count


@jit
def _wins_contest(s, f, row):
    """The Wall Must Go! (86): first to win enough rounds, ties rolled again.

    The phasing side rolls first, then first and second change places every round (ruling rounds-of-the-wall).
    """
    lead = _controlled(s, f, row, DEMOCRAT) - _controlled(s, f, row, COMMUNIST)
    won_d = won_c = 0
    democrat_first = s.phasing == DEMOCRAT
    while won_d < row.count and won_c < row.count and s.error == Error.NONE:
        margin = roll(s) - roll(s)
        if not democrat_first:
            margin = -margin
        won_d += margin + lead > 0
        won_c += margin + lead < 0
        democrat_first = not democrat_first
    return won_d == row.count

"""Verbs of events about spaces: picks one by one, whole regions, and other choices of a space."""

from dawn_env.actions import SPACE0
from dawn_env.cards.event_verbs import Opcode, SpaceTest
from dawn_env.rules.board import (
    MEMBERS,
    change_support,
    controls,
    in_region,
    is_control,
    missing_for_control,
    take_support,
)
from dawn_env.rules.frames import ask, count_allowed, fail, withdraw
from dawn_env.state import Decision
from dawn_env.support.compiling import jit
from dawn_env.tables import COUNTRY_OF, S

_NO_LIMIT = 9999
_TESTS = len(SpaceTest)


@jit
def controlled_in_region(s, f, row, side):
    """Number of spaces in the region that a side controls."""
    count = 0
    for space in range(S):
        if in_region(row.region, f.country, space):
            count += controls(s, side, space)
    return count


@jit
def meets_space_test(s, side, where, space):
    """A condition on a space, ``side`` being the executor."""
    _check_known(s, where)
    return _passes_space_test(where, s.support[side, space], s.support[1 - side, space], space)


@jit
def _check_known(s, where):
    if where < 0 or where >= _TESTS:
        fail(s)


@jit
def _passes_space_test(where, mine, theirs, space):
    """Space test from the support points there of the executor and the opponent; without branches, for loops."""
    lead, theirs_barred = mine - theirs, where == SpaceTest.NOT_OPPONENTS
    mine_barred, neither = where == SpaceTest.NOT_OWN, where == SpaceTest.UNCONTROLLED
    wrong = (theirs_barred | neither) & is_control(-lead, space) | (mine_barred | neither) & is_control(lead, space)
    return not (wrong | (where == SpaceTest.WITHOUT_OPPONENT) & (theirs > 0))


@jit
def _capacity(s, f, row, space):
    """Number of further picks that a space can take; 0 when it is not legal."""
    if space == s.destroyed or not in_region(row.region, f.country, space):
        return 0
    side = int(f.side)
    mine, theirs, picked = int(s.support[side, space]), int(s.support[1 - side, space]), int(s.picked[space])
    return _room(int(row.where), _cap(row), _takes(row), mine, theirs, picked, space)


@jit
def _room(where, cap, takes, mine, theirs, picked, space):
    """Picks that points in a space and earlier picks leave; without branches, for loops."""
    return max(0, min(cap - picked, theirs if takes else cap)) * int(_passes_space_test(where, mine, theirs, space))


@jit
def _cap(row):
    return _NO_LIMIT if row.cap == 0 else int(row.cap)


@jit
def _takes(row):
    """Return True if a pick takes a point of the opponent's."""
    opcode = row.opcode
    return opcode == Opcode.PICK_REMOVE or opcode == Opcode.PICK_REPLACE


@jit
def step_pick(s, f, row):
    """Ask for the next space, as often as possible (ruling text-is-compulsory); fixed joint results are not asked."""
    if f.step == 0:
        f.step = 1
        f.left = f.value if row.count < 0 else row.count
        s.picked[:] = 0
    total = 0
    if f.left > 0:
        side = int(f.side)
        ask(s, _pick_decision(s, row.opcode), 1 - side if _takes(row) and row.extra else side)
        total = _allow_picks(s, f, row)
        if s.legal_count > 0 and total > f.left:
            return
        withdraw(s)
    if total > 0:  # every legal space takes all it can, no more than what is left in all
        for space in range(S):
            for _ in range(_capacity(s, f, row, space)):
                pick(s, f, row, space)
    f.step, f.left = 0, 0
    f.pc += 1


@jit
def _allow_picks(s, f, row):
    """The spaces with a ``_capacity``; returns the sum of all."""
    side, destroyed, where, cap, takes = int(f.side), int(s.destroyed), int(row.where), _cap(row), _takes(row)
    mine, theirs, inside = s.support[side], s.support[1 - side], MEMBERS[row.region, f.country]
    _check_known(s, where)
    total = 0
    for space in range(S):
        room = _room(where, cap, takes, int(mine[space]), int(theirs[space]), int(s.picked[space]), space)
        room *= int(inside[space]) * int(space != destroyed)
        s.legal[SPACE0 + space] = room > 0
        total += room
    count_allowed(s, SPACE0, SPACE0 + S)
    return total


@jit
def _pick_decision(s, opcode):
    if opcode == Opcode.PICK_PLACE:
        return Decision.PLACE
    if opcode == Opcode.PICK_REPLACE:
        return Decision.REPLACE
    if opcode == Opcode.PICK_TAKE_CONTROL:
        return Decision.TAKE_CONTROL
    if opcode != Opcode.PICK_REMOVE:
        fail(s)
    return Decision.REMOVE


@jit
def pick(s, f, row, space):
    """Carry out one pick, which names the country for the rest of the event (ruling country-binds-the-event)."""
    side, opcode = int(f.side), row.opcode
    f.left -= 1
    f.country = COUNTRY_OF[space]
    s.picked[space] += 1
    if opcode == Opcode.PICK_PLACE:
        change_support(s, side, space, row.per)
    elif opcode == Opcode.PICK_TAKE_CONTROL:
        change_support(s, side, space, missing_for_control(s, side, space))
    elif opcode == Opcode.PICK_REMOVE:
        take_support(s, 1 - side, space, row.per)
    elif opcode == Opcode.PICK_REPLACE:
        gone = take_support(s, 1 - side, space, row.per)
        change_support(s, side, space, gone)
    else:
        fail(s)


@jit
def change_region(s, f, row):
    """ADD, CLEAR and FILL: what a whole region gets or loses at once (ruling order-not-asked)."""
    side = int(f.side)
    for space in range(S):
        if space == s.destroyed or not in_region(row.region, f.country, space):
            continue
        if row.opcode == Opcode.ADD:
            if meets_space_test(s, side, row.where, space):
                change_support(s, side, space, row.count)
        elif row.opcode == Opcode.CLEAR:
            take_support(s, row.extra, space, row.count)
        elif row.opcode == Opcode.FILL:
            change_support(s, side, space, missing_for_control(s, side, space))
        else:
            fail(s)

"""The interpreter of event programs: one instruction a step (``dawn_env.cards.effects``, ``dawn_env.cards.events``)."""

from dawn_env import actions
from dawn_env.actions import COUNTRY0, PASS, SPACE0
from dawn_env.cards.effects import (
    ADD,
    ARMY_REVOLTED,
    BRANCH,
    CAP,
    CHECKS,
    CHOOSE_NOMENKLATURA,
    CHOOSE_OPERATION,
    CLEAR,
    COMMUNIST_LEADS,
    COUNT,
    CZECH_WRITERS_NOT_FREE,
    EARLY_YEAR,
    END,
    EXECUTOR_HOLDS,
    EXTRA,
    FILL,
    MIDDLE_YEAR,
    NAME_COUNTRY,
    NOT_OPPONENTS,
    NOT_OWN,
    OPCODE,
    OPERATION,
    OPPONENT_HOLDS,
    PER,
    PICK_LOSE,
    PICK_PLACE,
    PICK_REMOVE,
    PICK_REPLACE,
    PICK_TAKE_CONTROL,
    QUESTION,
    REGION_ID,
    STAY,
    TYRANT_GONE,
    UNCONTROLLED,
    UNLESS,
    VP,
    WALL_IS_GONE,
    WALL_STANDS,
    WHERE,
    WITHOUT_OPPONENT,
)
from dawn_env.cards.events import PROGRAM, REGION_EAST_GERMANY
from dawn_env.rules import odd_cards
from dawn_env.rules.board import change_support, controls, missing_for_control, score_vp, take_support
from dawn_env.rules.cards import dispose, in_play, put
from dawn_env.rules.checks import start_checks
from dawn_env.rules.operations import start_operation
from dawn_env.rules.programs import DISPOSES, NOTHING_MORE
from dawn_env.rules.regions import in_region
from dawn_env.rules.stack import allow, ask, pop, withdraw
from dawn_env.state import (
    COUNTRY,
    COUNTRY_NAMED,
    FLAGS,
    IN_PLAY,
    LEFT,
    NOMENKLATURA,
    OPS,
    PC,
    PLACE,
    REMOVE,
    REPLACE,
    SIDE,
    SOURCE,
    STEP,
    TAKE_CONTROL,
    VALUE,
)
from dawn_env.support.compiling import jit
from dawn_env.tables import (
    COUNTRY_OF,
    DEMOCRAT,
    ELITE,
    PRINTED_OPS,
    ROMANIA,
    SPACE_ID,
    TYPE_OF,
    N,
    S,
)

_CZECH_WRITERS = SPACE_ID["Czech Writers"]
_NO_LIMIT = 9999


@jit
def step_event(s, f):
    """Carry out the instruction the program has reached."""
    row = PROGRAM[f[PC]]
    opcode = row[OPCODE]
    if opcode == END:
        _end(s, f)
    elif opcode <= PICK_TAKE_CONTROL:
        _step_pick(s, f, row)
    elif opcode >= QUESTION:
        odd_cards.step_odd(s, f, row)
    elif opcode == NAME_COUNTRY:
        _ask_country(s, f, row)
    elif opcode == CHOOSE_NOMENKLATURA:
        _ask_nomenklatura(s, f)
    elif opcode == CHOOSE_OPERATION:
        ask(s, OPS, f[SIDE])
        allow(s, actions.PLACE)
        allow(s, actions.CHECK)
    else:
        _step_plain(s, f, row)


@jit
def answer_event(s, f, decision, action):
    """What a choice inside an event does."""
    row = PROGRAM[f[PC]]
    opcode = row[OPCODE]
    if opcode <= PICK_TAKE_CONTROL:
        _pick(s, f, row, action - SPACE0)
    elif opcode >= QUESTION:
        odd_cards.answer_odd(s, f, row, decision, action)
    elif opcode == NAME_COUNTRY:
        _name_country(f, action)
    else:  # two ways: the first goes on here, the second further down
        f[PC] += 1 if action == actions.PLACE or action == actions.ADD else row[COUNT]


@jit
def _end(s, f):
    source, flags = int(f[SOURCE]), f[FLAGS]
    pop(s)
    if flags & DISPOSES:
        dispose(s, source, True)


# --- instructions that ask nothing -----------------------------------------------------------------


@jit
def _step_plain(s, f, row):
    opcode, source = row[OPCODE], int(f[SOURCE])
    f[PC] += 1
    if opcode == ADD or opcode == CLEAR or opcode == FILL:
        _change_region(s, f, row)
    elif opcode == CHECKS:
        german = row[REGION_ID] == REGION_EAST_GERMANY
        start_checks(
            s,
            int(f[SIDE]),
            source,
            PRINTED_OPS[source],
            row[COUNT],
            row[REGION_ID],
            int(f[COUNTRY_NAMED]),
            row[PER],
            german,
        )
    elif opcode == OPERATION:
        start_operation(s, int(f[SIDE]), source, PRINTED_OPS[source], row[REGION_ID], 0)
    elif opcode == VP:
        score_vp(s, row[COUNT])
    elif opcode == STAY:
        put(s, source, IN_PLAY)
    elif opcode == UNLESS:
        if holds(s, row[EXTRA]):
            _end(s, f)
    elif opcode == BRANCH:
        if not holds(s, row[EXTRA]):
            f[PC] += row[COUNT] - 1
    else:
        odd_cards.roll_dice(s, f, row)


@jit
def _change_region(s, f, row):
    """ADD, CLEAR and FILL: what a whole region gets or loses at once."""
    side = int(f[SIDE])
    for space in range(S):
        if space == s.destroyed or not in_region(row[REGION_ID], f[COUNTRY_NAMED], space):
            continue
        if row[OPCODE] == ADD:
            if fits(s, side, row[WHERE], space):
                change_support(s, side, space, row[COUNT])
        elif row[OPCODE] == CLEAR:
            take_support(s, row[EXTRA], space, row[COUNT])
        else:
            change_support(s, side, space, missing_for_control(s, side, space))


@jit
def holds(s, condition):
    """A condition on the game."""
    if condition == TYRANT_GONE:
        return s.tyrant_done != 0
    if condition == COMMUNIST_LEADS:
        return s.vp < 0
    if condition == EARLY_YEAR:
        return s.turn <= 3
    if condition == MIDDLE_YEAR:
        return s.turn <= 7
    if condition == WALL_IS_GONE:
        return in_play(s, 86)
    if condition == WALL_STANDS:
        return not in_play(s, 86)
    if condition == CZECH_WRITERS_NOT_FREE:
        return not controls(s, DEMOCRAT, _CZECH_WRITERS)
    if condition == ARMY_REVOLTED:
        return in_play(s, 108)
    return not s.crowd_done  # CROWD_WAITS


# --- picks of spaces -------------------------------------------------------------------------------


@jit
def fits(s, side, where, space):
    """A condition on a space, ``side`` being the executor."""
    if where == NOT_OPPONENTS:
        return not controls(s, 1 - side, space)
    if where == UNCONTROLLED:
        return not controls(s, 0, space) and not controls(s, 1, space)
    if where == WITHOUT_OPPONENT:
        return s.support[1 - side, space] == 0
    if where == NOT_OWN:
        return not controls(s, side, space)
    return True


@jit
def _capacity(s, f, row, space):
    """How many more picks a space can take; 0 when it is not legal."""
    if space == s.destroyed or not in_region(row[REGION_ID], f[COUNTRY_NAMED], space):
        return 0
    side, opcode = int(f[SIDE]), row[OPCODE]
    if not fits(s, side, row[WHERE], space):
        return 0
    room = _NO_LIMIT if row[CAP] == 0 else row[CAP] - s.picked[space]
    if opcode == PICK_REMOVE or opcode == PICK_REPLACE or opcode == PICK_LOSE:
        room = min(room, int(s.support[1 - side, space]))
    return room


@jit
def _step_pick(s, f, row):
    """Ask for the next space; picks whose joint result is fixed are carried out without asking."""
    if f[STEP] == 0:
        f[STEP] = 1
        f[LEFT] = f[VALUE] if row[COUNT] < 0 else row[COUNT]
        s.picked[:] = 0
    total = 0
    if f[LEFT] > 0:
        side = int(f[SIDE])
        ask(s, _pick_decision(row[OPCODE]), 1 - side if row[OPCODE] == PICK_LOSE else side)
        for space in range(S):
            room = _capacity(s, f, row, space)
            if room > 0:
                allow(s, SPACE0 + space)
                total += room
        if s.legal_count > 0 and total > f[LEFT]:
            return
        withdraw(s)
    if total > 0:
        _pick_all(s, f, row)
    f[STEP], f[LEFT] = 0, 0
    f[PC] += 1


@jit
def _pick_decision(opcode):
    if opcode == PICK_PLACE:
        return PLACE
    if opcode == PICK_REPLACE:
        return REPLACE
    if opcode == PICK_TAKE_CONTROL:
        return TAKE_CONTROL
    return REMOVE


@jit
def _pick_all(s, f, row):
    """Every legal space takes all it can (no more than what is left in all)."""
    for space in range(S):
        for _ in range(_capacity(s, f, row, space)):
            _pick(s, f, row, space)


@jit
def _pick(s, f, row, space):
    """Carry out one pick."""
    side, opcode = int(f[SIDE]), row[OPCODE]
    f[LEFT] -= 1
    f[COUNTRY_NAMED] = COUNTRY_OF[space]
    s.picked[space] += 1
    if opcode == PICK_PLACE:
        change_support(s, side, space, row[PER])
    elif opcode == PICK_TAKE_CONTROL:
        change_support(s, side, space, missing_for_control(s, side, space))
    else:
        gone = take_support(s, 1 - side, space, row[PER])
        if opcode == PICK_REPLACE:
            change_support(s, side, space, gone)


# --- countries and two-way choices -----------------------------------------------------------------


@jit
def _ask_country(s, f, row):
    """Name a country; with none to name the event has no effect. COUNT 1: it may be declined."""
    side = int(f[SIDE])
    ask(s, COUNTRY, side)
    for country in range(N):
        if row[EXTRA] == OPPONENT_HOLDS:
            legal = s.power[country] == 1 - side
        elif row[EXTRA] == EXECUTOR_HOLDS:
            legal = s.power[country] == side
        else:
            legal = country != ROMANIA
        if legal:
            allow(s, COUNTRY0 + country)
    if s.legal_count == 0:
        withdraw(s)
        _end(s, f)
    elif row[COUNT] == 1:
        allow(s, PASS)


@jit
def _name_country(f, action):
    if action == PASS:
        f[PC] = NOTHING_MORE
    else:
        f[COUNTRY_NAMED] = action - COUNTRY0
        f[PC] += 1


@jit
def _ask_nomenklatura(s, f):
    """Nomenklatura (16): the second half only if it would remove something."""
    ask(s, NOMENKLATURA, f[SIDE])
    allow(s, actions.ADD)
    for space in range(S):
        if TYPE_OF[space] == ELITE and s.support[DEMOCRAT, space] > 0:
            allow(s, actions.REMOVE)
            break

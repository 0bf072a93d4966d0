"""The interpreter of event programs: one instruction a step (``dawn_env.cards.effects``)."""

from dawn_env import actions
from dawn_env.actions import COUNTRY0, PASS, SPACE0
from dawn_env.cards.effects import (
    ADD,
    ADVANCE_TRACK,
    AT_ROUND_END,
    BRANCH,
    CANCEL_CARD,
    CHECKS,
    CHOOSE_NOMENKLATURA,
    CHOOSE_OPERATION,
    CLEAR,
    CONTEST,
    COUNT,
    END,
    EXECUTOR_HOLDS,
    EXTRA,
    FILL,
    FIRST_ODD,
    FIRST_OF_HANDS,
    FIRST_SPACE_CHOICE,
    KEEP_COUNTRY,
    LOWER_OPS,
    NAME_COUNTRY,
    OPCODE,
    OPERATION,
    OPPONENT_HOLDS,
    PER,
    PICK_TAKE_CONTROL,
    PROTECT,
    REGION_ID,
    ROLL_ABOVE,
    STAY,
    UNLESS,
    USSR,
    VP,
)
from dawn_env.cards.events import BOUND_OPS, PROGRAM
from dawn_env.cards.lasting import REGION as BOUND_TO
from dawn_env.rules.board import score_vp
from dawn_env.rules.cards import dispose, in_play, leave_play, put
from dawn_env.rules.checks import start_checks
from dawn_env.rules.conditions import holds
from dawn_env.rules.hands import answer_hands, step_hands
from dawn_env.rules.odd_cards import answer_odd, step_odd
from dawn_env.rules.operations import start_operation
from dawn_env.rules.picks import answer_space_choice, change_region, pick, step_pick, step_space_choice
from dawn_env.rules.programs import DISPOSES, NOTHING_MORE
from dawn_env.rules.regions import in_region
from dawn_env.rules.rolls import step_roll
from dawn_env.rules.stack import allow, ask, pop, withdraw
from dawn_env.rules.tiananmen import advance_track
from dawn_env.state import COUNTRY, COUNTRY_NAMED, FLAGS, IN_PLAY, NOMENKLATURA, OPS, PC, SIDE, SOURCE
from dawn_env.support.compiling import jit
from dawn_env.tables import PRINTED_OPS, ROMANIA, TIANANMEN_BOXES, N, S


@jit
def step_event(s, f):
    """Carry out the instruction the program has reached."""
    row = PROGRAM[f[PC]]
    opcode = row[OPCODE]
    if opcode == END:
        _end(s, f)
    elif opcode <= PICK_TAKE_CONTROL:
        step_pick(s, f, row)
    elif opcode >= FIRST_ODD:
        step_odd(s, f, row)
    elif opcode >= FIRST_OF_HANDS:
        step_hands(s, f, row)
    elif opcode >= FIRST_SPACE_CHOICE:
        step_space_choice(s, f, row)
    elif opcode == NAME_COUNTRY:
        _ask_country(s, f, row)
    elif opcode == CHOOSE_NOMENKLATURA:
        _ask_nomenklatura(s, f, row)
    elif opcode == CHOOSE_OPERATION:
        ask(s, OPS, f[SIDE])
        allow(s, actions.PLACE)
        allow(s, actions.CHECK)
    elif ROLL_ABOVE <= opcode <= CONTEST:
        step_roll(s, f, row)
    else:
        f[PC] += 1
        _step_plain(s, f, row)


@jit
def answer_event(s, f, decision, action):
    """What a choice inside an event does."""
    row = PROGRAM[f[PC]]
    opcode = row[OPCODE]
    if opcode <= PICK_TAKE_CONTROL:
        pick(s, f, row, action - SPACE0)
    elif opcode >= FIRST_ODD:
        answer_odd(s, f, decision, action)
    elif opcode >= FIRST_OF_HANDS:
        answer_hands(s, f, decision, action)
    elif opcode >= FIRST_SPACE_CHOICE:
        answer_space_choice(s, f, row, decision, action)
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
    """What changes the board, or decides which way the program goes; the program has already gone on."""
    opcode, side, source = row[OPCODE], int(f[SIDE]), int(f[SOURCE])
    if opcode == ADD or opcode == CLEAR or opcode == FILL:
        change_region(s, f, row)
    elif opcode == CHECKS:
        _start_checks(s, f, row, side, source)
    elif opcode == OPERATION:
        start_operation(s, side, source, PRINTED_OPS[source], row[REGION_ID], 0)
    elif opcode == VP:
        score_vp(s, row[COUNT])
    elif opcode == STAY:
        put(s, source, IN_PLAY)
    elif opcode == UNLESS:
        if holds(s, row[EXTRA], side):
            _end(s, f)
    elif opcode == BRANCH:
        if not holds(s, row[EXTRA], side):
            f[PC] += row[COUNT] - 1
    else:
        _set_marker(s, f, row, side)


@jit
def _start_checks(s, f, row, side, source):
    bound = row[REGION_ID] == BOUND_OPS[BOUND_TO]
    region, country = row[REGION_ID], int(f[COUNTRY_NAMED])
    start_checks(s, side, source, PRINTED_OPS[source], row[COUNT], region, country, row[PER], bound)


@jit
def _set_marker(s, f, row, side):
    """What is noted beside the board."""
    opcode, count = row[OPCODE], row[COUNT]
    if opcode == USSR:
        s.ussr = count
    elif opcode == LOWER_OPS:
        s.prudence[1 - side] -= count
    elif opcode == KEEP_COUNTRY:
        s.debt_burden = f[COUNTRY_NAMED]
    elif opcode == PROTECT:
        s.stand_fast = side
    elif opcode == AT_ROUND_END:
        s.ceausescu_due = 1
    elif opcode == CANCEL_CARD:
        if in_play(s, count):
            leave_play(s, count)
    elif opcode == ADVANCE_TRACK:
        if s.track[side] < TIANANMEN_BOXES:  # ruling tank-column-on-the-last-box
            advance_track(s, side)


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
def _ask_nomenklatura(s, f, row):
    """Nomenklatura (16): the second way only if it would remove something."""
    ask(s, NOMENKLATURA, f[SIDE])
    allow(s, actions.ADD)
    second = PROGRAM[f[PC] + row[COUNT]]
    for space in range(S):
        if in_region(second[REGION_ID], -1, space) and s.support[second[EXTRA], space] > 0:
            allow(s, actions.REMOVE)
            break

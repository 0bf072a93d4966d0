"""The interpreter of event programs: one instruction a step (``dawn_env.cards.event_verbs``)."""

from dawn_env.actions import COUNTRY0, SPACE0, Word
from dawn_env.cards.event_tables import BOUND_OPS, PROGRAM
from dawn_env.cards.event_verbs import FIRST_CUSTOM, USSR_STABILITY, CountryTest, Opcode
from dawn_env.rules.board import in_region, score_vp
from dawn_env.rules.cards import dispose, holds, in_play, leave_play, move_card
from dawn_env.rules.chance import roll
from dawn_env.rules.events.custom_cards import answer_custom, step_custom
from dawn_env.rules.events.hand_verbs import answer_event_from_discard, ask_event_from_discard, discard_random
from dawn_env.rules.events.space_verbs import change_region, controlled_in_region, pick, step_pick
from dawn_env.rules.frames import DISPOSES, NOTHING_MORE, allow, ask, fail, pop, withdraw
from dawn_env.rules.operations.operations import start_operation
from dawn_env.rules.operations.support_checks import start_checks
from dawn_env.state import Decision, Zone
from dawn_env.support.compiling import jit
from dawn_env.tables import PRINTED_OPS, ROMANIA, N, S


@jit
def roll_modifier(s, f, row):
    """Modifier of the roll of an instruction."""
    return int(s.ussr) if row.extra == USSR_STABILITY else -controlled_in_region(s, f, row, row.extra)


@jit
def step_event(s, f):
    """Carry out the instruction the program has reached."""
    if f.pc < 0 or f.pc >= len(PROGRAM):
        fail(s)
        return
    row = PROGRAM[f.pc]
    opcode = row.opcode
    if opcode == Opcode.END:
        _end(s, f)
    elif opcode <= Opcode.PICK_TAKE_CONTROL:
        step_pick(s, f, row)
    elif opcode >= FIRST_CUSTOM:
        step_custom(s, f, row)
    elif opcode == Opcode.NAME_COUNTRY:
        _ask_country(s, f, row)
    elif opcode == Opcode.CHOOSE:
        _ask_way(s, f, row)
    elif opcode == Opcode.PLAY_FROM_DISCARD:
        ask_event_from_discard(s, f, row)
    else:
        f.pc += 1
        _step_plain(s, f, row)


@jit
def answer_event(s, f, decision, action):
    """Apply a choice inside an event."""
    if f.pc < 0 or f.pc >= len(PROGRAM):
        fail(s)
        return
    row = PROGRAM[f.pc]
    opcode = row.opcode
    if opcode <= Opcode.PICK_TAKE_CONTROL:
        pick(s, f, row, action - SPACE0)
    elif opcode >= FIRST_CUSTOM:
        answer_custom(s, f, row, decision, action)
    elif opcode == Opcode.NAME_COUNTRY:
        if action == Word.PASS:
            f.pc = NOTHING_MORE
        else:
            f.country = action - COUNTRY0
            f.pc += 1
    elif opcode == Opcode.CHOOSE:
        f.pc += 1 if action == _words(row.extra)[0] else row.count  # the first way follows here, then the second
    elif opcode == Opcode.PLAY_FROM_DISCARD:
        answer_event_from_discard(s, f, action)
    else:
        fail(s)


@jit
def _end(s, f):
    source, marks = int(f.source), f.marks
    pop(s)
    if marks & DISPOSES:
        dispose(s, source, True)


# --- instructions that ask nothing -----------------------------------------------------------------


@jit
def _step_plain(s, f, row):
    """Execute an instruction that changes the board or branches; the program counter has already advanced."""
    opcode, side, source = row.opcode, int(f.side), int(f.source)
    if opcode == Opcode.ADD or opcode == Opcode.CLEAR or opcode == Opcode.FILL:
        change_region(s, f, row)
    elif opcode == Opcode.CHECKS:
        bound = row.region == BOUND_OPS.region
        start_checks(s, side, source, PRINTED_OPS[source], row.count, row.region, int(f.country), row.per, bound)
    elif opcode == Opcode.OPERATION:
        start_operation(s, side, source, PRINTED_OPS[source], row.region, 0)
    elif opcode == Opcode.VP:
        score_vp(s, row.count)
    elif opcode == Opcode.STAY:
        move_card(s, source, Zone.IN_PLAY)
    elif opcode == Opcode.UNLESS:
        if holds(s, row.extra, side):
            _end(s, f)
    elif opcode == Opcode.BRANCH:
        if not holds(s, row.extra, side):
            f.pc += row.count - 1
    elif opcode == Opcode.ROLL:
        if roll(s) + roll_modifier(s, f, row) < row.count:
            f.pc = NOTHING_MORE
    elif opcode == Opcode.USSR:
        s.ussr = row.count
    elif opcode == Opcode.CANCEL_CARD:
        if in_play(s, row.count):
            leave_play(s, row.count)
    elif opcode == Opcode.RANDOM_DISCARD:
        discard_random(s, row.extra, row.count != 0)
    else:
        fail(s)


# --- countries and two-way choices -----------------------------------------------------------------


@jit
def _ask_country(s, f, row):
    """Name a country; with none to name the event has no effect. COUNT 1: it may be declined."""
    side = int(f.side)
    ask(s, Decision.COUNTRY, side)
    for country in range(N):
        if row.extra == CountryTest.OPPONENT_HOLDS:
            legal = s.power[country] == 1 - side
        elif row.extra == CountryTest.EXECUTOR_HOLDS:
            legal = s.power[country] == side
        elif row.extra == CountryTest.NOT_ROMANIA:
            legal = country != ROMANIA
        else:
            fail(s)
            legal = False
        if legal:
            allow(s, COUNTRY0 + country)
    if s.legal_count == 0:
        withdraw(s)
        _end(s, f)
    elif row.count == 1:
        allow(s, Word.PASS)


@jit
def _words(decision):
    """Words of the two ways of CHOOSE."""
    if decision == Decision.NOMENKLATURA:
        return Word.ADD, Word.REMOVE
    return Word.PLACE, Word.CHECK


@jit
def _ask_way(s, f, row):
    """Offer both ways, but not a second one that begins by removing points where there are none."""
    ask(s, row.extra, f.side)
    first_word, second_word = _words(row.extra)
    allow(s, first_word)
    second = PROGRAM[f.pc + row.count]
    if second.opcode != Opcode.CLEAR or _clears_some(s, second):
        allow(s, second_word)


@jit
def _clears_some(s, row):
    for space in range(S):
        if in_region(row.region, -1, space) and s.support[row.extra, space] > 0:
            return True
    return False

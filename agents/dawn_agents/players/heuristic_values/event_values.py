"""Value of the event of a card: its program run on the board as far as it goes, and a table for the rest."""

import numpy as np

from dawn_agents.players.heuristic_values.board_value import (
    apply_change,
    board_value,
    known_gain,
    open_country,
    undo_changes,
)
from dawn_agents.players.heuristic_values.country_value import rounds_left
from dawn_agents.players.heuristic_values.operation_values import checks_gain, operation_gain
from dawn_agents.players.heuristic_values.position_record import COUNTRIES_IN, SPACES_IN
from dawn_env.cards.event_tables import PROGRAM, PROGRAM_START, REGIONS
from dawn_env.cards.event_verbs import Opcode
from dawn_env.rules.board import missing_for_control
from dawn_env.rules.cards import holds
from dawn_env.rules.events.custom_cards import party_vp
from dawn_env.rules.events.space_verbs import meets_space_test
from dawn_env.rules.frames import fail
from dawn_env.rules.operations.ops_values import card_value
from dawn_env.support.compiling import jit
from dawn_env.tables import CARD_TITLES, COUNTRY_OF, DEMOCRAT, FIRST_SPACE, SOURCES, N

_ONCE = {
    "Solidarity Legalized": 1.0,
    "General Strike": 2.5,
    "Brought in for Questioning": 1.5,
    "Stasi": 1.2,
    "Honecker": 3.0,
    "Roundtable Talks": 1.5,
    "Deutsche Marks": 3.0,
    "St. Nicholas Church": 1.0,
    "Helsinki Final Act": 1.5,
    "Tear Gas": 0.3,
    "Sajudis": 1.0,
    "Dash for the West": 1.0,
    "Eco-Glasnost": 0.7,
    "Goodbye Lenin!": 2.5,
    "We are the People!": 1.5,
    "Li Peng": 0.6,
    "The Crowd Turns Against Ceausescu": 2.0,
    "Yakovlev Counsels Gorbachev": 1.0,
    "Presidential Visit": 1.2,
    "Reformer Rehabilitated": 2.0,
    "Systematization": 1.0,
    "Securitate": 1.0,
    "Kiss of Death": 2.0,
    "Peasant Parties Revolt": 1.0,
    "Laszlo Tokes": 0.5,
    "Exit Visas": 0.5,
    "Samizdat": 0.3,
    "Workers Revolt": 2.5,
    "The Baltic Way": 1.0,
    "Tank Column/Tank Man": 1.2,
    "The Wall Must Go!": -1.0,
    "Domino Theory": 3.0,
    "The Tyrant is Gone": 1.5,
    "Ligachev": 2.0,
    "Stand Fast": 0.7,
    "Elena": 0.2,
    "National Salvation Front": 1.5,
    "Army Backs Revolution": 0.5,
    "Kremlin Coup!": 2.5,
}
_A_ROUND = {
    "Prudence": 0.45,
    "The Wall": 0.1,
    "Perestroika": 0.5,
    "The Sinatra Doctrine": 0.5,
    "Austria-Hungary Border Reopened": 0.25,
    "Grenztruppen": 0.15,
    "Genscher": 0.1,
    "FRG Embassies": 0.35,
}


def _by_source(worth: dict[str, float]) -> np.ndarray:
    array = np.zeros(SOURCES)
    array[[CARD_TITLES.index(title) for title in worth]] = list(worth.values())
    array.setflags(write=False)
    return array


WORTH = _by_source(_ONCE)
"""[SOURCES] worth of what an event does beside its program's points."""
WORTH_A_ROUND = _by_source(_A_ROUND)
"""[SOURCES] the same, per action round that is left of the turn."""


_ROLL_SUCCEEDS = 0.5
_MOST_PICKS, _PICKS_ROLLED = 5, 3
_WORST = -99.0


# --- picks -----------------------------------------------------------------------------------------


@jit
def pick_changes(p, side, opcode, per, space):
    """(own points, opposing points) added by one pick in a space."""
    if opcode == Opcode.PICK_PLACE:
        return per, 0
    if opcode == Opcode.PICK_TAKE_CONTROL:
        return missing_for_control(p, side, space), 0
    gone = min(per, int(p.support[1 - side, space]))
    if opcode == Opcode.PICK_REPLACE:
        return gone, -gone
    if opcode != Opcode.PICK_REMOVE:
        fail(p)
    return 0, -gone


@jit
def _opponent_picks(row):
    return row.opcode == Opcode.PICK_REMOVE and row.extra != 0


@jit
def _may_pick(p, side, row, space):
    """Return True if a space of the region may be picked once more."""
    if space == p.destroyed or not meets_space_test(p, side, row.where, space):
        return False
    return row.cap == 0 or p.picked[space] < row.cap


@jit
def _best_in(p, side, row, country):
    """The best pick in a country, -1 if there is none, and its worth (the opponent picks what costs them least)."""
    open_country(p, country)
    best, best_space = _WORST, -1
    for space in range(FIRST_SPACE[country], FIRST_SPACE[country + 1]):
        if not (REGIONS[row.region, space] and _may_pick(p, side, row, space)):
            continue
        mine, theirs = pick_changes(p, side, row.opcode, row.per, space)
        if mine == 0 and theirs == 0:
            continue
        worth = known_gain(p, side, space, mine, theirs)
        if _opponent_picks(row):
            worth = -worth
        if worth > best:
            best, best_space = worth, space
    return best_space, best


@jit
def _picks(p, side, row):
    """Make one pick after the other; the executor's gain. After each, only its country is judged again."""
    p.picked[:], p.merit[:], p.pick[:] = 0, _WORST, -1
    total, changed = 0.0, COUNTRIES_IN[row.region]
    for _ in range(_PICKS_ROLLED if row.count < 0 else min(row.count, _MOST_PICKS)):
        best = 0
        for country in range(N):
            if changed >> country & 1:
                p.pick[country], p.merit[country] = _best_in(p, side, row, country)
            if p.merit[country] > p.merit[best]:
                best = country
        space, worth = p.pick[best], p.merit[best]
        if space < 0:
            break
        mine, theirs = pick_changes(p, side, row.opcode, row.per, space)
        apply_change(p, side, space, mine, theirs)
        p.picked[space] += 1
        total += -worth if _opponent_picks(row) else worth
        changed = 1 << COUNTRY_OF[space]
    return total


# --- programs --------------------------------------------------------------------------------------


@jit
def _change_region(p, side, row):
    """ADD, CLEAR and FILL; the executor's gain."""
    before = board_value(p)
    for space in SPACES_IN[row.region]:
        if space < 0:
            break
        if row.opcode == Opcode.CLEAR:
            apply_change(p, row.extra, space, -row.count, 0)
        elif row.opcode == Opcode.FILL:
            apply_change(p, side, space, missing_for_control(p, side, space), 0)
        elif row.opcode == Opcode.ADD:
            if meets_space_test(p, side, row.where, space):
                apply_change(p, side, space, row.count, 0)
        else:
            fail(p)
    worth = board_value(p) - before
    return worth if side == DEMOCRAT else -worth


@jit
def _instruction_gain(p, side, source, row):
    """Gain of an instruction, which changes the board; 0 for those without points."""
    opcode = row.opcode
    if opcode <= Opcode.PICK_TAKE_CONTROL:
        return _picks(p, side, row)
    if opcode == Opcode.ADD or opcode == Opcode.CLEAR or opcode == Opcode.FILL:
        return _change_region(p, side, row)
    if opcode == Opcode.VP:
        return float(row.count if side == DEMOCRAT else -row.count)
    if opcode == Opcode.CHECKS:
        return checks_gain(p, side, card_value(p, side, source) + row.per, row.count, row.region)
    if opcode == Opcode.OPERATION:
        place, check = operation_gain(p, side, card_value(p, side, source), row.region)
        return max(place, check)
    return 0.0


@jit
def _run(p, side, source, pc):
    """Gain of a program from an instruction on; it changes the board."""
    total, certainty = 0.0, 1.0
    while PROGRAM[pc].opcode != Opcode.END:
        row = PROGRAM[pc]
        if row.opcode == Opcode.UNLESS and holds(p, row.extra, side):
            break
        total += certainty * _instruction_gain(p, side, source, row)
        if row.opcode == Opcode.ROLL:
            certainty = _ROLL_SUCCEEDS
        pc += 1
    return total


@jit
def _way_gain(p, side, source, pc):
    """Gain of an event from an instruction on; the board is as before afterwards."""
    worth = _run(p, side, source, pc)
    undo_changes(p)
    return worth


@jit
def two_ways_gain(p, side, source):
    """Gains of both ways of an event that begins with a choice between two."""
    pc = PROGRAM_START[source]
    return _way_gain(p, side, source, pc + 1), _way_gain(p, side, source, pc + PROGRAM[pc].count)


# --- events ----------------------------------------------------------------------------------------


@jit
def party_lead(p):
    """Victory points by which the Communist is ahead when they declare New Year's Eve Party."""
    return -(int(p.vp) + party_vp(p))


@jit
def event_gain(p, side, card):
    """Worth of an event for the side that carries it out."""
    pc = PROGRAM_START[card]
    while PROGRAM[pc].opcode == Opcode.BRANCH:
        pc += 1 if holds(p, PROGRAM[pc].extra, side) else PROGRAM[pc].count
    opcode = PROGRAM[pc].opcode
    if opcode == Opcode.DECLARE_PARTY:  # worth the game when it ends with the lead
        return 8.0 if party_lead(p) > 4 else 0.0
    if opcode == Opcode.CHOOSE:
        first, second = two_ways_gain(p, side, card)
        return max(first, second)
    return WORTH[card] + WORTH_A_ROUND[card] * (rounds_left(p) - 1) + _way_gain(p, side, card, pc)

"""The 110 events, card by card, as programs over the verbs of ``dawn_env.cards.effects``.

``EVENTS[card]`` is a list of verbs; a scoring card and Common European Home (21) have none. Awards
3, 4 and 6 of the Tiananmen Square track and the operation of The Crowd (54) follow behind the cards.
"""

import numpy as np

from dawn_env.cards.effects import (
    ADVANCE_TRACK,
    ALL_OF_THEM,
    ANYWHERE,
    ARMY_REVOLTED,
    AT_ROUND_END,
    BALKANS,
    BAN_COUNTRY,
    BRANCH,
    BUREAUCRATS,
    CANCEL_CARD,
    CHOOSE_NOMENKLATURA,
    CHOOSE_OPERATION,
    CHOOSE_RED,
    COMMUNIST_LEADS,
    CONTEST,
    COUP,
    CROWD_WAITS,
    CZECH_WRITERS_NOT_FREE,
    DASH,
    DECLARE_PARTY,
    DESTROY_SPACE,
    DISCARD_ANY,
    DISCARD_GIVEN,
    DOMINO,
    DRAW_THREE,
    EARLY_YEAR,
    EASTERN_EUROPE,
    ELITES,
    EXECUTOR_HOLDS,
    FARMERS,
    FLEE,
    GIVE_HIGHEST,
    IN_BULGARIA,
    IN_CZECHOSLOVAKIA,
    IN_EAST_GERMANY,
    IN_HUNGARY,
    IN_POLAND,
    IN_ROMANIA,
    INTELLECTUALS,
    KISS,
    MAY_CANCEL,
    MIDDLE_YEAR,
    MINORITIES,
    MOVE_OUT,
    NAME_COUNTRY,
    NOT_OPPONENTS,
    NOT_ROMANIA,
    OPPONENT_HOLDS,
    PLAY_FROM_DISCARD,
    PROTECT,
    QUESTION,
    REFORMER,
    REVOLT_IN,
    ROLL_ABOVE,
    ROLL_AT_LEAST,
    ROLL_NEPOTISM,
    ROLL_USSR,
    SET_CARD_ASIDE,
    SHOW_RED,
    STAY,
    STUDENTS,
    SUFFER_PRUDENCE,
    TAKE_FROM_DISCARD,
    THAT_COUNTRY,
    TYRANT_GONE,
    UNCONTROLLED,
    USSR,
    WALL_IS_GONE,
    WALL_STANDS,
    WITHOUT_OPPONENT,
    WORKERS,
    Translator,
    Verb,
    add,
    check,
    clear,
    either,
    fill,
    named,
    odd,
    operation,
    opponent_removes,
    place,
    place_in_one,
    place_rolled,
    remove,
    remove_from_one,
    replace_in_one,
    take_control,
    unless,
    vp,
)
from dawn_env.tables import (
    AWARD_3,
    AWARD_4,
    AWARD_6,
    COMMUNIST,
    CROWD_OPERATION,
    DEMOCRAT,
    SOURCES,
)

_STAY = odd(STAY)  # the card stays in play: its zone is the flag of its lasting effect
_IN_SOLIDARITY = named("Szczecin", "Gdansk", "Poznan", "Wroclaw", "Lodz", "Katowice", "Krakow", "Bialystok", "Lublin")
_CULT = named("Timisoara", "Iasi", "Brasov", "Ploiesti", "Galati", "Constanta", "Targu Mures", "Craiova")
_CATHOLIC = named("Polish Catholic Church", "Czech Catholic Church", "Hungarian Catholic Church")
_ORTHODOX = named("Romanian Orthodox Church", "Bulgarian Orthodox Church")

EVENTS: dict[int, list[Verb]] = {
    # --- Early Year ------------------------------------------------------------------------------
    1: [replace_in_one(1, IN_POLAND), check(1, IN_POLAND)],
    2: [add(1, _IN_SOLIDARITY, where=UNCONTROLLED), _STAY],
    3: [place(4, IN_POLAND), check(2, IN_POLAND)],
    4: [add(3, named("Polish Writers"))],
    5: [_STAY],
    6: [odd(QUESTION)],
    7: [remove(4, ANYWHERE, at_most=2)],
    8: [odd(SUFFER_PRUDENCE)],
    9: [unless(WALL_IS_GONE), _STAY],
    10: [unless(TYRANT_GONE), place(4, _CULT, at_most=2)],
    11: [remove_from_one(2, INTELLECTUALS)],
    12: [place(3, BUREAUCRATS)],
    13: [_STAY],
    14: [remove(2, ANYWHERE), check(1)],
    15: [_STAY, odd(TAKE_FROM_DISCARD)],
    16: either(CHOOSE_NOMENKLATURA, [place(3, ELITES)], [clear(ELITES, DEMOCRAT)]),
    17: [_STAY],
    18: [place(4, IN_HUNGARY, at_most=1, where=NOT_OPPONENTS)],
    19: [place_in_one(3, _CATHOLIC)],
    20: [odd(GIVE_HIGHEST), odd(DISCARD_GIVEN)],
    24: [fill(named("Lutheran Church")), _STAY],
    25: [_STAY],
    26: [_STAY],
    27: [remove(1, WORKERS), check(1, WORKERS & THAT_COUNTRY)],
    28: [remove(3, WORKERS, at_most=2)],
    29: [add(6, named("Charles University"))],
    30: [_STAY],
    31: [place(4, INTELLECTUALS, at_most=2)],
    32: [place(4, FARMERS, at_most=2)],
    33: [_STAY, odd(USSR, count=1), vp(1), take_control(MINORITIES)],
    34: [add(5, named("Eotvos Lorand University"))],
    35: either(BRANCH, [vp(-3)], either(BRANCH, [vp(-1)], [vp(3)], MIDDLE_YEAR), EARLY_YEAR),
    36: [odd(ROLL_ABOVE, IN_EAST_GERMANY, COMMUNIST), vp(1), odd(PLAY_FROM_DISCARD, extra=DASH)],
    37: [clear(named("Szombathely"), COMMUNIST), place(4, IN_HUNGARY, at_most=2)],
    38: [place(3, IN_BULGARIA)],
    39: [add(4, named("Ruse")), _STAY],
    40: [place(3, IN_HUNGARY), check(1, IN_HUNGARY)],
    # --- Middle Year -----------------------------------------------------------------------------
    41: [unless(TYRANT_GONE), odd(AT_ROUND_END), remove(3, IN_ROMANIA), check(1, IN_ROMANIA)],
    44: [odd(NAME_COUNTRY, extra=OPPONENT_HOLDS), remove(2, THAT_COUNTRY), odd(MAY_CANCEL), check(1, THAT_COUNTRY)],
    45: [remove(5, EASTERN_EUROPE, at_most=2)],
    46: [odd(SHOW_RED), odd(CHOOSE_RED)],
    47: [vp(-2), clear(named("Razgrad"), DEMOCRAT)],
    48: [_STAY, odd(MOVE_OUT, IN_EAST_GERMANY - named("Lutheran Church"), count=4)],
    49: [_STAY, vp(1), odd(NAME_COUNTRY, extra=NOT_ROMANIA), odd(BAN_COUNTRY)],
    50: [_STAY],
    51: either(BRANCH, [place(4, IN_EAST_GERMANY), vp(-1)], [place(2, IN_EAST_GERMANY), vp(-1)], COMMUNIST_LEADS),
    52: [clear(named("Plzen", "Praha"), DEMOCRAT)],
    53: [_STAY],
    54: [_STAY],
    56: [remove(4, ANYWHERE - named("Dresden"), at_most=2)],
    57: [odd(NAME_COUNTRY, extra=EXECUTOR_HOLDS), place(3, THAT_COUNTRY)],
    58: [_STAY],
    59: [_STAY],
    60: [place(3, WORKERS)],
    61: [fill(named("Lutheran Church", "Leipzig")), check(5, IN_EAST_GERMANY)],
    62: [_STAY],
    63: [_STAY],
    64: [add(1, IN_CZECHOSLOVAKIA, where=NOT_OPPONENTS)],
    65: [_STAY],
    66: [place(3, IN_EAST_GERMANY, at_most=1)],
    67: [odd(PLAY_FROM_DISCARD, extra=REFORMER)],
    68: [clear(named("Praha"), COMMUNIST, most=2), add(2, named("Praha"))],
    69: [unless(TYRANT_GONE), _STAY, odd(DESTROY_SPACE, IN_ROMANIA)],
    70: [unless(ARMY_REVOLTED), _STAY],
    71: [odd(KISS)],
    72: [_STAY],
    73: [_STAY, add(1, named("Timisoara", "Harghita/Covasna")), operation(IN_ROMANIA)],
    74: [_STAY],
    75: [odd(DISCARD_ANY)],
    76: either(
        CHOOSE_OPERATION, [place(4, ANYWHERE, where=WITHOUT_OPPONENT)], [check(2, STUDENTS | INTELLECTUALS, bonus=2)]
    ),
    77: [odd(SET_CARD_ASIDE)],
    78: [odd(REVOLT_IN, WORKERS)],
    79: [vp(-2), add(3, named("German Writers"))],
    80: [odd(ROLL_NEPOTISM), place_rolled(WORKERS & BALKANS)],
    81: [_STAY, odd(USSR, count=2), vp(3), take_control(MINORITIES)],
    # --- Late Year -------------------------------------------------------------------------------
    82: [remove(2, IN_EAST_GERMANY)],
    83: [odd(ROLL_ABOVE, IN_EAST_GERMANY, DEMOCRAT), _STAY, place(4, IN_EAST_GERMANY, at_most=2)],
    84: [_STAY, odd(USSR, count=3), vp(5), take_control(MINORITIES), check(1)],
    85: [odd(ADVANCE_TRACK)],
    86: [odd(CONTEST), _STAY, vp(3), odd(CANCEL_CARD, count=9), opponent_removes(3, IN_EAST_GERMANY)],
    87: [vp(2), unless(WALL_STANDS), operation()],
    88: [odd(ROLL_AT_LEAST, WORKERS & IN_CZECHOSLOVAKIA, DEMOCRAT, 3), place(4, IN_CZECHOSLOVAKIA, at_most=2)],
    89: [odd(PLAY_FROM_DISCARD, extra=DOMINO)],
    90: [vp(1), place(4, IN_CZECHOSLOVAKIA), unless(CZECH_WRITERS_NOT_FREE), check(2, IN_CZECHOSLOVAKIA)],
    91: [remove(2, IN_EAST_GERMANY), check(2, IN_EAST_GERMANY)],
    92: [replace_in_one(ALL_OF_THEM, _ORTHODOX)],
    93: [
        odd(NAME_COUNTRY, extra=EXECUTOR_HOLDS),
        odd(ROLL_AT_LEAST, (WORKERS | FARMERS) & THAT_COUNTRY, COMMUNIST, 3),
        vp(3),
        place(3, THAT_COUNTRY),
    ],
    94: [remove(4, IN_BULGARIA, at_most=2), check(2, IN_BULGARIA)],
    96: [odd(NAME_COUNTRY, extra=EXECUTOR_HOLDS, count=1), vp(3), check(5, THAT_COUNTRY, bonus=3)],
    97: [_STAY, unless(CROWD_WAITS), clear(named("Cluj-Napoca"), COMMUNIST, most=4), odd(FLEE, IN_ROMANIA)],
    98: [remove(3, IN_BULGARIA, at_most=2), check(1, IN_BULGARIA)],
    99: [_STAY],
    100: [_STAY, odd(PROTECT)],
    101: [unless(TYRANT_GONE), add(2, named("Cluj-Napoca")), _STAY],
    102: [_STAY],
    103: [remove_from_one(ALL_OF_THEM, ELITES, where=UNCONTROLLED)],
    104: [odd(DECLARE_PARTY)],
    105: [add(2, named("Kosice", "Presov")), check(1, named("Bratislava"), bonus=2)],
    106: [odd(NAME_COUNTRY, extra=OPPONENT_HOLDS), place(2, THAT_COUNTRY), check(1, THAT_COUNTRY)],
    107: [odd(CANCEL_CARD, count=73), unless(TYRANT_GONE), check(2, IN_ROMANIA, bonus=2)],  # 73 enabled nothing else
    108: [_STAY, odd(CANCEL_CARD, count=70)],
    109: [odd(USSR, count=4), vp(-3), odd(COUP)],
    110: [odd(ROLL_USSR, count=4), vp(3), remove(5, ELITES)],
    # --- Events without a card -------------------------------------------------------------------
    AWARD_3: [odd(DRAW_THREE)],
    AWARD_4: [remove(2, ANYWHERE)],
    AWARD_6: [check(1)],
    CROWD_OPERATION: [operation(IN_ROMANIA)],
}

STAYING = frozenset(
    card for card, verbs in EVENTS.items() if any(verb.opcode in (STAY, DECLARE_PARTY) for verb in verbs)
)
"""Cards that can be in play: something may still refer to them."""

_translator = Translator()
REGION_ROMANIA = _translator.region(IN_ROMANIA)
REGION_EAST_GERMANY = _translator.region(IN_EAST_GERMANY)
REGION_THAT_BUREAUCRAT = _translator.region(BUREAUCRATS & THAT_COUNTRY)
_empty = _translator.program([])

PROGRAM_START = np.array(
    [_translator.program(EVENTS[source]) if source in EVENTS else _empty for source in range(SOURCES)]
)
"""[SOURCES] row of PROGRAM where the event of a card (or award) starts."""

PROGRAM, REGIONS, REGION_BOUND = _translator.tables()
"""PROGRAM [I, 7] int64: instructions, columns as in ``verbs``. REGIONS [R, S] bool: spaces of each region.
REGION_BOUND [R] bool: the region is further limited to the country the event has named."""

PROGRAM_END = np.array([*sorted(set(PROGRAM_START.tolist())), len(PROGRAM)])
PROGRAM_END = PROGRAM_END[np.searchsorted(PROGRAM_END, PROGRAM_START, "right")]
"""[SOURCES] row of PROGRAM behind the event of a card (or award)."""

for _table in (PROGRAM_START, PROGRAM_END, PROGRAM, REGIONS, REGION_BOUND):
    _table.setflags(write=False)

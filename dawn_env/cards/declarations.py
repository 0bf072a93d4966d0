"""The cards: what the event of each does, when it can occur, how long the card stays and what it changes meanwhile.

Everything else is derived from here: programs and tables for the rules (``dawn_env.cards.event_tables``), playability,
expiry, texts for people, ``docs/reference/cards.md``. The printed facts (side, value, asterisk, ...) are in
``data/cards.csv``; scoring cards have nothing but those. Awards 3, 4 and 6 of the Tiananmen Square track and the
operation of The Crowd (54) follow behind the cards.
"""

from dawn_env.cards.event_conditions import (
    AHEAD,
    COMMUNIST_LEADS,
    NEVER,
    Test,
    controls,
    holds_power,
    in_force,
    occurred,
    reached_box,
    succeeded,
    took_effect,
    turn_at_most,
)
from dawn_env.cards.event_verbs import (
    ALL_OF_THEM,
    EXECUTOR_HOLDS,
    NOT_ROMANIA,
    NOT_SCORING,
    OPPONENT_HOLDS,
    OWN_WITH_ASTERISK,
    SCORING,
    USSR_STABILITY,
    Event,
    Opcode,
    SpaceTest,
    Verb,
    add,
    by_choice,
    by_condition,
    cancel,
    check,
    clear,
    discard_random,
    event,
    event_from_discard,
    fill,
    name_country,
    operation,
    place,
    place_in_one,
    place_rolled,
    remove,
    remove_from_one,
    replace_in_one,
    roll_at_least,
    stays,
    take_control,
    unless,
    ussr,
    vp,
)
from dawn_env.cards.lasting_effects import (
    Duration,
    EffectKind,
    bans,
    exemption,
    modifier,
    pays,
    takes_struggle_cards,
)
from dawn_env.cards.named_regions import (
    ANYWHERE,
    BALKANS,
    BUREAUCRATS,
    EASTERN_EUROPE,
    ELITES,
    FARMERS,
    IN_BULGARIA,
    IN_CZECHOSLOVAKIA,
    IN_EAST_GERMANY,
    IN_HUNGARY,
    IN_POLAND,
    IN_ROMANIA,
    INTELLECTUALS,
    MINORITIES,
    STUDENTS,
    THAT_COUNTRY,
    WORKERS,
    named,
)
from dawn_env.state import Decision
from dawn_env.tables import AWARD_3, AWARD_4, AWARD_6, COMMUNIST, CROWD_OPERATION, DEMOCRAT, SOURCE_TITLES, SPACE_ID

# --- cards with code of their own, which the rules name -------------------------------------------

GENERAL_STRIKE, THE_WALL, STASI, GORBACHEV_CHARMS, COMMON_EUROPEAN_HOME, CROWD = 5, 9, 13, 14, 21, 54
SECURITATE, TYRANT, LIGACHEV, PARTY = 70, 97, 99, 104

_STRIKE = (
    "From the next action round on, each round of the Communist is a strike round, also in later turns: they play a "
    "scoring card, or discard another card, whose event does not occur, and roll a die. If die and ops value of that "
    "card make 6 or more, the strike is over, and the round as well."
)
_ANNOUNCEMENT = "This turn the Democrat announces their card before each Communist action round."
_HOME = (
    "Play it with a card of the opponent from your hand: you use that card for operations and its event does not "
    "occur. Played alone for operations, the opponent gains 1 VP."
)
_CROWD = (
    "In the next power struggle in Romania, 15 struggle cards are turned up: each Rally in the Square among them is "
    "worth 3 ops to the Democrat, for an operation in Romania."
)
_NO_SPACE = "The space is gone for the rest of the game; those around it become adjacent to each other."
_WAITS = (
    "If nothing has happened yet, this card waits in play until The Crowd Turns Against Ceausescu (54) takes effect."
)

# --- conditions and regions of several cards -------------------------------------------------------

WALL_IS_GONE = succeeded(86)
CROWD_TOOK_EFFECT = took_effect(CROWD, Test.CROWD_ACTED)
TYRANT_GONE = took_effect(TYRANT, Test.TYRANT_FLED)

_IN_SOLIDARITY = named("Szczecin", "Gdansk", "Poznan", "Wroclaw", "Lodz", "Katowice", "Krakow", "Bialystok", "Lublin")
_CULT = named("Timisoara", "Iasi", "Brasov", "Ploiesti", "Galati", "Constanta", "Targu Mures", "Craiova")
_CATHOLIC = named("Polish Catholic Church", "Czech Catholic Church", "Hungarian Catholic Church")
_ORTHODOX = named("Romanian Orthodox Church", "Bulgarian Orthodox Church")

# --- the cards -----------------------------------------------------------------------------------

EVENTS: dict[int, Event] = {
    # --- Early Year ------------------------------------------------------------------------------
    1: event("Legacy of Martial Law", replace_in_one(1, IN_POLAND), check(1, IN_POLAND)),
    2: event(
        "Solidarity Legalized",
        add(1, _IN_SOLIDARITY, where=SpaceTest.UNCONTROLLED),
        stays(Duration.GAME, bans(COMMUNIST, named("Gdansk"))),
    ),
    3: event("Walesa", place(4, IN_POLAND), check(2, IN_POLAND), when=in_force(2)),
    4: event("Michnik", add(3, named("Polish Writers"))),
    5: event("General Strike", stays(Duration.UNTIL_USED), text=_STRIKE),
    6: event("Brought in for Questioning", discard_random(DEMOCRAT)),
    7: event("State Run Media", remove(4, ANYWHERE, at_most=2)),
    8: event("Prudence", Verb(Opcode.LOWER_OPS, "This turn all ops values of the opponent are 1 lower.", 1)),
    # ruling wall-still-playable
    9: event(
        "The Wall",
        unless(WALL_IS_GONE),
        stays(Duration.UNTIL_USED, exemption(EffectKind.NEIGHBOURS, COMMUNIST, IN_EAST_GERMANY)),
    ),
    10: event("Cult of Personality", unless(TYRANT_GONE), place(4, _CULT, at_most=2)),
    11: event("Dissident Arrested", remove_from_one(2, INTELLECTUALS)),
    12: event("Apparatchiks", place(3, BUREAUCRATS)),
    13: event("Stasi", stays(Duration.TURN), text=_ANNOUNCEMENT),
    14: event("Gorbachev Charms the West", remove(2, ANYWHERE), check(1), when=~in_force(84)),
    15: event(
        "Honecker",
        stays(Duration.TURN, modifier(EffectKind.ROUNDS, +1, COMMUNIST)),
        Verb(Opcode.TAKE_FROM_DISCARD, "You may take a card that scores nothing from the discard pile into your hand."),
        when=~occurred(83),
    ),
    # ruling removal-removes-something
    16: event("Nomenklatura", *by_choice(Decision.NOMENKLATURA, [place(3, ELITES)], [clear(ELITES, DEMOCRAT)])),
    17: event("Roundtable Talks", stays(Duration.UNTIL_USED, takes_struggle_cards(2, DEMOCRAT))),
    18: event("Pozsgay Defends the Revolution", place(4, IN_HUNGARY, at_most=1, where=SpaceTest.NOT_OPPONENTS)),
    19: event("Papal Visit", place_in_one(3, _CATHOLIC)),
    20: event(
        "Deutsche Marks",
        Verb(
            Opcode.GIVE_HIGHEST,
            "The Democrat gives up the card of their hand with the highest ops value: a Communist event "
            "occurs, any other card is used for operations by the Communist.",
        ),
        Verb(Opcode.DISCARD_GIVEN),
    ),
    21: event("Common European Home", when=NEVER, text=_HOME),
    24: event("St. Nicholas Church", fill(named("Lutheran Church")), stays(Duration.GAME)),
    25: event("Perestroika", stays(Duration.TURN, modifier(EffectKind.OPS_VALUES, +1, COMMUNIST))),
    26: event(
        "Helsinki Final Act", stays(Duration.GAME, pays(+1, on_checks_of=COMMUNIST, at=STUDENTS | INTELLECTUALS))
    ),
    27: event("Consumerism", remove(1, WORKERS), check(1, WORKERS & THAT_COUNTRY)),
    28: event("Factory Party Cells", remove(3, WORKERS, at_most=2)),
    29: event("Jan Palach Week", add(6, named("Charles University"))),
    30: event("Tear Gas", stays(Duration.UNTIL_USED, modifier(EffectKind.CHECK_ROLLS, +1, COMMUNIST, STUDENTS))),
    31: event("Intelligentsia", place(4, INTELLECTUALS, at_most=2)),
    32: event("Peasant Parties", place(4, FARMERS, at_most=2)),
    33: event("Sajudis", stays(Duration.GAME), ussr(1), vp(1), take_control(MINORITIES)),
    34: event("FIDESZ", add(5, named("Eotvos Lorand University"))),
    35: event(
        "Heal Our Bleeding Wound",
        *by_condition(turn_at_most(3), [vp(-3)], by_condition(turn_at_most(7), [vp(-1)], [vp(3)])),
    ),
    36: event(
        "Dash for the West", roll_at_least(1, COMMUNIST, IN_EAST_GERMANY), vp(1), event_from_discard(OWN_WITH_ASTERISK)
    ),
    37: event("Nagy Reburied", clear(named("Szombathely"), COMMUNIST), place(4, IN_HUNGARY, at_most=2)),
    38: event("The July Concept", place(3, IN_BULGARIA)),
    39: event(
        "Eco-Glasnost", add(4, named("Ruse")), stays(Duration.GAME, pays(+1, on_checks_of=COMMUNIST, at=named("Ruse")))
    ),
    40: event("Hungarian Democratic Forum", place(3, IN_HUNGARY), check(1, IN_HUNGARY)),
    # --- Middle Year -----------------------------------------------------------------------------
    41: event(
        "Ceausescu",
        unless(TYRANT_GONE),
        Verb(
            Opcode.AT_ROUND_END,
            "At the end of the action round 1 point of the Communist leaves Bucuresti if the Democrat has points "
            "next to Cluj-Napoca.",
        ),
        remove(3, IN_ROMANIA),
        check(1, IN_ROMANIA),
    ),
    44: event(
        "Inflationary Currency",
        name_country(OPPONENT_HOLDS),
        remove(2, THAT_COUNTRY),
        Verb(Opcode.MAY_CANCEL, "The opponent may end the event by discarding a card worth 3 ops or more.", 3),
        check(1, THAT_COUNTRY),
    ),
    45: event("Soviet Troop Withdrawals", remove(5, EASTERN_EUROPE, at_most=2)),
    46: event(
        "Goodbye Lenin!",
        Verb(Opcode.SHOW_RED, "The Communist shows the cards with red titles in their hand."),
        Verb(Opcode.CHOOSE_RED, "Let the event of one of them occur, or use this card for operations."),
    ),
    47: event("Bulgarian Turks Expelled", vp(-2), clear(named("Razgrad"), DEMOCRAT)),
    48: event(
        "We are the People!",
        stays(Duration.GAME, bans(COMMUNIST, named("Leipzig"))),
        Verb(
            Opcode.MOVE_OUT,
            "You may move up to 4 points from Lutheran Church to East Germany except Lutheran Church, at most 2 in "
            "a space.",
            4,
            IN_EAST_GERMANY - named("Lutheran Church"),
            cap=2,
            extra=SPACE_ID["Lutheran Church"],
        ),
    ),
    49: event(
        "Foreign Currency Debt Burden",
        stays(Duration.TURN, bans(COMMUNIST, THAT_COUNTRY)),
        vp(1),
        name_country(NOT_ROMANIA),
        Verb(Opcode.KEEP_COUNTRY),
    ),
    50: event("The Sinatra Doctrine", stays(Duration.TURN, modifier(EffectKind.OPS_VALUES, +1, DEMOCRAT))),
    51: event(
        "40th Anniversary Celebration",
        *by_condition(COMMUNIST_LEADS, [place(4, IN_EAST_GERMANY), vp(-1)], [place(2, IN_EAST_GERMANY), vp(-1)]),
    ),
    52: event("Normalization", clear(named("Plzen", "Praha"), DEMOCRAT)),
    53: event(
        "Li Peng",
        stays(Duration.GAME, modifier(EffectKind.TRACK_ROLLS, +1, COMMUNIST)),
    ),
    54: event("The Crowd Turns Against Ceausescu", stays(Duration.UNTIL_USED), text=_CROWD),
    56: event("Foreign Television", remove(4, ANYWHERE - named("Dresden"), at_most=2)),
    57: event("Central Committee Reshuffle", name_country(EXECUTOR_HOLDS), place(3, THAT_COUNTRY)),
    58: event(
        "Austria-Hungary Border Reopened",
        stays(Duration.TURN, modifier(EffectKind.BOUND_OPS, +1, DEMOCRAT, IN_EAST_GERMANY)),
    ),
    59: event("Grenztruppen", stays(Duration.TURN, modifier(EffectKind.CHECK_ROLLS, -1, DEMOCRAT, IN_EAST_GERMANY))),
    60: event("Toxic Waste", place(3, WORKERS)),
    61: event(
        "The Monday Demonstrations",
        fill(named("Lutheran Church", "Leipzig")),
        check(5, IN_EAST_GERMANY),
        when=in_force(24),
    ),
    62: event(
        "Yakovlev Counsels Gorbachev",
        stays(Duration.STRUGGLE, modifier(EffectKind.AFTERMATH_ROLLS, +1, DEMOCRAT)),
    ),
    63: event(
        "Genscher",
        stays(Duration.TURN, exemption(EffectKind.DOUBLE_COST, DEMOCRAT, IN_EAST_GERMANY)),
    ),
    64: event("Legacy of 1968", add(1, IN_CZECHOSLOVAKIA, where=SpaceTest.NOT_OPPONENTS)),
    65: event(
        "Presidential Visit",
        stays(Duration.UNTIL_USED, modifier(EffectKind.HAND_SIZE, -1, COMMUNIST)),
    ),
    66: event("New Forum", place(3, IN_EAST_GERMANY, at_most=1)),
    67: event("Reformer Rehabilitated", event_from_discard(NOT_SCORING), when=AHEAD),
    68: event("Klaus and Komarek", clear(named("Praha"), COMMUNIST, most=2), add(2, named("Praha"))),
    69: event(
        "Systematization",
        unless(TYRANT_GONE),
        stays(Duration.GAME),
        Verb(
            Opcode.DESTROY_SPACE,
            "Destroy a space of Romania; Communist points in it move to Bucuresti.",
            region=IN_ROMANIA,
            extra=SPACE_ID["Bucuresti"],
        ),
        text=_NO_SPACE,
    ),
    70: event(
        "Securitate",
        unless(in_force(108)),
        stays(Duration.GAME),
        text="From now on the Communist sees the opponent's struggle cards in Romania.",
    ),
    71: event("Kiss of Death", discard_random(COMMUNIST, neutral_occurs=True)),
    72: event("Peasant Parties Revolt", stays(Duration.STRUGGLE, takes_struggle_cards(1, DEMOCRAT, holding=FARMERS))),
    # ruling tokes-only-enables: 107 cancels it
    73: event(
        "Laszlo Tokes", stays(Duration.GAME), add(1, named("Timisoara", "Harghita/Covasna")), operation(IN_ROMANIA)
    ),
    74: event("FRG Embassies", stays(Duration.TURN, modifier(EffectKind.CHECK_ROLLS, +1, DEMOCRAT, EASTERN_EUROPE))),
    75: event("Exit Visas", Verb(Opcode.DISCARD_ANY, "Discard any number of cards, then draw as many.")),
    76: event(
        "Warsaw Pact Summit",
        *by_choice(
            Decision.OPS,
            [place(4, ANYWHERE, where=SpaceTest.WITHOUT_OPPONENT)],
            [check(2, STUDENTS | INTELLECTUALS, bonus=2)],
        ),
    ),
    77: event(
        "Samizdat",
        Verb(Opcode.SET_CARD_ASIDE, "You may set a card of your hand aside until the next turn and draw another."),
    ),
    78: event(
        "Workers Revolt",
        Verb(
            Opcode.REVOLT_IN,
            "Choose a space (worker spaces) with points of the opponent where they hold Power and roll a die, -1 for "
            "each adjacent space they control: with 4 or more all their points there become yours.",
            4,
            WORKERS,
        ),
    ),
    79: event("The Third Way", vp(-2), add(3, named("German Writers"))),
    80: event(
        "Nepotism",
        Verb(
            Opcode.ROLL_POINTS, "Roll a die: 1-2 gives 4 points, 3-4 gives 3 points, 5-6 gives 1 point.", extra=443311
        ),
        place_rolled(WORKERS & BALKANS),
    ),
    81: event("The Baltic Way", stays(Duration.GAME), ussr(2), vp(3), take_control(MINORITIES), when=in_force(33)),
    # --- Late Year -------------------------------------------------------------------------------
    82: event("Spitzel", remove(2, IN_EAST_GERMANY)),
    83: event(
        "Modrow",
        roll_at_least(1, DEMOCRAT, IN_EAST_GERMANY),
        stays(Duration.GAME),
        place(4, IN_EAST_GERMANY, at_most=2),
        text="Whatever the roll:",
    ),
    84: event(
        "Breakaway Baltic Republics",
        stays(Duration.GAME),
        ussr(3),
        vp(5),
        take_control(MINORITIES),
        check(1),
        when=in_force(81),
    ),
    85: event(
        "Tank Column/Tank Man",
        Verb(Opcode.ADVANCE_TRACK, "Move your marker a box forward on the Tiananmen Square track."),
    ),
    86: event(
        "The Wall Must Go!",
        Verb(
            Opcode.CONTEST,
            "Both sides roll a die and add the spaces they control in East Germany, until one has won 2 rounds; go on "
            "only if the Democrat wins.",
            2,
            IN_EAST_GERMANY,
        ),
        stays(Duration.GAME),
        vp(3),
        cancel(9),
        remove(3, IN_EAST_GERMANY, by_opponent=True),
    ),
    87: event("Kohl Proposes Reunification", vp(2), unless(~WALL_IS_GONE), operation()),
    88: event(
        "Adamec", roll_at_least(3, DEMOCRAT, WORKERS & IN_CZECHOSLOVAKIA), place(4, IN_CZECHOSLOVAKIA, at_most=2)
    ),
    89: event("Domino Theory", event_from_discard(SCORING, declinable=True), when=holds_power(DEMOCRAT, 2)),
    90: event(
        "Civic Forum",
        vp(1),
        place(4, IN_CZECHOSLOVAKIA),
        unless(~controls(DEMOCRAT, "Czech Writers")),
        check(2, IN_CZECHOSLOVAKIA),
    ),
    91: event("My First Banana", remove(2, IN_EAST_GERMANY), check(2, IN_EAST_GERMANY)),
    92: event("Betrayal", replace_in_one(ALL_OF_THEM, _ORTHODOX)),
    93: event(
        "Shock Therapy",
        name_country(EXECUTOR_HOLDS),
        roll_at_least(3, COMMUNIST, (WORKERS | FARMERS) & THAT_COUNTRY),
        vp(3),
        place(3, THAT_COUNTRY),
    ),
    94: event("Union of Democratic Forces", remove(4, IN_BULGARIA, at_most=2), check(2, IN_BULGARIA)),
    96: event(
        "The Chinese Solution",
        name_country(EXECUTOR_HOLDS, declinable=True),
        vp(3),
        check(5, THAT_COUNTRY, bonus=3),
        when=reached_box(COMMUNIST, 7),
    ),
    97: event(
        "The Tyrant is Gone",
        stays(Duration.UNTIL_USED),
        unless(~CROWD_TOOK_EFFECT),
        clear(named("Cluj-Napoca"), COMMUNIST, most=4),
        Verb(
            Opcode.FLEE,
            "Choose the Ceausescus' hideout, a space of Romania without Democratic points; where there is none, "
            "the Democrat gains 2 VP at once. Once the Democrat controls it they gain 2 VP and the hideout is gone; a "
            "hideout that is left at Final Scoring costs them 2 VP.",
            region=IN_ROMANIA,
        ),
        text=_WAITS,
        when=occurred(54),
    ),
    98: event("Politburo Intrigue", remove(3, IN_BULGARIA, at_most=2), check(1, IN_BULGARIA)),
    99: event(
        "Ligachev",
        stays(Duration.UNTIL_USED),
        text="If the Democrat does not play Gorbachev Charms the West (14) as an event in their next action round, the "
        "Communist gains 3 VP.",
    ),
    100: event(
        "Stand Fast",
        stays(Duration.TURN),
        Verb(Opcode.PROTECT),
        text="This turn checks of the opponent in spaces you control get -1.",
    ),
    # ruling elena-outlasts-the-tyrant
    101: event(
        "Elena",
        unless(TYRANT_GONE),
        add(2, named("Cluj-Napoca")),
        stays(Duration.TURN, modifier(EffectKind.CHECK_ROLLS, -1, DEMOCRAT, IN_ROMANIA)),
    ),
    102: event("National Salvation Front", stays(Duration.UNTIL_USED, takes_struggle_cards(2, COMMUNIST, BALKANS))),
    103: event("Government Resigns", remove_from_one(ALL_OF_THEM, ELITES, where=SpaceTest.UNCONTROLLED)),
    104: event(
        "New Year's Eve Party",
        Verb(
            Opcode.DECLARE_PARTY,
            "The Communist may declare that the game ends with this turn: they gain 3 VP if they hold "
            "Power in four countries or more, else the Democrat does. In the end the Democrat may start one more "
            "power struggle.",
        ),
    ),
    105: event("Public Against Violence", add(2, named("Kosice", "Presov")), check(1, named("Bratislava"), bonus=2)),
    106: event(
        "Social Democratic Platform Adopted",
        name_country(OPPONENT_HOLDS),
        place(2, THAT_COUNTRY),
        check(1, THAT_COUNTRY),
        when=holds_power(DEMOCRAT, 1),
    ),
    107: event(
        "Massacre in Timisoara", cancel(73), unless(TYRANT_GONE), check(2, IN_ROMANIA, bonus=2), when=in_force(73)
    ),
    108: event("Army Backs Revolution", stays(Duration.GAME), cancel(70)),
    109: event(
        "Kremlin Coup!",
        ussr(4),
        vp(-3),
        Verb(
            Opcode.COUP,
            "In each country where you hold Power, add what control needs to the elite space; then you may make a "
            "support check with +1 in the bureaucrat space.",
        ),
        when=in_force(84),
    ),
    110: event("Malta Summit", roll_at_least(4, USSR_STABILITY), vp(3), remove(5, ELITES), when=~occurred(109)),
    # --- Events without a card -------------------------------------------------------------------
    AWARD_3: event("Tiananmen award 3", Verb(Opcode.DRAW_THREE, "Draw 3 cards, keep one, discard the others.", 3)),
    AWARD_4: event("Tiananmen award 4", remove(2, ANYWHERE)),
    AWARD_6: event("Tiananmen award 6", check(1)),
    CROWD_OPERATION: event("The Crowd Turns Against Ceausescu (operation)", operation(IN_ROMANIA)),
}

for _source, _event in EVENTS.items():
    if _event.title != SOURCE_TITLES[_source]:
        raise ValueError(f"event {_source} is {SOURCE_TITLES[_source]}, not {_event.title}")

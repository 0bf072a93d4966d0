"""What each card does, in English, made from the table of events; lasting effects are told in a sentence each.

The executor is spoken to: "place" means he places his own support points, "remove" that he removes the
opponent's. Verbs of ``dawn_env.cards.effects`` are told one sentence each, in the order in which they happen.
"""

import textwrap
from collections.abc import Callable, Iterator

from dawn_env.cards.effects import (
    ADD,
    ADVANCE_TRACK,
    ALL_OF_THEM,
    ANY_SPACE,
    ARMY_REVOLTED,
    AT_ROUND_END,
    BAN_COUNTRY,
    BRANCH,
    CANCEL_CARD,
    CHECKS,
    CHOOSE_NOMENKLATURA,
    CHOOSE_OPERATION,
    CHOOSE_RED,
    CLEAR,
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
    EXECUTOR_HOLDS,
    FILL,
    FLEE,
    GIVE_HIGHEST,
    KISS,
    MAY_CANCEL,
    MIDDLE_YEAR,
    MOVE_OUT,
    NAME_COUNTRY,
    NOT_OPPONENTS,
    NOT_OWN,
    NOT_ROMANIA,
    OPERATION,
    OPPONENT_HOLDS,
    PICK_LOSE,
    PICK_PLACE,
    PICK_REMOVE,
    PICK_REPLACE,
    PICK_TAKE_CONTROL,
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
    SUFFER_PRUDENCE,
    TAKE_FROM_DISCARD,
    TYRANT_GONE,
    UNCONTROLLED,
    UNLESS,
    USSR,
    VP,
    WALL_IS_GONE,
    WALL_STANDS,
    WITHOUT_OPPONENT,
    Region,
    Verb,
)
from dawn_env.cards.events import EVENTS
from dawn_env.rules.cards import PREREQUISITE
from dawn_env.tables import (
    ASTERISK,
    CARD_TITLES,
    CONTROL,
    COUNTRIES,
    DOMINATION,
    NEUTRAL,
    OWNER,
    PERIOD,
    PERIODS,
    POWER_VALUE,
    PRESENCE,
    PRINTED_OPS,
    SCORES,
    SIDE_NAMES,
    C,
)

_COMMON_EUROPEAN_HOME = 21
_ADJECTIVES = ("Democratic", "Communist")

_GAME_CONDITIONS = {
    TYRANT_GONE: "The Tyrant is Gone (97) has taken effect",
    COMMUNIST_LEADS: "the Communist leads in VP",
    EARLY_YEAR: "it is turn 1-3",
    MIDDLE_YEAR: "it is turn 4-7",
    WALL_IS_GONE: "The Wall Must Go! (86) has succeeded",
    WALL_STANDS: "The Wall Must Go! (86) has not succeeded",
    CZECH_WRITERS_NOT_FREE: "the Democrat does not control Czech Writers",
    ARMY_REVOLTED: "Army Backs Revolution (108) has occurred",
    CROWD_WAITS: "The Crowd Turns Against Ceausescu (54) has not taken effect yet",
}
_SPACE_CONDITIONS = {
    ANY_SPACE: "",
    NOT_OPPONENTS: " that the opponent does not control",
    UNCONTROLLED: " that nobody controls",
    WITHOUT_OPPONENT: " without points of the opponent",
    NOT_OWN: " that is not yours",
}
_NAMED_COUNTRIES = {
    OPPONENT_HOLDS: "where the opponent holds Power",
    EXECUTOR_HOLDS: "where you hold Power",
    NOT_ROMANIA: "other than Romania",
}
_FETCHED = {
    DASH: "Choose a Democratic card with an asterisk in the discard pile; its event occurs.",
    REFORMER: "Choose a card in the discard pile that scores nothing; its event occurs.",
    DOMINO: "You may play a scoring card from the discard pile.",
}

_CONDITIONS = {
    14: "while Breakaway Baltic Republics (84) has not occurred",
    15: "while Modrow (83) has not occurred",
    67: "while your marker is ahead on the Tiananmen Square track",
    89: "while the Democrat holds Power in two countries or more",
    96: "once the Communist has reached box 7 of the Tiananmen Square track",
    97: "once The Crowd Turns Against Ceausescu (54) has occurred",
    106: "while the Democrat holds Power somewhere",
    110: "while Kremlin Coup! (109) has not occurred",
}
"""When an event can occur, besides the prerequisites of rule 4.3."""

LASTING = {
    2: "From now on the Communist cannot check Gdansk, and Walesa (3) can occur.",
    5: "From the next action round on, each round of the Communist is a strike round, also in later turns: they play a "
    "scoring card, or discard another card, whose event does not occur, and roll a die. If die and ops value of that "
    "card make 6 or more, the strike is over, and the round as well.",
    9: "The next Communist check in East Germany suffers nothing from adjacent Democratic spaces.",
    13: "This turn the Democrat announces his card before each Communist action round.",
    15: "The Communist may take an eighth action round this turn.",
    17: "In the next power struggle two random struggle cards go from the Communist to the Democrat.",
    24: "The Monday Demonstrations (61) can occur from now on.",
    25: "This turn all ops values of the Communist are 1 higher.",
    26: "From now on each Communist check in a student or intellectual space gives the Democrat 1 VP.",
    30: "The next Communist check in a student space gets +1.",
    33: "The Baltic Way (81) can occur from now on.",
    39: "From now on each Communist check in Ruse gives the Democrat 1 VP.",
    48: "From now on the Communist cannot check Leipzig.",
    49: "The ban ends with the turn.",
    50: "This turn all ops values of the Democrat are 1 higher.",
    53: "From now on Tiananmen Square attempts of the Communist get +1.",
    54: "In the next power struggle in Romania, 15 struggle cards are turned up: each Rally in the Square among "
    "them is worth 3 ops to the Democrat, for an operation in Romania. The Tyrant is Gone (97) can occur.",
    58: "This turn operations of the Democrat that are spent in East Germany only are worth 1 more.",
    59: "This turn Democratic checks in East Germany get -1.",
    62: "If the Democrat wins the next power struggle, both rolls of its aftermath get +1.",
    63: "This turn the Democrat pays no double cost for placing in East Germany.",
    65: "At the next deal the Communist gets up to 7 cards instead of 8.",
    69: "The space is gone for the rest of the game; those around it become adjacent to each other.",
    70: "From now on the Communist sees the Democrat's struggle cards in Romania.",
    72: "In the next power struggle a random struggle card goes from the Communist to the Democrat, "
    "if the Democrat controls a farmer space of the country.",
    73: "Massacre in Timisoara (107) can occur from now on.",
    74: "This turn Democratic checks in Eastern Europe get +1.",
    81: "Breakaway Baltic Republics (84) can occur from now on.",
    83: "Whatever the roll, Honecker (15) cannot occur any more.",
    84: "Kremlin Coup! (109) can occur from now on, Gorbachev Charms the West (14) cannot any more.",
    86: "The Wall (9) has no effect any more, Kohl Proposes Reunification (87) has its full one.",
    97: "Until The Crowd Turns Against Ceausescu (54) has taken effect this card waits; then the events 10, 41, "
    "69, 101 and 107 lose theirs.",
    99: "If the Democrat does not play Gorbachev Charms the West (14) as an event in his next action round, "
    "the Communist gains 3 VP.",
    100: "This turn checks of the opponent in spaces you control get -1.",
    101: "This turn Democratic checks in Romania get -1.",
    102: "In the next power struggle in Romania or Bulgaria two random struggle cards go from the Democrat to "
    "the Communist.",
    108: "Securitate (70) has no effect any more.",
}
"""What the cards that stay in play do there."""


# --- verbs -------------------------------------------------------------------------------------------


def _where(region: Region) -> str:
    return region.text if region.text.startswith("anywhere") else f"in {region.text}"


def _points(count: int) -> str:
    if count == ALL_OF_THEM:
        return "all points"
    return "1 point" if count == 1 else f"{count} points"


def _vp(points: int) -> str:
    return f"The {SIDE_NAMES[points < 0].capitalize()} gains {abs(points)} VP."


def _controlled(side: int) -> str:
    return f"the number of {SIDE_NAMES[side].capitalize()}-controlled spaces"


def _pick(verb: Verb, word: str) -> str:
    """Placing, removing or replacing, in several spaces or all in one."""
    space = _SPACE_CONDITIONS[verb.where]
    if verb.per != 1 or verb.opcode == PICK_REPLACE:
        return f"{word} {_points(verb.per)} in one space ({verb.region.text}){space}."
    amount = "as many points as rolled" if verb.count < 0 else _points(verb.count)
    most = f", at most {verb.cap} in a space" if verb.cap else ""
    spaces = f", only in spaces{space}" if space else ""
    return f"{word} {amount} {_where(verb.region)}{most}{spaces}."


def _add(verb: Verb) -> str:
    each = " each" if len(verb.region.spaces) > 1 else ""
    spaces = f"those spaces of {verb.region.text}{_SPACE_CONDITIONS[verb.where]}" if verb.where else verb.region.text
    return f"Add {_points(verb.count)}{each} to {spaces}."


def _clear(verb: Verb) -> str:
    amount = "All" if verb.count == ALL_OF_THEM else f"Up to {verb.count}"
    return f"{amount} {_ADJECTIVES[verb.extra]} points leave {verb.region.text}."


def _checks(verb: Verb) -> str:
    checks = "a support check" if verb.count == 1 else f"up to {verb.count} support checks"
    bonus = f", with +{verb.per} on the roll" if verb.per else ""
    return f"You may make {checks} {_where(verb.region)}{bonus}."


def _name_country(verb: Verb) -> str:
    named = f"a country {_NAMED_COUNTRIES[verb.extra]}"
    return f"You may name {named}; only if you do, go on." if verb.count else f"Name {named}."


_SENTENCES: dict[int, Callable[[Verb], str]] = {
    PICK_PLACE: lambda v: _pick(v, "Place"),
    PICK_REMOVE: lambda v: _pick(v, "Remove"),
    PICK_REPLACE: lambda v: _pick(v, "Replace"),
    PICK_LOSE: lambda v: f"The opponent removes {_points(v.count)} of his own {_where(v.region)}.",
    PICK_TAKE_CONTROL: lambda v: f"Add what control needs to one space ({v.region.text}){_SPACE_CONDITIONS[v.where]}.",
    ADD: _add,
    CLEAR: _clear,
    FILL: lambda v: f"Add what control needs to {v.region.text}.",
    CHECKS: _checks,
    OPERATION: lambda v: f"Place points as an operation, or make two support checks, {_where(v.region)}.",
    VP: lambda v: _vp(v.count),
    UNLESS: lambda v: f"If {_GAME_CONDITIONS[v.extra]}, nothing further happens.",
    NAME_COUNTRY: _name_country,
    ROLL_ABOVE: lambda v: f"Roll a die; go on only if it is above {_controlled(v.extra)} in {v.region.text}.",
    ROLL_AT_LEAST: lambda v: (
        f"Roll a die and subtract {_controlled(v.extra)} ({v.region.text}); go on only with {v.count} or more."
    ),
    ROLL_USSR: lambda v: f"Roll a die and add the USSR Stability; go on only with {v.count} or more.",
    USSR: lambda v: f"The USSR Stability marker moves to {v.count}.",
    PLAY_FROM_DISCARD: lambda v: _FETCHED[v.extra],
    MOVE_OUT: lambda v: (
        f"You may move up to {v.count} points from Lutheran Church to other spaces of East Germany, "
        "at most 2 to a space."
    ),
    DESTROY_SPACE: lambda v: f"Destroy a space of {v.region.text}; Communist points in it move to Bucuresti.",
    CANCEL_CARD: lambda v: f"{CARD_TITLES[v.count]} ({v.count}) leaves play.",
}
"""Sentences of verbs that depend on their arguments."""

_FIXED_SENTENCES = {
    ROLL_NEPOTISM: "Roll a die: 1-2 gives 4 points, 3-4 gives 3, 5-6 gives 1.",
    QUESTION: "The Democrat discards a random card; if it is a Communist event, it occurs.",
    KISS: "The Communist discards a random card; if it is not a Communist one, its event occurs.",
    GIVE_HIGHEST: "The Democrat gives up the card of his hand with the highest ops value: a Communist event "
    "occurs, any other card is used for operations by the Communist.",
    TAKE_FROM_DISCARD: "You may take a card that scores nothing from the discard pile.",
    MAY_CANCEL: "The opponent may end the event by discarding a card worth 3 ops or more.",
    SHOW_RED: "The Communist shows the cards with red titles in his hand.",
    CHOOSE_RED: "Let the event of one of them occur, or use this card for operations.",
    DISCARD_ANY: "Discard any number of cards, then draw as many.",
    SET_CARD_ASIDE: "You may set a card of your hand aside until the next turn and draw another.",
    REVOLT_IN: "Choose a worker space with points of the opponent where he holds Power and roll a die, -1 for each "
    "adjacent space he controls: with 4 or more all his points there become yours.",
    ADVANCE_TRACK: "Move your marker a box forward on the Tiananmen Square track.",
    CONTEST: "Both sides roll a die and add the spaces they control in East Germany, until one has won two rounds; "
    "go on only if the Democrat wins.",
    DRAW_THREE: "Draw three cards, keep one, discard the others.",
    FLEE: "Choose the Ceausescus' hideout, a space of Romania without Democratic points; where there is none, the "
    "Democrat gains 2 VP at once. Once the Democrat controls it they gain 2 VP and the hideout is gone; a hideout "
    "that is left at Final Scoring costs them 2 VP.",
    DECLARE_PARTY: "The Communist may declare that the game ends with this turn: he gains 3 VP if he holds Power "
    "in four countries or more, else the Democrat does. In the end the Democrat may start one more power struggle.",
    COUP: "In each country where you hold Power, add what control needs to the elite space; then you may make a "
    "support check with +1 in the bureaucrat space.",
    SUFFER_PRUDENCE: "This turn all ops values of the opponent are 1 lower.",
    BAN_COUNTRY: "The Communist cannot make support checks there.",
    AT_ROUND_END: "At the end of the action round a Communist point leaves Bucuresti if the Democrat has points "
    "next to Cluj-Napoca.",
    STAY: "",  # its sentence in LASTING comes last
    PROTECT: "",  # likewise
    DISCARD_GIVEN: "",  # belongs to GIVE_HIGHEST
}
"""Sentences of verbs that always say the same."""


def _sentences(verbs: list[Verb]) -> Iterator[str]:
    """A program in order; where it has two ways to go on, one after the other."""
    for at, verb in enumerate(verbs):
        if verb.opcode in (BRANCH, CHOOSE_NOMENKLATURA, CHOOSE_OPERATION):
            first, second = verbs[at + 1 : at + verb.count - 1], verbs[at + verb.count :]  # between them lies an END
            condition = f"If {_GAME_CONDITIONS[verb.extra]}:" if verb.opcode == BRANCH else "Choose, either:"
            yield from (condition, *_sentences(first), "Or:" if verb.opcode != BRANCH else "Otherwise:")
            yield from _sentences(second)
            return
        tell = _SENTENCES.get(verb.opcode)
        yield tell(verb) if tell else _FIXED_SENTENCES[verb.opcode]


# --- cards -------------------------------------------------------------------------------------------


def effect_text(card: int) -> str:
    """What the event of a card (1-110) does."""
    if SCORES[card] >= 0:
        return _scoring_text(int(SCORES[card]))
    if card == _COMMON_EUROPEAN_HOME:
        return (
            "Play it with a card of the opponent from your hand: you use that card for operations and its event "
            "does not occur. Played alone for operations, the opponent gains 1 VP."
        )
    return " ".join(filter(None, (*_sentences(EVENTS[card]), LASTING.get(card, ""))))


def _scoring_text(country: int) -> str:
    return (
        f"Fight a power struggle in {COUNTRIES[country]}, then score it: Presence {PRESENCE[country]}, "
        f"Domination {DOMINATION[country]}, Control {CONTROL[country]}, 1 for each battleground. A Communist who "
        f"retains Power gains {POWER_VALUE[country]} VP times the number of struggles here after which they retained "
        "it, this one included. Whoever still holds the card at the end of the turn loses the game."
    )


def condition_text(card: int) -> str:
    """When the event of a card can occur; empty when always."""
    if PREREQUISITE[card]:
        return f"once {CARD_TITLES[PREREQUISITE[card]]} ({PREREQUISITE[card]}) has occurred"
    return _CONDITIONS.get(card, "")


def card_text(card: int) -> str:
    """Title, facts and effect of a card (1-110), in lines of at most 100 characters."""
    side = "either side" if OWNER[card] == NEUTRAL else SIDE_NAMES[OWNER[card]].capitalize()
    facts = [f"{PRINTED_OPS[card]} ops" if SCORES[card] < 0 else "scoring card", side, f"{PERIODS[PERIOD[card]]} year"]
    facts += ["removed once it has occurred"] if ASTERISK[card] else []
    facts += [f"can occur only {condition_text(card)}"] if condition_text(card) else []
    text = f"{card} {CARD_TITLES[card]}: {', '.join(facts)}.\n{effect_text(card)}"
    return "\n".join(
        wrapped for line in text.splitlines() for wrapped in textwrap.wrap(line, 100, break_on_hyphens=False)
    )


def all_texts() -> dict[int, str]:
    """``card_text`` of every card by number."""
    return {card: card_text(card) for card in range(1, C)}

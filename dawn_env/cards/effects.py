"""The verbs events are written in.

A verb becomes an instruction of ``INSTRUCTION_LEN`` integers (``dawn_env.cards.events``), which
``dawn_env.rules.event`` runs. "Own" and "the opponent" are seen from the executor of the event.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from dawn_env.cards.conditions import NO_CONDITION, Condition
from dawn_env.cards.lasting import Effect
from dawn_env.cards.regions import ANYWHERE, Region
from dawn_env.tables import SPACE_ID

(
    # Picks of spaces.
    END, PICK_PLACE, PICK_REMOVE, PICK_REPLACE, PICK_LOSE, PICK_TAKE_CONTROL,
    # What asks nothing, or pushes a frame that asks.
    ADD, CLEAR, FILL, CHECKS, OPERATION, VP, STAY, UNLESS, BRANCH, NAME_COUNTRY, CHOOSE_NOMENKLATURA, CHOOSE_OPERATION,
    ROLL_ABOVE, ROLL_AT_LEAST, ROLL_USSR, ROLL_POINTS, CONTEST,
    USSR, LOWER_OPS, KEEP_COUNTRY, PROTECT, AT_ROUND_END, CANCEL_CARD, ADVANCE_TRACK,
    # Choices of spaces that are no picks.
    MOVE_OUT, DESTROY_SPACE, REVOLT_IN,
    # Hands and piles of cards.
    RANDOM_DISCARD, TAKE_FROM_DISCARD, PLAY_FROM_DISCARD, MAY_CANCEL, DISCARD_ANY, SET_CARD_ASIDE, DRAW_THREE,
    # Cards with code of their own.
    GIVE_HIGHEST, DISCARD_GIVEN, SHOW_RED, CHOOSE_RED, FLEE, DECLARE_PARTY, COUP,
) = range(47)  # fmt: skip

FIRST_SPACE_CHOICE, FIRST_OF_HANDS, FIRST_ODD = MOVE_OUT, RANDOM_DISCARD, GIVE_HIGHEST

INSTRUCTION_LEN = 7
OPCODE, COUNT, REGION_ID, CAP, WHERE, PER, EXTRA = range(INSTRUCTION_LEN)
"""Columns: what; how many picks; region; most points per space (0: no limit); condition on the space;
points moved per pick; extra argument."""

ALL_OF_THEM = 999  # as PER or COUNT: everything that is there

# Conditions on a space (column WHERE).
ANY_SPACE, NOT_OPPONENTS, UNCONTROLLED, WITHOUT_OPPONENT, NOT_OWN = range(5)

# Countries a card may name (NAME_COUNTRY).
OPPONENT_HOLDS, EXECUTOR_HOLDS, NOT_ROMANIA = range(3)

# Cards that may be fetched from the discard pile (TAKE_FROM_DISCARD, PLAY_FROM_DISCARD).
OWN_WITH_ASTERISK, NOT_SCORING, SCORING = range(3)


@dataclass(frozen=True)
class Verb:
    """One instruction before translation; ``effects`` are those of a card that stays for a ``duration``."""

    opcode: int
    count: int = 0
    region: Region = ANYWHERE
    cap: int = 0
    where: int = ANY_SPACE
    per: int = 1
    extra: int = 0
    condition: Condition | None = None
    duration: int = 0
    effects: tuple[Effect, ...] = ()


@dataclass(frozen=True)
class Event:
    """The event of a card: its verbs in order, the condition under which it can occur (rules 5.2, 7.5), and in words
    what only the code of the card says."""

    title: str
    verbs: tuple[Verb, ...]
    when: Condition = NO_CONDITION
    text: str = ""


def event(title: str, *verbs: Verb, when: Condition = NO_CONDITION, text: str = "") -> Event:
    """Declare the event of a card; ``title`` is the printed one."""
    return Event(title, verbs, when, text)


# --- support points ------------------------------------------------------------------------------


def place(count, region, at_most=0, where=ANY_SPACE):
    """Place own support points one by one (free)."""
    return Verb(PICK_PLACE, count, region, at_most, where)


def place_in_one(count, region):
    """Place all of ``count`` points in one space of choice."""
    return Verb(PICK_PLACE, 1, region, per=count)


def place_rolled(region):
    """Place as many points as the last roll gave."""
    return Verb(PICK_PLACE, -1, region)


def remove(count, region, at_most=0):
    """Remove the opponent's points one by one."""
    return Verb(PICK_REMOVE, count, region, at_most)


def remove_from_one(count, region, where=ANY_SPACE):
    """Remove up to ``count`` points from one space of choice."""
    return Verb(PICK_REMOVE, 1, region, where=where, per=count)


def replace_in_one(count, region):
    """Turn up to ``count`` of the opponent's points in one space into own ones."""
    return Verb(PICK_REPLACE, 1, region, per=count)


def opponent_removes(count, region):
    """The opponent removes their own points, one by one."""
    return Verb(PICK_LOSE, count, region)


def take_control(region):
    """Bring one space, not yet controlled, to control."""
    return Verb(PICK_TAKE_CONTROL, 1, region, where=NOT_OWN)


def add(count, region, where=ANY_SPACE):
    """Add points to every space of a region."""
    return Verb(ADD, count, region, where=where)


def clear(region, side, most=ALL_OF_THEM):
    """Remove up to ``most`` points of a side from every space of a region."""
    return Verb(CLEAR, most, region, extra=side)


def fill(region):
    """Add what is missing for control in every space of a region."""
    return Verb(FILL, region=region)


def move_out(count, space, region, at_most):
    """Move up to ``count`` own points out of a space into a region."""
    return Verb(MOVE_OUT, count, region, at_most, extra=SPACE_ID[space])


def destroy(region, moves_to):
    """Destroy a space of a region; Communist points in it move to a space."""
    return Verb(DESTROY_SPACE, region=region, extra=SPACE_ID[moves_to])


def revolt(region, need):
    """Roll for all of the opponent's points in a space, where they hold Power."""
    return Verb(REVOLT_IN, need, region)


# --- checks, operations, markers -----------------------------------------------------------------


def check(count, region=ANYWHERE, bonus=0):
    """Up to ``count`` support checks with the card's value and a bonus on the roll."""
    return Verb(CHECKS, count, region, per=bonus)


def operation(region=ANYWHERE):
    """Placement or two checks with the card's value."""
    return Verb(OPERATION, region=region)


def vp(points):
    """Move the VP marker, Democrat positive."""
    return Verb(VP, points)


def ussr(box):
    """Move the USSR Stability marker."""
    return Verb(USSR, box)


def advance_track():
    """Move the own marker a box forward on the Tiananmen Square track."""
    return Verb(ADVANCE_TRACK)


def lower_ops(by):
    """All ops values of the opponent are lower this turn."""
    return Verb(LOWER_OPS, by)


def name_country(which, declinable=False):
    """Name a country; without one, or declined, nothing further happens."""
    return Verb(NAME_COUNTRY, int(declinable), extra=which)


def keep_country():
    """The country named is kept with the card that stays in play."""
    return Verb(KEEP_COUNTRY)


def protect_executor():
    """The executor is kept as the side that the card protects."""
    return Verb(PROTECT)


def lose_at_round_end(count, space, beside):
    """At the end of the round the Communist loses points in a space if Democratic ones stand next to another."""
    return Verb(AT_ROUND_END, count, where=SPACE_ID[beside], extra=SPACE_ID[space])


# --- going on ------------------------------------------------------------------------------------


def stays(duration, *effects):
    """The card stays in play, with these effects."""
    return Verb(STAY, duration=duration, effects=effects)


def cancel(card):
    """Another card leaves play."""
    return Verb(CANCEL_CARD, card)


def unless(condition):
    """Nothing further happens when the condition holds."""
    return Verb(UNLESS, condition=condition)


def by_choice(opcode, first: Iterable[Verb], second: Iterable[Verb]) -> tuple[Verb, ...]:
    """Two ways to go on, by a player's choice; each ends the event."""
    return _two_ways(Verb(opcode), first, second)


def by_condition(condition, first: Iterable[Verb], second: Iterable[Verb]) -> tuple[Verb, ...]:
    """Two ways to go on: the first where the condition holds; each ends the event."""
    return _two_ways(Verb(BRANCH, condition=condition), first, second)


def _two_ways(verb, first, second) -> tuple[Verb, ...]:
    first = [*first, Verb(END)]
    return (replace(verb, count=len(first) + 1), *first, *second)


def roll_above(side, region):
    """Go on if a die is above the number of spaces of a region that a side controls."""
    return Verb(ROLL_ABOVE, region=region, extra=side)


def roll_at_least(need, side, region):
    """Go on if a die, less the number of spaces of a region that a side controls, is enough."""
    return Verb(ROLL_AT_LEAST, need, region, extra=side)


def roll_with_ussr(need):
    """Go on if a die and the USSR Stability are enough."""
    return Verb(ROLL_USSR, need)


def roll_points(*points):
    """A die gives the number of points that ``place_rolled`` places: one digit per face."""
    return Verb(ROLL_POINTS, extra=int("".join(map(str, points))))


def contest(region, rounds):
    """Both sides roll and add the spaces of a region they control; go on if the Democrat wins the rounds first."""
    return Verb(CONTEST, rounds, region)


# --- hands and piles -----------------------------------------------------------------------------


def discard_random(side, neutral_occurs=False):
    """A side discards a random card; an event of the opponent's (or a neutral one) occurs."""
    return Verb(RANDOM_DISCARD, int(neutral_occurs), extra=side)


def take_from_discard(kind):
    """Take a card from the discard pile into the hand, or none."""
    return Verb(TAKE_FROM_DISCARD, extra=kind)


def event_from_discard(kind, declinable=False):
    """The event of a card of the discard pile occurs."""
    return Verb(PLAY_FROM_DISCARD, int(declinable), extra=kind)


def opponent_may_end(value):
    """The opponent may end the event by discarding a card of some value."""
    return Verb(MAY_CANCEL, value)


def redraw_any():
    """Discard any number of cards, then draw as many."""
    return Verb(DISCARD_ANY)


def set_aside():
    """Set a card of the hand aside until the next turn and draw another."""
    return Verb(SET_CARD_ASIDE)


def draw_and_keep(count):
    """Draw cards, keep one."""
    return Verb(DRAW_THREE, count)


def odd(opcode, region=ANYWHERE):
    """A verb of a card with code of its own."""
    return Verb(opcode, region=region)

"""The verbs events are written in.

A verb becomes an instruction of an ``INSTRUCTION`` (``dawn_env.cards.events``), which
``dawn_env.rules.event`` runs. "Own" and "the opponent" are seen from the executor of the event.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import auto

import numpy as np

from dawn_env.cards.conditions import NO_CONDITION, Condition
from dawn_env.cards.lasting import Effect
from dawn_env.cards.regions import ANYWHERE, Region
from dawn_env.support.numbered import Numbered
from dawn_env.tables import SPACE_ID


class Opcode(Numbered):
    """What an instruction does."""

    # Picks of spaces.
    END = auto()
    PICK_PLACE = auto()
    PICK_REMOVE = auto()
    PICK_REPLACE = auto()
    PICK_LOSE = auto()
    PICK_TAKE_CONTROL = auto()

    # What asks nothing, or pushes a frame that asks.
    ADD = auto()
    CLEAR = auto()
    FILL = auto()
    CHECKS = auto()
    OPERATION = auto()
    VP = auto()
    STAY = auto()
    UNLESS = auto()
    BRANCH = auto()
    NAME_COUNTRY = auto()
    CHOOSE_NOMENKLATURA = auto()
    CHOOSE_OPERATION = auto()
    ROLL_ABOVE = auto()
    ROLL_AT_LEAST = auto()
    ROLL_USSR = auto()
    ROLL_POINTS = auto()
    CONTEST = auto()
    USSR = auto()
    LOWER_OPS = auto()
    KEEP_COUNTRY = auto()
    PROTECT = auto()
    AT_ROUND_END = auto()
    CANCEL_CARD = auto()
    ADVANCE_TRACK = auto()

    # Choices of spaces that are no picks.
    MOVE_OUT = auto()
    DESTROY_SPACE = auto()
    REVOLT_IN = auto()

    # Hands and piles of cards.
    RANDOM_DISCARD = auto()
    TAKE_FROM_DISCARD = auto()
    PLAY_FROM_DISCARD = auto()
    MAY_CANCEL = auto()
    DISCARD_ANY = auto()
    SET_CARD_ASIDE = auto()
    DRAW_THREE = auto()

    # Cards with code of their own.
    GIVE_HIGHEST = auto()
    DISCARD_GIVEN = auto()
    SHOW_RED = auto()
    CHOOSE_RED = auto()
    FLEE = auto()
    DECLARE_PARTY = auto()
    COUP = auto()


FIRST_SPACE_CHOICE, FIRST_OF_HANDS, FIRST_ODD = Opcode.MOVE_OUT, Opcode.RANDOM_DISCARD, Opcode.GIVE_HIGHEST

INSTRUCTION = np.dtype((np.record, [
    # What; how many picks; region; most points per space (0: no limit); SpaceTest; points moved per pick; argument.
    ("opcode", "i2"), ("count", "i2"), ("region", "i2"), ("cap", "i2"), ("where", "i2"), ("per", "i2"), ("extra", "i4"),
]))  # fmt: skip

ALL_OF_THEM = 999  # as PER or COUNT: everything that is there


class SpaceTest(Numbered):
    """Conditions on a space that is picked."""

    ANY = auto()
    NOT_OPPONENTS = auto()
    UNCONTROLLED = auto()
    WITHOUT_OPPONENT = auto()
    NOT_OWN = auto()


ANY_SPACE, NOT_OPPONENTS, UNCONTROLLED, WITHOUT_OPPONENT, NOT_OWN = SpaceTest


class CountryTest(Numbered):
    """Conditions on a country that is named."""

    OPPONENT_HOLDS = auto()
    EXECUTOR_HOLDS = auto()
    NOT_ROMANIA = auto()


OPPONENT_HOLDS, EXECUTOR_HOLDS, NOT_ROMANIA = CountryTest


class CardTest(Numbered):
    """Conditions on a card that is fetched from the discard pile."""

    OWN_WITH_ASTERISK = auto()
    NOT_SCORING = auto()
    SCORING = auto()


OWN_WITH_ASTERISK, NOT_SCORING, SCORING = CardTest


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
    return Verb(Opcode.PICK_PLACE, count, region, at_most, where)


def place_in_one(count, region):
    """Place all of ``count`` points in one space of choice."""
    return Verb(Opcode.PICK_PLACE, 1, region, per=count)


def place_rolled(region):
    """Place as many points as the last roll gave."""
    return Verb(Opcode.PICK_PLACE, -1, region)


def remove(count, region, at_most=0):
    """Remove the opponent's points one by one."""
    return Verb(Opcode.PICK_REMOVE, count, region, at_most)


def remove_from_one(count, region, where=ANY_SPACE):
    """Remove up to ``count`` points from one space of choice."""
    return Verb(Opcode.PICK_REMOVE, 1, region, where=where, per=count)


def replace_in_one(count, region):
    """Turn up to ``count`` of the opponent's points in one space into own ones."""
    return Verb(Opcode.PICK_REPLACE, 1, region, per=count)


def opponent_removes(count, region):
    """The opponent removes their own points, one by one."""
    return Verb(Opcode.PICK_LOSE, count, region)


def take_control(region):
    """Bring one space, not yet controlled, to control."""
    return Verb(Opcode.PICK_TAKE_CONTROL, 1, region, where=NOT_OWN)


def add(count, region, where=ANY_SPACE):
    """Add points to every space of a region."""
    return Verb(Opcode.ADD, count, region, where=where)


def clear(region, side, most=ALL_OF_THEM):
    """Remove up to ``most`` points of a side from every space of a region."""
    return Verb(Opcode.CLEAR, most, region, extra=side)


def fill(region):
    """Add what is missing for control in every space of a region."""
    return Verb(Opcode.FILL, region=region)


def move_out(count, space, region, at_most):
    """Move up to ``count`` own points out of a space into a region."""
    return Verb(Opcode.MOVE_OUT, count, region, at_most, extra=SPACE_ID[space])


def destroy(region, moves_to):
    """Destroy a space of a region; Communist points in it move to a space."""
    return Verb(Opcode.DESTROY_SPACE, region=region, extra=SPACE_ID[moves_to])


def revolt(region, need):
    """Roll for all of the opponent's points in a space, where they hold Power."""
    return Verb(Opcode.REVOLT_IN, need, region)


# --- checks, operations, markers -----------------------------------------------------------------


def check(count, region=ANYWHERE, bonus=0):
    """Up to ``count`` support checks with the card's value and a bonus on the roll."""
    return Verb(Opcode.CHECKS, count, region, per=bonus)


def operation(region=ANYWHERE):
    """Placement or two checks with the card's value."""
    return Verb(Opcode.OPERATION, region=region)


def vp(points):
    """Move the VP marker, Democrat positive."""
    return Verb(Opcode.VP, points)


def ussr(box):
    """Move the USSR Stability marker."""
    return Verb(Opcode.USSR, box)


def advance_track():
    """Move the own marker a box forward on the Tiananmen Square track."""
    return Verb(Opcode.ADVANCE_TRACK)


def lower_ops(by):
    """All ops values of the opponent are lower this turn."""
    return Verb(Opcode.LOWER_OPS, by)


def name_country(which, declinable=False):
    """Name a country; without one, or declined, nothing further happens."""
    return Verb(Opcode.NAME_COUNTRY, int(declinable), extra=which)


def keep_country():
    """The country named is kept with the card that stays in play."""
    return Verb(Opcode.KEEP_COUNTRY)


def protect_executor():
    """The executor is kept as the side that the card protects."""
    return Verb(Opcode.PROTECT)


def lose_at_round_end(count, space, beside):
    """At the end of the round the Communist loses points in a space if Democratic ones stand next to another."""
    return Verb(Opcode.AT_ROUND_END, count, where=SPACE_ID[beside], extra=SPACE_ID[space])


# --- going on ------------------------------------------------------------------------------------


def stays(duration, *effects):
    """The card stays in play, with these effects."""
    return Verb(Opcode.STAY, duration=duration, effects=effects)


def cancel(card):
    """Another card leaves play."""
    return Verb(Opcode.CANCEL_CARD, card)


def unless(condition):
    """Nothing further happens when the condition holds."""
    return Verb(Opcode.UNLESS, condition=condition)


def by_choice(opcode, first: Iterable[Verb], second: Iterable[Verb]) -> tuple[Verb, ...]:
    """Two ways to go on, by a player's choice; each ends the event."""
    return _two_ways(Verb(opcode), first, second)


def by_condition(condition, first: Iterable[Verb], second: Iterable[Verb]) -> tuple[Verb, ...]:
    """Two ways to go on: the first where the condition holds; each ends the event."""
    return _two_ways(Verb(Opcode.BRANCH, condition=condition), first, second)


def _two_ways(verb, first, second) -> tuple[Verb, ...]:
    first = [*first, Verb(Opcode.END)]
    return (replace(verb, count=len(first) + 1), *first, *second)


def roll_above(side, region):
    """Go on if a die is above the number of spaces of a region that a side controls."""
    return Verb(Opcode.ROLL_ABOVE, region=region, extra=side)


def roll_at_least(need, side, region):
    """Go on if a die, less the number of spaces of a region that a side controls, is enough."""
    return Verb(Opcode.ROLL_AT_LEAST, need, region, extra=side)


def roll_with_ussr(need):
    """Go on if a die and the USSR Stability are enough."""
    return Verb(Opcode.ROLL_USSR, need)


def roll_points(*points):
    """A die gives the number of points that ``place_rolled`` places: one digit per face."""
    return Verb(Opcode.ROLL_POINTS, extra=int("".join(map(str, points))))


def contest(region, rounds):
    """Both sides roll and add the spaces of a region they control; go on if the Democrat wins the rounds first."""
    return Verb(Opcode.CONTEST, rounds, region)


# --- hands and piles -----------------------------------------------------------------------------


def discard_random(side, neutral_occurs=False):
    """A side discards a random card; an event of the opponent's (or a neutral one) occurs."""
    return Verb(Opcode.RANDOM_DISCARD, int(neutral_occurs), extra=side)


def take_from_discard(kind):
    """Take a card from the discard pile into the hand, or none."""
    return Verb(Opcode.TAKE_FROM_DISCARD, extra=kind)


def event_from_discard(kind, declinable=False):
    """The event of a card of the discard pile occurs."""
    return Verb(Opcode.PLAY_FROM_DISCARD, int(declinable), extra=kind)


def opponent_may_end(value):
    """The opponent may end the event by discarding a card of some value."""
    return Verb(Opcode.MAY_CANCEL, value)


def redraw_any():
    """Discard any number of cards, then draw as many."""
    return Verb(Opcode.DISCARD_ANY)


def set_aside():
    """Set a card of the hand aside until the next turn and draw another."""
    return Verb(Opcode.SET_CARD_ASIDE)


def draw_and_keep(count):
    """Draw cards, keep one."""
    return Verb(Opcode.DRAW_THREE, count)


def odd(opcode, region=ANYWHERE):
    """A verb of a card with code of its own."""
    return Verb(opcode, region=region)

"""The verbs events are written in.

A verb becomes an instruction of an ``INSTRUCTION`` (``dawn_env.cards.event_tables``), which
``dawn_env.rules.events.event_interpreter`` runs. "Own" and "the opponent" are seen from the executor of the event.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import auto

import numpy as np

from dawn_env.cards.event_conditions import NO_CONDITION, Condition
from dawn_env.cards.lasting_effects import Effect
from dawn_env.cards.named_regions import ANYWHERE, Region
from dawn_env.support.compiling import AutoIntEnum


class Opcode(AutoIntEnum):
    """Verbs of instructions."""

    # Picks of spaces.
    END = auto()
    PICK_PLACE = auto()
    PICK_REMOVE = auto()
    PICK_REPLACE = auto()
    PICK_TAKE_CONTROL = auto()

    # General instructions.
    ADD = auto()
    CLEAR = auto()
    FILL = auto()
    CHECKS = auto()
    OPERATION = auto()
    VP = auto()
    STAY = auto()
    UNLESS = auto()
    BRANCH = auto()
    CHOOSE = auto()
    NAME_COUNTRY = auto()
    ROLL = auto()
    USSR = auto()
    CANCEL_CARD = auto()
    RANDOM_DISCARD = auto()
    PLAY_FROM_DISCARD = auto()

    # Instructions of one card each that ask nothing (dawn_env.rules.events.custom_cards).
    LOWER_OPS = auto()
    KEEP_COUNTRY = auto()
    PROTECT = auto()
    AT_ROUND_END = auto()
    ADVANCE_TRACK = auto()
    ROLL_POINTS = auto()
    CONTEST = auto()
    SHOW_RED = auto()
    DISCARD_GIVEN = auto()

    # Instructions of one card each that ask a player.
    MOVE_OUT = auto()
    DESTROY_SPACE = auto()
    REVOLT_IN = auto()
    TAKE_FROM_DISCARD = auto()
    MAY_CANCEL = auto()
    DISCARD_ANY = auto()
    SET_CARD_ASIDE = auto()
    DRAW_THREE = auto()
    GIVE_HIGHEST = auto()
    CHOOSE_RED = auto()
    FLEE = auto()
    DECLARE_PARTY = auto()
    COUP = auto()


FIRST_CUSTOM, FIRST_CUSTOM_QUESTION = Opcode.LOWER_OPS, Opcode.MOVE_OUT

INSTRUCTION = np.dtype((np.record, [
    # What; how many picks; region; most points per space (0: no limit); SpaceTest; points moved per pick; argument.
    ("opcode", "i2"), ("count", "i2"), ("region", "i2"), ("cap", "i2"), ("where", "i2"), ("per", "i2"), ("extra", "i4"),
]))  # fmt: skip

ALL_OF_THEM = 999  # as PER or COUNT: everything that is there
USSR_STABILITY = 2  # as modifier of a roll, beside the sides


class SpaceTest(AutoIntEnum):
    """Conditions on a space that is picked."""

    ANY = auto()
    NOT_OPPONENTS = auto()
    UNCONTROLLED = auto()
    WITHOUT_OPPONENT = auto()
    NOT_OWN = auto()


class CountryTest(AutoIntEnum):
    """Conditions on a country that is named."""

    OPPONENT_HOLDS = auto()
    EXECUTOR_HOLDS = auto()
    NOT_ROMANIA = auto()


OPPONENT_HOLDS, EXECUTOR_HOLDS, NOT_ROMANIA = CountryTest


class CardTest(AutoIntEnum):
    """Conditions on a card that is fetched from the discard pile."""

    OWN_WITH_ASTERISK = auto()
    NOT_SCORING = auto()
    SCORING = auto()


OWN_WITH_ASTERISK, NOT_SCORING, SCORING = CardTest


@dataclass(frozen=True)
class Verb:
    """One instruction before translation; ``effects`` are those of a card that stays for a ``duration``, ``text`` is
    the sentence of an instruction that serves one card only."""

    opcode: int
    count: int = 0
    region: Region = ANYWHERE
    cap: int = 0
    where: int = SpaceTest.ANY
    per: int = 1
    extra: int = 0
    condition: Condition | None = None
    text: str = ""
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


def place(count, region, at_most=0, where=SpaceTest.ANY):
    """Place own support points one by one (free)."""
    return Verb(Opcode.PICK_PLACE, count, region, at_most, where)


def place_in_one(count, region):
    """Place all of ``count`` points in one space of choice."""
    return Verb(Opcode.PICK_PLACE, 1, region, per=count)


def place_rolled(region):
    """Place as many points as the last roll gave."""
    return Verb(Opcode.PICK_PLACE, -1, region)


def remove(count, region, at_most=0, by_opponent=False):
    """Remove the opponent's points one by one; the executor chooses them, or the opponent."""
    return Verb(Opcode.PICK_REMOVE, count, region, at_most, extra=int(by_opponent))


def remove_from_one(count, region, where=SpaceTest.ANY):
    """Remove up to ``count`` points from one space of choice."""
    return Verb(Opcode.PICK_REMOVE, 1, region, where=where, per=count)


def replace_in_one(count, region):
    """Turn up to ``count`` of the opponent's points in one space into own ones."""
    return Verb(Opcode.PICK_REPLACE, 1, region, per=count)


def take_control(region):
    """Bring one space, not yet controlled, to control."""
    return Verb(Opcode.PICK_TAKE_CONTROL, 1, region, where=SpaceTest.NOT_OWN)


def add(count, region, where=SpaceTest.ANY):
    """Add points to every space of a region."""
    return Verb(Opcode.ADD, count, region, where=where)


def clear(region, side, most=ALL_OF_THEM):
    """Remove up to ``most`` points of a side from every space of a region."""
    return Verb(Opcode.CLEAR, most, region, extra=side)


def fill(region):
    """Add what is missing for control in every space of a region."""
    return Verb(Opcode.FILL, region=region)


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


def name_country(which, declinable=False):
    """Name a country; without one, or declined, nothing further happens."""
    return Verb(Opcode.NAME_COUNTRY, int(declinable), extra=which)


# --- going on ------------------------------------------------------------------------------------


def stays(duration, *effects):
    """The card stays in play, with these effects."""
    return Verb(Opcode.STAY, duration=duration, effects=effects)


def cancel(card):
    """Instruction: another card leaves play."""
    return Verb(Opcode.CANCEL_CARD, card)


def unless(condition):
    """Nothing further happens when the condition holds."""
    return Verb(Opcode.UNLESS, condition=condition)


def by_choice(decision, first: Iterable[Verb], second: Iterable[Verb]) -> tuple[Verb, ...]:
    """Two ways to go on, by the executor's decision; each ends the event."""
    return _two_ways(Verb(Opcode.CHOOSE, extra=decision), first, second)


def by_condition(condition, first: Iterable[Verb], second: Iterable[Verb]) -> tuple[Verb, ...]:
    """Two ways to go on: the first where the condition holds; each ends the event."""
    return _two_ways(Verb(Opcode.BRANCH, condition=condition), first, second)


def _two_ways(verb, first, second) -> tuple[Verb, ...]:
    first = [*first, Verb(Opcode.END)]
    return (replace(verb, count=len(first) + 1), *first, *second)


def roll_at_least(need, modifier, region=ANYWHERE):
    """Go on if a die and a modifier are enough.

    The modifier is minus the number of spaces of a region that a side controls, or the USSR Stability.
    """
    return Verb(Opcode.ROLL, need, region, extra=modifier)


# --- hands and piles -----------------------------------------------------------------------------


def discard_random(side, neutral_occurs=False):
    """A side discards a random card; an event of the opponent's (or a neutral one) occurs."""
    return Verb(Opcode.RANDOM_DISCARD, int(neutral_occurs), extra=side)


def event_from_discard(kind, declinable=False):
    """The event of a card of the discard pile occurs."""
    return Verb(Opcode.PLAY_FROM_DISCARD, int(declinable), extra=kind)


# --- cards with code of their own ------------------------------------------------------------------


def custom(opcode, text="", count=0, region=ANYWHERE, cap=0, extra=0):
    """An instruction that serves this card only; ``text`` says in a sentence what it does."""
    return Verb(opcode, count, region, cap, extra=extra, text=text)

"""The verbs events are written in.

A verb becomes an instruction of an ``INSTRUCTION`` (``dawn_env.cards.event_tables``), which
``dawn_env.rules.events.event_interpreter`` runs, and has a sentence that says what it does. "Own" and "the opponent"
are seen from the executor of the event, who is spoken to: "place" means that they place their own support points.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import auto

import numpy as np

from dawn_env.cards.event_conditions import NO_CONDITION, Condition, cited_card
from dawn_env.cards.lasting_effects import Effect
from dawn_env.cards.named_regions import ANYWHERE, Region
from dawn_env.support.compiling import AutoIntEnum
from dawn_env.tables import COMMUNIST, DEMOCRAT, SIDE_NAMES


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
ADJECTIVES = ("Democratic", "Communist")
"""Adjective of each side, for sentences."""


class SpaceTest(AutoIntEnum):
    """Conditions on a space that is picked."""

    ANY = auto()
    NOT_OPPONENTS = auto()
    UNCONTROLLED = auto()
    WITHOUT_OPPONENT = auto()
    NOT_OWN = auto()


_SPACES = {
    SpaceTest.ANY: "",
    SpaceTest.NOT_OPPONENTS: " that the opponent does not control",
    SpaceTest.UNCONTROLLED: " that nobody controls",
    SpaceTest.WITHOUT_OPPONENT: " without points of the opponent",
    SpaceTest.NOT_OWN: " that is not yours",
}


class CountryTest(AutoIntEnum):
    """Conditions on a country that is named."""

    OPPONENT_HOLDS = auto()
    EXECUTOR_HOLDS = auto()
    NOT_ROMANIA = auto()


OPPONENT_HOLDS, EXECUTOR_HOLDS, NOT_ROMANIA = CountryTest
_COUNTRIES = ("where the opponent holds Power", "where you hold Power", "other than Romania")


class CardTest(AutoIntEnum):
    """Conditions on a card that is fetched from the discard pile."""

    OWN_WITH_ASTERISK = auto()
    NOT_SCORING = auto()
    SCORING = auto()


OWN_WITH_ASTERISK, NOT_SCORING, SCORING = CardTest
_CARDS = ("a card with an asterisk of your own side", "a card that scores nothing", "a scoring card")


@dataclass(frozen=True)
class Verb:
    """One instruction before translation, and the sentence that says what it does.

    ``effects`` are those of a card that stays for a ``duration``. An instruction that serves one card only is
    declared with this class itself.
    """

    opcode: int
    text: str = ""
    count: int = 0
    region: Region = ANYWHERE
    cap: int = 0
    where: int = SpaceTest.ANY
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


# --- words ---------------------------------------------------------------------------------------


def side_name(side: int) -> str:
    """A side in a sentence."""
    return SIDE_NAMES[side].capitalize()


def gainer(vp: int) -> str:
    """The side that gains victory points, Democrat positive."""
    return side_name(COMMUNIST if vp < 0 else DEMOCRAT)


def _points(count: int) -> str:
    if count == ALL_OF_THEM:
        return "all points"
    return "1 point" if count == 1 else f"{count} points"


# --- support points ------------------------------------------------------------------------------


def _picks(opcode, words, count, region, cap=0, where=SpaceTest.ANY, extra=0):
    """Picks of spaces one by one, told by what is done, where, and how often."""
    most = f", at most {cap} in a space" if cap else ""
    spaces = f", only in spaces{_SPACES[where]}" if _SPACES[where] else ""
    return Verb(opcode, f"{words} {region.where}{most}{spaces}.", count, region, cap, where, extra=extra)


def place(count, region, at_most=0, where=SpaceTest.ANY):
    """Place own support points one by one (free)."""
    return _picks(Opcode.PICK_PLACE, f"Place {_points(count)}", count, region, at_most, where)


def place_rolled(region):
    """Place as many points as the last roll gave."""
    return _picks(Opcode.PICK_PLACE, "Place as many points as rolled", -1, region)


def remove(count, region, at_most=0, by_opponent=False):
    """Remove the opponent's points one by one; the executor chooses them, or the opponent."""
    told = "The opponent removes {} of their own" if by_opponent else "Remove {} of the opponent"
    return _picks(Opcode.PICK_REMOVE, told.format(_points(count)), count, region, at_most, extra=int(by_opponent))


def _in_one(opcode, words, count, region, where=SpaceTest.ANY):
    """One pick of a space, for as many as ``count`` points."""
    return Verb(opcode, f"{words} one space ({region.text}){_SPACES[where]}.", 1, region, where=where, per=count)


def place_in_one(count, region):
    """Place all of ``count`` points in one space of choice."""
    return _in_one(Opcode.PICK_PLACE, f"Place {_points(count)} in", count, region)


def remove_from_one(count, region, where=SpaceTest.ANY):
    """Remove up to ``count`` points from one space of choice."""
    return _in_one(Opcode.PICK_REMOVE, f"Remove {_points(count)} of the opponent in", count, region, where)


def replace_in_one(count, region):
    """Turn up to ``count`` of the opponent's points in one space into own ones."""
    return _in_one(Opcode.PICK_REPLACE, f"Replace {_points(count)} of the opponent in", count, region)


def take_control(region):
    """Bring one space, not yet controlled, to control."""
    return _in_one(Opcode.PICK_TAKE_CONTROL, "Add what control needs to", 1, region, SpaceTest.NOT_OWN)


def add(count, region, where=SpaceTest.ANY):
    """Add points to every space of a region."""
    each = " each" if len(region.spaces) > 1 else ""
    spaces = f"those spaces of {region.text}{_SPACES[where]}" if where else region.text
    return Verb(Opcode.ADD, f"Add {_points(count)}{each} to {spaces}.", count, region, where=where)


def clear(region, side, most=ALL_OF_THEM):
    """Remove up to ``most`` points of a side from every space of a region."""
    amount = "All" if most == ALL_OF_THEM else f"Up to {most}"
    return Verb(Opcode.CLEAR, f"{amount} {ADJECTIVES[side]} points leave {region.text}.", most, region, extra=side)


def fill(region):
    """Add what is missing for control in every space of a region."""
    return Verb(Opcode.FILL, f"Add what control needs to {region.text}.", region=region)


# --- checks, operations, markers -----------------------------------------------------------------


def check(count, region=ANYWHERE, bonus=0):
    """Up to ``count`` support checks with the card's value and a bonus on the roll."""
    checks = "a support check" if count == 1 else f"up to {count} support checks"
    added = f", with +{bonus} on the roll" if bonus else ""
    return Verb(Opcode.CHECKS, f"You may make {checks} {region.where}{added}.", count, region, per=bonus)


def operation(region=ANYWHERE):
    """Placement or two checks with the card's value."""
    text = f"Place points as an operation, or make two support checks, {region.where}."
    return Verb(Opcode.OPERATION, text, region=region)


def vp(points):
    """Move the VP marker, Democrat positive."""
    return Verb(Opcode.VP, f"The {gainer(points)} gains {abs(points)} VP.", points)


def ussr(box):
    """Move the USSR Stability marker."""
    return Verb(Opcode.USSR, f"The USSR Stability marker moves to {box}.", box)


def name_country(which, declinable=False):
    """Name a country; without one, or declined, nothing further happens."""
    text = f"You may name a country {_COUNTRIES[which]}; only if you do, go on."
    return Verb(
        Opcode.NAME_COUNTRY,
        text if declinable else f"Name a country {_COUNTRIES[which]}.",
        int(declinable),
        extra=which,
    )


# --- going on ------------------------------------------------------------------------------------


def stays(duration, *effects):
    """The card stays in play, with these effects, which its text tells last."""
    return Verb(Opcode.STAY, duration=duration, effects=effects)


def cancel(card):
    """Instruction: another card leaves play."""
    return Verb(Opcode.CANCEL_CARD, f"{cited_card(card)} leaves play.", card)


def unless(condition):
    """End the event when the condition holds."""
    return Verb(Opcode.UNLESS, f"If {condition.text}, nothing further happens.", condition=condition)


def by_choice(decision, first: Iterable[Verb], second: Iterable[Verb]) -> tuple[Verb, ...]:
    """Two ways to go on, by the executor's decision; each ends the event."""
    return _two_ways(Verb(Opcode.CHOOSE, "Choose, either:", extra=decision), first, "Or:", second)


def by_condition(condition, first: Iterable[Verb], second: Iterable[Verb]) -> tuple[Verb, ...]:
    """Two ways to go on: the first where the condition holds; each ends the event."""
    return _two_ways(Verb(Opcode.BRANCH, f"If {condition.text}:", condition=condition), first, "Otherwise:", second)


def _two_ways(verb, first, between, second) -> tuple[Verb, ...]:
    first = [*first, Verb(Opcode.END, between)]
    return (replace(verb, count=len(first) + 1), *first, *second)


def roll_at_least(need, modifier, region=ANYWHERE):
    """Go on if a die and a modifier are enough.

    The modifier is minus the number of spaces of a region that a side controls, or the USSR Stability.
    """
    if modifier == USSR_STABILITY:
        text = f"Roll a die and add the USSR Stability; go on only with {need} or more."
    else:
        number = f"the number of {side_name(modifier)}-controlled spaces"
        text = f"Roll a die and subtract {number} ({region.text}); go on only with {need} or more."
        if need == 1:
            text = f"Roll a die; go on only if it is above {number} in {region.text}."
    return Verb(Opcode.ROLL, text, need, region, extra=modifier)


# --- hands and piles -----------------------------------------------------------------------------


def discard_random(side, neutral_occurs=False):
    """A side discards a random card; an event of the opponent's (or a neutral one) occurs."""
    kinds = f"{ADJECTIVES[1 - side]} or neutral event" if neutral_occurs else f"{ADJECTIVES[1 - side]} event"
    text = f"The {side_name(side)} discards a random card; a {kinds} on it occurs, carried out by the other side."
    return Verb(Opcode.RANDOM_DISCARD, text, int(neutral_occurs), extra=side)


def event_from_discard(kind, declinable=False):
    """The event of a card of the discard pile occurs."""
    text = f"{'You may choose' if declinable else 'Choose'} {_CARDS[kind]} in the discard pile; its event occurs."
    return Verb(Opcode.PLAY_FROM_DISCARD, text, int(declinable), extra=kind)

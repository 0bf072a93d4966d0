"""Conditions on the game: when an event can occur, and which of its ways it takes.

``dawn_env.rules.cards.holds`` tests them, as rows of ``CONDITION``.
"""

from dataclasses import dataclass, replace
from enum import auto

import numpy as np

from dawn_env.support.compiling import AutoIntEnum
from dawn_env.tables import CARD_TITLES, COMMUNIST, SIDE_NAMES, SPACE_ID


class Test(AutoIntEnum):
    """Subject of a condition."""

    ALWAYS = auto()
    OCCURRED = auto()
    LIES_IN_PLAY = auto()
    CROWD_ACTED = auto()
    TYRANT_FLED = auto()
    TURN_AT_MOST = auto()
    LEADS = auto()
    CONTROLS_SPACE = auto()
    AHEAD_ON_TRACK = auto()
    REACHED_BOX = auto()
    HOLDS_COUNTRIES = auto()


CONDITION = np.dtype((np.record, [
    # What is tested; the side it is about; card, turn, space, box or number; the outcome needed.
    ("test", "i2"), ("side", "i2"), ("value", "i2"), ("expected", "i2"),
]))  # fmt: skip


@dataclass(frozen=True)
class Condition:
    """A test on the game, with the words for its two outcomes; ``~`` negates it.

    ``card`` is the card whose event it asks for, 0 for other conditions; ``once`` tells what stays true for good.
    """

    test: int
    value: int = 0
    side: int = 0
    text: str = ""
    opposite: str = ""
    expected: bool = True
    card: int = 0
    once: bool = False

    def __invert__(self) -> "Condition":
        return replace(self, text=self.opposite, opposite=self.text, expected=not self.expected, once=False)

    def row(self) -> tuple[int, ...]:
        """The integers that the rules test."""
        return (self.test, self.side, self.value, int(self.expected))


def cited_card(card: int) -> str:
    """Title and number of a card, as in "Stasi (13)"."""
    return f"{CARD_TITLES[card]} ({card})"


def _about_card(test: int, card: int, what: str, what_not: str) -> Condition:
    name = cited_card(card)
    return Condition(test, card, text=f"{name} {what}", opposite=f"{name} {what_not}", card=card, once=True)


def in_force(card: int) -> Condition:
    """The event of a card that stays in play by it has occurred, and the card still lies there."""
    return _about_card(Test.LIES_IN_PLAY, card, "has occurred", "has not occurred")


def succeeded(card: int) -> Condition:
    """The event of a card that stays in play only if it succeeds has done so."""
    return _about_card(Test.LIES_IN_PLAY, card, "has succeeded", "has not succeeded")


def occurred(card: int) -> Condition:
    """The event of a card that leaves the deck by it has occurred, wherever the card has gone."""
    return _about_card(Test.OCCURRED, card, "has occurred", "has not occurred")


def took_effect(card: int, test: int) -> Condition:
    """A card that waits in play has taken effect; ``test`` is one of its own."""
    return _about_card(test, card, "has taken effect", "has not taken effect yet")


def turn_at_most(turn: int) -> Condition:
    """Condition: the turn is this or an earlier one."""
    return Condition(Test.TURN_AT_MOST, turn, text=f"it is turn {turn} or earlier", opposite=f"it is after turn {turn}")


def controls(side: int, space: str) -> Condition:
    """A side controls a space."""
    name = SIDE_NAMES[side].capitalize()
    text, opposite = f"the {name} controls {space}", f"the {name} does not control {space}"
    return Condition(Test.CONTROLS_SPACE, SPACE_ID[space], side, text, opposite)


def reached_box(side: int, box: int) -> Condition:
    """A side's marker stands in a box of the Tiananmen Square track or beyond."""
    text = f"the {SIDE_NAMES[side].capitalize()} has reached box {box} of the Tiananmen Square track"
    return Condition(Test.REACHED_BOX, box, side, text, once=True)


def holds_power(side: int, countries: int) -> Condition:
    """A side holds Power in so many countries or more."""
    where = "in a country" if countries == 1 else f"in {countries} countries or more"
    return Condition(Test.HOLDS_COUNTRIES, countries, side, f"the {SIDE_NAMES[side].capitalize()} holds Power {where}")


NO_CONDITION = Condition(Test.ALWAYS)
NEVER = ~NO_CONDITION
COMMUNIST_LEADS = Condition(Test.LEADS, side=COMMUNIST, text="the Communist leads in VP")
AHEAD = Condition(Test.AHEAD_ON_TRACK, text="your marker is ahead on the Tiananmen Square track")

"""Lasting effects of cards in play, and their duration.

A card that stays declares ``stays(duration, effect, ...)``. Each kind of effect is compiled to a table with a row
per effect, which the rules read where it matters (``dawn_env.rules.cards_in_play``).
"""

from dataclasses import dataclass
from enum import auto

import numpy as np

from dawn_env.cards.named_regions import ANYWHERE, Region
from dawn_env.support.compiling import AutoIntEnum


class Duration(AutoIntEnum):
    """Duration of a card in play."""

    TURN = auto()
    UNTIL_USED = auto()  # until it has served once
    STRUGGLE = auto()  # to the end of the next power struggle
    GAME = auto()


class EffectKind(AutoIntEnum):
    """Kinds of lasting effects: numbers of a side that change, exemptions, and the others."""

    # Numbers that a ``modifier`` changes.
    CHECK_ROLLS = auto()
    OPS_VALUES = auto()
    BOUND_OPS = auto()  # value of operations that are spent in the region only
    TRACK_ROLLS = auto()
    AFTERMATH_ROLLS = auto()
    HAND_SIZE = auto()
    ROUNDS = auto()

    # Rules from which an ``exemption`` is made.
    NEIGHBOURS = auto()  # that spaces of the opponent next to the target count against a check
    DOUBLE_COST = auto()

    BAN = auto()
    PAYMENT = auto()
    STRUGGLE_CARDS = auto()


EFFECT = np.dtype((np.record, [
    # Card in play; side whose doing is changed; region in which; by how much; another region, NOTHING for none.
    ("card", "i2"), ("side", "i2"), ("region", "i2"), ("amount", "i2"), ("holding", "i2"),
]))  # fmt: skip

NOTHING = -1


@dataclass(frozen=True)
class Effect:
    """Something that changes while a card is in play."""

    kind: int
    side: int
    region: Region = ANYWHERE
    amount: int = 0
    holding: Region | None = None


def modifier(kind: int, change: int, side: int, region: Region = ANYWHERE) -> Effect:
    """Effect that adds ``change`` to the quantity ``kind`` of a side in a region."""
    return Effect(kind, side, region, change)


def exemption(kind: int, side: int, region: Region) -> Effect:
    """Effect that exempts a side from the rule ``kind`` in a region."""
    return Effect(kind, side, region)


def bans(side: int, region: Region) -> Effect:
    """A side may not check in a region; "that country" is the one that the event has named."""
    return Effect(EffectKind.BAN, side, region)


def pays(vp: int, *, on_checks_of: int, at: Region) -> Effect:
    """Each check of a side in a region moves the VP marker, Democrat positive."""
    return Effect(EffectKind.PAYMENT, on_checks_of, at, vp)


def takes_struggle_cards(count: int, side: int, region: Region = ANYWHERE, holding: Region | None = None) -> Effect:
    """A side gets dealt cards of the opponent in a struggle of a region, ``holding`` such a space of the country."""
    return Effect(EffectKind.STRUGGLE_CARDS, side, region, count, holding=holding)

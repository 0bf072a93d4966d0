"""Lasting effects of cards in play, and their duration.

A card that stays declares ``stays(duration, effect, ...)``. Each kind of effect is compiled to a table with a row
per effect, which the rules read where it matters (``dawn_env.rules.cards_in_play``).
"""

from dataclasses import dataclass
from enum import auto

import numpy as np

from dawn_env.cards.named_regions import ANYWHERE, Region
from dawn_env.support.compiling import Numbered


class Duration(Numbered):
    """Duration of a card in play."""

    TURN = auto()
    UNTIL_USED = auto()  # until it has served once
    STRUGGLE = auto()  # to the end of the next power struggle
    GAME = auto()


TURN, UNTIL_USED, STRUGGLE, GAME = Duration


class Kind(Numbered):
    """Kinds of lasting effects."""

    CHECK_MODIFIER = auto()
    IGNORED_NEIGHBOURS = auto()
    BAN = auto()
    PAYMENT = auto()
    OPS_MODIFIER = auto()
    BOUND_OPS = auto()
    SINGLE_COST = auto()
    TRACK_MODIFIER = auto()
    STRUGGLE_CARDS = auto()
    AFTERMATH_MODIFIER = auto()
    OPEN_HAND = auto()
    HAND_CHANGE = auto()
    EXTRA_ROUND = auto()
    DEMAND = auto()


EFFECT = np.dtype((np.record, [
    # Card in play; side whose doing is changed; region in which; by how much; a card or another region.
    ("card", "i2"), ("side", "i2"), ("region", "i2"), ("amount", "i2"), ("extra", "i2"),
]))  # fmt: skip

NOTHING = -1  # as ``extra``


@dataclass(frozen=True)
class Effect:
    """Something that changes while a card is in play; ``holding`` and ``demanded`` fill the column ``EXTRA``."""

    kind: int
    side: int
    region: Region = ANYWHERE
    amount: int = 0
    holding: Region | None = None
    demanded: int = NOTHING


def check_modifier(change: int, side: int, region: Region) -> Effect:
    """Support checks of a side in a region get a modifier."""
    return Effect(Kind.CHECK_MODIFIER, side, region, change)


def bans(side: int, region: Region) -> Effect:
    """A side may not check in a region; "that country" is the one kept by ``keep_country``."""
    return Effect(Kind.BAN, side, region)


def pays(vp: int, *, on_checks_of: int, at: Region) -> Effect:
    """Each check of a side in a region moves the VP marker, Democrat positive."""
    return Effect(Kind.PAYMENT, on_checks_of, at, vp)


def ops_modifier(change: int, side: int) -> Effect:
    """All ops values of a side change."""
    return Effect(Kind.OPS_MODIFIER, side, amount=change)


def takes_struggle_cards(count: int, side: int, region: Region = ANYWHERE, holding: Region | None = None) -> Effect:
    """A side gets dealt cards of the opponent in a struggle of a region, ``holding`` such a space of the country."""
    return Effect(Kind.STRUGGLE_CARDS, side, region, count, holding=holding)

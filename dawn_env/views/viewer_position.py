"""Positions in the view of one viewer, a class for each mode of the game.

All of it comes from the observations of the viewing sides, so nothing hidden from them can get into a picture; public
facts that are no part of an observation are the exception: the result of the game, and which decision of a bid is
pending.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from dawn_env.bids import is_bid
from dawn_env.observation.parts import FAMILY_DECISIONS, Axis, EntryKind
from dawn_env.observation.view_layouts import BID_LAYOUT, FAMILY_LAYOUT, STANDARD_LAYOUT, ViewLayout
from dawn_env.rules.scoring import country_score
from dawn_env.state import MARKERS, SPACE_MARKERS, Decision, Mode, Result
from dawn_env.state_fields import Field, Marker
from dawn_env.support.argument_checks import integer
from dawn_env.support.safe_text import short_repr
from dawn_env.tables import (
    COMMUNIST,
    CONTROL,
    DEMOCRAT,
    DOMINATION,
    POWER_VALUE,
    PRESENCE,
    SIDE_LETTERS,
    SIDE_NAMES,
    SIDES,
    STABILITY,
    N,
)

BOTH = "both"
VIEWERS = (*SIDE_NAMES, BOTH)


def acting_viewer(state: np.record) -> str:
    """The side to act; both when the game is over and nothing needs to be hidden."""
    return SIDE_NAMES[state.actor] if state.result == Result.RUNNING else BOTH


class Move(NamedTuple):
    """Support points on their way from a space to another (-1: not named yet): side, and number if named."""

    side: int
    origin: int
    destination: int
    points: int


class Fight(NamedTuple):
    """Dice of a take-over, and what holds the space beside the defender's die: its points and stability."""

    attack_die: int
    defence_die: int
    points: int
    stability: int


class CountryStatus(NamedTuple):
    """Status of a country: the side ahead (-1: none), its degree, and the points at stake."""

    side: int
    words: str
    worth: str


class ViewerPosition(ABC):
    """View of a position for ``viewer`` (``democrat``, ``communist``, their ids, or ``both``).

    Sides are 0 Democrat and 1 Communist, -1 stands for none; cards are numbers, in ascending order. Besides what is
    defined here, each part of the observation is an attribute: a number, the numbers of both sides (Democrat first), a
    side, a list of sides or of cards, the entry that is marked (-1: none, 0: no card), or an array of the rest.
    """

    layout: ViewLayout
    """What the sides of games of this kind are given."""
    status_is_score = False
    """True where ``standing`` is what a scoring would give now."""
    move: Move | None = None
    """What is moving on the board."""
    marks: Mapping[int, Sequence[Marker]] = MappingProxyType({})
    """Words of the markers on each space that has any."""

    def __init__(self, state: np.record, viewer: str | int):
        """Raises ``ValueError`` for another viewer."""
        if (number := integer(viewer)) in range(SIDES):
            viewer = SIDE_NAMES[number]
        if viewer not in VIEWERS:
            raise ValueError(f"viewer: one of {', '.join(VIEWERS)} expected, not {short_repr(viewer)}")
        self.sides = tuple(range(SIDES)) if viewer == BOTH else (SIDE_NAMES.index(viewer),)
        self._views = {side: self.layout.decode(self.layout.one(state, side)) for side in self.sides}
        self.result, self.reason = int(state.result), int(state.reason)
        acting = [side for side in self.sides if self._views[side]["acting"][0]]
        self._side = acting[0] if acting else self.sides[0]
        self._view = self._views[self._side]

    # --- reading an observation by sides -------------------------------------------------------

    def __getattr__(self, name: str) -> Any:
        vars(self)[name] = value = self._part(name)
        return value

    def _part(self, name: str) -> Any:
        """A part of the observation; raises ``AttributeError``."""
        part = self.layout.parts.get(name)
        if part is None:
            raise AttributeError(f"{name} is no part of the observation")
        values = self._view[name]
        if part.kind is EntryKind.SIDE:
            owners = [self._owner(value) for value in values.tolist()]
            return owners[0] if part.axis is Axis.ONE else owners
        if part.axis is Axis.ONE:
            return int(values[0])
        if part.axis is Axis.OWNER:
            return tuple(values.tolist() if self._side == DEMOCRAT else values[::-1].tolist())
        first = int(part.axis is Axis.CARD)
        if part.kind is EntryKind.ONE_HOT:
            return first + int(values.argmax()) if values.any() else first - 1
        return _cards(values) if part.axis is Axis.CARD else values

    def _owner(self, value: int) -> int:
        """The side meant by 1 (the viewer), -1 (the opponent) or 0 (none)."""
        return (-1, self._side, 1 - self._side)[value]

    def _whose(self, name: str) -> int:
        """Side of a flag that is set for the viewer, else its opponent."""
        return self._side if self._view[name][0] else 1 - self._side

    # --- the clock and the board ---------------------------------------------------------------

    @property
    @abstractmethod
    def when(self) -> str:
        """Turn and round in words."""

    @property
    def phasing(self) -> int:
        """Phasing side."""
        return self._whose("phasing")

    @property
    def vp(self) -> int:
        """Victory points, Democrat positive."""
        return self._part("vp") if self._side == DEMOCRAT else -self._part("vp")

    @cached_property
    def support(self) -> np.ndarray:
        """[2, S] support points."""
        pair = [self._view["my_support"].astype(int), self._view["their_support"].astype(int)]
        return np.stack(pair if self._side == DEMOCRAT else pair[::-1])

    @cached_property
    def support_pairs(self) -> list[list[int]]:
        """Support points of both sides by space, as Python's numbers: compared sooner than parts of an array."""
        return self.support.T.tolist()

    @cached_property
    def scores(self) -> list[int]:
        """[N] VP that a scoring would give for each country now, Democrat positive."""
        return [int(country_score(self, country)) for country in range(N)]

    @abstractmethod
    def standing(self, country: int) -> CountryStatus:
        """Leader of a country, in words, and what its scoring is worth."""

    # --- cards and the decision ----------------------------------------------------------------

    def hand(self, side: int) -> list[int]:
        """Cards known to lie in a hand; all of them for a viewing side."""
        return _cards(self._views[side]["my_hand"]) if side in self.sides else self.known_theirs

    def hand_size(self, side: int) -> int:
        """Number of cards in a hand."""
        return len(self.hand(side)) if side in self.sides else self.their_hand_size

    @property
    def actor(self) -> int:
        """Side to decide, -1 when the game is over."""
        return -1 if self.result != Result.RUNNING else self._whose("acting")

    @property
    @abstractmethod
    def decision(self) -> int:
        """Part of the pending decision that is open to the viewer."""


def _cards(flags: np.ndarray) -> list[int]:
    return (np.flatnonzero(flags) + 1).tolist()


class StandardPosition(ViewerPosition):
    """Position of the standard game, and of the bid before it, from the view of one viewer.

    Until sides are known, the first player has the place of the Democrat, the second the other.
    """

    layout = STANDARD_LAYOUT

    def __init__(self, state: np.record, viewer: str | int):
        """Raises ``ValueError`` for another viewer."""
        super().__init__(state, viewer)
        self.offers = _offers(state, self.sides) if state.bid else None
        """Side and points that each player of a bid offers, as far as they are seen; points None while named."""
        self.bidding = (int(state.actor), int(state.decision)) if is_bid(state.decision) else None
        """Player and pending decision of a bid, None without one."""

    @property
    def when(self) -> str:
        """Turn and action round in words."""
        if self.bidding:
            return "bid for sides"
        return "set-up" if self.turn == 0 else f"turn {self.turn}, round {self.round}"

    @property
    def phasing(self) -> int:
        """Phasing side, -1 outside action rounds."""
        return -1 if self.bidding else super().phasing

    def standing(self, country: int) -> CountryStatus:
        """Holder of Power, number of the Communist's scorings, and the value of a scoring."""
        holder, scored = self.power[country], self.times_scored[country]
        words = f"Power {SIDE_LETTERS[holder]}" + (f", scored {scored}×" if scored else "")
        worth = f"{PRESENCE[country]}/{DOMINATION[country]}/{CONTROL[country]} · {POWER_VALUE[country]}"
        return CountryStatus(holder, words, worth)

    @cached_property
    def marks(self) -> dict[int, list[Marker]]:  # type: ignore[override]
        """Words of the markers on each space that has any."""
        found: dict[int, list[Marker]] = {}
        for field in SPACE_MARKERS:
            if (space := self._part(field.name)) >= 0:
                found.setdefault(space, []).append(field.marker)
        return found

    @property
    def used_awards(self) -> tuple[int, ...]:
        """Boxes of the awards that are used up in this turn."""
        return tuple(box for box in (7, 8) if self._part(f"award{box}_used"))

    # --- cards ---------------------------------------------------------------------------------

    def shown(self, side: int) -> list[int]:
        """Cards in the hand of a side that are known to its opponent; for a hidden hand, those known to the viewer."""
        return _cards(self._views[side]["known_mine"]) if side in self.sides else self.hand(side)

    @property
    def set_aside(self) -> list[int]:
        """Card set aside by Samizdat, if visible to the viewer."""
        return _cards(self._views[DEMOCRAT]["set_aside"]) if DEMOCRAT in self.sides else []

    def drawn(self, side: int) -> list[int]:
        """Cards drawn to choose from (third Tiananmen award), if visible to the viewer."""
        return _cards(self._views[side]["drawn"]) if side in self.sides else []

    @property
    def starter(self) -> int:
        """Side that started the power struggle."""
        return self._whose("started")

    @property
    def attacker(self) -> int:
        """Attacker in the power struggle."""
        return self._whose("attacking")

    def power_hand(self, side: int) -> np.ndarray | None:
        """Copies per face of a struggle hand, None where it is not seen."""
        if side in self.sides:
            return self._views[side]["my_power_hand"]
        return self.their_power_hand if self.their_power_hand.any() else None

    # --- the decision --------------------------------------------------------------------------

    @property
    def decision(self) -> int:
        """Part of the pending decision that is open to the viewer."""
        return max(self._part("decision"), Decision.NONE)

    @property
    def source(self) -> int:
        """Card, award or operation that is being carried out, 0: none."""
        return max(self._part("source"), 0)


def _offers(state: np.record, sides: tuple[int, ...]) -> list[tuple[int, int | None] | None]:
    """Offers of both players; an offer is None if it is not made yet or is hidden from ``sides``."""
    views = [BID_LAYOUT.decode(BID_LAYOUT.one(state, side)) for side in sides]
    offers = [_offer(views[0], "their", False)] * SIDES
    for view in views:
        naming = state.decision == Decision.OFFER_POINTS and view["bid_acting"][0]
        offers[1 - view["first"][0]] = _offer(view, "my", naming)
    return offers


def _offer(view: dict[str, np.ndarray], whose: str, naming: bool) -> tuple[int, int | None] | None:
    """An offer, once a side has been named."""
    side = np.flatnonzero(view[f"{whose}_offer_side"])
    return (int(side[0]), None if naming else int(view[f"{whose}_offer_points"][0])) if side.size else None


class FamilyPosition(ViewerPosition):
    """Position of family mode from the view of one viewer."""

    layout = FAMILY_LAYOUT
    status_is_score = True
    destroyed = -1

    @property
    def when(self) -> str:
        """Turn, and round or placement phase, in words."""
        return f"turn {self.turn}, " + (f"round {self.round}" if self.round else "placement")

    def standing(self, country: int) -> CountryStatus:
        """Result of the scoring at the end of the turn, and the values of Presence, Domination and Control."""
        score = self.scores[country]
        side = DEMOCRAT if score > 0 else COMMUNIST if score < 0 else -1
        words = f"{SIDE_LETTERS[side]} +{abs(score)}" if score else "even"
        return CountryStatus(side, words, f"{PRESENCE[country]}/{DOMINATION[country]}/{CONTROL[country]}")

    def power_hand(self, side: int) -> np.ndarray:
        """Copies per face of a struggle hand: all of a viewing side's, else those that follow by counting."""
        return self._views[side]["my_power_hand"] if side in self.sides else self.their_power_known

    @property
    def decision(self) -> int:
        """Pending decision."""
        at = self._part("decision")
        return int(FAMILY_DECISIONS[at]) if at >= 0 else Decision.NONE

    @property
    def placing(self) -> int:
        """Support points of the card that is being placed, 0: none."""
        return 0 if self.round else self.points

    @cached_property
    def move(self) -> Move | None:
        """The shift or take-over in progress."""
        return None if self.origin < 0 else Move(self.phasing, self.origin, self.destination, self.points)

    @property
    def is_take_over(self) -> bool:
        """Return True if points move to a space that their side does not control."""
        return self.move is not None and self.destination >= 0 and self.control[self.destination] != self.move.side

    @property
    def fight(self) -> Fight | None:
        """The fight of a take-over, once dice have been rolled."""
        if not self.attack:
            return None
        space, defender = self.destination, 1 - self.phasing
        held = self.control[space] == defender
        points, stability = (int(self.support[defender, space]), int(STABILITY[space])) if held else (0, 0)
        return Fight(self.attack - self.points, self.defence - points - stability, points, stability)


def bindings(seen: StandardPosition) -> list[tuple[int, str]]:
    """Cards with lasting effects, each with a short text of the space, country or side it applies to.

    Cards that have left the table while their effect goes on are among them.
    """
    notes = {}
    for field in MARKERS:
        if field.marker and field.marker.note and (note := _note(field, field.marker.note, getattr(seen, field.name))):
            notes[field.marker.card] = note
    off_table = [(card, note) for card, note in notes.items() if card not in seen.in_play]
    return [(card, notes.get(card, "")) for card in seen.in_play] + off_table


def _note(field: Field, words: str, number: int | Sequence[int]) -> str:
    """A value in words, of a field by side for each side that has one; empty for none."""
    if isinstance(number, Sequence):
        values = zip(SIDE_LETTERS, number, strict=True)
        return " ".join(f"{letter} {words.format(value)}" for letter, value in values if value)
    return "" if number == field.start else words.format(field.value(number))


def viewer_position(state: np.record, viewer: str | int) -> StandardPosition | FamilyPosition:
    """View of a position of any kind of game for ``viewer``; raises ``ValueError`` for an unknown viewer."""
    return FamilyPosition(state, viewer) if state.mode == Mode.FAMILY else StandardPosition(state, viewer)

"""Base class of positions from the view of one viewer, shared by all modes of the game.

All of it comes from the observations of the viewing sides, so nothing hidden from them can get into a picture; the
result of the game, which is public and no part of an observation, is the exception.
"""

from abc import ABC, abstractmethod
from functools import cached_property
from typing import NamedTuple

import numpy as np

from dawn_env.observation.view_layouts import ViewLayout
from dawn_env.rules.scoring import country_score
from dawn_env.state import Result, new_states
from dawn_env.support.compiling import entry
from dawn_env.support.safe_text import short_repr
from dawn_env.tables import DEMOCRAT, SIDE_NAMES, SIDES, N


@entry
def _score_countries(states, scores):
    for country in range(N):
        scores[country] = country_score(states[0], country)


BOTH = "both"
VIEWERS = (*SIDE_NAMES, BOTH)


def acting_viewer(state: np.record) -> str:
    """The side to act; both when the game is over and nothing needs to be hidden."""
    return SIDE_NAMES[state.actor] if state.result == Result.RUNNING else BOTH


def viewing_sides(viewer: str) -> tuple[int, ...]:
    """Sides visible to a viewer; raises ``ValueError``."""
    if viewer not in VIEWERS:
        raise ValueError(f"viewer: one of {', '.join(VIEWERS)} expected, not {short_repr(viewer)}")
    return tuple(range(SIDES)) if viewer == BOTH else (SIDE_NAMES.index(viewer),)


class Move(NamedTuple):
    """Support points on their way from a space to another (-1: not named yet): side, and number if named."""

    side: int
    origin: int
    destination: int
    points: int


class CountryStatus(NamedTuple):
    """Status of a country: the side ahead (-1: none), its degree, and the points at stake."""

    side: int
    words: str
    worth: str


def number(name: str) -> cached_property[int]:
    """Property of a position: the number that is a part of its view."""
    return cached_property(lambda seen: seen._number(name))


def pair(name: str) -> cached_property[tuple[int, int]]:
    """Property of a position: the numbers of both sides, Democrat first, in a part of its view."""
    return cached_property(lambda seen: seen._pair(name))


def marked(name: str) -> cached_property[int]:
    """Property of a position: the entry that is marked in a part of its view, -1 for none."""
    return cached_property(lambda seen: seen._marked(name))


def cards(name: str) -> cached_property[list[int]]:
    """Property of a position: the cards in a part of its view."""
    return cached_property(lambda seen: seen._cards(name))


class ViewerPosition(ABC):
    """View of a position for ``viewer`` (``democrat``, ``communist`` or ``both``).

    Sides are 0 Democrat and 1 Communist, -1 stands for none; cards are numbers, in ascending order.
    """

    layout: ViewLayout
    """What the sides of games of this kind are given."""
    destroyed, hideout = -1, -1
    """Space destroyed by Systematization, and where the Ceausescus hide."""
    status_is_score = False
    """True where ``standing`` is what a scoring would give now."""
    move: Move | None = None
    """What is moving on the board."""

    def __init__(self, state: np.record, viewer: str):
        """Raises ``ValueError`` for another viewer."""
        self.sides = viewing_sides(viewer)
        self._views = {side: self.layout.decode(self.layout.one(state, side)) for side in self.sides}
        self.result, self.reason = int(state.result), int(state.reason)
        acting = [side for side in self.sides if self._views[side]["acting"][0]]
        self._side = acting[0] if acting else self.sides[0]
        self._view = self._views[self._side]

    # --- reading an observation by sides -------------------------------------------------------

    def _number(self, name: str) -> int:
        return int(self._view[name][0])

    def _owner(self, value: int) -> int:
        """The side meant by 1 (the viewer), -1 (the opponent) or 0 (none)."""
        return {1: self._side, -1: 1 - self._side, 0: -1}[int(value)]

    def _pair(self, name: str) -> tuple[int, int]:
        mine, theirs = (int(value) for value in self._view[name])
        return (mine, theirs) if self._side == DEMOCRAT else (theirs, mine)

    def _marked(self, name: str) -> int:
        marked = np.flatnonzero(self._view[name])
        return int(marked[0]) if len(marked) else -1

    def _cards(self, name: str, side: int | None = None) -> list[int]:
        view = self._view if side is None else self._views[side]
        return (np.flatnonzero(view[name]) + 1).tolist()

    # --- the clock and the board ---------------------------------------------------------------

    @property
    @abstractmethod
    def when(self) -> str:
        """Turn and round in words."""

    turn = number("turn")
    """1-10, 0 in the set-up."""
    round = number("round")
    """Action round, 0 before the first."""

    @property
    def phasing(self) -> int:
        """Phasing side."""
        return self._owner(1 if self._number("phasing") else -1)

    @property
    def vp(self) -> int:
        """Victory points, Democrat positive."""
        return self._number("vp") if self._side == DEMOCRAT else -self._number("vp")

    @cached_property
    def support(self) -> np.ndarray:
        """[2, S] support points."""
        pair = [self._view["my_support"].astype(int), self._view["their_support"].astype(int)]
        return np.stack(pair if self._side == DEMOCRAT else pair[::-1])

    @cached_property
    def holders(self) -> list[int]:
        """Side that controls each space."""
        return [self._owner(value) for value in self._view["control"]]

    @cached_property
    def scores(self) -> list[int]:
        """[N] VP that a scoring would give for each country now, Democrat positive."""
        states, scores = new_states(1), np.zeros(N, np.int64)
        states["support"], states["destroyed"] = self.support, self.destroyed
        _score_countries(states, scores)
        return scores.tolist()

    @abstractmethod
    def standing(self, country: int, in_full: bool) -> CountryStatus:
        """Status of a country, in full or in few words."""

    # --- cards ---------------------------------------------------------------------------------

    def hand(self, side: int) -> list[int]:
        """Cards known to lie in a hand; all of them for a viewing side."""
        return self._cards("my_hand", side) if side in self.sides else self._cards("known_theirs")

    def hand_size(self, side: int) -> int:
        """Number of cards in a hand."""
        return len(self.hand(side)) if side in self.sides else self._number("their_hand_size")

    discarded = cards("discard_pile")
    """Cards in the discard pile."""

    # --- the decision --------------------------------------------------------------------------

    @property
    def actor(self) -> int:
        """Side to decide, -1 when the game is over."""
        return -1 if self.result != Result.RUNNING else self._owner(1 if self._number("acting") else -1)

    @property
    @abstractmethod
    def decision(self) -> int:
        """Part of the pending decision that is open to the viewer."""

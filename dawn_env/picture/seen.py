"""What a viewer sees of a position, told by sides instead of mine and theirs.

All of it comes from the observations of the viewing sides, so nothing hidden from them can get into a picture; the
result of the game, which is public and no part of an observation, is the exception.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dawn_env.observation import decode, observe
from dawn_env.state import Decision, Result
from dawn_env.support.plain_text import quoted
from dawn_env.tables import COMMUNIST, DEMOCRAT, SIDE_NAMES, SIDES

BOTH = "both"
VIEWERS = (*SIDE_NAMES, BOTH)


def acting_viewer(state: np.record) -> str:
    """The side to act; both when the game is over and nothing needs to be hidden."""
    return SIDE_NAMES[state.actor] if state.result == Result.RUNNING else BOTH


def viewing_sides(viewer: str) -> tuple[int, ...]:
    """The sides whose knowledge a viewer has; raises ``ValueError``."""
    if viewer not in VIEWERS:
        raise ValueError(f"viewer: one of {', '.join(VIEWERS)} expected, not {quoted(viewer)}")
    return tuple(range(SIDES)) if viewer == BOTH else (SIDE_NAMES.index(viewer),)


@dataclass(frozen=True)
class Struggle:
    """A power struggle: ``hands`` holds copies per face for the sides whose hand is seen, else None;
    ``discarded`` copies per face too."""

    country: int
    attacker: int
    starter: int
    raised: tuple[int, int]
    staked: int
    blocked: int
    led_suit: int
    led_rank: int
    winner: int
    winning_suit: int
    hands: tuple[np.ndarray | None, np.ndarray | None]
    sizes: tuple[int, int]
    deck: int
    discarded: np.ndarray


class Seen:
    """A position as ``viewer`` (``democrat``, ``communist`` or ``both``) sees it.

    Sides are 0 Democrat and 1 Communist, -1 stands for none; cards are numbers, in ascending order.
    """

    def __init__(self, state: np.record, viewer: str):
        """Raises ``ValueError`` for another viewer."""
        self.sides = viewing_sides(viewer)
        self._views = {side: decode(observe(state, side)) for side in self.sides}
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
    def turn(self) -> int:
        """1-10, 0 in the set-up."""
        return self._number("turn")

    @property
    def round(self) -> int:
        """Action round, 0 before the first."""
        return self._number("round")

    @property
    def phasing(self) -> int:
        """Side whose action round it is."""
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
    def destroyed(self) -> int:
        """Space destroyed by Systematization."""
        return self._marked("destroyed")

    @cached_property
    def hideout(self) -> int:
        """Space where the Ceausescus hide."""
        return self._marked("hideout")

    @cached_property
    def power(self) -> list[int]:
        """Side that holds Power in each country."""
        return [self._owner(value) for value in self._view["power"]]

    @cached_property
    def times_scored(self) -> list[int]:
        """How often the Communist has scored for Power in each country."""
        return self._view["times_scored"].tolist()

    # --- the tracks ----------------------------------------------------------------------------

    @property
    def ussr(self) -> int:
        """Step of the USSR Stability Track, 0-4."""
        return self._number("ussr")

    @property
    def track(self) -> tuple[int, int]:
        """Boxes of the sides on the Tiananmen Square Track, 0-8."""
        return self._pair("track")

    @property
    def tried_box(self) -> tuple[int, int]:
        """Whether the sides have failed to enter their next box."""
        return self._pair("tried_box")

    @property
    def tried_turn(self) -> tuple[int, int]:
        """Whether the sides have used the attempt of this turn."""
        return self._pair("tried_turn")

    @property
    def used_awards(self) -> tuple[int, ...]:
        """Boxes of the awards that are used up in this turn."""
        return tuple(box for box in (7, 8) if self._number(f"award{box}_used"))

    # --- strategy cards ------------------------------------------------------------------------

    def hand(self, side: int) -> list[int]:
        """Cards known to lie in a hand; all of them for a viewing side."""
        if side in self.sides:
            return self._cards("my_hand", side)
        return self._cards("known_theirs")

    def hand_size(self, side: int) -> int:
        """Number of cards in a hand."""
        return len(self.hand(side)) if side in self.sides else self._number("their_hand_size")

    def shown(self, side: int) -> list[int]:
        """Cards of a side that its opponent knows."""
        return self._cards("known_mine", side) if side in self.sides else self.hand(side)

    @property
    def set_aside(self) -> list[int]:
        """Card set aside by Samizdat, if the viewer sees it."""
        return self._cards("set_aside", DEMOCRAT) if DEMOCRAT in self.sides else []

    @property
    def any_set_aside(self) -> bool:
        """Whether a card is set aside by Samizdat."""
        return bool(self._number("any_set_aside"))

    def drawn(self, side: int) -> list[int]:
        """Cards drawn to choose from (third Tiananmen award), if the viewer sees them."""
        return self._cards("drawn", side) if side in self.sides else []

    @property
    def in_play(self) -> list[int]:
        """Cards of lasting events."""
        return self._cards("in_play")

    @property
    def resolving(self) -> list[int]:
        """Cards being played."""
        return self._cards("resolving")

    @property
    def discarded(self) -> list[int]:
        """Cards in the discard pile."""
        return self._cards("discard_pile")

    @property
    def removed(self) -> list[int]:
        """Cards removed from the game."""
        return self._cards("removed")

    @property
    def future(self) -> list[int]:
        """Cards in decks that have not been added yet."""
        return self._cards("future")

    @property
    def piles(self) -> tuple[int, int, int]:
        """Cards in the draw pile and the discard pile, and removed."""
        return self._number("draw_pile_size"), self._number("discard_pile_size"), len(self._cards("removed"))

    # --- lasting conditions --------------------------------------------------------------------

    @property
    def stasi_card(self) -> int:
        """Card announced under Stasi, 0: none."""
        return self._marked("stasi_card") + 1

    @property
    def prudence(self) -> tuple[int, int]:
        """Change of ops values by Prudence."""
        return self._pair("prudence")

    @property
    def stand_fast(self) -> int:
        """Side protected by Stand Fast."""
        return self._owner(self._number("stand_fast"))

    @property
    def debt_burden(self) -> int:
        """Country named with Foreign Currency Debt Burden."""
        return self._marked("debt_burden")

    @property
    def ceausescu_due(self) -> bool:
        """Whether the end of the round tests Ceausescu's event."""
        return bool(self._number("ceausescu_due"))

    # --- the struggle and the decision ---------------------------------------------------------

    @cached_property
    def struggle(self) -> Struggle | None:
        """The power struggle that is fought."""
        if self._marked("struggle") < 0:
            return None
        return Struggle(
            country=self._marked("struggle"),
            attacker=self._owner(1 if self._number("attacking") else -1),
            starter=self._owner(1 if self._number("started") else -1),
            raised=self._pair("raised"),
            staked=self._number("staked"),
            blocked=self._marked("blocked"),
            led_suit=self._marked("led_suit"),
            led_rank=self._number("led_rank"),
            winner=self._owner(self._number("struggle_won")),
            winning_suit=self._marked("winning_suit"),
            hands=(self._power_hand(DEMOCRAT), self._power_hand(COMMUNIST)),
            sizes=self._pair("power_hand_size"),
            deck=self._number("power_deck_size"),
            discarded=self._view["power_discard"],
        )

    def _power_hand(self, side: int) -> np.ndarray | None:
        if side in self.sides:
            return self._views[side]["my_power_hand"]
        hand = self._view["their_power_hand"]
        return hand if hand.any() else None

    @property
    def actor(self) -> int:
        """Side to decide, -1 when the game is over."""
        return -1 if self.result != Result.RUNNING else self._owner(1 if self._number("acting") else -1)

    @property
    def decision(self) -> int:
        """Pending decision as far as the viewer may know it."""
        return max(self._marked("decision"), Decision.NONE)

    @property
    def source(self) -> int:
        """Card, award or operation that is being carried out, 0: none."""
        return max(self._marked("source"), 0)

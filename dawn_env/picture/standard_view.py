"""View of a standard-game position, and of the bid before it."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dawn_env.bids import is_bid
from dawn_env.observation.parts import BID_DECISIONS
from dawn_env.observation.view_layouts import BID_LAYOUT, STANDARD_LAYOUT
from dawn_env.picture.viewer_position import CountryStatus, ViewerPosition, cards, marked, number, pair
from dawn_env.state import Decision
from dawn_env.tables import COMMUNIST, CONTROL, DEMOCRAT, DOMINATION, POWER_VALUE, PRESENCE, SIDE_LETTERS, SIDE_NAMES


@dataclass(frozen=True)
class Struggle:
    """A power struggle: ``hands`` holds copies per face for sides with a visible hand, else None;
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


@dataclass(frozen=True)
class Bid:
    """A bid: the first (0) or second player (1) who decides, the decision (``NONE`` once the sides are given out), and
    by player the side and points that they offer, as far as they are seen: points are None while they are named."""

    player: int
    decision: int
    offers: tuple[tuple[int, int | None] | None, ...]


class StandardPosition(ViewerPosition):
    """Position of the standard game from the view of one viewer.

    Until sides are known, the first player has the place of the Democrat, the second the other.
    """

    layout = STANDARD_LAYOUT

    def __init__(self, state: np.record, viewer: str):
        """Raises ``ValueError`` for another viewer."""
        super().__init__(state, viewer)
        self.bid = _bid(state, self.sides) if state.bid else None
        self.is_bidding = bool(is_bid(state.decision))

    # --- the clock and the board ---------------------------------------------------------------

    @property
    def when(self) -> str:
        """Turn and action round in words."""
        if self.is_bidding:
            return "bid for sides"
        return "set-up" if self.turn == 0 else f"turn {self.turn}, round {self.round}"

    @property
    def phasing(self) -> int:
        """Phasing side, -1 outside action rounds."""
        return -1 if self.is_bidding else super().phasing

    def standing(self, country: int, in_full: bool) -> CountryStatus:
        """Holder of Power, number of the Communist's scorings, and the value of a scoring."""
        holder, scored = self.power[country], self.times_scored[country]
        words = f"Power {SIDE_NAMES[holder].capitalize() if in_full else SIDE_LETTERS[holder]}"
        if scored or (in_full and holder == COMMUNIST):
            words += f", scored {scored}×"
        worth = f"{PRESENCE[country]}/{DOMINATION[country]}/{CONTROL[country]} · {POWER_VALUE[country]}"
        return CountryStatus(holder, words, worth)

    destroyed = marked("destroyed")
    """Space destroyed by Systematization."""
    hideout = marked("hideout")
    """Space where the Ceausescus hide."""

    @cached_property
    def power(self) -> list[int]:
        """Side that holds Power in each country."""
        return [self._owner(value) for value in self._view["power"]]

    @cached_property
    def times_scored(self) -> list[int]:
        """Number of the Communist's scorings of Power in each country."""
        return self._view["times_scored"].tolist()

    # --- the tracks ----------------------------------------------------------------------------

    ussr = number("ussr")
    """Step of the USSR Stability Track, 0-4."""
    track = pair("track")
    """Boxes of the sides on the Tiananmen Square Track, 0-8."""
    tried_box = pair("tried_box")
    """1 for a side that has failed to enter its next box."""
    tried_turn = pair("tried_turn")
    """1 for a side that has used the attempt of this turn."""

    @property
    def used_awards(self) -> tuple[int, ...]:
        """Boxes of the awards that are used up in this turn."""
        return tuple(box for box in (7, 8) if self._number(f"award{box}_used"))

    # --- strategy cards ------------------------------------------------------------------------

    def shown(self, side: int) -> list[int]:
        """Cards in the hand of a side that are known to its opponent; for a hidden hand, those known to the viewer."""
        return self._cards("known_mine", side) if side in self.sides else self.hand(side)

    @property
    def set_aside(self) -> list[int]:
        """Card set aside by Samizdat, if visible to the viewer."""
        return self._cards("set_aside", DEMOCRAT) if DEMOCRAT in self.sides else []

    any_set_aside = number("any_set_aside")
    """1 if a card is set aside by Samizdat."""

    def drawn(self, side: int) -> list[int]:
        """Cards drawn to choose from (third Tiananmen award), if visible to the viewer."""
        return self._cards("drawn", side) if side in self.sides else []

    in_play = cards("in_play")
    """Cards of lasting events."""
    resolving = cards("resolving")
    """Cards being played."""
    removed = cards("removed")
    """Cards removed from the game."""
    future = cards("future")
    """Cards of later periods, which are not in the draw pile yet."""

    @property
    def piles(self) -> tuple[int, int, int]:
        """Cards in the draw pile and the discard pile, and removed."""
        return self._number("draw_pile_size"), self._number("discard_pile_size"), len(self._cards("removed"))

    # --- lasting conditions --------------------------------------------------------------------

    @property
    def stasi_card(self) -> int:
        """Card announced under Stasi, 0: none."""
        return self._marked("stasi_card") + 1

    prudence = pair("prudence")
    """Change of ops values by Prudence."""

    @property
    def stand_fast(self) -> int:
        """Side protected by Stand Fast."""
        return self._owner(self._number("stand_fast"))

    debt_burden = marked("debt_burden")
    """Country named with Foreign Currency Debt Burden."""
    ceausescu_due = number("ceausescu_due")
    """1 if the event of Ceausescu (41) is checked at the end of this round, else 0."""

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
            hands=(self.power_hand(DEMOCRAT), self.power_hand(COMMUNIST)),
            sizes=self._pair("power_hand_size"),
            deck=self._number("power_deck_size"),
            discarded=self._view["power_discard"],
        )

    def power_hand(self, side: int) -> np.ndarray | None:
        """Copies per face of a struggle hand, None where it is not seen."""
        if side in self.sides:
            return self._views[side]["my_power_hand"]
        hand = self._view["their_power_hand"]
        return hand if hand.any() else None

    @property
    def decision(self) -> int:
        """Part of the pending decision that is open to the viewer."""
        return max(self._marked("decision"), Decision.NONE)

    @property
    def source(self) -> int:
        """Card, award or operation that is being carried out, 0: none."""
        return max(self._marked("source"), 0)


def _bid(state: np.record, sides: tuple[int, ...]) -> Bid:
    """View of the bid for the players at ``sides``; each sees their own offer."""
    views = [BID_LAYOUT.decode(BID_LAYOUT.one(state, side)) for side in sides]
    decided = np.flatnonzero(views[0]["bid_decision"])
    decision = BID_DECISIONS[decided[0]] if decided.size else Decision.NONE
    theirs = _offer(views[0], "their", False)
    offers = [theirs, theirs]
    for view in views:
        naming = decision == Decision.OFFER_POINTS and view["bid_acting"][0]
        offers[_player(view)] = _offer(view, "my", naming)
    player = _player(views[0])
    return Bid(player if views[0]["bid_acting"][0] else 1 - player, decision, tuple(offers))


def _player(view: dict[str, np.ndarray]) -> int:
    return 0 if view["first"][0] else 1


def _offer(view: dict[str, np.ndarray], whose: str, naming: bool) -> tuple[int, int | None] | None:
    """An offer, once a side has been named."""
    side = np.flatnonzero(view[f"{whose}_offer_side"])
    return (int(side[0]), None if naming else int(view[f"{whose}_offer_points"][0])) if side.size else None

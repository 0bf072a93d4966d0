"""View of a position of family mode."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dawn_env.observation.parts import FAMILY_DECISIONS
from dawn_env.observation.view_layouts import FAMILY_LAYOUT
from dawn_env.picture.viewer_position import CountryStatus, Move, ViewerPosition, number, pair
from dawn_env.state import Decision
from dawn_env.tables import (
    COMMUNIST,
    CONTROL,
    DEMOCRAT,
    DOMINATION,
    OWNER,
    PRESENCE,
    SIDE_LETTERS,
    SIDE_NAMES,
    STABILITY,
)


@dataclass(frozen=True)
class Fight:
    """The fight of a take-over: sums by attacker and defender, the dice and what holds the space in them, and the
    face that the attacker has added (-1: none)."""

    attack: int
    defence: int
    attack_die: int
    defence_die: int
    points: int
    stability: int
    face: int


class FamilyPosition(ViewerPosition):
    """Position of family mode from the view of one viewer."""

    layout = FAMILY_LAYOUT
    status_is_score = True

    # --- the clock and the board ---------------------------------------------------------------

    @property
    def when(self) -> str:
        """Turn, and round or placement phase, in words."""
        return f"turn {self.turn}, " + (f"round {self.round}" if self.round else "placement")

    def standing(self, country: int, in_full: bool) -> CountryStatus:
        """Result of the scoring at the end of the turn, and the values of Presence, Domination and Control."""
        score = self.scores[country]
        side = DEMOCRAT if score > 0 else COMMUNIST if score < 0 else -1
        names = SIDE_NAMES if in_full else SIDE_LETTERS
        words = f"{names[side].capitalize()} +{abs(score)}" if score else "even"
        return CountryStatus(side, words, f"{PRESENCE[country]}/{DOMINATION[country]}/{CONTROL[country]}")

    # --- cards ---------------------------------------------------------------------------------

    decks = pair("deck_size")
    """Strategy cards that each side has left to draw."""

    @property
    def discards(self) -> tuple[int, int]:
        """Strategy cards that each side has discarded."""
        owners = [int(OWNER[card]) for card in self.discarded]
        return owners.count(DEMOCRAT), owners.count(COMMUNIST)

    power_sizes = pair("power_hand_size")
    """Struggle cards in each hand."""
    power_deck = number("power_deck_size")
    """Struggle cards left to draw."""

    @property
    def power_discarded(self) -> np.ndarray:
        """Copies per face of the struggle cards that have been discarded."""
        return self._view["power_discard"]

    def power_hand(self, side: int) -> np.ndarray:
        """Copies per face of a struggle hand: all of a viewing side's, else those that follow by counting."""
        if side in self.sides:
            return self._views[side]["my_power_hand"]
        return self._view["their_power_known"]

    # --- the decision --------------------------------------------------------------------------

    @property
    def decision(self) -> int:
        """Pending decision."""
        at = self._marked("decision")
        return int(FAMILY_DECISIONS[at]) if at >= 0 else Decision.NONE

    @property
    def placing(self) -> int:
        """Support points of the card that is being placed, 0: none."""
        return 0 if self.round else self._number("points")

    @cached_property
    def move(self) -> Move | None:
        """The shift or take-over in progress."""
        origin = self._marked("origin")
        if origin < 0:
            return None
        return Move(self.phasing, origin, self._marked("destination"), self._number("points"))

    @property
    def is_take_over(self) -> bool:
        """Return True if points move to a space that their side does not control."""
        return self.move is not None and self.move.destination >= 0 and self._target_holder != self.move.side

    @property
    def _target_holder(self) -> int:
        return self.holders[self.move.destination]

    @property
    def fight(self) -> Fight | None:
        """The fight of a take-over, once dice have been rolled."""
        attack, defence = self._number("attack"), self._number("defence")
        if not attack:
            return None
        space, defender = self.move.destination, 1 - self.move.side
        held = self._target_holder == defender
        points, stability = (int(self.support[defender, space]), int(STABILITY[space])) if held else (0, 0)
        return Fight(
            attack, defence, attack - self.move.points, defence - points - stability,
            points, stability, self._marked("attack_face"),
        )  # fmt: skip

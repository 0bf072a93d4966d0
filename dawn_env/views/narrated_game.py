"""Game that keeps for each seat the events since its latest decision, for players by text or JSON."""

from collections.abc import Mapping
from typing import Any

from dawn_env.actions import ACTIONS
from dawn_env.events import EventObserver
from dawn_env.game import Game
from dawn_env.observation.player_view import View
from dawn_env.options import GameOptions
from dawn_env.tables import SIDE_NAMES, SIDES
from dawn_env.views.view_text import MEDIUM


class NarratedGame:
    """A ``game`` with the events that each seat has seen since its latest decision.

    Seats are 0 Democrat, 1 Communist; in games with a bid the first and the second player. ``heard``: events by seat.
    """

    def __init__(self, seed: int = 0, options: GameOptions | Mapping | None = None):
        """Arguments as for ``Game``."""
        self.game = Game(seed, options)
        self.heard: list[list[dict[str, Any]]] = [[] for _ in range(SIDES)]
        self._observers = [EventObserver(seat) for seat in range(SIDES)]

    @property
    def seat(self) -> int:
        """The seat to decide."""
        return self._swapped(self.game.actor)

    @property
    def winner(self) -> int | None:
        """The seat that has won; None for a draw, and while the game goes on."""
        sides = [side for side, name in enumerate(SIDE_NAMES) if name == self.game.result]
        return self._swapped(sides[0]) if sides else None

    def _swapped(self, side: int) -> int:
        """Convert a side to its seat, or a seat to its side; they differ once a bid has exchanged the sides."""
        return side ^ int(self.game.state.swapped)

    def step(self, action: int | str) -> None:
        """Take a legal action, as ``Game.step``, and keep the events that each seat sees."""
        number, seat, before = self.game.check(action), self.seat, self.game.copy()
        self.game.step(number)
        self.heard[seat] = []
        for seen, observer in zip(self.heard, self._observers, strict=True):
            seen += observer.see(before, self.game, ACTIONS[number])

    def view(self, seat: int) -> View:
        """View of a seat."""
        return self.game.view(self._swapped(seat))

    def facts(self, seat: int) -> dict[str, Any]:
        """``View.facts`` of a seat, with what it has heard."""
        return self.view(seat).facts(self.heard[seat])

    def text(self, seat: int, detail: str = MEDIUM) -> str:
        """``View.text`` of a seat, with what it has heard; raises ``ValueError`` for another detail."""
        return self.view(seat).text(detail, self.heard[seat])

"""Game of a caller, who sits at one seat and sees that side's view only, against a player."""

from collections.abc import Mapping
from contextlib import suppress
from threading import Lock
from typing import Any

from dawn_env.actions import ACTIONS
from dawn_env.errors import GameOver, IllegalAction
from dawn_env.events.narration import event_lines
from dawn_env.events.wording import outcome_words
from dawn_env.formats.game_record import record_from_actions
from dawn_env.host.host import FORFEIT
from dawn_env.host.host_answers import failure_text
from dawn_env.host.seated_player import SeatedPlayer
from dawn_env.observation.player_view import View
from dawn_env.options import STANDARD, GameOptions
from dawn_env.players import Player
from dawn_env.tables import SIDE_LETTERS, SIDE_NAMES
from dawn_env.views.narrated_game import NarratedGame

CALLER = "caller"
"""Name of the caller in records."""
RESIGNED = "resignation"


class HostedGame:
    """One game without a bid; to be used by one thread at a time, which holds its ``lock``.

    ``result``: ``running``, ``democrat``, ``communist`` or ``draw``; ``failure``: why the opponent has forfeited.
    """

    def __init__(self, seed: int, side: int, opponent: Player, options: GameOptions = STANDARD):
        """``side``: 0 Democrat, 1 Communist, of the caller; the opponent decides until the caller is asked."""
        self._told, self.side, self.lock, self.failure = NarratedGame(seed, options), side, Lock(), ""
        self.game = self._told.game
        self._seed, self._opponent = seed, SeatedPlayer(opponent, self.game.copy(), 1 - side)
        self._ended: tuple[str, str] | None = None  # result and reason, of a game that was not played to its end
        self._decisions: list[str] = []
        self._closed = False
        self._go_on()

    @property
    def result(self) -> str:
        """``running``, or who has won."""
        return self._ended[0] if self._ended else self.game.result

    @property
    def over(self) -> bool:
        """Return True if the game has ended."""
        return self.result != "running"

    @property
    def ended_early(self) -> bool:
        """Return True if it was resigned or forfeited."""
        return self._ended is not None

    @property
    def view(self) -> View:
        """The view of the caller's side."""
        return self._told.view(self.side)

    def facts(self) -> dict[str, Any]:
        """``View.facts`` with the events since the caller's latest decision."""
        return self._told.facts(self.side)

    def text(self, detail: str) -> str:
        """``View.text`` with these events; the end alone of a game that was resigned or forfeited."""
        end = f"The game is over. {self.outcome()}." if self.over else ""
        return end if self._ended else "\n".join(filter(None, [self._told.text(self.side, detail), end]))

    def act(self, action: str) -> None:
        """Take a decision of the caller, and then those of the opponent; raises ``IllegalAction`` and ``GameOver``."""
        if self.over:
            raise GameOver(f"the game is over: {self.outcome()}")
        if self.game.actor != self.side:
            raise IllegalAction("your opponent is to decide")
        self._step(self.game.check(action))
        self._go_on()

    def resign(self) -> None:
        """End the game as lost; raises ``GameOver``."""
        if self.over:
            raise GameOver(f"the game is over: {self.outcome()}")
        self._end_early(SIDE_NAMES[1 - self.side], RESIGNED)

    def outcome(self) -> str:
        """Words for the end of the game."""
        told = outcome_words(self._facts_of_end(), self.side)
        return f"{told} ({self.failure})" if self.failure else told

    def happened(self) -> list[str]:
        """Words for the events since the caller's latest decision."""
        return [line.strip() for line in event_lines(self._told.heard[self.side])]

    def record(self) -> dict[str, Any]:
        """Record of the game, which tells all that was hidden; raises ``IllegalAction`` while it is running."""
        if not self.over:
            raise IllegalAction("the game is running; its record tells all hidden cards and can be had once it is over")
        names = {SIDE_LETTERS[self.side]: CALLER, SIDE_LETTERS[1 - self.side]: self._opponent.player.name}
        return record_from_actions(self._seed, self._decisions, self.game.options, names)

    def close(self) -> None:
        """Close the opponent."""
        if not self._closed:
            self._closed = True
            self._opponent.player.close()

    # --- moving ------------------------------------------------------------------------------------

    def _step(self, number: int) -> None:
        self._told.step(number)
        self._decisions.append(ACTIONS[number])

    def _go_on(self) -> None:
        """Play the opponent's decisions until the caller is asked or the game is over."""
        try:
            self._opponent.begin(1 - self.side)
            while not self.game.over and self.game.actor != self.side:
                self._step(self.game.check(self._opponent.answer(self.game.view(), self._decisions)))
        except (Exception, SystemExit) as error:  # whatever the player does
            self.failure = failure_text(error)
            self._end_early(SIDE_NAMES[self.side], FORFEIT)
        else:
            if self.game.over:
                self._tell_end()

    def _end_early(self, winner: str, reason: str) -> None:
        self._ended = winner, reason
        self._tell_end()

    def _tell_end(self) -> None:
        with suppress(Exception, SystemExit):  # what goes wrong after a game costs nothing
            self._opponent.end(self._facts_of_end(), self._decisions)
        self.close()

    def _facts_of_end(self) -> Mapping[str, Any]:
        result, reason = self._ended or (self.game.result, self.game.reason)
        return {"result": result, "reason": reason, "vp": self.game.vp}

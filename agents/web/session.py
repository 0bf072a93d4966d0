"""One game at a table for two: what was done, what each side was told, taking back, giving up.

All of it follows from the game's seed and its journal, so a session is made anew from them at any time.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from agents.terminal.narration import Narrator, asked_in_secret
from agents.terminal.table import learns_nothing
from agents.web.position import ask, describe, draw_map, outcome, seen_by, values_in_hand
from dawn_env.actions import ACTIONS
from dawn_env.errors import GameOver, IllegalAction
from dawn_env.game import Game
from dawn_env.options import GameOptions
from dawn_env.tables import SIDE_NAMES, SIDES

HUMAN = "human"
UNDO, RESIGN, FORFEIT = "undo", "resign", "forfeit"
"""Entries of a journal that are no actions."""

_SURRENDERS = {RESIGN: "resignation", FORFEIT: "forfeit"}


@dataclass(frozen=True)
class Setting:
    """What a game begins from: its seed and options, who plays (Democrat, Communist), actions taken beforehand."""

    seed: int
    options: GameOptions
    players: tuple[str, str]
    opening: tuple[str, ...] = ()


class Session:
    """A game in progress. Sides are 0 Democrat and 1 Communist.

    ``journal``: pairs of a side and what it did, to be kept by the caller. ``decisions``: the actions in force.
    """

    def __init__(self, setting: Setting, journal: Iterable[tuple[int, str]] = ()):
        """Raises ``DawnError`` when the game does not allow what the journal says."""
        self.setting = setting
        self.journal: list[tuple[int, str]] = []
        self.ended: dict | None = None
        self._begin(setting.opening)
        for side, text in journal:
            self.enter(side, text)

    def _begin(self, decisions: Iterable[str]) -> None:
        self.game = Game(self.setting.seed, self.setting.options)
        self.decisions: list[str] = []
        self.logs: tuple[list, list] = ([], [])
        self._narrators = tuple(Narrator(side) for side in range(SIDES))
        self._marks = [self.game.copy() for _ in range(SIDES)]  # before each side's latest decision
        self._before: tuple[Game, int] | None = None  # the latest decision: where it was taken, and which
        for text in decisions:
            self._step(text)

    # --- what is done ------------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        """Whether the game has ended, by the rules or because a side gave up."""
        return self.game.over or self.ended is not None

    @property
    def outcome(self) -> dict | None:
        """``result`` and ``reason`` once the game is over, None before."""
        return self.ended or outcome(self.game.state)

    @property
    def actor(self) -> int:
        """Side to decide, -1 when the game is over."""
        return -1 if self.over else self.game.actor

    def enter(self, side: int, text: str) -> None:
        """Do what ``side`` wants: an action, ``UNDO``, ``RESIGN`` or ``FORFEIT``.

        Raises ``GameOver`` and ``IllegalAction`` (not this side's turn, not legal, nothing to take back); then
        nothing has changed.
        """
        if self.over:
            raise GameOver("the game is over")
        if text in _SURRENDERS:
            self.ended = {"result": SIDE_NAMES[1 - side], "reason": _SURRENDERS[text]}
        elif side != self.game.actor:
            raise IllegalAction("it is the other side's turn")
        elif text == UNDO:
            if not self.can_undo(side):
                raise IllegalAction("nothing can be taken back: you may have learnt something since your last decision")
            self._begin(self.decisions[:-1])
        else:
            self._step(text)
        self.journal.append((side, text))

    def _step(self, text: str) -> None:
        before, number = self.game.copy(), self.game.check(text)
        self.game.step(number)
        self._before = before, number
        self._marks[before.actor] = before
        self.decisions.append(ACTIONS[number])
        heading = [before.state.turn.item(), before.state.action_round.item(), before.state.phasing.item()]
        for side, narrator in enumerate(self._narrators):
            if lines := narrator.tell(before, self.game, ACTIONS[number]):
                self.logs[side].append([heading, lines])

    def can_undo(self, side: int) -> bool:
        """Whether a side may take back the latest decision: its own, by which it has learnt nothing."""
        if self.over or self._before is None or len(self.decisions) <= len(self.setting.opening):
            return False
        before, number = self._before
        return before.actor == side == self.game.actor and learns_nothing(before, self.game, number)

    # --- what a side is told -------------------------------------------------------------------------

    def count(self, side: int) -> int:
        """How often a side has done something: what it sends must be about this state."""
        return sum(who == side for who, _ in self.journal)

    def waits_in_secret(self, side: int) -> bool:
        """Whether the other side is asked something of which ``side`` must not know: it is sent nothing meanwhile."""
        return not self.over and asked_in_secret(self.game, side)

    def tell(self, side: int, layout: str, told: int = 0) -> dict:
        """The message to a side: what it sees, what it is asked, and its log behind the first ``told`` entries.

        It depends on what the side sees, has seen and has done alone. ``layout``: see ``position.LAYOUTS``.
        """
        state, told = self.game.state, min(told, len(self.logs[side]))
        seen, before = seen_by(state, side), seen_by(self._marks[side].state, side)
        message = {
            "type": "state",
            "side": side,
            "players": list(self.setting.players),
            "at": self.count(side),
            **describe(seen),
            "values": values_in_hand(state, side, seen.hand(side) + seen.drawn(side)),
            "map": draw_map(seen, before, layout),
            "told": told,
            "log": self.logs[side][told:],
            "over": self.outcome,
            "ask": ask(state) if self.actor == side else None,
            "undo": self.can_undo(side),
        }
        return message | ({"actor": -1} if self.over else {})

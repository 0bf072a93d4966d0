"""One game of two seats: messages, logs of each side, taking back, resigning.

All of it follows from the game's seed and its journal, so a session is made anew from them at any time.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from dawn_agents.frontends.terminal.undoable_game import HUMAN, is_undoable
from dawn_agents.frontends.web.position_messages import (
    ask,
    changes,
    describe_for,
    describe_openly,
    moments_back,
    outcome,
    seen_openly,
)
from dawn_env.actions import ACTIONS
from dawn_env.bids import is_bid
from dawn_env.errors import GameOver, IllegalAction
from dawn_env.events import PUBLIC, EventObserver, asked_in_secret
from dawn_env.events.board_changes import Event
from dawn_env.game import Game
from dawn_env.options import GameOptions
from dawn_env.tables import SIDE_NAMES, SIDES

UNDO, RESIGN, FORFEIT, PRACTICE = "undo", "resign", "forfeit", "practice"
"""Entries of a journal that are no actions."""
BIDDERS = ("first", "second")
"""The seats of a game with a bid."""

_SURRENDERS = {RESIGN: "resignation", FORFEIT: "forfeit"}


def seat_names(options: GameOptions) -> tuple[str, str]:
    """Names of the seats of a game."""
    return BIDDERS if options.bid else SIDE_NAMES


@dataclass(frozen=True)
class Setting:
    """Start of a game: seed, options, players of both seats, actions taken beforehand.

    ``position``: as of ``Game.to_json``, where the game does not begin with its set-up; then it has the generator too.
    Seats are those of the Democrat and the Communist, in games with a bid of the first and the second player.
    """

    seed: int
    options: GameOptions
    players: tuple[str, str]
    opening: tuple[str, ...] = ()
    position: str = ""

    def game(self) -> Game:
        """The game before any action; raises ``MalformedPosition``."""
        return Game.from_json(self.position) if self.position else Game(self.seed, self.options)


class _Shown(NamedTuple):
    """Latest position shown to a viewer: the game, the game before its changes, entries of the log."""

    game: Game
    before: Game
    told: int


class Session:
    """Game in progress. Seats are 0 and 1 (``Setting``), sides 0 Democrat and 1 Communist.

    ``journal``: pairs of a seat and what was done there, to be kept by the caller. ``decisions``: the actions in force.
    ``practice``: whether every decision may be taken back; ``freely_undone``: how often that was done beyond the rule.
    """

    def __init__(self, setting: Setting, journal: Iterable[tuple[int, str]] = ()):
        """Raises ``DawnError`` when the game does not allow what the journal says."""
        self.setting = setting
        self._readers = {seat for seat, player in enumerate(setting.players) if player == HUMAN}  # of logs
        self._replay(journal)

    def _replay(self, journal: Iterable[tuple[int, str]]) -> None:
        self.journal: list[tuple[int, str]] = []
        self.ended: dict | None = None
        self.practice = False
        self.freely_undone = 0
        self._begin(self.setting.opening)
        for seat, text in journal:
            self.enter(seat, text)

    def drop_latest(self) -> None:
        """Make the latest entry of the journal undone, whatever it was."""
        self._replay(self.journal[:-1])

    def _begin(self, decisions: Iterable[str]) -> None:
        self.game = self.setting.game()
        self.decisions: list[str] = []
        self._seats: list[int] = []  # that took them
        self._observers = {seat: EventObserver(seat) for seat in self._readers}
        self.logs: dict[int, list[Event]] = {seat: [] for seat in self._observers}
        self._moments: dict[int, list[np.record]] = {seat: [] for seat in self._observers}
        """Positions at the events since the latest decision at each seat, the last ones of its log."""
        self._marks = [self.game.copy() for _ in range(SIDES)]  # before the latest decision at each seat
        self._shown = {viewer: _Shown(self.game.copy(), self.game.copy(), 0) for viewer in (*range(SIDES), PUBLIC)}
        self._before: tuple[Game, int] | None = None  # the latest decision: where it was taken, and which
        for text in decisions:
            self._step(text)

    # --- what is done ------------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        """Return True if the game has ended, by the rules or because a side gave up."""
        return self.game.over or self.ended is not None

    @property
    def outcome(self) -> dict | None:
        """``result`` and ``reason`` once the game is over, None before."""
        return self.ended or outcome(self.game.state)

    @property
    def actor(self) -> int:
        """Seat to decide, -1 when the game is over."""
        return -1 if self.over else self.side_of(self.game.actor)

    @property
    def bidding(self) -> bool:
        """Return True if the sides are not given out yet; until then the seats stand for them."""
        return bool(is_bid(self.game.state.decision))

    def side_of(self, seat: int) -> int:
        """The side of a seat, and the seat of a side."""
        return seat ^ int(self.game.state.swapped)

    @property
    def players(self) -> list[str]:
        """Players by side."""
        return [self.setting.players[self.side_of(side)] for side in range(SIDES)]

    def enter(self, seat: int, text: str) -> None:
        """Take an action for a seat, or fulfil its wish: ``UNDO``, ``RESIGN``, ``FORFEIT`` or ``PRACTICE``.

        Raises ``GameOver`` and ``IllegalAction`` (not its turn, not legal, nothing to take back or to give up); then
        nothing has changed.
        """
        if self.over:
            raise GameOver("the game is over")
        if text in _SURRENDERS:
            self._surrender(seat, text)
        elif text == PRACTICE:
            self._begin_practice(seat)
        elif seat != self.actor:
            raise IllegalAction("nothing is asked of this side now")
        elif text == UNDO:
            if not self.can_undo(seat):
                raise IllegalAction("nothing can be taken back: you may have learnt something since your last decision")
            self.freely_undone += not self._taught_nothing(seat)
            self._begin(self.decisions[: self._latest(seat)])
        else:
            self._step(text)
        self.journal.append((seat, text))

    def _surrender(self, seat: int, text: str) -> None:
        if text == RESIGN and self.bidding:
            raise IllegalAction("there is nothing to resign before the sides are given out")
        self.ended = {"result": SIDE_NAMES[1 - self.side_of(seat)], "reason": _SURRENDERS[text]}

    def _begin_practice(self, seat: int) -> None:
        if self.setting.players[1 - seat] == HUMAN:
            raise IllegalAction("practice is for games against players that are no people")
        if self.practice:
            raise IllegalAction("this is a practice game already")
        self.practice = True

    def _step(self, text: str) -> None:
        self._seats.append(self.actor)
        before, number, bidding = self.game.copy(), self.game.check(text), self.bidding
        self._marks[self.actor] = before
        self._moments[self.actor] = []
        self.game.step(number)
        self._before = before, number
        if bidding:  # there was no board before
            self._marks = [self.game.copy() for _ in range(SIDES)]
        self.decisions.append(ACTIONS[number])
        for seat, observer in self._observers.items():
            self.logs[seat] += observer.see(before, self.game, ACTIONS[number])
            self._moments[seat] += observer.moments if seat != PUBLIC else []
        self._show(self.game.copy())

    def _show(self, now: Game) -> None:
        """Show this moment to the viewers, except those from which its question is secret."""
        for viewer, shown in self._shown.items():
            if not self._asked_in_secret(viewer):
                before = shown.game if viewer == PUBLIC else self._marks[viewer]
                self._shown[viewer] = _Shown(now, before, len(self.logs.get(viewer, ())))

    def can_undo(self, seat: int) -> bool:
        """Return True if the latest decision of a seat may be taken back: one by which it has learnt nothing, and that
        nobody has answered; in practice any."""
        if self.over or self._latest(seat) < len(self.setting.opening):
            return False
        return self._taught_nothing(seat) or (self.practice and self.actor == seat)

    def _latest(self, seat: int) -> int:
        """Number of the latest decision of a seat, -1 where there is none."""
        return max((number for number, who in enumerate(self._seats) if who == seat), default=-1)

    def _taught_nothing(self, seat: int) -> bool:
        if self._before is None:
            return False
        before, number = self._before
        return before.actor == self.game.actor == self.side_of(seat) and is_undoable(before, self.game, number)

    # --- what a seat is told -------------------------------------------------------------------------

    def count(self, seat: int) -> int:
        """Number of changes at a seat; messages must carry the present one."""
        return sum(who == seat for who, _ in self.journal)

    def waits_in_secret(self, seat: int) -> bool:
        """Return True if the pending question is hidden from ``seat``, which is shown the position before it."""
        return not self.over and self._asked_in_secret(seat)

    def _asked_in_secret(self, seat: int) -> bool:
        return asked_in_secret(self.game, PUBLIC if seat == PUBLIC else self.side_of(seat))

    def tell(self, seat: int) -> dict:
        """Message to a seat: view of its side, pending question, and its events.

        It depends on what was seen and done there alone; while a question is secret from the seat, on the moment before
        it. ``seat``: ``PUBLIC`` for those who watch.
        """
        if seat not in self._readers:  # nobody has asked for that log so far
            self._readers.add(seat)
            self._begin(self.decisions)
        shown, log = self._shown[seat], self.logs[seat]
        state = shown.game.state
        message = {"type": "state", "players": self.players, "log": log[: shown.told], "over": self.outcome}
        if seat == PUBLIC:
            message |= describe_openly(state, self.over)
            message["changes"] = changes(seen_openly(state), seen_openly(shown.before.state))
        else:
            message |= describe_for(state, self.side_of(seat), shown.before.state)
            message["moments"] = moments_back(self._moments[seat], seat, message)
            question = ask(state) if self.actor == seat else None
            message |= {"at": self.count(seat), "ask": question, "undo": self.can_undo(seat), "practice": self.practice}
        return message | ({"actor": -1} if self.over else {})

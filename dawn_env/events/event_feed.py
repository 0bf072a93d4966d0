"""Telling players what happens in their games: of one game from its decisions, of many games in the rows of a batch."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np

from dawn_env.actions import ACTIONS
from dawn_env.events.board_changes import Event
from dawn_env.events.event_observer import EventObserver
from dawn_env.game import Game
from dawn_env.players import Player


class EventFeed:
    """Events for one seat of a game, with decisions that may be taken back before anything follows from them."""

    def __init__(self, start: Game, seat: int):
        """``start``: the game before its first decision; ``seat`` as for ``EventObserver``."""
        self._start, self._seat, self._told = start.copy(), seat, 0
        self._begin()

    def _begin(self) -> None:
        self._game, self._observer = self._start.copy(), EventObserver(self._seat)
        self._seen: list[str] = []
        self._events: list[Event] = []

    def news(self, decisions: Sequence[str]) -> list[Event]:
        """New events for the seat in a game with these ``decisions``."""
        if list(decisions[: len(self._seen)]) != self._seen:
            self._begin()
        for action in decisions[len(self._seen) :]:
            before = self._game.copy()
            self._game.step(action)
            self._events += self._observer.see(before, self._game, action)
            self._seen.append(action)
        news, self._told = self._events[self._told :], len(self._events)
        return news


@dataclass
class _Seat:
    """Subscribed player and its pending events."""

    player: Player
    observer: EventObserver
    news: list[Event] = field(default_factory=list)


class BatchEventFeed:
    """Subscribers of the games in the rows of a batch; costs nothing where there are none."""

    def __init__(self):
        self._rows: dict[int, dict[int, _Seat]] = {}

    def __bool__(self) -> bool:
        """Return True if anybody follows."""
        return bool(self._rows)

    def begin(self, row: int, players: Mapping[int, Player]) -> None:
        """A game begins in ``row`` with ``players`` by seat (``EventObserver``)."""
        seats = {seat: _Seat(player, EventObserver(seat)) for seat, player in players.items() if player.wants_events}
        self._rows.pop(row, None)
        if seats:
            self._rows[row] = seats

    @contextmanager
    def watching(self, rows: np.ndarray, actions: np.ndarray, states: np.ndarray) -> Iterator[None]:
        """Context in which legal ``actions`` [K] are taken in ``rows`` [K] of ``states``; records what they changed."""
        followed = [at for at, row in enumerate(rows.tolist()) if row in self._rows]
        before = [Game.of(states[rows[at]]) for at in followed]
        yield
        for at, game in zip(followed, before, strict=True):
            after = Game.of(states[rows[at]])
            for seat in self._rows[int(rows[at])].values():
                seat.news += seat.observer.see(game, after, ACTIONS[actions[at]])

    def tell(self, row: int, seat: int) -> None:
        """Send the player at a seat its pending events; raises what the player raises."""
        told = self._rows.get(row, {}).get(seat)
        if told is not None and told.news:
            news, told.news = told.news, []
            told.player.on_events(news)

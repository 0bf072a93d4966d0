"""Games between players, many at a time."""

import logging
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from dawn_env.errors import PlayerFailure
from dawn_env.host.host import FORFEIT, Host
from dawn_env.host.host_answers import Ending, failure_text
from dawn_env.options import GameOptions
from dawn_env.players import Player, plays_as_compiled
from dawn_env.support.argument_checks import game_count
from dawn_env.support.safe_text import escape_text
from dawn_env.tables import DEMOCRAT, SIDE_NAMES

__all__ = ["FORFEIT", "Outcome", "Pairing", "play_games"]
_IDLE = -1


@dataclass(frozen=True)
class Pairing:
    """A game to play: its seed and who plays which side; both may be the same player.

    In games with a bid ``democrat`` is the first player and ``communist`` the second: their offers give the sides.
    """

    seed: int
    democrat: Player
    communist: Player

    @property
    def players(self) -> tuple[Player, Player]:
        """The players by side, or the first and the second."""
        return self.democrat, self.communist


def refusal(player: Player, side: int, options: GameOptions) -> str:
    """Reason why ``player`` cannot play ``side`` in such games; empty if it can, or plays one game at a time."""
    try:
        if not player.one_game_at_a_time:
            player.begin_game(side, options)
    except PlayerFailure as error:
        return str(error)
    return ""


Costs = tuple[tuple[str, float], ...]
"""Names and amounts."""


class Outcome(NamedTuple):
    """Result of a game; in tournaments both games of a pair share the ``seed``.

    ``result``: ``democrat``, ``communist`` or ``draw``; ``reason`` as in a game record, or ``forfeit``,
    then ``failure`` says why. ``vp``: Democrat positive. ``seconds``, ``moves``: thinking time and
    decisions by side. ``actions``: ids of all ``decisions``, in order, where they are kept. ``first``: in games with a
    bid, the name of the first player. ``luck``: points that chance gave the Democrat, where that was measured
    (``dawn_agents.tournaments.rating``). ``costs``: what the game has cost each side besides time (``Player.costs``).
    """

    seed: int
    democrat: str
    communist: str
    result: str
    reason: str
    vp: int
    turn: int
    decisions: int
    seconds: tuple[float, float]
    moves: tuple[int, int]
    failure: str
    actions: Sequence[int] = ()
    first: str = ""
    luck: float | None = None
    costs: tuple[Costs, Costs] = (), ()

    @property
    def players(self) -> tuple[str, str]:
        """Names by side."""
        return self.democrat, self.communist

    @property
    def seat(self) -> str:
        """Player who names the game of a pair: the first player in games with a bid, else the Democrat."""
        return self.first or self.democrat

    @property
    def points(self) -> tuple[float, float]:
        """Points of the Democrat and the Communist: 1, 0.5 or 0."""
        if self.result not in SIDE_NAMES:
            return 0.5, 0.5
        democrat = float(self.result == SIDE_NAMES[0])
        return democrat, 1 - democrat

    @property
    def forfeited_by(self) -> str:
        """Player who has lost by forfeit; empty if the game was played to its end."""
        return self.players[self.points.index(0)] if self.reason == FORFEIT else ""

    def renamed(self, names: Mapping[str, str]) -> "Outcome":
        """Copy of the game with other names of players: ``names`` by those that they have."""
        democrat, communist, first = (names.get(name, name) for name in (*self.players, self.first))
        return self._replace(democrat=democrat, communist=communist, first=first)

    def luck_of(self, side: int) -> float:
        """Points that chance gave a side; 0 where luck was not measured."""
        luck = self.luck or 0.0
        return luck if side == DEMOCRAT else -luck


class _Queue:
    """Numbers of the games yet to begin; those of a player who plays one at a time wait for each other."""

    def __init__(self, pairings: Sequence[Pairing]):
        self._waiting = deque(range(len(pairings)))
        self._needs = [{id(player) for player in pairing.players if player.one_game_at_a_time} for pairing in pairings]
        self._busy: set[int] = set()

    def __len__(self) -> int:
        return len(self._waiting)

    def take(self, most: int) -> list[int]:
        """The next games that can begin, ``most`` at most."""
        taken: list[int] = []
        kept: list[int] = []
        while self._waiting and len(taken) < most:
            game = self._waiting.popleft()
            blocked = self._needs[game] & self._busy
            (kept if blocked else taken).append(game)
            if not blocked:
                self._busy |= self._needs[game]
        self._waiting.extendleft(reversed(kept))
        return taken

    def ended(self, game: int) -> None:
        """Release the players of games that have ended."""
        self._busy -= self._needs[game]


def play_games(
    pairings: Sequence[Pairing],
    width: int = 256,
    options: GameOptions | Mapping | None = None,
    threads: int | None = None,
) -> Iterator[tuple[int, Outcome]]:
    """Play all ``pairings``, ``width`` at a time; yields (index of the pairing, outcome) as games end.

    A player that raises or answers illegally loses that game by forfeit and the others go on. When a
    ``BatchPlayer`` raises or returns something of another shape or type, all games of that call are
    forfeited. ``options`` as for ``GameOptions.of``, ``threads`` as for ``Batch``. Raises ``ValueError`` for a width or
    threads out of range, ``BadOptions``, ``BadSeed`` when a game of another seed is to begin,
    and ``PlayerUnreachable``.
    """
    width = game_count(width, "width")
    queue, games = _Queue(pairings), np.full(min(width, max(1, len(pairings))), _IDLE)  # by row: index of the pairing
    host = Host(len(games), options, on_failure="forfeit", record=True, threads=threads)
    numbers = {id(player): host.register(player) for pairing in pairings for player in pairing.players}
    if all(map(plays_as_compiled, host.players[1:])):
        host.team.least_rows = 1  # one game is far longer than waking a thread takes
    while len(queue) or (games != _IDLE).any():
        free = np.flatnonzero(games == _IDLE)
        started = queue.take(len(free))
        rows, begun = free[: len(started)], [pairings[game] for game in started]
        if started:
            games[rows] = started
            seated = [[numbers[id(player)] for player in pairing.players] for pairing in begun]
            host.begin(rows, [pairing.seed for pairing in begun], seated)
        host.advance()
        for ending in host.ended_games():
            game, games[ending.row] = int(games[ending.row]), _IDLE
            queue.ended(game)
            yield game, _outcome(ending, pairings[game].democrat.name if host.options.bid else "")


def _outcome(ending: Ending, first: str) -> Outcome:
    names = dict(zip(SIDE_NAMES, (player.name if player else "" for player in ending.players), strict=True))
    alike = {name: getattr(ending, name) for name in Ending._fields if name in Outcome._fields}
    costs = tuple(_costs(player) if player else () for player in ending.players)
    renamed = {"decisions": ending.length, "moves": ending.decisions}
    return Outcome(**alike | names | renamed | {"first": first, "costs": costs})


def _costs(player: Player) -> Costs:
    """Costs as a player tells them; none where they are no amounts."""
    try:
        costs = [(str(name), float(amount)) for name, amount in player.costs().items()]
    except Exception as error:
        logging.getLogger(__name__).warning("%s, costs of its game: %s", escape_text(player.name), failure_text(error))
        return ()
    return tuple((name, amount) for name, amount in costs if 0 <= amount < float("inf"))

"""Games between players, many at a time."""

import logging
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from dawn_env.actions import ACTIONS
from dawn_env.batch import Batch
from dawn_env.bids import Offer, bid_action, checked_offer, is_bid
from dawn_env.errors import PlayerFailure
from dawn_env.events import RowWitnesses
from dawn_env.lockstep import Lockstep
from dawn_env.observation.player_view import View
from dawn_env.options import GameOptions
from dawn_env.players import Player, ViewPlayer
from dawn_env.state import REASONS, RESULTS
from dawn_env.support.safe_text import plain
from dawn_env.tables import DEMOCRAT, SIDE_NAMES, SIDES

FORFEIT = "forfeit"
_REFUSED = -1  # stands for an answer that cannot be used


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


class Outcome(NamedTuple):
    """Result of a game; in tournaments both games of a pair share the ``seed``.

    ``result``: ``democrat``, ``communist`` or ``draw``; ``reason`` as in a game record, or ``forfeit``,
    then ``failure`` says why. ``vp``: Democrat positive. ``seconds``, ``moves``: thinking time and
    decisions by side. ``actions``: ids of all ``decisions``, in order, where they are kept. ``first`` and ``offers``:
    in games with a bid, the name of the first player, and what the first and the second have offered. ``luck``: points
    that chance gave the Democrat, where that was measured (``dawn_agents.rating``).
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
    offers: tuple[Offer, ...] = ()
    luck: float | None = None

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

    def luck_of(self, side: int) -> float:
        """Points that chance gave a side; none where it was not measured."""
        luck = self.luck or 0.0
        return luck if side == DEMOCRAT else -luck

    def without_actions(self) -> "Outcome":
        """The same, in little memory."""
        return self._replace(actions=())


class _Loss(NamedTuple):
    """A game that a side forfeits: its row, the side and why."""

    row: int
    side: int
    failure: str


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
        """Its players are free again."""
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
    forfeited. ``options`` as for ``GameOptions.of``, ``threads`` as for ``Batch``. Raises ``ValueError`` for a seed,
    width or threads out of range, and ``BadOptions``.
    """
    if width < 1:
        raise ValueError(f"width: expected at least 1, not {width}")
    for pairing in pairings:
        if not 0 <= pairing.seed < 2**63:
            raise ValueError(f"seed {pairing.seed} is outside 0 ... 2**63 - 1")
    if pairings:
        match = _Match(pairings, Lockstep(min(width, len(pairings)), options, threads))
        while match.unfinished:
            yield from match.begin()
            yield from match.step()


class _Match:
    """The games in progress, and what was measured in each of them."""

    def __init__(self, pairings: Sequence[Pairing], lockstep: Lockstep):
        width = lockstep.batch.count
        self._pairings, self._options = pairings, lockstep.batch.options
        self._queue, self._lockstep = _Queue(pairings), lockstep
        self._players = list({id(player): player for pairing in pairings for player in pairing.players}.values())
        self._compiled = self._lockstep.compiled(self._players)
        self._places = {id(player): place for place, player in enumerate(self._players)}
        self._plays = np.zeros((width, SIDES), np.int64)  # index into _players, by row and side
        self._seconds, self._moves = np.zeros((width, SIDES)), np.zeros((width, SIDES), np.int64)
        self._witnesses = RowWitnesses()

    @property
    def unfinished(self) -> bool:
        """Return True if a game is in progress or still to begin."""
        return len(self._queue) > 0 or self._lockstep.free < self._lockstep.batch.count

    # --- beginning -----------------------------------------------------------------------------

    def begin(self) -> Iterator[tuple[int, Outcome]]:
        """Begin games in the idle rows; yields those that are forfeited at once."""
        games = self._queue.take(self._lockstep.free)
        rows = self._lockstep.start(games, [self._pairings[game].seed for game in games])
        self._seconds[rows], self._moves[rows] = 0, 0
        for row, game in zip(rows.tolist(), games, strict=True):
            players = self._pairings[game].players
            self._witnesses.begin(row, dict(enumerate(players)))
            loss = self._bid(row, players) if self._options.bid else None
            players = self._by_side(row, players)
            self._plays[row] = [self._places[id(player)] for player in players]
            loss = loss or self._introduce(row, players)
            if loss:
                yield self._end(row, loss)

    def _bid(self, row: int, players: tuple[Player, Player]) -> _Loss | None:
        """Let the first and the second player make their offers; until sides are known they stand for them."""
        offers, batch = [], self._lockstep.batch
        for place, player in enumerate(players):
            try:
                offers.append(checked_offer(player.bid(self._options), player.name))
            except Exception as error:
                return _Loss(row, place, _reason(error))
        while is_bid(batch.states["decision"][row]):
            action = bid_action(batch.states["decision"][row], offers[batch.actors[row]])
            self._take(np.array([row]), np.array([action]))
        return None

    def _by_side(self, row: int, players: tuple[Player, Player]) -> tuple[Player, Player]:
        return players[::-1] if self._lockstep.batch.states["swapped"][row] else players

    def _introduce(self, row: int, players: tuple[Player, Player]) -> _Loss | None:
        for side, player in enumerate(players):
            try:
                player.begin_game(side, self._options)
            except Exception as error:
                return _Loss(row, side, _reason(error))
        return None

    # --- playing -------------------------------------------------------------------------------

    def step(self) -> Iterator[tuple[int, Outcome]]:
        """One decision in every game, all of those between compiled players; yields the games that end."""
        yield from self._play_out()
        rows = self._lockstep.rows
        sides = self._lockstep.batch.actors[rows].astype(np.int64)
        plays, actions, losses = self._plays[rows, sides], np.full(len(rows), _REFUSED), []
        for place in np.unique(plays).tolist():
            mine = np.flatnonzero(plays == place)
            actions[mine], refused = self._ask(self._players[place], rows[mine], sides[mine])
            losses += refused
        able = actions != _REFUSED
        over = self._take(rows[able], actions[able]) if able.any() else rows[:0]
        for row in over.tolist():
            yield self._end(row)
        for loss in losses:
            yield self._end(loss.row, loss)

    def _play_out(self) -> Iterator[tuple[int, Outcome]]:
        """The games between compiled players, without a word of Python between two decisions."""
        rows = self._lockstep.rows
        rows = rows[self._compiled.known[self._plays[rows]].all(1)]
        if len(rows):
            over, seconds, decisions = self._lockstep.play_out(rows, self._compiled, self._plays)
            self._seconds[rows] += seconds
            self._moves[rows] += decisions
            yield from map(self._end, over.tolist())

    def _take(self, rows: np.ndarray, actions: np.ndarray) -> np.ndarray:
        """Take actions [K] in ``rows`` [K] and notify players of events; returns the rows of games that are over."""
        with self._witnesses.watching(rows, actions, self._lockstep.batch.states):
            return self._lockstep.step(rows, actions)

    def _ask(self, player: Player, rows: np.ndarray, sides: np.ndarray) -> tuple[np.ndarray, list[_Loss]]:
        """Ask a player in ``rows``: its actions, ``_REFUSED`` where it forfeits, and the forfeited games."""
        think = _think if isinstance(player, ViewPlayer) else _answer
        tell = self._tell if player.follows else _tell_nothing
        actions, seconds, failures = think(player, self._lockstep.batch, rows, tell)
        self._seconds[rows, sides] += seconds
        self._moves[rows, sides] += 1
        losses = [_Loss(int(rows[at]), int(sides[at]), failure) for at, failure in failures.items()]
        return actions, losses

    def _tell(self, row: int) -> None:
        """Tell who decides in a row what has happened there."""
        state = self._lockstep.batch.states[row]
        self._witnesses.tell(row, int(state.actor ^ state.swapped))

    # --- ending --------------------------------------------------------------------------------

    def _end(self, row: int, loss: _Loss | None = None) -> tuple[int, Outcome]:
        game, state = int(self._lockstep.games[row]), self._lockstep.batch.states[row]
        pairing, actions = self._pairings[game], self._lockstep.release(row)
        self._queue.ended(game)
        democrat, communist = self._by_side(row, pairing.players)
        offers = (Offer(*offer) for offer in state.offers.tolist() if min(offer) >= 0)
        outcome = Outcome(
            seed=pairing.seed,
            democrat=democrat.name,
            communist=communist.name,
            result=SIDE_NAMES[1 - loss.side] if loss else RESULTS[state.result],
            reason=FORFEIT if loss else REASONS[state.reason],
            vp=int(state.vp),
            turn=int(state.turn),
            decisions=len(actions),
            seconds=tuple(self._seconds[row].tolist()),
            moves=tuple(self._moves[row].tolist()),
            failure=loss.failure if loss else "",
            actions=actions,
            first=pairing.democrat.name if self._options.bid else "",
            offers=tuple(offers),
        )
        self._dismiss(row, pairing.players, outcome)
        return game, outcome

    def _dismiss(self, row: int, players: tuple[Player, Player], outcome: Outcome) -> None:
        """Tell the players how their game ended; the game is decided, so what goes wrong here costs nothing."""
        told = {"result": outcome.result, "reason": outcome.reason, "vp": outcome.vp}
        for seat, player in enumerate(players):
            try:
                self._witnesses.tell(row, seat)
                player.end_game(dict(told))
            except Exception as error:
                logging.getLogger(__name__).warning("%s, after its game: %s", plain(player.name), _reason(error))


# --- asking players ----------------------------------------------------------------------------
# Each returns actions int64 [K], seconds (per row, or the same for all), and failures by index into rows. ``tell`` is
# called with every row first, and says what has happened there.


def _tell_nothing(_: int) -> None:
    pass


def _think(
    player: Player, batch: Batch, rows: np.ndarray, tell: Callable[[int], None]
) -> tuple[np.ndarray, np.ndarray, dict[int, str]]:
    actions, seconds, failures = np.full(len(rows), _REFUSED), np.zeros(len(rows)), {}
    for at, row in enumerate(rows.tolist()):
        view = View(batch.states[row])

        def answer(row: int = row, view: View = view) -> int:
            tell(row)
            return int(player.choose(view))

        chosen, seconds[at], failure = _timed(answer)
        failure = failure or _illegal(chosen, batch.masks[row])
        if failure:
            failures[at] = failure
        else:
            actions[at] = chosen
    return actions, seconds, failures


def _answer(
    player: Player, batch: Batch, rows: np.ndarray, tell: Callable[[int], None]
) -> tuple[np.ndarray, float, dict[int, str]]:
    observations, masks = (part[rows] for part in batch.shown)

    def answer() -> np.ndarray:
        for row in rows.tolist():
            tell(row)
        return _checked(player.choose(observations, masks), len(rows))

    given, seconds, failure = _timed(answer)
    if failure:
        return np.full(len(rows), _REFUSED), seconds / len(rows), dict.fromkeys(range(len(rows)), failure)
    inside = (given >= 0) & (given < masks.shape[1])
    legal = inside & (batch.masks[rows, np.where(inside, given, 0)] != 0)
    failures = {at: _illegal(int(given[at]), batch.masks[rows[at]]) for at in np.flatnonzero(~legal).tolist()}
    return np.where(legal, given, _REFUSED), seconds / len(rows), failures


def _timed(ask: Callable) -> tuple[Any, float, str]:
    """Call ``ask``: its result (None when it raises), the seconds it took, and the failure (or nothing)."""
    started = time.perf_counter()
    try:
        return ask(), time.perf_counter() - started, ""
    except Exception as error:
        return None, time.perf_counter() - started, _reason(error)


def _checked(answers: object, count: int) -> np.ndarray:
    answers = np.asarray(answers)
    if answers.shape != (count,) or answers.dtype.kind not in "iu":
        raise PlayerFailure(f"answered {answers.shape} of {answers.dtype} where integers ({count},) were expected")
    return answers.astype(np.int64)


def _illegal(action: int, mask: np.ndarray) -> str:
    """Reason why an action cannot be taken; empty if it can."""
    if not 0 <= action < len(mask):
        return f"answered {action}, outside 0 ... {len(mask) - 1}"
    return "" if mask[action] else f"answered {ACTIONS[action]}, which is not legal"


def _reason(error: Exception) -> str:
    return plain(error if isinstance(error, PlayerFailure) else f"{type(error).__name__}: {error}")

"""Opponents of a learner in many games side by side."""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from dawn_env.bids import Offer, bid_action, checked_offer, is_bid
from dawn_env.compiled_play import Compiled, needs_calls, plays_as_compiled
from dawn_env.errors import IllegalAction
from dawn_env.layouts import STANDARD_LAYOUT
from dawn_env.options import GameOptions
from dawn_env.players import BatchPlayer, Player, as_player, decide
from dawn_env.state import take_states
from dawn_env.support.compiling import ADDRESS
from dawn_env.support.plain_text import quoted

Pool = Player | str | Callable | Sequence[Player | str | Callable]
"""One opponent or several, each what ``players.as_player`` takes."""


class _Opponent:
    """A player; if it plays one game at a time, also those alike that are free for another game."""

    def __init__(self, player: Player):
        self.player = player
        self.free = [player] if player.one_game_at_a_time else []

    def seat(self) -> Player:
        """Take a player for a game of its own."""
        return self.free.pop() if self.free else self.player.another()


class Opponents:
    """Players of ``count`` rows, drawn from a pool game by game; the rows of one player are answered together.

    Players of one game at a time have a row to themselves: further ones are made by ``Player.another``.

    ``plays`` int64 [count]: who plays in each row, an index into ``players``; ``bounds`` float64 [pool - 1]: of the
    shares in 0 ... 1 by which they are drawn; ``seconds`` that they have thought, but for those whom compiled loops
    ask.
    """

    def __init__(self, count: int, pool: Pool, weights: Sequence[float] | None = None):
        """Raises as ``set_pool``."""
        self.plays, self.seconds = np.zeros(count, np.int64), 0.0
        self._opponents: list[_Opponent] = []
        self._compiled: Compiled | None = None
        self._alone: dict[int, tuple[_Opponent, Player]] = {}  # by row, who plays there alone
        self.set_pool(pool, weights)

    def __getstate__(self) -> dict:
        """Addresses are not for copies and other processes."""
        return self.__dict__ | {"_compiled": None}

    @property
    def players(self) -> list[Player]:
        """The pool, then those who have left it but play on."""
        return [opponent.player for opponent in self._opponents]

    def at(self, row: int) -> Player:
        """Player of a row."""
        return self._opponents[self.plays[row]].player

    # --- the pool --------------------------------------------------------------------------------

    def set_pool(self, pool: Pool, weights: Sequence[float] | None = None) -> None:
        """Draw from ``pool`` from now on, with relative ``weights``, equal by default; games in progress go on.

        Raises ``ValueError`` for weights and players that are none, and what ``players.as_player`` raises.
        """
        players = _checked_pool(pool)
        share = _checked_shares(weights, len(players))
        known = {id(opponent.player): opponent for opponent in self._opponents}
        drawn = [known.get(id(player)) or _Opponent(player) for player in players]
        playing = [self._opponents[index] for index in np.unique(self.plays)] if known else []
        everyone = drawn + [opponent for opponent in playing if opponent not in drawn]
        if known:
            places = {id(opponent): place for place, opponent in enumerate(everyone)}
            self.plays[:] = [places[id(self._opponents[index])] for index in self.plays]
        _close(opponent for opponent in self._opponents if opponent not in everyone)
        self._opponents, self.bounds = everyone, np.cumsum(share / share.sum())[:-1]
        self._note_ways()

    def _note_ways(self) -> None:
        """Note the player that answers all rows in one call, None if there are several; resets function pointers."""
        player = self._opponents[0].player
        quick = len(self._opponents) == 1 and isinstance(player, BatchPlayer) and not player.one_game_at_a_time
        self._only, self._compiled = player if quick else None, None

    def addresses(self, size: int, threads: int) -> tuple[np.ndarray, np.ndarray]:
        """Function pointers for compiled loops: ADDRESS [P] of what answers by opponent, 0 where it has to be asked by
        ``choose``, and ADDRESS [threads, P] of memories; for views of ``size`` numbers and so many threads."""
        if self._compiled is None:
            self._compiled = Compiled(self.players, size, threads)
        return self._compiled.answers, self._compiled.memories

    @property
    def only_answer(self) -> bool:
        """Return True if compiled loops can ask all of them, and begin and end their games without a word to them."""
        return all(plays_as_compiled(player) and not needs_calls(player) for player in self.players)

    # --- games -----------------------------------------------------------------------------------

    def begin(self, rows: np.ndarray, sides: np.ndarray, options: GameOptions) -> None:
        """Games of those drawn begin in ``rows``, in which they play ``sides`` int8 [K]; what was there is over."""
        self.seat(rows)
        for row, side in zip(rows.tolist(), sides.tolist(), strict=True):
            self.introduce(row, side, options)

    def seat(self, rows: np.ndarray) -> None:
        """Seat the drawn opponents in ``rows``, before their side is known; ends earlier games there."""
        for row in rows.tolist():
            self._break_off(row)
            opponent = self._opponents[self.plays[row]]
            if opponent.player.one_game_at_a_time:
                self._alone[row] = opponent, opponent.seat()

    def bid(self, row: int, options: GameOptions) -> Offer:
        """Offer of the player in a row; raises ``PlayerFailure`` if it is none."""
        player = self.seated(row)
        return checked_offer(player.bid(options), player.name)

    def introduce(self, row: int, side: int, options: GameOptions) -> None:
        """The game in a row begins for the player who sits there."""
        self.seated(row).begin_game(side, options)

    def seated(self, row: int) -> Player:
        """Player seated in a row; of players of one game at a time, the copy that plays there."""
        return self._alone[row][1] if row in self._alone else self.at(row)

    def end(self, row: int, outcome: Mapping[str, Any]) -> None:
        """The game in a row has ended, ``outcome`` as in ``Player.end_game``."""
        opponent, player = self._alone.pop(row, (None, self.at(row)))
        if opponent is not None:
            opponent.free.append(player)
        player.end_game(outcome)

    def _break_off(self, row: int) -> None:
        if row in self._alone:
            opponent, player = self._alone.pop(row)
            player.close()
            opponent.free.append(player)

    def choose(self, rows: np.ndarray, states: np.ndarray, seen: np.ndarray, legal: np.ndarray) -> np.ndarray:
        """Their answers [K] in ``rows`` [K] of ``states``, for views ``seen`` [K, F] and masks ``legal`` [K, A]; yet to
        be checked. Raises ``IllegalAction`` where they cannot even be put side by side."""
        started = time.perf_counter()
        if self._only is not None:
            actions = np.asarray(self._only.choose(seen, legal))
        else:
            actions = self._choose_each(rows, states, seen, legal)
        self.seconds += time.perf_counter() - started
        return actions

    def _choose_each(self, rows: np.ndarray, states: np.ndarray, seen: np.ndarray, legal: np.ndarray) -> np.ndarray:
        actions, plays = np.zeros(len(rows), np.int64), self.plays[rows]
        for index in np.unique(plays).tolist():
            for player, where in self._asked(index, rows, np.flatnonzero(plays == index)):
                actions[where] = _answers(player, take_states(states, rows[where]), seen[where], legal[where])
        return actions

    def _asked(self, index: int, rows: np.ndarray, where: np.ndarray) -> Iterable[tuple[Player, np.ndarray]]:
        """Pairs of player and places among ``where``, at which the opponent ``index`` plays."""
        player = self._opponents[index].player
        if not player.one_game_at_a_time:
            return [(player, where)]
        return [(self._alone[int(rows[at])][1], where[i : i + 1]) for i, at in enumerate(where)]

    # --- keeping ---------------------------------------------------------------------------------

    def restore(self, players: Sequence[Player], plays: np.ndarray) -> None:
        """Have ``players`` play as ``plays`` says; then call ``begin`` for games in progress, and ``set_pool``."""
        self._opponents, self.plays[:] = [_Opponent(player) for player in players], plays
        self._note_ways()

    def close(self) -> None:
        """Close all players; games that begin afterwards start them again."""
        for row in list(self._alone):
            self._break_off(row)
        _close(self._opponents)


class OpponentsWithBids:
    """Opponents in games with a bid: their offers are asked for by ``Player.bid``, and then they play as always."""

    def __init__(self, opponents: Opponents, options: GameOptions):
        self._opponents, self._options = opponents, options
        self._offers: dict[int, Offer] = {}  # by row
        self._introduced: set[int] = set()  # rows
        self._nobody = np.zeros(0, ADDRESS), np.zeros((0, 0), ADDRESS)

    def addresses(self, size: int, threads: int) -> tuple[np.ndarray, np.ndarray]:
        """As of ``Opponents``: all have to be asked."""
        if self._nobody[1].shape != (shape := (threads, len(self._opponents.players))):
            self._nobody = np.zeros(shape[1], ADDRESS), np.zeros(shape, ADDRESS)
        return self._nobody

    def forget(self, rows: np.ndarray) -> None:
        """Other games begin in ``rows``."""
        for row in rows.tolist():
            self._offers.pop(row, None)
        self._introduced -= set(rows.tolist())

    def choose(self, rows: np.ndarray, states: np.ndarray, seen: np.ndarray, legal: np.ndarray) -> np.ndarray:
        """Choose like ``Opponents.choose``, from views of the standard game."""
        actions, decisions = np.zeros(len(rows), np.int64), states["decision"][rows]
        bids = is_bid(decisions)
        for at in np.flatnonzero(bids).tolist():
            row = int(rows[at])
            if row not in self._offers:
                self._offers[row] = self._opponents.bid(row, self._options)
            actions[at] = bid_action(decisions[at], self._offers[row])
        play = np.flatnonzero(~bids)
        for row, side in zip(rows[play].tolist(), states["actor"][rows[play]].tolist(), strict=True):
            if row not in self._introduced:
                self._introduced.add(row)
                self._opponents.introduce(row, side, self._options)
        if len(play):
            shown = seen[play][:, : STANDARD_LAYOUT.size], legal[play][:, : STANDARD_LAYOUT.actions]
            actions[play] = self._opponents.choose(rows[play], states, *map(np.ascontiguousarray, shown))
        return actions


def _close(opponents: Iterable[_Opponent]) -> None:
    for opponent in opponents:
        for player in opponent.free or [opponent.player]:
            player.close()


def _answers(player: Player, states: np.ndarray, seen: np.ndarray, legal: np.ndarray) -> np.ndarray:
    actions = decide(player, states, seen, legal, slice(None))
    if actions.dtype.kind not in "iu" or actions.shape != states.shape:
        found = f"{actions.shape} of {actions.dtype}"
        raise IllegalAction(f"opponent {player.name} answered {found}, not an integer a game: reset before going on")
    return actions


def _checked_pool(pool: Pool) -> list[Player]:
    """The players of ``pool``; raises ``ValueError`` unless each has a name of its own."""
    several = pool if isinstance(pool, Iterable) and not isinstance(pool, str) else [pool]
    try:
        players = [as_player(given) for given in several]
    except ValueError as error:
        raise ValueError(f"opponents: {error}") from error
    if not players or len({player.name for player in players}) < len(players):
        raise ValueError("opponents: at least one player, and names that differ, expected")
    return players


def _checked_shares(weights: Sequence[float] | None, count: int) -> np.ndarray:
    """float64 [count], relative; raises ``ValueError``."""
    try:
        shares = np.ones(count) if weights is None else np.asarray(weights, float)
    except (TypeError, ValueError):
        shares = np.zeros(0)
    if shares.shape != (count,) or not np.isfinite(shares).all() or (shares < 0).any() or shares.sum() <= 0:
        raise ValueError(f"weights: {count} numbers of at least 0, not all 0, expected, not {quoted(weights)}")
    return shares

"""Plays many games at once, with a player or an external caller at each seat.

A ``Host`` has many games side by side, one per row. At each of the two seats of a row sits a player, which the host
asks for actions, or nobody (``EXTERNAL``): then the caller brings the actions of that seat. Matches and environments
are clients, which say who sits where and collect the games that ended (``docs/how-to/players.md`` has a worked
example)::

    host = Host(256, on_failure="forfeit")
    host.begin(rows, seeds, seated)      # seated [K, 2], by seat: EXTERNAL or host.register(player)
    while host.unfinished:
        host.advance()                   # one round: each player that is Python code answers once per row
    host.step(rows, actions)             # actions of external seats, then ``advance`` as before
    for ending in host.ended_games(): ...  # each game that ended, once

Seats are 0 and 1: the Democrat and the Communist or, in games with a bid, the first and the second player. The side of
a seat is ``seat ^ state.swapped``; while players bid, sides are not known yet and ``actor`` is the seat.
"""

import logging
from collections.abc import Mapping, Sequence
from time import perf_counter
from typing import Literal, NoReturn

import numpy as np

from dawn_env import engine
from dawn_env.batch import action_array, checked_actions, checked_rows, legal_actions
from dawn_env.bids import Offer, bid_action, is_bid, offer_of
from dawn_env.errors import BadOptions, GameOver, IllegalAction
from dawn_env.events import BatchEventFeed
from dawn_env.host.host_answers import Ending, ask, failure_text, illegal_answer
from dawn_env.host.host_loop import (
    CLOCK,
    ENDING,
    EXTERNAL,
    NO_ACTION,
    NO_OFFER,
    NO_SEED,
    SLOT,
    TRAITS,
    LoopArguments,
    Status,
    claim_rows,
    play_rows,
    queue_games,
    read_ticks,
)
from dawn_env.observation.player_view import View
from dawn_env.observation.view_layouts import ViewLayout, layout_of, layout_of_sides
from dawn_env.options import GameOptions
from dawn_env.players import (
    Player,
    PlayerUnreachable,
    ThreadMemories,
    ViewPlayer,
    answers_one_by_one,
    needs_calls,
    plays_as_compiled,
)
from dawn_env.state import ERRORS, MODES, REASONS, RESULTS, STATE, Decision, Result, new_states, put_states
from dawn_env.support.argument_checks import game_count
from dawn_env.support.compiling import ADDRESS
from dawn_env.support.safe_text import escape_text, short_repr
from dawn_env.support.seeds import checked_seeds
from dawn_env.support.thread_pool import ThreadTeam, checked_threads
from dawn_env.tables import DEMOCRAT, SIDES

FORFEIT = "forfeit"
_FAILURES = Exception, SystemExit  # of players; Ctrl-C is none
_LEAST_ROWS = 128  # of a thread at least: half a millisecond of answers of a rule-based player
_HISTORY = 512  # actions of a game for which there is room at first
# numpy is slow with enumerations
_EXTERNAL, _OVER, _STOPPED, _READY = (int(s) for s in (Status.EXTERNAL, Status.OVER, Status.STOPPED, Status.READY))
_ASKED, _SIDES_KNOWN, _FULL = int(Status.ASKED), int(Status.SIDES_KNOWN), int(Status.FULL)


class Host:
    """``count`` games with players at their seats.

    ``PlayerUnreachable`` of a player is raised whatever ``on_failure`` says.

    Arrays, reused by every call; copy what is kept and do not write to them:

    - ``observations`` int8 [n, F], ``masks`` int8 [n, A]: view and legal actions of the external side that is to act,
      as ``layout`` says; masks of games that are over are zero,
    - ``status`` int8 [n]: a ``host_loop.Status``,
    - ``sides``, ``vp``, ``result`` int64 [n]: the external side that is to act or has seen the end (in a bid the
      seat), VP, and the result as a number (``state.RESULTS``),
    - ``ended`` bool [n]: a game has ended since the last ``step`` in that row or call of ``ended_games``;
      ``final_observations`` int8 [n, 2, F], by seat, are the last views of its external seats,
    - ``states`` STATE [n], ``slots`` SLOT [n], ``endings`` ENDING [n] (``host_loop``).

    ``players``: by number, None for ``EXTERNAL`` and numbers that are free; ``team``: what runs the compiled
    loop in slices of rows.
    """

    def __init__(
        self,
        count: int,
        options: GameOptions | Mapping | None = None,
        on_failure: Literal["forfeit", "raise"] = "raise",
        record: bool = False,
        layout: ViewLayout | None = None,
        threads: int | None = None,
    ):
        """``options`` as for ``GameOptions.of``. ``on_failure``: a player that raises or answers illegally loses that
        game, or an exception is raised. ``record`` seconds and actions of games. ``layout`` of ``observations``, by
        default that of the options; ``threads`` as for ``Batch``. Raises ``ValueError``."""
        self.count, self.options = game_count(count, "count"), GameOptions.of(options)
        self.layout, self._player_layout = layout or layout_of(self.options), layout_of_sides(self.options)
        self.players: list[Player | None] = [None]
        self.team = ThreadTeam(checked_threads(threads), _LEAST_ROWS)
        self.states, self.slots, self.endings = new_states(count), np.zeros(count, SLOT), np.zeros(count, ENDING)
        self.status, self.ended = np.zeros(count, np.int8), np.zeros(count, np.bool_)
        self.sides, self.vp, self.result = np.zeros((3, count), np.int64)
        self.observations, self.masks = self.layout.blank(count)
        self.final_observations = np.zeros((count, SIDES, self.layout.size), np.int8)
        self._questions, self._question_masks = self._player_layout.blank(count)
        self._history = np.zeros((count, _HISTORY if record else 0), np.uint8)
        self._raises, self._recorded = on_failure == "raise", record
        self._traits = np.array([(True, False, False)], TRAITS)
        self._events, self._failures = BatchEventFeed(), dict[int, str]()  # of forfeited games, by row
        self._loop_seconds, self._loop_ticks = 0.0, 0  # that have passed in the compiled loop
        self._arguments: LoopArguments | None = None
        self._owners: list[ThreadMemories] = []  # of the memories in ``_arguments``

    def __getstate__(self) -> dict:
        """Function pointers are not for copies and other processes; memories of players are made anew with them."""
        return self.__dict__ | {"_arguments": None, "_owners": []}

    # --- players -------------------------------------------------------------------------------

    def register(self, player: Player) -> int:
        """The number of a player for ``seated``, the same every time."""
        for number, known in enumerate(self.players):
            if known is player:
                return number
        free = [number for number, known in enumerate(self.players) if known is None and number != EXTERNAL]
        number = free[0] if free else len(self.players)
        self.players[number:] = [player, *self.players[number + 1 :]]
        self._traits = np.resize(self._traits, len(self.players))
        self._traits[number], self._arguments = (True, needs_calls(player), player.wants_events), None
        return number

    def unregister(self, number: int) -> None:
        """Close a player that sits nowhere; its number is free."""
        if (player := self.players[number]) is not None:
            player.close()
        self.players[number], self._traits[number], self._arguments = None, (False, False, False), None

    def player_at(self, row: int, seat: int) -> Player | None:
        """Player at a seat, None for an external one."""
        return self.players[self.slots["seated"][row, seat]]

    def close(self) -> None:
        """Close all players; games that begin afterwards may start them again."""
        for player in self.players:
            if player is not None:
                player.close()

    # --- beginning -----------------------------------------------------------------------------

    def begin(
        self,
        rows: Sequence[int] | np.ndarray,
        seeds: Sequence[int] | np.ndarray,
        seated: Sequence[Sequence[int]] | np.ndarray,
        options: GameOptions | None = None,
    ) -> None:
        """Start games in ``rows`` [K], each once, from ``seeds`` [K] with ``seated`` [K, 2] by seat; then ``advance``.

        ``options`` of these games, which may differ from the host's in what does not change views. Games in progress
        in these rows are dropped. Raises ``ValueError``, ``BadSeed``, ``BadOptions``; then nothing has changed.
        What ``Player.bid`` raises is a failure of the player.
        """
        rows, agreed = checked_rows(rows, self.count), options or self.options
        if (agreed.mode, agreed.bid) != (self.options.mode, self.options.bid):
            raise BadOptions("mode, bid: cannot differ from those of the host")
        seeds, seated = checked_seeds(seeds, len(rows)), self._checked_seated(seated, len(rows))
        if len(rows) == 0:
            return
        fresh = new_states(len(rows))
        engine.reset(fresh, seeds, agreed)
        self._seat(rows, fresh, seated)

    def resume(self, rows: np.ndarray, states: np.ndarray, seated: np.ndarray) -> None:
        """Go on with games in ``states`` STATE [K] that wait for a decision or are over; ``rows``, ``seated`` as in
        ``begin``.

        Raises ``ValueError`` with ``record``, for bad rows and players, and for other states.
        """
        if self._recorded:
            raise ValueError("resume: the actions that led to these states are not known, and so cannot be recorded")
        rows = checked_rows(rows, self.count)
        self._seat(rows, self._checked_states(states, len(rows)), self._checked_seated(seated, len(rows)))

    def _seat(self, rows: np.ndarray, states: np.ndarray, seated: np.ndarray) -> None:
        """Put games into ``rows`` and players to their seats."""
        put_states(self.states, rows, states)
        for row in self._failures.keys() & rows.tolist():
            del self._failures[row]
        fresh, traits = np.zeros(len(rows), SLOT), self._traits[seated]
        calls, wants_events = traits["needs_calls"].any(axis=1), traits["wants_events"].any(axis=1)
        fresh["seated"], fresh["offers"], fresh["next_seed"] = seated, NO_OFFER, NO_SEED
        fresh["introduced"], fresh["stepwise"] = ~calls, wants_events
        alike = (states["extra_support"] == self.options.extra_support).all(axis=1)
        fresh["repeatable"] = ~calls & alike & (not self.options.bid)
        self.slots[rows], self.status[rows], self.masks[rows] = fresh, _READY, 0
        if self._events or wants_events.any():
            for row, numbers in zip(rows.tolist(), seated.tolist(), strict=True):
                players = {seat: self.players[number] for seat, number in enumerate(numbers)}
                self._events.begin(row, {seat: player for seat, player in players.items() if player is not None})
        for row in rows[is_bid(states["decision"])].tolist():
            self._ask_offers(row)

    def queue(self, rows: np.ndarray, seeds: np.ndarray, seated: np.ndarray) -> None:
        """Queue a game in each of ``rows`` int64 [K] as soon as that in progress has ended.

        Where this takes Python (players that are called as games begin or end, bids, recorded games, games with other
        options) it is left out: then the row is ``OVER``, to be begun by ``begin``.
        """
        if not self._recorded:
            queue_games(rows, seeds, seated, self._traits, self.slots)

    def _checked_seated(self, seated: Sequence[Sequence[int]] | np.ndarray, count: int) -> np.ndarray:
        numbers = np.asarray(seated)
        integral = numbers.shape == (count, SIDES) and numbers.dtype.kind in "iu"
        inside = integral and ((numbers >= 0) & (numbers < len(self.players))).all()
        if not (inside and self._traits["known"][numbers].all()):
            raise ValueError(f"seated: [{count}, 2] numbers of registered players expected, not {short_repr(seated)}")
        return numbers

    def _checked_states(self, states: np.ndarray, count: int) -> np.ndarray:
        if getattr(states, "dtype", None) != STATE or states.shape != (count,):
            raise ValueError(f"states: an array [{count}] of STATE records expected, not {short_repr(states)}")
        waiting = (states["result"] != Result.RUNNING) | (states["decision"] != Decision.NONE)
        mode = MODES.index(self.options.mode)
        if not (waiting & (states["mode"] == mode) & ((states["bid"] != 0) == self.options.bid)).all():
            raise ValueError("states: games with the host's mode and bid that wait for a decision or are over expected")
        return states

    def _ask_offers(self, row: int) -> None:
        for seat in range(SIDES):
            if player := self.player_at(row, seat):
                try:
                    self.slots["offers"][row, seat] = offer_of(player, self.options)
                except _FAILURES as error:
                    return self._fail(row, seat, error)

    def _introduce(self, row: int) -> None:
        """Tell players that their game begins, once sides are known."""
        state, self.slots["introduced"][row] = self.states[row], 1
        for side in range(SIDES):
            seat = side ^ int(state.swapped)
            if player := self.player_at(row, seat):
                try:
                    player.begin_game(side, GameOptions.of_state(state))
                except _FAILURES as error:
                    return self._fail(row, seat, error)

    # --- playing -------------------------------------------------------------------------------

    def step(self, rows: Sequence[int] | np.ndarray, actions: Sequence[int] | np.ndarray) -> int:
        """Take ``actions`` (integers [K]) of external seats in ``rows`` (integers [K], each once); then ``advance``.

        Returns in how many of the rows it is not an external seat that is to act next. Raises ``IllegalAction`` naming
        all offending rows, ``TypeError``, ``ValueError``, ``GameOver``; then nothing has moved.
        """
        if not (isinstance(rows, np.ndarray) and rows.dtype == np.int64 and rows.flags.carray and rows.ndim == 1):
            rows = checked_rows(rows, self.count)
        given = action_array(np.asarray(actions), len(rows))
        numbers = given.astype(np.int64)
        if not claim_rows(rows, numbers, self.states, self.layout.actions, self.status, self.ended):
            self._refuse(checked_rows(rows, self.count), given)
        return self._run(rows, numbers)

    def _refuse(self, rows: np.ndarray, actions: np.ndarray) -> NoReturn:
        """Raise what is wrong with actions of external seats."""
        status = self.status[rows]
        if (status == _OVER).any():
            raise GameOver(f"the game is over in rows {short_repr(rows[status == _OVER].tolist())}: begin another")
        if (status != _EXTERNAL).any():
            raise IllegalAction(f"no external seat is to act in rows {short_repr(rows[status != _EXTERNAL].tolist())}")
        legal = np.ascontiguousarray(self.states["legal"][:, : self.layout.actions])
        checked_actions(actions, self.states, legal, rows)
        raise AssertionError("legal actions were refused")

    @property
    def unfinished(self) -> bool:
        """Return True if games wait for ``advance``."""
        return bool(self.status.max() >= _READY)

    def advance(self) -> None:
        """Play one round: compiled players as far as they get, and one answer of each other player in each row."""
        rows = np.flatnonzero(self.status >= _READY)
        status, actions = self.status[rows], np.full(len(rows), NO_ACTION)
        present = set(status.tolist())
        for row in rows[status == _SIDES_KNOWN].tolist() if _SIDES_KNOWN in present else ():
            self._introduce(row)
        if _FULL in present:
            self._history, self._arguments = np.pad(self._history, ((0, 0), (0, self._history.shape[1]))), None
        if _ASKED in present:
            asked = status == _ASKED
            actions[asked] = self._ask(rows[asked])
        left = self.status[rows] >= _READY  # the others are forfeited
        if left.any():
            self._run(rows[left], actions[left])

    def _run(self, rows: np.ndarray, actions: np.ndarray) -> int:
        """Run the compiled loop, with an action or -1 for each of ``rows``, and tell players what has happened."""
        if self._events:
            taken = actions != NO_ACTION
            with self._events.watching(rows[taken], actions[taken], self.states):
                others = self._run_loop(rows, actions)
        else:
            others = self._run_loop(rows, actions)
        if others:
            status = self.status[rows]
            if (status == _STOPPED).any():
                error = int(self.states["error"][rows].max())
                raise engine.exception_for(error)(ERRORS[error])
            over = rows[status == _OVER]
            calls = self._traits["needs_calls"][self.endings["seated"][over]].any(axis=1)
            for row in over[calls].tolist():
                self._dismiss(row)
        return others

    def _run_loop(self, rows: np.ndarray, actions: np.ndarray) -> int:
        """``host_loop.play_rows`` in slices; keeps the time if it is recorded."""
        arguments = self._arguments or self._new_arguments()
        if not self._recorded:
            return self.team.run(play_rows, len(rows), rows, actions, arguments)
        seconds, ticks = perf_counter(), self._ticks()
        others = self.team.run(play_rows, len(rows), rows, actions, arguments)
        self._loop_seconds += perf_counter() - seconds
        self._loop_ticks += self._ticks() - ticks
        return others

    def _ticks(self) -> int:
        """Reading of the clock by which thinking time of compiled players is counted."""
        if not CLOCK:
            return int(self.slots["ticks"].sum())
        now = np.zeros(1, np.int64)
        read_ticks(now)
        return int(now[0])

    def _new_arguments(self) -> LoopArguments:
        """Arguments of the compiled loop, made anew after players have come or gone."""
        layout, threads, players = self._player_layout, self.team.size, len(self.players)
        answers, memories, self._owners = np.zeros(players, ADDRESS), np.zeros((threads, players), ADDRESS), []
        for number, player in enumerate(self.players):
            if plays_as_compiled(player):
                self._owners.append(owner := ThreadMemories(player, layout.size, threads))
                answers[number], memories[:, number] = player.answer(layout.size), owner.addresses
        seen, legal = layout.blank(threads)
        self._arguments = LoopArguments(
            step=engine.step(), external_view=self.layout.view, player_view=layout.view, begin=engine.begin(),
            timed=self._recorded, states=self.states, slots=self.slots, endings=self.endings, status=self.status,
            ended=self.ended, sides=self.sides, vp=self.vp, result=self.result, observations=self.observations,
            masks=self.masks, final_observations=self.final_observations, questions=self._questions,
            question_masks=self._question_masks, history=self._history, answers=answers,
            memories=memories, seen=seen, legal=legal, chosen=np.zeros((threads, 1), np.int64),
        )  # fmt: skip
        return self._arguments

    # --- asking players --------------------------------------------------------------------------

    def _ask(self, rows: np.ndarray) -> np.ndarray:
        """Legal answers int64 [K] of the players that are asked in ``rows``, -1 where they forfeit. No game moves."""
        seats = self.states["actor"][rows].astype(np.int64) ^ self.states["swapped"][rows]
        actions, numbers = np.full(len(rows), NO_ACTION), self.slots["seated"][rows, seats]
        if self.options.bid:
            decisions = self.states["decision"][rows]
            for at in np.flatnonzero(is_bid(decisions)).tolist():
                offer = Offer(*self.slots["offers"][rows[at], seats[at]].tolist())
                actions[at], numbers[at] = bid_action(decisions[at], offer), EXTERNAL
        for number in sorted(set(numbers.tolist()) - {EXTERNAL}):
            player, where = self.players[number], np.flatnonzero(numbers == number)
            assert player is not None, "an external seat"
            alone = player.one_game_at_a_time or (not self._raises and answers_one_by_one(player))
            for group in where.reshape(-1, 1) if alone else [where]:
                actions[group] = self._ask_player(player, rows[group], seats[group])
        return actions

    def _ask_player(self, player: Player, rows: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """Ask one player in ``rows``; return its legal answers, -1 where it forfeits.

        An exception of a ``BatchPlayer`` forfeits all rows; a ``ViewPlayer`` is then asked about each row alone.
        """
        seen, masks, failure = self._questions[rows], self._question_masks[rows], None
        views = [View(self.states[row]) for row in rows.tolist()] if isinstance(player, ViewPlayer) else []
        started = perf_counter()
        try:
            for row, seat in zip(rows.tolist(), seats.tolist(), strict=True) if player.wants_events else ():
                self._events.tell(row, seat)
            answers = ask(player, views, seen, masks)
        except _FAILURES as error:
            if self._raises or isinstance(error, PlayerUnreachable):
                raise
            if len(views) > 1:
                each = zip(rows.reshape(-1, 1), seats.reshape(-1, 1), strict=True)
                return np.concatenate([self._ask_player(player, row, seat) for row, seat in each])
            answers, failure = np.full(len(rows), NO_ACTION), error
        seconds = perf_counter() - started
        self.slots["seconds"][rows, seats] += seconds / len(rows)
        legal = legal_actions(answers, masks)
        if legal.all():
            return answers
        if self._raises:
            try:
                checked_actions(answers, self.states, self._question_masks, rows)
            except IllegalAction as error:
                raise IllegalAction(
                    f"answers of {player.name} cannot be used, reset before going on: {error}"
                ) from error
        for at in np.flatnonzero(~legal).tolist():
            self.slots["decisions"][rows[at], seats[at]] += 1
            self._fail(int(rows[at]), int(seats[at]), failure or illegal_answer(int(answers[at]), masks[at]))
        return np.where(legal, answers, NO_ACTION)

    # --- ending --------------------------------------------------------------------------------

    def _fail(self, row: int, seat: int, error: BaseException) -> None:
        if self._raises or isinstance(error, PlayerUnreachable):
            raise error
        self.forfeit(row, seat, failure_text(error))

    def forfeit(self, row: int, seat: int, failure: str) -> None:
        """End the game in a row as lost for ``seat``, whose player has failed or resigned.

        Raises ``GameOver`` where no game is in progress.
        """
        if self.status[row] < _READY and self.status[row] != _EXTERNAL:
            raise GameOver(f"no game is in progress in row {row}")
        state, slot, ending = self.states[row], self.slots[row], self.endings[row]
        for name in ("seed", "vp", "turn", "swapped", "offers"):
            ending[name] = state[name]
        for external in np.flatnonzero(slot.seated == EXTERNAL).tolist():
            self.final_observations[row, external] = self.layout.one(state, external ^ int(state.swapped))
        ending.length, ending.seated[:], ending.decisions[:] = state.decisions, slot.seated, slot.decisions
        lost = Result.COMMUNIST if seat ^ int(state.swapped) == DEMOCRAT else Result.DEMOCRAT
        ending.result = self.result[row] = int(lost)
        self.status[row], self.ended[row], self.masks[row], self._failures[row] = _OVER, True, 0, failure
        self._dismiss(row)

    def _dismiss(self, row: int) -> None:
        """Tell the players of a game that is over; without ``on_failure="raise"`` what goes wrong costs nothing."""
        ending = self.endings[row]
        outcome = {"result": RESULTS[ending["result"]], "reason": self._reason(row), "vp": int(ending["vp"])}
        for seat, number in enumerate(ending["seated"].tolist()):
            player = self.players[number]
            if player is not None and self._traits["needs_calls"][number]:
                try:
                    self._events.tell(row, seat)
                    player.end_game(dict(outcome))
                except _FAILURES as error:
                    if self._raises:
                        raise
                    logging.getLogger(__name__).warning(
                        "%s, after its game: %s", escape_text(player.name), failure_text(error)
                    )

    def _reason(self, row: int) -> str:
        return FORFEIT if row in self._failures else REASONS[self.endings["reason"][row]]

    def ended_games(self) -> list[Ending]:
        """The games that have ended since the last call, the latest of each row; before others begin there."""
        rows, per_tick = np.flatnonzero(self.ended), self._loop_seconds / max(1, self._loop_ticks)
        self.ended[rows] = False
        return [self._ending(row, per_tick) for row in rows.tolist()]

    def _ending(self, row: int, per_tick: float) -> Ending:
        slot, (facts,) = self.slots[row], self.endings[row : row + 1].tolist()
        seed, result, _, vp, turn, length, swapped, offers, seated, decisions = facts
        democrat, communist = (1, 0) if swapped else (0, 1)  # seats
        seconds = (slot["seconds"] + slot["ticks"] * per_tick).tolist()
        return Ending(
            row, seed, RESULTS[result], self._reason(row), vp, turn, length,
            players=(self.players[seated[democrat]], self.players[seated[communist]]),
            seconds=(seconds[democrat], seconds[communist]),
            decisions=(int(decisions[democrat]), int(decisions[communist])),
            offers=tuple(Offer(*offer) for offer in offers.tolist() if min(offer) >= 0),
            failure=self._failures.pop(row, ""), actions=self._history[row, :length].tolist(),
        )  # fmt: skip

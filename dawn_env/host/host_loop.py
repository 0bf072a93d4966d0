"""The compiled loop of a ``Host``: plays many games until each needs something that only Python can do."""

import platform
from enum import auto
from typing import Annotated, NamedTuple

import numpy as np

from dawn_env.bids import bid_action, is_bid
from dawn_env.observation.view_layouts import call_view
from dawn_env.players import call_answer
from dawn_env.rules.flow import call_begin, call_step
from dawn_env.state import STATE, Error, Result
from dawn_env.support.compiling import COMPILED, AutoIntEnum, entry, jit, read_clock, spliced
from dawn_env.tables import SIDES

EXTERNAL = 0
"""Stands for a player: ``Host.step`` brings the actions of this seat."""
NO_ACTION, NO_OFFER, NO_SEED = -1, -1, -1
CLOCK = COMPILED and platform.machine() in ("x86_64", "AMD64")  # elsewhere a process may not look


class Status(AutoIntEnum):
    """Next need of a row; values from ``READY`` on are served by ``Host.advance``."""

    IDLE = auto()  # a game
    EXTERNAL = auto()  # an action of an external seat
    OVER = auto()  # nothing: the game has ended
    STOPPED = auto()  # an exception: the rules found an error
    READY = auto()  # to be played on by the compiled loop
    ASKED = auto()  # an answer of a player that is Python code, or whose decision is to be observed
    SIDES_KNOWN = auto()  # Player.begin_game
    FULL = auto()  # room for more actions


SLOT = np.dtype((np.record, [
    ("seated", np.int64, SIDES),  # by seat: EXTERNAL or a number of Host.register
    ("offers", np.int64, (SIDES, 2)),  # by seat: side and points of the bid; -1: the seat answers the bid by itself
    ("introduced", np.int64),  # 1: Player.begin_game has been called, or no player here needs it
    ("stepwise", np.int64),  # 1: the compiled loop takes one decision at a time, so that events can be observed
    ("repeatable", np.int64),  # 1: the compiled loop may begin the game that follows
    ("decisions", np.int64, SIDES),  # by seat, bids of players left out
    ("ticks", np.int64, SIDES),  # by seat: thinking time of compiled players, see _ticks
    ("seconds", np.float64, SIDES),  # by seat: thinking time of other players
    ("next_seed", np.int64),  # of the game that follows; -1: none
    ("next_seated", np.int64, SIDES),
]))  # fmt: skip
"""A row of ``Host.slots``: the players of the game in progress, their figures, and the game that follows."""

ENDING = np.dtype((np.record, [
    ("seed", np.int64),
    ("result", np.int64),  # numbers of ``state.RESULTS`` and ``state.REASONS``
    ("reason", np.int64),
    ("vp", np.int64),
    ("turn", np.int64),
    ("length", np.int64),  # decisions of both sides
    ("swapped", np.int64),  # the side of a seat is ``seat ^ swapped``
    ("offers", np.int64, (SIDES, 2)),  # by seat: side and points; -1 where none was made
    ("seated", np.int64, SIDES),
    ("decisions", np.int64, SIDES),
]))  # fmt: skip
"""A row of ``Host.endings``: the latest game that ended there."""

TRAITS = np.dtype((np.record, [
    ("known", np.bool_),  # the number is that of a player or EXTERNAL
    ("needs_calls", np.bool_),  # of Python, where games begin, are watched or end
    ("wants_events", np.bool_),  # see Player
]))  # fmt: skip
"""What a host notes of a player, by number."""


class LoopArguments(NamedTuple):
    """Arguments of the loop: n games, P players, T threads, external views [F] and masks [A], players' [G] and [B].

    What builds the library derives the parameters in C from the annotations.
    """

    step: int  # function pointers: the rules, the views of external seats and of players, what begins a game
    external_view: int
    player_view: int
    begin: int
    timed: bool  # whether ``ticks`` are counted
    states: Annotated[np.ndarray, STATE, "n"]
    slots: Annotated[np.ndarray, SLOT, "n"]
    endings: Annotated[np.ndarray, ENDING, "n"]
    status: Annotated[np.ndarray, np.int8, "n"]
    ended: Annotated[np.ndarray, np.bool_, "n"]  # set where a game ends
    sides: Annotated[np.ndarray, np.int64, "n"]  # the latest external side to act or to see the end
    vp: Annotated[np.ndarray, np.int64, "n"]
    result: Annotated[np.ndarray, np.int64, "n"]
    observations: Annotated[np.ndarray, np.int8, "n F"]
    masks: Annotated[np.ndarray, np.int8, "n A"]
    final_observations: Annotated[np.ndarray, np.int8, "n 2 F"]  # by seat
    questions: Annotated[np.ndarray, np.int8, "n G"]  # views and masks of players that are Python code
    question_masks: Annotated[np.ndarray, np.int8, "n B"]
    history: Annotated[np.ndarray, np.uint8, "n M"]  # actions; M = 0: they are not kept
    answers: Annotated[np.ndarray, np.intp, "P"]  # addresses, 0: Python has to be asked
    memories: Annotated[np.ndarray, np.intp, "T P"]  # addresses of memories of compiled players
    seen: Annotated[np.ndarray, np.int8, "T G"]  # this and what follows: work space
    legal: Annotated[np.ndarray, np.int8, "T B"]
    chosen: Annotated[np.ndarray, np.int64, "T 1"]


@jit
def _ticks():
    """The processor's clock; 0 where there is none."""
    return read_clock() if CLOCK else 0


@entry
def read_ticks(now):
    """Write what the processor's clock says into ``now`` int64 [1]; always 0 where it cannot be read."""
    now[0] = _ticks()


@entry
def claim_rows(rows, actions, states, count, status, ended):
    """Return True if ``actions`` int64 [K] of external seats are legal in ``rows`` int64 [K], each once.

    ``count``: number of all actions. Marks the rows as ``READY`` and not ended; unless all is right nothing changes.
    """
    for i in range(len(rows)):
        row, action = rows[i], actions[i]
        here = 0 <= row < len(status) and status[row] == Status.EXTERNAL
        if not (here and 0 <= action < count and states[row].legal[action]):
            for j in range(i):
                status[rows[j]] = Status.EXTERNAL
            return False
        status[row] = Status.READY
    for i in range(len(rows)):
        ended[rows[i]] = False
    return True


@entry
def queue_games(rows, seeds, seated, traits, slots):
    """Queue the games that follow in ``rows`` int64 [K], from ``seeds`` int64 [K] with ``seated`` int64 [K, 2], where
    the loop can begin them; ``traits`` TRAITS [P]."""
    for i in range(len(rows)):
        slot, first, second = slots[rows[i]], seated[i, 0], seated[i, 1]
        calls = traits[first].needs_calls or traits[second].needs_calls
        slot.next_seed = seeds[i] if slot.repeatable and not calls else NO_SEED
        slot.next_seated[0], slot.next_seated[1] = first, second


@entry
def play_rows(first, last, number, rows, actions, t):
    """Take ``actions`` int64 [K] in ``rows`` int64 [K], then let compiled players decide as long as they can.

    Does ``rows[first:last]``, slice ``number``. An action of -1 takes none. Writes the ``Status`` of each row; returns
    in how many of them it is not ``EXTERNAL``.
    """
    others = 0
    for i in range(first, last):
        row = rows[i]
        if actions[i] != NO_ACTION:
            _take(t, row, actions[i])
        status = _play_on(t, number, row)
        t.status[row], t.vp[row], t.result[row] = status, t.states[row].vp, t.states[row].result
        others += int(status != Status.EXTERNAL)
    return others


@spliced
def _play_on(t, number, row):
    """Play compiled players' decisions until the game needs something else; returns the ``Status``."""
    s, slot = t.states[row], t.slots[row]
    while True:
        if s.error != Error.NONE:
            return Status.STOPPED
        if s.result != Result.RUNNING:
            _end(t, row)
            if slot.next_seed == NO_SEED:
                return Status.OVER
            _begin_next(t, row)
        seat, bidding = s.actor ^ s.swapped, is_bid(s.decision)
        external, offered = slot.seated[seat] == EXTERNAL, bidding and slot.offers[seat, 0] != NO_OFFER
        if not bidding and slot.introduced == 0:
            return Status.SIDES_KNOWN
        if t.history.shape[1] and s.decisions == t.history.shape[1]:
            return Status.FULL
        if external and not offered:
            t.sides[row] = s.actor
            call_view(t.external_view, s, s.actor, t.observations[row], t.masks[row])
            return Status.EXTERNAL
        action = NO_ACTION if slot.stepwise else _answer(t, number, row, seat, offered)
        if action == NO_ACTION:
            if not bidding:
                call_view(t.player_view, s, s.actor, t.questions[row], t.question_masks[row])
            return Status.ASKED
        _take(t, row, action)


@spliced
def _answer(t, number, row, seat, offered):
    """The action of a compiled player, or by which an offer is made; -1 if Python has to be asked."""
    s, slot = t.states[row], t.slots[row]
    if offered:
        return bid_action(s.decision, slot.offers[seat])
    # Views go to one place per slice, so that it stays in the processor's cache.
    player, seen, legal, chosen = slot.seated[seat], t.seen[number], t.legal[number], t.chosen[number]
    if t.answers[player] == 0:
        return NO_ACTION
    began = _ticks() if t.timed else 0
    call_view(t.player_view, s, s.actor, seen, legal)
    call_answer(t.answers[player], t.memories[number, player], seen, legal, chosen)
    if not (0 <= chosen[0] < len(legal) and legal[chosen[0]]):
        return NO_ACTION
    if t.timed:  # where there is no clock, decisions are counted in its place
        slot.ticks[seat] += max(1, _ticks() - began)
    return chosen[0]


@spliced
def _take(t, row, action):
    """Take a legal action, and keep it if actions are kept."""
    s, slot = t.states[row], t.slots[row]
    seat = s.actor ^ s.swapped
    slot.decisions[seat] += int(slot.seated[seat] == EXTERNAL or not is_bid(s.decision))
    if t.history.shape[1]:
        t.history[row, s.decisions] = action
    call_step(t.step, s, action)


@jit
def _end(t, row):
    """Record how a game went, and the last views of its external seats."""
    s, slot, ending = t.states[row], t.slots[row], t.endings[row]
    t.ended[row] = True
    ending.seed, ending.result, ending.reason, ending.vp, ending.turn = s.seed, s.result, s.reason, s.vp, s.turn
    ending.length, ending.swapped = s.decisions, s.swapped
    for seat in range(SIDES):
        ending.seated[seat], ending.decisions[seat] = slot.seated[seat], slot.decisions[seat]
        for part in range(2):
            ending.offers[seat, part] = s.offers[seat, part]
        if slot.seated[seat] == EXTERNAL:
            t.sides[row] = seat ^ s.swapped
            call_view(t.external_view, s, t.sides[row], t.final_observations[row, seat], t.masks[row])


@jit
def _begin_next(t, row):
    """Begin the game that follows."""
    slot = t.slots[row]
    call_begin(t.begin, t.states[row], slot.next_seed)
    slot.next_seed = NO_SEED
    for seat in range(SIDES):
        slot.seated[seat], slot.decisions[seat], slot.ticks[seat], slot.seconds[seat] = slot.next_seated[seat], 0, 0, 0

"""The compiled loop of games seen from one seat: the learner's actions, the answers of compiled opponents, new games.

``SeatGames`` says which phase it is and looks after all that only Python can do.
"""

from enum import auto
from typing import NamedTuple

import numpy as np

from dawn_env.compiled_play import answer_into
from dawn_env.layouts import call_view
from dawn_env.rules.flow import call_step
from dawn_env.rules.start import call_begin
from dawn_env.state import Error, Result
from dawn_env.support.compiling import entry, jit, spliced
from dawn_env.support.hashing import mixed_word
from dawn_env.support.numbered import Numbered
from dawn_env.support.seeds import next_seed
from dawn_env.tables import DEMOCRAT

_SIDE_DRAW, _OPPONENT_DRAW = 0x1E3779B97F4A7C15, 0x3C6EF372FE94F82A

ENDED = np.dtype((np.record, [(name, np.int64) for name in (
    "seed", "play", "side", "outcome", "result", "reason", "vp", "turn", "decisions", "learner_decisions",
)]))  # fmt: skip
"""What is told of a game that is over; ``play`` is its opponent's number."""
COUNTS = ("games", "wins", "draws", "losses", "vp", "decisions")
"""What is counted of games that are over; ``vp`` are the learner's."""
_GAMES, _DRAWS, _VP, _DECISIONS = (COUNTS.index(name) for name in ("games", "draws", "vp", "decisions"))


class Phase(Numbered):
    """Operation of the loop on its rows."""

    LEARNER = auto()  # take their actions
    OPPONENT = auto()  # take the opponents' actions
    SHOW = auto()  # show opponents who are not compiled what they are asked
    BEGIN = auto()  # begin games, whose seeds stand in place of actions
    BEGUN = auto()  # play games that have begun


class Next(Numbered):
    """Next actor of a game."""

    LEARNER = auto()
    OPPONENT = auto()
    NOBODY = auto()  # it is over, or an error has stopped it


class Table(NamedTuple):
    """Arguments of the loop: n games, P opponents, views [F] and masks [A]."""

    phase: np.ndarray  # int64 [1]
    rows: np.ndarray  # int64 [n]: which games are played
    actions: np.ndarray  # int64 [n], of ``rows`` in turn
    then: np.ndarray  # int8 [n]: ``Next``, of ``rows`` in turn
    step: int  # addresses of the rules, of what writes a view and of what begins a game
    write: int
    begin: int
    again: bool  # whether a game that ends is followed by another here
    side: int  # the learner's, -1: drawn
    states: np.ndarray  # STATE [n]
    players: np.ndarray  # int8 [n]: 1 where the learner is the Communist, or the second player at a bid
    sides: np.ndarray  # int64 [n], like the next two: the learner's side, VP and result
    vp: np.ndarray
    result: np.ndarray
    rewards: np.ndarray  # float32 [n]
    ended: np.ndarray  # bool [n]
    learner_decisions: np.ndarray  # int64 [n]
    seen: np.ndarray  # int8 [n, F]: the learner's views
    legal: np.ndarray  # int8 [n, A]: the learner's legal actions
    final_observations: np.ndarray  # int8 [n, F]
    ends: np.ndarray  # ENDED [n]
    counts: np.ndarray  # int64 [threads, P, 2, len(COUNTS)], by the thread that counts, opponent and learner's side
    plays: np.ndarray  # int64 [n]: who is the opponent
    bounds: np.ndarray  # float64: of the shares of opponents who are drawn
    answers: np.ndarray  # ADDRESS [P] and [threads, P], see ``compiled_play.Compiled``
    memories: np.ndarray
    their_seen: np.ndarray  # int8 [n, F], like the next two what opponents see and answer, of ``rows`` in turn
    their_legal: np.ndarray
    their_actions: np.ndarray


@entry
def all_legal(rows, actions, states, count):
    """Return True if ``actions`` int64 [K] are legal in ``rows`` int64 [K] of ``states``; ``count``: of all actions."""
    for i in range(len(rows)):
        if not (0 <= actions[i] < count and states[rows[i]].legal[actions[i]]):
            return False
    return True


@entry
def play_rows(first, last, number, table):
    """Do what ``table.phase`` says in ``table.rows[first:last]``, slice ``number``.

    Returns the number of rows where it is not the learner's turn afterwards.
    """
    others = 0
    for i in range(first, last):
        others += int(not _played(table, number, first, i))
    return others


@spliced
def _played(table, number, first, i):
    """Return True if the i-th of the rows needs nothing further; ``number``, ``first``: of this thread's slice."""
    row, phase = table.rows[i], table.phase[0]
    s = table.states[row]
    if phase == Phase.SHOW:
        call_view(table.write, s, s.actor, table.their_seen[i], table.their_legal[i])
        return True
    if phase == Phase.BEGIN:
        _begin(table, row, int(table.actions[i]))
        return True
    if phase == Phase.LEARNER:
        table.rewards[row], table.ended[row] = 0, False
        table.learner_decisions[row] += 1
    if phase != Phase.BEGUN:
        call_step(table.step, s, table.actions[i])
    table.then[i] = _go_on(table, number, first, row)
    return table.then[i] == Next.LEARNER


@spliced
def _go_on(table, number, first, row):
    """Play a game until the learner is to act, and say who goes on with it."""
    s = table.states[row]
    while True:
        while _is_theirs(s, table.players[row]) and _answered(table, number, first, row):
            pass
        table.sides[row] = table.players[row] ^ s.swapped
        if _is_theirs(s, table.players[row]):
            return Next.OPPONENT
        over = s.result != Result.RUNNING and s.error == Error.NONE
        if over:
            _end(table, number, row)
        if not (over and table.again):
            break
        _begin(table, row, next_seed(int(s.seed)))
    table.vp[row], table.result[row] = s.vp, s.result
    call_view(table.write, s, table.sides[row], table.seen[row], table.legal[row])
    return Next.LEARNER if _goes_on(s) else Next.NOBODY


@jit
def _goes_on(s):
    return s.result == Result.RUNNING and s.error == Error.NONE


@jit
def _is_theirs(s, player):
    """Return True if the opponent of the learner, who is ``player`` 0 or 1, is to act."""
    return _goes_on(s) and s.actor != player ^ s.swapped


@spliced
def _answered(table, number, first, row):
    """Take the decision of a compiled opponent; False unless it gave a legal answer."""
    s, play = table.states[row], table.plays[row]
    # What they see stands where this part begins, so that it stays in the processor's cache.
    seen, legal, action = table.their_seen[first], table.their_legal[first], table.their_actions[first : first + 1]
    able = answer_into(table.write, s, table.answers[play], table.memories[number, play], seen, legal, action)
    if able:
        call_step(table.step, s, action[0])
    return able


@jit
def _end(table, number, row):
    """Reward the learner for a game that is over, and note how it went."""
    s, end, side, play = table.states[row], table.ends[row], table.sides[row], table.plays[row]
    sign = 1 if side == DEMOCRAT else -1
    outcome = sign * (int(s.result == Result.DEMOCRAT) - int(s.result == Result.COMMUNIST))
    table.rewards[row], table.ended[row] = outcome, True
    end.seed, end.play, end.side, end.outcome = s.seed, play, side, outcome
    end.result, end.reason, end.vp, end.turn = s.result, s.reason, s.vp, s.turn
    end.decisions, end.learner_decisions = s.decisions, table.learner_decisions[row]
    counts = table.counts[number, play, side]
    counts[_GAMES] += 1
    counts[_DRAWS - outcome] += 1  # or the one before it, which are wins, or after it
    counts[_VP] += sign * s.vp
    counts[_DECISIONS] += s.decisions
    call_view(table.write, s, side, table.final_observations[row], table.legal[row])


@jit
def _begin(table, row, seed):
    """Begin a game; opponent and sides follow from the seed too."""
    call_begin(table.begin, table.states[row], seed)
    table.plays[row] = _drawn(table.bounds, float(mixed_word(seed + _OPPONENT_DRAW)) / 2.0**64)
    drawn = table.side < 0
    table.players[row] = int(mixed_word(seed + _SIDE_DRAW) >> 63) if drawn else table.side
    table.learner_decisions[row] = 0


@jit
def _drawn(bounds, at):
    """Into which of the shares between ``bounds`` a number in 0 ... 1 falls."""
    which = 0
    while which < len(bounds) and bounds[which] <= at:
        which += 1
    return which

"""Games of the networks against each other or a fixed opponent, from which they learn, and the targets: TD(lambda) on
real afterstates.

A side learns the value of the position after its own move from the next such position *that really followed*. Its dice
are independent of the judgements by which the move was chosen: a mean or maximum over judgements as a target would
be too high (the winner's curse), since it is the noisiest judgement that is chosen.
"""

from typing import NamedTuple

import numpy as np

from dawn_agents.players.afterstate.lookahead import (
    best_of,
    draw32,
    draw_seed,
    evaluate,
    is_settled,
    judge_actions,
    judge_of,
    vp_of,
)
from dawn_agents.players.afterstate.network import HEADS, HORIZONS, MARGINS, RESULT, UNITS
from dawn_env.rules.chance import DIE
from dawn_env.rules.flow import call_begin, call_step
from dawn_env.rules.redeal import redeal_record
from dawn_env.state import Reason, Result
from dawn_env.support.compiling import entry, jit
from dawn_env.support.elementary import exp, log
from dawn_env.tables import DEMOCRAT, SIDES

_CLOCK = 9  # action rounds of a turn, that in which cards are dealt counted
_DISCOUNTS = np.array(HORIZONS)
ENTROPY, DECISIONS, SETTLED = 0, 1, 2
"""Indices into a tally: sum of the entropies, number of decisions and of settled ones, without exploring starts."""
GAMES, LENGTH, TURNS, HELD, DEMOCRAT_POINTS = 3, 4, 5, 6, 7
"""Indices into a tally, sums over finished games: games, decisions, turns, losses by a held scoring card, points of the
Democrat."""
MET, POINTS = 8, 10
"""Indices into a tally, plus the side: finished games of its network against the opponent, and their points."""
TALLIES = 12
"""Length of a tally, a float64 array."""
NOBODY = -1
"""Value of the opponent's side in self-play, where there is no opponent."""


class Exploration(NamedTuple):
    """Exploration settings, from ``[afterstate]``."""

    random: float  # probability of a random action
    starts: float  # probability that a game has an exploring start
    decisions: int  # maximum length of such a start
    temperature: float  # minimum temperature in it


class Rollout(NamedTuple):
    """``T`` decisions of the networks in each of ``G`` games; arrays [T, G, ...]."""

    observations: np.ndarray  # int8 [.., F] what the mover sees after the move
    movers: np.ndarray  # int8 side that has moved
    explored: np.ndarray  # bool: the move was drawn to explore; what follows tells nothing about moves before it
    settled: np.ndarray  # bool: the card play of the mover is over
    clocks: np.ndarray  # int16 action rounds since the start of the game, after the move
    values: np.ndarray  # float32 [.., HEADS] values of the afterstate: final VP, result
    vp: np.ndarray  # float32 VP of the mover after the move
    ended: np.ndarray  # bool: the game has ended with the move, so that there is no afterstate to learn
    ended_after: np.ndarray  # bool: the game has ended after the move, by what the opponent did
    end_clocks: np.ndarray  # int16 action rounds at that end
    ends: np.ndarray  # float32 [.., HEADS] value of either end for the Democrat
    targets: np.ndarray  # float32 [.., HEADS] what to learn, in units of the heads; nan where there is nothing


def new_rollout(steps: int, games: int, size: int) -> Rollout:
    """Empty arrays for observations of ``size`` numbers."""
    at = (steps, games)
    return Rollout(
        np.zeros((*at, size), np.int8), np.zeros(at, np.int8), *(np.zeros(at, np.bool_) for _ in range(2)),
        np.zeros(at, np.int16), np.zeros((*at, HEADS), np.float32), np.zeros(at, np.float32),
        *(np.zeros(at, np.bool_) for _ in range(2)), np.zeros(at, np.int16),
        *(np.zeros((*at, HEADS), np.float32) for _ in range(2)),
    )  # fmt: skip


# --- playing ---------------------------------------------------------------------------------------------


@jit
def _uniform(random):
    return (draw32(random) + 0.5) * 2.0**-32


@jit
def _draw_action(count, temperature, random, k):
    """Sample an action with the probabilities softmax(utilities / temperature); return its index and their entropy."""
    best, total = k.utilities[best_of(count, k)], 0.0
    for i in range(count):
        total += exp((k.utilities[i] - best) / temperature)
    left, entropy, chosen = _uniform(random) * total, log(total), -1
    for i in range(count):
        weight = exp((k.utilities[i] - best) / temperature)
        entropy -= weight / total * (k.utilities[i] - best) / temperature
        left -= weight
        if left < 0 and chosen < 0:
            chosen = i
    return chosen if chosen >= 0 else count - 1, entropy


@jit
def _deal(s, side, random, k, deals):
    """Fill ``deals`` with copies of the position, cards hidden from ``side`` dealt anew; first dice stratified."""
    first = draw32(random) % DIE
    for i in range(len(deals)):
        deals[i] = s
        redeal_record(deals[i], side, draw_seed((first + DIE * i // len(deals)) % DIE, random, k))


@jit
def _clock(s):
    return int(s.turn) * _CLOCK + int(s.action_round)


@jit
def _judge_end(view, s, opponent, weights, tally, k):
    """Write the value of the end for the Democrat into ``k.evaluation.heads``, and count the game."""
    evaluate(view, s, judge_of(DEMOCRAT, weights, k), k)
    points = 0.5 + 0.5 * k.evaluation.heads[RESULT]
    tally[GAMES] += 1
    tally[LENGTH] += s.decisions
    tally[TURNS] += s.turn
    tally[HELD] += s.reason == Reason.HELD_SCORING_CARD
    tally[DEMOCRAT_POINTS] += points
    if opponent != NOBODY:
        tally[MET + 1 - opponent] += 1
        tally[POINTS + 1 - opponent] += 1.0 - points if opponent == DEMOCRAT else points


@jit
def _begin_next(begin, s, exploration, random):
    """Begin the next game; return the length of its exploring start in decisions, 0 for none."""
    call_begin(begin, s, draw32(random) << 30 | draw32(random) >> 2)
    return 1 + draw32(random) % exploration.decisions if _uniform(random) < exploration.starts else 0


@entry
def play_games(
    first, last, number, step, view, begin, states, randoms, starts, opponents, exploration, weights, temperature,
    depth, works, dealt, taken, rollout, tallies,
):  # fmt: skip
    """Play games ``first`` ... ``last`` - 1 until each has T decisions of the networks or it is the opponent's turn.

    Games that have ended are begun anew. ``taken`` int64 [G]: decisions of each game so far, for which ``rollout`` is
    filled; ``opponents`` int8 [G]: side that somebody else plays, or ``NOBODY``.
    ``states`` STATE [G], ``randoms`` int64 [G, 1] their generators, ``starts`` int64 [G] lengths of their exploring
    starts, ``weights`` float32 [2, ROWS, W]; ``works``: a ``Lookahead`` for each thread, of which ``number`` is used;
    ``dealt`` STATE [threads, n]: for the deals of a judgement; ``tallies`` float64 [G, TALLIES] is added to.
    """
    k, e = works[number], works[number].evaluation
    deals = dealt[number]
    for g in range(first, last):
        s, random, tally = states[g], randoms[g], tallies[g]
        for t in range(taken[g], len(rollout.movers)):
            if s.actor == opponents[g]:
                break
            side, turn, action_round, phasing = int(s.actor), s.turn, s.action_round, s.phasing
            _deal(s, side, random, k, deals)
            count = judge_actions(step, view, deals, side, weights, depth, 1, random, k)
            starting = s.decisions < starts[g] and temperature < exploration.temperature
            drawn_at = exploration.temperature if starting else temperature
            chosen, entropy = _draw_action(count, drawn_at, random, k)
            at_random = _uniform(random) < exploration.random
            if at_random:
                chosen = draw32(random) % count
            rollout.explored[t, g] = at_random or starting
            call_step(step, s, k.actions[chosen])
            rollout.movers[t, g], rollout.clocks[t, g], rollout.vp[t, g] = side, _clock(s), vp_of(s, side)
            rollout.settled[t, g] = is_settled(s, side, turn, action_round, phasing)
            if not starting:
                tally[ENTROPY] += entropy
                tally[DECISIONS] += 1
                tally[SETTLED] += rollout.settled[t, g]
            taken[g] += 1
            rollout.ended[t, g] = s.result != Result.RUNNING
            if not rollout.ended[t, g]:
                evaluate(view, s, judge_of(side, weights, k), k)
                for head in range(HEADS):
                    rollout.values[t, g, head] = e.heads[head]
                for i in range(rollout.observations.shape[2]):
                    rollout.observations[t, g, i] = e.inputs.x[1, i]
            else:
                _judge_end(view, s, opponents[g], weights, tally, k)
                for head in range(HEADS):
                    rollout.ends[t, g, head] = e.heads[head]
                starts[g] = _begin_next(begin, s, exploration, random)
    return 0


@entry
def take_answers(
    rows, actions, step, view, begin, states, randoms, starts, opponents, exploration, weights, k, taken, rollout,
    tallies,
):  # fmt: skip
    """Take ``actions`` int64 [K] of the opponent in games ``rows`` int64 [K]; arrays as of ``play_games``.

    An end is noted at the latest decision of the networks, if it was in this game.
    """
    for i in range(len(rows)):
        g = rows[i]
        s, t = states[g], taken[g] - 1
        call_step(step, s, actions[i])
        if s.result != Result.RUNNING:
            _judge_end(view, s, opponents[g], weights, tallies[g], k)
            if t >= 0 and not rollout.ended[t, g] and not rollout.ended_after[t, g]:
                rollout.ended_after[t, g], rollout.end_clocks[t, g] = True, _clock(s)
                for head in range(HEADS):
                    rollout.ends[t, g, head] = k.evaluation.heads[head]
            starts[g] = _begin_next(begin, s, exploration, randoms[g])


# --- targets ---------------------------------------------------------------------------------------------


@jit
def _write_targets_of(rollout, g, side, traces, following, error):
    """Targets of one side in one game, from the last move to the first.

    ``following`` float64 [HEADS]: value of the next afterstate of the side, or of the end;
    ``error``: by how much its target differs from its value.
    """
    known, at, settled, sign = False, 0, True, 1 if side == DEMOCRAT else -1
    for t in range(len(rollout.movers) - 1, -1, -1):
        if rollout.ended[t, g] or rollout.ended_after[t, g]:
            known, settled = True, True
            at = int(rollout.end_clocks[t, g] if rollout.ended_after[t, g] else rollout.clocks[t, g])
            for head in range(HEADS):
                following[head], error[head] = sign * rollout.ends[t, g, head], 0.0
        own, passed = rollout.movers[t, g] == side, max(0, at - int(rollout.clocks[t, g]))
        if own and not rollout.ended[t, g]:
            for head in range(HEADS):
                value, wrong = float(rollout.values[t, g, head]), 0.0
                if known:
                    target = following[head] + (traces[head] if settled else 1.0) * error[head]
                    if head < MARGINS:
                        vp = rollout.vp[t, g]
                        target = vp + (target - vp) * _DISCOUNTS[head] ** passed
                        rollout.targets[t, g, head] = (target - vp) / UNITS[head]
                    else:
                        rollout.targets[t, g, head] = target
                    wrong = target - value
                following[head], error[head] = value, wrong
            known, at, settled = True, int(rollout.clocks[t, g]), rollout.settled[t, g]
        if own and rollout.explored[t, g]:
            known = False


@entry
def write_targets(rollout, traces, following, error):
    """Fill ``rollout.targets``.

    ``traces`` float64 [HEADS]: lambda of each head between settled positions; within a card play it is 1, so that
    positions inside it learn from its end. ``following``, ``error``: work space, float64 [HEADS].
    """
    rollout.targets[:] = np.nan
    for g in range(rollout.movers.shape[1]):
        for side in range(SIDES):
            _write_targets_of(rollout, g, side, traces, following, error)

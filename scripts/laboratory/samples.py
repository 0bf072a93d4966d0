"""Games of a player against itself, to which probabilities of winning are fitted, and how well those foretell.

Every second game of the rules of thumb begins with a random number of decisions drawn by the softmax of the scores, so
that unusual positions occur too. Positions are drawn at random after that.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from dawn_agents.players.search.rollout_policy import RolloutPolicy, best_action

from dawn_env import engine
from dawn_env.actions import A
from dawn_env.batch import Batch
from dawn_env.players import Player, choose_actions
from dawn_env.rules.flow import call_step
from dawn_env.state import Result, new_states, take_states
from dawn_env.support.compiling import entry, jit
from dawn_env.support.progress_bars import ProgressBar, with_progress

_RANDOM_DECISIONS, _TEMPERATURES = 350, (0.3, 1.5)
_KEPT_APART = 10  # one game in so many
_AT_ONCE = 256  # games of ``games_of``

_POINTS = {Result.DEMOCRAT: 1.0, Result.DRAW: 0.5}


class Sampling(NamedTuple):
    """Choose positions of a game, ``most`` at most."""

    most: int
    often: float
    """Chance that a position is taken."""
    often_in_struggles: float
    """Samples in a power struggle."""
    errors: float = 0.0
    """Share of decisions, after those drawn by their scores, that are made at random."""


class Sample(NamedTuple):
    """Positions of one game."""

    game: int
    states: np.ndarray  # STATE [n], in their order
    result: float
    """1: the Democrat won; 0.5: a draw."""


@jit
def _draw_by_scores(s, scores, temperature):
    """A legal action by the softmax of the scores (by Gumbel noise)."""
    best, best_score = -1, -np.inf
    for action in range(A):
        if s.legal[action]:
            score = scores[action] - temperature * np.log(-np.log(np.random.random()))
            if score > best_score:
                best, best_score = action, score
    return best


@jit
def _draw_evenly(s):
    left = int(np.random.random() * s.legal_count)
    for action in range(A):
        if s.legal[action]:
            if left == 0:
                return action
            left -= 1
    return -1


@entry
def _play(step, states, seed, random_decisions, temperature, sampling, guide, rows):
    """Play the game ``states[0]``; fill ``rows`` STATE with positions of it, and return how many."""
    np.random.seed(seed)
    s, used, decisions = states[0], 0, 0
    while s.result == Result.RUNNING:
        often = sampling.often_in_struggles if s.struggle >= 0 else sampling.often
        if decisions > random_decisions and used < len(rows) and np.random.random() < often:
            rows[used] = s
            used += 1
        action = best_action(guide, s)
        if decisions < random_decisions:
            action = _draw_by_scores(s, guide.scores, temperature)
        elif sampling.errors > 0 and np.random.random() < sampling.errors:
            action = _draw_evenly(s)
        call_step(step, s, action)
        decisions += 1
    return used


def sampled_games(games: int, seed: int, sampling: Sampling) -> Iterator[Sample]:
    """Positions from ``games`` games of the rule-based player; the arrays of a sample are overwritten by the next."""
    random, states, rows = np.random.default_rng(seed), new_states(1), new_states(sampling.most)
    policy = RolloutPolicy("heuristic")
    for game in with_progress(range(games), "games", unit="games"):
        engine.reset(states, random.integers(0, 2**62, 1))
        noisy = int(random.integers(_RANDOM_DECISIONS)) if game % 2 else -1
        noise = int(random.integers(2**31)), noisy, random.uniform(*_TEMPERATURES)
        used = _play(engine.step(), states, *noise, sampling, policy.guide, rows)
        yield Sample(game, rows[:used], _POINTS.get(int(states[0].result), 0.0))


def games_of(player: Player, games: int, seed: int, sampling: Sampling) -> Iterator[Sample]:
    """Positions of so many games of a player against itself, many at a time, in the order in which they end."""
    random, width = np.random.default_rng(seed), min(_AT_ONCE, games)
    batch, numbers = Batch(width, random.integers(0, 2**62, width)), np.arange(width)
    kept: list[list[np.ndarray]] = [[] for _ in range(width)]
    with ProgressBar("games", games, "games") as gauge:
        while len(rows := np.flatnonzero(numbers < games)):
            often = np.where(batch.states["struggle"][rows] >= 0, sampling.often_in_struggles, sampling.often)
            for row in rows[random.random(len(rows)) < often]:
                if len(kept[row]) < sampling.most:
                    kept[row].append(take_states(batch.states, row[None]))
            actions = choose_actions(player, batch.states, *batch.shown, rows)
            batch.step_rows(rows, _with_errors(actions, batch.masks[rows], sampling.errors, random))
            for row in rows[batch.ended[rows]]:
                result = _POINTS.get(int(batch.final_result[row]), 0.0)
                yield Sample(int(numbers[row]), np.concatenate([new_states(0), *kept[row]]), result)
                numbers[row], kept[row] = numbers.max() + 1, []
                gauge.update(1)


def _with_errors(actions: np.ndarray, masks: np.ndarray, errors: float, random: np.random.Generator) -> np.ndarray:
    """``actions`` int64 [K], a share of them replaced by legal ones drawn evenly."""
    drawn = (masks * random.random(masks.shape, np.float32)).argmax(1)
    return np.where(random.random(len(actions)) < errors, drawn, actions)


def kept_apart(games: np.ndarray) -> np.ndarray:
    """bool [n]: whether positions of these ``games`` are kept for measuring and not fitted to."""
    return games % _KEPT_APART == 0


def log_loss(probabilities: np.ndarray, results: np.ndarray) -> float:
    """Mean log loss of probabilities."""
    probabilities = np.clip(probabilities, 1e-6, 1 - 1e-6)
    return float(-np.mean(results * np.log(probabilities) + (1 - results) * np.log(1 - probabilities)))


def describe(probabilities: np.ndarray, results: np.ndarray) -> str:
    """Quality of predicted probabilities."""
    loss = log_loss(probabilities, results)
    right = np.mean((probabilities > 0.5) == (results > 0.5))
    return f"log loss {loss:.4f}, winner named in {right:.1%} of {len(results)} positions of games kept apart"

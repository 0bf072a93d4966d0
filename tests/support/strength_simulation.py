"""Simulated players of known strength: a scale measured from their games, and evaluations on it."""

import sys

import numpy as np
from dawn_agents.tournaments.rating.estimates import ELO
from dawn_agents.tournaments.rating.pair_results import PairResult
from dawn_agents.tournaments.strength.rating_scale import YARDSTICK, ZERO, Scale, ScalePlayer
from dawn_agents.tournaments.strength.strength_estimate import Goal, StrengthEstimate

from scripts.laboratory.measure_scale import fit_ratings

LADDER = np.array(
    [
        [0, 150, 290, 430, 560, 730, 870, 1000, 1150, 1290, 1430, 1560, 1660, 1830],
        [0, 165, 300, 440, 570, 735, 860, 990, 1130, 1270, 1400, 1500, 1730, 1860],
    ]
)
"""Elo of the simulated players of the scale, by side."""
NAMES = [ZERO, *(f"level {place}" for place in range(1, 10)), YARDSTICK, *(f"better {place}" for place in range(1, 4))]
YARD = NAMES.index(YARDSTICK)
ADVANTAGE, LN_DRAW = 60, -3.5
PAIRS = {11: 150, 13: 55}  # of players that think, by place


def draw_points(rng: np.random.Generator, democrat, communist, games: int) -> np.ndarray:
    """Points of the Democrat, rated so against such a Communist."""
    lead = (democrat - communist + ADVANTAGE) / ELO
    odds = np.exp([-lead / 2, LN_DRAW, lead / 2])
    return rng.choice([0.0, 0.5, 1.0], games, p=odds / odds.sum())


def simulated_scale(rng: np.random.Generator) -> Scale:
    """A scale measured from games of the players of the ``LADDER``."""
    results = []
    for step, share in ((1, 1), (2, 2)):
        for one in range(len(NAMES) - step):
            two = one + step
            count = min(PAIRS.get(one, 1000), PAIRS.get(two, 1000)) // share
            if {one, two} <= set(PAIRS):
                continue
            first = draw_points(rng, LADDER[0, one], LADDER[1, two], count)
            second = 1 - draw_points(rng, LADDER[0, two], LADDER[1, one], count)
            results += [PairResult(NAMES[one], NAMES[two], *points) for points in zip(first, second, strict=True)]
    names, mean, covariance = fit_ratings(results)
    order = [names.index(name) for name in NAMES]
    rows = [*order, *(len(names) + place for place in order), 2 * len(names), 2 * len(names) + 1]
    rungs = tuple(ScalePlayer(name, "1", 0.1, 100) for name in NAMES)
    return Scale(rungs, mean[rows], covariance[np.ix_(rows, rows)], {})


def simulated_evaluation(rng: np.random.Generator, scale: Scale, strength: np.ndarray, goal: Goal) -> StrengthEstimate:
    """Evaluate a player of this ``strength`` [2] by side, in Elo on the true scale."""
    evaluation = StrengthEstimate(scale)
    while following := evaluation.next(goal):
        place, tallies = NAMES.index(scale.names[following.opponent]), np.zeros_like(evaluation.tallies)
        democrat = draw_points(rng, strength[0], LADDER[1, place], following.pairs)
        communist = 1 - draw_points(rng, LADDER[0, place], strength[1], following.pairs)
        for side, points in enumerate((democrat, communist)):
            np.add.at(tallies[side, following.opponent], np.round(2 * points).astype(int), 1)
        evaluation.add(tallies)
    return evaluation


def truth(scale: Scale, strength: np.ndarray) -> np.ndarray:
    """The Elo by side that a player should get on the measured ``scale``, where the yardstick is what it is."""
    yardstick = scale.ratings()[YARDSTICK]
    return strength - LADDER[:, YARD] + [yardstick.democrat.value, yardstick.communist.value]


def coverage(evaluations: int, goal: Goal, seed: int) -> dict[str, object]:
    """How often the intervals of rating and sides hold the truth, over players of all strengths; and games taken."""
    rng, hits, games, missed = np.random.default_rng(seed), np.zeros(3), [], 0
    for number in range(evaluations):
        if number % 20 == 0:
            scale = simulated_scale(rng)
        strength = rng.uniform(0, LADDER[:, -1].mean()) + rng.normal(0, 60) * np.array([1, -1])
        evaluation = simulated_evaluation(rng, scale, strength, goal)
        expected = truth(scale, strength)
        for at, (estimate, rating) in enumerate(zip(evaluation.rated(), (expected.mean(), *expected), strict=True)):
            hits[at] += estimate.low <= rating <= estimate.high
        games.append(evaluation.games)
        missed += not evaluation.reached(goal)
    return {"coverage": hits / evaluations, "games": np.mean(games), "most": max(games), "missed": missed}


if __name__ == "__main__":
    print(coverage(int(sys.argv[1]), Goal(60, 400), 7))

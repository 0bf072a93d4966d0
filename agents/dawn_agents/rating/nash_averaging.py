"""Analysis beyond ratings: cycles of wins, and the Nash mixture of players.

Nash averaging (Balduzzi and others 2018): in the game in which each of two people names a player, and the log odds of
its winning are paid, a mixture of players can be named against which none wins. The mixture with the largest entropy
gives the players' ``weights``; what a player makes against it is its Nash rating, 0 for those worth having, negative
for the others. Copies of a player change nothing, and rock, paper and scissors share.

Results are uncertain, and a small change of them may change the mixture altogether. So it is found for many matrices
drawn around the one that was measured; weights and ratings are means over them.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dawn_agents.rating.estimates import ELO, PAIR_VARIANCE
from dawn_agents.rating.pair_results import PairResult
from dawn_agents.rating.tournament_ratings import Ratings

_LEAST = 1e-12  # that is told from 0
_SLACK = 1e-4  # of the largest log odds, by which a player may win against the mixture
_DRAWN = 64  # matrices


@dataclass(frozen=True)
class NashAverage:
    """``names`` sorted; ``elo`` float64 [n, n]: log odds of the row against the column, in Elo, nan where the two have
    not met. By name the ``weights`` in the Nash mixture and the Nash ``ratings``, in Elo."""

    names: list[str]
    elo: np.ndarray
    weights: dict[str, float]
    ratings: dict[str, float]


def nash_average(results: Sequence[PairResult], ratings: Ratings) -> NashAverage:
    """Nash average of the players in ``results``; ``ratings`` replace missing meetings."""
    names = ratings.names
    odds, errors = _odds(results, names)
    rated = np.array([ratings.ratings[name].value for name in names]) / ELO
    met = errors > 0
    known = np.where(met, odds, rated[:, None] - rated[None, :])
    random = np.random.default_rng(0)
    drawn = [known + _antisymmetric(random.normal(0, errors)) for _ in range(_DRAWN)]
    mixtures = np.array([nash(matrix) for matrix in drawn])
    against = ELO * np.einsum("kij,kj->ki", drawn, mixtures).mean(axis=0)
    return NashAverage(
        names=names,
        elo=np.where(met | np.eye(len(names), dtype=bool), ELO * odds, np.nan),
        weights=dict(zip(names, mixtures.mean(axis=0).tolist(), strict=True)),
        ratings=dict(zip(names, against.tolist(), strict=True)),
    )


def nash(matrix: np.ndarray) -> np.ndarray:
    """The mixture [n] of largest entropy against which no player has positive log odds in ``matrix`` [n, n], which is
    antisymmetric."""
    from scipy.optimize import minimize  # here: --help works without extras

    count, scaled = len(matrix), matrix / max(np.abs(matrix).max(), _LEAST)

    def disorder(mixture):
        logs = np.log(np.maximum(mixture, _LEAST))
        return float(mixture @ logs), logs + 1

    whole = {"type": "eq", "fun": lambda mixture: mixture.sum() - 1, "jac": lambda _: np.ones(count)}
    unbeaten = {"type": "ineq", "fun": lambda mixture: mixture @ scaled + _SLACK, "jac": lambda _: scaled.T}
    found = minimize(
        disorder, np.full(count, 1 / count), jac=True, method="SLSQP", bounds=[(0, 1)] * count,
        constraints=[whole, unbeaten], options={"maxiter": 500, "ftol": 1e-10},
    )  # fmt: skip
    return found.x / found.x.sum()


def _antisymmetric(noise: np.ndarray) -> np.ndarray:
    upper = np.triu(noise, 1)
    return upper - upper.T


def _odds(results: Sequence[PairResult], names: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    """Log odds [n, n] of the row against the column, half a game won and lost being added, and their standard errors;
    0 for who has not met."""
    shares: dict[tuple[str, str], list[float]] = {}
    for result in results:
        shares.setdefault((result.one, result.two), []).append(result.points / 2)
    odds, errors = np.zeros((len(names), len(names))), np.zeros((len(names), len(names)))
    for (one, two), scores in shares.items():
        at, games = (names.index(one), names.index(two)), 2 * len(scores)
        share = (games * np.mean(scores) + 0.5) / (games + 1)
        odds[at], odds[at[::-1]] = np.log(share / (1 - share)), np.log((1 - share) / share)
        errors[at] = errors[at[::-1]] = error_of_mean(scores) / (share * (1 - share))
    return odds, errors


def error_of_mean(scores: Sequence[float]) -> float:
    """Standard error of the mean share of the points in pairs and one more of equals; not zero where all were alike."""
    variance = (np.var(scores) * len(scores) + PAIR_VARIANCE) / (len(scores) + 1)
    return float(np.sqrt(variance / len(scores)))

"""Sequential probability ratio test on pairs of games: which of two Elo differences is the likelier one?

The generalised test on the five possible scores of a pair (0, 1/2, 1, 3/2, 2 points of 2), as test frameworks
for chess programs run it. Scores of a pair are counted rather than games, since both games share their deal.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dawn_env.errors import BadInput

PAIR_SCORES = np.arange(5) / 4
"""Share of the points of a pair, by category."""
_LITTLE = 1e-3  # pairs added to every category, so that none is impossible
_HALVINGS = 50  # of the interval in which a root lies


@dataclass
class Sprt:
    """Running test of H0, the player is ``elo0`` stronger than the other, against H1, they are ``elo1`` stronger.

    ``alpha``: how often H1 may be accepted although H0 holds; ``beta``: the other way round. ``counts`` int64 [5]:
    pairs by score; ``llr``: log likelihood ratio; ``accepted``: ``H0``, ``H1`` or empty; ``uncounted``: pairs that had
    been played beyond those that decided. Raises ``BadInput`` for values
    that make no test.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    counts: np.ndarray = field(init=False, default_factory=lambda: np.zeros(len(PAIR_SCORES), np.int64))
    llr: float = field(init=False, default=0.0)
    accepted: str = field(init=False, default="")
    uncounted: int = field(init=False, default=0)

    def __post_init__(self):
        if not self.elo0 < self.elo1:
            raise BadInput(f"elo0 must be below elo1, not {self.elo0:g} and {self.elo1:g}")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise BadInput(f"alpha and beta must lie between 0 and 0.5, not {self.alpha:g} and {self.beta:g}")

    @property
    def bounds(self) -> tuple[float, float]:
        """Log likelihood ratios at which H0 and H1 are accepted."""
        return float(np.log(self.beta / (1 - self.alpha))), float(np.log((1 - self.beta) / self.alpha))

    def add(self, points: float) -> None:
        """Count a pair in which the player made ``points``; once a bound was reached nothing is counted."""
        if self.accepted:
            return
        self.counts[round(2 * points)] += 1
        self.llr = log_likelihood_ratio(self.counts, self.elo0, self.elo1)
        low, high = self.bounds
        self.accepted = "H1" if self.llr >= high else "H0" if self.llr <= low else ""

    def to_json(self) -> dict[str, Any]:
        """The test and its result as JSON values."""
        low, high = self.bounds
        return {
            "elo0": self.elo0, "elo1": self.elo1, "alpha": self.alpha, "beta": self.beta, "accepted": self.accepted,
            "llr": self.llr, "low": low, "high": high, "pairs": self.counts.tolist(),
            "uncounted": self.uncounted,
        }  # fmt: skip

    def __str__(self) -> str:
        low, high = self.bounds
        said = f"{self.accepted} accepted" if self.accepted else "undecided"
        more = f"; {self.uncounted} later pairs are not counted" if self.uncounted else ""
        points = ", ".join(f"{2 * share:g}" for share in PAIR_SCORES)
        return (
            f"SPRT {said}: H0 {self.elo0:+g}, H1 {self.elo1:+g} Elo; log likelihood ratio {self.llr:.2f} "
            f"({low:.2f}, {high:.2f}) after {self.counts.sum()} pairs, "
            f"with {points} points {', '.join(map(str, self.counts))} of them{more}"
        )


def expected_score(elo: float) -> float:
    """Share of the points to be expected of a player who is ``elo`` stronger."""
    return float(1 / (1 + 10 ** (-elo / 400)))


def log_likelihood_ratio(counts: np.ndarray, elo0: float, elo1: float) -> float:
    """ln of the likelihood of ``counts`` [5] under H1 over that under H0, each at its best fit."""
    if not np.any(counts):
        return 0.0
    seen = np.asarray(counts) + _LITTLE
    share = seen / seen.sum()
    zero, one = _tilt(share, expected_score(elo0)), _tilt(share, expected_score(elo1))
    return float((seen * (np.log1p(zero) - np.log1p(one))).sum())


def _tilt(share: np.ndarray, mean: float) -> np.ndarray:
    """t such that ``share / (1 + t)`` is the likeliest distribution over the scores that has this mean."""
    away = PAIR_SCORES - mean
    terms = list(zip(share.tolist(), away.tolist(), strict=True))
    low, high = -1 / away.max(), -1 / away.min()
    for _ in range(_HALVINGS):  # the sum falls from infinity to minus infinity between them
        factor = (low + high) / 2
        if sum(part * off / (1 + factor * off) for part, off in terms) > 0:
            low = factor
        else:
            high = factor
    return factor * away

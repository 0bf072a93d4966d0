"""Sequential halving of the candidate actions of a search: which are simulated further, and which is chosen."""

import numpy as np

_CLEARLY = 2.0  # standard errors behind the incumbent, at the end of a round
_HOPELESSLY = 3.0  # the same, at any time
_ENOUGH = 8  # deals without which nothing is hopeless


class Race:
    """Sequential halving over candidates 0 ... k - 1; candidate 0 is the incumbent, who never drops out."""

    def __init__(self, candidates: int):
        self.running = np.arange(candidates)
        """Candidates still in the race, ascending."""
        self.counts = np.zeros(candidates, np.int64)
        """Number of values of each candidate."""
        self._leads, self._squares = np.zeros(candidates), np.zeros(candidates)  # sums over deals

    def add(self, values: np.ndarray) -> None:
        """Note values float64 [n, r] of the ``running`` candidates in n more deals; more is better."""
        leads = values - values[:, :1]
        self.counts[self.running] += len(values)
        self._leads[self.running] += leads.sum(0)
        self._squares[self.running] += (leads**2).sum(0)

    def halve(self) -> None:
        """Keep the better half of the challengers, rounded up, without those that are clearly behind."""
        leads, errors = self._compare()
        challengers = self.running[1:]
        better = challengers[np.argsort(-leads[challengers], kind="stable")][: (len(challengers) + 1) // 2]
        alive = better[leads[better] > -_CLEARLY * errors[better]]
        self.running = np.concatenate([self.running[:1], np.sort(alive)])

    def drop_hopeless(self) -> None:
        """Spare the simulations of challengers that are far behind, or never differ from the incumbent."""
        leads, errors = self._compare()
        hopeless = (leads <= -_HOPELESSLY * errors) & (self.counts >= _ENOUGH)
        hopeless[0] = False
        self.running = self.running[~hopeless[self.running]]

    def winner(self, doubt: float) -> int:
        """The candidate furthest ahead of the incumbent, less ``doubt`` standard errors; else the incumbent."""
        leads, errors = self._compare()
        bounds = (leads - doubt * errors)[self.running]
        return int(self.running[np.argmax(bounds)])

    def _compare(self) -> tuple[np.ndarray, np.ndarray]:
        """Mean lead over the incumbent, and its standard error (0 for the incumbent), float64 [k] each."""
        deals = np.maximum(1, self.counts)
        leads = self._leads / deals
        variances = np.maximum(0.0, self._squares / deals - leads**2)
        return leads, np.sqrt(variances / np.maximum(1, deals - 1))

"""Candidates against an incumbent, on the same deals; the worse half of them drops out after each round."""

import numpy as np


class Race:
    """Sequential halving over ``candidates``, numbers 0 ... k - 1; number 0 is the incumbent and never drops out."""

    def __init__(self, candidates: int):
        self.running = np.arange(candidates)
        self._candidates = candidates
        self._values = np.zeros((0, candidates))

    def add(self, values: np.ndarray) -> None:
        """Note values float64 [n, r] of the ``running`` candidates in n more deals; more is better."""
        rows = np.full((len(values), self._candidates), np.nan)
        rows[:, self.running] = values
        self._values = np.concatenate([self._values, rows])

    def halve(self) -> None:
        """Let the worse half of the challengers drop out, the odd one of them stays."""
        challengers = self.running[1:]
        better = challengers[np.argsort(-self._advantages()[challengers], kind="stable")]
        self.running = np.concatenate([self.running[:1], np.sort(better[: (len(better) + 1) // 2])])

    def winner(self, doubt: float) -> int:
        """The candidate that is furthest ahead of the incumbent by ``doubt`` standard errors; else the incumbent."""
        bounds = self._advantages() - doubt * self._errors()
        bounds[0] = 0
        return int(self.running[np.argmax(bounds[self.running])])

    def counts(self) -> np.ndarray:
        """How many values each candidate has, int64 [k]."""
        return (~np.isnan(self._values)).sum(0)

    def means(self) -> np.ndarray:
        """Mean value of each candidate, float64 [k]."""
        return np.nanmean(self._values, 0)

    def _advantages(self) -> np.ndarray:
        return np.nanmean(self._values - self._values[:, :1], 0)

    def _errors(self) -> np.ndarray:
        """Standard errors of the paired differences."""
        differences = self._values - self._values[:, :1]
        return np.nanstd(differences, 0) / np.sqrt(np.maximum(1, self.counts() - 1))

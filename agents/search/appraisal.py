"""Judging actions in many positions at once, by a few simulations each, on several cores."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import local

import numpy as np

from agents.search.simulation import Simulator
from dawn_env import engine
from dawn_env.tables import DEMOCRAT


class Appraiser:
    """Simulates candidates as ``search`` does; a context that holds threads (compiled code runs beside them).

    What it answers does not depend on their number.
    """

    def __init__(self, plays: int, deals: int, threads: int):
        """``plays``: see ``Simulator``; ``deals``: simulations of each action, all actions in the same deals."""
        self._plays, self._deals = plays, deals
        self._pool, self._own = ThreadPoolExecutor(threads), local()

    def __enter__(self) -> "Appraiser":
        return self

    def __exit__(self, *_) -> None:
        self._pool.shutdown(cancel_futures=True)

    def appraise(self, states: np.ndarray, side: int, candidates: np.ndarray, seeds: np.ndarray) -> np.ndarray:
        """float32 [K, M]: mean ends of the simulations in -1 ... 1 for ``side``, who is to act in all ``states``
        STATE [K]; 0 where there is no candidate.

        ``candidates`` int [K, M], -1 beyond the last; ``seeds`` int64 [K], of the hidden cards and the dice.
        """
        dealt = engine.redeal(np.repeat(states, self._deals), side, self._deal_seeds(seeds))
        values = np.zeros(candidates.shape, np.float32)
        jobs = self._pool.map(self._judge, dealt.reshape(len(states), self._deals), self._lists(candidates))
        for row, found in enumerate(jobs):
            values[row, : len(found)] = found if side == DEMOCRAT else -found
        return values

    def _deal_seeds(self, seeds: np.ndarray) -> np.ndarray:
        """``deals`` seeds from each."""
        return (seeds[:, None] ^ np.arange(self._deals)).ravel()

    def _lists(self, candidates: np.ndarray) -> Iterator[np.ndarray]:
        return (row[row >= 0].astype(np.int64) for row in candidates)

    def _judge(self, deals: np.ndarray, actions: np.ndarray) -> np.ndarray:
        if not hasattr(self._own, "simulator"):
            self._own.simulator = Simulator(self._plays)
        return self._own.simulator.values(deals, actions).mean(0)

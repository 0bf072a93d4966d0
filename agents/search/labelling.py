"""Labelling actions with their values in many positions at once, by a few simulations each, on several cores."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import local

import numpy as np

from agents.search.family_simulation import FamilySimulator
from agents.search.simulation import Simulator
from agents.tuned.corrections import NONE, Corrections
from dawn_env import engine
from dawn_env.state import Mode
from dawn_env.tables import DEMOCRAT


class Labeller:
    """Simulates candidates of one kind of game as ``search`` does; a context that holds threads (compiled
    code runs beside them).

    What it answers does not depend on their number.
    """

    def __init__(self, plays: int, deals: int, threads: int, learnt: Corrections = NONE):
        """``plays``, ``learnt``: see ``Simulator``; ``deals``: simulations of each action, all in the same deals."""
        self._plays, self._deals, self._learnt = plays, deals, learnt
        self._pool, self._own = ThreadPoolExecutor(threads), local()

    def __enter__(self) -> "Labeller":
        return self

    def __exit__(self, *_) -> None:
        self._pool.shutdown(cancel_futures=True)

    def label(
        self, states: np.ndarray, side: int, candidates: np.ndarray, seeds: np.ndarray
    ) -> Callable[[], np.ndarray]:
        """Begin to simulate; the function that is returned waits for the results.

        It gives float32 [K, M]: mean ends of the simulations in -1 ... 1 for ``side``, who is to act in all
        ``states`` STATE [K]; 0 where there is no candidate. ``candidates`` int [K, M], -1 beyond the last;
        ``seeds`` int64 [K], of the hidden cards and the dice.
        """
        deal_seeds = (seeds[:, None] ^ np.arange(self._deals)).ravel()
        dealt = engine.redeal(np.repeat(states, self._deals), side, deal_seeds).reshape(len(states), self._deals)
        jobs = [self._pool.submit(self._simulate, *job) for job in zip(dealt, candidates, strict=True)]

        def values() -> np.ndarray:
            ends = np.array([job.result() for job in jobs], np.float32).reshape(candidates.shape)
            return ends if side == DEMOCRAT else -ends

        return values

    def _simulate(self, deals: np.ndarray, candidates: np.ndarray) -> np.ndarray:
        """float64 [M] for one position."""
        if not hasattr(self._own, "simulator"):
            family = deals[0].mode == Mode.FAMILY
            self._own.simulator = FamilySimulator(self._plays) if family else Simulator(self._plays, self._learnt)
        ends, there = np.zeros(len(candidates)), candidates >= 0
        ends[there] = self._own.simulator.values(deals, candidates[there].astype(np.int64)).mean(0)
        return ends

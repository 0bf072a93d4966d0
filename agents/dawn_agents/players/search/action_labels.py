"""Labelling actions with their values in many positions at once, by a few simulations each, on several cores."""

import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import local

import numpy as np

from dawn_agents.players.search.search_options import GuideName
from dawn_agents.players.search.simulator import Simulator
from dawn_env import engine
from dawn_env.state import Mode
from dawn_env.tables import DEMOCRAT

_AT_ONCE = 32  # positions of a job: a thread waits for Python's lock between two of them


def _step_back() -> None:
    """Lower this thread's priority below the thread that supplies positions."""
    if sys.platform == "linux":  # elsewhere this would be all threads of the process
        os.nice(10)


class Labeller:
    """Simulates candidates of one kind of game as ``search`` does; a context that holds threads (compiled
    code runs beside them).

    What it answers does not depend on their number.
    """

    def __init__(self, plays: int, deals: int, threads: int, guide: GuideName = "heuristic"):
        """``plays`` and ``guide`` as in ``Simulator``.

        ``deals``: simulations of each action, in the same deals.
        """
        self._plays, self._deals, self._guide = plays, deals, guide
        self._pool, self._own = ThreadPoolExecutor(threads, initializer=_step_back), local()

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
        parts = [slice(start, start + _AT_ONCE) for start in range(0, len(states), _AT_ONCE)]
        jobs = [self._pool.submit(self._judge, states[part], side, candidates[part], seeds[part]) for part in parts]

        def values() -> np.ndarray:
            ends = np.zeros(candidates.shape, np.float32)
            for part, job in zip(parts, jobs, strict=True):
                ends[part] = job.result()
            return ends if side == DEMOCRAT else -ends

        return values

    def _judge(self, states: np.ndarray, side: int, candidates: np.ndarray, seeds: np.ndarray) -> np.ndarray:
        """float64 [k, M]: mean ends of the candidates of k positions, Democrat positive."""
        deal_seeds = (seeds[:, None] ^ np.arange(self._deals)).ravel()
        dealt = engine.redeal(np.repeat(states, self._deals), side, deal_seeds).reshape(-1, self._deals)
        return self._simulator(dealt[0, 0].mode).row_values(dealt, candidates.astype(np.int64)).mean(1)

    def _simulator(self, mode: int) -> Simulator:
        """Simulator of this thread."""
        if not hasattr(self._own, "simulator"):
            self._own.simulator = Simulator(mode == Mode.FAMILY, self._plays, self._guide)
        return self._own.simulator

"""Labelling actions in many positions at once, on several cores: by a few simulations each, and by values."""

import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import local

import numpy as np

from dawn_agents.players.afterstate.lookahead import SETTLE, deal_seeds, judge_candidates
from dawn_agents.players.afterstate.value_files import SHIPPED, read_sides
from dawn_agents.players.afterstate.value_player import playing_lookahead
from dawn_agents.players.search.simulator import Simulator
from dawn_agents.training.training_config import Distillation
from dawn_env import engine
from dawn_env.observation.view_layouts import STANDARD_LAYOUT
from dawn_env.state import Mode
from dawn_env.tables import DEMOCRAT

Labels = dict[str, np.ndarray]
"""By name, float32 [K, M], 0 where there is no candidate; both for the side to act. ``values``: mean ends of the
simulations, -1 ... 1; ``points``: victory points that the values expect."""
_AT_ONCE = 32  # positions of a job: a thread waits for Python's lock between two of them


def _step_back() -> None:
    """Lower this thread's priority below the thread that supplies positions."""
    if sys.platform == "linux":  # elsewhere this would be all threads of the process
        os.nice(10)


class Labeller:
    """Simulates candidates of one kind of game as ``search`` does, and judges them as ``value`` does; a context that
    holds threads (compiled code runs beside them).

    What it answers does not depend on their number.
    """

    def __init__(self, options: Distillation, threads: int):
        self._options = options
        self._pool, self._own = ThreadPoolExecutor(threads, initializer=_step_back), local()

    def __enter__(self) -> "Labeller":
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def close(self) -> None:
        """End the threads."""
        self._pool.shutdown(cancel_futures=True)

    def label(self, states: np.ndarray, side: int, candidates: np.ndarray, seeds: np.ndarray) -> Callable[[], Labels]:
        """Begin to judge the candidates of ``side``, who is to act in all ``states`` STATE [K]; the function that is
        returned waits for the results.

        ``candidates`` int [K, M], -1 beyond the last; ``seeds`` int64 [K], of the hidden cards and the dice.
        """
        parts = [slice(start, start + _AT_ONCE) for start in range(0, len(states), _AT_ONCE)]
        jobs = [self._pool.submit(self._judge, states[part], side, candidates[part], seeds[part]) for part in parts]

        def labels() -> Labels:
            found = [job.result() for job in jobs]
            empty = [np.zeros((2, 0, candidates.shape[1]))]
            return dict(zip(("values", "points"), np.concatenate(found or empty, 1).astype(np.float32), strict=True))

        return labels

    def _judge(self, states: np.ndarray, side: int, candidates: np.ndarray, seeds: np.ndarray) -> np.ndarray:
        """float64 [2, k, M]: what simulations of the candidates of k positions end with, and what the values expect."""
        candidates, simulated = candidates.astype(np.int64), np.zeros(candidates.shape)
        if deals := self._options.deals:
            dealt = _deal(states, side, seeds[:, None] ^ np.arange(deals))
            ends = self._simulator(dealt[0, 0].mode).row_values(dealt, candidates).mean(1)
            simulated = ends if side == DEMOCRAT else -ends
        expected = np.zeros(candidates.shape)
        if deals := self._options.value_deals:
            weights, work = self._values()
            dealt, random = _deal(states, side, deal_seeds(seeds, deals)), (seeds % (2**32 - 1) + 1)[:, None]
            judge_candidates(
                engine.step(), STANDARD_LAYOUT.view, dealt, side, candidates, weights, SETTLE, random, work,
                expected,
            )  # fmt: skip
        return np.stack([simulated, expected])

    def _simulator(self, mode: int) -> Simulator:
        """Simulator of this thread."""
        if not hasattr(self._own, "simulator"):
            self._own.simulator = Simulator(mode == Mode.FAMILY, self._options.plays, self._options.guide)
        return self._own.simulator

    def _values(self) -> tuple:
        """The shipped values, and work space of this thread for looking ahead with them."""
        if not hasattr(self._own, "values"):
            _, weights, _, layout = read_sides(SHIPPED)
            self._own.values = weights, playing_lookahead(weights.shape[2], layout, True)
        return self._own.values


def _deal(states: np.ndarray, side: int, seeds: np.ndarray) -> np.ndarray:
    """Copies STATE [k, n] of positions STATE [k], what is hidden from ``side`` dealt anew by ``seeds`` int64 [k, n]."""
    return engine.redeal(np.repeat(states, seeds.shape[1]), side, seeds.ravel()).reshape(seeds.shape)

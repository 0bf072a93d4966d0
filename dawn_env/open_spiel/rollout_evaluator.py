"""Random play-outs in compiled code, as an evaluator for OpenSpiel's searches in Python."""

import numpy as np

from dawn_env import engine
from dawn_env.host.random_play import play_out
from dawn_env.state import ERRORS, Result, take_states
from dawn_env.support.seeds import MOST_SEED, checked_seed


class PlayOutEvaluator:
    """Compiled replacement of ``open_spiel.python.algorithms.mcts.RandomRolloutEvaluator``, some hundred times as fast.

    ``play_outs``: random games from each state that is evaluated. ``seed``: 0 ... 2**63 - 1, else ``BadSeed``.
    """

    def __init__(self, play_outs: int = 1, seed: int = 0):
        self._rows = np.zeros(play_outs, np.int64)
        self._random = np.random.default_rng(checked_seed(seed))

    def evaluate(self, state) -> np.ndarray:
        """float64 [2]: mean returns by player, of a state with a decision pending."""
        games = take_states(state.record, self._rows)
        play_out(engine.step(), games, self._random.integers(0, MOST_SEED, len(games)))
        if error := int(games["error"].max()):
            raise engine.exception_for(error)(ERRORS[error])
        result = games["result"]
        value = (result == Result.DEMOCRAT).mean() - (result == Result.COMMUNIST).mean()
        return np.array([value, -value]) if state.side_of(0) == 0 else np.array([-value, value])

    def prior(self, state) -> list[tuple[int, float]]:
        """All actions alike, or the outcomes of chance."""
        if state.is_chance_node():
            return state.chance_outcomes()
        legal = state.legal_actions()
        return [(action, 1 / len(legal)) for action in legal]

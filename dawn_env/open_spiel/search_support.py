"""OpenSpiel's searches with this game: play-outs in compiled code, and compiled bots kept from ending the process.

``step`` of ``pyspiel.ISMCTSBot`` and ``pyspiel.MCTSBot`` lets go of Python's interpreter lock, and then, for a game
that is written in Python, asks for strings and copies of states, which OpenSpiel 2.0 does by running Python without the
lock: a segmentation fault. Their other methods keep the lock and do the same thing. Nothing changes for other games.
"""

import functools

import numpy as np
import pyspiel

from dawn_env import engine
from dawn_env.host.random_play import play_out
from dawn_env.open_spiel.open_spiel_game import DawnState
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
        """Uniform prior over the legal actions, or the outcomes of chance."""
        if state.is_chance_node():
            return state.chance_outcomes()
        legal = state.legal_actions()
        return [(action, 1 / len(legal)) for action in legal]


# --- compiled bots --------------------------------------------------------------------------------


def keep_interpreter_lock() -> None:
    """Make ``step`` of both bots hold the lock for states of this game."""
    pyspiel.ISMCTSBot.step = _guarded(pyspiel.ISMCTSBot.step, _step_of_ismcts)
    pyspiel.MCTSBot.step = _guarded(pyspiel.MCTSBot.step, _step_of_mcts)


def _guarded(step, step_with_lock):
    if hasattr(step, "__wrapped__"):
        return step

    @functools.wraps(step)
    def guarded(bot, state):
        return step_with_lock(bot, state) if isinstance(state, DawnState) else step(bot, state)

    return guarded


def _step_of_ismcts(bot, state: DawnState) -> int:
    """Raises ``pyspiel.SpielError``: the compiled bot has no way to resample a Python game."""
    try:
        return bot.step_with_policy(state)[1]
    except pyspiel.SpielError as error:
        raise pyspiel.SpielError(
            "pyspiel.ISMCTSBot cannot resample games written in Python; "
            "use open_spiel.python.algorithms.ismcts.ISMCTSBot"
        ) from error


def _step_of_mcts(bot, state: DawnState) -> int:
    return bot.mcts_search(state).best_child().action

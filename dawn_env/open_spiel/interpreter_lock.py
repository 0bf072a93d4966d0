"""Keeps OpenSpiel's compiled bots from ending the process when they are given a Python game.

``step`` of ``pyspiel.ISMCTSBot`` and ``pyspiel.MCTSBot`` lets go of Python's interpreter lock, and then, for a game
that is written in Python, asks for strings and copies of states, which OpenSpiel 2.0 does by running Python without the
lock: a segmentation fault. Their other methods keep the lock and do the same thing. Nothing changes for other games.
"""

import functools

import pyspiel

from dawn_env.open_spiel.open_spiel_game import DawnState


def keep_interpreter_lock() -> None:
    """Let ``step`` of both bots keep the lock for states of this game."""
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

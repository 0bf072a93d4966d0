"""OpenSpiel's information-set Monte Carlo tree search as a player (needs the extra ``openspiel``)."""

from dataclasses import dataclass
from functools import cache

import numpy as np

from dawn_env.observation.player_view import View, view_seed
from dawn_env.options import GameOptions
from dawn_env.players import ViewPlayer
from dawn_env.support.optional_packages import optional_imports

with optional_imports():
    from open_spiel.python.algorithms.ismcts import ISMCTSBot

    from dawn_env.open_spiel import DawnGame, DawnState, PlayOutEvaluator, parameters_of

_MOST_NUMPY_SEED = 2**32


class IsMcts(ViewPlayer):
    """OpenSpiel's IS-MCTS with random play-outs."""

    @dataclass(frozen=True)
    class Options:
        """``sims``: simulations a decision; ``c``: how much it explores."""

        sims: int = 100
        c: float = 2.0

    def choose(self, view: View) -> int:
        """The action that was tried most."""
        seed = view_seed(view, self.seed)
        random = np.random.RandomState(seed % _MOST_NUMPY_SEED)
        state = _state(view, seed)
        bot = ISMCTSBot(
            state.get_game(), PlayOutEvaluator(seed=seed), self.options["c"], self.options["sims"], random_state=random
        )
        bot.set_resampler(lambda position, player: position.resample_from_infostate(player, random.random_sample))
        return int(bot.step(state))


def _state(view: View, seed: int) -> DawnState:
    """Sample a state consistent with the view."""
    position = view.deal(np.array([seed]))[0]
    return _game(GameOptions.of_state(position)).state_at(position, view.side ^ int(position.swapped))


@cache
def _game(options: GameOptions) -> DawnGame:
    return DawnGame(parameters_of(options))

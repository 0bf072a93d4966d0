"""A player that looks one decision ahead."""

from dataclasses import asdict, dataclass

import numpy as np

from dawn_agents.players.heuristic import family_entry_points as family
from dawn_agents.players.win_probability.static_evaluation import evaluate_rows
from dawn_env import engine
from dawn_env.observation.player_view import View, view_seed
from dawn_env.observation.view_layouts import FAMILY_LAYOUT
from dawn_env.players import ViewPlayer
from dawn_env.tables import DEMOCRAT

_NOISE = 1e-6  # decides between actions of equal value


class GreedyPlayer(ViewPlayer):
    """Takes the action after which the static evaluation is best on average over positions dealt anew."""

    @dataclass(frozen=True)
    class Options:
        """``deals``: positions dealt anew per action."""

        deals: int = 4

        def __post_init__(self):
            if self.deals < 1:
                raise ValueError(f"deals: at least 1, not {self.deals}")

    def __init__(self, name: str = "greedy", seed: int = 0, options: Options | None = None):
        self._options = options or self.Options()
        super().__init__(name, seed, asdict(self._options))

    def choose(self, view: View) -> int:
        """The action with the best mean value; every action meets the same hands and dice."""
        legal, deals = view.legal, self._options.deals
        rng = np.random.default_rng(view_seed(view, self.seed))
        states = np.tile(view.deal(rng.integers(0, 2**63 - 1, deals)), len(legal))
        engine.advance(states, np.repeat(legal, deals))
        values = np.zeros(len(states))
        evaluate = family.evaluate_rows if view.layout is FAMILY_LAYOUT else evaluate_rows
        evaluate(states, values)
        means = values.reshape(len(legal), deals).mean(1) * (1 if view.side == DEMOCRAT else -1)
        return int(legal[np.argmax(means + _NOISE * rng.random(len(legal)))])

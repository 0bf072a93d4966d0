"""The searching player."""

from dataclasses import asdict

import numpy as np

from dawn_agents.search.rollout_policy import guide_version
from dawn_agents.search.search_options import Options, SearchProgress, SearchResult
from dawn_agents.search.sequential_halving import RaceSearch
from dawn_env.errors import PlayerFailure
from dawn_env.observation.player_view import View, view_seed
from dawn_env.players import ViewPlayer

_LED = "led2"  # version of how a prior leads


class SearchPlayer(ViewPlayer):
    """Improves on a guide's choices by simulations, divided among the candidates by sequential halving."""

    version = "6"
    Options = Options

    def __init__(self, name: str = "search", seed: int = 0, options: Options | None = None):
        options = options or Options()
        super().__init__(name, seed, asdict(options))
        self._thought = SearchProgress()
        self._race = RaceSearch(options, self._thought)
        self._priors = _load_priors(options.prior)
        led = [_LED, *(network.version for network in self._priors.values())] if self._priors else []
        self.version = "+".join([type(self).version, *guide_version(options.guide), *led])

    def choose(self, view: View) -> int:
        """The action that the simulations speak for."""
        self._thought.stop_thinking.clear()
        network = self._priors.get(view.side)
        if network is None:
            return self.search(view).action
        if network.network.layout is not view.layout:
            trained = network.network.layout.name
            raise PlayerFailure(f"{self.name}: its prior was trained for the {trained} game, not for this one")
        return self.search(view, network.probabilities(view.observation[None], view.mask[None])[0]).action

    def stop_thinking(self) -> None:
        """End the search in progress with what it has found so far."""
        self._thought.stop_thinking.set()

    @property
    def progress(self) -> float | None:
        """Share of the budget of the search in progress that is spent."""
        return self._thought.share

    def search(self, view: View, root_prior: np.ndarray | None = None) -> SearchResult:
        """Search from a view; ``root_prior``: probabilities [A] of the legal actions that lead the search."""
        try:
            return self._race.search(view, np.random.default_rng(view_seed(view, self.seed)), root_prior)
        finally:
            self._thought.share = None


def _load_priors(prior: str | None) -> dict:
    """Load priors (``prior.load_priors``); torch is imported only if there is something to load."""
    if prior is None:
        return {}
    from dawn_agents.players.network_player import load_priors

    return load_priors(prior)

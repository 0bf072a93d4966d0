"""The searching player."""

from dataclasses import asdict

import numpy as np

from dawn_agents.search.rollout_policy import guide_version
from dawn_agents.search.search_options import Options, SearchProgress, SearchResult
from dawn_agents.search.sequential_halving import RaceSearch
from dawn_env.observation.player_view import View, view_seed
from dawn_env.players import ViewPlayer


class SearchPlayer(ViewPlayer):
    """Improves on a guide's choices by simulations, divided among the candidates by sequential halving."""

    version = "6"
    Options = Options

    def __init__(self, name: str = "search", seed: int = 0, options: Options | None = None):
        options = options or Options()
        super().__init__(name, seed, asdict(options))
        self._progress = SearchProgress()
        self._race = RaceSearch(options, self._progress)
        self.version = "+".join([type(self).version, *guide_version(options.guide)])

    def choose(self, view: View) -> int:
        """The action that the simulations speak for."""
        self._progress.stop_thinking.clear()
        return self.search(view).action

    def stop_thinking(self) -> None:
        """End the search in progress with what it has found so far."""
        self._progress.stop_thinking.set()

    @property
    def progress(self) -> float | None:
        """Share of the budget of the search in progress that is spent."""
        return self._progress.share

    def search(self, view: View) -> SearchResult:
        """Search from a view."""
        try:
            return self._race.search(view, np.random.default_rng(view_seed(view, self.seed)))
        finally:
            self._progress.share = None

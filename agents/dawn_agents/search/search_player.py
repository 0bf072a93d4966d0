"""The searching player."""

from dataclasses import asdict
from math import ceil, log2

import numpy as np

from dawn_agents.search.rollout_policy import guide_version
from dawn_agents.search.search_options import Options, SearchBudget, SearchProgress
from dawn_agents.search.sequential_halving import Race
from dawn_agents.search.simulator import Simulator
from dawn_env.observation.player_view import View, view_seed
from dawn_env.observation.view_layouts import FAMILY_LAYOUT
from dawn_env.players import ViewPlayer
from dawn_env.tables import DEMOCRAT

_SIMS_PER_CANDIDATE = 8  # with fewer, fewer candidates are looked at
_MARGIN, _MARGIN_FAMILY = 6.0, 2.0
_LIKELY = 2.5  # below the guide's best score: 8 % of the probability of a network's likeliest action


class SearchPlayer(ViewPlayer):
    """Improves on a guide's choices by simulations, divided among the candidates by sequential halving."""

    version = "7"
    Options = Options

    def __init__(self, name: str = "search", seed: int = 0, options: Options | None = None):
        self._options, self._progress = options or Options(), SearchProgress()
        super().__init__(name, seed, asdict(self._options))
        plays, guide = self._options.plays, self._options.guide
        self._simulators = {family: Simulator(family, plays, guide) for family in (False, True)}
        self.version = "+".join([type(self).version, *guide_version(guide)])

    def choose(self, view: View) -> int:
        """The action that the simulations speak for."""
        self._progress.stop_thinking.clear()
        actions, race = self.search(view)
        return int(actions[race.winner(self._options.doubt)])

    def stop_thinking(self) -> None:
        """End the search in progress with what it has found so far."""
        self._progress.stop_thinking.set()

    @property
    def progress(self) -> float | None:
        """Share of the budget of the search in progress that is spent."""
        return self._progress.share

    def search(self, view: View) -> tuple[np.ndarray, Race]:
        """Candidate actions int64 [k] of a view, and their race, which is over."""
        actions = self._candidates(view)
        race = Race(len(actions))
        try:
            if len(actions) > 1:
                self._run(race, view, actions)
        finally:
            self._progress.share = None
        return actions, race

    def _candidates(self, view: View) -> np.ndarray:
        """Candidate actions, the guide's choice first: rated close to the best by the rules of thumb or the guide."""
        margin = self._margin(view)
        scores, points = (rated[view.legal] for rated in self._simulator(view).scores_and_points(view))
        most = self._options.candidates
        if self._options.ms is None:
            most = min(most, max(1, self._options.sims // _SIMS_PER_CANDIDATE))
        near = (points >= points.max() - margin) | (scores >= scores.max() - min(margin, _LIKELY))
        order = np.argsort(-scores, kind="stable")
        return view.legal[order[near[order]]][:most]

    def _margin(self, view: View) -> float:
        if self._options.margin is not None:
            return self._options.margin
        return _MARGIN_FAMILY if view.layout is FAMILY_LAYOUT else _MARGIN

    def _simulator(self, view: View) -> Simulator:
        return self._simulators[view.layout is FAMILY_LAYOUT]

    def _run(self, race: Race, view: View, actions: np.ndarray) -> None:
        """Hold the rounds of a race."""
        rng, sign = np.random.default_rng(view_seed(view, self.seed)), 1 if view.side == DEMOCRAT else -1
        simulator, rounds = self._simulator(view), ceil(log2(len(actions)))
        budget = SearchBudget(self._options, self._progress, rounds)
        for _ in range(rounds):
            for deals in budget.spend(len(race.running)):
                dealt = view.deal(rng.integers(0, 2**63 - 1, deals))
                race.add(sign * simulator.values(dealt, actions[race.running]))
                race.drop_hopeless()
                if len(race.running) == 1:
                    return
            race.halve()
            if len(race.running) == 1:
                return

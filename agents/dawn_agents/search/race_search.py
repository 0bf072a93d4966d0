"""Search by a race: the candidates at the root, and how the budget is spent on them."""

from math import ceil, log2

import numpy as np

from dawn_agents.search.family_simulation import FamilySimulator
from dawn_agents.search.guide import learnt_by, new_scratch, score_view
from dawn_agents.search.options import Budget, Options, Thought
from dawn_agents.search.race import Race
from dawn_agents.search.result import SearchResult
from dawn_agents.search.simulation import Simulator
from dawn_env.layouts import FAMILY_LAYOUT
from dawn_env.tables import DEMOCRAT
from dawn_env.view import View

_SIMS_PER_CANDIDATE = 8  # with fewer, fewer candidates are looked at
_MARGIN, _MARGIN_FAMILY, _MARGIN_LED = 6.0, 2.0, 12.0


class RaceSearch:
    """Replaces the guide's choice where simulations with other actions end better."""

    def __init__(self, options: Options, thought: Thought):
        self._options, self._thought = options, thought
        learnt = learnt_by(options.guide)
        self._scratch, self._simulator = new_scratch(learnt), Simulator(options.plays, learnt)
        self._family = FamilySimulator(options.plays)

    def search(self, view: View, rng: np.random.Generator, root_prior: np.ndarray | None) -> SearchResult:
        """Search from a view.

        ``root_prior``: probabilities [A] of the legal actions. Their logarithms then take the place of the
        guide's scores, and the likeliest action that of its choice.
        """
        actions = self._candidates(view, root_prior)
        race = Race(len(actions))
        if len(actions) > 1:
            self._run(race, view, rng, actions)
        return self._result(race, view, actions)

    def _candidates(self, view: View, root_prior: np.ndarray | None) -> np.ndarray:
        """Actions to look at, best first."""
        if root_prior is None:
            scores = self._scores(view)[view.legal]
        else:
            scores = np.log(np.maximum(root_prior[view.legal], 1e-9))
        most = self._options.candidates
        if self._options.ms is None:
            most = min(most, max(1, self._options.sims // _SIMS_PER_CANDIDATE))
        order, margin = np.argsort(-scores, kind="stable"), self._margin(view, root_prior)
        return view.legal[order[scores[order] >= scores.max() - margin]][:most]

    def _margin(self, view: View, root_prior: np.ndarray | None) -> float:
        if self._options.margin is not None:
            return self._options.margin
        if root_prior is not None:
            return _MARGIN_LED
        return _MARGIN_FAMILY if view.layout is FAMILY_LAYOUT else _MARGIN

    def _scores(self, view: View) -> np.ndarray:
        """Scores of the legal actions by the guide, [A]."""
        if view.layout is FAMILY_LAYOUT:
            return self._family.scores(view)
        return score_view(view.observation, view.mask, self._scratch)

    def _run(self, race: Race, view: View, rng: np.random.Generator, actions: np.ndarray) -> None:
        """Hold the rounds of a race."""
        sign = 1 if view.side == DEMOCRAT else -1
        simulator = self._family if view.layout is FAMILY_LAYOUT else self._simulator
        rounds = max(1, ceil(log2(len(actions))))
        budget = Budget(self._options, self._thought, rounds)
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

    def _result(self, race: Race, view: View, actions: np.ndarray) -> SearchResult:
        visits, values = np.zeros(view.layout.actions, np.int64), np.zeros(view.layout.actions)
        visits[actions] = race.counts
        values[actions] = race.means if view.side == DEMOCRAT else -race.means
        return SearchResult(int(actions[race.winner(self._options.doubt)]), visits, values)

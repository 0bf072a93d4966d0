"""Search by a race: the candidates at the root, and how the budget is spent on them."""

from math import ceil, log2

import numpy as np

from dawn_agents.search.search_options import Options, SearchBudget, SearchProgress, SearchResult
from dawn_agents.search.simulator import Simulator
from dawn_env.observation.player_view import View
from dawn_env.observation.view_layouts import FAMILY_LAYOUT
from dawn_env.tables import DEMOCRAT

_CLEARLY = 2.0  # standard errors behind the incumbent, at the end of a round
_HOPELESSLY = 3.0  # the same, at any time
_ENOUGH = 8  # deals without which nothing is hopeless


class Race:
    """Sequential halving over candidates 0 ... k - 1; candidate 0 is the incumbent, who never drops out."""

    def __init__(self, candidates: int):
        self.running = np.arange(candidates)
        """Candidates still in the race, ascending."""
        self.counts = np.zeros(candidates, np.int64)
        """Number of values of each candidate."""
        self._totals = np.zeros(candidates)
        self._leads, self._squares = np.zeros(candidates), np.zeros(candidates)  # sums over deals

    def add(self, values: np.ndarray) -> None:
        """Note values float64 [n, r] of the ``running`` candidates in n more deals; more is better."""
        leads = values - values[:, :1]
        self.counts[self.running] += len(values)
        self._totals[self.running] += values.sum(0)
        self._leads[self.running] += leads.sum(0)
        self._squares[self.running] += (leads**2).sum(0)

    def halve(self) -> None:
        """Keep the better half of the challengers, rounded up, without those that are clearly behind."""
        leads, errors = self._compare()
        challengers = self.running[1:]
        better = challengers[np.argsort(-leads[challengers], kind="stable")][: (len(challengers) + 1) // 2]
        alive = better[leads[better] > -_CLEARLY * errors[better]]
        self.running = np.concatenate([self.running[:1], np.sort(alive)])

    def drop_hopeless(self) -> None:
        """Spare the simulations of challengers that are far behind, or never differ from the incumbent."""
        leads, errors = self._compare()
        hopeless = (leads <= -_HOPELESSLY * errors) & (self.counts >= _ENOUGH)
        hopeless[0] = False
        self.running = self.running[~hopeless[self.running]]

    def winner(self, doubt: float) -> int:
        """The candidate furthest ahead of the incumbent, less ``doubt`` standard errors; else the incumbent."""
        leads, errors = self._compare()
        bounds = (leads - doubt * errors)[self.running]
        return int(self.running[np.argmax(bounds)])

    @property
    def means(self) -> np.ndarray:
        """Mean value of each candidate, float64 [k]; 0 without values."""
        return self._totals / np.maximum(1, self.counts)

    def _compare(self) -> tuple[np.ndarray, np.ndarray]:
        """Mean lead over the incumbent, and its standard error (0 for the incumbent), float64 [k] each."""
        deals = np.maximum(1, self.counts)
        leads = self._leads / deals
        variances = np.maximum(0.0, self._squares / deals - leads**2)
        return leads, np.sqrt(variances / np.maximum(1, deals - 1))


_SIMS_PER_CANDIDATE = 8  # with fewer, fewer candidates are looked at
_MARGIN, _MARGIN_FAMILY, _MARGIN_LOGITS = 6.0, 2.0, 12.0


class RaceSearch:
    """Replaces the guide's choice where simulations with other actions end better."""

    def __init__(self, options: Options, progress: SearchProgress):
        self._options, self._progress = options, progress
        self._simulators = {family: Simulator(family, options.plays, options.guide) for family in (False, True)}

    def search(self, view: View, rng: np.random.Generator) -> SearchResult:
        """Search from a view."""
        actions = self._candidates(view)
        race = Race(len(actions))
        if len(actions) > 1:
            self._run(race, view, rng, actions)
        return self._result(race, view, actions)

    def _candidates(self, view: View) -> np.ndarray:
        """Actions to look at, best first."""
        scores = self._simulator(view).scores(view)[view.legal]
        most = self._options.candidates
        if self._options.ms is None:
            most = min(most, max(1, self._options.sims // _SIMS_PER_CANDIDATE))
        order, margin = np.argsort(-scores, kind="stable"), self._margin(view)
        return view.legal[order[scores[order] >= scores.max() - margin]][:most]

    def _margin(self, view: View) -> float:
        if self._options.margin is not None:
            return self._options.margin
        if view.layout is FAMILY_LAYOUT:
            return _MARGIN_FAMILY
        return _MARGIN_LOGITS if self._options.guide == "pretrained" else _MARGIN

    def _simulator(self, view: View) -> Simulator:
        return self._simulators[view.layout is FAMILY_LAYOUT]

    def _run(self, race: Race, view: View, rng: np.random.Generator, actions: np.ndarray) -> None:
        """Hold the rounds of a race."""
        sign = 1 if view.side == DEMOCRAT else -1
        simulator, rounds = self._simulator(view), max(1, ceil(log2(len(actions))))
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

    def _result(self, race: Race, view: View, actions: np.ndarray) -> SearchResult:
        visits, values = np.zeros(view.layout.actions, np.int64), np.zeros(view.layout.actions)
        visits[actions] = race.counts
        values[actions] = race.means if view.side == DEMOCRAT else -race.means
        return SearchResult(int(actions[race.winner(self._options.doubt)]), visits, values)

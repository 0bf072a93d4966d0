"""The searching player: sequential halving of the candidate actions by simulations."""

from collections.abc import Sequence
from copy import copy
from dataclasses import asdict
from math import ceil, log2

import numpy as np

from dawn_agents.players.search.rollout_policy import guide_version
from dawn_agents.players.search.search_options import Options, SearchBudget, SearchProgress
from dawn_agents.players.search.simulator import Simulator
from dawn_env.observation.player_view import View, view_seed
from dawn_env.observation.view_layouts import FAMILY_LAYOUT
from dawn_env.players import ViewPlayer
from dawn_env.support.thread_pool import ThreadTeam, checked_threads
from dawn_env.tables import DEMOCRAT

_SIMS_PER_CANDIDATE = 8  # with fewer, fewer candidates are looked at
_MARGIN, _MARGIN_FAMILY = 6.0, 2.0
_LIKELY = 2.5  # below the guide's best score: 8 % of the probability of a network's likeliest action
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
        self._leads, self._squares = np.zeros(candidates), np.zeros(candidates)  # sums over deals

    def add(self, values: np.ndarray) -> None:
        """Add values float64 [n, r] of the ``running`` candidates in n more deals; more is better."""
        leads = values - values[:, :1]
        self.counts[self.running] += len(values)
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

    def _compare(self) -> tuple[np.ndarray, np.ndarray]:
        """Mean lead over the incumbent, and its standard error (0 for the incumbent), float64 [k] each."""
        deals = np.maximum(1, self.counts)
        leads = self._leads / deals
        variances = np.maximum(0.0, self._squares / deals - leads**2)
        return leads, np.sqrt(variances / np.maximum(1, deals - 1))


class SearchPlayer(ViewPlayer):
    """Improves on a guide's choices by simulations, divided among the candidates by sequential halving."""

    version = "7"
    Options = Options

    def __init__(self, name: str = "search", seed: int = 0, options: Options | None = None):
        self._options, self._progress = options or Options(), SearchProgress()
        super().__init__(name, seed, asdict(self._options))
        self._simulators, self._others = self._new_simulators(), []  # ``_others``: copies of the player, for threads
        self.version = "+".join([type(self).version, *guide_version(self._options.guide)])

    def _new_simulators(self) -> dict[bool, Simulator]:
        """Simulators for one thread; key True: of family mode, False: of the standard game."""
        return {family: Simulator(family, self._options.plays, self._options.guide) for family in (False, True)}

    def choose(self, view: View) -> int:
        """The action that the simulations speak for."""
        self._progress.stop_thinking.clear()
        actions, race = self.search(view)
        return int(actions[race.winner(self._options.doubt)])

    def choose_each(self, views: Sequence[View]) -> list[int]:
        """Choose an action for each view. Several threads share the views, but only one works where time is limited."""
        actions = np.zeros(len(views), np.int64)
        team = ThreadTeam(checked_threads(self.threads) if self._options.ms is None else 1, 1)
        while len(self._others) < min(team.size, len(views)) - 1:
            other = copy(self)
            other._simulators = self._new_simulators()
            self._others.append(other)
        searchers = [self, *self._others]

        def choose_rows(first: int, last: int, number: int) -> int:
            actions[first:last] = [searchers[number].choose(view) for view in views[first:last]]
            return 0

        team.run_uneven(choose_rows, len(views))
        return actions.tolist()

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
        margin = self._options.margin
        if margin is None:
            margin = _MARGIN_FAMILY if view.layout is FAMILY_LAYOUT else _MARGIN
        scores, points = (rated[view.legal] for rated in self._simulator(view).scores_and_points(view))
        most = self._options.candidates
        if self._options.ms is None:
            most = min(most, max(1, self._options.sims // _SIMS_PER_CANDIDATE))
        near = (points >= points.max() - margin) | (scores >= scores.max() - min(margin, _LIKELY))
        order = np.argsort(-scores, kind="stable")
        return view.legal[order[near[order]]][:most]

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

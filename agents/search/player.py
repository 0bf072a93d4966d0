"""The searching player: its options, the candidates at the root, and how the budget is spent on them."""

import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from math import ceil, log2
from typing import NamedTuple

import numpy as np

from agents.greedy import view_seed
from agents.heuristic.scoring import scorer
from agents.player import ThinkingPlayer
from agents.search.chances import weights_by_turn
from agents.search.features import K
from agents.search.guide import new_scratch, score_view
from agents.search.loop import simulate
from agents.search.race import Race
from dawn_env import engine
from dawn_env.actions import A
from dawn_env.state import new_states
from dawn_env.tables import DEMOCRAT
from dawn_env.view import View

_SIMS_PER_CANDIDATE = 8  # with fewer, fewer candidates are looked at
_CHUNK = 2  # deals between two looks at the clock


class Thoughts(NamedTuple):
    """What a search found about the actions at the root.

    ``action``: its choice. ``visits`` int64 [A]: simulations that began with an action. ``values`` float64 [A]:
    their means in -1 ... 1, Democrat positive, 0 where unvisited.
    """

    action: int
    visits: np.ndarray
    values: np.ndarray


class SearchPlayer(ThinkingPlayer):
    """Replaces the rule-based player's choice where simulations with other actions end better."""

    version = "2"

    @dataclass(frozen=True)
    class Options:
        """Budget, horizon and candidates; with ``ms`` the answer depends on the speed of the machine too."""

        sims: int = 200
        """Simulations a decision at most, unless ``ms`` is given."""
        ms: int | None = None
        """Milliseconds a decision at most."""
        plays: int = 4
        """Card plays of a simulation, the one in progress counted."""
        candidates: int = 16
        """Actions looked at, the best ones by the rule-based player's scores."""
        margin: float = 2.0
        """How far below the best score a candidate may be, in victory points."""
        doubt: float = 1.0
        """Standard errors by which a candidate must be ahead of the rule-based player's choice."""
        prior: str | None = None
        """A policy file, or ``pretrained``: candidates of its side are chosen by its probabilities."""

        def __post_init__(self):
            for name, least in (("sims", 1), ("ms", 1), ("plays", 1), ("candidates", 1), ("margin", 0), ("doubt", 0)):
                value = getattr(self, name)
                if value is not None and not value >= least:
                    raise ValueError(f"{name}: at least {least}, not {value}")

    def __init__(self, name: str = "search", seed: int = 0, options: Options | None = None):
        self._options = options or self.Options()
        super().__init__(name, seed, asdict(self._options))
        self._scratch, self._weights = new_scratch(), weights_by_turn()
        self._states, self._numbers = new_states(1), np.zeros(K)
        self._priors = _load_priors(self._options.prior)
        self.version = "+".join([type(self).version, *(network.version for network in self._priors.values())])

    def choose(self, view: View) -> int:
        """The rule-based player's choice, or a candidate that did better in the simulations."""
        network = self._priors.get(view.side)
        if network is None:
            return self.think(view).action
        return self.think(view, network.probabilities(view.observation[None], view.mask[None])[0]).action

    def think(self, view: View, root_prior: np.ndarray | None = None) -> Thoughts:
        """Search from a view.

        ``root_prior``: probabilities [A] of the legal actions. Their logarithms then take the place of the
        rule-based player's scores, and the likeliest action that of its choice.
        """
        actions = self._candidates(view, root_prior)
        race = Race(len(actions))
        if len(actions) > 1:
            self._run(race, view, actions)
        return self._thoughts(race, view, actions)

    def _candidates(self, view: View, root_prior: np.ndarray | None) -> np.ndarray:
        """Actions to look at, best first."""
        if root_prior is None:
            scores = score_view(view.observation, view.mask, self._scratch)[view.legal]
        else:
            scores = np.log(np.maximum(root_prior[view.legal], 1e-9))
        most = self._options.candidates
        if self._options.ms is None:
            most = min(most, max(1, self._options.sims // _SIMS_PER_CANDIDATE))
        order = np.argsort(-scores, kind="stable")
        return view.legal[order[scores[order] >= scores.max() - self._options.margin]][:most]

    def _run(self, race: Race, view: View, actions: np.ndarray) -> None:
        """Hold the rounds of a race."""
        rng, sign = np.random.default_rng(view_seed(view, self.seed)), 1 if view.side == DEMOCRAT else -1
        rounds = max(1, ceil(log2(len(actions))))
        budget = _Budget(self._options, rounds)
        for _ in range(rounds):
            for deals in budget.spend(len(race.running)):
                race.add(sign * self._simulate(view.deal(rng.integers(0, 2**63 - 1, deals)), actions[race.running]))
            race.halve()
            if len(race.running) == 1:
                return

    def _simulate(self, deals: np.ndarray, actions: np.ndarray) -> np.ndarray:
        """Values in -1 ... 1, Democrat positive, float64 [deals, actions]."""
        values = np.zeros((len(deals), len(actions)))
        work = self._weights, self._states, self._numbers, self._scratch
        simulate(engine.step(), scorer(), deals, actions, self._options.plays, *work, values)
        return values

    def _thoughts(self, race: Race, view: View, actions: np.ndarray) -> Thoughts:
        visits, values = np.zeros(A, np.int64), np.zeros(A)
        visits[actions] = race.counts
        values[actions] = race.means if view.side == DEMOCRAT else -race.means
        return Thoughts(int(actions[race.winner(self._options.doubt)]), visits, values)


def _load_priors(prior: str | None) -> dict:
    """See ``prior.load_priors``; torch is imported only if there is something to load."""
    if prior is None:
        return {}
    from agents.search.prior import load_priors

    return load_priors(prior)


class _Budget:
    """Simulations or time, divided evenly among the rounds of a race."""

    def __init__(self, options: SearchPlayer.Options, rounds: int):
        self._sims = options.sims // rounds
        self._seconds = options.ms / 1000 / rounds if options.ms else None
        self._end = time.monotonic()

    def spend(self, candidates: int) -> Iterator[int]:
        """Numbers of deals to simulate one after the other in a round with so many candidates."""
        if self._seconds is None:
            yield max(1, self._sims // candidates)
            return
        self._end += self._seconds
        while True:
            yield _CHUNK
            if time.monotonic() >= self._end:
                return

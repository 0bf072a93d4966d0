"""The searching player: its options, the candidates at the root, and how the budget is spent on them."""

import time
from dataclasses import asdict, dataclass
from math import ceil, log2
from typing import NamedTuple

import numpy as np

from agents.greedy import view_seed
from agents.heuristic.scoring import scorer
from agents.player import ThinkingPlayer
from agents.search.loop import new_scratch, score_actions, simulate
from agents.search.race import Race
from dawn_env import engine
from dawn_env.actions import A
from dawn_env.tables import DEMOCRAT
from dawn_env.view import View

_SIMS_PER_CANDIDATE = 6  # that make it worth considering


class Thoughts(NamedTuple):
    """What a search found about the actions at the root.

    ``visits`` int64 [A]; ``values`` float64 [A], means in -1 ... 1, Democrat positive, 0 where unvisited.
    """

    visits: np.ndarray
    values: np.ndarray


class SearchPlayer(ThinkingPlayer):
    @dataclass(frozen=True)
    class Options:
        sims: int = 200
        ms: int | None = None
        plays: int = 2
        candidates: int = 16
        doubt: float = 0.5
        margin: float = 4.0

    def __init__(self, name: str = "search", seed: int = 0, options: Options | None = None):
        self._options = options or self.Options()
        super().__init__(name, seed, asdict(self._options))
        self._scratch = new_scratch()

    def choose(self, view: View) -> int:
        return self._search(view)[0]

    def think(self, view, root_prior=None):
        return self._search(view, root_prior)[1]

    def _candidates(self, view, root_prior):
        o = self._options
        legal = view.legal
        if root_prior is None:
            score_actions(scorer(), view.observation, view.mask, self._scratch)
            scores = self._scratch.scores[legal]
            self._scale = 1
        else:
            scores = np.log(root_prior[legal] + 1e-6)
        order = np.argsort(-scores, kind="stable")
        keep = order[scores[order] >= scores[order[0]] - o.margin]
        most = max(2, min(o.candidates, o.sims // _SIMS_PER_CANDIDATE))
        return legal[keep[:most]]

    def _search(self, view, root_prior=None):
        o = self._options
        actions = self._candidates(view, root_prior)
        if len(actions) == 1:
            return int(actions[0]), None
        rng = np.random.default_rng(view_seed(view, self.seed))
        race = Race(len(actions))
        sign = 1 if view.side == DEMOCRAT else -1
        rounds = max(1, ceil(log2(len(actions) - 1)))
        for r in range(rounds):
            n = max(1, round(o.sims / rounds / len(race.running)))
            deals = view.deal(rng.integers(0, 2**63 - 1, n))
            values = np.zeros((n, len(race.running)))
            simulate(engine.step(), scorer(), deals, actions[race.running], o.plays, self._scratch, values)
            race.add(sign * values)
            if r < rounds - 1:
                race.halve()
        return int(actions[race.winner(o.doubt)]), None

"""Search by a tree: information-set Monte Carlo tree search over positions dealt anew."""

import numpy as np

from agents.heuristic.scoring import scorer
from agents.search.options import Budget, Options, Thought
from agents.search.result import SearchResult
from agents.search.tree import new_tree, root_statistics
from agents.search.tree_loop import new_setup, run
from dawn_env import engine
from dawn_env.errors import PlayerFailure
from dawn_env.layouts import FAMILY_LAYOUT
from dawn_env.tables import DEMOCRAT
from dawn_env.view import View

_MOST_NODES = 50_000  # simulations beyond that refine the values of the nodes there are


class TreeSearch:
    """Grows a tree from the root in the direction of good values and likely actions; the most visited one wins."""

    def __init__(self, options: Options, thought: Thought):
        self._options, self._thought = options, thought
        self._setup = new_setup(options.plays, options.exploration)
        self._tree = new_tree(_MOST_NODES if options.ms else min(options.sims, _MOST_NODES))

    def search(self, view: View, rng: np.random.Generator, root_prior: np.ndarray | None) -> SearchResult:
        """Search from a view; of equally many visits the better value decides.

        ``root_prior``: probabilities [A] of the legal actions, instead of the rule-based player's.
        """
        if view.layout is FAMILY_LAYOUT:
            raise PlayerFailure("search by a tree plays the standard game; in family mode take method=race")
        self._tree.used[:] = 0
        self._setup.root_prior[:] = 0 if root_prior is None else root_prior
        if len(view.legal) > 1:
            for count in Budget(self._options, self._thought).spend():
                deals = view.deal(rng.integers(0, 2**63 - 1, count))
                run(engine.step(), scorer(), self._tree, deals, self._setup)
        visits, values = root_statistics(self._tree)
        sign = 1 if view.side == DEMOCRAT else -1
        best = max(view.legal, key=lambda action: (visits[action], sign * values[action]))
        return SearchResult(int(best), visits, values)

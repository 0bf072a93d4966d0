"""Search by a tree: information-set Monte Carlo tree search over positions dealt anew."""

import numpy as np

from dawn_agents.search.family_tree_loop import FamilyTreeLoop
from dawn_agents.search.search_options import Options, SearchBudget, SearchProgress, SearchResult
from dawn_agents.search.search_tree import Tree, new_tree, root_statistics
from dawn_agents.search.standard_tree_loop import TreeLoop
from dawn_env.observation.player_view import View
from dawn_env.observation.view_layouts import FAMILY_LAYOUT
from dawn_env.tables import DEMOCRAT

_MOST_NODES = 50_000  # simulations beyond that refine the values of the nodes there are


class TreeSearch:
    """Grows a tree from the root in the direction of good values and likely actions; the most visited one wins."""

    def __init__(self, options: Options, thought: SearchProgress):
        self._options, self._thought = options, thought
        self._loops = TreeLoop(options), FamilyTreeLoop(options)
        self._trees: dict[int, Tree] = {}  # by number of actions

    def search(self, view: View, rng: np.random.Generator, root_prior: np.ndarray | None) -> SearchResult:
        """Search from a view; of equally many visits the better value decides.

        ``root_prior``: probabilities [A] of the legal actions, instead of the guide's.
        """
        loop = self._loops[view.layout is FAMILY_LAYOUT]
        tree = self._empty_tree(loop.actions)
        loop.settings.root_prior[:] = 0 if root_prior is None else root_prior
        if len(view.legal) > 1:
            for count in SearchBudget(self._options, self._thought).spend():
                loop.run(tree, view.deal(rng.integers(0, 2**63 - 1, count)))
        visits, values = root_statistics(tree)
        sign = 1 if view.side == DEMOCRAT else -1
        best = max(view.legal, key=lambda action: (visits[action], sign * values[action]))
        return SearchResult(int(best), visits, values)

    def _empty_tree(self, actions: int) -> Tree:
        """The tree for games with so many ``actions``, emptied: making one takes longer than a short search."""
        if actions not in self._trees:
            most = _MOST_NODES if self._options.ms else min(self._options.sims, _MOST_NODES)
            self._trees[actions] = new_tree(most, actions)
        self._trees[actions].used[:] = 0
        return self._trees[actions]

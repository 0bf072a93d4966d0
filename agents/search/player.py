"""The searching player: budget, positions dealt anew, and the choice at the root."""

import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import NamedTuple

import numpy as np

from agents.greedy import view_seed
from agents.heuristic.scoring import scorer
from agents.player import ThinkingPlayer
from agents.search.loop import Settings, new_scratch, run
from agents.search.tree import add_node, new_tree, root_statistics
from dawn_env import engine
from dawn_env.tables import DEMOCRAT
from dawn_env.view import View

_CHUNK = 32  # simulations between two looks at the clock
_MOST_NODES = 50_000  # simulations beyond that refine the values of the nodes there are


class Thoughts(NamedTuple):
    """What a search found about the actions at the root.

    ``visits`` int64 [A]; ``values`` float64 [A], means in -1 ... 1, Democrat positive, 0 where unvisited.
    """

    visits: np.ndarray
    values: np.ndarray


class SearchPlayer(ThinkingPlayer):
    """Information-set Monte Carlo tree search over positions dealt anew, led by the rule-based player."""

    @dataclass(frozen=True)
    class Options:
        """Budget and horizon; with ``ms`` the answer depends on the speed of the machine too."""

        sims: int = 200
        """Simulations a decision, unless ``ms`` is given."""
        ms: int | None = None
        """Milliseconds a decision."""
        plays: int = 2
        """Card plays from the root to the evaluation, the one in progress counted."""
        exploration: float = 0.15
        """Weight of the policy's probabilities against the values found."""

        def __post_init__(self):
            for name, least in (("sims", 1), ("ms", 1), ("plays", 1), ("exploration", 0)):
                value = getattr(self, name)
                if value is not None and not value >= least:
                    raise ValueError(f"{name}: at least {least}, not {value}")

    def __init__(self, name: str = "search", seed: int = 0, options: Options | None = None):
        self._options = options or self.Options()
        super().__init__(name, seed, asdict(self._options))
        self.settings = Settings(self._options.plays, self._options.exploration)
        nodes = _MOST_NODES if self._options.ms else min(self._options.sims + 1, _MOST_NODES)
        self._tree, self._scratch = new_tree(nodes), new_scratch()

    def choose(self, view: View) -> int:
        """The action visited most; the better value decides between equals."""
        visits, values = self.think(view)
        sign = 1 if view.side == DEMOCRAT else -1
        return int(max(view.legal, key=lambda action: (visits[action], sign * values[action])))

    def think(self, view: View, root_prior: np.ndarray | None = None) -> Thoughts:
        """Search from a view.

        ``root_prior``: probabilities float32 [A] of the legal actions, instead of the rule-based player's.
        """
        rng = np.random.default_rng(view_seed(view, self.seed))
        self._start(view, rng, root_prior)
        for count in self._chunks():
            deals = view.deal(rng.integers(0, 2**63 - 1, count))
            run(engine.step(), scorer(), self._tree, deals, self._scratch, self.settings)
        return Thoughts(*root_statistics(self._tree))

    def _start(self, view: View, rng: np.random.Generator, root_prior: np.ndarray | None) -> None:
        """An empty tree for a view."""
        self._scratch.root_prior[:] = 0 if root_prior is None else root_prior
        self._scratch.chance[0] = rng.integers(0, 2**32)
        self._tree.used[:] = 0
        add_node(self._tree, view.deal([0])[0])

    def _chunks(self) -> Iterator[int]:
        """Numbers of simulations to run one after the other until the budget is spent."""
        if self._options.ms is None:
            for done in range(0, self._options.sims, _CHUNK):
                yield min(_CHUNK, self._options.sims - done)
            return
        end = time.monotonic() + self._options.ms / 1000
        while time.monotonic() < end:
            yield _CHUNK

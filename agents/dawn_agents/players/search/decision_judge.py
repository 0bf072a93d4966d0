"""Judging the actions of a decision: win probabilities by simulations, and what a choice has lost.

All is done in positions dealt anew from the view of the side to decide, so that nothing hidden from it matters.
"""

from typing import NamedTuple

import numpy as np

from dawn_agents.players.search.search_player import SearchPlayer
from dawn_agents.players.search.simulator import Simulator
from dawn_env.bids import is_bid
from dawn_env.errors import BadInput
from dawn_env.observation.player_view import View, view_seed
from dawn_env.observation.view_layouts import FAMILY_LAYOUT
from dawn_env.state import DECISIONS
from dawn_env.tables import DEMOCRAT

PLAYS = 4  # card plays of a simulation
_HOPELESS = 3.0  # standard errors behind the best
_ENOUGH = 16  # deals without which nothing is hopeless
_LEAST_LOSS = 0.01  # of the chance of winning, that is a mistake
_CERTAIN = 2.0  # standard errors that a mistake has lost at least


def check_judged(view: View) -> None:
    """Raise ``BadInput`` for a decision of a bid, about which the rules of thumb say nothing."""
    if is_bid(DECISIONS.index(view.decision)):
        raise BadInput("offers of a bid are not analysed; the positions after it are")


def rollout_rules(view: View) -> Simulator:
    """The rules of thumb for a decision; raises ``BadInput``."""
    check_judged(view)
    return Simulator(view.layout is FAMILY_LAYOUT, PLAYS)


class ActionEstimates:
    """Actions of one decision, judged better and better by simulations."""

    def __init__(self, view: View, actions: np.ndarray, seed: int = 0, rules: Simulator | None = None):
        """``actions`` int64 [n]: legal ones; ``seed`` of the deals; ``rules``: a simulator to use. Raises
        ``BadInput``."""
        self.view, self.actions, self._rules = view, actions, rules or rollout_rules(view)
        self._running = np.arange(len(self.actions))
        self._values = [[] for _ in self.actions]  # per action: win probabilities, in the same deals for all
        self._rng = np.random.default_rng(seed)

    @classmethod
    def of_best(cls, view: View, most: int) -> "ActionEstimates":
        """Create estimates of the ``most`` actions that the rules of thumb rate highest. Raises ``BadInput``."""
        rules = rollout_rules(view)
        scores = rules.scores(view)[view.legal]
        return cls(view, view.legal[np.argsort(-scores, kind="stable")][:most], rules=rules)

    def add(self, deals: int) -> None:
        """Simulate the actions still worth it in so many more deals."""
        dealt = self.view.deal(self._rng.integers(0, 2**63 - 1, deals))
        values = self._rules.values(dealt, self.actions[self._running])
        win_probabilities = (1 + (values if self.view.side == DEMOCRAT else -values)) / 2
        for column, action in enumerate(self._running):
            self._values[action] += win_probabilities[:, column].tolist()
        self._drop_hopeless()

    @property
    def deals(self) -> int:
        """Simulations of the best action."""
        return self.simulations(self.order[0])

    def simulations(self, at: int) -> int:
        """Number of simulations of action ``at``."""
        return len(self._values[at])

    def chance(self, at: int) -> tuple[float, float]:
        """Mean chance of winning of the side to act after action ``at``, and its standard error."""
        values = self._values[at]
        return float(np.mean(values)), float(np.std(values) / np.sqrt(max(1, len(values) - 1)))

    @property
    def order(self) -> list[int]:
        """Places of the actions, best first; those dropped early count with the simulations they had."""
        return sorted(range(len(self.actions)), key=lambda at: -self.chance(at)[0])

    def lead(self, one: int, other: int) -> tuple[float, float]:
        """Difference of actions ``one`` and ``other`` in their common deals, and its standard error."""
        common = min(len(self._values[one]), len(self._values[other]))
        leads = np.subtract(self._values[one][:common], self._values[other][:common])
        return float(leads.mean()), float(leads.std() / np.sqrt(max(1, common - 1)))

    def _drop_hopeless(self) -> None:
        if self.deals < _ENOUGH:
            return
        kept = []
        for at in self._running:
            lead, error = self.lead(self.order[0], at)
            if lead == 0 or lead < _HOPELESS * error:
                kept.append(at)
        self._running = np.array(kept)


class DecisionLoss(NamedTuple):
    """``better``: the action that was named, perhaps the one taken; ``loss`` of the chance of winning, 0 ... 1, by the
    one taken, below 0 where the named one turned out to be worse; ``error``: the standard error of the loss.
    """

    better: int
    loss: float
    error: float

    @property
    def is_mistake(self) -> bool:
        """Return True if the loss is worth telling, and more than the chance of the simulations."""
        return self.loss >= max(_LEAST_LOSS, _CERTAIN * self.error)


class Judge:
    """Tells what a decision has lost: a search names the better action, other deals say by how much it is better.

    Other ones, since in the deals by which it was found the best of many actions looks better than it is. Deals depend
    on the seed and on what the side sees only.
    """

    def __init__(self, player: SearchPlayer, deals: int, seed: int = 0):
        self._player, self._deals, self._seed = player, deals, seed

    def verdict(self, view: View, taken: int) -> DecisionLoss:
        """Loss of the legal action ``taken`` compared with the player's choice.

        Raises ``BadInput`` for a decision of a bid, and any error of the player.
        """
        check_judged(view)
        better = self._player.choose(view)
        if better == taken:
            return DecisionLoss(taken, 0.0, 0.0)
        judgement = ActionEstimates(view, np.array([better, taken]), view_seed(view, self._seed + 1))
        judgement.add(self._deals)
        return DecisionLoss(better, *judgement.lead(0, 1))

"""Positions played on by a player for each side, many at once, and the chance of winning they come to."""

from collections.abc import Sequence

import numpy as np

from dawn_agents.search.rollout_policy import clocks
from dawn_agents.value.win_probability_network import win_chances
from dawn_env import engine
from dawn_env.batch import checked_actions
from dawn_env.observation.view_layouts import STANDARD_LAYOUT
from dawn_env.players import Player, decide_by_side
from dawn_env.rules.chance import seed_generator
from dawn_env.state import Result, copy_states, take_states
from dawn_env.support.compiling import entry_with_arrays


@entry_with_arrays
def _begin_chance(states, seeds):
    for row in range(len(states)):
        seed_generator(states[row], seeds[row])


class PlayOuts:
    """Takes actions in positions of the standard game and plays on.

    ``players``: who plays each side; what is hidden from them stays hidden. Hidden cards stay as they are in the
    positions, which come from games against the very opponent: so they are what that opponent does hold there. Dice
    and draws are new.
    """

    def __init__(self, players: Sequence[Player], plays: int):
        """``plays``: card plays of a play-out, the one in progress counted."""
        self._players, self._plays = players, plays

    def ends(self, states: np.ndarray, actions: np.ndarray, seeds: np.ndarray) -> np.ndarray:
        """float64 [n], -1 ... 1, Democrat positive: the results of ``actions`` int64 [n] in ``states`` STATE [n], or
        what they promise after so many card plays. ``seeds`` int64 [n]: of chance."""
        ends, games = np.zeros(len(states)), np.arange(len(states))
        states, left = copy_states(states), np.full(len(states), self._plays)
        _begin_chance(states, seeds)
        while len(states):
            before = clocks(states)
            engine.advance(states, actions)
            left -= clocks(states) != before
            goes_on = (states["result"] == Result.RUNNING) & (left > 0)
            ends[games[~goes_on]] = 2 * win_chances(take_states(states, np.flatnonzero(~goes_on))) - 1
            states, left, games = take_states(states, np.flatnonzero(goes_on)), left[goes_on], games[goes_on]
            actions = self._choose(states)
        return ends

    def _choose(self, states: np.ndarray) -> np.ndarray:
        """int64 [n]; raises ``IllegalAction`` when a player answers with one."""
        sides = states["actor"]
        seen, masks = STANDARD_LAYOUT.views(states, sides)
        return checked_actions(decide_by_side(self._players, states, sides, seen, masks), states, masks)

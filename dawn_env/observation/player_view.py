"""View of the side to act, for players that answer one position at a time."""

import hashlib

import numpy as np

from dawn_env import engine
from dawn_env.actions import ACTIONS
from dawn_env.observation.view_layouts import layout_for_players
from dawn_env.state import DECISIONS, STATE, take_states
from dawn_env.support.safe_text import short_repr
from dawn_env.support.seeds import checked_seeds


class View:
    """View of a position for the side to act.

    The true hidden cards and the true generator are not in here: the view keeps a copy in which they were
    dealt anew in a way that depends on what the side knows only. So two positions that look alike to the
    side give equal views, whatever lies hidden.

    ``side``: 0 Democrat, 1 Communist. ``observation`` int8 [F] and ``mask`` int8 [A]: as in a batch, their parts those
    of ``layout``. While players bid for sides, ``side`` is 0 for the first player, 1 for the second.
    """

    def __init__(self, state: np.record):
        """``state``: a STATE record, such as ``game.state``; it is copied. Raises ``TypeError`` for anything else."""
        if getattr(state, "dtype", None) != STATE or np.ndim(state):
            raise TypeError(f"a STATE record expected, such as game.state, not {short_repr(state)}")
        self.side = int(state.actor)
        self._dealt = engine.redeal(np.asarray(state).reshape(1), self.side, np.zeros(1, np.int64))
        self.layout = layout_for_players(state)
        self.observation = self.layout.one(self._dealt[0], self.side)
        self.mask = self._dealt[0].legal[: self.layout.actions].copy()

    @property
    def decision(self) -> str:
        """Name of the pending decision."""
        return DECISIONS[self._dealt[0].decision]

    @property
    def legal(self) -> np.ndarray:
        """Ids of the legal actions, int64, ascending."""
        return np.flatnonzero(self.mask)

    @property
    def texts(self) -> list[str]:
        """Texts of the legal actions, in the order of ``legal``."""
        return [ACTIONS[action] for action in self.legal]

    def deal(self, seeds: np.ndarray) -> np.ndarray:
        """``[n]`` STATE records that look the same to the side, hidden things dealt anew by ``seeds`` [n].

        The records are the caller's own: they may be stepped with ``dawn_env.engine``. Raises ``BadSeed``.
        """
        seeds = checked_seeds(seeds)
        return engine.redeal(take_states(self._dealt, np.zeros(len(seeds), np.int64)), self.side, seeds)


def view_seed(view: View, seed: int) -> int:
    """Derive a seed below 2**63 from a player's seed and its view."""
    seen = hashlib.blake2b(view.observation.tobytes() + view.mask.tobytes() + str(seed).encode(), digest_size=8)
    return int.from_bytes(seen.digest(), "little") >> 1

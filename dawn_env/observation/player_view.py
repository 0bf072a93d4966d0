"""View of one side, for players that answer one position at a time."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from dawn_env import engine
from dawn_env.actions import ACTIONS
from dawn_env.observation.view_layouts import layout_for_players
from dawn_env.state import DECISIONS, STATE, Decision, take_states
from dawn_env.support.argument_checks import side_id
from dawn_env.support.safe_text import short_repr
from dawn_env.support.seeds import checked_seeds


class View:
    """View of a position for one side.

    The true hidden cards and the true generator are not in here: the view keeps a copy in which they were
    dealt anew in a way that depends on what the side knows only. So two positions that look alike to the
    side give equal views, whatever lies hidden.

    ``side``: 0 Democrat, 1 Communist. ``acts``: whether the pending decision is its own. ``observation`` int8 [F] and
    ``mask`` int8 [A]: as in a batch, their parts those of ``layout``. While players bid for sides, ``side`` is 0 for
    the first player, 1 for the second.
    """

    def __init__(self, state: np.record, side: int | None = None):
        """Copy ``state``, a STATE record such as ``game.state``; ``side`` is by default the one to act.

        Raises ``TypeError`` for anything but a record, ``ValueError`` for another side.
        """
        if getattr(state, "dtype", None) != STATE or np.ndim(state):
            raise TypeError(f"a STATE record expected, such as game.state, not {short_repr(state)}")
        actor = int(state.actor)
        self.side = actor if side is None else side_id(side)
        self._moves = self.side == actor
        self.acts = bool(self._moves and state.decision)
        self._dealt = engine.redeal(np.asarray(state).reshape(1), self.side, np.zeros(1, np.int64))
        self.layout = layout_for_players(state)
        self.observation = self.layout.one(self._dealt[0], self.side)
        self.mask = self._dealt[0].legal[: self.layout.actions] * np.int8(self.acts)

    @property
    def decision(self) -> str:
        """Name of the pending decision; of one that is not its own, what is open to the side (else ``none``)."""
        if self._moves:
            return DECISIONS[self._dealt[0].decision]
        shown = self.layout.decode(self.observation)
        for part in self.layout.table:
            if part.name in ("decision", "bid_decision") and shown[part.name].any():
                return part.axis.value[shown[part.name].argmax()]
        return DECISIONS[Decision.NONE]

    @property
    def legal(self) -> np.ndarray:
        """Ids of the legal actions, int64, ascending."""
        return np.flatnonzero(self.mask)

    @property
    def texts(self) -> list[str]:
        """Texts of the legal actions, in the order of ``legal``."""
        return [ACTIONS[action] for action in self.legal]

    def facts(self, events: Iterable[Mapping[str, Any]] = ()) -> dict[str, Any]:
        """Facts visible to the side, as JSON values (``docs/reference/view.md``); ``events``: see ``text``."""
        from dawn_env import view_facts  # loaded, with what words it, where facts are wanted

        return view_facts(self, events)

    def to_json(self, events: Iterable[Mapping[str, Any]] = ()) -> str:
        """``facts`` as one line of JSON."""
        return json.dumps(self.facts(events), ensure_ascii=False)

    def text(self, detail: str = "medium", events: Iterable[Mapping[str, Any]] = ()) -> str:
        """Facts visible to the side, in words.

        ``detail``: ``short`` (what has happened, the question and its answers), ``medium`` or ``full``. ``events``:
        what the side has seen since its latest decision (``Player.on_events``). Raises ``ValueError`` for another
        detail.
        """
        from dawn_env import view_text

        return view_text(self, detail, events)

    def deal(self, seeds: np.ndarray) -> np.ndarray:
        """``[n]`` STATE records that look the same to the side, hidden things dealt anew by ``seeds`` [n].

        The records are the caller's own: they may be stepped with ``dawn_env.engine``. Raises ``BadSeed``, and
        ``ValueError`` for the side that is not to act, which might learn from them what the other is asked.
        """
        if not self._moves:
            raise ValueError("deal: the view of the side to act expected")
        seeds = checked_seeds(seeds)
        return engine.redeal(take_states(self._dealt, np.zeros(len(seeds), np.int64)), self.side, seeds)


def view_seed(view: View, seed: int) -> int:
    """Derive a seed below 2**63 from a player's seed and its view."""
    seen = hashlib.blake2b(view.observation.tobytes() + view.mask.tobytes() + str(seed).encode(), digest_size=8)
    return int.from_bytes(seen.digest(), "little") >> 1

"""One seat of one game as a Gymnasium environment; the opponent plays inside."""

from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete
from gymnasium.vector import AutoresetMode

from dawn_env.batch import legal_action
from dawn_env.envs.rendering import RENDER_MODES, RENDER_WIDTH, Renderer
from dawn_env.envs.seat_games import LearnerEnvironment, LearnerGames
from dawn_env.host.opponent_pool import Pool
from dawn_env.observation.view_layouts import STANDARD_LAYOUT, ViewLayout
from dawn_env.options import GameOptions
from dawn_env.players import Player
from dawn_env.support.seeds import MOST_SEED, checked_seed


class LegalActions(Discrete):
    """``Discrete(A)`` with a ``sample()`` that draws a legal action of its environment.

    ``legal`` is the live mask of the environment, int8 [1, A]; a mask or probability that is given goes first. It
    contains all of 0 ... A - 1, as the legal set changes with every decision.
    """

    def __init__(self, legal: np.ndarray):
        super().__init__(legal.shape[1])
        self._live = legal

    def sample(self, mask: np.ndarray | None = None, probability: np.ndarray | None = None) -> np.int64:
        """A legal action, uniformly; 0 when there is none (the game is over or has not begun)."""
        if mask is None and probability is None:
            mask = self._live[0]
        return super().sample(mask, probability)


def observation_space(layout: ViewLayout = STANDARD_LAYOUT) -> Box:
    """Observation space: int8 [F]."""
    return Box(layout.low(), layout.high(), dtype=np.int8)


class DawnSeat(LearnerEnvironment, gymnasium.Env):
    """1989: Dawn of Freedom from one seat: an episode is a game, a step one decision of the agent's.

    Observations are int8 [F]. Each ``info`` holds ``action_mask``, int8 [A] as of ``action_masks()``, and the
    integers ``side`` (0 Democrat, 1 Communist), ``vp`` (Democrat positive) and ``result``, an index into
    ``state.RESULTS``. With render mode ``human`` every view of the agent's is printed. The reward is +1, -1
    or 0 (draw) at the end, plus ``shaping`` times each change of VP for the agent. An action outside the
    mask raises ``IllegalAction`` and changes nothing, so ``action_space.sample()`` draws legal ones only.
    A step after the end raises ``GameOver``, one after ``close`` gymnasium's ``ClosedEnvironmentError``. ``reset``
    opens a closed environment.
    """

    metadata = {"render_modes": RENDER_MODES, "render_fps": 1}

    def __init__(
        self,
        side: str | int | None = None,
        opponents: Pool | None = None,
        weights: Sequence[float] | None = None,
        shaping: float = 0.0,
        options: GameOptions | Mapping | None = None,
        render_mode: str | None = None,
        render_width: int = RENDER_WIDTH,
    ):
        """``side``: ``"communist"``, ``"democrat"``, their ids or None, drawn by the seed; ``opponents`` and
        ``weights`` as for ``set_opponents``, a ``RandomPlayer`` by default; ``render_width``: pixels of a frame from
        left to right. Raises ``ValueError``."""
        self.games = LearnerGames(1, side, opponents, weights, options, shaping, AutoresetMode.DISABLED)
        self.render_mode, self._renderer = render_mode, Renderer(render_mode, render_width, self.games.options)
        self.observation_space = observation_space(self.games.layout)
        self.action_space = LegalActions(self.games.masks)
        self.closed = False

    def reset(self, *, seed: int | None = None, options: dict | None = None) -> tuple[Any, dict]:
        """Start a game: with ``seed`` (0 ... 2**63 - 1) the game of that seed, else one drawn from ``np_random``.

        ``options``: ``opponents`` and ``weights`` hold from this game on, and options of the game by name for this one
        only; other keys are ignored unless they look like a misspelt one. Raises ``BadSeed``, ``BadOptions``,
        ``ValueError``; then nothing has changed.
        """
        seed = None if seed is None else checked_seed(seed)
        agreed = self.games.options_at_reset(options)
        super().reset(seed=seed)
        number = int(self.np_random.integers(0, MOST_SEED)) if seed is None else seed
        self.games.reset(np.array([number]), agreed)
        self.closed = False
        self._show()
        return self._observed(), self._info()

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict]:
        """Take the agent's action; returns its next view, or its last one when the game is over."""
        self._check_begun()
        games = self.games
        games.step(np.array([0 if games.ended[0] else legal_action(action, games.masks[0], games.states)]))
        self._show()
        return self._observed(), float(games.rewards[0]), bool(games.ended[0]), False, self._info()

    def _observed(self) -> Any:
        return self.games.observations[0].copy()

    def _info(self) -> dict:
        games = self.games
        facts = {"side": int(games.sides[0]), "vp": int(games.vp[0]), "result": int(games.result[0])}
        return {"action_mask": self.action_masks()} | facts

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def action_masks(self) -> np.ndarray:
        """Legal actions, int8 [A], in an array of its own; zeros when the game is over."""
        return self.games.masks[0].copy()

    @property
    def opponent(self) -> Player:
        """Player of the other side."""
        return self.games.opponent(0)

    def render(self) -> str | np.ndarray | None:
        """Render the agent's view: ``ansi`` returns text, ``rgb_array`` pixels, ``human`` prints text."""
        self._check_begun()
        return self._renderer.rendered(self.games.states[0], self.render_mode)

"""One seat of one game as a Gymnasium environment; the opponent plays inside."""

import operator

import gymnasium
import numpy as np
from gymnasium.error import ClosedEnvironmentError, ResetNeeded
from gymnasium.spaces import Box, Discrete

from dawn_env.actions import A
from dawn_env.envs.board_text import board_text
from dawn_env.envs.seat_games import SeatGames
from dawn_env.observe import high, low
from dawn_env.players import Player


class LegalActions(Discrete):
    """``Discrete(A)`` whose ``sample()`` draws a legal action of the environment it belongs to.

    ``legal`` is the live mask of the environment, int8 [1, A]; a mask or probability that is given goes first. It
    contains all of 0 ... A - 1, as the legal set changes with every decision.
    """

    def __init__(self, legal: np.ndarray):
        super().__init__(A)
        self._live = legal

    def sample(self, mask: np.ndarray | None = None, probability: np.ndarray | None = None) -> np.int64:
        """A legal action, uniformly; 0 when there is none (the game is over or has not begun)."""
        if mask is None and probability is None:
            mask = self._live[0]
        return super().sample(mask, probability)


def observation_space() -> Box:
    """Space of what a side sees: int8 [F]."""
    return Box(low(), high(), dtype=np.int8)


class DawnSeat(gymnasium.Env):
    """1989: Dawn of Freedom from one seat: an episode is a game, a step one decision of the agent's.

    Observations are int8 [F]; ``info["action_mask"]`` and ``action_masks()`` int8 [A]. The reward is +1, -1
    or 0 (draw) at the end, plus ``shaping`` times each change of VP for the agent. An action outside the
    mask raises ``IllegalAction`` and changes nothing, so ``action_space.sample()`` draws legal ones only.
    A step after the end raises ``GameOver``, one after ``close`` gymnasium's ``ClosedEnvironmentError``.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}

    def __init__(
        self,
        side: str | None = None,
        opponent: Player | None = None,
        shaping: float = 0.0,
        extra_support: tuple[int, int] = (0, 0),
        render_mode: str | None = None,
    ):
        """``side``: ``"communist"``, ``"democrat"`` or None, drawn by the seed; ``opponent``: a
        ``RandomPlayer`` by default. Raises ``ValueError``."""
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            raise ValueError(f"render_mode {render_mode!r}: expected one of {self.metadata['render_modes']} or None")
        self.render_mode = render_mode
        pool = None if opponent is None else [opponent]
        self._games = SeatGames(1, side, pool, None, extra_support, shaping, restart=False)
        self.observation_space = observation_space()
        self.action_space = LegalActions(self._games.masks)
        self._begun = self._closed = False
        self._action = np.zeros(1, np.int64)

    def reset(self, *, seed: int | None = None, options: dict | None = None) -> tuple[np.ndarray, dict]:
        """Start a game: with ``seed`` (0 ... 2**63 - 1) the game of that seed, else one drawn from ``np_random``.

        ``options["opponent"]`` is the opponent from this game on.
        """
        self._check_open()
        super().reset(seed=seed)
        if options and "opponent" in options:
            self._games.set_opponents([options["opponent"]])
        number = int(self.np_random.integers(0, 2**63 - 1)) if seed is None else seed
        self._games.reset(np.array([number]))
        self._begun = True
        return self._games.observations[0].copy(), self._info()

    def step(self, action: int) -> tuple[np.ndarray, float, bool, bool, dict]:
        """Take the agent's action; returns his next view, or his last one when the game is over.

        The last ``info`` also holds ``result``, ``vp`` (Democrat positive) and ``opponent``.
        """
        self._check_open()
        if not self._begun:
            raise ResetNeeded("reset the environment before the first step")
        self._action[0] = operator.index(action)
        games = self._games
        games.step(self._action)
        info = self._info()
        for game in games.finished:
            info |= {"result": game.result, "vp": game.vp, "opponent": game.opponent}
        return games.observations[0].copy(), float(games.rewards[0]), bool(games.ended[0]), False, info

    def _info(self) -> dict:
        return {"action_mask": self.action_masks(), "side": int(self._games.sides[0])}

    def _check_open(self) -> None:
        if self._closed:
            raise ClosedEnvironmentError("the environment is closed")

    def action_masks(self) -> np.ndarray:
        """Legal actions, int8 [A], in an array of its own; zeros when the game is over."""
        return self._games.masks[0].copy()

    def results(self, clear: bool = False) -> dict:
        """Results so far, see ``SeatGames.results``."""
        return self._games.results(clear)

    def render(self) -> str | None:
        """The board as the side to act sees it, as text; None without render mode."""
        return board_text(self._games.states[0]) if self.render_mode else None

    def close(self) -> None:
        """No steps after this."""
        self._closed = True

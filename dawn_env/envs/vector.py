"""Many single seats at once as a Gymnasium vector environment."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Discrete, MultiDiscrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from dawn_env.envs.rendering import RENDER_MODES, RENDER_WIDTH, Renderer
from dawn_env.envs.seat import observation_space
from dawn_env.envs.seat_games import LearnerEnvironment, LearnerGames
from dawn_env.host.opponent_pool import Pool
from dawn_env.observation.privileged_view import privileged_view
from dawn_env.options import GameOptions
from dawn_env.state import Result
from dawn_env.support.argument_checks import game_count, integer
from dawn_env.support.safe_text import short_repr
from dawn_env.support.seeds import MOST_SEED, row_seeds

_INFO_FIELDS = ("side", "vp", "result")


class LegalActionRows(MultiDiscrete):
    """``MultiDiscrete`` with a ``sample()`` that draws a legal action in every row of its environment.

    ``legal`` is the live mask of the environment, int8 [n, A]; a mask or probability that is given goes first.
    """

    def __init__(self, legal: np.ndarray):
        super().__init__(np.full(len(legal), legal.shape[1]))
        self._live = legal

    def sample(self, mask: tuple | None = None, probability: tuple | None = None) -> np.ndarray:
        """Legal actions int64 [n], uniformly; 0 in rows that have none, as their game is over or has not begun."""
        if mask is not None or probability is not None:
            return super().sample(mask, probability)
        wanted = self.np_random.integers(0, np.maximum(self._live.sum(axis=1, dtype=np.int64), 1))
        return (self._live.cumsum(axis=1) > wanted[:, None]).argmax(axis=1)


class DawnVectorEnv(LearnerEnvironment, VectorEnv):
    """``num_envs`` games for one learner; a finished game is followed by another as ``autoreset_mode`` says.

    ``infos`` hold ``action_mask`` int8 [n, A] and, int64 [n], ``side``, ``vp`` and ``result`` as in ``DawnSeat``.
    ``autoreset_mode`` is ``gymnasium.vector.AutoresetMode.SAME_STEP`` by default. With ``NEXT_STEP`` the step after the
    end begins the next game and ignores the row's action; with ``DISABLED`` a step with games that are over raises
    ``GameOver``, and ``reset`` with a ``reset_mask`` begins the next ones. In these two modes the observation and infos
    of the step that ends a game are those of its end.
    With ``SAME_STEP``, in steps that end games, ``infos["final_obs"]`` is an object array [n] of last views (None
    elsewhere), ``infos["_final_obs"]`` bool [n] marks them, and ``infos["final_info"]`` holds ``side``, ``vp`` and
    ``result`` of the games that ended, 0 elsewhere; ``games.finished`` tells more of them, by name.
    Illegal actions raise ``IllegalAction`` naming all offending rows; then nothing has moved.
    Every key of ``infos`` but these has a bool [n] ``_key``, True where it holds something, as Gymnasium has it.
    ``render`` gives a tuple of n views, texts or pixels; with render mode ``human`` all are printed at every step.
    """

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": RENDER_MODES, "render_fps": 1}

    def __init__(self, num_envs: int = 256, side: str | int | None = None, opponents: Pool | None = None,
                 weights: Sequence[float] | None = None, shaping: float = 0.0,
                 options: GameOptions | Mapping | None = None, threads: int | None = None,
                 autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP, copy: bool = True,
                 privileged: bool = False, render_mode: str | None = None,
                 max_episode_steps: int | None = None, render_width: int = RENDER_WIDTH):  # fmt: skip
        """Arguments as of ``LearnerGames``, ``autoreset_mode`` also by its value such as ``"NextStep"``.

        ``copy``: True returns arrays of their own from ``reset`` and ``step``; False returns those of the environment,
        which its next call overwrites: do not write to them. ``privileged``: infos hold the hidden cards of each game
        as ``privileged``, int8 [n, P] (``observation.privileged_view``), for critics. ``max_episode_steps``:
        games are truncated after so many of the learner's decisions. ``render_width``: pixels of a frame from left to
        right. Raises ``ValueError``.
        """
        self._privileged = privileged
        self._copy = copy
        self.autoreset_mode = _checked_mode(autoreset_mode)
        self.metadata = self.metadata | {"autoreset_mode": self.autoreset_mode}
        self.num_envs = num_envs = game_count(num_envs, "num_envs")
        self.games = LearnerGames(num_envs, side, opponents, weights, options, shaping, self.autoreset_mode, threads,
                                  max_episode_steps)  # fmt: skip
        self.render_mode, self._renderer = render_mode, Renderer(render_mode, render_width, self.games.options)
        self.closed = False
        everywhere = np.ones(num_envs, np.bool_)
        everywhere.flags.writeable = False  # handed out at every step
        keys = ("action_mask", *_INFO_FIELDS, *(["privileged"] if privileged else []))
        self._present = dict.fromkeys((f"_{key}" for key in keys), everywhere)
        layout = self.games.layout
        self.single_observation_space, self.single_action_space = observation_space(layout), Discrete(layout.actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = LegalActionRows(self.games.masks)

    def reset(self, *, seed: int | Sequence[int] | None = None, options: dict | None = None):
        """Start a game in every row, ``seed`` as in ``Batch.reset``; without, seeds are drawn from ``np_random``.

        ``options``: ``reset_mask``, bool [n], marks the rows to start, the others stay as they are; ``opponents`` and
        ``weights`` hold from these games on, options of the game by name for the games begun now and not those that
        follow them; other keys are ignored unless they look like a misspelt one. Raises ``BadSeed``, ``BadOptions``,
        ``ValueError``; then nothing has changed.
        """
        seeds = None if seed is None else row_seeds(seed, self.num_envs)
        rows = self._masked_rows(options)
        agreed = self.games.options_at_reset(options, "reset_mask")
        if seeds is not None:
            one = integer(seed)  # or a list, of which a seed is made
            super().reset(seed=int(np.random.SeedSequence(seeds.tolist()).generate_state(1)[0]) if one is None else one)
        else:
            seeds = self.np_random.integers(0, MOST_SEED, self.num_envs)
        self.games.reset(seeds, agreed, rows)
        self.closed = False
        if self.render_mode == "human":
            self.render()
        return self._returned()

    def render(self) -> tuple[Any, ...] | None:
        """Render the learner's view of every game; after a step that ended one, of the next game (see ``DawnSeat``)."""
        self._check_begun()
        states = enumerate(self.games.states)
        views = tuple(self._renderer.rendered(state, self.render_mode, row) for row, state in states)
        return None if self.render_mode in (None, "human") else views

    def _masked_rows(self, options: dict | None) -> np.ndarray | None:
        """The rows that ``options["reset_mask"]`` marks, None where there is none."""
        if not isinstance(options, Mapping) or "reset_mask" not in options:
            return None
        mask = options["reset_mask"]
        if getattr(mask, "dtype", None) != np.bool_ or mask.shape != (self.num_envs,) or not mask.any():
            raise ValueError(
                f"reset_mask: a bool array [{self.num_envs}], not all False, expected, not {short_repr(mask)}"
            )
        if not self.games.begun:
            raise ResetNeeded("reset all rows before some of them")
        return np.flatnonzero(mask)

    def step(self, actions: np.ndarray):
        """Observations int8 [n, F], rewards float32 [n], terminations and truncations bool [n], infos."""
        self._check_begun()
        games = self.games
        games.step(actions)
        observations, infos = self._returned()
        if self.autoreset_mode == AutoresetMode.SAME_STEP and (games.ended.any() or games.cut):
            infos |= self._final(games.ended | games.truncated)
        if self.render_mode == "human":
            self.render()
        rewards, ended = self._output(games.rewards), self._output(games.ended)
        return observations, rewards, ended, games.truncated.copy(), infos

    def _observed(self, view: np.ndarray, mask: np.ndarray) -> Any:
        """An observation, of one row or of all."""
        return view

    def _output(self, array: np.ndarray) -> np.ndarray:
        """Copy of an array, or the array itself with ``copy=False``."""
        return array.copy() if self._copy else array

    def _returned(self) -> tuple[Any, dict[str, Any]]:
        """Observations and infos."""
        games = self.games
        views, masks = self._output(games.observations), self._output(games.masks)
        numbers = map(self._output, (games.sides, games.vp, games.result))
        infos = {"action_mask": masks, **dict(zip(_INFO_FIELDS, numbers, strict=True)), **self._present}
        if self._privileged:
            infos["privileged"] = privileged_view(games.states, games.sides)
        return self._observed(views, masks), infos

    def _final(self, ended: np.ndarray) -> dict:
        """Infos of a step that ended games or cut them off, ``ended`` bool [n]."""
        games, views = self.games, np.empty(self.num_envs, object)
        nothing = np.zeros(games.layout.actions, np.int8)
        facts = np.where(games.ended, (games.final_sides, games.endings["vp"], games.endings["result"]), 0)
        for row in np.flatnonzero(games.ended).tolist():
            views[row] = self._observed(games.final_observation(row), nothing)
        for row, (view, side, vp) in games.cut.items():
            views[row], facts[:, row] = self._observed(view, nothing), (side, vp, Result.RUNNING)
        details: dict[str, np.ndarray] = {}
        for name, fact in zip(_INFO_FIELDS, facts, strict=True):
            details |= {name: fact, f"_{name}": ended.copy()}
        return {"final_obs": views, "_final_obs": ended, "final_info": details, "_final_info": ended.copy()}


def _checked_mode(mode: AutoresetMode | str) -> AutoresetMode:
    try:
        return AutoresetMode(mode)
    except ValueError:
        modes = ", ".join(repr(known.value) for known in AutoresetMode)
        raise ValueError(f"autoreset_mode: one of {modes} expected, not {short_repr(mode)}") from None

"""The PettingZoo AEC environment: two agents, one decision a step, dict observations with a mask."""

from collections.abc import Mapping

import numpy as np
import pettingzoo
from gymnasium import logger
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Box, Dict, Discrete
from gymnasium.utils import seeding
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from dawn_env import engine
from dawn_env.batch import legal_action
from dawn_env.envs.rendering import RENDER_MODES, RENDER_WIDTH, Renderer
from dawn_env.errors import MalformedPosition
from dawn_env.observation.privileged_view import privileged_view
from dawn_env.observation.standard_writer import SHOWN_OFF_TURN
from dawn_env.observation.view_layouts import layout_of
from dawn_env.options import GameOptions
from dawn_env.state import ERRORS, Decision, Result, new_states
from dawn_env.support.argument_checks import finite, reset_options
from dawn_env.support.safe_text import short_repr
from dawn_env.support.seeds import MOST_SEED, checked_seed
from dawn_env.tables import SIDE_NAMES, SIDES
from dawn_env.validation.state_validity import check_state

BIDDERS = ("player_0", "player_1")
"""Agents of games with a bid: who plays which side comes of it."""
_WINNERS = {Result.DEMOCRAT: 1.0, Result.COMMUNIST: -1.0}
_OFF_TURN = SHOWN_OFF_TURN.tolist()
_SIDES = np.arange(SIDES, dtype=np.int8)


def register(env_id: str, entry_point: str) -> None:
    """Enter an environment in PettingZoo's registry, which older versions of PettingZoo lack."""
    if env_id not in getattr(pettingzoo, "aec_registry", [env_id]):
        pettingzoo.register("aec", env_id, entry_point=entry_point)


def env(**arguments) -> OrderEnforcingWrapper:
    """The environment with its call order checked; ``arguments`` as of ``raw_env``."""
    return OrderEnforcingWrapper(raw_env(**arguments))


class raw_env(AECEnv):
    """1989: Dawn of Freedom for the agents ``communist`` and ``democrat``, or ``player_0`` and ``player_1`` who bid.

    Observations are ``{"observation": int8 [F], "action_mask": int8 [A]}``; the mask is zero for the agent
    that does not act. With ``mask_in_infos`` they are the int8 [F] alone, and the infos hold ``action_mask``.
    Actions are ids 0 ... A - 1; the same agent may act many times in a row. Rewards are
    +1 and -1 at the end, 0 for a draw; ``shaping`` adds that many times the change of VP at every step, with
    opposite signs for the two. An illegal action raises ``IllegalAction`` and changes nothing. Infos always hold
    the integers ``decision``, an index into ``state.DECISIONS`` (the pending decision as far as the agent may
    know it), and ``vp`` (Democrat positive). With render mode ``human`` the board is printed at every step.

    Deep copies and pickles made at any moment go on exactly like the original.
    """

    metadata = {"name": "dawn_v0", "render_modes": RENDER_MODES, "render_fps": 1, "is_parallelizable": False}

    def __init__(
        self,
        render_mode: str | None = None,
        options: GameOptions | Mapping | None = None,
        shaping: float = 0.0,
        seed: int | None = None,
        mask_in_infos: bool = False,
        privileged: bool = False,
        render_width: int = RENDER_WIDTH,
    ):
        """``options`` of all games, as for ``GameOptions.of``; ``seed``: of the first ``reset`` that gives none;
        ``privileged``: infos hold the hidden cards as ``privileged``, int8 [P] (``observation.privileged_view``), for
        critics; ``render_width``: pixels of a frame from left to right. Raises ``ValueError``: ``BadOptions`` and
        ``BadSeed`` for the first two."""
        super().__init__()
        self.options = GameOptions.of(options)
        self.render_mode, self._renderer = render_mode, Renderer(render_mode, render_width, self.options)
        self.metadata = self.metadata | ({"name": "dawn_bid_v0"} if self.options.bid else {})
        self.shaping = finite(shaping, "shaping")
        self.layout = layout_of(self.options)
        self._names: tuple[str, ...] = SIDE_NAMES  # by side
        self.possible_agents = list(BIDDERS) if self.options.bid else ["communist", "democrat"]
        self.agents: list[str] = []
        self.mask_in_infos, self._privileged = bool(mask_in_infos), privileged
        self.observation_spaces = {agent: self._space() for agent in self.possible_agents}
        self.action_spaces = {agent: Discrete(self.layout.actions) for agent in self.possible_agents}
        self.state_space = Box(np.tile(self.layout.low(), 2), np.tile(self.layout.high(), 2), dtype=np.int8)
        self._first_seed = None if seed is None else checked_seed(seed)
        self.np_random: np.random.Generator | None = None
        self._bind(new_states(1))

    def _space(self) -> Box | Dict:
        seen = Box(self.layout.low(), self.layout.high(), dtype=np.int8)
        if self.mask_in_infos:
            return seen
        return Dict({"observation": seen, "action_mask": Box(0, 1, (self.layout.actions,), np.int8)})

    # --- the game behind -----------------------------------------------------------------------

    def _bind(self, states: np.ndarray) -> None:
        """Use ``states`` ([1]), with the buffers and views that make a step quick; nothing in them outlives it."""
        self._states = states
        self._action = np.zeros(1, np.int64)
        self._view = {name: states[name] for name in ("result", "vp", "decision", "error", "swapped", "actor")}
        self._legal = states["legal"][0, : self.layout.actions]

    def __getstate__(self) -> dict:
        return {name: value for name, value in self.__dict__.items() if name not in ("_action", "_view", "_legal")}

    def __setstate__(self, attributes: dict) -> None:
        """Raises ``MalformedPosition`` for what is no environment in mid-game."""
        self.__dict__.update(attributes)
        if self.agents:
            self._check(self._states[0])
        self._bind(self._states)

    def _check(self, state: np.record) -> None:
        check_state(state)
        over = bool(state.result != Result.RUNNING)
        asks = state.decision != Decision.NONE
        if state.scripted or over == asks or over != self.terminations[self.agents[0]]:
            raise MalformedPosition("an environment: its game does not fit what it says of it")

    # --- the interface of PettingZoo -----------------------------------------------------------

    def observation_space(self, agent: str) -> Box | Dict:
        """Space of an agent's observations, the same object every time."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        """Space of an agent's actions, the same object every time."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict | None = None) -> None:
        """Start a game.

        With ``seed`` (0 ... 2**63 - 1) it is the game ``Game(seed)``, and the seeds of later resets
        without one follow from it; without, the seed is drawn from ``np_random``. ``options`` may hold
        those of the game by name, for this game only; other keys are ignored unless they look like a misspelt one.
        Raises ``BadSeed``, ``BadOptions``, ``ValueError``.
        """
        agreed = self.options.at_reset(reset_options(options, GameOptions.names()))
        engine.reset(self._states, np.array([self._next_seed(seed)]), agreed)
        self._seat_agents()
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._skip_agent_selection = None
        self._show()

    def _seat_agents(self) -> None:
        """Record who plays which side; while players bid, they take the places of sides."""
        if self.options.bid:
            self._names = BIDDERS[:: -1 if self._view["swapped"].item() else 1]

    def _next_seed(self, seed: int | None) -> int:
        if seed is None and self.np_random is None:
            seed = self._first_seed
        if seed is not None:
            seed = checked_seed(seed)
            self.np_random, _ = seeding.np_random(seed)
            return seed
        if self.np_random is None:
            self.np_random, _ = seeding.np_random()
        return int(self.np_random.integers(0, MOST_SEED))

    def step(self, action: int | None) -> None:
        """Take the selected agent's action, ``None`` once the game is over.

        Raises ``ResetNeeded`` before the first reset, and ``IllegalAction`` (a ``ValueError``) for an action outside
        the mask; nothing changes then.
        """
        self._check_begun()
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._action[0] = legal_action(action, self._legal, self._states, agent)
        vp = self._view["vp"].item()
        engine.advance(self._states, self._action)
        if error := self._view["error"].item():
            raise engine.exception_for(error)(ERRORS[error])
        self._seat_agents()
        self._cumulative_rewards[agent] = 0.0
        self._reward(self._view["vp"].item() - vp)
        self._show()

    def _check_begun(self) -> None:
        if self.np_random is None:  # which the first reset makes
            raise ResetNeeded("reset the environment first")

    def _reward(self, vp_change: int) -> None:
        """Rewards of a step, and the end of the game."""
        result = self._view["result"].item()
        reward = _WINNERS.get(result, 0.0) + self.shaping * vp_change
        democrat, communist = self._names
        self.rewards = {communist: -reward, democrat: reward}
        if reward:
            self._accumulate_rewards()
        if result != Result.RUNNING:
            self.terminations = dict.fromkeys(self.agents, True)

    def _show(self) -> None:
        """Select the agent to act, write the infos and print the board if people watch."""
        decision, vp = self._view["decision"].item(), self._view["vp"].item()
        self.agent_selection = acting = self._names[self._view["actor"].item()]
        self.infos = {
            agent: {"decision": decision if agent == acting else _OFF_TURN[decision], "vp": vp} for agent in self.agents
        }
        if self.mask_in_infos:
            running = self._view["result"].item() == Result.RUNNING
            for agent, info in self.infos.items():
                info["action_mask"] = self._legal * np.int8(running and agent == acting)
        if self._privileged:
            for agent, info in self.infos.items():
                info["privileged"] = privileged_view(self._states, np.array([self._names.index(agent)]))[0]
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> dict[str, np.ndarray] | np.ndarray:
        """Observation of an agent, in new arrays; raises ``ValueError`` for an unknown agent."""
        self._check_begun()
        if agent not in self._names:
            raise ValueError(f"agent: {' or '.join(self.possible_agents)} expected, not {short_repr(agent)}")
        side = self._names.index(agent)
        views, masks = self.layout.views(self._states, _SIDES[side : side + 1])
        return views[0] if self.mask_in_infos else {"observation": views[0], "action_mask": masks[0]}

    def state(self) -> np.ndarray:
        """``[2 * F]`` int8: both views, the Democrat's or that of ``player_0`` first; for critics only."""
        self._check_begun()
        names = BIDDERS if self.options.bid else SIDE_NAMES
        return np.concatenate([self.layout.one(self._states[0], self._names.index(name)) for name in names])

    def render(self) -> str | np.ndarray | None:
        """Render the view of the side to act: ``ansi`` returns text, ``rgb_array`` pixels, ``human`` prints text."""
        if self.render_mode is None:
            logger.warn("render() was called without a render mode; pass render_mode='ansi', 'rgb_array' or 'human'")
        return self._renderer.rendered(self._states[0], self.render_mode)

    def close(self) -> None:
        """Do nothing: no file or process is open."""

"""Actors of the learner ``afterstate``: they play the games that it learns from, here or on a Ray cluster."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from dawn_agents.players.afterstate.lookahead import STEP, Lookahead, new_lookahead
from dawn_agents.players.afterstate.network import HEADS
from dawn_agents.training.afterstate_selfplay import TALLIES, new_rollout, play_games, write_targets
from dawn_agents.training.training_config import Config
from dawn_env import engine
from dawn_env.observation.view_layouts import layout_of_sides
from dawn_env.state import new_states
from dawn_env.support.thread_pool import ThreadTeam, checked_threads

_LEAST_GAMES = 4  # of a thread, see ``ThreadTeam``


class Afterstates(NamedTuple):
    """Rollout of an actor: ``n`` decisions, and sums over them."""

    observations: np.ndarray  # int8 [n, F] what the mover sees after the move
    targets: np.ndarray  # float32 [n, HEADS] what to learn; nan where there is nothing
    movers: np.ndarray  # int8 [n] side that has moved
    tally: np.ndarray  # float64 [TALLIES] sums (``afterstate_selfplay``)


def joined(played: Sequence[Afterstates]) -> Afterstates:
    """Rollouts of several actors as one."""
    if len(played) == 1:
        return played[0]
    *arrays, tallies = zip(*played, strict=True)
    return Afterstates(*map(np.concatenate, arrays), np.sum(tallies, axis=0))


class Actors(Protocol):
    """Actors of a learner: they play the games that it learns from."""

    def begin(self, rng: np.random.Generator) -> None:
        """Start all games from seeds of ``rng``."""
        ...

    def collect(self, weights: np.ndarray, temperature: float, decisions: int) -> Iterator[Afterstates]:
        """Rollouts of ``steps`` decisions a game with ``weights`` float32 [SIDES, ROWS, W] or slightly older ones;
        ``decisions``: of the run so far."""
        ...

    def state(self) -> dict[str, Any]:
        """State of the games."""
        ...

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go on from ``state``."""
        ...

    def close(self) -> None:
        """End processes."""
        ...


class Actor:
    """``games`` of the weights against themselves, in this process."""

    def __init__(self, config: Config, games: int):
        settings, self.config, self.layout = config.afterstate, config, layout_of_sides(config.games.options)
        self._team = ThreadTeam(checked_threads(config.run.threads), _LEAST_GAMES)
        size = self._team.size
        self.works: tuple[Lookahead, ...] = tuple(new_lookahead(settings.width, self.layout) for _ in range(size))
        self._deals = new_states(size * settings.samples).reshape(size, settings.samples)
        self.states, self._randoms = new_states(games), np.ones((games, 1), np.int64)
        self.rollout = new_rollout(settings.steps, games, self.layout.size)

    def begin(self, rng: np.random.Generator) -> None:
        """Start all games."""
        count = len(self.states)
        engine.reset(self.states, rng.integers(0, 2**62, count), self.config.games.options)
        self._randoms[:, 0] = rng.integers(1, 2**32, count)

    def play(self, weights: np.ndarray, temperature: float, decisions: int) -> Afterstates:
        """Take ``steps`` decisions in every game; the arrays are overwritten by the next call."""
        settings, rollout = self.config.afterstate, self.rollout
        for work in self.works:
            work.mix[:] = settings.mix_at(decisions)
        tallies = np.zeros((len(self.states), TALLIES))
        exploration = settings.exploration * settings.cooled(decisions)
        self._team.run(
            play_games, len(self.states), engine.step(), self.layout.view, engine.begin(), self.states, self._randoms,
            weights, temperature, exploration, STEP, self.works, self._deals, rollout, tallies,
        )  # fmt: skip
        write_targets(rollout, np.array(settings.traces), *np.zeros((2, HEADS)))
        parts = rollout.observations, rollout.targets, rollout.movers
        return Afterstates(*(part.reshape(rollout.movers.size, *part.shape[2:]) for part in parts), tallies.sum(0))

    def collect(self, weights: np.ndarray, temperature: float, decisions: int) -> Iterator[Afterstates]:
        """Rollout with ``weights``."""
        yield self.play(weights, temperature, decisions)

    def state(self) -> dict[str, Any]:
        """The games and their generators."""
        return {"games": self.states.copy(), "randoms": self._randoms.copy()}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go on from ``state``."""
        self.states[:], self._randoms[:] = state["games"], state["randoms"]

    def close(self) -> None:
        """Do nothing: the games are in this process."""

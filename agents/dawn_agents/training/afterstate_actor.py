"""Actors of the learner ``afterstate``: they play the games that it learns from, here or on a Ray cluster."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from dawn_agents.players.afterstate.lookahead import Lookahead, new_lookahead
from dawn_agents.players.afterstate.network import HEADS
from dawn_agents.players.afterstate.value_player import DEPTHS
from dawn_agents.tournaments.match import refusal
from dawn_agents.training.afterstate_selfplay import (
    NOBODY,
    TALLIES,
    Exploration,
    new_rollout,
    play_games,
    take_answers,
    write_targets,
)
from dawn_agents.training.opponents import opponent_player
from dawn_agents.training.training_config import Config, ConfigError
from dawn_env import engine
from dawn_env.batch import checked_actions
from dawn_env.errors import IllegalAction
from dawn_env.observation.view_layouts import layout_of_sides
from dawn_env.players import Player, choose_actions
from dawn_env.state import new_states, take_states
from dawn_env.support.thread_pool import ThreadTeam, checked_threads
from dawn_env.tables import SIDE_NAMES, SIDES

_LEAST_GAMES = 4  # of a thread, see ``ThreadTeam``


class Afterstates(NamedTuple):
    """Rollout of an actor: ``n`` decisions of the networks, and sums over them."""

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


def _fixed_opponent(config: Config) -> Player | None:
    """The player of ``[afterstate] opponent``, or None for self-play; raises ``ConfigError`` if it cannot play."""
    setting = "afterstate.opponent"
    if (name := config.afterstate.opponent) is None:
        return None
    player = opponent_player(name, config.run.seed, setting)
    if player.wants_events:
        raise ConfigError(f"{setting}: {name!r} has to be told the events of its games and cannot be an opponent")
    for side in config.run.sides:
        if reason := refusal(player, 1 - SIDE_NAMES.index(side), config.games.options):
            raise ConfigError(f"{setting}: {reason}; run.side is the side that learns")
    return player


class Actor:
    """``games`` of the weights against themselves or a fixed opponent, in this process.

    ``opponents`` int8 [games]: the side that the opponent plays in each, or ``NOBODY``: one after the other where both
    sides learn.
    """

    def __init__(self, config: Config, games: int):
        """Raises ``ConfigError`` if the opponent cannot play, or if there are fewer games than sides that learn."""
        settings, self.config, self.layout = config.afterstate, config, layout_of_sides(config.games.options)
        self._team = ThreadTeam(checked_threads(config.run.threads), _LEAST_GAMES)
        size = self._team.size
        self.works: tuple[Lookahead, ...] = tuple(new_lookahead(settings.width, self.layout) for _ in range(size))
        self._deals = new_states(size * settings.samples).reshape(size, settings.samples)
        self.states, self._randoms = new_states(games), np.ones((games, 1), np.int64)
        self._starts = np.zeros(games, np.int64)  # lengths of exploring starts; the first games have none
        self.rollout = new_rollout(settings.steps, games, self.layout.size)
        self.opponent, self.opponents = _fixed_opponent(config), np.full(games, NOBODY, np.int8)
        if self.opponent is not None:
            learning = [SIDE_NAMES.index(side) for side in config.run.sides]
            if games < len(learning):
                raise ConfigError("games.at_once: a game for each side that learns expected with afterstate.opponent")
            self.opponents[:] = np.resize([SIDES - 1 - side for side in learning], games)

    def begin(self, rng: np.random.Generator) -> None:
        """Start all games."""
        count = len(self.states)
        engine.reset(self.states, rng.integers(0, 2**62, count), self.config.games.options)
        self._randoms[:, 0] = rng.integers(1, 2**32, count)

    def play(self, weights: np.ndarray, temperature: float, decisions: int) -> Afterstates:
        """Take ``steps`` decisions of the networks in every game; the arrays are overwritten by the next call.

        Raises ``IllegalAction`` for answers of the opponent that cannot be used.
        """
        settings, rollout = self.config.afterstate, self.rollout
        for work in self.works:
            work.mix[:] = settings.mix_at(decisions)
        tallies, taken = np.zeros((len(self.states), TALLIES)), np.zeros(len(self.states), np.int64)
        rules = engine.step(), self.layout.view, engine.begin()
        exploration = Exploration(
            settings.exploration * settings.cooled(decisions),
            settings.exploring_starts, settings.exploring_decisions, settings.exploring_temperature,
        )  # fmt: skip
        games = self.states, self._randoms, self._starts, self.opponents, exploration, weights
        rollout.ended_after[:], waiting = False, np.arange(len(self.states))
        while len(waiting):
            self._team.run(
                play_games, len(self.states), *rules, *games, temperature, DEPTHS[settings.depth],
                self.works, self._deals, taken, rollout, tallies,
            )  # fmt: skip
            waiting = np.flatnonzero(taken < settings.steps)
            if len(waiting):
                take_answers(waiting, self._answers(waiting), *rules, *games, self.works[0], taken, rollout, tallies)
        write_targets(rollout, np.array(settings.traces), *np.zeros((2, HEADS)))
        parts = rollout.observations, rollout.targets, rollout.movers
        return Afterstates(*(part.reshape(rollout.movers.size, *part.shape[2:]) for part in parts), tallies.sum(0))

    def _answers(self, waiting: np.ndarray) -> np.ndarray:
        """Answers int64 [K] of the opponent in games ``waiting`` int64 [K] for it; raises ``IllegalAction``."""
        assert self.opponent is not None, "nobody to wait for"
        states, rows = take_states(self.states, waiting), np.arange(len(waiting))
        seen, masks = self.layout.views(states, states["actor"])
        try:
            return checked_actions(choose_actions(self.opponent, states, seen, masks, rows), states, masks, rows)
        except IllegalAction as error:
            raise IllegalAction(f"answers of {self.opponent.name} cannot be used: {error}") from error

    def collect(self, weights: np.ndarray, temperature: float, decisions: int) -> Iterator[Afterstates]:
        """Rollout with ``weights``."""
        yield self.play(weights, temperature, decisions)

    def state(self) -> dict[str, Any]:
        """The games and their generators."""
        return {"games": self.states.copy(), "randoms": self._randoms.copy(), "starts": self._starts.copy()}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go on from ``state``."""
        self.states[:], self._randoms[:], self._starts[:] = state["games"], state["randoms"], state["starts"]

    def close(self) -> None:
        """Do nothing: the games are in this process."""

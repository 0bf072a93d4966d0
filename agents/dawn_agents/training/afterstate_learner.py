"""The learner of the name ``afterstate``: values of positions after a move, by TD(lambda) in games against itself.

No advice, no opponent but itself, nothing but the rules; or, as a best response, in games against one fixed player. The
same seed gives the same weights, whatever the number of threads.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from dawn_agents.players.afterstate.lookahead import new_lookahead
from dawn_agents.players.afterstate.network import HEADS, LEARNT_ROWS, ROWS
from dawn_agents.players.afterstate.value_files import read_sides, read_values, write_values
from dawn_agents.players.afterstate.value_player import ValuePlayer
from dawn_agents.players.networks.policy_metadata import PolicyMetadata
from dawn_agents.training.afterstate_actor import Actor, Actors, Afterstates, joined
from dawn_agents.training.afterstate_gradients import add_gradients, fold_rows, new_optimiser, take_step
from dawn_agents.training.afterstate_selfplay import (
    DECISIONS,
    DEMOCRAT_POINTS,
    ENTROPY,
    GAMES,
    HELD,
    LENGTH,
    MET,
    POINTS,
    SETTLED,
    TURNS,
)
from dawn_agents.training.environments import FREE_OPPONENTS, TRACKS, Environments
from dawn_agents.training.learner import Learner, purpose_seed
from dawn_agents.training.training_config import Config, ConfigError
from dawn_env.observation.view_layouts import ViewLayout, layout_of_sides
from dawn_env.support.optional_packages import optional_imports
from dawn_env.support.thread_pool import ThreadTeam, checked_threads
from dawn_env.tables import SIDE_NAMES, SIDES

RESPONSE: dict[str, Any] = {
    "learning_rate": 2e-4, "final_learning_rate": 5e-5, "mix": (0.0, 0.5, 0.5, 0.0),
    "entropy": 0.35, "exploration": 0.01, "cooling": 10_000_000, "exploring_starts": 0.0,
}  # fmt: skip
"""Settings of ``[afterstate]`` for best responses that start from trained values: small steps, little exploration."""
_HEAD_NAMES = ("short_margin", "middle_margin", "margin", "result")
_LEAST_ROWS = 512  # of a thread, see ``ThreadTeam``
_LEAST_TEMPERATURE, _MOST_TEMPERATURE, _FIRST_TEMPERATURE = 0.005, 5.0, 0.5
_MOST_COLLECTED = 2**18  # decisions of a rollout, some 2 kB each
_QUICKEST = 0.1  # change of the logarithm of the temperature in an iteration, at most


@dataclass(frozen=True)
class ValuePolicy:
    """Values of one side, by which a player looks ahead.

    ``weights`` float32 [SIDES, ROWS, W]; ``known``: the sides whose rows hold values. With those of both sides the
    player expects the opponent's answers.
    """

    weights: np.ndarray
    side: int
    known: tuple[int, ...]
    layout: ViewLayout

    def player(self, name: str, seed: int = 0, sample: bool = False) -> ValuePlayer:
        """The player that looks ahead (``learner.Policy``); it has no probabilities to sample by."""
        return ValuePlayer.of(name, self.weights, self.known, seed, None, self.layout)

    def save(self, path: Path, facts: PolicyMetadata) -> None:
        """Write a policy file."""
        write_values(path, self.weights[self.side], facts)


class AfterstateLearner(Learner):
    """Learns values of afterstates with the settings of ``[afterstate]``: by self-play, or as a best response to one
    opponent."""

    latest_is_best, can_sample, model_based, plays_on_ray = True, False, True, True
    starts_from_files = True
    settings: ClassVar[Mapping[str, Any]] = {"games": {"at_once": 32}}  # short iterations, for short budgets

    def __init__(self, environments: Environments, config: Config, options: Learner.Options | None = None):
        super().__init__(environments, config, options)
        settings, games = config.afterstate, config.games
        if games.options.bid:
            raise ConfigError("games.options.bid: games without a bid expected with afterstate")
        self.layout = layout_of_sides(games.options)
        if games.at_once * settings.steps > _MOST_COLLECTED:
            raise ConfigError(f"games.at_once times afterstate.steps: at most {_MOST_COLLECTED} decisions expected")
        self.opponent = settings.opponent
        if self.opponent is not None:
            self.sides = config.run.sides
            self.track = TRACKS[0] if self.opponent in FREE_OPPONENTS else TRACKS[1]
        self.optimiser = new_optimiser(np.random.default_rng(config.run.seed), settings.width, self.layout)
        self.acting = self.optimiser.folded.copy()
        self.temperature = _FIRST_TEMPERATURE
        threads = checked_threads(config.run.threads)
        self._learning, self._stepping = ThreadTeam(threads, 1), ThreadTeam(threads, _LEAST_ROWS)
        self._works = tuple(new_lookahead(settings.width, self.layout) for _ in range(SIDES))
        self.actors: Actors
        if config.run.executor == "ray":
            if self.opponent is not None:
                raise ConfigError('run.executor: "local" expected with afterstate.opponent')
            with optional_imports():
                from dawn_agents.training.ray_actors import RayActors
            self.actors = RayActors(config)
        else:
            self.actors = Actor(config, games.at_once)
        self._rng = np.random.default_rng(config.run.seed)

    def player(self) -> dict[str, ValuePolicy]:
        """The averages of the weights, by which the games are played, too."""
        numbers = [SIDE_NAMES.index(name) for name in self.sides]
        return {
            name: ValuePolicy(self.acting, number, tuple(numbers), self.layout)
            for name, number in zip(self.sides, numbers, strict=True)
        }

    def load(self, path: Path) -> tuple[ValuePolicy, PolicyMetadata]:
        """Load a policy file, and the other side's beside it if the learner learns both; raises ``PolicyFileError``."""
        info, _ = read_values(path)
        _, weights, known, layout = read_sides(self._played(path))
        return ValuePolicy(weights, SIDE_NAMES.index(info.side), tuple(known), layout), info

    def start_from(self, side: str, start: ValuePolicy) -> None:
        """Initialise the weights of a side from a policy; raises ``ConfigError`` if its width differs."""
        number, (_, _, width) = SIDE_NAMES.index(side), start.weights.shape
        if width != (expected := self.config.afterstate.width):
            raise ConfigError(f"run.start: afterstate.width: {width} in the files, {expected} in the settings")
        o = self.optimiser
        o.learnt[number, :ROWS], o.learnt[number, ROWS:] = start.weights[start.side], 0
        fold_rows(0, ROWS, 0, o)
        self.acting[number] = o.folded[number]

    def specification(self, path: Path) -> str:
        """Specification of a player ``value`` for a policy file or a folder."""
        return f"value:{self._played(path)}"

    def _played(self, path: Path) -> Path:
        """Path that ``value`` plays for a policy file: its folder if both sides learn, since the player needs
        values of both to expect the opponent's answers; the file itself if one side learns."""
        return path if path.is_dir() or len(self.sides) < SIDES else path.parent

    def begin(self, seed: int) -> None:
        """Start all games."""
        self._rng = np.random.default_rng(purpose_seed(seed, "games", *SIDE_NAMES))
        self.actors.begin(self._rng)

    # --- learning ------------------------------------------------------------------------------

    def iterate(self, number: int, remaining: float) -> dict[str, float]:
        """Collect ``steps`` decisions in every game, train once on each of them, update the averaged weights.

        Raises what the opponent raises, and ``ConfigError`` when the weights have grown beyond all bounds.
        """
        settings, before = self.config.afterstate, self.environments.spent
        self.environments.take(self.config.games.at_once * settings.steps)
        played = joined([*self.actors.collect(self.acting, self.temperature, before)])
        tally = played.tally
        metrics: dict[str, float] = {}
        if tally[DECISIONS]:  # outside exploring starts
            entropy, settled = tally[[ENTROPY, SETTLED]] / tally[DECISIONS]
            missing = settings.entropy * settings.cooled(before) - entropy
            temperature = self.temperature * np.exp(np.clip(missing, -_QUICKEST, _QUICKEST))  # higher for more entropy
            self.temperature = float(np.clip(temperature, _LEAST_TEMPERATURE, _MOST_TEMPERATURE))
            metrics |= {"entropy": entropy, "settled": settled}
        metrics["temperature"] = self.temperature
        errors = self._learn(played, settings.rate_at(remaining))
        share = np.float32(max(1 - settings.ema_decay, 1 / number))
        self.acting += share * (self.optimiser.folded - self.acting)
        if not np.isfinite(self.acting).all():
            raise ConfigError("afterstate.learning_rate: the weights have grown beyond all bounds; lower it")
        metrics |= {f"error_{name}": error for name, error in zip(_HEAD_NAMES, errors, strict=True)}
        metrics["learning_rate"] = settings.rate_at(remaining)
        if tally[GAMES]:
            names = {"game_decisions": LENGTH, "turns": TURNS, "held_scoring_cards": HELD, "democrat": DEMOCRAT_POINTS}
            metrics |= {name: tally[at] / tally[GAMES] for name, at in names.items()}
        for side, name in enumerate(SIDE_NAMES):
            if tally[MET + side]:
                metrics[f"{name}/points/{self.opponent}"] = tally[POINTS + side] / tally[MET + side]
        return {name: float(value) for name, value in metrics.items()}

    def _learn(self, played: Afterstates, rate: float) -> np.ndarray:
        """Take one step of Adam for each batch; root mean squared errors of the heads, float64 [HEADS]."""
        observations, targets, size = played.observations, played.targets, self.config.afterstate.batch_size
        learnable = ~np.isnan(targets[:, 0])
        sides = [np.flatnonzero(learnable & (played.movers == side)) for side in range(SIDES)]
        batches = max(1, -(-max(map(len, sides)) // size))
        rows = np.full((SIDES, batches * size), -1, np.int64)
        for side, found in enumerate(sides):
            rows[side, : len(found)] = self._rng.permutation(found)
        losses = np.zeros((SIDES, HEADS))
        for batch in range(batches):
            chosen = np.ascontiguousarray(rows[:, batch::batches])
            share = len(self.sides) / max(1, np.count_nonzero(chosen >= 0))
            arguments = chosen, observations, targets, self.optimiser, self._works, losses
            self._learning.run(add_gradients, SIDES, *arguments)
            self._stepping.run(take_step, LEARNT_ROWS, rate, share, self.optimiser)
            self._stepping.run(fold_rows, ROWS, self.optimiser)
        return np.sqrt(losses.sum(0) / max(1, np.count_nonzero(learnable)))

    # --- saving --------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """State for a checkpoint, the games too."""
        o = self.optimiser
        arrays = {"learnt": o.learnt, "moments": o.moments, "squares": o.squares, "steps": o.steps,
                  "acting": self.acting}  # fmt: skip
        values = {"temperature": self.temperature, "rng": self._rng.bit_generator.state, "opponent": self.opponent}
        return {name: array.copy() for name, array in arrays.items()} | values | self.actors.state()

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restore a checkpoint; raises ``ConfigError`` if it was saved with another ``[afterstate] opponent``."""
        if (met := state.get("opponent")) != self.opponent:
            told = f"{met!r} in the checkpoint, {self.opponent!r} in the settings"
            raise ConfigError(f"afterstate.opponent: {told}; it cannot be changed in a run")
        o = self.optimiser
        for name in ("learnt", "moments", "squares", "steps"):
            getattr(o, name)[:] = state[name]
        fold_rows(0, ROWS, 0, o)
        self.acting[:], self.temperature = state["acting"], state["temperature"]
        self.actors.restore(state)
        self._rng.bit_generator.state = state["rng"]

    def close(self) -> None:
        """End the actors."""
        super().close()
        self.actors.close()

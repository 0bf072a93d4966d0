"""Environments of a learner: whatever it makes here counts its decisions against one budget."""

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from dawn_agents.players.registry import PLAYERS
from dawn_env.batch import Batch
from dawn_env.envs.seat_games import LearnerGames
from dawn_env.envs.vector import DawnVectorEnv
from dawn_env.errors import BadInput
from dawn_env.options import STANDARD, GameOptions
from dawn_env.players import Player
from dawn_env.state import put_states

TRACKS = ("tabula rasa", "knowledge")
"""What a learner may use: rules and observation alone, or shipped players and their advice as well."""
FREE_OPPONENTS = ("random",)
"""Opponents that the track tabula rasa allows."""


class BudgetSpent(Exception):
    """The decisions or the time of a learner are used up."""


class CountedBatch(Batch):
    """A batch that counts its decisions against the budget."""

    before_step: Callable[[int], None]

    def step(self, actions: np.ndarray) -> None:
        """Step as ``Batch`` does; raises what ``before_step`` raises, and then takes no step."""
        self.before_step(self.count)
        super().step(actions)

    def step_rows(self, rows: np.ndarray, actions: np.ndarray) -> None:
        """Step some rows as ``Batch`` does."""
        self.before_step(len(rows))
        super().step_rows(rows, actions)


class Environments:
    """Makes the environments of a learner, counts their decisions, and keeps their games.

    ``options``: of all games. ``decisions``, ``seconds``: the budget, None for no limit; ``spent``: decisions so far.
    ``dataset``: folder of recorded games to learn from, None for none. ``folder``: place for files of the learner.
    ``track``: one of ``TRACKS``; on the first, opponents are ``random``, those in ``allowed`` and a learner's own.
    ``on_decisions``: called with the number of decisions taken, for progress.
    """

    def __init__(
        self,
        options: GameOptions = STANDARD,
        decisions: int | None = None,
        seconds: float | None = None,
        dataset: Path | None = None,
        folder: Path = Path(),
        allowed: Sequence[str] = (),
        name: str = "the budget",
    ):
        """``name``: of the budget, for messages. A ``dataset`` takes the place of environments."""
        self.options, self.decisions, self.seconds = options, decisions, seconds
        self.dataset, self.folder, self.track = dataset, folder, TRACKS[1]
        self.spent = 0
        self.on_decisions: Callable[[int], None] = lambda _: None
        self._allowed, self._name = (*FREE_OPPONENTS, *allowed), name
        self._started = time.monotonic()
        self._made: list[CountedBatch | LearnerGames] = []

    # --- making --------------------------------------------------------------------------------

    def make(self, num_envs: int = 64, kind: str = "vector", **arguments: Any) -> Any:
        """Make ``num_envs`` games that count.

        ``kind``: ``vector`` (Gymnasium, one seat, the default), ``sb3`` (Stable-Baselines3), ``games`` (the plain
        arrays below these two) or ``batch`` (both seats: every decision of either side counts). Other arguments as of
        ``DawnVectorEnv``, ``DawnVecEnv``, ``LearnerGames`` and ``Batch``, without the options of the game. Raises
        ``BadInput`` where there is a dataset in their place, and for opponents that the track excludes.
        """
        if self.dataset is not None:
            raise BadInput("there is no environment to learn in; the data is in environments.dataset")
        kinds = {"batch": CountedBatch, "vector": DawnVectorEnv, "games": LearnerGames}
        if kind == "sb3":
            from dawn_env.envs.sb3 import DawnVecEnv  # needs the extra train

            kinds[kind] = DawnVecEnv
        if kind not in kinds:
            raise BadInput(f"kind: vector, sb3, games or batch expected, not {kind!r}")
        self._check_opponents(arguments.get("opponents"))
        env = kinds[kind](num_envs, **arguments, options=self.options)
        games = getattr(env, "games", env)
        games.before_step = self.take
        if kind != "batch":
            games.check_opponents = self._check_opponents
        self._made.append(games)
        return env

    def _check_opponents(self, opponents: Any) -> None:
        """Refuse players of the project on the track tabula rasa."""
        if self.track != TRACKS[0]:
            return
        several = isinstance(opponents, Sequence) and not isinstance(opponents, str)
        for opponent in opponents if several else [opponents]:
            name = opponent if isinstance(opponent, str) else getattr(opponent, "name", "")
            if name not in self._allowed and (name is opponent or name.partition(":")[0] in PLAYERS):
                raise BadInput(f"opponent {name!r} is knowledge: a learner on the track {TRACKS[0]!r} cannot meet it")

    # --- counting ------------------------------------------------------------------------------

    def take(self, count: int) -> None:
        """Count decisions against the budget before they are taken. Games of ``make`` call this themselves, a
        learner does for games of its own. Raises ``BudgetSpent`` when fewer decisions are left, or no time."""
        if self.decisions is not None and self.spent + count > self.decisions:
            raise BudgetSpent(f"{self._name} allows {self.decisions:,} decisions; {self.spent:,} are taken")
        if self.seconds is not None and self.elapsed > self.seconds:
            raise BudgetSpent(f"{self._name} allows {self.seconds:g} seconds of training")
        self.spent += count
        self.on_decisions(count)

    def go_on(self, spent: int, seconds: float) -> None:
        """Continue the accounts of an earlier process."""
        self.spent, self._started = spent, time.monotonic() - seconds

    @property
    def elapsed(self) -> float:
        """Seconds of training."""
        return time.monotonic() - self._started

    @property
    def share(self) -> float:
        """Share of the budget that is spent, 0 ... 1; 0 where there is no limit."""
        of_decisions = self.spent / self.decisions if self.decisions else 0.0
        return min(1.0, max(of_decisions, self.elapsed / self.seconds if self.seconds else 0.0))

    # --- saving --------------------------------------------------------------------------------

    def state(self) -> list[dict[str, Any]]:
        """State of all games that were made here, in the order in which they were made."""
        return [{"states": one.states.copy()} if isinstance(one, Batch) else one.state() for one in self._made]

    def restore(self, state: Sequence[Mapping[str, Any]], players: Mapping[str, Player] | None = None) -> None:
        """Continue the games from ``state``; ``players``: opponents by name that the games have not met yet."""
        for one, kept in zip(self._made, state, strict=True):
            if isinstance(one, Batch):
                put_states(one.states, np.arange(one.count), kept["states"])
                one.write_rows(np.arange(one.count))
            else:
                known = {player.name: player for player in one.host.players if player is not None}
                one.restore(kept, known | dict(players or {}))

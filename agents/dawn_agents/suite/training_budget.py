"""Budget of a training run, and the environments that count against it."""

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from dawn_agents.registry import PLAYERS
from dawn_agents.suite.task_declarations import Task
from dawn_env.batch import Batch
from dawn_env.envs.seat_games import LearnerGames
from dawn_env.envs.vector import DawnVectorEnv
from dawn_env.errors import BadInput
from dawn_env.host.opponent_pool import Pool

CHECKPOINTS = 10
"""Checkpoints of a learning curve at least, evenly spaced."""
TRACKS = ("tabula rasa", "knowledge")
"""What an agent may use in training: rules and observation alone, or shipped players and their advice as well."""
_FREE_OPPONENTS = ("random",)
_KNOWING_PLAYERS = ("greedy", "heuristic", "pretrained", "search")


class BudgetSpent(Exception):
    """The budget of the task is used up; the agent's latest checkpoint is evaluated."""


class TrainingBudget:
    """Limits of a training run, and how far it is.

    ``decisions`` and ``seconds``: the limits, None for none; ``spent``: decisions so far. ``dataset``: folder of the
    recorded games of the task, if it has any. ``save_to``: file for what the agent needs to go on after a kill, to be
    written just before a checkpoint is yielded; ``resume_from``: such a file of an earlier process, or None.
    ``on_decisions``: called with the number of decisions taken, for progress.
    """

    def __init__(self, task: Task, dataset: Path | None = None, save_to: Path | None = None):
        self.decisions, self.seconds, self.dataset = task.decisions, task.seconds, dataset
        self.save_to, self.resume_from = save_to, None
        self.spent, self.checkpoints = 0, 0
        self._latest = 0  # decisions of the latest step
        self.on_decisions: Callable[[int], None] = lambda _: None
        self._name, self._started = task.label, time.monotonic()

    def resume(self, spent: int, seconds: float, checkpoints: int, saved: Path) -> None:
        """Continue the accounts of an earlier process."""
        self.spent, self.checkpoints, self.resume_from = spent, checkpoints, saved
        self._started = time.monotonic() - seconds

    @property
    def elapsed(self) -> float:
        """Seconds of training."""
        return time.monotonic() - self._started

    def take(self, count: int) -> None:
        """Account for ``count`` decisions; raises ``BudgetSpent`` when there are not so many left, or no time."""
        if self.decisions is not None and self.spent + count > self.decisions:
            raise BudgetSpent(f"{self._name} allows {self.decisions:,} decisions; {self.spent:,} are taken")
        if self.seconds is not None and self.elapsed > self.seconds:
            raise BudgetSpent(f"{self._name} allows {self.seconds:g} seconds of training")
        self.spent, self._latest = self.spent + count, count
        self.on_decisions(count)

    @property
    def share(self) -> float:
        """Share of the budget that is spent, 0 ... 1; 0 where there is no limit."""
        of_decisions = self.spent / self.decisions if self.decisions else 0.0
        return min(1.0, max(of_decisions, self.elapsed / self.seconds if self.seconds else 0.0))

    @property
    def due(self) -> bool:
        """Return True once the next of the ``CHECKPOINTS`` is reached: yield a player then.

        The last checkpoint is also due when one more step of the size of the latest would exceed the budget.
        """
        if self.checkpoints == CHECKPOINTS - 1 and self.decisions and self.spent + self._latest > self.decisions:
            return True
        return self.share * CHECKPOINTS >= self.checkpoints + 1


def track_refusal(player: str, track: str) -> str:
    """Reason why a player by specification cannot be scored on a track; empty if it can."""
    if track != TRACKS[0] or player.partition(":")[0] not in _KNOWING_PLAYERS:
        return ""
    return f"player {player!r} is knowledge: it cannot be scored on the track {track!r}"


class EnvironmentMaker:
    """Factory of environments that count decisions against a budget; agents are given it as ``make_env``.

    ``kind``: ``vector`` (Gymnasium, one seat, the default), ``sb3`` (Stable-Baselines3), ``games`` (the plain arrays
    below these two) or ``batch`` (both seats: every decision of either side counts). Other arguments as of
    ``DawnVectorEnv``, ``DawnVecEnv``, ``LearnerGames`` and ``Batch``, without the options of the game, which are the
    task's. Raises ``BadInput`` in tasks without environment, and for
    shipped opponents on the track tabula rasa.
    """

    def __init__(self, task: Task, budget: TrainingBudget, track: str):
        self._task, self._budget, self._track = task, budget, track

    def __call__(self, num_envs: int = 64, kind: str = "vector", **arguments: Any) -> Any:
        if not self._task.has_environment:
            raise BadInput(f"{self._task.name} has no environment to learn in; its data is in budget.dataset")
        arguments["options"] = self._task.options
        if kind == "batch":
            return _CountedBatch(num_envs, budget=self._budget, **arguments)
        self._check_opponents(arguments.get("opponents"))
        env = _environment_class(kind)(num_envs, **arguments)
        self._watch(getattr(env, "games", env))
        return env

    def _watch(self, games: LearnerGames) -> None:
        """Make games count every decision of the learner, and check their opponents."""
        step, set_opponents = games.step, games.set_opponents

        def counted_step(actions: np.ndarray) -> None:
            self._budget.take(games.count)
            step(actions)

        def set_checked(pool: Pool, weights: Sequence[float] | None = None) -> None:
            self._check_opponents(pool)
            set_opponents(pool, weights)

        games.step, games.set_opponents = counted_step, set_checked  # type: ignore[method-assign]

    def _check_opponents(self, opponents: Any) -> None:
        """Refuse players of the project on the track without knowledge."""
        if self._track != TRACKS[0] or self._task.score == "percent" and opponents == self._task.opponents[0]:
            return
        several = isinstance(opponents, Sequence) and not isinstance(opponents, str)
        for opponent in opponents if several else [opponents]:
            name = opponent if isinstance(opponent, str) else getattr(opponent, "name", "")
            if name not in _FREE_OPPONENTS and (name is opponent or name.partition(":")[0] in PLAYERS):
                raise BadInput(f"opponent {name!r} is knowledge: an agent on the track {TRACKS[0]!r} cannot meet it")


def _environment_class(kind: str) -> Any:
    """The environment of one seat of a ``kind``; raises ``BadInput`` for none."""
    if kind == "sb3":
        from dawn_env.envs.sb3 import DawnVecEnv  # needs the extra train

        return DawnVecEnv
    known = {"vector": DawnVectorEnv, "games": LearnerGames}
    if kind not in known:
        raise BadInput(f"kind: vector, sb3, games or batch expected, not {kind!r}")
    return known[kind]


class _CountedBatch(Batch):
    """Batch that counts every decision."""

    def __init__(self, *arguments: Any, budget: TrainingBudget, **more: Any):
        self._budget = budget
        super().__init__(*arguments, **more)

    def _play(self, rows, actions) -> None:
        self._budget.take(len(rows))
        super()._play(rows, actions)

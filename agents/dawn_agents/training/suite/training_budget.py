"""Budget of a training run, and the environments that count against it."""

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from dawn_agents.players.registry import PLAYERS
from dawn_agents.training.suite.task_declarations import Task
from dawn_env.batch import Batch
from dawn_env.envs.seat_games import LearnerGames
from dawn_env.envs.vector import DawnVectorEnv
from dawn_env.errors import BadInput

CHECKPOINTS = 10
"""Checkpoints of a learning curve at least, evenly spaced."""
TRACKS = ("tabula rasa", "knowledge")
"""What an agent may use in training: rules and observation alone, or shipped players and their advice as well."""
_FREE_OPPONENTS = ("random",)
_OUR_PACKAGES = ("dawn_agents", "dawn_env")
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
    name = player.partition(":")[0]
    ours = name in _KNOWING_PLAYERS or (name not in PLAYERS and name.partition(".")[0] in _OUR_PACKAGES)
    if track != TRACKS[0] or not ours:
        return ""
    return f"player {player!r} is knowledge: it cannot be scored on the track {track!r}"


def make_environment(
    task: Task, budget: TrainingBudget, track: str, num_envs: int = 64, kind: str = "vector", **arguments: Any
) -> Any:
    """Make environments that count decisions against a budget; agents are given it as ``make_env(num_envs, ...)``.

    ``kind``: ``vector`` (Gymnasium, one seat, the default), ``sb3`` (Stable-Baselines3), ``games`` (the plain arrays
    below these two) or ``batch`` (both seats: every decision of either side counts). Other arguments as of
    ``DawnVectorEnv``, ``DawnVecEnv``, ``LearnerGames`` and ``Batch``, without the options of the game, which are the
    task's. Raises ``BadInput`` in tasks without environment, and for shipped opponents on the track tabula rasa.
    """

    def check(opponents: Any, _weights: Sequence[float] | None = None) -> None:
        if track == TRACKS[0] and not (task.score == "percent" and opponents == task.opponents[0]):
            _check_opponents(opponents)

    if not task.has_environment:
        raise BadInput(f"{task.name} has no environment to learn in; its data is in budget.dataset")
    kinds = {"batch": Batch, "vector": DawnVectorEnv, "games": LearnerGames}
    if kind == "sb3":
        from dawn_env.envs.sb3 import DawnVecEnv  # needs the extra train

        kinds[kind] = DawnVecEnv
    if kind not in kinds:
        raise BadInput(f"kind: vector, sb3, games or batch expected, not {kind!r}")
    check(arguments.get("opponents"))
    env = kinds[kind](num_envs, **arguments, options=task.options)
    if kind == "batch":
        _precede(env, "_play", lambda rows, _: budget.take(len(rows)))
    else:
        games = getattr(env, "games", env)
        _precede(games, "step", lambda _: budget.take(games.count))
        _precede(games, "set_opponents", check)
    return env


def _precede(thing: Any, name: str, function: Callable[..., None]) -> None:
    """Have ``function`` called before a method of ``thing``, with the same arguments."""
    method = getattr(thing, name)

    def both(*arguments: Any, **more: Any) -> None:
        function(*arguments, **more)
        method(*arguments, **more)

    setattr(thing, name, both)


def _check_opponents(opponents: Any) -> None:
    """Refuse players of the project."""
    several = isinstance(opponents, Sequence) and not isinstance(opponents, str)
    for opponent in opponents if several else [opponents]:
        name = opponent if isinstance(opponent, str) else getattr(opponent, "name", "")
        if name not in _FREE_OPPONENTS and (name is opponent or name.partition(":")[0] in PLAYERS):
            raise BadInput(f"opponent {name!r} is knowledge: an agent on the track {TRACKS[0]!r} cannot meet it")

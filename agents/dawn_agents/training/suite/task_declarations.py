"""The tasks of the suite. A published task never changes: another budget, opponent or seed needs another version."""

from dataclasses import dataclass
from typing import Literal

from dawn_env.errors import BadInput
from dawn_env.options import STANDARD, GameOptions

_LEVELS = tuple(f"heuristic:level={level}" for level in range(1, 10))
SCALE_OPPONENTS = ("random", *_LEVELS, "heuristic", "pretrained:sample=true,temperature=3", "pretrained")
"""The players of the standing scale that answer at once; an evaluation meets those nearest to the agent."""

LANGUAGE = "language"
"""Track of players that read text and answer in words."""
CHECKPOINTS = 10
"""Checkpoints of a learning curve at least, evenly spaced."""


@dataclass(frozen=True)
class Task:
    """Task of the suite.

    ``decisions``: the agent's own in the environment, both sides of self-play counted; ``seconds``: time of training;
    ``milliseconds``: thinking time a decision of an evaluation, in the mean. None sets no limit. ``dataset_games``:
    number of recorded games of ``pretrained`` that take the place of the environment. ``score``: Elo on the standing
    scale against its nearest ``opponents``, or the percentage of the points against the only one, less ``baseline``.
    ``evaluation_games`` and ``curve_games``: of the last player and of each checkpoint; ``evaluation_seed``: of their
    deals. ``language``: whether players read and write, of whom legal answers and tokens are counted.
    """

    name: str
    summary: str
    version: int = 1
    decisions: int | None = None
    seconds: float | None = None
    milliseconds: float | None = None
    dataset_games: int | None = None
    options: GameOptions = STANDARD
    score: Literal["elo", "percent"] = "elo"
    baseline: float = 0.0
    opponents: tuple[str, ...] = SCALE_OPPONENTS
    evaluation_games: int = 400
    curve_games: int = 100
    evaluation_seed: int = 1989
    language: bool = False

    @property
    def trains(self) -> bool:
        """Return True if agents learn; False if they only think."""
        return self.milliseconds is None and not self.language

    @property
    def has_environment(self) -> bool:
        """Return True if agents may play while they learn."""
        return self.trains and self.dataset_games is None

    def track_refusal(self, track: str) -> str:
        """Reason why players of a track cannot be scored in this task; empty if they can."""
        if self.language == (track == LANGUAGE):
            return ""
        return f"track: {self.name} is {'only' if self.language else 'not'} for the track {LANGUAGE}"

    @property
    def label(self) -> str:
        """Name and version."""
        return f"{self.name} v{self.version}"


_TASKS = (
    Task("learn-1M", "a million decisions of its own, any opponents", decisions=10**6),
    Task("learn-10M", "ten million decisions of its own, any opponents", decisions=10**7),
    Task("hour", "one hour of training on 2 cores", seconds=3600.0),
    Task("imitate-1k", "1,000 recorded games of pretrained, no environment", dataset_games=1000),
    Task("imitate-10k", "10,000 recorded games of pretrained, no environment", dataset_games=10000),
    Task("plan-10ms", "search, 10 milliseconds a decision", milliseconds=10.0, evaluation_games=200),
    Task("plan-100ms", "search, 100 milliseconds a decision", milliseconds=100.0, evaluation_games=100),
    Task(
        "exploit", "ten million decisions against pretrained: how much does a best response win?",
        decisions=10**7, score="percent", baseline=50.0, opponents=("pretrained",),
    ),
    Task(
        "family-1M", "family mode, a million decisions", decisions=10**6, score="percent", opponents=("heuristic",),
        options=GameOptions(mode="family"),
    ),
    Task("text-100", "players that read and write: no training, 100 games", evaluation_games=100, language=True),
)  # fmt: skip

TASKS = {task.name: task for task in _TASKS}
"""Tasks by name, the latest version of each."""


def task_called(name: str) -> Task:
    """Look up a task; raises ``BadInput`` that names those there are."""
    if name not in TASKS:
        raise BadInput(f"task: one of {', '.join(TASKS)} expected, not {name!r}")
    return TASKS[name]

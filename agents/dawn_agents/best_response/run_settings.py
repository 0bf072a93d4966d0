"""Settings and progress of a search for a best response, both kept in the folder of the run."""

from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Annotated, Literal

from annotated_types import Ge, Interval

from dawn_agents.training.checkpoint import CheckpointError
from dawn_agents.training.training_config import Times
from dawn_env.support.atomic_files import write_json
from dawn_env.tables import SIDE_NAMES
from dawn_env.validation.checked_input import Checked, read_file

BOTH = "both"
_FILE, _FORMAT = "exploit.json", 1
_MOST_BYTES = 2**20


@dataclass(frozen=True)
class Settings(Checked):
    """Settings of a search for a best response to ``target``."""

    target: str
    """Specification of the player to beat."""
    start: str
    """Folder with the policies to begin from, ``SIDE.zip``."""
    side: Literal["both", "democrat", "communist"] = BOTH
    """Whose best response is wanted."""
    minutes: Annotated[float, Interval(ge=0, le=10**6)] = 60.0
    """Time for all of it but the last matches."""
    rounds: Times = 4
    """In each, the policies of the moment play, and learn from the targets of all rounds so far."""
    games: Annotated[int, Interval(ge=0, le=10**6)] = 0
    """Games of each side in a round in place of a share of the time, so that a run can be repeated exactly."""
    threads: Annotated[int, Interval(ge=1, le=1024)] = 2
    """Threads of torch."""
    seed: Annotated[int, Interval(ge=0, le=2**32 - 1)] = 1

    @property
    def sides(self) -> tuple[str, ...]:
        """Names of the sides that learn."""
        return SIDE_NAMES if self.side == BOTH else (self.side,)


@dataclass
class Progress(Checked):
    """Progress of a run."""

    rounds: Annotated[int, Ge(0)] = 0
    """Rounds that have ended."""
    seconds: Annotated[float, Ge(0)] = 0.0
    """Used so far."""
    positions: Annotated[int, Ge(0)] = 0
    """Positions labelled so far."""
    points: dict[Literal["democrat", "communist"], float] = field(default_factory=dict)
    """By side, what the best policy so far made in matches against the target."""


@dataclass(frozen=True)
class _Run(Checked):
    """File of a run."""

    format: int
    settings: Settings
    progress: Progress


def save(folder: Path, settings: Settings, progress: Progress) -> None:
    """Write both, in full or not at all."""
    write_json({"format": _FORMAT, "settings": asdict(settings), "progress": asdict(progress)}, folder / _FILE)


def holds_run(folder: Path) -> bool:
    """Return True if there is a run in a folder."""
    return (folder / _FILE).exists()


def load(folder: Path) -> tuple[Settings, Progress]:
    """Read what ``save`` has written; raises ``CheckpointError``."""
    path = folder / _FILE
    try:
        run = read_file(path, _Run, _FORMAT, _MOST_BYTES)
    except FileNotFoundError as error:
        raise CheckpointError(f"{folder} holds no search for a best response to resume ({_FILE} is missing)") from error
    except ValueError as error:
        raise CheckpointError(f"{path}: {error}") from error
    return run.settings, run.progress

"""Settings and progress of a search for a best response, both kept in the folder of the run."""

from dataclasses import asdict, dataclass, field
from pathlib import Path

from dawn_agents.training.checkpoint import CheckpointError
from dawn_env.support.atomic_files import write_json
from dawn_env.tables import SIDE_NAMES
from dawn_env.validation.settings_sections import ConfigError, least, most, one_of, read_section
from dawn_env.validation.untrusted_json import read_format

BOTH = "both"
_FILE, _FORMAT = "exploit.json", 1
_MOST_BYTES = 2**20


@dataclass(frozen=True)
class Settings:
    """Settings of a search for a best response to ``target``."""

    target: str
    """Specification of the player to beat."""
    start: str
    """Folder with the policies to begin from, ``SIDE.zip``."""
    side: str = BOTH
    """Whose best response is wanted."""
    minutes: float = 60.0
    """Time for all of it but the last matches."""
    rounds: int = 4
    """In each, the policies of the moment play, and learn from the targets of all rounds so far."""
    games: int = 0
    """Games of each side in a round in place of a share of the time, so that a run can be repeated exactly."""
    threads: int = 2
    """Threads of torch."""
    seed: int = 1

    @property
    def sides(self) -> tuple[str, ...]:
        """Names of the sides that learn."""
        return SIDE_NAMES if self.side == BOTH else (self.side,)

    def problems(self) -> list[str]:
        """Problems of the settings, as text."""
        wrong = least(self, minutes=0, rounds=1, games=0, threads=1, seed=0)
        wrong += most(self, minutes=10**6, rounds=1000, games=10**6, threads=1024, seed=2**32 - 1)
        return wrong + one_of(self, side=(BOTH, *SIDE_NAMES))


@dataclass
class Progress:
    """Progress of a run."""

    rounds: int = 0
    """Rounds that have ended."""
    seconds: float = 0.0
    """Used so far."""
    positions: int = 0
    """Positions labelled so far."""
    points: dict[str, float] = field(default_factory=dict)
    """By side, what the best policy so far made in matches against the target."""

    def problems(self) -> list[str]:
        """Problems of the settings, as text."""
        wrong = least(self, rounds=0, seconds=0, positions=0)
        return wrong + [f"points: {side!r} is no side" for side in self.points if side not in SIDE_NAMES]


def save(folder: Path, settings: Settings, progress: Progress) -> None:
    """Write both, in full or not at all."""
    write_json({"format": _FORMAT, "settings": asdict(settings), "progress": asdict(progress)}, folder / _FILE)


def holds_run(folder: Path) -> bool:
    """Return True if there is a run in a folder."""
    return (folder / _FILE).exists()


def load(folder: Path) -> tuple[Settings, Progress]:
    """Read what ``save`` has written; raises ``CheckpointError`` and ``ConfigError``."""
    path = folder / _FILE
    what, remedy = "search for a best response", f"{folder} holds no search for a best response to resume"
    told = read_format(path, what, _FORMAT, CheckpointError, most=_MOST_BYTES, remedy=remedy)
    try:
        parts = (("settings", Settings), ("progress", Progress))
        return tuple(read_section(name, kind, told.get(name)) for name, kind in parts)
    except (ConfigError, TypeError) as error:  # the latter for a key that is missing
        raise ConfigError(f"{path}: {error}") from error

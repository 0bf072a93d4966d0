"""Trackers of a run's metrics besides its CSV file: TensorBoard, Weights & Biases, or Trackio."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from contextlib import suppress
from hashlib import blake2b
from importlib import import_module
from pathlib import Path
from typing import Any

from dawn_env.support.optional_packages import optional_imports

_PROJECT = "dawn_env"


class Tracker(ABC):
    """Logs metrics by name; ``step`` is the number of decisions."""

    @abstractmethod
    def log(self, metrics: Mapping[str, float], step: int) -> None:
        """Log the metrics of an iteration."""

    @abstractmethod
    def flush(self) -> None:
        """Write buffered metrics; raises ``OSError``."""

    @abstractmethod
    def close(self) -> None:
        """Close files and connections."""


class TensorBoard(Tracker):
    """Event files in ``tensorboard/`` of the run's folder."""

    def __init__(self, folder: Path, settings: Mapping[str, Any], begun: int):
        from torch.utils.tensorboard import SummaryWriter

        self._writer = SummaryWriter(folder / "tensorboard", purge_step=begun + 1 if begun else None)

    def log(self, metrics: Mapping[str, float], step: int) -> None:
        """Write scalars."""
        for name, value in metrics.items():
            self._writer.add_scalar(name, value, step)

    def flush(self) -> None:
        """Write buffered metrics; raises ``OSError``."""
        self._writer.flush()

    def close(self) -> None:
        """Close the files."""
        with suppress(OSError):  # a full disk, of which saving has told
            self._writer.close()


class ProjectTracker(Tracker):
    """A run of a project named ``dawn_env``, by a module with ``init``, ``log`` and ``finish``.

    Accounts and offline modes are those of the module (``WANDB_MODE=offline``). A run that is resumed goes on under its
    name and, where the module has ids, the one that follows from its folder.
    """

    module = ""

    def __init__(self, folder: Path, settings: Mapping[str, Any], begun: int):
        with optional_imports():
            self._module = import_module(self.module)
        self._module.init(
            project=_PROJECT, name=folder.name, config=dict(settings), resume="allow", **self.more(folder)
        )

    def more(self, folder: Path) -> dict[str, Any]:
        """Further arguments of ``init``."""
        return {}

    def log(self, metrics: Mapping[str, float], step: int) -> None:
        """Send the metrics."""
        self._module.log(dict(metrics), step=step)

    def flush(self) -> None:
        """The module writes by itself."""

    def close(self) -> None:
        """Finish the run."""
        self._module.finish()


class Wandb(ProjectTracker):
    """Weights & Biases, package ``wandb``; its files are in the run's folder."""

    module = "wandb"

    def more(self, folder: Path) -> dict[str, Any]:
        """An id and a folder, and no output of its own."""
        id_ = blake2b(str(folder.absolute()).encode(), digest_size=8).hexdigest()
        return {"id": id_, "dir": str(folder), "settings": self._module.Settings(silent=True, console="off")}


class Trackio(ProjectTracker):
    """Trackio, package ``trackio``."""

    module = "trackio"


TRACKERS: dict[str, type[Tracker]] = {"tensorboard": TensorBoard, "wandb": Wandb, "trackio": Trackio}
"""Trackers by the names of ``[run] track``."""

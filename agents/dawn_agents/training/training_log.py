"""Training log: TensorBoard scalars, a CSV file, progress, and a plot at the end."""

import csv
from contextlib import suppress
from pathlib import Path

from torch.utils.tensorboard import SummaryWriter

from dawn_agents.training.training_config import RunLimits
from dawn_env.support.atomic_files import atomic_write
from dawn_env.support.progress_bars import ProgressBar

METRICS_FILE = "metrics.csv"


class TrainingLog:
    """Keeps the figures of every iteration; ``history`` is a row of name to value each."""

    def __init__(self, folder: Path, limits: RunLimits, history: list[dict[str, float]]):
        """Goes on from ``history``, empty for a new run."""
        self.folder, self.limits, self.history = folder, limits, history
        done = int(history[-1]["decisions"]) if history else 0
        self._writer = SummaryWriter(folder / "tensorboard", purge_step=done + 1 if history else None)
        self._gauge = ProgressBar("training", limits.decisions, "decisions", done=done)

    def add(self, figures: dict[str, float]) -> None:
        """Note an iteration; ``figures`` holds ``decisions``, the count since the start of the run, and others."""
        self.history.append(figures)
        for name, value in figures.items():
            self._writer.add_scalar(name, value, int(figures["decisions"]))
        self._gauge.update(int(figures["decisions"]) - self._gauge.done)
        shown = [f"{name.split('/', 1)[1]} {rate:.0%}" for name, rate in figures.items() if name.startswith("anchor/")]
        if shown:
            self._gauge.note(", ".join(shown))

    def save(self) -> None:
        """Write the CSV file anew: a resumed run has no rows twice."""
        self._writer.flush()
        names = list(dict.fromkeys(name for row in self.history for name in row))
        with atomic_write(self.folder / METRICS_FILE) as file:
            writer = csv.DictWriter(file, names)
            writer.writeheader()
            writer.writerows(self.history)

    def close(self) -> None:
        """Close the files; no more is shown."""
        self._gauge.close()
        with suppress(OSError):  # a full disk, of which saving has told
            self._writer.close()


def plot_rates(history: list[dict[str, float]], path: Path) -> None:
    """Draw the points won against each anchor over decisions into an image file."""
    from matplotlib.figure import Figure  # takes long to import

    figure = Figure(figsize=(8, 5), layout="constrained")
    axes = figure.subplots()
    for name in sorted({name for row in history for name in row if name.startswith("anchor/")}):
        rows = [(row["decisions"], row[name]) for row in history if name in row]
        axes.plot(*zip(*rows, strict=True), label=name.removeprefix("anchor/"))
    axes.set(xlabel="decisions of both learners", ylabel="points", ylim=(0, 1), title="Against the anchors")
    axes.grid(alpha=0.3)
    axes.legend()
    figure.savefig(path, dpi=120)

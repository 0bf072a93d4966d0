"""Training log: a tracker, a CSV file, progress, and a plot at the end."""

import csv
from pathlib import Path

from dawn_agents.training.trackers import TRACKERS
from dawn_agents.training.training_config import Config, to_tables
from dawn_env.support.atomic_files import atomic_write
from dawn_env.support.progress_bars import ProgressBar

METRICS_FILE = "metrics.csv"


class TrainingLog:
    """Log of the metrics of iterations and of evaluation matches.

    ``history``: a dictionary from metric name to value for each of them; ``latest_matches``: the latest entry of
    matches, None before the first.
    """

    def __init__(self, folder: Path, config: Config, history: list[dict[str, float]]):
        """Goes on from ``history``, empty for a new run; raises ``MissingExtra`` for a tracker that is not there."""
        self.folder, self.limits, self.history = folder, config.limits, history
        last = history[-1] if history else {"decisions": 0}
        self._tracker = TRACKERS[config.run.track](folder, to_tables(config), int(last["decisions"]))
        by_time = self.limits.minutes is not None
        total, unit = (int(60 * self.limits.minutes), "s") if by_time else (self.limits.decisions, "decisions")
        self._gauge = ProgressBar("training", total, unit, done=self._done(last))
        self._points = ""
        measured = (row for row in reversed(history) if any(name.startswith("anchor/") for name in row))
        self.latest_matches = next(measured, None)

    def _done(self, metrics: dict[str, float]) -> int:
        """Decisions, or seconds of a run that is limited by time."""
        return int(metrics["decisions"] if self.limits.minutes is None else 60 * metrics.get("minutes", 0.0))

    def add(self, metrics: dict[str, float]) -> None:
        """Append the metrics of an iteration or of matches; they include ``decisions``, those since the run began."""
        self.history.append(metrics)
        self._tracker.log(metrics, int(metrics["decisions"]))
        shown = [f"{name.split('/', 1)[1]} {rate:.0%}" for name, rate in metrics.items() if name.startswith("anchor/")]
        if shown:
            self.latest_matches, self._points = metrics, ", ".join(shown)
        self._gauge.set_postfix(f"{metrics['decisions'] / 1e6:.1f} M decisions{self._points and ', ' + self._points}")
        self._gauge.update(self._done(metrics) - self._gauge.done)

    def save(self) -> None:
        """Write the CSV file anew: a resumed run has no rows twice."""
        self._tracker.flush()
        names = list(dict.fromkeys(name for row in self.history for name in row))
        with atomic_write(self.folder / METRICS_FILE) as file:
            writer = csv.DictWriter(file, names)
            writer.writeheader()
            writer.writerows(self.history)

    def close(self) -> None:
        """Close the files; no more is shown."""
        self._gauge.close()
        self._tracker.close()


def plot_rates(history: list[dict[str, float]], path: Path) -> None:
    """Draw the points won against each anchor over decisions into an image file."""
    from matplotlib.figure import Figure  # takes long to import

    figure = Figure(figsize=(8, 5), layout="constrained")
    axes = figure.subplots()
    for name in sorted({name for row in history for name in row if name.startswith("anchor/")}):
        rows = [(row["decisions"], row[name]) for row in history if name in row]
        axes.plot(*zip(*rows, strict=True), marker=".", label=name.removeprefix("anchor/"))
    axes.set(xlabel="decisions of both learners", ylabel="points", ylim=(0, 1), title="Against the anchors")
    axes.grid(alpha=0.3)
    axes.legend()
    figure.savefig(path, dpi=120)

"""Progress of a tournament on the terminal: a bar and the scores so far."""

from collections import Counter
from collections.abc import Mapping, Sequence

from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

from dawn_agents.match import Outcome
from dawn_agents.reporting.tables import shown
from dawn_agents.tournament.entrants import labels
from dawn_env.support.progress_bars import Gauge


class LiveScores:
    """Use it in a ``with`` statement; it writes to stderr, where that is no terminal a line a minute."""

    def __init__(self, games: int):
        """``games``: number of games to come."""
        columns = (TextColumn("games"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
        self._progress = Progress(*columns)
        self._task = self._progress.add_task("", total=games)
        self._points, self._games, self._labels = Counter(), Counter(), {}
        console = Console(stderr=True)
        self._live = Live(console=console, transient=True, refresh_per_second=4, get_renderable=self._render)
        self._shown, self._total = console.is_terminal, games
        self._lines: Gauge | None = None

    def __enter__(self) -> "LiveScores":
        if self._shown:
            self._live.start()
        else:
            self._lines = Gauge("games", self._total, "games")
        return self

    def __exit__(self, *_) -> None:
        if self._lines is None:
            self._live.stop()
        else:
            self._lines.close()

    def add(self, games: Sequence[Outcome], players: Mapping[str, dict]) -> None:
        """Count games of ``players`` (as ``Store.players``)."""
        self._labels = labels(players)
        for game in games:
            self._games.update(game.players)
            self._points.update(dict(zip(game.players, game.points, strict=True)))
        self._progress.advance(self._task, len(games))
        if self._lines:
            self._lines.update(len(games))

    def _render(self) -> Group:
        table = Table("player", "games", "score")
        for name in sorted(self._games, key=lambda name: -self._points[name] / self._games[name]):
            table.add_row(
                shown(self._labels[name]), str(self._games[name]), f"{self._points[name] / self._games[name]:.1%}"
            )
        return Group(self._progress, table)

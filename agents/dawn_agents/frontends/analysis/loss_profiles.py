"""An analysis: games that were judged, the mistakes in them, the profiles of their players, and tables of these."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from math import sqrt
from typing import Any

from dawn_agents.frontends.analysis.judged_games import (
    FORMAT,
    JudgedDecision,
    JudgedGame,
    Judging,
    JudgingTask,
    KeptGames,
    judge_game,
)
from dawn_agents.tournaments.reporting.tables import Sheet
from dawn_agents.work.executor import Executor
from dawn_env.events.narration import decision_words
from dawn_env.tables import SIDE_NAMES, SIDES

CUTS: dict[str, Callable[[JudgedDecision], str | int]] = {
    "all": lambda decision: "",
    "side": lambda decision: SIDE_NAMES[decision.side],
    "turn": lambda decision: decision.turn,
    "decision": lambda decision: decision.kind,
    "card": lambda decision: decision.card,
}
"""The group of a decision by the name of the cut; each cut parts all decisions."""
_IN_ORDER = ("side", "turn")  # others: largest loss first
_MOST_ROWS = 10  # of a cut, at the terminal
_MOST_MISTAKES = 10
_MOST_GAMES = 20


@dataclass(frozen=True)
class Row:
    """A group of decisions of a player; losses are shares of the chance of winning.

    ``error``: the standard error of the mean, None of a single game.
    """

    player: str
    cut: str
    group: str | int
    games: int
    decisions: int
    mistakes: int
    loss: float
    mean: float
    error: float | None


def profile(games: Sequence[JudgedGame]) -> list[Row]:
    """Rows by player and cut; by side and turn in order, else the largest loss first."""
    groups = defaultdict(lambda: defaultdict(list))  # (player, cut, group): game: decisions
    for number, game in enumerate(games):
        for decision in game.decisions:
            player = game.players[decision.side]
            for cut, group in CUTS.items():
                groups[player, cut, group(decision)][number].append(decision)
    return sorted((_row(*head, list(found.values())) for head, found in groups.items()), key=_place)


def _place(row: Row) -> tuple:
    group = (SIDE_NAMES.index(row.group) if row.cut == "side" else row.group) if row.cut in _IN_ORDER else -row.loss
    return row.player, list(CUTS).index(row.cut), group, str(row.group)


def _row(player: str, cut: str, group: str | int, by_game: Sequence[Sequence[JudgedDecision]]) -> Row:
    """The error takes games, not decisions, for independent."""
    count = sum(map(len, by_game))
    sums = [sum(decision.loss for decision in game) for game in by_game]
    mean = sum(sums) / count
    apart = sum((lost - mean * len(game)) ** 2 for lost, game in zip(sums, by_game, strict=True))
    error = sqrt(apart * len(by_game) / (len(by_game) - 1)) / count if len(by_game) > 1 else None
    mistakes = sum(decision.mistake for game in by_game for decision in game)
    return Row(player, cut, group, len(by_game), count, mistakes, sum(sums), mean, error)


def waiting(tasks: Sequence[JudgingTask], kept: KeptGames) -> list[JudgingTask]:
    """Tasks without kept results, each once."""
    known = kept.find(task.key for task in tasks)
    return list({task.key: task for task in tasks if task.key not in known}.values())


def judge_games(tasks: Sequence[JudgingTask], kept: KeptGames, executor: Executor) -> Iterator[None]:
    """Judge and keep games; yields after each. Raises ``WorkerDied``, ``ExecutorError`` and ``PlayerFailure``."""
    for key, game in executor.done(judge_game, tasks):
        kept.add(key, game)
        yield


@dataclass(frozen=True)
class Mistake:
    """``place``: file and number of the game."""

    place: str
    player: str
    decision: JudgedDecision


@dataclass(frozen=True)
class Analysis:
    """``places``: file and number of each of the ``games``."""

    judging: Judging
    places: tuple[str, ...]
    games: tuple[JudgedGame, ...]

    @classmethod
    def of(cls, judging: Judging, tasks: Sequence[JudgingTask], kept: KeptGames) -> "Analysis":
        """Read the kept results of tasks."""
        found = kept.find(task.key for task in tasks)
        return cls(judging, tuple(task.where for task in tasks), tuple(found[task.key] for task in tasks))

    @cached_property
    def rows(self) -> list[Row]:
        """The profiles of all players."""
        return profile(self.games)

    @cached_property
    def mistakes(self) -> list[Mistake]:
        """The largest first."""
        found = [
            Mistake(place, game.players[decision.side], decision)
            for place, game in zip(self.places, self.games, strict=True)
            for decision in game.decisions
            if decision.mistake
        ]
        return sorted(found, key=lambda mistake: -mistake.decision.loss)

    def to_json(self) -> dict[str, Any]:
        """JSON values, every decision among them."""
        return {
            "format": FORMAT,
            "judging": asdict(self.judging),
            "profile": [asdict(row) for row in self.rows],
            "mistakes": [
                {"place": mistake.place, "player": mistake.player} | asdict(mistake.decision)
                for mistake in self.mistakes
            ],
            "games": [{"place": place} | asdict(game) for place, game in zip(self.places, self.games, strict=True)],
        }


# --- tables ------------------------------------------------------------------------------------------


def sheets(analysis: Analysis) -> list[Sheet]:
    """Tables for the terminal, shortened."""
    profiles = profile_sheet(analysis, shortened(analysis.rows, _MOST_ROWS))
    return [profiles, mistakes_sheet(analysis, _MOST_MISTAKES), games_sheet(analysis, _MOST_GAMES)]


def shortened(rows: list[Row], most: int) -> list[Row]:
    """The first ``most`` rows of each player's cuts by kind of decision and by card, and all rows of other cuts."""
    seen, kept = Counter(), []
    for row in rows:
        seen[row.player, row.cut] += 1
        if row.cut in (*_IN_ORDER, "all") or seen[row.player, row.cut] <= most:
            kept.append(row)
    return kept


def profile_sheet(analysis: Analysis, rows: list[Row]) -> Sheet:
    """Losses of decisions by player and group."""
    headings = ("player", "by", "", "games", "decisions", "mistakes", "loss", "loss a decision")
    title = f"What decisions lost of the chance of winning, by {analysis.judging.search}"
    return Sheet(title, headings, list(map(profile_cells, rows)), words=3)


def profile_cells(row: Row) -> list[str]:
    """Table cells of a row of the profile."""
    group = {"turn": "set-up", "card": "no card"}.get(row.cut, "") if not row.group else str(row.group)
    counts = [str(number) for number in (row.games, row.decisions, row.mistakes)]
    mean = f"{row.mean:z.2%}" + ("" if row.error is None else f" ± {2 * row.error:.2%}")
    return [row.player, row.cut, group, *counts, f"{row.loss:z.2f}", mean]


def mistakes_sheet(analysis: Analysis, most: int) -> Sheet:
    """Table of the ``most`` largest mistakes."""
    headings, rows = ("loss", "game", "decision", "when", "player", "taken", "better"), []
    for mistake in analysis.mistakes[:most]:
        one = mistake.decision
        words = [decision_words(one.side, one.kind, text) for text in (one.taken, one.better)]
        loss = f"{one.loss:z.1%} ± {2 * one.error:.1%}"
        rows.append((loss, mistake.place, str(one.at + 1), one.when, mistake.player, *words))
    return Sheet(f"The largest of {len(analysis.mistakes)} mistakes", headings, rows, words=len(headings))


def games_sheet(analysis: Analysis, most: int | None = None) -> Sheet:
    """Luck and losses of each side."""
    headings, rows = ("game", "Democrat", "Communist", "result", "luck of D", "luck of C", "loss of D", "loss of C"), []
    for place, game in list(zip(analysis.places, analysis.games, strict=True))[:most]:
        luck = ["-" if game.luck is None else f"{game.luck_of(side):+z.2f}" for side in range(SIDES)]
        losses = [f"{game.loss_of(side):z.2f}" for side in range(SIDES)]
        rows.append((place, *game.players, game.result, *luck, *losses))
    return Sheet(f"Luck and losses, {len(rows)} of {len(analysis.games)} games", headings, rows, words=4)

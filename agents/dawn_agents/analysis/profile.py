"""Profiles of players: what their decisions lost, cut by side, turn, kind of decision and card."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt

from dawn_agents.analysis.games import Decision, JudgedGame
from dawn_env.tables import SIDE_NAMES

CUTS: dict[str, Callable[[Decision], str | int]] = {
    "all": lambda decision: "",
    "side": lambda decision: SIDE_NAMES[decision.side],
    "turn": lambda decision: decision.turn,
    "decision": lambda decision: decision.kind,
    "card": lambda decision: decision.card,
}
"""The group of a decision by the name of the cut; each cut parts all decisions."""
_IN_ORDER = ("side", "turn")  # others: largest loss first


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


def _row(player: str, cut: str, group: str | int, by_game: Sequence[Sequence[Decision]]) -> Row:
    """The error takes games, not decisions, for independent."""
    count = sum(map(len, by_game))
    sums = [sum(decision.loss for decision in game) for game in by_game]
    mean = sum(sums) / count
    apart = sum((lost - mean * len(game)) ** 2 for lost, game in zip(sums, by_game, strict=True))
    error = sqrt(apart * len(by_game) / (len(by_game) - 1)) / count if len(by_game) > 1 else None
    mistakes = sum(decision.mistake for game in by_game for decision in game)
    return Row(player, cut, group, len(by_game), count, mistakes, sum(sums), mean, error)

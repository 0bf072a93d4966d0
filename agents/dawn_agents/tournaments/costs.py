"""Costs of games besides time, such as tokens: sums and a table."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from dawn_agents.tournaments.match import Outcome
from dawn_agents.tournaments.reporting.tables import Sheet


def total_costs(games: Iterable[Outcome], name: str) -> dict[str, float]:
    """Sums over the games of a player, by name of the cost; empty where nothing was counted."""
    found: Counter[str] = Counter()
    for game in games:
        for player, costs in zip(game.players, game.costs, strict=True):
            if player == name:
                found.update(dict(costs))
    return dict(found)


def costs_sheet(games: Sequence[Outcome], labels: Mapping[str, str]) -> Sheet | None:
    """Costs of a game on average of the players of ``labels`` (by name), None where nothing was counted."""
    totals = {name: total for name in labels if (total := total_costs(games, name))}
    columns = list(dict.fromkeys(cost for total in totals.values() for cost in total))
    if not columns:
        return None
    rows = []
    for name, total in totals.items():
        mine = [game for game in games if name in game.players]
        decisions = sum(game.moves[game.players.index(name)] for game in mine)
        means = [_number(total.get(cost, 0) / len(mine)) for cost in columns]
        rows.append((labels[name], str(len(mine)), _number(decisions / len(mine)), *means))
    everything = sum(map(Counter, totals.values()), Counter())
    in_all = ", ".join(f"{_words(cost)} {_number(everything[cost])}" for cost in columns)
    headings = ("player", "games", "decisions", *map(_words, columns))
    return Sheet("Costs of a game, on average", headings, rows, note=f"In all: {in_all}.")


def _words(cost: str) -> str:
    return cost.replace("_", " ")


def _number(value: float) -> str:
    """``1,234`` of large numbers, three digits of small ones."""
    return f"{value:,.0f}" if value >= 100 or value == int(value) else f"{value:.3g}"

"""The standing scale as a table."""

from rich.table import Table

from dawn_agents.strength.elo import Estimate
from dawn_agents.strength.scale import YARDSTICK, ZERO, Scale
from dawn_agents.tournament.terminal import shown


def scale_table(scale: Scale) -> Table:
    """Ratings with their intervals, weakest player first."""
    table = Table(title=f"The standing scale: {ZERO} = 0 Elo; 95% intervals of the distance from {YARDSTICK}")
    for heading in ("player", "Elo", "as Democrat", "as Communist", "games", "s/game"):
        table.add_column(heading, justify="left" if heading == "player" else "right")
    ratings = scale.ratings()
    for rung in scale.rungs:
        table.add_row(shown(rung.name), *map(_cell, ratings[rung.name]), str(rung.games), f"{rung.seconds:.3f}")
    return table


def _cell(estimate: Estimate) -> str:
    return f"{estimate.rating:+.0f} ({estimate.low:+.0f} to {estimate.high:+.0f})"

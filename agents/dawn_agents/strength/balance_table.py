"""The balance of the game as a table."""

from collections.abc import Sequence

from rich.table import Table

from dawn_agents.strength.side_balance import Balance
from dawn_agents.tournament.report_tables import shown


def balance_table(balances: Sequence[Balance]) -> Table:
    """Fair points and bids."""
    table = Table(title="Support points for the Democrat (below 0: for the Communist) that make the game even")
    for heading in ("player", "games", "Democrat's Elo", "Elo a point", "fair", "95% interval", "fair bid"):
        table.add_column(heading, justify="left" if heading == "player" else "right")
    for balance in balances:
        games = sum(map(sum, balance.tallies.values()))
        elo = (f"{balance.advantage:+.0f}", f"{balance.worth:+.1f}")
        table.add_row(shown(balance.name), str(games), *elo, f"{balance.fair:+.1f}", balance.range, str(balance.offer))
    return table

"""The plot of the balance of the game."""

from collections.abc import Sequence

import numpy as np

from dawn_agents.reporting.svg_figures import new_axes, svg
from dawn_agents.strength.side_balance import Balance


def balance_plot(balances: Sequence[Balance]) -> str:
    """Share of the Democrat by support points given to them: SVG, a colour for each player."""
    axes = new_axes(4.2)
    for number, balance in enumerate(balances):
        points, scores = list(balance.scores), list(balance.scores.values())
        ends = np.array([score.interval() for score in scores]).T
        rates = np.array([score.rate for score in scores])
        colour = f"C{number}"
        axes.errorbar(points, rates, np.abs(ends - rates), fmt="o", markersize=4, color=colour, elinewidth=0.8)
        along = np.linspace(min(points), max(points), 100)
        axes.plot(along, balance.curve(along), color=colour, label=balance.name)
    axes.axhline(0.5, color="#444444", linewidth=0.8)
    axes.set_ylim(0, 1)
    axes.set_xlabel("support points for the Democrat (left of 0: for the Communist)")
    axes.set_ylabel("share of the Democrat against the same player")
    axes.legend()
    return svg(axes)

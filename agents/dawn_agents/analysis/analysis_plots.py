"""Plots of an analysis as SVG text for a page."""

from collections import Counter

from dawn_agents.analysis.analysis_tables import profile_cells, shortened
from dawn_agents.analysis.loss_profiles import Analysis
from dawn_agents.tournament.svg_plots import COLOURS, new_axes, svg
from dawn_env.tables import COMMUNIST, DEMOCRAT

_MOST_BARS = 15  # of a player


def cut_plot(analysis: Analysis, cut: str) -> str:
    """Loss a decision in the groups of a cut, a colour for each player."""
    rows = [row for row in shortened(analysis.rows, _MOST_BARS) if row.cut == cut]
    groups = list(
        Counter(profile_cells(row)[2] for row in (sorted(rows, key=lambda row: row.group) if cut == "turn" else rows))
    )[::-1]
    players = sorted({row.player for row in rows})
    width = 0.8 / len(players)
    axes = new_axes(0.8 + 0.2 * len(groups) * max(1.5, len(players)))
    for number, player in enumerate(players):
        mine = [row for row in rows if row.player == player]
        places = [groups.index(profile_cells(row)[2]) + 0.4 - width * (number + 0.5) for row in mine]
        errors = [200 * (row.error or 0) for row in mine]
        axes.barh(places, [100 * row.mean for row in mine], width, xerr=errors, color=f"C{number}", label=player)
    axes.set_yticks(range(len(groups)), groups, parse_math=False)
    axes.set_xlabel("chance of winning lost a decision, %; bars: two standard errors")
    axes.legend()
    for text in axes.get_legend().get_texts():
        text.set_parse_math(False)
    return svg(axes)


def luck_plot(analysis: Analysis) -> str:
    """Games by luck and by who lost more by their decisions, the colour being the result."""
    axes = new_axes(3.6)
    for result, colour in COLOURS.items():
        games = [game for game in analysis.games if game.result == result and game.luck is not None]
        losses = [game.loss_of(COMMUNIST) - game.loss_of(DEMOCRAT) for game in games]
        axes.plot([game.luck for game in games], losses, "o", color=colour, label=result)
    axes.axhline(0, color="#444444", linewidth=0.8)
    axes.axvline(0, color="#444444", linewidth=0.8)
    axes.set_xlabel("luck of the Democrat, points")
    axes.set_ylabel("lost by the Communist's decisions\nabove the Democrat's")
    axes.legend()
    return svg(axes)

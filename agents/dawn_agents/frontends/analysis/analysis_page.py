"""An analysis as one HTML page: plots and tables."""

from collections import Counter

from markupsafe import Markup

from dawn_agents.frontends.analysis.loss_profiles import (
    Analysis,
    games_sheet,
    mistakes_sheet,
    profile_cells,
    profile_sheet,
    shortened,
)
from dawn_agents.tournaments.reporting.html_page import Passage
from dawn_agents.tournaments.reporting.svg_figures import COLOURS, new_axes, svg
from dawn_agents.tournaments.reporting.tables import Sheet
from dawn_env.glossary import counted
from dawn_env.tables import COMMUNIST, DEMOCRAT

_MOST_BARS = 15  # of a player
_MOST_MISTAKES = 200
_PLOTS = {"By side": "side", "By turn": "turn", "By kind of decision": "decision", "By card": "card"}


def introduction(analysis: Analysis) -> str:
    """Meaning of the numbers."""
    return (
        f"Every decision was compared with the choice of {analysis.judging.search}, in "
        f"{counted(len(analysis.games), 'game')}. A loss is the chance of winning that the better action gains, played "
        f"on in {analysis.judging.deals} deals of the hidden cards; a mistake loses at least 1% and more than two "
        "standard errors (±). Luck is what dice and cards were worth to a side. Decisions are counted from 1 in each "
        "game."
    )


def sections(analysis: Analysis) -> list[Sheet | Passage]:
    """Plots and tables."""
    plots = {name: cut_plot(analysis, cut) for name, cut in _PLOTS.items()} if analysis.rows else {}
    if any(game.luck is not None for game in analysis.games):
        plots["Luck and play"] = luck_plot(analysis)
    tables = profile_sheet(analysis, analysis.rows), mistakes_sheet(analysis, _MOST_MISTAKES), games_sheet(analysis)
    return [*(Passage(name, plot) for name, plot in plots.items()), *tables]


def cut_plot(analysis: Analysis, cut: str) -> Markup:
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
    lines = "; lines: two standard errors" if any(row.error is not None for row in rows) else ""
    axes.set_xlabel(f"chance of winning lost a decision, %{lines}")
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1))  # above the plot, where it covers no bar
    return svg(axes)


def luck_plot(analysis: Analysis) -> Markup:
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

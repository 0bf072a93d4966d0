"""The report of a tournament as one HTML page with tables, plots and links to replays."""

import math
from collections.abc import Iterator, Sequence
from urllib.parse import urlencode

import numpy as np
from markupsafe import Markup

from dawn_agents.tournaments.rating.estimates import ELO
from dawn_agents.tournaments.reporting.html_page import Passage
from dawn_agents.tournaments.reporting.svg_figures import COLOURS, estimates_plot, label_rows, new_axes, short_name, svg
from dawn_agents.tournaments.reporting.tables import Sheet
from dawn_agents.tournaments.tournament_report import Report, sheets
from dawn_env.tables import SIDE_NAMES

_REPLAYS = "http://127.0.0.1:1989"  # dawn web on this machine
_GAMES = Markup(
    "<p><small>Each links to its replay, which opens while <code>dawn web --results FILE</code> runs with the database "
    "of these results. Shown are VP at the end, Democrat positive, and who won.</small></p>\n"
)
_GROUP = Markup("<details><summary>{}: {}</summary>\n<p>{}</p></details>\n")
_FONT, _ROW = 10, 130  # points: largest size of the numbers of a matrix, and the sum of the sizes that fit in a row
_LEGEND = Markup(
    "<p><small>A dot is a rating, the line its interval; paler ones are without luck. An arrow stands at the bound of "
    "a player who won or lost all games: the rating lies beyond it.</small></p>\n"
)
_LINK = Markup('<a href="{}/game?{}">{:+d} {}</a>\n')


def sections(report: Report) -> list[Sheet | Passage]:
    """Tables, plots and the list of games."""
    return [*sheets(report), *plots(report), Passage("Games", _games(report))]


def _games(report: Report) -> Markup:
    """Foldable lists of links to the games of each pair of players."""
    found = _GAMES
    for players, games in report.games_by_players.items():
        names, links = " against ".join(report.labels[name] for name in players), Markup()
        for game in games:
            keys = {"seed": game.seed, "democrat": game.democrat, "communist": game.communist, "first": game.first}
            result = "=" if game.result == "draw" else game.result[0].upper()
            links += _LINK.format(_REPLAYS, urlencode(keys), game.vp, result)
        found += _GROUP.format(names, len(games), links)
    return found


# --- plots ----------------------------------------------------------------------------------------


def plots(report: Report) -> Iterator[Passage]:
    """All plots."""
    yield Passage("Ratings", _LEGEND + ratings_plot(report))
    yield Passage("Scores by side", sides_plot(report))
    yield Passage("Who beats whom", matrix_plot(report))
    yield Passage("VP at the end", distribution_plot(report, [g.vp for g in report.games], "VP, Democrat positive", 2))
    decisions = [game.decisions for game in report.games]
    yield Passage("Length", distribution_plot(report, decisions, "decisions in a game", 25))


def ratings_plot(report: Report) -> Markup:
    """Ratings with their intervals, or an arrow at the bound; below them, paler, without luck."""
    rows = [(row.label, [row.rating, *filter(None, [row.adjusted])]) for row in report.standings]
    return estimates_plot(rows, f"Elo above {short_name(report.labels[report.ratings.anchor])}, 95% intervals")


def matrix_plot(report: Report) -> Markup:
    """Log odds of the row against the column, in Elo: what ratings cannot say is seen as what is out of order."""
    count, place = len(report.standings), {row.name: number for number, row in enumerate(report.standings)}
    elo = np.where(np.eye(count, dtype=bool), 0.0, np.nan)
    for met in report.meetings:
        share = (2 * met.pairs * met.score + 0.5) / (2 * met.pairs + 1)  # half a game won and one lost are added
        elo[place[met.one], place[met.two]] = ELO * math.log(share / (1 - share))
    axes, font = new_axes(1.2 + 0.42 * count), min(_FONT, _ROW / count)
    reach = max(1.0, np.nanmax(np.abs(elo)))
    axes.pcolormesh(np.arange(count + 1) - 0.5, np.arange(count + 1) - 0.5, elo, cmap="RdBu", vmin=-reach, vmax=reach)
    axes.invert_yaxis()
    for row, column in np.argwhere(~np.isnan(elo)):
        if row != column:
            colour = "white" if abs(elo[row, column]) > 0.6 * reach else "black"
            axes.text(column, row, f"{elo[row, column]:+.0f}", ha="center", va="center", color=colour, fontsize=font)
    labels = [f"{number} {short_name(row.label)}" for number, row in enumerate(report.standings, 1)]
    axes.set_yticks(range(count), labels, parse_math=False)
    axes.set_xticks(range(count), range(1, count + 1))
    axes.grid(False)
    axes.set_xlabel("log odds of the row against the column, in Elo")
    return svg(axes)


def sides_plot(report: Report) -> Markup:
    """Bar chart of the share of points of each player as Democrat and as Communist."""
    rows = report.standings[::-1]
    axes = new_axes(0.8 + 0.45 * len(rows))
    for side, shift in zip(SIDE_NAMES, (0.2, -0.2), strict=True):
        shares = [getattr(row, f"score_{side}") or 0.0 for row in rows]
        axes.barh([place + shift for place in range(len(rows))], shares, 0.36, color=COLOURS[side], label=f"as {side}")
    label_rows(axes, [row.label for row in rows])
    axes.set_xlim(0, 1)
    axes.set_xlabel("share of the points")
    axes.legend(loc="lower right")
    return svg(axes)


def distribution_plot(report: Report, numbers: Sequence[int], label: str, width: int) -> Markup:
    """Histogram of a number per game, stacked by result."""
    axes = new_axes(2.6)
    low = min(numbers) // width * width
    bins = range(low, max(numbers) + width + 1, width)
    groups = {
        result: [number for number, game in zip(numbers, report.games, strict=True) if game.result == result]
        for result in COLOURS
    }
    axes.hist(list(groups.values()), bins, stacked=True, color=list(COLOURS.values()), label=list(groups))
    axes.set_xlabel(label)
    axes.set_ylabel("games")
    axes.legend()
    return svg(axes)

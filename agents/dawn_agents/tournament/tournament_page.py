"""The report of a tournament as one HTML page, with links to replays."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from urllib.parse import urlencode

from markupsafe import Markup

from dawn_agents.match import Outcome
from dawn_agents.reporting.html_page import Passage
from dawn_agents.reporting.tables import Sheet
from dawn_agents.tournament.report_plots import plots
from dawn_agents.tournament.report_tables import sheets
from dawn_agents.tournament.tournament_report import Report

_REPLAYS = "http://127.0.0.1:1989"  # dawn web on this machine
_GAMES = Markup(
    "<p><small>Each links to its replay, which opens while <code>dawn web --results FILE</code> runs with the database "
    "of these results. Shown are VP at the end, Democrat positive, and who won.</small></p>\n"
)
_UNGROUPED = 8  # players at most whose meetings stand in one list
_GROUP = Markup("<details><summary>{}: {}</summary>\n{}</details>\n")
_PARAGRAPH = Markup("<p>{}</p>")
_LINK = Markup('<a href="{}/game?{}">{:+d} {}</a>\n')


def sections(report: Report) -> list[Sheet | Passage]:
    """Tables, plots and the list of games."""
    return [*sheets(report), *plots(report), Passage("Games", _games(report))]


def _games(report: Report) -> Markup:
    """Links to the games of each meeting; the meetings of many players are grouped by the Democrat."""
    lists, counts = defaultdict(Markup), Counter(game.democrat for game in report.games)
    for players, games in report.games_by_players.items():
        names = " against ".join(report.labels[name] for name in players)
        lists[players[0]] += _GROUP.format(names, len(games), _PARAGRAPH.format(_links(games)))
    if len(lists) <= _UNGROUPED:
        return _GAMES + Markup().join(lists.values())
    groups = (_GROUP.format(f"{report.labels[name]} as Democrat", counts[name], found) for name, found in lists.items())
    return _GAMES + Markup().join(groups)


def _links(games: Sequence[Outcome]) -> Markup:
    found = Markup()
    for game in games:
        keys = {"seed": game.seed, "democrat": game.democrat, "communist": game.communist, "first": game.first}
        result = "=" if game.result == "draw" else game.result[0].upper()
        found += _LINK.format(_REPLAYS, urlencode(keys), game.vp, result)
    return found

"""The report of a tournament as one HTML page, with links to replays."""

from collections.abc import Sequence
from urllib.parse import urlencode

from markupsafe import Markup

from dawn_agents.match import Outcome
from dawn_agents.reporting.html_page import Passage
from dawn_agents.reporting.tables import Sheet
from dawn_agents.tournament.report_plots import plots
from dawn_agents.tournament.report_tables import sheets
from dawn_agents.tournament.tournament_report import Report
from dawn_env.support.safe_text import escape_text

REPLAYS = "http://127.0.0.1:1989"
"""Where replays are by default: ``dawn web`` on this machine."""
_GAMES = Markup(
    "<p><small>Each links to its replay, which opens while <code>dawn web --results FILE</code> runs with the database "
    "of these results. Shown are VP at the end, Democrat positive, and who won.</small></p>\n"
)
_MEETING = Markup("<details><summary>{}: {}</summary>\n<p>{}</p></details>\n")
_LINK = Markup('<a href="{}/game?{}">{:+d} {}</a>\n')


def sections(report: Report, replays: str | None = None) -> list[Sheet | Passage]:
    """Tables, plots and the list of games; ``replays``: address of the server of replays."""
    return [*sheets(report), *plots(report), Passage("Games", _games(report, replays or REPLAYS))]


def _games(report: Report, replays: str) -> Markup:
    found = _GAMES
    for players, games in report.games_by_players.items():
        names = escape_text(" against ".join(report.labels[name] for name in players))
        found += _MEETING.format(names, len(games), _links(games, replays))
    return found


def _links(games: Sequence[Outcome], replays: str) -> Markup:
    found = Markup()
    for game in games:
        keys = {"seed": game.seed, "democrat": game.democrat, "communist": game.communist, "first": game.first}
        result = "=" if game.result == "draw" else game.result[0].upper()
        found += _LINK.format(replays, urlencode(keys), game.vp, result)
    return found

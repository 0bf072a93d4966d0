"""Tables of a tournament."""

from collections import Counter
from collections.abc import Iterator

from dawn_agents.rating.estimates import percent
from dawn_agents.reporting.tables import Sheet
from dawn_agents.tournament.tournament_report import Meeting, Report, TableRow
from dawn_env.support.safe_text import escape_text

_FORFEITS = 10  # rows of the table of forfeits


def sheets(report: Report) -> Iterator[Sheet]:
    """All tables of a report, one after another."""
    yield standings_sheet(report)
    if any(standing.label != escape_text(standing.name) for standing in report.standings):
        yield programs_sheet(report)
    if report.adjusted:
        yield adjusted_sheet(report)
    yield cross_sheet(report)
    if len(report.standings) > 2:
        yield structure_sheet(report)
    yield reasons_sheet(report)
    if report.failures:
        yield failures_sheet(report)


def standings_sheet(report: Report) -> Sheet:
    """Ratings and scores."""
    anchor, side = report.labels[report.ratings.anchor], "first player" if report.with_bids else "Democrat"
    return Sheet(
        f"{len(report.games)} games; {anchor} = 0 Elo; intervals of 95%",
        ("player", "Elo", "low", "high", "games", "score", "as Democrat", "as Communist", "forfeits", "ms/move"),
        [_standing_cells(standing) for standing in report.standings],
        note=f"Advantage of the {side}: {report.ratings.advantage.text(' Elo', 'z.0f')}; "
        f"weight of draws: {report.ratings.draw.text(form='z.3f')}.",
    )


def _standing_cells(row: TableRow) -> list[str]:
    scores = map(percent, (row.score, row.score_democrat, row.score_communist))
    return [row.label, *row.rating.cells(), str(row.games), *scores, str(row.forfeits), f"{1000 * row.seconds:.3f}"]


def programs_sheet(report: Report) -> Sheet:
    """Specifications of players with another display name."""
    rows = [(row.label, row.name) for row in report.standings if row.label != escape_text(row.name)]
    return Sheet("Programs", ("player", "is"), rows, words=2)


def adjusted_sheet(report: Report) -> Sheet:
    """Ratings and scores without luck beside those with it."""
    rows = [
        (row.label, *row.adjusted.cells(), row.rating.cells()[0], percent(row.score_adjusted), percent(row.score))
        for row in report.standings
        if row.adjusted
    ]
    ratio = "" if report.variance_ratio is None else f"; variance of pairs without/with it {report.variance_ratio:.2f}"
    return Sheet(
        "Luck taken out", ("player", "Elo", "low", "high", "Elo with luck", "score", "score with luck"), rows,
        note=f"Luck is measured in {report.measured} of {len(report.games)} games{ratio}.",
    )  # fmt: skip


def cross_sheet(report: Report) -> Sheet:
    """Score of the row against the column, with the likelihood that it is the stronger one."""
    met = {(meeting.one, meeting.two): meeting for meeting in report.meetings}
    names = [standing.name for standing in report.standings]
    rows = [
        (f"{number} {report.labels[one]}", *(_cross_cell(met.get((one, two))) for two in names))
        for number, one in enumerate(names, 1)
    ]
    note = "Score of the row against the column, pairs, and how likely the row is the stronger."
    return Sheet("Cross table", ("player", *map(str, range(1, len(names) + 1))), rows, note=note)


def _cross_cell(meeting: Meeting | None) -> str:
    return f"{meeting.score:.1%} {meeting.pairs} {meeting.superiority:.0%}" if meeting else ""


def structure_sheet(report: Report) -> Sheet:
    """Each player's meetings with the largest surprise for the better and the worse."""
    rows = []
    for row in report.standings:
        mine = sorted((m for m in report.meetings if m.one == row.name), key=lambda meeting: meeting.surprise)
        ends = (mine[-1], mine[-1].surprise > 0), (mine[0], mine[0].surprise < 0)
        surprises = [_surprise(report, meeting) if fits else "" for meeting, fits in ends]
        rows.append((row.label, *surprises))
    return Sheet("Beyond ratings", ("player", "better than rated against", "worse than rated against"), rows, words=3)


def _surprise(report: Report, meeting: Meeting) -> str:
    """Opponents of a player, the score above expectation, and that in standard errors."""
    more = meeting.score - meeting.expected
    return f"{report.labels[meeting.two]} {more:+z.1%} ({meeting.surprise:+z.1f} s.e.)"


def reasons_sheet(report: Report) -> Sheet:
    """Games by result and reason."""
    rows = [
        (result, reason, str(games), percent(games / len(report.games)))
        for (result, reason), games in sorted(report.reasons.items())
    ]
    return Sheet("Results and reasons", ("result", "reason", "games", "share"), rows, words=2)


def failures_sheet(report: Report) -> Sheet:
    """Table of forfeited games by player and cause, the most frequent first, with the first message of each cause.

    Messages that are equal up to the first semicolon have one cause: the rest depends on the position or quotes the
    program's output.
    """
    games_by_cause, messages = Counter(), {}
    for (name, failure), games in report.failures.items():
        message = failure.removeprefix(f"{escape_text(name)}: ")
        cause = name, message.partition("; ")[0]
        games_by_cause[cause] += games
        messages.setdefault(cause, message)
    rows = [
        (report.labels[cause[0]], messages[cause], str(games)) for cause, games in games_by_cause.most_common(_FORFEITS)
    ]
    more = len(games_by_cause) - len(rows)
    note = f"The first message of each cause{f', and {more} more causes in the file of --json' if more else ''}."
    return Sheet("Forfeits", ("player", "why", "games"), rows, words=2, note=note)

"""Reports as tables for the terminal."""

from collections import Counter
from collections.abc import Iterator, Sequence

from rich.table import Table
from rich.text import Text

from dawn_agents.rating.estimates import Score
from dawn_agents.rating.rating_bounds import elo, elo_cells
from dawn_agents.rating.tournament_ratings import Estimate
from dawn_agents.tournament.tournament_report import Meeting, OfferResult, Report, Standing
from dawn_env.support.safe_text import plain

_BAR = 30  # characters of the longest bar of a histogram


def shown(text: object, style: str = "") -> Text:
    """Text from outside as rich shows it: without markup, control characters written out."""
    return Text(plain(text), style)


def tables(report: Report) -> Iterator[Table]:
    """All tables of a report, one after another."""
    yield standings_table(report)
    if any(standing.label != plain(standing.name) for standing in report.standings):
        yield programs_table(report)
    if report.with_bids:
        yield bids_table(report)
    if report.adjusted:
        yield adjusted_table(report)
    yield cross_table(report)
    if len(report.standings) > 2:
        yield structure_table(report)
    yield reasons_table(report)
    yield histogram_table("VP at the end (Democrat positive)", [game.vp for game in report.games], 5)
    yield histogram_table("Decisions in a game", [game.decisions for game in report.games], 50)
    if report.failures:
        yield failures_table(report)


def standings_table(report: Report) -> Table:
    """Ratings and scores."""
    anchor = report.labels[report.ratings.anchor]
    table = Table(title=shown(f"{len(report.games)} games; {anchor} = 0 Elo; intervals of 95%", "table.title"))
    table.add_column("player")
    for heading in ("Elo", "low", "high", "games", "score", "as Democrat", "as Communist", "forfeits", "ms/move"):
        table.add_column(heading, justify="right")
    for standing in report.standings:
        table.add_row(*_standing_cells(standing))
    table.caption = (
        f"advantage of the {advantaged(report)} {_interval(report.ratings.advantage, 0)} Elo, "
        f"weight of draws {_interval(report.ratings.draw, 3)}"
    )
    return table


def advantaged(report: Report) -> str:
    """Side with the advantage according to the ratings."""
    return "first player" if report.with_bids else "Democrat"


def adjusted_table(report: Report) -> Table:
    """Ratings and scores without luck beside those with it."""
    table = Table(title=f"Luck taken out, measured in {report.measured} of {len(report.games)} games")
    table.add_column("player")
    for heading in ("Elo", "low", "high", "Elo with luck", "score", "score with luck"):
        table.add_column(heading, justify="right")
    for row in report.standings:
        adjusted = map(elo, (row.rating_adjusted, row.low_adjusted, row.high_adjusted))
        table.add_row(
            shown(row.label), *adjusted, rating_cells(row)[0], percent(row.score_adjusted), percent(row.score)
        )
    if report.variance_ratio is not None:
        table.caption = f"variance of pairs without luck / with it {report.variance_ratio:.2f}"
    return table


def structure_table(report: Report) -> Table:
    """Tables of the Nash mixture and of the results that the ratings predict worst."""
    table = Table(title="Beyond ratings: Nash averaging, and the opponents against whom the ratings foretell worst")
    for heading in ("player", "Nash weight", "Nash Elo", "better than rated against", "worse than rated against"):
        table.add_column(heading, justify="right" if heading.startswith("Nash") else "left")
    for row in report.standings:
        mine = sorted((m for m in report.meetings if m.one == row.name), key=lambda meeting: meeting.surprise)
        worse, better = (_surprise(report, meeting) for meeting in (mine[0], mine[-1]))
        table.add_row(shown(row.label), percent(row.nash_weight), f"{row.nash_rating:+z.0f}", better, worse)
    return table


def _surprise(report: Report, meeting: Meeting) -> Text:
    """Opponents of a player, the score above expectation, and that in standard errors."""
    more = meeting.score - meeting.expected
    return shown(f"{report.labels[meeting.two]} {more:+z.1%} ({meeting.surprise:+z.1f} s.e.)")


def bids_table(report: Report) -> Table:
    """Table of the players' offers and their results."""
    table = Table(title="Offers: support points for the side that is given away")
    table.caption = "extra support: mean points that the player, and the opponent, placed after the set-up"
    for heading in OFFER_HEADINGS:
        table.add_column(heading, justify="left" if heading in ("player", "offer") else "right")
    for result in report.offers:
        table.add_row(shown(report.labels[result.name]), *offer_cells(result))
    return table


OFFER_HEADINGS = ("player", "offer", "games", "Democrat", "Communist", "extra support", "opponent's", "score")


def offer_cells(result: OfferResult) -> list[str]:
    """Table cells of an offer below ``OFFER_HEADINGS``, without the player."""
    sides = str(result.as_democrat), str(result.games - result.as_democrat)
    support = f"{result.own_support:.1f}", f"{result.other_support:.1f}"
    return [str(result.offer), str(result.games), *sides, *support, percent(result.score)]


def programs_table(report: Report) -> Table:
    """Specifications of players with another display name."""
    table = Table("player", "is", title="Programs")
    for standing in report.standings:
        if standing.label != plain(standing.name):
            table.add_row(shown(standing.label), shown(standing.name))
    return table


def _standing_cells(standing: Standing) -> list[str | Text]:
    scores = [percent(share) for share in (standing.score, standing.score_democrat, standing.score_communist)]
    counts = [str(standing.forfeits), f"{1000 * standing.seconds:.3f}"]
    return [shown(standing.label), *rating_cells(standing), str(standing.games), *scores, *counts]


def rating_cells(standing: Standing) -> list[str]:
    """Rating, low and high of a player, or the bound."""
    return elo_cells(standing.rating, standing.low, standing.high, standing.beyond)


def percent(share: float | None) -> str:
    """A share of points; a dash when there were none to be had."""
    return "-" if share is None else f"{share:z.1%}"


def _interval(estimate: Estimate, digits: int) -> str:
    return f"{estimate.value:z.{digits}f} ({estimate.low:z.{digits}f} to {estimate.high:z.{digits}f})"


def cross_table(report: Report) -> Table:
    """Score of the row against the column, with the likelihood that it is the stronger one."""
    table = Table(title="Score of the row against the column, pairs, and how likely the row is the stronger")
    table.add_column("player")
    met = {(meeting.one, meeting.two): meeting for meeting in report.meetings}
    names = [standing.name for standing in report.standings]
    for number in range(1, len(names) + 1):
        table.add_column(str(number), justify="right")
    for number, one in enumerate(names, 1):
        table.add_row(shown(f"{number} {report.labels[one]}"), *(_cross_cell(met.get((one, two))) for two in names))
    return table


def _cross_cell(meeting: Meeting | None) -> str:
    return f"{meeting.score:.1%} {meeting.pairs} {meeting.superiority:.0%}" if meeting else ""


def sides_table(report: Report, name: str) -> Table:
    """Results of one player on either side against each other, with bids as the first and as the second."""
    table = Table(title=shown(f"Score of {report.labels[name]} by side; intervals of 95%", "table.title"))
    seats = ("as first", "as second") if report.with_bids else ()
    for heading in ("against", "pairs", "as Democrat", "as Communist", *seats):
        table.add_column(heading, justify="left" if heading == "against" else "right")
    for meeting in report.meetings:
        if meeting.one == name:
            scores = [meeting.as_democrat, meeting.as_communist]
            scores += [meeting.as_first, meeting.as_second] if report.with_bids else []
            table.add_row(shown(report.labels[meeting.two]), str(meeting.pairs), *map(score_cell, scores))
    return table


def score_cell(score: Score) -> str:
    """A share of points with its interval; a dash for no games."""
    if not score.games:
        return "-"
    low, high = score.interval()
    return f"{score.rate:.1%} ({low:.1%} to {high:.1%})"


def reasons_table(report: Report) -> Table:
    """Games by result and reason."""
    table = Table(title="Results and reasons")
    table.add_column("result")
    table.add_column("reason")
    table.add_column("games", justify="right")
    table.add_column("share", justify="right")
    for (result, reason), games in sorted(report.reasons.items()):
        table.add_row(shown(result), shown(reason), str(games), f"{games / len(report.games):.1%}")
    return table


def histogram_table(title: str, numbers: Sequence[int], width: int) -> Table:
    """Histogram of numbers in bins of ``width``."""
    table = Table(title=title)
    table.add_column("from", justify="right")
    table.add_column("to", justify="right")
    table.add_column("games")
    bins = Counter(number // width for number in numbers)
    for place in range(min(bins), max(bins) + 1):
        bar = "#" * round(_BAR * bins[place] / max(bins.values()))
        table.add_row(str(place * width), str(place * width + width - 1), f"{bar} {bins[place]}".lstrip())
    return table


def failures_table(report: Report) -> Table:
    """Forfeited games by player and cause."""
    table = Table(title="Forfeits")
    for heading in ("player", "games", "why"):
        table.add_column(heading)
    for (name, why), games in report.failures.most_common():
        table.add_row(shown(report.labels[name]), str(games), shown(why))
    return table

"""Report on results: standings, meetings of two players, sides, reasons and failures, as numbers and as tables."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from dawn_agents.tournaments.costs import costs_sheet, total_costs
from dawn_agents.tournaments.entrants import labels
from dawn_agents.tournaments.match import Outcome
from dawn_agents.tournaments.rating.estimates import Estimate, Score, beyond, percent, score_of
from dawn_agents.tournaments.rating.pair_results import PairResult, pair_results
from dawn_agents.tournaments.rating.tournament_ratings import Ratings, rate
from dawn_agents.tournaments.reporting.tables import Sheet
from dawn_env.glossary import counted
from dawn_env.support.safe_text import escape_text
from dawn_env.tables import COMMUNIST, DEMOCRAT, SIDES

STANDARD_ANCHOR = "random"
"""The player whose rating is 0 when it takes part."""
_FORFEITS = 10  # rows of the table of forfeits
_PAIR_VARIANCE = 0.125  # of the share of the points in a pair, between players of equal strength


@dataclass(frozen=True)
class TableRow:
    """Results of one player, who is called ``label`` in tables and known by ``name``, the specification.

    Scores are shares of the points played for, None for a side never played; ``seconds``: thinking time per decision.
    ``costs``: sums over all games of what they cost besides, ``decisions`` those of the player. ``adjusted`` and
    ``score_adjusted`` have luck taken out, None where it was not measured.
    """

    name: str
    label: str
    version: str
    options: dict
    rating: Estimate
    adjusted: Estimate | None
    games: int
    score: float
    score_adjusted: float | None
    score_democrat: float | None
    score_communist: float | None
    forfeits: int
    seconds: float
    decisions: int
    costs: dict[str, float]

    def to_json(self) -> dict[str, Any]:
        """One level of JSON values; ``costs`` and ``options`` come last."""
        values = asdict(self)
        options, costs, rating, adjusted = (values.pop(key) for key in ("options", "costs", "rating", "adjusted"))
        names = ("rating_adjusted", "low_adjusted", "high_adjusted")
        without = dict(zip(names, adjusted or (None,) * len(names), strict=False))
        return values | rating.known() | without | {"costs": costs, "options": options}


@dataclass(frozen=True)
class Meeting:
    """The pairs of ``one`` against ``two``, from the point of view of ``one``.

    ``pentanomial``: pairs in which they made 0, 1/2, 1, 3/2, 2 points. ``superiority``: how likely they are
    stronger. ``as_democrat``, ``as_communist``: their games on either side. ``expected``: the score that the ratings
    foretell; ``surprise``: how far the score is above that, in standard errors. ``variance`` of the share of the points
    in a pair. ``score_adjusted``, ``variance_adjusted``: without luck, None where it was not measured.
    """

    one: str
    two: str
    pairs: int
    wins: int
    draws: int
    losses: int
    score: float
    score_adjusted: float | None
    variance: float
    variance_adjusted: float | None
    expected: float
    surprise: float
    pentanomial: list[int]
    superiority: float
    as_democrat: Score
    as_communist: Score


@dataclass(frozen=True)
class Report:
    """Report of a tournament: ratings, standings, cross table and forfeits.

    ``standings`` by rating from the top, ``meetings`` in both directions, ``labels`` by name. ``adjusted``:
    ratings without luck, None where it was measured in no game.
    """

    labels: dict[str, str]
    games: list[Outcome]
    ratings: Ratings
    adjusted: Ratings | None
    standings: list[TableRow]
    meetings: list[Meeting]

    @property
    def reasons(self) -> Counter:
        """Games by (result, reason)."""
        return Counter((game.result, game.reason) for game in self.games)

    @property
    def measured(self) -> int:
        """Games of which the luck is known."""
        return sum(game.luck is not None for game in self.games)

    @property
    def variance_ratio(self) -> float | None:
        """Ratio of the variances of pairs' points about the means of their meetings, without luck and with it."""
        found = [(m.pairs, m.variance_adjusted, m.variance) for m in self.meetings if m.variance_adjusted is not None]
        whole = sum(pairs * variance for pairs, _, variance in found)
        return sum(pairs * adjusted for pairs, adjusted, _ in found) / whole if whole else None

    def to_json(self) -> dict[str, Any]:
        """The report as JSON values; ``pairs`` is the cross table."""
        ratings, reasons, failures = self.ratings, sorted(self.reasons.items()), self.failures.most_common()
        parts = ("value", "low", "high")
        return {
            "anchor": ratings.anchor,
            "games": len(self.games),
            "advantage": dict(zip(parts, ratings.advantage, strict=False)),
            "draw": dict(zip(parts, ratings.draw, strict=False)),
            "luck": {"games": self.measured, "variance_ratio": self.variance_ratio},
            "players": [standing.to_json() for standing in self.standings],
            "pairs": [asdict(meeting) for meeting in self.meetings],
            "reasons": [{"result": result, "reason": why, "games": games} for (result, why), games in reasons],
            "failures": [{"player": name, "failure": why, "games": games} for (name, why), games in failures],
        }

    @property
    def with_bids(self) -> bool:
        """Return True if the players bid for sides."""
        return any(game.first for game in self.games)

    @property
    def games_by_players(self) -> dict[tuple[str, str], list[Outcome]]:
        """Games by (Democrat, Communist), in the order of the standings."""
        order = [standing.name for standing in self.standings]
        found = {(one, two): [] for one in order for two in order}
        for game in self.games:
            found[game.players].append(game)
        return {players: games for players, games in found.items() if games}

    @property
    def failures(self) -> Counter:
        """Forfeited games by (player who failed, why)."""
        return Counter((game.forfeited_by, game.failure) for game in self.games if game.forfeited_by)


def make_report(games: Sequence[Outcome], players: Mapping[str, dict], anchor: str | None = None) -> Report:
    """Report on ``games`` of ``players`` (as ``ResultDatabase.players``).

    The anchor is ``random`` if it has played, else the first player in the alphabet. Games whose mate is missing do
    not count. Raises ``BadInput`` when no pair is complete or the anchor has not played.
    """
    pairs = pair_results(games)
    games, results = [game for game in games if game.seed in pairs], list(pairs.values())
    names = sorted({name for result in results for name in (result.one, result.two)})
    called = labels({name: players[name] for name in names})
    if anchor is None and STANDARD_ANCHOR in names:
        anchor = STANDARD_ANCHOR
    ratings = rate(results, anchor)
    adjusted = rate(results, ratings.anchor, adjusted=True) if any(game.luck is not None for game in games) else None
    standings = [_standing(name, called[name], players[name], ratings, adjusted, games) for name in names]
    standings.sort(key=lambda standing: -standing.rating.value)
    order = [standing.name for standing in standings]
    met, played = defaultdict(list), defaultdict(list)  # by two players: pairs as the first sees them, and games
    for result in results:
        for seen in map(result.seen_by, (result.one, result.two)):
            met[seen.one, seen.two].append(seen)
    for game in games:
        played[frozenset(game.players)].append(game)
    meetings = [
        _meeting(met[one, two], played[frozenset((one, two))], ratings, adjusted is not None)
        for one in order
        for two in order
        if (one, two) in met
    ]
    return Report(called, games, ratings, adjusted, standings, meetings)


def _standing(
    name: str, label: str, player: dict, ratings: Ratings, adjusted: Ratings | None, games: Sequence[Outcome]
) -> TableRow:
    mine = [(game, game.players.index(name)) for game in games if name in game.players]
    score = _mean([game.points[side] for game, side in mine])
    luck = _mean([game.luck_of(side) for game, side in mine])
    by_side = [_mean([game.points[side] for game, side in mine if side == wanted]) for wanted in range(SIDES)]
    decisions = sum(game.moves[side] for game, side in mine)
    rating = ratings.ratings[name]._replace(beyond="" if name == ratings.anchor else beyond(score))
    return TableRow(
        name=name,
        label=label,
        version=player["version"],
        options=player["options"],
        rating=rating,
        adjusted=adjusted.ratings[name] if adjusted else None,
        games=len(mine),
        score=score,
        score_adjusted=score - luck if adjusted else None,
        score_democrat=by_side[DEMOCRAT],
        score_communist=by_side[COMMUNIST],
        forfeits=sum(game.forfeited_by == name for game, _ in mine),
        seconds=sum(game.seconds[side] for game, side in mine) / max(1, decisions),
        decisions=decisions,
        costs=total_costs(games, name),
    )


def _mean(points: Sequence[float]) -> float | None:
    return sum(points) / len(points) if points else None


def _meeting(results: Sequence[PairResult], played: Sequence[Outcome], ratings: Ratings, with_luck: bool) -> Meeting:
    """Meeting of the players of ``results``; ``with_luck``: whether luck was measured."""
    one, two = results[0][:2]
    by_side = (score_of([game.points[side] for game in played if game.players[side] == one]) for side in range(SIDES))
    games = Counter(points for result in results for points in (result.as_democrat, result.as_communist))
    pairs = Counter(result.points for result in results)
    points, adjusted = [r.points / 2 for r in results], [r.adjusted / 2 for r in results]
    expected = ratings.predicted_score(one, two)
    variance = float(np.var(points))
    # of the mean, with one more pair of equals, so that it is not zero where all were alike
    error = math.sqrt((variance * len(points) + _PAIR_VARIANCE) / (len(points) + 1) / len(points))
    return Meeting(
        one=one,
        two=two,
        pairs=len(points),
        wins=games[1.0],
        draws=games[0.5],
        losses=games[0.0],
        score=_mean(points),
        score_adjusted=_mean(adjusted) if with_luck else None,
        variance=variance,
        variance_adjusted=float(np.var(adjusted)) if with_luck else None,
        expected=expected,
        surprise=(_mean(points) - expected) / error,
        pentanomial=[pairs[half / 2] for half in range(5)],
        superiority=float(ratings.superiority[ratings.names.index(one), ratings.names.index(two)]),
        as_democrat=next(by_side),
        as_communist=next(by_side),
    )


# --- tables ------------------------------------------------------------------------------------------


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
    if costs := costs_sheet(report.games, {row.name: row.label for row in report.standings}):
        yield costs
    yield reasons_sheet(report)
    if report.failures:
        yield failures_sheet(report)


def standings_sheet(report: Report) -> Sheet:
    """Ratings and scores."""
    anchor, side = report.labels[report.ratings.anchor], "first player" if report.with_bids else "Democrat"
    rows = []
    for row in report.standings:
        scores = map(percent, (row.score, row.score_democrat, row.score_communist))
        ending = str(row.forfeits), f"{1000 * row.seconds:.3f}"
        rows.append((row.label, *row.rating.cells(), str(row.games), *scores, *ending))
    return Sheet(
        f"{len(report.games)} games; {anchor} = 0 Elo; intervals of 95%",
        ("player", "Elo", "low", "high", "games", "score", "as Democrat", "as Communist", "forfeits", "ms/move"),
        rows,
        note=f"Advantage of the {side}: {report.ratings.advantage.text(' Elo', 'z.0f')}; "
        f"weight of draws: {report.ratings.draw.text(form='z.3f')}.",
    )


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
    note = "Score of the row against the column, and how likely the row is the stronger."
    return Sheet("Cross table", ("player", *map(str, range(1, len(names) + 1))), rows, note=note)


def _cross_cell(meeting: Meeting | None) -> str:
    if not meeting:
        return ""
    return f"{meeting.score:.1%} in {counted(meeting.pairs, 'pair')}, stronger: {meeting.superiority:.0%} likely"


def structure_sheet(report: Report) -> Sheet:
    """Each player's meetings with the largest surprise for the better and the worse."""
    rows = []
    for row in report.standings:
        mine = sorted((m for m in report.meetings if m.one == row.name), key=lambda meeting: meeting.surprise)
        ends = (mine[-1], mine[-1].surprise > 0), (mine[0], mine[0].surprise < 0)
        surprises = [
            f"{report.labels[m.two]} {m.score - m.expected:+z.1%} ({m.surprise:+z.1f} s.e.)" if fits else ""
            for m, fits in ends
        ]
        rows.append((row.label, *surprises))
    note = "The score beyond what the ratings foretell, and the same in standard errors (s.e.): 2 are rare by chance."
    headings = ("player", "better than rated against", "worse than rated against")
    return Sheet("Beyond ratings", headings, rows, words=3, note=note)


def reasons_sheet(report: Report) -> Sheet:
    """Table with the number of games by result and reason."""
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

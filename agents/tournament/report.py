"""What a database of results says: standings, meetings of two players, sides, reasons, lengths and VP."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from agents.match import FORFEIT, Outcome
from agents.score import Score
from agents.tournament.labels import labels
from agents.tournament.ratings import Ratings, rate
from agents.tournament.results import PairResult, pair_results
from dawn_env.bids import Offer
from dawn_env.tables import COMMUNIST, DEMOCRAT

STANDARD_ANCHOR = "random"
"""The player whose rating is 0 when it takes part."""


@dataclass(frozen=True)
class Standing:
    """How one player did. ``rating`` with its 95% interval ``low``, ``high``; scores are shares of the points
    they played for, None for a side they never played; ``seconds``: thinking time per decision. ``label``: what
    they are called in tables; they are known by their ``name``, the specification."""

    name: str
    label: str
    version: str
    options: dict
    rating: float
    low: float
    high: float
    games: int
    score: float
    score_democrat: float | None
    score_communist: float | None
    forfeits: int
    seconds: float


@dataclass(frozen=True)
class Meeting:
    """The pairs of ``one`` against ``two``, from the point of view of ``one``.

    ``pentanomial``: pairs in which they made 0, 1/2, 1, 3/2, 2 points. ``superiority``: how likely they are
    stronger. ``as_democrat``, ``as_communist``: their games on either side.
    """

    one: str
    two: str
    pairs: int
    wins: int
    draws: int
    losses: int
    score: float
    pentanomial: list[int]
    superiority: float
    as_democrat: Score
    as_communist: Score


@dataclass(frozen=True)
class Report:
    """All of it; ``standings`` by rating from the top, ``meetings`` in both directions. ``labels`` by name."""

    labels: dict[str, str]
    games: list[Outcome]
    ratings: Ratings
    standings: list[Standing]
    meetings: list[Meeting]

    @property
    def reasons(self) -> Counter:
        """Games by (result, reason)."""
        return Counter((game.result, game.reason) for game in self.games)

    @property
    def with_bids(self) -> bool:
        """Whether the players bid for sides."""
        return any(game.first for game in self.games)

    @property
    def bids(self) -> dict[tuple[str, Offer], list[tuple[int, float]]]:
        """By player and offer: the side it gave them in each game, and the points they made."""
        found = defaultdict(list)
        for game in self.games:
            firsts = sorted(game.players, key=lambda name: name != game.first)
            for name, offer in zip(firsts, game.offers, strict=False):
                side = game.players.index(name)
                found[name, offer].append((side, game.points[side]))
        return found

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
        return Counter((loser(game), game.failure) for game in self.games if game.reason == FORFEIT)


def make_report(games: Sequence[Outcome], players: Mapping[str, dict], anchor: str | None = None, **fit) -> Report:
    """Report on ``games`` of ``players`` (as ``Store.players``); ``fit``: further arguments of ``rate``.

    The anchor is ``random`` if it has played, else the first player in the alphabet. Games whose mate is missing do
    not count. Raises ``TournamentError`` when no pair is complete or the anchor has not played.
    """
    pairs = pair_results(games)
    games, results = [game for game in games if game.seed in pairs], list(pairs.values())
    names = sorted({name for result in results for name in (result.one, result.two)})
    called = labels({name: players[name] for name in names})
    if anchor is None and STANDARD_ANCHOR in names:
        anchor = STANDARD_ANCHOR
    ratings = rate(results, anchor, **fit)
    standings = [_standing(name, called[name], players[name], ratings, games) for name in names]
    standings.sort(key=lambda standing: -standing.rating)
    order = [standing.name for standing in standings]
    met = _points_of_meetings(results)
    meetings = [_meeting(one, two, met[one, two], ratings) for one in order for two in order if (one, two) in met]
    return Report(called, games, ratings, standings, meetings)


def loser(game: Outcome) -> str:
    """Who lost a game that was not drawn."""
    return game.communist if game.points[DEMOCRAT] else game.democrat


def _standing(name: str, label: str, player: dict, ratings: Ratings, games: Sequence[Outcome]) -> Standing:
    mine = [game for game in games if name in game.players]
    democrat, communist = ([game for game in mine if game.players[side] == name] for side in (DEMOCRAT, COMMUNIST))
    as_democrat = [game.points[DEMOCRAT] for game in democrat]
    as_communist = [game.points[COMMUNIST] for game in communist]
    seconds = sum(game.seconds[DEMOCRAT] for game in democrat) + sum(game.seconds[COMMUNIST] for game in communist)
    moves = sum(game.moves[DEMOCRAT] for game in democrat) + sum(game.moves[COMMUNIST] for game in communist)
    rating = ratings.ratings[name]
    return Standing(
        name=name,
        label=label,
        version=player["version"],
        options=player["options"],
        rating=rating.value,
        low=rating.low,
        high=rating.high,
        games=len(mine),
        score=_mean(as_democrat + as_communist),
        score_democrat=_mean(as_democrat),
        score_communist=_mean(as_communist),
        forfeits=sum(game.reason == FORFEIT and loser(game) == name for game in mine),
        seconds=seconds / max(1, moves),
    )


def _mean(points: Sequence[float]) -> float | None:
    return sum(points) / len(points) if points else None


def _points_of_meetings(results: Sequence[PairResult]) -> dict[tuple[str, str], list[tuple[float, float]]]:
    """What the first of two players made in the games of each pair, for both orders of the two."""
    met = defaultdict(list)
    for one, two, as_democrat, as_communist in results:
        met[one, two].append((as_democrat, as_communist))
        met[two, one].append((1 - as_communist, 1 - as_democrat))
    return met


def _meeting(one: str, two: str, points: Sequence[tuple[float, float]], ratings: Ratings) -> Meeting:
    games = Counter(points_of_game for pair in points for points_of_game in pair)
    pairs = Counter(sum(pair) for pair in points)
    place = {name: row for row, name in enumerate(ratings.names)}
    return Meeting(
        one=one,
        two=two,
        pairs=len(points),
        wins=games[1.0],
        draws=games[0.5],
        losses=games[0.0],
        score=(games[1.0] + games[0.5] / 2) / (2 * len(points)),
        pentanomial=[pairs[half / 2] for half in range(5)],
        superiority=float(ratings.superiority[place[one], place[two]]),
        as_democrat=_score([as_democrat for as_democrat, _ in points]),
        as_communist=_score([as_communist for _, as_communist in points]),
    )


def _score(points: Sequence[float]) -> Score:
    """Of games that brought so many points each."""
    return Score(len(points), points.count(1.0), points.count(0.5))

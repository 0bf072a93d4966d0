"""Reports of an evaluation: JSON, a table and a sentence."""

from bisect import bisect
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from dawn_agents.match import FORFEIT, Outcome
from dawn_agents.rating.estimates import Estimate, Score, points
from dawn_agents.reporting.tables import Sheet
from dawn_agents.strength.rating_scale import Rated, Scale
from dawn_agents.strength.strength_estimate import Goal, StrengthEstimate
from dawn_agents.tournament.tournament_report import loser
from dawn_env.tables import SIDE_NAMES


@dataclass(frozen=True)
class StrengthResult:
    """The end of an evaluation of ``player``, who is called ``label``."""

    player: str
    label: str
    goal: Goal
    evaluation: StrengthEstimate
    games: Sequence[Outcome]

    @cached_property
    def rated(self) -> Rated:
        """Ratings in the mean of both sides, and on either."""
        return self.evaluation.rated()

    @property
    def scale(self) -> Scale:
        """Conditions of the measurement."""
        return self.evaluation.scale

    @property
    def by_side(self) -> np.ndarray:
        """int64 [2, 3]: games by side and points: 0, 1/2, 1."""
        return self.evaluation.tallies.sum(axis=1)

    @property
    def rating(self) -> Estimate:
        """Main result: the rating in the mean of both sides, or of the side that was measured."""
        side = self.evaluation.side
        return self.rated.both if side is None else self.rated[1 + side]

    @property
    def forfeits(self) -> list[Outcome]:
        """Games that the player lost by forfeit."""
        return [game for game in self.games if game.reason == FORFEIT and loser(game) == self.player]


def _score(counts: np.ndarray) -> Score:
    _, drawn, won = counts.tolist()
    return Score(int(counts.sum()), won, drawn)


def to_json(found: StrengthResult) -> dict[str, Any]:
    """Ratings in Elo on the standing scale; scores are shares of the points played for."""
    sides = zip(SIDE_NAMES, (found.rated.democrat, found.rated.communist), found.by_side, strict=True)
    origin = found.scale.origin
    return {
        "player": found.player,
        "label": found.label,
        **found.rating.known(),
        "games": found.evaluation.games,
        "score": _score(found.by_side.sum(axis=0)).rate,
        **{side: _side_json(rating, counts) for side, rating, counts in sides},
        "reached": found.evaluation.reached(found.goal),
        "precision": found.goal.precision,
        "budget": found.goal.budget,
        "forfeits": len(found.forfeits),
        "opponents": [_opponent_json(found, place) for place in _met(found)],
        "scale": {key: origin[key] for key in ("date", "engine") if key in origin},
    }


def _side_json(rating: Estimate, counts: np.ndarray) -> dict[str, Any]:
    """None for what was not measured."""
    values, points = rating.known(), _points(counts)
    return (values if points["games"] else dict.fromkeys(values) | {"beyond": ""}) | points


def _points(counts: np.ndarray) -> dict[str, Any]:
    score = _score(counts)
    return {"games": score.games, "score": score.rate if score.games else None}


def _met(found: StrengthResult) -> list[int]:
    """Places on the scale of those who have been met."""
    return np.flatnonzero(found.evaluation.tallies.sum(axis=(0, 2))).tolist()


def _opponent_json(found: StrengthResult, place: int) -> dict[str, Any]:
    rung = found.scale.rungs[place]
    return {"name": rung.name, "version": rung.version, "rating": found.scale.ratings()[rung.name].both.value} | {
        side: _points(counts) for side, counts in zip(SIDE_NAMES, found.evaluation.tallies[:, place], strict=True)
    }


def opponents_sheet(found: StrengthResult) -> Sheet:
    """The opponents, their ratings, and the player's results on either side."""
    rows, ratings = [], found.scale.ratings()
    for place in _met(found):
        name, counts = found.scale.names[place], found.evaluation.tallies[:, place]
        rating, games = points(ratings[name].both.value), str(counts.sum(axis=1).max())
        rows.append((name, rating, games, *(str(_score(of_side)) for of_side in counts)))
    title = f"Games of {found.label} on the standing scale; intervals of 95%"
    return Sheet(title, ("against", "Elo", "games a side", "as Democrat", "as Communist"), rows)


def sentence(found: StrengthResult) -> str:
    """Rating of the player in a sentence."""
    if found.evaluation.side is None:
        sides = f"{found.rated.democrat.text()} as Democrat, {found.rated.communist.text()} as Communist"
    else:
        sides = f"as {SIDE_NAMES[found.evaluation.side].capitalize()} alone"
    return (
        f"{found.label}: {found.rating.text(' Elo')} on the standing scale, {sides}, "
        f"{found.evaluation.games} games; {_place(found)}"
    )


def _one_sided(rated: Rated) -> str:
    """The sides of which all games were won, or lost."""
    results = {"above": "won", "below": "lost"}
    sides = [(side, results.get(rating.beyond)) for side, rating in zip(SIDE_NAMES, rated[1:], strict=True)]
    phrases = [f"as {side.capitalize()} were {result}" for side, result in sides if result]
    return "all games " + " and ".join(phrases)


def _place(found: StrengthResult) -> str:
    """Neighbours on the scale."""
    if found.rating.beyond:
        return f"{_one_sided(found.rated)}, so no more than this bound is known"
    side = found.evaluation.side
    ratings = {name: rated[0 if side is None else 1 + side].value for name, rated in found.scale.ratings().items()}
    values, (value, low, high, _) = list(ratings.values()), found.rating
    at = bisect(values, value)
    names = [f"{name} ({points(rating)})" for name, rating in ratings.items()]
    if at == 0:
        return f"{'weaker than' if high < values[0] else 'about as strong as'} {names[0]}"
    if at == len(names):
        return f"{'stronger than' if low > values[-1] else 'about as strong as'} {names[-1]}"
    return f"between {names[at - 1]} and {names[at]}"

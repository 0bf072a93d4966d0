"""Reports of an evaluation: JSON, a table and a sentence."""

from bisect import bisect
from typing import Any

import numpy as np

from dawn_agents.tournaments.rating.estimates import Estimate, Score, points
from dawn_agents.tournaments.reporting.tables import Sheet
from dawn_agents.tournaments.strength.rating_scale import Rated
from dawn_agents.tournaments.strength.strength_estimate import Goal, StrengthEstimate
from dawn_env.tables import SIDE_NAMES


def _score(counts: np.ndarray) -> Score:
    _, drawn, won = counts.tolist()
    return Score(int(counts.sum()), won, drawn)


def to_json(found: StrengthEstimate, player: str, label: str, goal: Goal, forfeits: int) -> dict[str, Any]:
    """Ratings in Elo on the standing scale; scores are shares of the points played for. ``label`` of the ``player``."""
    rated, origin = found.rated(), found.scale.origin
    sides = zip(SIDE_NAMES, (rated.democrat, rated.communist), found.by_side, strict=True)
    return {
        "player": player,
        "label": label,
        **found.main(rated).known(),
        "games": found.games,
        "score": _score(found.by_side.sum(axis=0)).rate,
        **{side: _side_json(rating, counts) for side, rating, counts in sides},
        "reached": found.reached(goal),
        "precision": goal.precision,
        "budget": goal.budget,
        "forfeits": forfeits,
        "opponents": [_opponent_json(found, place) for place in _met(found)],
        "scale": {key: origin[key] for key in ("date", "engine") if key in origin},
    }


def _side_json(rating: Estimate, counts: np.ndarray) -> dict[str, Any]:
    """Rating and points of a side as JSON values; None for what was not measured."""
    values, points = rating.known(), _points(counts)
    return (values if points["games"] else dict.fromkeys(values) | {"beyond": ""}) | points


def _points(counts: np.ndarray) -> dict[str, Any]:
    score = _score(counts)
    return {"games": score.games, "score": score.rate if score.games else None}


def _met(found: StrengthEstimate) -> list[int]:
    """Places on the scale of those who have been met."""
    return np.flatnonzero(found.tallies.sum(axis=(0, 2))).tolist()


def _opponent_json(found: StrengthEstimate, place: int) -> dict[str, Any]:
    rung = found.scale.rungs[place]
    return {"name": rung.name, "version": rung.version, "rating": found.scale.ratings()[rung.name].both.value} | {
        side: _points(counts) for side, counts in zip(SIDE_NAMES, found.tallies[:, place], strict=True)
    }


def opponents_sheet(found: StrengthEstimate, label: str) -> Sheet:
    """The opponents, their ratings, and the results of the player, who is called ``label``, on either side."""
    rows, ratings = [], found.scale.ratings()
    for place in _met(found):
        name, counts = found.scale.names[place], found.tallies[:, place]
        rating, games = points(ratings[name].both.value), str(counts.sum(axis=1).max())
        rows.append((name, rating, games, *(str(_score(of_side)) for of_side in counts)))
    title = f"Games of {label} on the standing scale; intervals of 95%"
    return Sheet(title, ("against", "Elo", "games a side", "as Democrat", "as Communist"), rows)


def sentence(found: StrengthEstimate, label: str) -> str:
    """Rating of the player, who is called ``label``, in a sentence."""
    rated = found.rated()
    if found.side is None:
        sides = f"{rated.democrat.text()} as Democrat, {rated.communist.text()} as Communist"
    else:
        sides = f"as {SIDE_NAMES[found.side].capitalize()} alone"
    rating = found.main(rated).text(" Elo")
    return f"{label}: {rating} on the standing scale, {sides}, {found.games} games; {_place(found, rated)}"


def _place(found: StrengthEstimate, rated: Rated) -> str:
    """Neighbours on the scale."""
    value, low, high, beyond = found.main(rated)
    if beyond:
        results = {"above": "won", "below": "lost"}
        sides = [(side, results.get(rating.beyond)) for side, rating in zip(SIDE_NAMES, rated[1:], strict=True)]
        phrases = [f"as {side.capitalize()} were {result}" for side, result in sides if result]
        return f"all games {' and '.join(phrases)}, so no more than this bound is known"
    ratings = {name: found.main(rung).value for name, rung in found.scale.ratings().items()}
    values = list(ratings.values())
    at = bisect(values, value)
    names = [f"{name} ({points(rating)})" for name, rating in ratings.items()]
    if at == 0:
        return f"{'weaker than' if high < values[0] else 'about as strong as'} {names[0]}"
    if at == len(names):
        return f"{'stronger than' if low > values[-1] else 'about as strong as'} {names[-1]}"
    return f"between {names[at - 1]} and {names[at]}"

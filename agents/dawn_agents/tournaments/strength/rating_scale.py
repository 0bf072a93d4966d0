"""The standing scale: players of known strength, kept in a file, against which others are measured.

Ratings are Elo, by side and in the mean of both sides; ``random`` has 0. ``docs/how-to/tournaments.md`` describes the
file, and ``scripts/laboratory/measure_scale.py`` makes it.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from dawn_agents.tournaments.rating.estimates import ELO, Estimate, Z
from dawn_env.errors import BadInput
from dawn_env.support.safe_text import escape_text, short_repr
from dawn_env.tables import COMMUNIST, DEMOCRAT, SIDE_NAMES
from dawn_env.validation.untrusted_json import read_format

STANDING = Path(__file__).with_name("scale.json")
"""The scale that comes with the project."""
FORMAT = 1
ZERO = "random"
"""The player rated 0, on either side."""
YARDSTICK = "heuristic"
"""The player whose rating counts as exact: the intervals are those of the distance from it."""
WEIGHTS = {None: (0.5, 0.5), DEMOCRAT: (1.0, 0.0), COMMUNIST: (0.0, 1.0)}
"""Share of either side in the rating, by the side that is measured; None for both. In the order of ``Rated``."""
_LONGEST = 2**22  # bytes of a file
_REACH = 400.0  # Elo, by which a game won or lost counts above or below the opponent in a reward


class ScalePlayer(NamedTuple):
    """A player of a scale: ``version`` as in ``Player``, thinking time of most games in ``seconds``, games played."""

    name: str
    version: str
    seconds: float
    games: int


class Rated(NamedTuple):
    """A player's ratings: in the mean of both sides, and on either."""

    both: Estimate
    democrat: Estimate
    communist: Estimate


@dataclass(frozen=True)
class Scale:
    """Players, weakest first, and what is known about their ratings.

    ``mean`` float [2 K + 2]: ratings of the K players as Democrat and as Communist and the advantage of the Democrat,
    in units of log odds, and ln of the weight of draws; ``covariance`` [2 K + 2, 2 K + 2] of these. ``origin``: how it
    was made: ``date``, ``engine``, ``seed``, ``command``, ``meetings``.
    """

    rungs: tuple[ScalePlayer, ...]
    mean: np.ndarray
    covariance: np.ndarray
    origin: dict[str, Any]

    @property
    def names(self) -> list[str]:
        """The players."""
        return [rung.name for rung in self.rungs]

    def ratings(self) -> dict[str, Rated]:
        """Ratings of the players by name."""
        return {
            rung.name: Rated(*(self._estimate(place, weights) for weights in WEIGHTS.values()))
            for place, rung in enumerate(self.rungs)
        }

    def _estimate(self, place: int, weights: tuple[float, float]) -> Estimate:
        direction = np.zeros(len(self.mean))
        direction[[place, len(self.rungs) + place]] = weights
        rating = float(ELO * direction @ self.mean)
        reach = Z * ELO * float(np.sqrt(max(0.0, direction @ self.covariance @ direction)))
        return Estimate(rating, rating - reach, rating + reach)

    def of(self, names: Collection[str]) -> "Scale":
        """The scale of these players alone."""
        count = len(self.rungs)
        kept = [place for place, rung in enumerate(self.rungs) if rung.name in names]
        rows = [*kept, *(count + place for place in kept), 2 * count, 2 * count + 1]
        rungs = tuple(self.rungs[place] for place in kept)
        return replace(self, rungs=rungs, mean=self.mean[rows], covariance=self.covariance[np.ix_(rows, rows)])


def read_scale(path: Path = STANDING) -> Scale:
    """The scale in a file; raises ``BadInput``."""
    remedy = "scripts/laboratory/measure_scale.py makes the scale"
    told = read_format(path, "scale of ratings", FORMAT, most=_LONGEST, remedy=remedy)
    try:
        rungs = tuple(
            ScalePlayer(str(one["name"]), str(one["version"]), float(one["seconds"]), int(one["games"]))
            for one in told["players"]
        )
        size = 2 * len(rungs) + 2
        mean = np.array(told["parameters"], float).reshape(size)
        covariance = np.array(told["covariance"], float).reshape(size, size)
        if not (np.isfinite(mean).all() and np.isfinite(covariance).all() and len({rung.name for rung in rungs}) > 1):
            raise ValueError("numbers, and at least two players, expected")
    except (KeyError, TypeError, ValueError) as error:
        raise BadInput(
            f"{escape_text(path)}: damaged scale of ratings: {type(error).__name__}: {escape_text(error)}"
        ) from None
    derived = ("format", "zero", "yardstick", "players", "parameters", "covariance")
    return Scale(rungs, mean, covariance, {key: value for key, value in told.items() if key not in derived})


def rubric(result: str, side: int, opponent: str, answers: int, illegal: int = 0) -> dict[str, float]:
    """Rewards of one game for trainers of language models, by name, as rubrics of ``verifiers`` and OpenEnv take them.

    ``legal``: share of its ``answers`` that were not ``illegal``; ``result``: points made, 1, 1/2 or 0; ``ladder``: Elo
    of the ``opponent``, a player of the standing scale, on its side, and 400 more or less for a game won or lost. The
    mean of ``ladder`` over games against equals estimates the player's own Elo. Raises ``BadInput`` for others.
    """
    ratings = read_scale().ratings()
    if opponent not in ratings:
        raise BadInput(f"opponent: a player of the standing scale expected, not {short_repr(opponent)}")
    points = {SIDE_NAMES[side]: 1.0, SIDE_NAMES[1 - side]: 0.0}.get(result, 0.5)
    theirs = ratings[opponent][2 - side].value  # both sides, Democrat, Communist
    legal = 1 - illegal / answers if answers else 1.0
    return {"legal": legal, "result": points, "ladder": theirs + _REACH * (2 * points - 1)}

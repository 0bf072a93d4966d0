"""Ratings from pairs of games, in Elo: a rating for each player, and an advantage of the Democrat.

The two games of a pair share their deal, and luck may have been taken out of their points; both show in the intervals.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from dawn_agents.tournaments.rating.estimates import ELO, Estimate
from dawn_agents.tournaments.rating.pair_results import Meetings, PairResult
from dawn_agents.tournaments.rating.result_model import Posterior, model_of
from dawn_env.errors import BadInput


@dataclass(frozen=True)
class Ratings:
    """Elo ratings by name, the ``anchor`` being 0.

    ``superiority`` float [n, n]: how likely the player of the row is stronger than that of the column, in
    the order of ``names``. ``advantage``: of the Democrat, in Elo. ``draw``: v, the weight of a draw.
    """

    names: list[str]
    anchor: str
    ratings: dict[str, Estimate]
    superiority: np.ndarray
    advantage: Estimate
    draw: Estimate

    def predicted_score(self, one: str, two: str) -> float:
        """Share of the points to be expected of ``one`` in pairs against ``two``."""
        ahead = self.ratings[one].value - self.ratings[two].value
        lead = np.array([ahead + self.advantage.value, ahead - self.advantage.value]) / ELO
        odds = np.exp(-lead / 2), np.full(2, self.draw.value), np.exp(lead / 2)
        return float(((odds[2] + odds[1] / 2) / sum(odds)).mean())


def rate(results: Sequence[PairResult], anchor: str | None = None, adjusted: bool = False) -> Ratings:
    """Fit the model; ``anchor`` is the first name in the alphabet unless given. ``adjusted``: luck is taken out.

    Raises ``BadInput`` without results or with an unknown anchor.
    """
    meetings = Meetings(results)
    names = meetings.names
    anchor = names[0] if anchor is None else anchor
    if anchor not in names:
        raise BadInput(f"anchor {anchor!r} has played no pair; players: {', '.join(names)}")
    model = model_of(meetings.leads())
    if adjusted:
        meetings = Meetings(results, model.probabilities(Posterior(model, meetings.tallies).best))
    fitted = Posterior(model, meetings.tallies, meetings)
    above_anchor = np.eye(len(names), len(names) + 2)
    above_anchor[:, names.index(anchor)] -= 1
    rows = fitted.estimates(np.concatenate([above_anchor, np.eye(len(names) + 2)[-2:]]))
    *ratings, advantage = (Estimate(*row) for row in (ELO * rows[:-1]).tolist())
    return Ratings(
        names=names, anchor=anchor, ratings=dict(zip(names, ratings, strict=True)),
        superiority=_superiority(fitted, len(names)), advantage=advantage, draw=Estimate(*np.exp(rows[-1]).tolist()),
    )  # fmt: skip


def _superiority(fitted: Posterior, count: int) -> np.ndarray:
    """float64 [n, n]: how likely each player is stronger than each other, by how unlikely they are equal."""
    one, two = np.triu_indices(count, 1)
    found = np.full((count, count), 0.5)
    deviations = fitted.deviations(np.eye(count, count + 2)[one] - np.eye(count, count + 2)[two])
    found[one, two] = [NormalDist().cdf(deviation) for deviation in deviations.tolist()]
    found[two, one] = 1 - found[one, two]
    return found

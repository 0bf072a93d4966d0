"""Matches of the policies against the anchors, and what is said about them."""

import math
from collections.abc import Mapping

from rich.table import Table

from agents.match import Pairing, play_games
from agents.score import Score
from agents.training.learner import Policy
from dawn_env.options import STANDARD, GameOptions
from dawn_env.players import Player
from dawn_env.support.progress import tracked
from dawn_env.tables import SIDE_NAMES

_NOISE = 3  # standard errors: two would often be exceeded, as the best of many rates was lucky


Scores = dict[tuple[str, str], Score]
"""By (side of the policy, anchor)."""


def evaluate(
    policies: Mapping[str, Policy],
    anchors: Mapping[str, Player],
    games: int,
    width: int,
    seed: int,
    options: GameOptions = STANDARD,
) -> Scores:
    """Each policy, on its side, against each anchor, as well as it can; ``seed`` is of the first game."""
    return {
        (side, spec): _match(policy.player("policy"), side, anchor, games, width, seed, options)
        for side, policy in policies.items()
        for spec, anchor in anchors.items()
    }


def _match(policy: Player, side: str, anchor: Player, games: int, width: int, seed: int, options: GameOptions) -> Score:
    players = (policy, anchor) if side == SIDE_NAMES[0] else (anchor, policy)
    pairings = [Pairing(seed + game, *players) for game in range(games)]
    playing, title = play_games(pairings, width, options), f"the {side} against {anchor.name}"
    played = tracked(playing, title, games, "games", keep=False)
    results = [outcome.result for _, outcome in played]
    return Score(games, results.count(side), results.count("draw"))


def mean_rate(scores: Scores, side: str) -> float:
    """Mean rate of points of a side over the anchors."""
    rates = [score.rate for (policy, _), score in scores.items() if policy == side]
    return sum(rates) / len(rates)


def falls(before: Scores, now: Scores) -> list[str]:
    """One line for each rate that is lower than its best so far by more than noise."""
    lines = []
    for key, score in now.items():
        best = before.get(key)
        if best and best.rate - score.rate > _NOISE * math.hypot(best.error, score.error):
            side, anchor = key
            lines.append(f"{side} against {anchor}: {score.rate:.1%}, after {best.rate:.1%} before")
    return lines


def score_table(scores: Scores, title: str) -> Table:
    """The scores for people."""
    table = Table(title=title)
    for column in ("policy", "against", "games", "wins", "draws", "points", "95 % interval"):
        table.add_column(column, justify="left" if column in ("policy", "against") else "right")
    for (side, anchor), score in scores.items():
        low, high = score.interval()
        cells = (score.games, score.wins, score.draws, f"{score.rate:.1%}", f"{low:.1%} ... {high:.1%}")
        table.add_row(side, anchor, *map(str, cells))
    return table


def flat(scores: Scores) -> dict[str, float]:
    """Rates for logs, by ``anchor/SIDE/ANCHOR``."""
    return {f"anchor/{side}/{anchor}": score.rate for (side, anchor), score in scores.items()}

"""Matches of the policies against the anchors, and what is said about them."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import product

import numpy as np

from dawn_agents.tournaments.match import Pairing, play_games
from dawn_agents.tournaments.rating.estimates import Score
from dawn_agents.tournaments.reporting.tables import Sheet
from dawn_agents.training.learner import Policy
from dawn_env.bids import offer_of, sample_offers, support_given
from dawn_env.options import STANDARD, GameOptions
from dawn_env.players import Player
from dawn_env.support.progress_bars import ProgressBar
from dawn_env.tables import SIDE_NAMES

Scores = dict[tuple[str, str], Score]
"""By (side of the policy, anchor)."""


class MatchesStopped(Exception):
    """Raised by ``evaluate`` when a stop was requested before all games were played."""


def evaluate(
    policies: Mapping[str, Policy],
    anchors: Mapping[str, Player],
    games: int,
    width: int,
    seed: int,
    options: GameOptions = STANDARD,
    sample: bool = False,
    stopped: Callable[[], bool] = lambda: False,
) -> Scores:
    """Scores of each policy, on its side, against each anchor; ``seed`` is of the first game.

    ``sample``: whether actions are drawn by their probabilities; else the likeliest are taken. ``width``: games side by
    side. Raises ``MatchesStopped`` once ``stopped()`` is True, asked whenever a game has ended.
    """
    players = {side: policy.player("policy", sample=sample) for side, policy in policies.items()}
    scores = {}
    with ProgressBar("matches", games * len(players) * len(anchors), "games", keep=False) as gauge:
        for (side, player), (spec, anchor) in product(players.items(), anchors.items()):
            pair, results = (player, anchor) if side == SIDE_NAMES[0] else (anchor, player), Counter()
            for agreed, seeds in _agreed(options, anchor, range(seed, seed + games)).items():
                for _, outcome in play_games([Pairing(seed, *pair) for seed in seeds], width, agreed):
                    results[outcome.result] += 1
                    gauge.update(1)
                    if stopped():
                        raise MatchesStopped
            scores[side, spec] = Score(games, results[side], results["draw"])
    return scores


def _agreed(options: GameOptions, anchor: Player, seeds: Sequence[int]) -> dict[GameOptions, Sequence[int]]:
    """Seeds by options of games in which sides are given: with a bid, those that offers around the anchor's come to."""
    if not options.bid:
        return {options: seeds}
    even = [offer_of(anchor, options)] * len(seeds)
    games: dict[GameOptions, list[int]] = {}
    for seed, offers in zip(seeds, sample_offers(even, np.array(seeds)).tolist(), strict=True):
        games.setdefault(GameOptions(support_given(offers)), []).append(seed)
    return games


def mean_rate(scores: Scores, side: str) -> float:
    """Mean rate of points of a side over the anchors."""
    rates = [score.rate for (policy, _), score in scores.items() if policy == side]
    return sum(rates) / len(rates)


def score_table(scores: Scores, title: str) -> Sheet:
    """The scores for people."""
    rows = []
    for (side, anchor), score in scores.items():
        low, high = score.interval()
        cells = (score.games, score.wins, score.draws, f"{score.rate:.1%}", f"{max(0, low):.1%} ... {high:.1%}")
        rows.append((side, anchor, *map(str, cells)))
    return Sheet(title, ("policy", "against", "games", "wins", "draws", "points", "95 % interval"), rows, words=2)

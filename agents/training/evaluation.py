"""Matches of the policies against the anchors, and what is said about them."""

import math
from collections.abc import Mapping, Sequence
from itertools import chain

import numpy as np
from rich.table import Table

from agents.match import Pairing, play_games
from agents.score import Score
from agents.training.learner import Policy
from dawn_env.bids import checked_offer, support_given
from dawn_env.made_bids import offers_around
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
    playing = chain.from_iterable(
        play_games([Pairing(deal, *players) for deal in deals], width, agreed)
        for agreed, deals in _agreed(options, anchor, range(seed, seed + games)).items()
    )
    played = tracked(playing, f"the {side} against {anchor.name}", games, "games", keep=False)
    results = [outcome.result for _, outcome in played]
    return Score(games, results.count(side), results.count("draw"))


def _agreed(options: GameOptions, anchor: Player, seeds: Sequence[int]) -> dict[GameOptions, Sequence[int]]:
    """Seeds by options of games in which sides are given: with a bid, those that offers around the anchor's come to."""
    if not options.bid:
        return {options: seeds}
    even = [checked_offer(anchor.bid(options), anchor.name)] * len(seeds)
    games: dict[GameOptions, list[int]] = {}
    for seed, offers in zip(seeds, offers_around(even, np.array(seeds)).tolist(), strict=True):
        games.setdefault(GameOptions(support_given(offers)), []).append(seed)
    return games


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

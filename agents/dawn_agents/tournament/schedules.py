"""Schedules of pairs and deals: round-robin, gauntlet and Swiss tournaments of pairs of games.

A schedule is an iterator over rounds, each a list of pairs; a round is asked for when the ones before it
have been played. The seed of a pair depends on the seed of the tournament, its two players and how often
they have met, so that a longer or larger tournament contains the games of a smaller one.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

FORMATS = ("round-robin", "gauntlet", "swiss")
POINTS_OF_A_PAIR = 2  # a game is worth one point
_BYE = ""  # stands for the opponent of a player who has none in a round

Points = Callable[[Sequence["Pair"]], Mapping[str, float]]
"""Points that each player has made in some pairs."""


@dataclass(frozen=True)
class Pair:
    """Two games between two players on the same deal (deck, dice): each plays both sides once."""

    seed: int
    one: str
    two: str


def pair_seed(seed: int, one: str, two: str, number: int) -> int:
    """Seed of the games of the ``number``-th pair of two players, whichever is named first."""
    text = "\n".join([str(seed), str(number), *sorted((one, two))])
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8]) >> 1


def meeting(one: str, two: str, numbers: range, seed: int, label: str = "") -> list[Pair]:
    """The pairs with these ``numbers`` of two players; deals follow from ``label``, if given, in place of ``one``."""
    return [Pair(pair_seed(seed, label or one, two, number), one, two) for number in numbers]


def schedule(
    form: str, names: Sequence[str], pairs: int, seed: int, rounds: int, points: Points
) -> Iterator[list[Pair]]:
    """Rounds of a tournament of the format ``form``; ``pairs`` for each meeting of two players.

    ``rounds`` and ``points`` are for Swiss tournaments.
    """
    if form == "swiss":
        return swiss(names, pairs, seed, rounds, points)
    return iter([round_robin(names, pairs, seed) if form == "round-robin" else gauntlet(names, pairs, seed)])


def pair_count(form: str, players: int, pairs: int, rounds: int) -> int:
    """Number of pairs of a tournament."""
    meetings = {
        "round-robin": players * (players - 1) // 2,
        "gauntlet": players - 1,
        "swiss": players // 2 * rounds,
    }
    return meetings[form] * pairs


def round_robin(names: Sequence[str], pairs: int, seed: int) -> list[Pair]:
    """Round robin of all players."""
    return [pair for one, two in combinations(names, 2) for pair in meeting(one, two, range(pairs), seed)]


def gauntlet(names: Sequence[str], pairs: int, seed: int) -> list[Pair]:
    """The first player against all others."""
    return [pair for other in names[1:] for pair in meeting(names[0], other, range(pairs), seed)]


def swiss(names: Sequence[str], pairs: int, seed: int, rounds: int, points: Points) -> Iterator[list[Pair]]:
    """``rounds`` rounds in which players of like scores meet, if they can without meeting again.

    With an odd number of players one has a bye in each round, which counts as winning every game.
    """
    order = np.random.default_rng(seed).permutation(names).tolist()
    met: Counter[frozenset] = Counter()
    played: list[Pair] = []
    for _ in range(rounds):
        scores = dict.fromkeys(order, 0.0) | dict(points(played))
        for name in order:
            scores[name] += met[frozenset((name, _BYE))] * pairs * POINTS_OF_A_PAIR
        opponents = _match(order, scores, met)
        fresh = []
        for one, two in opponents:
            before = met[frozenset((one, two))] * pairs
            if _BYE not in (one, two):
                fresh += meeting(one, two, range(before, before + pairs), seed)
            met[frozenset((one, two))] += 1
        played += fresh
        yield fresh


def _match(order: Sequence[str], scores: Mapping[str, float], met: Counter) -> list[tuple[str, str]]:
    """Opponents of a round: as few repeated meetings as can be, then as small differences of rank as can be."""
    import networkx  # here: --help works without extras

    ranking = sorted(order, key=lambda name: -scores[name]) + [_BYE] * (len(order) % 2)
    rank = {name: place for place, name in enumerate(ranking)}
    repeat = len(ranking) ** 3  # more than all squared differences of rank together
    graph = networkx.Graph()
    for one, two in combinations(ranking, 2):
        cost = (rank[one] - rank[two]) ** 2 + repeat * met[frozenset((one, two))]
        graph.add_edge(one, two, weight=-cost)
    matched = networkx.max_weight_matching(graph, maxcardinality=True)
    return sorted((tuple(sorted(couple, key=rank.get)) for couple in matched), key=lambda couple: rank[couple[0]])

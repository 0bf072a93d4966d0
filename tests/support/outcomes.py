"""Results of games that nobody played, for tests of tournaments."""

from itertools import combinations

from dawn_agents.tournaments.entrants import meeting
from dawn_agents.tournaments.match import Outcome


def outcome(seed, democrat, communist, result="democrat", reason="final scoring", failure=""):
    """A game of three turns and two decisions."""
    return Outcome(seed, democrat, communist, result, reason, 3, 10, 2, (1.0, 3.0), (1, 1), failure, [5, 7])


def round_robin(names, pairs, seed):
    """Every two of the players meet in so many pairs."""
    return [pair for one, two in combinations(names, 2) for pair in meeting(one, two, range(pairs), seed)]

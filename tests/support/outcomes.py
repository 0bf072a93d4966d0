"""Results of games that nobody played, for tests of tournaments."""

from dawn_agents.match import Outcome


def outcome(seed, democrat, communist, result="democrat", reason="final scoring", failure=""):
    """A game of three turns and two decisions."""
    return Outcome(seed, democrat, communist, result, reason, 3, 10, 2, (1.0, 3.0), (1, 1), failure, [5, 7])

"""Errors of the suite that a message to the user is enough for."""

from dawn_agents.rating.tournament_errors import TournamentError


class SuiteError(TournamentError):
    """A task, agent or result that cannot be used; the message says what would be right."""

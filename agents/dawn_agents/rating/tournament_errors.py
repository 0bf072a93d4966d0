"""Errors in the input of a tournament."""

from dawn_env.errors import DawnError


class TournamentError(DawnError, ValueError):
    """Bad input; the message says what would be right."""


class EntryError(TournamentError):
    """A player that cannot take part."""

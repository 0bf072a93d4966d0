"""Errors in the input of a tournament."""


class TournamentError(ValueError):
    """Bad input; the message says what would be right."""


class EntryError(TournamentError):
    """A player that cannot take part."""


class StoreError(TournamentError):
    """A file that holds no results, or none that these could be added to."""

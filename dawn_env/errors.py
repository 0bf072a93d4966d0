"""Errors of the package; each message names what was wrong and what would be right."""


class DawnError(Exception):
    """Base of all errors of this package."""


class IllegalAction(DawnError, ValueError):
    """An action outside the legal set of the pending decision; the game is unchanged."""


class GameOver(DawnError, ValueError):
    """An action for a game that has ended; the game is unchanged."""


class ChanceError(DawnError, ValueError):
    """A script of chance that ran dry, was left over, or held an impossible outcome; the game is unchanged."""


class MalformedPosition(DawnError, ValueError):
    """A position, state or record that does not describe a game."""


class BadOptions(DawnError, ValueError):
    """Options that no game has."""


class BadInput(DawnError, ValueError):
    """Files, names or settings that cannot be used, or not together."""


class PlayerFailure(DawnError):
    """A player crashed, ran past its time or answered something illegal: it loses the game."""


class BadSeed(DawnError, ValueError):
    """A seed that is no integer in 0 ... 2**63 - 1."""


class MissingExtra(DawnError, ImportError):
    """A package that only some parts need is not installed; the message names the command that installs it."""

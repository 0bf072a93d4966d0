"""Progress steps of each kind of frame that has several."""

from enum import auto

from dawn_env.support.numbered import Numbered


class TurnStep(Numbered):
    """Steps of a turn. Position files are loaded at ``SET_UP`` and ``ROUND``."""

    SET_UP = auto()
    ROUND = auto()
    ROUND_END = auto()
    ANNOUNCE = auto()
    AFTER_LAST_ROUND = auto()
    EXTRA_CHECK = auto()
    VERIFY = auto()
    LAST_STRUGGLE = auto()
    PARTY_OVER = auto()
    END = auto()
    START = auto()
    SWAP = auto()


class PlayStep(Numbered):
    """Steps of a play. ``COMMITTED`` goes on with the use kept in the column ``use``, once its price has been paid;
    ``FIRST`` and ``SECOND`` carry out the parts kept in the columns of these names."""

    ANNOUNCED = auto()
    USE = auto()
    ORDER = auto()
    PAIR = auto()
    FIRST = auto()
    SECOND = auto()
    DONE = auto()
    COMMITTED = auto()


class ChecksStep(Numbered):
    """Steps of a check in a series."""

    TARGET = auto()
    ROLL = auto()


class StruggleStep(Numbered):
    """Steps of a power struggle; from ``LOSS_ROLL`` on it is won."""

    DEAL = auto()
    CROWD = auto()
    STAKES = auto()
    LEAD = auto()
    SCARE = auto()
    NAME_SUIT = auto()
    ANSWER = auto()
    LOSS_ROLL = auto()
    LOSING = auto()
    VP_ROLL = auto()
    POWER = auto()
    SCORING = auto()

"""Steps of the frame of family mode, which lies on the stack from the first deal to the end of the game."""

from enum import auto

from dawn_env.support.numbered import Numbered


class Step(Numbered):
    """Steps of a turn."""

    DEAL = auto()
    CARD = auto()
    PLACE = auto()
    ORIGIN = auto()
    DESTINATION = auto()
    POINTS = auto()
    ATTACK = auto()
    DEFENCE = auto()
    SCORE = auto()

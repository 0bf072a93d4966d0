"""Narration of the game as one side saw it."""

from dawn_env.formats.narrate import event_words
from dawn_env.game import Game
from dawn_env.witness import Witness

_HEADS = ("decision", "offer")
"""Events that stand at the beginning of a line; what follows is set in."""


class Narrator:
    """Tells one seat of a game, step by step; ``seat`` as for ``Witness``."""

    def __init__(self, seat: int):
        self._witness = Witness(seat)

    def tell(self, before: Game, after: Game, action: str) -> list[str]:
        """Lines for the step ``action``, made from the events of ``Witness.see``."""
        return [
            line if event["event"] in _HEADS else f"  {line}"
            for event in self._witness.see(before, after, action)
            for line in event_words(event)
        ]

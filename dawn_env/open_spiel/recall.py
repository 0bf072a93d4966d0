"""What a player has seen and done so far, as a digest: with it, information states have perfect recall.

A digest goes on when the player acts and when the player's view changes. It depends on nothing but views and own
actions; views that are shown while the other is asked something in secret are not to be added to it.
"""

from hashlib import blake2b
from typing import NamedTuple

_SIZE = 16


def _digest(*parts: bytes) -> bytes:
    return blake2b(b"".join(parts), digest_size=_SIZE).digest()


class Recall(NamedTuple):
    """All that one player has seen and done, and the latest view."""

    past: bytes
    latest: bytes

    def acted(self, action: int) -> "Recall":
        """The same with an action of the player's."""
        return Recall(_digest(self.past, action.to_bytes(2, "little")), self.latest)

    def saw(self, view: bytes) -> "Recall":
        """The same with a view of the player's, unless it is the latest."""
        latest = _digest(view)
        return self if latest == self.latest else Recall(_digest(self.past, latest), latest)


def nothing_seen() -> Recall:
    """Before the deal."""
    return Recall(_digest(), b"")


def imagined(by: Recall) -> Recall:
    """The past of the opponent in a game that a player imagines: follows from what that player knows alone."""
    return Recall(_digest(b"imagined", by.past), b"")

"""Digest of a player's observations and actions, which gives information states perfect recall.

A digest goes on when the player acts and when the player's view changes. It depends on nothing but views and own
actions; views that are shown while the other is asked something in secret are not to be added to it.
"""

from hashlib import blake2b
from typing import NamedTuple

_SIZE = 16


def _digest(*parts: bytes) -> bytes:
    return blake2b(b"".join(parts), digest_size=_SIZE).digest()


class Recall(NamedTuple):
    """Digest of one player's history, and the latest view."""

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


def recall_in_determinization(by: Recall) -> Recall:
    """Stand-in for the opponent's history in a determinization, from the player's own knowledge."""
    return Recall(_digest(b"imagined", by.past), b"")

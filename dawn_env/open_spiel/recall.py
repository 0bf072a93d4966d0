"""What a player has seen and done so far, as a digest: with it, information states have perfect recall.

A digest goes on only when the player's view changes or the player acts, so that questions which the other is asked in
secret leave no trace in it (ruling secret-questions). It depends on nothing but views and own actions.
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

    def after(self, view: bytes, action: int | None = None) -> "Recall":
        """As it is once the player has taken ``action``, if any, and sees ``view``."""
        latest = _digest(view)
        if action is None and latest == self.latest:
            return self
        return Recall(_digest(self.past, latest, b"" if action is None else action.to_bytes(2, "little")), latest)


def nothing_seen() -> Recall:
    """Before the deal."""
    return Recall(_digest(), b"")


def imagined(by: Recall) -> Recall:
    """The past of the opponent in a game that a player imagines: follows from what that player knows alone."""
    return Recall(_digest(b"imagined", by.past), b"")

"""Observer of a game from one seat, step by step.

Nothing hidden from it is told, nor which questions it raised. What is told must be the same whether the opponent was
asked in secret (``secret``) and declined, or was not asked at all. So a side is told nothing while such a question
waits for its answer; afterwards it is told everything since its last news in one go, as a difference between two
moments that it sees in either case.
"""

from dawn_env.bids import is_bid
from dawn_env.game import Game
from dawn_env.witness.bid import bid_events
from dawn_env.witness.changes import Event
from dawn_env.witness.family import family_events
from dawn_env.witness.secret import PUBLIC, acts_openly, asked_in_secret
from dawn_env.witness.story import Story


class Witness:
    """Observer of a game from one seat."""

    def __init__(self, seat: int):
        """``seat``: 0 Democrat, 1 Communist, in games with a bid the first and the second player; or ``PUBLIC``."""
        self._seat = seat
        self._waiting: Story | None = None  # until nothing is asked in secret

    def see(self, before: Game, after: Game, action: str) -> list[Event]:
        """Events of the step ``action`` from ``before`` to ``after``, and of earlier steps that had to wait for it.

        None while the opponent is asked something of which the viewer must not know. A step begins with an event
        ``decision`` or with its offers, unless it was not open to the viewer.
        """
        if is_bid(before.state.decision):
            return bid_events(before, after, action, self._seat)
        viewer = self._seat if self._seat == PUBLIC else self._seat ^ int(before.state.swapped)
        if before.options.is_family:
            return family_events(before, after, action, viewer)
        open_ = acts_openly(before, action, viewer)
        told = self._waiting.events(before) if self._waiting and open_ else []
        story = self._waiting if self._waiting and not open_ else Story(viewer, before)
        story.add(before, after, action, open_)
        self._waiting = story if asked_in_secret(after, viewer) else None
        return told + ([] if self._waiting else story.events(after))

"""What the game did, in words, as one side saw it: nothing hidden from it is told, nor which questions it raised.

Some questions are asked only of a hand that holds certain cards, so that the question itself would betray them:
whoever is asked about the discard that cancels a check holds a card worth 3 or more. What is told must be the same
whether they were asked and declined, or not asked at all. So a side is told nothing while such a question waits
for the opponent's answer; afterwards it is told everything since its last news in one go, as a difference between
two moments that it sees in either case.
"""

from dataclasses import dataclass, field

import numpy as np

from agents.terminal.bid_narration import bid_lines
from agents.terminal.family_narration import family_lines
from dawn_env.actions import Word, action_id
from dawn_env.bids import is_bid
from dawn_env.formats.narrate import card_name, change_words, check_words, decision_words
from dawn_env.game import Game
from dawn_env.observation import decode, observe
from dawn_env.state import DECISIONS, Decision
from dawn_env.tables import COUNTRIES, FACE_ID, FACES, SIDE_NAMES

_REFUSALS = {Decision.CANCEL_WITH_HOME: Word.NO, Decision.CANCEL_CHECK: Word.PASS, Decision.DEFEND: Word.CONCEDE}
"""Questions to a hand with certain cards, and the answer that is as if they had not been asked."""
_CHOICES = (Decision.HOME_CARD, Decision.GIVE_CARD, Decision.ATTACK)
"""Choices that are no question for a hand with just one card for them."""

_PUBLIC = {
    "resolving": "is being played",
    "in_play": "takes lasting effect",
    "discard_pile": "is discarded",
    "removed": "leaves the game",
}
"""Zones of cards that everybody sees, and how a card came there."""
_OPEN = (*_PUBLIC, "stasi_card")
_SEEN = ("my_hand", "known_theirs", *_OPEN)

PUBLIC = -1
"""Stands for a viewer who sees what is open to all, no more."""


class Narrator:
    """Tells one side of a game, step by step."""

    def __init__(self, seat: int):
        """``seat``: 0 Democrat, 1 Communist, in games with a bid the first and the second player; or ``PUBLIC``."""
        self._seat = seat
        self._waiting: _Story | None = None  # until nothing is asked in secret

    def tell(self, before: Game, after: Game, action: str) -> list[str]:
        """Lines for the step ``action`` from ``before`` to ``after``, and for earlier steps that had to wait for it.

        None while the opponent is asked something of which the viewer must not know.
        """
        if is_bid(before.state.decision):
            return bid_lines(before, after, action, self._seat)
        viewer = self._seat if self._seat == PUBLIC else self._seat ^ int(before.state.swapped)
        if before.options.is_family:
            return family_lines(before, after, action, viewer)
        open_ = acts_openly(before, action, viewer)
        told = self._waiting.lines(before) if self._waiting and open_ else []
        story = self._waiting if self._waiting and not open_ else _Story(viewer, before)
        story.add(before, after, action, open_)
        self._waiting = story if asked_in_secret(after, viewer) else None
        return told + ([] if self._waiting else story.lines(after))


def asked_in_secret(game: Game, viewer: int) -> bool:
    """Whether the pending question shows something of a hand that ``viewer``, a side or ``PUBLIC``, does not see."""
    if game.over or game.actor == viewer:
        return False
    decision = game.state.decision
    further_stake = decision == Decision.STAKES and game.state.staked > 0  # three cards of one face go without asking
    return decision in _REFUSALS or decision in _CHOICES or further_stake


def acts_openly(game: Game, action: str, viewer: int) -> bool:
    """Whether the viewer may know that ``action`` was chosen: nobody could have been without the question."""
    refusal = _REFUSALS.get(int(game.state.decision))
    return not asked_in_secret(game, viewer) or (refusal is not None and action_id(action) != refusal)


@dataclass
class _Story:
    """Steps to be told in one go: the first, if it was open, and what it and all others led to."""

    viewer: int
    before: Game
    head: tuple[int, str, str] | None = None  # side, decision, action
    dice: list[int] = field(default_factory=list)

    def add(self, before: Game, after: Game, action: str, open_: bool) -> None:
        """One more step; only the first may be open."""
        if open_:
            self.head = before.actor, before.decision, action
        self.dice += after.chance.get("dice", [])

    def lines(self, after: Game) -> list[str]:
        """All of it, up to the moment ``after``."""
        side = 0 if self.viewer == PUBLIC else self.viewer
        old, new = (decode(observe(game.state, side)) for game in (self.before, after))
        head = [self._head_words(new)] if self.head else []
        details = [] if self.viewer == PUBLIC else _own_news(old, new)
        details += self._cards_shown(old, new) + self._faces_shown(old, new)
        if won := new["struggle_won"][0] * (old["struggle_won"][0] == 0):
            details.append(f"{SIDE_NAMES[side if won > 0 else 1 - side]} wins the struggle")
        if self.dice:
            details += [f"dice: {', '.join(map(str, self.dice))}", *self._check()]
        details += change_words(self.before, after) + _power(self.before, after)
        return head + [f"  {line}" for line in details]

    def _check(self) -> list[str]:
        """The sum of the support check that was rolled, if the first step was one."""
        if not self.head or self.head[1] != DECISIONS[Decision.CHECK] or not self._headed("space"):
            return []
        return [check_words(self.before, self.head[2], self.dice[0])]

    def _head_words(self, new: dict) -> str:
        """What was decided; of a card the opponent chose in secret only that they chose."""
        side, decision, action = self.head
        card = self._headed("card")
        seen = _OPEN if self.viewer == PUBLIC else _SEEN
        secret = card and side != self.viewer and not any(new[zone][int(card) - 1] for zone in seen)
        return decision_words(side, decision, action, "a card in secret" if secret else None)

    def _headed(self, family: str) -> str:
        """Name of the card or face of the first step, empty when it is of another family."""
        found, _, name = (self.head[2] if self.head else "").partition(":")
        return name if found == family else ""

    def _cards_shown(self, old: dict, new: dict) -> list[str]:
        """Cards that have come to light, but for that of the first step."""
        seen_before = np.any([old[zone] for zone in _PUBLIC], axis=0)
        return [
            f"{card_name(card)} {words}"
            for zone, words in _PUBLIC.items()
            for card in np.flatnonzero((new[zone] > 0) & ~seen_before) + 1
            if str(card) != self._headed("card")
        ]

    def _faces_shown(self, old: dict, new: dict) -> list[str]:
        """Power struggle cards that went to their discard pile, but for that of the first step."""
        copies = new["power_discard"].astype(int) - old["power_discard"]
        if face := self._headed("power"):
            copies[FACE_ID[face]] -= 1
        shown = [FACES[face] for face in np.flatnonzero(copies > 0) for _ in range(copies[face])]
        return [f"struggle cards on the table: {', '.join(shown)}"] if shown else []


def _own_news(old: dict, new: dict) -> list[str]:
    """Cards the viewer gets or learns of."""
    lines = []
    for zone, words in (("my_hand", "you get"), ("known_theirs", "you learn that the opponent holds")):
        cards = np.flatnonzero(new[zone] > old[zone]) + 1
        if len(cards):
            lines.append(f"{words} {', '.join(map(card_name, cards))}")
    return lines


def _power(before: Game, after: Game) -> list[str]:
    """The struggle, and who has Power where."""
    old, new, lines = before.state, after.state, []
    if new.struggle != old.struggle:
        lines.append(f"power struggle in {COUNTRIES[new.struggle]}" if new.struggle >= 0 else "the struggle is over")
    return lines + [
        f"{SIDE_NAMES[new.power[country]]} takes Power in {COUNTRIES[country]}"
        for country in np.flatnonzero(old.power != new.power)
    ]

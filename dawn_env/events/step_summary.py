"""Summary of several steps of the standard game: the first, if it was open, and the results of all."""

from dataclasses import dataclass, field

import numpy as np

from dawn_env.events.board_changes import Event, changes, check_sum, power_changes
from dawn_env.events.secret_questions import PUBLIC
from dawn_env.game import Game
from dawn_env.observation import decode, observe
from dawn_env.state import DECISIONS, Decision
from dawn_env.tables import FACE_ID, FACES, SIDE_NAMES

SHOWN = ("resolving", "in_play", "discard_pile", "removed")
"""Zones of cards that everybody sees."""
_OPEN = (*SHOWN, "stasi_card")
_SEEN = ("my_hand", "known_theirs", *_OPEN)
_FACE_DOWN = (DECISIONS[Decision.SAMIZDAT], DECISIONS[Decision.KEEP_CARD])
"""Choices that stay secret even where the card is known to be held."""


@dataclass
class Story:
    """Events open to ``viewer``, a side or ``PUBLIC``, of the steps since the moment ``before``."""

    viewer: int
    before: Game
    head: tuple[int, str, str] | None = None  # side, decision, action
    dice: list[int] = field(default_factory=list)

    def add(self, before: Game, after: Game, action: str, open_: bool) -> None:
        """One more step; only the first may be open."""
        if open_:
            self.head = before.actor, before.decision, action
        self.dice += after.chance.get("dice", [])

    def events(self, after: Game) -> list[Event]:
        """All of it, up to the moment ``after``."""
        side = 0 if self.viewer == PUBLIC else self.viewer
        old, new = (decode(observe(game.state, side)) for game in (self.before, after))
        events = [self._decision(new)] if self.head else []
        events += [] if self.viewer == PUBLIC else _own_news(old, new)
        events += self._cards_shown(old, new) + self._faces_shown(old, new)
        if won := new["struggle_won"][0] * (old["struggle_won"][0] == 0):
            events.append({"event": "struggle-won", "side": SIDE_NAMES[side if won > 0 else 1 - side]})
        if self.dice:
            events += [{"event": "dice", "dice": list(self.dice)}, *self._check()]
        return events + changes(self.before, after) + power_changes(self.before, after)

    def _check(self) -> list[Event]:
        """The sum of the support check that was rolled, if the first step was one."""
        if not self.head or self.head[1] != DECISIONS[Decision.CHECK] or not self._headed("space"):
            return []
        return [check_sum(self.before, self.head[2], self.dice[0])]

    def _decision(self, new: dict) -> Event:
        """Event of a decision; of a card chosen in secret by the opponent only that it was chosen."""
        side, decision, action = self.head
        card = self._headed("card")
        seen = _OPEN if self.viewer == PUBLIC else _SEEN
        shown = decision not in _FACE_DOWN and card and any(new[zone][int(card) - 1] for zone in seen)
        secret = card and side != self.viewer and not shown
        who = SIDE_NAMES[side]
        return {"event": "decision", "who": who, "decision": decision, "action": None if secret else action}

    def _headed(self, family: str) -> str:
        """Name of the card or face of the first step, empty when it is of another family."""
        found, _, name = (self.head[2] if self.head else "").partition(":")
        return name if found == family else ""

    def _cards_shown(self, old: dict, new: dict) -> list[Event]:
        """Cards that have come to light, but for that of the first step."""
        seen_before = np.any([old[zone] for zone in SHOWN], axis=0)
        shown = {zone: (np.flatnonzero((new[zone] > 0) & ~seen_before) + 1).tolist() for zone in SHOWN}
        fresh = {zone: [card for card in cards if str(card) != self._headed("card")] for zone, cards in shown.items()}
        return [{"event": "cards", "cards": cards, "to": zone} for zone, cards in fresh.items() if cards]

    def _faces_shown(self, old: dict, new: dict) -> list[Event]:
        """Power struggle cards that went to their discard pile, but for that of the first step."""
        copies = new["power_discard"].astype(int) - old["power_discard"]
        if face := self._headed("power"):
            copies[FACE_ID[face]] -= 1
        shown = [FACES[face] for face in np.flatnonzero(copies > 0) for _ in range(copies[face])]
        return [{"event": "struggle-cards", "cards": shown, "to": "power_discard"}] if shown else []


def _own_news(old: dict, new: dict) -> list[Event]:
    """Cards the viewer gets or learns of."""
    events = []
    for zone in ("my_hand", "known_theirs"):
        if cards := (np.flatnonzero(new[zone] > old[zone]) + 1).tolist():
            events.append({"event": "cards", "cards": cards, "to": zone})
    return events

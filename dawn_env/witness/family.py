"""Events of family mode for one side: every choice is open, only the cards of a hand are not."""

import numpy as np

from dawn_env.game import Game
from dawn_env.layouts import FAMILY_LAYOUT
from dawn_env.tables import FACES, SIDE_NAMES
from dawn_env.witness.changes import Event, changes


def family_events(before: Game, after: Game, action: str, viewer: int) -> list[Event]:
    """Events of the step ``action`` from ``before`` to ``after`` for the side ``viewer``, -1 for others."""
    old, new = (FAMILY_LAYOUT.decode(FAMILY_LAYOUT.one(game.state, max(0, viewer))) for game in (before, after))
    events = [{"event": "decision", "who": SIDE_NAMES[before.actor], "decision": before.decision, "action": action}]
    if dice := after.chance.get("dice", []):
        events.append({"event": "attack-dice", "attack": dice[0], "defence": dice[1]})
    if (attack := int(new["attack"][0])) and not old["attack"][0]:
        events.append({"event": "attack", "attack": attack, "defence": int(new["defence"][0])})
    if viewer >= 0:
        events += _own_news(old, new)
    return events + changes(before, after)


def _own_news(old: dict, new: dict) -> list[Event]:
    """Cards that the viewer gets."""
    events = []
    if cards := (np.flatnonzero(new["my_hand"] > old["my_hand"]) + 1).tolist():
        events.append({"event": "cards", "cards": cards, "to": "my_hand"})
    copies = new["my_power_hand"].astype(int) - old["my_power_hand"]
    if faces := [FACES[face] for face in np.flatnonzero(copies > 0) for _ in range(copies[face])]:
        events.append({"event": "struggle-cards", "cards": faces, "to": "my_power_hand"})
    return events

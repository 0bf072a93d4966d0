"""What happened in family mode, as one side saw it: every choice is open there, only the cards of a hand are not."""

import numpy as np

from dawn_env.formats.narrate import card_name, change_words, decision_words
from dawn_env.game import Game
from dawn_env.layouts import FAMILY_LAYOUT
from dawn_env.tables import FACES


def family_lines(before: Game, after: Game, action: str, viewer: int) -> list[str]:
    """Lines for the step ``action`` from ``before`` to ``after``, told to the side ``viewer``, -1 for others."""
    old, new = (FAMILY_LAYOUT.decode(FAMILY_LAYOUT.one(game.state, max(0, viewer))) for game in (before, after))
    details = []
    if dice := after.chance.get("dice", []):
        details.append(f"dice: attack {dice[0]}, defence {dice[1]}")
    if (attack := int(new["attack"][0])) and not old["attack"][0]:
        details.append(f"attack {attack} against defence {new['defence'][0]}")
    if viewer >= 0:
        details += _own_news(old, new)
    details += change_words(before, after)
    return [decision_words(before.actor, before.decision, action), *(f"  {line}" for line in details)]


def _own_news(old: dict, new: dict) -> list[str]:
    """Cards that the viewer gets."""
    lines = []
    if cards := [card_name(card) for card in np.flatnonzero(new["my_hand"] > old["my_hand"]) + 1]:
        lines.append(f"you get {', '.join(cards)}")
    copies = new["my_power_hand"].astype(int) - old["my_power_hand"]
    if faces := [FACES[face] for face in np.flatnonzero(copies > 0) for _ in range(copies[face])]:
        lines.append(f"you get the struggle cards {', '.join(faces)}")
    return lines

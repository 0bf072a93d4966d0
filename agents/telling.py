"""What a decision changed, in words, as one side saw it: nothing that is hidden from him is told."""

import numpy as np

from dawn_env.game import Game
from dawn_env.narrate import action_words, change_words
from dawn_env.observe import decode, observe
from dawn_env.state import CANCEL_WITH_HOME
from dawn_env.tables import CARD_TITLES, COUNTRIES, SIDE_NAMES

_OPEN_ZONES = ("my_hand", "discard_pile", "removed", "in_play", "resolving", "known_theirs", "stasi_card")


def tell(before: Game, after: Game, action: str, viewer: int) -> list[str]:
    """Lines for the decision that ``action`` took in ``before`` and that led to ``after``."""
    old, new = decode(observe(before.state, viewer)), decode(observe(after.state, viewer))
    lines = _decision(before, action, new, viewer)
    lines += _cards(old, new)
    if dice := after.chance.get("dice"):
        lines.append(f"  dice: {', '.join(map(str, dice))}")
    return lines + [f"  {line}" for line in change_words(before, after) + _power(before, after)]


def _decision(before: Game, action: str, new: dict, viewer: int) -> list[str]:
    """The decision itself; of a card the opponent chose in secret only that he chose."""
    if before.actor != viewer and before.state.decision == CANCEL_WITH_HOME:
        return []
    family, _, name = action.partition(":")
    secret = family == "card" and not any(new[zone][int(name) - 1] for zone in _OPEN_ZONES)
    words = "a card in secret" if secret and before.actor != viewer else action_words(action)
    return [f"{SIDE_NAMES[before.actor].capitalize()}, {before.decision.replace('-', ' ')}: {words}"]


def _cards(old: dict, new: dict) -> list[str]:
    lines = []
    for zone, words in (("my_hand", "you get"), ("known_theirs", "you learn that the opponent holds")):
        cards = np.flatnonzero(new[zone] > old[zone]) + 1
        if len(cards):
            lines.append(f"  {words} {', '.join(f'{card} {CARD_TITLES[card]}' for card in cards)}")
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

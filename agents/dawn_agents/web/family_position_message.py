"""JSON description of a family-mode position for one viewer."""

from dawn_agents.web.standard_position_message import copies
from dawn_env.picture.family_view import FamilyPosition, Fight
from dawn_env.tables import FACES, SIDES


def describe_family(seen: FamilyPosition) -> dict:
    """Hands, decks, the shift or take-over in progress."""
    return {
        "hands": [_hand(seen, side) for side in range(SIDES)],
        "decks": list(seen.decks),
        "powerDeck": seen.power_deck,
        "powerDiscarded": copies(seen.power_discarded),
        "move": seen.move and seen.move._asdict() | {"takeOver": seen.is_take_over},
        "fight": _fight(seen.fight) if seen.fight else None,
        "source": 0,
        "struggle": None,
        "bid": None,
    }


def _hand(seen: FamilyPosition, side: int) -> dict:
    return {
        "cards": seen.hand(side),
        "size": seen.hand_size(side),
        "whole": side in seen.sides,
        "faces": copies(seen.power_hand(side)),
        "facesSize": seen.power_sizes[side],
    }


def _fight(fight: Fight) -> dict:
    return {
        "sums": [fight.attack, fight.defence],
        "dice": [fight.attack_die, fight.defence_die],
        "points": fight.points,
        "stability": fight.stability,
        "face": FACES[fight.face] if fight.face >= 0 else None,
    }

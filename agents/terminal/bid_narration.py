"""What happened in a bid for sides, as one of the players saw it: offers are secret until both are made."""

from dawn_env.bids import PLAYER_NAMES, Offer
from dawn_env.formats.narrate import decision_words, side_words
from dawn_env.game import Game
from dawn_env.state import Decision

_SECRET = (Decision.OFFER_SIDE, Decision.OFFER_POINTS)


def bid_lines(before: Game, after: Game, action: str, player: int) -> list[str]:
    """Lines for the step ``action`` of a bid, told to the first (0) or the second ``player`` (1), or to others."""
    was_secret, is_secret = (game.state.decision in _SECRET for game in (before, after))
    if is_secret:
        return [decision_words(before.actor, before.decision, action)] * (before.actor == player)
    lines = _offers(after) if was_secret else [decision_words(before.actor, before.decision, action)]
    return lines + [f"  {line}" for line in side_words(before, after)]


def _offers(game: Game) -> list[str]:
    """Both, and the dice where they are equal."""
    offers = game.state.offers.tolist()
    lines = [f"{who.capitalize()} offers {Offer(*offer)}" for who, offer in zip(PLAYER_NAMES, offers, strict=True)]
    if offers[0] == offers[1]:
        lines.append(f"  the offers are equal; the dice of both: {', '.join(map(str, game.chance['dice'][-2:]))}")
    return lines

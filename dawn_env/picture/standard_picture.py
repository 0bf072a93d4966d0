"""The parts of a picture of the standard game, and of the bid before it."""

from dawn_env.bids import PLAYER_NAMES
from dawn_env.glossary import card_name, counted
from dawn_env.picture.board_geometry import WIDE
from dawn_env.picture.card_panels import ROWS, hand, lasting, piles, struggle
from dawn_env.picture.country_panels import countries
from dawn_env.picture.map_symbols import CARD_OF_BOTH, POWER_WORTH, legend
from dawn_env.picture.standard_view import Bid, StandardPosition
from dawn_env.picture.svg_elements import GAP, Block, in_a_row
from dawn_env.picture.track_panels import (
    Doing,
    asked,
    clock,
    decides,
    numbers,
    status,
    tiananmen,
    ussr,
    victory_points,
)
from dawn_env.tables import ROUNDS, SIDE_NAMES, SIDES

GAME = ""
"""What is said of the kind of game in the title of a picture."""

LEGEND = (POWER_WORTH, CARD_OF_BOTH)


def rows(seen: StandardPosition, before: StandardPosition | None) -> list[Block]:
    """All parts, from the uppermost down."""
    room = WIDE.inner
    time = clock(seen, numbers(max(ROUNDS, seen.round)), seen.round - 1, 340)
    score = victory_points(seen, before, room - 340 - 420 - 2 * GAP)
    square = tiananmen(seen, before, 1000)
    return [
        in_a_row(time, score, ussr(seen, before, 420)),
        in_a_row(square, status(_doings(seen), room - 1000 - GAP, square.height)),
        countries(seen, before),
        _cards(seen, before, room),
        legend(LEGEND, room),
    ]


def _cards(seen: StandardPosition, before: StandardPosition | None, room: float) -> Block:
    """Hands, lasting events, the struggle in place of half of them, and the piles."""
    hands = [hand(seen, side, 290, ROWS) for side in range(SIDES)]
    stacks = piles(seen, 130, hands[0].height)
    room -= 2 * 290 + 130 + 3 * GAP
    if seen.struggle is None:
        return in_a_row(*hands, lasting(seen, before, room, columns=2), stacks)
    fight = struggle(seen.struggle, 390, hands[0].height)
    return in_a_row(*hands, lasting(seen, before, room - 390 - GAP, columns=1), fight, stacks)


# --- what is being done --------------------------------------------------------------------------


def _doings(seen: StandardPosition) -> list[Doing]:
    """Pending decision and the cards being played."""
    if seen.bid and seen.is_bidding:
        return _bidding(seen.bid)
    lines = decides(seen)
    if seen.actor < 0:
        return lines
    if seen.source:
        lines.append((card_name(seen.source), 10.5, "ink bold"))
    played = [card_name(card) for card in seen.resolving if card != seen.source]
    return lines + ([("Played: " + ", ".join(played), 10, "soft bold")] if played else [])


def _bidding(bid: Bid) -> list[Doing]:
    """Pending decision about the bid, and the visible offers."""
    lines = [asked(PLAYER_NAMES[bid.player], bid.decision, "ink bold")]
    for player, offer in enumerate(bid.offers):
        if offer is not None:
            side, points = offer
            words = f"{PLAYER_NAMES[player].capitalize()} offers the {SIDE_NAMES[side].capitalize()}"
            words += "" if points is None else f" with {counted(points, 'point')}"
            lines.append((words, 10.5, "soft bold"))
    return lines

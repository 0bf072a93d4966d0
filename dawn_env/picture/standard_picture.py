"""The parts of a picture of the standard game, and of the bid before it."""

from dawn_env.bids import PLAYER_NAMES
from dawn_env.glossary import card_name, counted
from dawn_env.picture.board_geometry import BoardGeometry
from dawn_env.picture.card_panels import hand, lasting, piles
from dawn_env.picture.country_panels import countries
from dawn_env.picture.map_symbols import CARD_OF_BOTH, POWER_WORTH, legend
from dawn_env.picture.standard_view import Bid, StandardPosition
from dawn_env.picture.struggle_panel import struggle
from dawn_env.picture.svg_elements import Block, in_a_row, stacked
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
_HAND_ROWS = 12
_GAP = 6.0


def wide(seen: StandardPosition, before: StandardPosition | None, layout: BoardGeometry) -> Block:
    """All parts, for wide screens."""
    room = layout.inner
    first = [340.0, 0.0, 420.0]
    first[1] = room - sum(first) - 2 * _GAP
    tracks = [_clock(seen, first[0]), victory_points(seen, before, first[1]), ussr(seen, before, first[2])]
    second = [1000.0, room - 1000 - _GAP]
    square = tiananmen(seen, before, second[0], rows=1)
    doing = status(_doings(seen), second[1], square.height)
    rows = [in_a_row(tracks, first, _GAP), in_a_row([square, doing], second, _GAP), countries(seen, before, layout)]
    rows += [_wide_cards(seen, before, room), legend(LEGEND, room, wide=True)]
    return stacked(rows, layout.margin, _GAP, _GAP)


def _wide_cards(seen: StandardPosition, before: StandardPosition | None, room: float) -> Block:
    """Hands, lasting events, the struggle in place of half of them, and the piles."""
    widths = [290.0, 290.0, 0.0, *([] if seen.struggle is None else [390.0]), 130.0]
    widths[2] = room - sum(widths) - (len(widths) - 1) * _GAP
    hands = [hand(seen, side, widths[side], _HAND_ROWS) for side in range(SIDES)]
    height = hands[0].height
    events = lasting(seen, before, widths[2], columns=2 if seen.struggle is None else 1, rows=_HAND_ROWS)
    fights = [struggle(seen, width, height) for width in widths[3:-1]]
    return in_a_row([*hands, events, *fights, piles(seen, widths[-1], height)], widths, _GAP)


def narrow(seen: StandardPosition, before: StandardPosition | None, layout: BoardGeometry) -> Block:
    """All parts, for narrow screens."""
    room = layout.inner
    own = [hand(seen, side, room) for side in sorted(range(SIDES), key=lambda side: side not in seen.sides)]
    blocks = [
        _clock(seen, room),
        victory_points(seen, before, room),
        status(_doings(seen), room, 72),
        struggle(seen, room),
        countries(seen, before, layout),
        *own,
        lasting(seen, before, room, columns=1),
        tiananmen(seen, before, room, rows=2),
        ussr(seen, before, room),
        piles(seen, room, 72),
        legend(LEGEND, room, wide=False),
    ]
    return stacked([block for block in blocks if block.height], layout.margin, _GAP, _GAP)


def _clock(seen: StandardPosition, width: float) -> Block:
    return clock(seen, numbers(max(ROUNDS, seen.round)), seen.round - 1, width)


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

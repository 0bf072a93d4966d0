"""Panels of the hands, the lasting events, the power struggle in progress, and the piles."""

from collections.abc import Sequence

import numpy as np

from dawn_env.glossary import card_name, counted, face_name
from dawn_env.picture.map_symbols import side_mark
from dawn_env.picture.svg_elements import PAD, TITLE, Block, clipped, framed, moved, rect, text, text_width, wrapped
from dawn_env.picture.theme import SIDE_CLASSES
from dawn_env.picture.viewer_position import StandardPosition, ViewerPosition
from dawn_env.state import MARKERS
from dawn_env.state_fields import Field
from dawn_env.tables import (
    COUNTRIES,
    DEMOCRAT,
    FACES,
    OWNER,
    PRINTED_OPS,
    SCORES,
    SIDE_LETTERS,
    SIDE_NAMES,
    SIDES,
    SUITS,
)

PITCH = 15.0
"""Height of a line of a list."""
ROWS = 12
"""Lines of a list in a picture of the standard game."""
_CHIP = 18.0
_STAKE = 3  # cards discarded for a raise

Line = tuple[int, str, str]
"""Card (0: none), words, and a note at the right end."""


def card_line(card: int, note: str = "") -> Line:
    """A card by number and title; at the right end a note, and its value."""
    ops = "scores" if SCORES[card] >= 0 else str(PRINTED_OPS[card])
    return card, card_name(card), f"{note} {ops}".strip()


def _list(lines: list[Line], width: float, pitch: float, fresh: frozenset[int] = frozenset()) -> str:
    """Lines below each other; cards of ``fresh`` are marked as new."""
    content, size = "", min(10.5, pitch - 3)
    for at, (card, words, note) in enumerate(lines):
        y = (at + 1) * pitch - 4
        if card in fresh:
            content += rect(-4, y - size, width + 8, size + 3, "change", 3)
        left = 15 if card else 0
        if card:
            content += side_mark(int(OWNER[card]), 0, y - 8.5, 9)
        room = width - left - (8 + len(note) * size * 0.65 if note else 0)
        content += text(left, y, clipped(words, size, room), size, "ink" if card else "soft")
        if note:
            content += text(width, y, note, size, "soft bold", "end")
    return content


def card_columns(lines: list[Line], width: float, columns: int, rows: int, fresh: frozenset[int] = frozenset()) -> str:
    """Lines in columns of ``rows``, closer together when there are more."""
    deep = max(rows, -(-len(lines) // columns))
    pitch, step = PITCH * rows / deep, (width - 2 * PAD + 14) / columns
    content = ""
    for column in range(columns):
        part = _list(lines[column * deep : (column + 1) * deep], step - 14, pitch, fresh)
        content += moved(PAD + column * step, TITLE, part)
    return content


def hand(seen: StandardPosition, side: int, width: float, rows: int | None = None) -> Block:
    """Cards of a side; ``rows`` keeps the height the same, without it the block is as high as it must be."""
    lines = _hand_lines(seen, side)
    rows = rows or max(1, len(lines))
    content = card_columns(lines, width, 1, rows)
    return framed(hand_title(seen, side), width, TITLE + rows * PITCH + 6, content, f"{SIDE_CLASSES[side]}w")


def hand_title(seen: ViewerPosition, side: int) -> str:
    """Owner of a hand and its number of cards."""
    return f"{SIDE_NAMES[side].capitalize()}: {counted(seen.hand_size(side), 'card')}"


def _hand_lines(seen: StandardPosition, side: int) -> list[Line]:
    shown, cards = seen.shown(side), seen.hand(side)
    own = side in seen.sides
    lines = [card_line(card, "seen" if own and card in shown else "") for card in cards]
    if hidden := max(0, seen.hand_size(side) - len(cards)):
        lines.append((0, f"{hidden} not seen", ""))
    lines += [card_line(card, "drawn") for card in seen.drawn(side)]
    if side == DEMOCRAT and seen.any_set_aside:
        lines += [card_line(card, "set aside") for card in seen.set_aside] or [(0, "1 set aside (Samizdat)", "")]
    return lines


# --- lasting events ------------------------------------------------------------------------------


def lasting(seen: StandardPosition, before: StandardPosition | None, width: float, columns: int) -> Block:
    """Lasting events in play, with what they are bound to, in columns of ``ROWS``."""
    lines = [(card, card_name(card), note) for card, note in bindings(seen)]
    fresh = frozenset() if before is None else frozenset(seen.in_play) - frozenset(before.in_play)
    content = card_columns(lines or [(0, "none", "")], width, columns, ROWS, fresh)
    return framed("Lasting events in play", width, TITLE + ROWS * PITCH + 6, content)


def bindings(seen: StandardPosition) -> list[tuple[int, str]]:
    """Cards of lasting events, with what they are bound to in a few words; also those no longer on the table."""
    notes = _notes(seen)
    off_table = [(card, note) for card, note in notes.items() if card not in seen.in_play]
    return [(card, notes.get(card, "")) for card in seen.in_play] + off_table


def _notes(seen: StandardPosition) -> dict[int, str]:
    """Cards whose events are about a card, country, side or value as long as they last, and which it is."""
    notes = {}
    for field in MARKERS:
        if field.marker and field.marker.note and (note := _note(field, field.marker.note, getattr(seen, field.name))):
            notes[field.marker.card] = note
    return notes


def _note(field: Field, words: str, number: int | Sequence[int]) -> str:
    """A value in words, of a field by side for each side that has one; empty for none."""
    if isinstance(number, Sequence):
        values = zip(SIDE_LETTERS, number, strict=True)
        return " ".join(f"{letter} {words.format(value)}" for letter, value in values if value)
    return "" if number == field.start else words.format(field.value(number))


# --- the power struggle ---------------------------------------------------------------------------


def struggle(seen: StandardPosition, width: float, height: float | None = None) -> Block:
    """The struggle that is fought, as high as needed unless ``height`` is given."""
    content, y = "", 32.0
    for line in _facts(seen):
        for part in wrapped(line, 10, width - 2 * PAD):
            content += text(PAD, y, part, 10)
            y += 13
    for side in range(SIDES):
        held, count = seen.power_hand(side), counted(seen.power_hand_size[side], "card")
        title = f"{SIDE_NAMES[side].capitalize()}: {count}{'' if held is not None else ', not seen'}"
        content += side_mark(side, PAD, y + 2, 10) + text(PAD + 15, y + 11, title, 10, f"{SIDE_CLASSES[side]}w")
        y += 16
        if held is not None:
            faces, y = chips(held, y, width)
            content += faces
        y += 2
    title = f"Power struggle in {COUNTRIES[seen.struggle]}"
    return framed(title, width, height or y + 6, content, "ink bold")


def _facts(seen: StandardPosition) -> list[str]:
    """Lines that say how it stands."""
    names = [name.capitalize() for name in SIDE_NAMES]
    lines = [f"Started by the {names[seen.starter]}; the {names[seen.attacker]} attacks"]
    if seen.led_suit >= 0:
        lines.append(f"Led: {SUITS[seen.led_suit]} {seen.led_rank or ''}".rstrip())
    if seen.blocked >= 0:
        lines.append(f"Blocked suit: {SUITS[seen.blocked]}")
    raised = [names[side] for side in range(SIDES) if seen.raised[side]]
    if raised:
        lines.append("Stakes raised: " + ", ".join(raised))
    if seen.staked:
        lines.append(f"Towards a raise: {seen.staked} of {_STAKE} cards")
    if seen.struggle_won >= 0:
        won = f" with {SUITS[seen.winning_suit]}" if seen.winning_suit >= 0 else ""
        lines.append(f"Won by the {names[seen.struggle_won]}{won}")
    return [*lines, f"Deck {seen.power_deck_size}, discarded {seen.power_discard.sum()}"]


def chips(copies: np.ndarray, y: float, width: float) -> tuple[str, float]:
    """SVG of power struggle cards below ``y``, a box for each face with its copies, and the ``y`` where it ends."""
    content, x = "", PAD
    for face in np.flatnonzero(copies):
        words = face_name(FACES[face]).lower() + (f" ×{copies[face]}" if copies[face] > 1 else "")
        wide = text_width(words, 9.5) + 10
        if x + wide > width - PAD:
            x, y = PAD, y + _CHIP
        content += rect(x, y, wide, 15, "box", 3) + text(x + 5, y + 11, words, 9.5)
        x += wide + 4
    return content, y + (_CHIP if x > PAD else 0)


# --- piles -----------------------------------------------------------------------------------------


def piles(seen: StandardPosition, width: float, height: float) -> Block:
    """Sizes of the piles of strategy cards, as small stacks."""
    names, content = ("draw pile", "discarded", "removed"), ""
    sizes = seen.draw_pile_size, seen.discard_pile_size, len(seen.removed)
    for at, (name, size) in enumerate(zip(names, sizes, strict=True)):
        y = TITLE + 4 + at * (height - TITLE - 8) / 3
        content += stack(size, PAD, y) + text(PAD + 38, y + 26, name, 9.5, "soft")
    return framed("Strategy cards", width, height, content)


def stack(size: int, x: float, y: float) -> str:
    """A pile of cards, 32 by 40."""
    cards = "".join(rect(x + 2 * layer, y + 4 - 2 * layer, 28, 36, "box", 3) for layer in range(min(3, size)))
    return cards + text(x + 2 + 14, y + 27, str(size), 13, "ink bold", "middle")

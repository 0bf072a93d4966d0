"""The power struggle that is fought: who attacks, with what, and what is at stake."""

import numpy as np

from dawn_env.glossary import counted, face_name
from dawn_env.picture.map_symbols import side_mark
from dawn_env.picture.standard_view import StandardPosition, Struggle
from dawn_env.picture.svg_elements import PAD, Block, framed, rect, text, text_width, wrapped
from dawn_env.picture.theme import SIDE_CLASSES
from dawn_env.tables import COUNTRIES, FACES, SIDE_NAMES, SIDES, SUITS

_CHIP = 18.0
_STAKE = 3  # cards discarded for a raise


def struggle(seen: StandardPosition, width: float, height: float | None = None) -> Block:
    """The struggle, if one is fought; ``height`` is at least what is needed if it is not given."""
    fight = seen.struggle
    if fight is None:
        return Block(0, "")
    content, y = "", 32.0
    for line in _facts(fight):
        for part in wrapped(line, 10, width - 2 * PAD):
            content += text(PAD, y, part, 10)
            y += 13
    for side in range(SIDES):
        part, used = power_hand(side, fight.hands[side], fight.sizes[side], width)
        content += f'<g transform="translate(0 {y:.1f})">{part}</g>'
        y += used
    title = f"Power struggle in {COUNTRIES[fight.country]}"
    return framed(title, width, height or y + 6, content, "ink bold")


def _facts(fight: Struggle) -> list[str]:
    """Lines that say how it stands."""
    names = [name.capitalize() for name in SIDE_NAMES]
    lines = [f"Started by the {names[fight.starter]}; the {names[fight.attacker]} attacks"]
    if fight.led_suit >= 0:
        lines.append(f"Led: {SUITS[fight.led_suit]} {fight.led_rank or ''}".rstrip())
    if fight.blocked >= 0:
        lines.append(f"Blocked suit: {SUITS[fight.blocked]}")
    raised = [names[side] for side in range(SIDES) if fight.raised[side]]
    if raised:
        lines.append("Stakes raised: " + ", ".join(raised))
    if fight.staked:
        lines.append(f"Towards a raise: {fight.staked} of {_STAKE} cards")
    if fight.winner >= 0:
        won = f" with {SUITS[fight.winning_suit]}" if fight.winning_suit >= 0 else ""
        lines.append(f"Won by the {names[fight.winner]}{won}")
    return [*lines, f"Deck {fight.deck}, discarded {fight.discarded.sum()}"]


def power_hand(side: int, seen: np.ndarray | None, count: int, width: float) -> tuple[str, float]:
    """A side's struggle cards with copies per face, None if they are not seen; the height they take."""
    title = f"{SIDE_NAMES[side].capitalize()}: {counted(count, 'card')}{'' if seen is not None else ', not seen'}"
    content = side_mark(side, PAD, 2, 10) + text(PAD + 15, 11, title, 10, f"{SIDE_CLASSES[side]}w")
    faces, y = ("", 16.0) if seen is None else chips(seen, 16, width)
    return content + faces, y + 2


def chips(copies: np.ndarray, y: float, width: float) -> tuple[str, float]:
    """Struggle cards by copies per face, those of one face once, from the line ``y`` on; where they end."""
    content, x = "", PAD
    for face in np.flatnonzero(copies):
        words = face_name(FACES[face]).lower() + (f" ×{copies[face]}" if copies[face] > 1 else "")
        wide = text_width(words, 9.5) + 10
        if x + wide > width - PAD:
            x, y = PAD, y + _CHIP
        content += rect(x, y, wide, 15, "box", 3) + text(x + 5, y + 11, words, 9.5)
        x += wide + 4
    return content, y + (_CHIP if x > PAD else 0)

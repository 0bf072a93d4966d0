"""The clock, victory points, what is being done, and the two tracks."""

from collections.abc import Sequence

from dawn_env.picture.map_symbols import badge, side_mark
from dawn_env.picture.svg_elements import PAD, Block, clipped, framed, moved, rect, tag, text, text_width, wrapped
from dawn_env.picture.theme import SIDE_CLASSES
from dawn_env.picture.viewer_position import StandardPosition, ViewerPosition
from dawn_env.state import DECISIONS, REASONS, RESULTS, Result
from dawn_env.tables import (
    COMMUNIST,
    DEMOCRAT,
    LAST_TURN,
    SIDE_LETTERS,
    SIDE_NAMES,
    SIDES,
    TIANANMEN_BOXES,
    TIANANMEN_NEED,
)

HEIGHT = 64.0
"""Height of the clock, of victory points and of the USSR track."""

_MOST_VP, _CELL = 20, 16.0
AWARDS = ("+1 to attempts", "1 ops count 2", "draw 3, keep 1", "remove 2 SP", "swap a card", "free check",
           "cancel event", "event and ops")  # fmt: skip
"""What the first side to enter each box of the Tiananmen Square Track gets (rule 6.3.5)."""
STEPS = (("stable", ""), ("Sajudis", "+1"), ("Baltic Way", "+3"), ("Breakaway", "+5"), ("Coup", "-3"))
"""Events of the USSR Stability Track and their VP (rule 12.0)."""


def _cells(labels: Sequence[str], width: float, y: float, now: int, style: str) -> str:
    """A row of labelled cells, the one at ``now`` filled with ``style``; words take the room of two and a half."""
    shares = [1.0 if label.isdecimal() else 2.5 for label in labels]
    unit, x, parts = width / sum(shares), PAD, []
    for at, (label, share) in enumerate(zip(labels, shares, strict=True)):
        step = unit * share
        parts.append(rect(x + 1, y, step - 2, _CELL, style if at == now else "box", 3))
        word = "on bold" if at == now else "soft"
        parts.append(text(x + step / 2, y + _CELL - 4, label, 10.5, word, "middle"))
        x += step
    return "".join(parts)


def numbers(last: int) -> tuple[str, ...]:
    """Labels of cells from 1."""
    return tuple(str(number) for number in range(1, last + 1))


def clock(seen: ViewerPosition, rounds: Sequence[str], now: int, width: float) -> Block:
    """Turn, and which of the ``rounds`` it is: the one at ``now``."""
    content, style = "", "box"
    if seen.phasing >= 0:
        style, whose = SIDE_CLASSES[seen.phasing], f"of the {SIDE_NAMES[seen.phasing].capitalize()}"
        content = side_mark(seen.phasing, width - PAD - 10 - text_width(whose, 10.5, True) - 4, 6, 10)
        content += text(width - PAD, 15, whose, 10.5, f"{style}w", "end")
    content += _cells(numbers(LAST_TURN), width - 2 * PAD, 23, seen.turn - 1, style)
    content += _cells(rounds, width - 2 * PAD, 43, now, style)
    return framed(seen.when.capitalize(), width, HEIGHT, content, "ink bold")


def victory_points(seen: ViewerPosition, before: ViewerPosition | None, width: float) -> Block:
    """The scale from -20 to 20, filled from 0 to where it stands."""
    at, y, height = max(-_MOST_VP, min(_MOST_VP, seen.vp)), 28.0, 16.0
    unit, zero = (width - 2 * PAD - 24) / (2 * _MOST_VP), width / 2
    side = DEMOCRAT if seen.vp >= 0 else COMMUNIST
    content = rect(PAD + 12, y, width - 2 * PAD - 24, height, "box", 0)
    content += rect(min(zero, zero + at * unit), y, abs(at) * unit, height, SIDE_CLASSES[side])
    for value in range(-_MOST_VP, _MOST_VP + 1, 5):
        content += text(zero + value * unit, y + height + 12, str(abs(value)), 9, "soft", "middle")
    content += side_mark(COMMUNIST, PAD, y + 3, 10) + side_mark(DEMOCRAT, width - PAD - 10, y + 3, 10)
    content += tag("path", d=f"M{zero + at * unit:.1f} {y - 4}v{height + 8}", class_="marker")
    leader = "even" if seen.vp == 0 else f"{SIDE_NAMES[side].capitalize()} leads by {abs(seen.vp)}"
    content += text(width - PAD, 15, leader, 10.5, f"{SIDE_CLASSES[side]}w" if seen.vp else "soft bold", "end")
    if before is not None and before.vp != seen.vp:
        content += badge(width / 2, 17, f"VP {seen.vp - before.vp:+d}", 11)
    return framed(f"Victory points {seen.vp:+d}", width, HEIGHT, content, "ink bold")


def ussr(seen: StandardPosition, before: StandardPosition | None, width: float) -> Block:
    """The five steps of the USSR Stability Track with the VP of their events."""
    step, content = (width - 2 * PAD) / len(STEPS), ""
    for number, (name, vp) in enumerate(STEPS):
        x, here = PAD + number * step, number == seen.ussr
        content += rect(x + 1, 22, step - 2, 36, "ink" if here else "box", 3)
        word = "halo" if here else "soft"
        content += text(x + step / 2, 37, name, 9, word + (" bold" if here else ""), "middle")
        content += text(x + step / 2, 51, f"{number}" + (f": VP {vp}" if vp else ""), 9, word, "middle")
    if before is not None and before.ussr != seen.ussr:
        content += rect(PAD + seen.ussr * step, 21, step, 38, "change", 3)
    return framed("USSR stability", width, HEIGHT, content)


# --- Tiananmen Square ----------------------------------------------------------------------------


def tiananmen(seen: StandardPosition, before: StandardPosition | None, width: float) -> Block:
    """The eight boxes with what their first visitor gets, what entering needs, and where both sides stand."""
    step, content = (width - 2 * PAD) / TIANANMEN_BOXES, ""
    for box in range(1, TIANANMEN_BOXES + 1):
        content += moved(PAD + (box - 1) * step, 22, _award(seen, before, box, step - 3), data_box=box)
    x = 130.0
    for side in range(SIDES):
        words = _attempts(seen, side)
        content += side_mark(side, x, 6, 10) + text(x + 14, 15, words, 9.5, f"{SIDE_CLASSES[side]}w")
        x += 14 + text_width(words, 9.5, True) + 14
    return framed("Tiananmen Square", width, 78, content)


def _attempts(seen: StandardPosition, side: int) -> str:
    words = f"{SIDE_LETTERS[side]} " + ("in " + str(seen.track[side]) if seen.track[side] else "at the start")
    return words + (", +1" if seen.tried_box[side] else "") + (", tried" if seen.tried_turn[side] else "")


def _award(seen: StandardPosition, before: StandardPosition | None, box: int, width: float) -> str:
    here = [side for side in range(SIDES) if seen.track[side] == box]
    passed = [side for side in range(SIDES) if seen.track[side] >= box]
    holder = passed[0] if len(passed) == 1 and box not in (3, 4) else -1
    content = rect(0, 0, width, 50, "box" + (f" {SIDE_CLASSES[holder]}e" if holder >= 0 else ""), 3)
    need = " ".join(f"{SIDE_LETTERS[side]} {TIANANMEN_NEED[side, box]}+" for side in range(SIDES))
    used = " (used)" if box in seen.used_awards else ""
    over = bool(passed) and holder < 0
    content += text(5, 13, str(box), 11, "ink bold") + text(width - 4, 13, need, 8.5, "soft", "end")
    content += text(
        width / 2, 27, clipped(AWARDS[box - 1] + used, 8.5, width - 4), 8.5, "soft" if over else "ink", "middle"
    )
    for place, side in enumerate(here):
        content += side_mark(side, width / 2 - 14 * len(here) / 2 + 14 * place, 33, 12)
    if not here and holder >= 0:
        content += text(width / 2, 43, f"award of {SIDE_LETTERS[holder]}", 8.5, f"{SIDE_CLASSES[holder]}w", "middle")
    if before is not None and any(before.track[side] != seen.track[side] for side in here):
        content += rect(-1, -1, width + 2, 52, "change", 3)
    return content


# --- what is being done --------------------------------------------------------------------------

Doing = tuple[str, float, str]
"""A line about what is being done, with its size and style."""


def status(doings: Sequence[Doing], width: float, height: float) -> Block:
    """Pending decision and its context, or the end of the game."""
    content, y = "", 18.0
    for words, size, style in doings:
        for line in wrapped(words, size, width - 2 * PAD, True):
            content += text(PAD, y, line, size, style)
            y += size + 4
    frame = rect(0.5, 0.5, width - 1, height - 1, "panel", 5)
    return Block(width, height, frame + content)


def decides(seen: ViewerPosition) -> list[Doing]:
    """The result, or who decides what as far as it may be seen."""
    if seen.result != Result.RUNNING:
        words = "The game is a draw" if RESULTS[seen.result] == "draw" else f"{RESULTS[seen.result].capitalize()} wins"
        return [(words, 15, "ink bold"), (REASONS[seen.reason], 10.5, "soft bold")]
    return [asked(SIDE_NAMES[seen.actor], seen.decision, f"{SIDE_CLASSES[seen.actor]}w")]


def asked(name: str, decision: int, style: str) -> Doing:
    """Pending decision and its side."""
    what = f": {DECISIONS[decision].replace('-', ' ')}" if decision else ""
    return f"{name.capitalize()} decides{what}", 13, style

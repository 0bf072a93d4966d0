"""The board as text for people: what ``render`` of the environments shows.

Control is coloured and also written as a letter: D (blue) Democrat, C (red) Communist. ``*`` marks a
battleground.
"""

import numpy as np

from dawn_env.actions import ACTIONS
from dawn_env.rules.struggle import hands_looked_at
from dawn_env.state import DECISIONS, HAND, IN_PLAY, POWER_HAND, REASONS, RESULTS, RUNNING
from dawn_env.tables import (
    BATTLEGROUND,
    CARD_TITLES,
    COMMUNIST,
    COUNTRIES,
    DEMOCRAT,
    FACES,
    FIRST_SPACE,
    PRINTED_OPS,
    SIDE_LETTERS,
    SIDE_NAMES,
    SPACES,
    STABILITY,
)

_COLOURS = ("\x1b[34m", "\x1b[31m")
_PLAIN = "\x1b[0m"
_COLUMNS = 3
_NAME_WIDTH = 26
_WIDTH = 120


def board_text(state: np.record) -> str:
    """The board, the tracks, the hand of the side to act, and its decision with the legal actions."""
    lines = [_clock(state), _tracks(state)]
    for country in range(len(COUNTRIES)):
        lines += _country(state, country)
    lines.append(f"In play: {_cards(state, IN_PLAY)}")
    return "\n".join(lines + _pending(state)) + "\n"


def _clock(state: np.record) -> str:
    when = "set-up" if state.turn == 0 else f"turn {state.turn}, round {state.action_round}"
    return f"1989: {when}, phasing {SIDE_NAMES[state.phasing]}, VP {state.vp:+d} (Democrat positive)"


def _tracks(state: np.record) -> str:
    democrat, communist = state.track[DEMOCRAT], state.track[COMMUNIST]
    return f"USSR stability {state.ussr}   Tiananmen Square D {democrat}, C {communist}"


def _country(state: np.record, country: int) -> list[str]:
    power, scored = SIDE_NAMES[state.power[country]], state.times_scored[country]
    cells = [_space(state, space) for space in range(FIRST_SPACE[country], FIRST_SPACE[country + 1])]
    rows = [cells[i : i + _COLUMNS] for i in range(0, len(cells), _COLUMNS)]
    return [f"-- {COUNTRIES[country]}: Power {power}, scored {scored}x", *("  ".join(row) for row in rows)]


def _space(state: np.record, space: int) -> str:
    """Name, stability, support of both sides and control, in a fixed width."""
    lead = int(state.support[DEMOCRAT, space]) - int(state.support[COMMUNIST, space])
    holder = -1 if abs(lead) < STABILITY[space] else DEMOCRAT if lead > 0 else COMMUNIST
    mark = "x" if space == state.destroyed else "h" if space == state.hideout else "*" if BATTLEGROUND[space] else " "
    points = f"{state.support[DEMOCRAT, space]:>2}:{state.support[COMMUNIST, space]:<2}"
    text = f"{mark}{SPACES[space]:<{_NAME_WIDTH}.{_NAME_WIDTH}} {STABILITY[space]} {points}"
    return f"{text}  " if holder < 0 else f"{_COLOURS[holder]}{text} {SIDE_LETTERS[holder]}{_PLAIN}"


def _cards(state: np.record, zone: int) -> str:
    cards = np.flatnonzero(state.where == zone)
    return ", ".join(f"{card} {CARD_TITLES[card]} ({PRINTED_OPS[card]})" for card in cards) or "none"


def _pending(state: np.record) -> list[str]:
    if state.result != RUNNING:
        return [f"Game over: {RESULTS[state.result]} ({REASONS[state.reason]})"]
    side = state.actor
    lines = [f"Hand of the {SIDE_NAMES[side]}: {_cards(state, HAND + side)}"]
    copies = state.power_cards[POWER_HAND + side]
    if copies.any() and hands_looked_at(state):
        lines.append("Struggle hand: " + ", ".join(f"{copies[face]}x {FACES[face]}" for face in np.flatnonzero(copies)))
    lines.append(f"Decision of the {SIDE_NAMES[side]}: {DECISIONS[state.decision]}")
    return [*lines, *_wrapped([f"{ACTIONS[action]} [{action}]" for action in np.flatnonzero(state.legal)])]


def _wrapped(words: list[str]) -> list[str]:
    """Words joined by commas into lines of at most ``_WIDTH`` characters."""
    lines = [""]
    for word in words:
        if lines[-1] and len(lines[-1]) + len(word) > _WIDTH:
            lines.append("")
        lines[-1] += f"  {word}" if not lines[-1] else f", {word}"
    return lines

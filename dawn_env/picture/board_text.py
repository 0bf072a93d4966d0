"""A position as text: the board, the tracks, the hand of the side to act, and its decision."""

import textwrap
from collections.abc import Iterable

import numpy as np

from dawn_env.actions import ACTIONS
from dawn_env.bids import PLAYER_NAMES, is_bid
from dawn_env.state import DECISIONS, REASONS, RESULTS, SPACE_MARKERS, Mode, PowerZone, Result, Zone, cards_in
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
_CELL = 39  # columns of a space with its gap, 26 of them for its name
_WIDTH = 120
_JOIN = "\0"  # stands for blanks at which no line may end


def board_text(state: np.record) -> str:
    """The board, the tracks, the hand of the side to act, and its decision with the legal actions."""
    return "\n".join([table_text(state), *_pending(state)]) + "\n"


def table_text(state: np.record, width: int = _WIDTH) -> str:
    """The board, the tracks and, unless the game is over, the hand of the side to act, ``width`` columns wide."""
    family = state.mode == Mode.FAMILY
    lines = [wrapped(_clock(state), width)]
    if not family:
        democrat, communist = state.track[DEMOCRAT], state.track[COMMUNIST]
        lines.append(wrapped(f"USSR stability {state.ussr}   Tiananmen Square D {democrat}, C {communist}", width))
    for country in range(len(COUNTRIES)):
        lines += _country(state, country, width)
    in_play = [] if family else [f"In play: {_cards(state, Zone.IN_PLAY)}"]
    return "\n".join([*lines, *(wrapped(line, width) for line in (*in_play, *_hand(state)))])


def wrapped(text: str, width: int) -> str:
    """Every line of ``text`` in at most ``width`` columns; what is broken goes on further in than it began."""
    return "\n".join(_filled(line, width) for line in text.split("\n"))


def _filled(line: str, width: int) -> str:
    words = line.lstrip(" ")
    indent = line[: len(line) - len(words)]
    filled = textwrap.fill(words, width, initial_indent=indent, subsequent_indent=indent + "  ", break_on_hyphens=False)
    return filled.replace(_JOIN, " ")


def listed(names: Iterable[str]) -> str:
    """Names with commas in between, none of which ``wrapped`` breaks."""
    return ", ".join(name.replace(" ", _JOIN) for name in names)


def _clock(state: np.record) -> str:
    if is_bid(state.decision):
        return "1989: bid for sides"
    placing = state.mode == Mode.FAMILY and state.action_round == 0
    when = f"turn {state.turn}, {'placement' if placing else f'round {state.action_round}'}" if state.turn else "set-up"
    return f"1989: {when}, phasing {SIDE_NAMES[state.phasing]}, VP {state.vp:+d} (Democrat positive)"


def _country(state: np.record, country: int, width: int) -> list[str]:
    columns = max(1, (width + 2) // _CELL)
    power, scored = SIDE_NAMES[state.power[country]], state.times_scored[country]
    cells = [_space(state, space) for space in range(FIRST_SPACE[country], FIRST_SPACE[country + 1])]
    rows = [cells[i : i + columns] for i in range(0, len(cells), columns)]
    facts = "" if state.mode == Mode.FAMILY else f": Power {power}, scored {scored}x"
    return [wrapped(f"-- {COUNTRIES[country]}{facts}", width), *("  ".join(row) for row in rows)]


def _space(state: np.record, space: int) -> str:
    """Name, stability, support of both sides and control, in a fixed width."""
    lead = int(state.support[DEMOCRAT, space]) - int(state.support[COMMUNIST, space])
    holder = -1 if abs(lead) < STABILITY[space] else DEMOCRAT if lead > 0 else COMMUNIST
    signs = [field.marker.sign for field in SPACE_MARKERS if field.marker and state[field.name] == space]
    mark = signs[0] if signs else "*" if BATTLEGROUND[space] else " "
    points = f"{state.support[DEMOCRAT, space]:>2}:{state.support[COMMUNIST, space]:<2}"
    text = f"{mark}{SPACES[space]:<26} {STABILITY[space]} {points}"
    return f"{text}  " if holder < 0 else f"{_COLOURS[holder]}{text} {SIDE_LETTERS[holder]}{_PLAIN}"


def _cards(state: np.record, zone: int) -> str:
    return listed(f"{card} {CARD_TITLES[card]} ({PRINTED_OPS[card]})" for card in cards_in(state, zone)) or "none"


def _hand(state: np.record) -> list[str]:
    """The cards of the side to act."""
    if state.result != Result.RUNNING or is_bid(state.decision):
        return []
    side = state.actor
    lines = [f"Hand of the {SIDE_NAMES[side]}: {_cards(state, Zone.HAND + side)}"]
    copies = state.power_cards[PowerZone.HAND + side]
    if copies.any():
        lines.append("Struggle hand: " + ", ".join(f"{copies[face]}x {FACES[face]}" for face in np.flatnonzero(copies)))
    return lines


def _pending(state: np.record) -> list[str]:
    """The decision with the legal actions and their ids, or the result."""
    if state.result != Result.RUNNING:
        return [f"Game over: {RESULTS[state.result]} ({REASONS[state.reason]})"]
    names = PLAYER_NAMES if is_bid(state.decision) else SIDE_NAMES
    legal = listed(f"{ACTIONS[action]} [{action}]" for action in np.flatnonzero(state.legal))
    decision = f"Decision of the {names[state.actor]}: {DECISIONS[state.decision]}"
    return [decision, wrapped(f"  {legal}", _WIDTH)]

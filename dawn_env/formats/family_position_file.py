"""A game of family mode at the start of a card's placement (round 0) or of a round, as JSON.

All that is not in a hand or among discards lies in the decks. What players know of each other's cards is left out.
"""

from collections import Counter

import numpy as np

from dawn_env import engine
from dawn_env.errors import MalformedPosition
from dawn_env.options import GameOptions
from dawn_env.rules.family.family_turn import Step
from dawn_env.state import MODES, Decision, Mode, PowerZone, Zone, new_states
from dawn_env.tables import (
    FACE_ID,
    FACES,
    FAMILY_HAND_SIZE,
    FAMILY_POWER_HAND_SIZE,
    FAMILY_ROUNDS,
    LAST_TURN,
    OWNER,
    SIDE_LETTERS,
    SIDE_NAMES,
)
from dawn_env.validation.json_values import card_list, keys, one_of, support_json, support_points, whole
from dawn_env.validation.state_validity import check_state

_KEYS = {"mode", "turn", "round", "phasing", "vp", "support", "hands", "discard", "power_hands", "power_discard"}
_MAX_VP, _MAX_SUPPORT = 19, 150


def to_json(state: np.record) -> dict:
    """The position of a ``STATE`` record; a card being placed and a take-over in progress are left out."""
    hands = {letter: _cards(state, Zone.HAND + side) for side, letter in enumerate(SIDE_LETTERS)}
    faces = {letter: _faces(state, PowerZone.HAND + side) for side, letter in enumerate(SIDE_LETTERS)}
    return {
        "mode": MODES[Mode.FAMILY],
        "turn": int(state.turn),
        "round": int(state.action_round),
        "phasing": SIDE_LETTERS[state.phasing],
        "vp": int(state.vp),
        "support": support_json(state),
        "hands": hands,
        "discard": _cards(state, Zone.DISCARD_PILE),
        "power_hands": faces,
        "power_discard": _faces(state, PowerZone.DISCARD),
    }


def _cards(state: np.record, zone: int) -> list[int]:
    return np.flatnonzero(state.where == zone).tolist()


def _faces(state: np.record, zone: int) -> list[str]:
    return [FACES[face] for face in np.repeat(np.arange(len(FACES)), state.power_cards[zone])]


def from_json(position: dict, seed: int = 0) -> np.ndarray:
    """``[1]`` record of ``STATE`` that waits to be run to its first decision; raises ``MalformedPosition``."""
    keys(position, "position", _KEYS)
    states = new_states(1)
    engine.reset(states, np.array([seed]), GameOptions(mode=MODES[Mode.FAMILY]))
    state = states[0]
    _read_clock(state, position)
    state.support[:] = 0
    for space, points in support_points(position["support"], "support", _MAX_SUPPORT).items():
        state.support[:, space] = points
    _read_cards(state, position)
    _read_faces(state, position)
    state.decision, state.tape_len[:], state.legal[:], state.legal_count = Decision.NONE, 0, 0, 0
    check_state(state)
    return states


def _read_clock(state: np.record, position: dict) -> None:
    state.turn = whole(position["turn"], "turn", 1, LAST_TURN)
    state.action_round = whole(position["round"], "round", 0, FAMILY_ROUNDS)
    state.phasing = one_of(position["phasing"], "phasing", SIDE_LETTERS)
    state.vp = whole(position["vp"], "vp", -_MAX_VP, _MAX_VP)
    state.frames[0].step = Step.ORIGIN if state.action_round else Step.CARD
    state.frames[0].side = state.phasing


def _read_cards(state: np.record, position: dict) -> None:
    keys(position["hands"], "hands", SIDE_LETTERS)
    state.where[state.where >= Zone.HAND] = Zone.DRAW_PILE
    state.drawn_at[:], state.recount[:] = -1, 1
    for side, letter in enumerate(SIDE_LETTERS):
        hand = card_list(position["hands"][letter], f"hands.{letter}")
        _check_hand(hand, f"hands.{letter}", side)
        state.where[hand] = Zone.HAND + side
        state.drawn_at[side, : len(hand)] = state.epoch
    for card in card_list(position["discard"], "discard"):
        if state.where[card] != Zone.DRAW_PILE:
            raise MalformedPosition(f"discard: card {card} lies elsewhere, or is not in the game")
        state.where[card] = Zone.DISCARD_PILE


def _check_hand(hand: list[int], name: str, side: int) -> None:
    if strange := [card for card in hand if OWNER[card] != side]:
        raise MalformedPosition(f"{name}: cards {strange} are not of the deck of the {SIDE_NAMES[side]}")
    if len(hand) > FAMILY_HAND_SIZE:
        raise MalformedPosition(f"{name}: at most {FAMILY_HAND_SIZE} cards expected, not {len(hand)}")


def _read_faces(state: np.record, position: dict) -> None:
    keys(position["power_hands"], "power_hands", SIDE_LETTERS)
    state.power_cards[PowerZone.DECK] += state.power_cards[PowerZone.HAND :].sum(axis=0, dtype=np.int8)
    state.power_cards[PowerZone.HAND :] = 0
    for side, letter in enumerate(SIDE_LETTERS):
        name = f"power_hands.{letter}"
        _move(state, _face_list(position["power_hands"][letter], name), name, PowerZone.HAND + side)
        if (size := state.power_cards[PowerZone.HAND + side].sum()) > FAMILY_POWER_HAND_SIZE:
            raise MalformedPosition(f"{name}: at most {FAMILY_POWER_HAND_SIZE} cards expected, not {size}")
    _move(state, _face_list(position["power_discard"], "power_discard"), "power_discard", PowerZone.DISCARD)


def _face_list(value, name: str) -> list[int]:
    if not isinstance(value, list) or not all(isinstance(face, str) and face in FACE_ID for face in value):
        raise MalformedPosition(f"{name}: a list of some of {', '.join(FACES)} expected, not {value!r}")
    return [FACE_ID[face] for face in value]


def _move(state: np.record, faces: list[int], name: str, zone: int) -> None:
    for face, count in Counter(faces).items():
        if count > state.power_cards[PowerZone.DECK, face]:
            raise MalformedPosition(f"{name}: there are fewer cards {FACES[face]} than that")
        state.power_cards[PowerZone.DECK, face] -= count
        state.power_cards[zone, face] += count

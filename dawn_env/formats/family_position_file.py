"""A game of family mode at the start of a card's placement (round 0) or of a round, as JSON.

All that is not in a hand or among discards lies in the decks. What players know of each other's cards is left out.
"""

from collections import Counter

import numpy as np

from dawn_env import engine
from dawn_env.errors import MalformedPosition
from dawn_env.formats.position_fields import FamilyPositionFields, place_support, read_fields, support_json
from dawn_env.options import GameOptions
from dawn_env.rules.frames import FamilyStep
from dawn_env.state import MODES, Decision, Mode, PowerZone, Zone, cards_in, new_states
from dawn_env.tables import FACE_ID, FACES, SIDE_LETTERS
from dawn_env.validation.state_validity import check_state


def to_json(state: np.record) -> dict:
    """The position of a ``STATE`` record; a card being placed and a take-over in progress are left out."""
    hands = {letter: cards_in(state, Zone.HAND + side) for side, letter in enumerate(SIDE_LETTERS)}
    faces = {letter: _faces(state, PowerZone.HAND + side) for side, letter in enumerate(SIDE_LETTERS)}
    return {
        "mode": MODES[Mode.FAMILY],
        "turn": int(state.turn),
        "round": int(state.action_round),
        "phasing": SIDE_LETTERS[state.phasing],
        "vp": int(state.vp),
        "support": support_json(state),
        "hands": hands,
        "discard": cards_in(state, Zone.DISCARD_PILE),
        "power_hands": faces,
        "power_discard": _faces(state, PowerZone.DISCARD),
    }


def _faces(state: np.record, zone: int) -> list[str]:
    return [FACES[face] for face in np.repeat(np.arange(len(FACES)), state.power_cards[zone])]


def from_json(position: dict, seed: int = 0) -> np.ndarray:
    """``[1]`` record of ``STATE`` that waits to be run to its first decision; raises ``MalformedPosition``."""
    given = read_fields(FamilyPositionFields, position)
    states = new_states(1)
    engine.reset(states, np.array([seed]), GameOptions(mode=MODES[Mode.FAMILY]))
    state = states[0]
    _read_clock(state, given)
    state.support[:] = 0
    place_support(state, given.support)
    _read_cards(state, given)
    _read_faces(state, given)
    state.decision, state.tape_len[:], state.legal[:], state.legal_count = Decision.NONE, 0, 0, 0
    check_state(state)
    return states


def _read_clock(state: np.record, given: FamilyPositionFields) -> None:
    state.turn, state.action_round, state.vp = given.turn, given.round, given.vp
    state.phasing = SIDE_LETTERS.index(given.phasing)
    state.frames[0].step = FamilyStep.ORIGIN if state.action_round else FamilyStep.CARD
    state.frames[0].side = state.phasing


def _read_cards(state: np.record, given: FamilyPositionFields) -> None:
    state.where[state.where >= Zone.HAND] = Zone.DRAW_PILE
    state.drawn_at[:], state.recount[:] = -1, 1
    piles = [(f"hands.{letter}", given.hands[letter], Zone.HAND + side) for side, letter in enumerate(SIDE_LETTERS)]
    for name, cards, zone in (*piles, ("discard", given.discard, Zone.DISCARD_PILE)):
        for card in cards:
            if state.where[card] != Zone.DRAW_PILE:
                raise MalformedPosition(f"{name}: card {card} lies elsewhere, or is not in the game")
            state.where[card] = zone
    for side, letter in enumerate(SIDE_LETTERS):
        state.drawn_at[side, : len(given.hands[letter])] = state.epoch


def _read_faces(state: np.record, given: FamilyPositionFields) -> None:
    state.power_cards[PowerZone.DECK] += state.power_cards[PowerZone.HAND :].sum(axis=0, dtype=np.int8)
    state.power_cards[PowerZone.HAND :] = 0
    for side, letter in enumerate(SIDE_LETTERS):
        _move(state, given.power_hands[letter], f"power_hands.{letter}", PowerZone.HAND + side)
    _move(state, given.power_discard, "power_discard", PowerZone.DISCARD)


def _move(state: np.record, faces: list[str], name: str, zone: int) -> None:
    for face, count in Counter(faces).items():
        number = FACE_ID[face]
        if count > state.power_cards[PowerZone.DECK, number]:
            raise MalformedPosition(f"{name}: there are fewer cards {face} than that")
        state.power_cards[PowerZone.DECK, number] -= count
        state.power_cards[zone, number] += count

"""Power struggles: what to lead, what to answer with, when to raise the stakes."""

import numpy as np

from agents.heuristic.sight import AT, first_marked
from dawn_env.actions import CONCEDE, FACE0, PASS, SUIT0
from dawn_env.support.compiling import jit
from dawn_env.tables import (
    FACE_COUNT,
    FACE_RANK,
    FACE_SUIT,
    FIRST_SPACE,
    LEADER_SUIT,
    LEADER_TYPE,
    PETITION,
    RALLY,
    SUITS,
    SUPPORT_FALTERS,
    SUPPORT_SURGES,
    TACTIC_FAILS,
    TYPE_OF,
    N,
    P,
)

_MARCH_WORTH, _RALLY_WORTH, _PETITION_WORTH = 1.0, 1.3, 0.7  # worth of winning with a suit
_KEEP_INITIATIVE, _LOSE_INITIATIVE = 0.55, 0.35  # prospects after a matched lead
_SPEND = np.array([0.02, 0.02, 0.02, 0.02, 0.14, 0.10])
"""[6] cost of letting go a card, by FACE_SUIT."""
_SAFE = 5.0  # cards of advantage with which three can be spent on the stakes


@jit
def _suit_worth(suit):
    if suit == RALLY:
        return _RALLY_WORTH
    return _PETITION_WORTH if suit == PETITION else _MARCH_WORTH


@jit
def _leads(o, side_is_me, face):
    """Whether a side controls a space of the type a leader needs, in the country fought over."""
    country = first_marked(o, AT.struggle, N)
    wanted = 1 if side_is_me else -1
    for space in range(FIRST_SPACE[country], FIRST_SPACE[country + 1]):
        if TYPE_OF[space] == LEADER_TYPE[face] and o[AT.control + space] == wanted:
            return True
    return False


@jit
def _unseen(o, face):
    """Copies of a face that the viewer has not seen."""
    return int(FACE_COUNT[face]) - int(o[AT.my_power_hand + face]) - int(o[AT.power_discard + face])


@jit
def chance_matched(o, suit):
    """Chance that the opponent holds an answer to a suit."""
    answers, unseen = 0, 0
    for face in range(P):
        copies = _unseen(o, face)
        unseen += copies
        kind = FACE_SUIT[face]
        if kind == suit or face == TACTIC_FAILS or (kind == LEADER_SUIT and _leads(o, False, face)):
            answers += copies
    none = 1.0
    for i in range(o[AT.power_hand_size + 1]):
        none *= max(0.0, 1 - answers / max(1, unseen - i))
    return 1 - none


@jit
def _own_of_suit(o, suit):
    count = 0
    for face in range(P):
        if FACE_SUIT[face] == suit:
            count += o[AT.my_power_hand + face]
    return count


@jit
def _lead_gain(o, suit, rank):
    """Prospects of leading a suit with a rank."""
    matched = chance_matched(o, suit)
    keeps = (rank - 1) / 6 if rank > 1 else 0.0
    after = keeps * _KEEP_INITIATIVE + (1 - keeps) * _LOSE_INITIATIVE
    return (1 - matched) * _suit_worth(suit) + matched * after + 0.02 * _own_of_suit(o, suit)


@jit
def _best_suit_gain(o, rank):
    best = 0.0
    for suit in range(len(SUITS)):
        if not o[AT.blocked + suit]:
            best = max(best, _lead_gain(o, suit, rank))
    return best


@jit
def _attack_gain(o, face):
    kind = FACE_SUIT[face]
    if kind < LEADER_SUIT:
        return _lead_gain(o, kind, FACE_RANK[face]) - _SPEND[kind]
    if kind == LEADER_SUIT:
        return _best_suit_gain(o, FACE_RANK[face]) - _SPEND[kind]
    if face == SUPPORT_SURGES:
        return 0.55
    if face == SUPPORT_FALTERS:
        return 0.5 + 0.2 / max(1, o[AT.power_hand_size + 1])
    return 0.45  # Scare Tactics


@jit
def _discard_cost(o, face):
    """How much a card is missed: by kind, rank and whether a leader can be used."""
    kind = FACE_SUIT[face]
    if kind == LEADER_SUIT:
        return 0.5 if _leads(o, True, face) else -0.2
    if kind > LEADER_SUIT:
        return 0.6
    if o[AT.blocked + kind]:
        return -0.3
    return 0.05 * FACE_RANK[face] + (0.25 if kind == RALLY else 0.0) - 0.03 * _own_of_suit(o, kind)


@jit
def score_stakes(o, mask, scores):
    """Raise with a clear advantage only, with the cards that are missed least."""
    mine, theirs = int(o[AT.power_hand_size]), int(o[AT.power_hand_size + 1])
    worth_it = o[AT.staked] > 0 or mine - 3 >= theirs + _SAFE
    scores[PASS] = 0.5
    for face in range(P):
        scores[FACE0 + face] = (1.0 if worth_it else -1.0) - _discard_cost(o, face)


@jit
def score_attack(o, mask, scores):
    """Lead what the opponent is least likely to match."""
    for face in range(P):
        if mask[FACE0 + face]:
            scores[FACE0 + face] = _attack_gain(o, face)


@jit
def score_suit(o, mask, scores):
    """Name the suit for a leader."""
    for suit in range(len(SUITS)):
        if mask[SUIT0 + suit]:
            scores[SUIT0 + suit] = _lead_gain(o, suit, 3)


@jit
def score_defend(o, mask, scores):
    """Match with the card that is missed least; never concede."""
    scores[CONCEDE] = -9.0
    for face in range(P):
        if mask[FACE0 + face]:
            blocks = 0.3 if face == TACTIC_FAILS else 0.0
            scores[FACE0 + face] = blocks - _discard_cost(o, face)

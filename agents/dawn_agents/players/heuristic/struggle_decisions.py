"""Decisions of a power struggle: what to lead, what to answer with, when to raise the stakes."""

import numpy as np

from dawn_env.actions import FACE0, SUIT0, Word
from dawn_env.rules.frames import fail
from dawn_env.rules.struggle import STAKE, matches, usable_leader
from dawn_env.state import Decision, PowerZone
from dawn_env.support.compiling import jit
from dawn_env.tables import (
    FACE_COUNT,
    FACE_RANK,
    FACE_SUIT,
    LEADER_SUIT,
    RALLY,
    SCARE_TACTICS,
    SUITS,
    SUPPORT_FALTERS,
    SUPPORT_SURGES,
    TACTIC_FAILS,
    P,
)

_SUIT_WORTH = np.array([1.3, 1.0, 1.0, 0.7])
"""[SUITS] worth of winning with a suit."""
_KEEP_INITIATIVE, _LOSE_INITIATIVE = 0.55, 0.35  # prospects after a matched lead
_SPEND = np.array([0.02, 0.02, 0.02, 0.02, 0.14, 0.10])
"""[6] cost of letting go a card, by FACE_SUIT."""
_SAFE = 5  # cards of advantage that must be left when the stakes are raised


@jit
def _held(p, face):
    """Copies of a face in the viewer's hand."""
    return p.power_cards[PowerZone.HAND + p.viewer, face]


@jit
def chance_matched(p, suit):
    """Chance that the opponent holds an answer to a suit."""
    answers, unseen = 0, 0
    for face in range(P):
        copies = FACE_COUNT[face] - _held(p, face) - p.power_cards[PowerZone.DISCARD, face]
        unseen += copies
        if matches(p, 1 - p.viewer, p.struggle, suit, face):
            answers += copies
    none = 1.0
    for i in range(p.power_hands[1 - p.viewer]):
        none *= max(0.0, 1 - answers / max(1, unseen - i))
    return 1 - none


@jit
def _own_of_suit(p, suit):
    count = 0
    for face in range(P):
        if FACE_SUIT[face] == suit:
            count += _held(p, face)
    return count


@jit
def _lead_gain(p, suit, rank):
    """Prospects of leading a suit with a rank."""
    matched = chance_matched(p, suit)
    keeps = (rank - 1) / 6 if rank > 1 else 0.0
    after = keeps * _KEEP_INITIATIVE + (1 - keeps) * _LOSE_INITIATIVE
    return (1 - matched) * _SUIT_WORTH[suit] + matched * after + 0.02 * _own_of_suit(p, suit)


@jit
def _attack_gain(p, face):
    kind = FACE_SUIT[face]
    if kind < LEADER_SUIT:
        return _lead_gain(p, kind, FACE_RANK[face]) - _SPEND[kind]
    if kind == LEADER_SUIT:
        best = 0.0
        for suit in range(len(SUITS)):
            if suit != p.blocked:
                best = max(best, _lead_gain(p, suit, FACE_RANK[face]))
        return best - _SPEND[kind]
    if face == SUPPORT_SURGES:
        return 0.55
    if face == SUPPORT_FALTERS:
        return 0.5 + 0.2 / max(1, p.power_hands[1 - p.viewer])
    if face != SCARE_TACTICS:
        fail(p)
    return 0.45


@jit
def _discard_cost(p, face):
    """Cost of losing a card: by kind, rank and whether a leader can be used."""
    kind = FACE_SUIT[face]
    if kind == LEADER_SUIT:
        return 0.5 if usable_leader(p, p.viewer, p.struggle, face) else -0.2
    if kind > LEADER_SUIT:
        return 0.6
    if kind == p.blocked:
        return -0.3
    return 0.05 * FACE_RANK[face] + (0.25 if kind == RALLY else 0.0) - 0.03 * _own_of_suit(p, kind)


@jit
def _face_gain(p, face):
    """Worth of a card as a lead, as an answer, or to raise the stakes with: then that which is missed least."""
    if p.decision == Decision.ATTACK:
        return _attack_gain(p, face)
    if p.decision == Decision.DEFEND:
        return (0.3 if face == TACTIC_FAILS else 0.0) - _discard_cost(p, face)
    # Raise the stakes with a clear advantage only.
    worth_it = p.staked > 0 or p.power_hands[p.viewer] - STAKE >= p.power_hands[1 - p.viewer] + _SAFE
    return (1.0 if worth_it else -1.0) - _discard_cost(p, face)


@jit
def score_faces(p, mask, scores):
    """Score a decision about power struggle cards; False when it is none of them."""
    decision = p.decision
    if decision == Decision.SUIT:
        for suit in range(len(SUITS)):
            if mask[SUIT0 + suit]:
                scores[SUIT0 + suit] = _lead_gain(p, suit, 3)
        return True
    if decision != Decision.STAKES and decision != Decision.ATTACK and decision != Decision.DEFEND:
        return False
    scores[Word.PASS], scores[Word.CONCEDE] = 0.5, -9.0  # not to raise the stakes; never concede
    for face in range(P):
        if mask[FACE0 + face]:
            scores[FACE0 + face] = _face_gain(p, face)
    return True

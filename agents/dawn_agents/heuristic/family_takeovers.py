"""The chance that a take-over succeeds, and the power struggle card to add to one."""

import numpy as np

from dawn_agents.heuristic.family_board_value import worth_of_both
from dawn_env.actions import FACE0, Word
from dawn_env.rules.board import controls
from dawn_env.rules.family.decks import power_hand_size
from dawn_env.rules.family.takeover import NO_FACE, attacker_wins
from dawn_env.state import Decision, PowerZone
from dawn_env.support.compiling import jit
from dawn_env.support.elementary import exp
from dawn_env.tables import COMMUNIST, FACE_RANK, FACE_SUIT, RALLY, STABILITY, P

_OUTRIGHT = 12.0  # what a Rally, which wins by itself, is like as a rank
_THEIR_CARDS = np.array([0.0, 3.0, 4.5, 5.5])  # what the opponent's hidden cards may add, by their number
_PRICE = 0.12  # victory points that a rank is worth later


@jit
def rank_of(face):
    """Value of a card, a Rally as if it were a high rank."""
    return _OUTRIGHT if FACE_SUIT[face] == RALLY else 1.0 * FACE_RANK[face]


@jit
def best_rank(s, side):
    """The best card of a hand, 0 for none."""
    best = 0.0
    for face in range(P):
        if s.power_cards[PowerZone.HAND + side, face] > 0:
            best = max(best, rank_of(face))
    return best


@jit
def win_chance(s, side, space, points):
    """Probability that a take-over of a space with so many points succeeds, known cards included."""
    margin = points + best_rank(s, side) - _THEIR_CARDS[min(3, power_hand_size(s, 1 - side))]
    if controls(s, 1 - side, space):
        margin -= s.support[1 - side, space] + STABILITY[space]
    if side == COMMUNIST:  # a tie is theirs
        margin += 0.5
    wins = 0
    for difference in range(-5, 6):  # of two dice, in so many of 36 throws
        if margin + difference > 0.25:
            wins += 6 - abs(difference)
    return wins / 36


@jit
def gain_after(s, side, space, other, before):
    """Gain of a side in the countries of two spaces."""
    gain = worth_of_both(s, space, other) - before
    return -gain if side == COMMUNIST else gain


@jit
def stake(s, attacker):
    """Attacker's gain by winning rather than losing the fight."""
    space, origin = s.destination, s.origin
    mine, theirs = s.support[attacker, space], s.support[1 - attacker, space]
    s.support[attacker, space] = 0
    lost = worth_of_both(s, space, origin)
    s.support[attacker, space], s.support[1 - attacker, space] = mine + s.moved, 0
    gain = gain_after(s, attacker, space, origin, lost)
    s.support[attacker, space], s.support[1 - attacker, space] = mine, theirs
    return gain


@jit
def _chance_against_hand(s, attacker, face):
    """Chance that the attacker wins with a card (or ``NO_FACE``), by how many the defender holds."""
    lead = s.attack - s.defence + (0.0 if face == NO_FACE else rank_of(face))
    lead += 0.5 if attacker == COMMUNIST else 0.0
    held = power_hand_size(s, 1 - attacker)
    if lead < 0.25:
        return 0.0
    return 1.0 if held == 0 else 1 / (1 + exp(_THEIR_CARDS[min(3, held)] - lead))


@jit
def score_faces(s, scores):
    """Scores of the cards that can be added to a fight, and of none."""
    attacks, actor = s.decision == Decision.ATTACK_CARD, s.actor
    attacker = actor if attacks else 1 - actor
    worth = stake(s, attacker)
    for face in range(NO_FACE, P):
        action = Word.PASS if face == NO_FACE else FACE0 + face
        if not s.legal[action]:
            continue
        if attacks:
            value = worth * _chance_against_hand(s, attacker, face)
        else:
            value = 0.0 if attacker_wins(s, attacker, face) else worth
        scores[action] = value - (0.0 if face == NO_FACE else _PRICE * min(8.0, rank_of(face)))

"""The fight of a take-over (TR.2.4.3)."""

from dawn_env.actions import FACE0, Word
from dawn_env.rules.board import controls
from dawn_env.rules.chance import roll
from dawn_env.rules.family.decks import discard_power
from dawn_env.rules.frames import allow, ask
from dawn_env.state import PowerZone
from dawn_env.support.compiling import jit
from dawn_env.tables import COMMUNIST, FACE_RANK, FACE_SUIT, RALLY, STABILITY, P

NO_FACE = -1


@jit
def roll_sums(s, attacker):
    """Attack: points moved and a die. Defence: a die, and what holds a controlled space (ruling
    family-empty-space-fought, ruling family-points-in-the-target)."""
    defender, space = 1 - attacker, s.destination
    s.attack = s.moved + roll(s)
    s.defence = roll(s)
    if controls(s, defender, space):
        s.defence += s.support[defender, space] + STABILITY[space]


@jit
def ask_face(s, decision, side):
    """A side may add one of its power struggle cards, the attacker first (ruling family-attacker-first)."""
    ask(s, decision, side)
    for face in range(P):
        if s.power_cards[PowerZone.HAND + side, face] > 0:
            allow(s, FACE0 + face)
    allow(s, Word.PASS)


@jit
def play_face(s, side, action):
    """The card is played openly; which it is, or ``NO_FACE``."""
    if action == Word.PASS:
        return NO_FACE
    discard_power(s, side, action - FACE0)
    return action - FACE0


@jit
def _wins_outright(face):
    """W stands on the Rally cards (ruling family-rally-wins)."""
    return face != NO_FACE and FACE_SUIT[face] == RALLY


@jit
def _rank(face):
    return 0 if face == NO_FACE else FACE_RANK[face]


@jit
def attacker_wins(s, attacker, defence_face):
    """One W wins; otherwise the higher total, of which two Ws are no part (ruling family-two-rallies), and a tie is
    the Communist's."""
    attack_w, defence_w = _wins_outright(s.attack_face), _wins_outright(defence_face)
    if attack_w != defence_w:
        return attack_w
    lead = s.attack - s.defence
    if not attack_w:
        lead += _rank(s.attack_face) - _rank(defence_face)
    return lead > 0 or (lead == 0 and attacker == COMMUNIST)


@jit
def settle(s, attacker, defence_face):
    """The winner keeps all points in the space, the loser loses all there."""
    if attacker_wins(s, attacker, defence_face):
        s.support[attacker, s.destination] += s.moved
        s.support[1 - attacker, s.destination] = 0
    else:
        s.support[attacker, s.destination] = 0

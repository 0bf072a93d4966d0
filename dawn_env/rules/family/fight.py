"""The fight of a take-over (TR.2.4.3)."""

from dawn_env.actions import FACE0, PASS
from dawn_env.rules.board import controls
from dawn_env.rules.chance import roll
from dawn_env.rules.family.cards import discard_power
from dawn_env.rules.family.frame import ATTACK, DEFENCE, FACE, INTO, MOVED
from dawn_env.rules.stack import allow, ask
from dawn_env.state import POWER_HAND, SIDE
from dawn_env.support.compiling import jit
from dawn_env.tables import COMMUNIST, FACE_RANK, FACE_SUIT, RALLY, STABILITY, P

NO_FACE = 0


@jit
def roll_sums(s, f):
    """Attack: points moved and a die. Defence: a die, and what holds a controlled space (ours F9, F10)."""
    defender = 1 - f[SIDE]
    f[ATTACK] = f[MOVED] + roll(s)
    f[DEFENCE] = roll(s)
    if controls(s, defender, f[INTO]):
        f[DEFENCE] += s.support[defender, f[INTO]] + STABILITY[f[INTO]]


@jit
def ask_face(s, decision, side):
    """A side may add one of its power struggle cards."""
    ask(s, decision, side)
    for face in range(P):
        if s.power_cards[POWER_HAND + side, face] > 0:
            allow(s, FACE0 + face)
    allow(s, PASS)


@jit
def play_face(s, side, action):
    """The card is played openly; it, counted from 1, or ``NO_FACE``."""
    if action == PASS:
        return NO_FACE
    discard_power(s, side, action - FACE0)
    return action - FACE0 + 1


@jit
def _wins_outright(face):
    """W stands on the Rally cards (ours F12)."""
    return face != NO_FACE and FACE_SUIT[face - 1] == RALLY


@jit
def _rank(face):
    return 0 if face == NO_FACE else FACE_RANK[face - 1]


@jit
def attacker_wins(f, defence_face):
    """One W wins; otherwise the higher total, of which two Ws are no part (ours F13), and a tie is the Communist's."""
    attack_w, defence_w = _wins_outright(f[FACE]), _wins_outright(defence_face)
    if attack_w != defence_w:
        return attack_w
    attack, defence = f[ATTACK], f[DEFENCE]
    if not attack_w:
        attack += _rank(f[FACE])
        defence += _rank(defence_face)
    return attack > defence or (attack == defence and f[SIDE] == COMMUNIST)


@jit
def settle(s, f, defence_face):
    """The winner keeps all points in the space, the loser loses all there."""
    attacker, space = f[SIDE], f[INTO]
    if attacker_wins(f, defence_face):
        s.support[attacker, space] += f[MOVED]
        s.support[1 - attacker, space] = 0
    else:
        s.support[attacker, space] = 0

"""Features of a power struggle in progress, positive in the Democrat's favour.

They are read off both hands.
"""

from dawn_env.rules.chance import DIE
from dawn_env.rules.struggle import matches, usable_leader
from dawn_env.state import Decision, PowerZone
from dawn_env.support.compiling import jit
from dawn_env.tables import DEMOCRAT, FACE_SUIT, LEADER_SUIT, POWER_VALUE, SUITS, P

_OF_STRUGGLE = (
    "cards", "usable leaders", "wild cards", "attacker", "suits to win at once", "a suit to win at once",
    "cards that match", "attack to answer", "chance of the answer", "winner",
)  # fmt: skip
STRUGGLE_FEATURES = (*_OF_STRUGGLE, *(f"{name}, by power" for name in _OF_STRUGGLE))
"""Names of the numbers; the second half is the first times what Power is worth in the country."""
J = len(STRUGGLE_FEATURES)

_POWER_UNIT = 5.0  # victory points


@jit
def _count(s, side, country, sign, x):
    """Cards in a hand, usable leaders, wild cards."""
    for face in range(P):
        held = s.power_cards[PowerZone.HAND + side, face]
        if held:
            x[0] += sign * held
            if FACE_SUIT[face] == LEADER_SUIT:
                x[1] += sign * held * usable_leader(s, side, country, face)
            x[2] += sign * held * (FACE_SUIT[face] > LEADER_SUIT)


@jit
def _answers(s, country, suit):
    """The defender's cards that match a suit."""
    defender, count = 1 - s.attacker, 0
    for face in range(P):
        held = s.power_cards[PowerZone.HAND + defender, face]
        if held and matches(s, defender, country, suit, face):
            count += held
    return count


@jit
def _leads(s, suit):
    """The attacker's cards of a suit."""
    count = 0
    for face in range(P):
        if FACE_SUIT[face] == suit:
            count += s.power_cards[PowerZone.HAND + s.attacker, face]
    return count


@jit
def _survey_suits(s, country, sign, x):
    """Faces that the attacker could lead, and the possible answers."""
    x[3] = sign
    for suit in range(len(SUITS)):
        leads = _leads(s, suit)
        if suit != s.blocked and leads:
            answers = _answers(s, country, suit)
            x[4] += sign * (answers == 0)
            x[6] -= sign * min(leads, answers)
    x[5] = sign * (x[4] != 0)


@jit
def write_struggle(s, x):
    """Fill ``x`` float [J] with the numbers of ``STRUGGLE_FEATURES``; zeros where no struggle is fought."""
    x[:] = 0
    if s.struggle < 0:
        return
    country = int(s.struggle)
    sign = 1.0 if s.attacker == DEMOCRAT else -1.0
    if s.winner >= 0:
        x[9] = 1.0 if s.winner == DEMOCRAT else -1.0
    else:
        for side in range(2):
            _count(s, side, country, 1.0 if side == DEMOCRAT else -1.0, x)
        if s.decision == Decision.DEFEND:
            x[7] = sign
            x[8] = -sign * (1.0 if s.led_rank <= 1 else (DIE + 1 - s.led_rank) / DIE)
        else:
            _survey_suits(s, country, sign, x)
    worth = POWER_VALUE[country] * (1 + s.times_scored[country]) / _POWER_UNIT
    half = len(x) // 2
    for i in range(half):
        x[half + i] = worth * x[i]

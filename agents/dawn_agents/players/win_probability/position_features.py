"""Features of win probabilities: numbers that describe a position, Democrat first or Democrat positive.

They are read off the whole record, hidden cards too: use them on positions that were dealt anew.
"""

from dawn_agents.players.heuristic_values.country_value import points_ahead, struggle_worth
from dawn_agents.players.win_probability.static_evaluation import TOPPLE, chance_scored, rounds_left, survey
from dawn_env.rules.cards import in_hand, in_play, is_scoring
from dawn_env.rules.chance import DIE
from dawn_env.rules.operations.ops_values import ops_change
from dawn_env.rules.struggle import matches, usable_leader
from dawn_env.state import Decision, PowerZone
from dawn_env.support.compiling import jit
from dawn_env.tables import (
    COMMUNIST,
    COUNTRIES,
    DEMOCRAT,
    FACE_SUIT,
    LEADER_SUIT,
    NEUTRAL,
    OWNER,
    POWER_VALUE,
    PRINTED_OPS,
    SIDE_NAMES,
    SIDES,
    SUITS,
    C,
    N,
    P,
)

_OF_COUNTRY = ("points", "spaces", "battlegrounds", "communist power")
_OF_COUNTRIES = (
    "points at next scoring",
    "struggle at next scoring",
    "points under communist power",
    "support beyond control",
    "power at next scoring",
    "power",
)
_OF_SIDE = (
    "box", "failed attempt", "ops change", "rounds left", "cards", "ops", "own ops", "opponent's ops",
    "scoring cards too many", "events in play",
)  # fmt: skip
_OF_GAME = ("victory points", "ussr", "phasing")

FEATURES = (
    *(f"{name}, {country}" for country in COUNTRIES for name in _OF_COUNTRY),
    *_OF_COUNTRIES,
    *(f"{name}, {side}" for side in SIDE_NAMES for name in _OF_SIDE),
    *_OF_GAME,
)
"""Names of the numbers, in their order."""
K = len(FEATURES)

_SUMS = N * len(_OF_COUNTRY)
_SIDE = _SUMS + len(_OF_COUNTRIES)
_GAME = _SIDE + SIDES * len(_OF_SIDE)


@jit
def _write_country(s, x, country):
    spaces_d, grounds_d, usable_d, cushion_d = survey(s, country, DEMOCRAT)
    spaces_c, grounds_c, usable_c, cushion_c = survey(s, country, COMMUNIST)
    points = points_ahead(country, spaces_d, spaces_c, grounds_d, grounds_c)
    at, communist = country * len(_OF_COUNTRY), s.power[country] == COMMUNIST
    x[at], x[at + 1], x[at + 2], x[at + 3] = points, spaces_d - spaces_c, grounds_d - grounds_c, communist
    x[_SUMS + 3] += cushion_d - cushion_c
    if communist:
        chance = chance_scored(s, country)
        power = POWER_VALUE[country] * (1 + s.times_scored[country])
        x[_SUMS] += chance * points
        x[_SUMS + 1] += chance * struggle_worth(country, spaces_d, spaces_c, usable_d, usable_c, TOPPLE)
        x[_SUMS + 2] += points
        x[_SUMS + 4] += chance * power
        x[_SUMS + 5] += power


@jit
def _write_cards(s, side, at, x):
    """Cards in hand, their ops, those of own and of the opponent's events, scoring cards too many; events in play."""
    scoring = 0
    for card in range(1, C):
        if OWNER[card] == side and in_play(s, card):
            x[at + 5] += 1
        if not in_hand(s, side, card):
            continue
        scoring += is_scoring(card)
        x[at] += 1
        x[at + 1] += PRINTED_OPS[card]
        if OWNER[card] != NEUTRAL:
            x[at + (2 if OWNER[card] == side else 3)] += PRINTED_OPS[card]
    x[at + 4] = max(0, scoring - rounds_left(s, side))


@jit
def write_features(s, x):
    """Fill ``x`` float [K] with the numbers of ``FEATURES``."""
    x[:] = 0
    for country in range(N):
        _write_country(s, x, country)
    for side in range(SIDES):
        at = _SIDE + side * len(_OF_SIDE)
        x[at], x[at + 1] = s.track[side], s.tried_box[side]
        x[at + 2], x[at + 3] = ops_change(s, side), rounds_left(s, side)
        _write_cards(s, side, at + 4, x)
    x[_GAME], x[_GAME + 1], x[_GAME + 2] = s.vp, s.ussr, s.phasing


# --- a power struggle in progress, positive in the Democrat's favour: read off both hands --------------

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
def _survey_suits(s, country, sign, x):
    """Suits that the attacker could lead, and the defender's cards that can answer them."""
    defender = 1 - s.attacker
    x[3] = sign
    for suit in range(len(SUITS)):
        leads, answers = 0, 0
        for face in range(P):
            held = s.power_cards[PowerZone.HAND + defender, face]
            if FACE_SUIT[face] == suit:
                leads += s.power_cards[PowerZone.HAND + s.attacker, face]
            if held and matches(s, defender, country, suit, face):
                answers += held
        if suit != s.blocked and leads:
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

"""Scores of the legal actions in family mode, in victory points for the side to act."""

import math

import numpy as np

from dawn_agents.players.heuristic.play_levels import best_legal
from dawn_agents.players.heuristic_values.country_value import control_degree, points_ahead
from dawn_env.actions import CARD0, FACE0, MOST_POINTS, POINTS0, SPACE0, Word
from dawn_env.rules.board import controls, is_control
from dawn_env.rules.family import NO_FACE, PRINTED_MAP, attacker_wins, may_enter, may_place, power_hand_size
from dawn_env.state import Decision, PowerZone, Result
from dawn_env.support.compiling import jit
from dawn_env.support.elementary import exp
from dawn_env.tables import (
    BATTLEGROUND,
    COMMUNIST,
    COUNTRY_OF,
    DEMOCRAT,
    FACE_RANK,
    FACE_SUIT,
    FIRST_SPACE,
    MAX_NEIGHBOURS,
    NEIGHBOURS,
    PRINTED_OPS,
    RALLY,
    STABILITY,
    C,
    N,
    P,
    S,
)

MOST_OPS = 4


@jit
def score_actions(s, scores):
    """Write the score of each legal action into ``scores`` float32 [ALL_ACTIONS]; the others are left alone.

    ``s``: a record with a decision of family mode pending, of which only what its actor knows is read.
    """
    decision = s.decision
    if decision == Decision.CARD:
        _score_cards(s, scores)
    elif decision == Decision.PLACE:
        for space in range(S):
            if s.legal[SPACE0 + space]:
                scores[SPACE0 + space] = _placement_gain(s, s.actor, space, PRINTED_OPS[s.frames[0].source])
    elif decision == Decision.ORIGIN:
        _score_origins(s, scores)
    elif decision == Decision.DESTINATION:
        for space in range(S):
            if s.legal[SPACE0 + space]:
                scores[SPACE0 + space] = _best_move(s, s.actor, s.origin, space)
    elif decision == Decision.POINTS:
        _score_points(s, scores)
    else:
        score_faces(s, scores)


@jit
def best_action(s, scores):
    """The legal action with the highest score, the first of equals; fills ``scores``."""
    score_actions(s, scores)
    return best_legal(s.legal, scores)


# --- placing ---------------------------------------------------------------------------------------


@jit
def _placement_gain(s, side, space, points):
    before = worth_of_both(s, space, space)
    s.support[side, space] += points
    gain = gain_after(s, side, space, space, before)
    s.support[side, space] -= points
    return gain


@jit
def _score_cards(s, scores):
    """A card is worth its best place."""
    side = s.actor
    for points in range(1, MOST_OPS + 1):
        best = -math.inf
        for card in range(1, C):
            if not s.legal[CARD0 + card] or PRINTED_OPS[card] != points:
                continue
            if best == -math.inf:
                best = 0.0
                for space in range(S):
                    if may_place(s, side, space):
                        best = max(best, _placement_gain(s, side, space, points))
            scores[CARD0 + card] = best


# --- shifts and take-overs ---------------------------------------------------------------------------


@jit
def _move_gain(s, side, origin, space, points):
    """Expected gain of moving points: for certain in a shift, by the chance of winning in a take-over."""
    before = worth_of_both(s, origin, space)
    mine, theirs, is_shift = s.support[side, space], s.support[1 - side, space], controls(s, side, space)
    chance = 1.0 if is_shift else win_chance(s, side, space, points)
    s.support[side, origin] -= points
    s.support[side, space] = mine + points
    if not is_shift:
        s.support[1 - side, space] = 0
    gain = chance * gain_after(s, side, origin, space, before)
    if chance < 1.0:
        s.support[side, space], s.support[1 - side, space] = 0, theirs
        gain += (1 - chance) * gain_after(s, side, origin, space, before)
    s.support[side, origin] += points
    s.support[side, space], s.support[1 - side, space] = mine, theirs
    return gain


@jit
def _spare(s, side, origin):
    """Points that can leave a space without losing it."""
    return s.support[side, origin] - s.support[1 - side, origin] - STABILITY[origin]


@jit
def _best_move(s, side, origin, space):
    """The best of moving all points or all that can be spared."""
    best = _move_gain(s, side, origin, space, s.support[side, origin])
    spare = _spare(s, side, origin)
    if spare > 0:
        best = max(best, _move_gain(s, side, origin, space, spare))
        best = max(best, _move_gain(s, side, origin, space, 1))
    return best


@jit
def _score_origins(s, scores):
    """An origin is worth its best move, passing nothing."""
    side = s.actor
    scores[Word.PASS] = 0.0
    for origin in range(S):
        if not s.legal[SPACE0 + origin]:
            continue
        best, around = -math.inf, NEIGHBOURS[PRINTED_MAP, origin]
        for i in range(MAX_NEIGHBOURS):
            if around[i] >= 0 and may_enter(s, side, around[i]):
                best = max(best, _best_move(s, side, origin, around[i]))
        scores[SPACE0 + origin] = best


@jit
def _score_points(s, scores):
    """The points named so far and those of the action together."""
    for points in range(MOST_POINTS + 1):
        if s.legal[POINTS0 + points]:
            moved = s.moved + points
            if points == MOST_POINTS:  # more can follow
                moved = max(moved, _spare(s, s.actor, s.origin))
            scores[POINTS0 + points] = _move_gain(s, s.actor, s.origin, s.destination, moved)


# --- probabilities and cards of a take-over ---------------------------------------------------------------


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


# --- value of the board ----------------------------------------------------------------------------
# Points of the next scoring, Democrat positive: every country scores every turn, near control counted in part.


WON = 60.0
"""Value of a won game; that of a game that runs stays well below."""
_PROGRESS = 0.4  # share of a controlled space's worth that points short of control have
_GUARD, _MOST_GUARD = 0.12, 4  # worth of each point beyond control, up to so many
_FOOTHOLD = 0.1  # of a space from which one can go on
_AHEAD = 1.5  # victory points on the track against those of the next scoring: the lead decides in the end


@jit
def _extras(s, side, space, lead):
    if is_control(lead, space):
        return _FOOTHOLD + _GUARD * min(_MOST_GUARD, lead - STABILITY[space])
    return _FOOTHOLD if s.support[side, space] > 0 else 0.0


@jit
def country_worth(s, country):
    """Points a country is expected to give when it is scored, and a little for what may become of it."""
    spaces_d = spaces_c = grounds_d = grounds_c = extras = 0.0
    for space in range(FIRST_SPACE[country], FIRST_SPACE[country + 1]):
        lead = s.support[DEMOCRAT, space] - s.support[COMMUNIST, space]
        share_d, share_c = control_degree(lead, space, _PROGRESS), control_degree(-lead, space, _PROGRESS)
        spaces_d += share_d
        spaces_c += share_c
        if BATTLEGROUND[space]:
            grounds_d += share_d
            grounds_c += share_c
        extras += _extras(s, DEMOCRAT, space, lead) - _extras(s, COMMUNIST, space, -lead)
    return points_ahead(country, spaces_d, spaces_c, grounds_d, grounds_c) + extras


@jit
def worth_of_both(s, space, other):
    """Worth of the countries of two spaces, which may be the same."""
    worth = country_worth(s, COUNTRY_OF[space])
    return worth if COUNTRY_OF[other] == COUNTRY_OF[space] else worth + country_worth(s, COUNTRY_OF[other])


@jit
def evaluate(s):
    """Value of a record in victory points, Democrat positive; +-``WON`` when the game is over."""
    if s.result != Result.RUNNING:
        return WON if s.result == Result.DEMOCRAT else -WON
    worth = _AHEAD * s.vp
    for country in range(N):
        worth += country_worth(s, country)
    return worth

"""Scores of the legal actions in family mode, in victory points for the side to act."""

import math

from dawn_agents.heuristic.family_board_value import worth_of_both
from dawn_agents.heuristic.family_takeovers import gain_after, score_faces, win_chance
from dawn_agents.heuristic.play_levels import best_legal
from dawn_env.actions import CARD0, MOST_POINTS, POINTS0, SPACE0, Word
from dawn_env.rules.board import controls
from dawn_env.rules.family.movement import PRINTED_MAP, may_enter, may_place
from dawn_env.state import Decision
from dawn_env.support.compiling import jit
from dawn_env.tables import MAX_NEIGHBOURS, NEIGHBOURS, PRINTED_OPS, STABILITY, C, S

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

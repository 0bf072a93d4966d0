"""The compiled loops of the rule-based player: choices and advice for many games at once."""

from dataclasses import astuple
from functools import cache
from pathlib import Path

import numba
import numpy as np

from agents.heuristic.choice import best_legal, misjudge
from agents.heuristic.decide import score_row, value_board
from agents.heuristic.leads import shares_of
from agents.heuristic.position import POSITION, new_position
from agents.heuristic.style import Weights
from dawn_env.actions import A
from dawn_env.observation import F
from dawn_env.state import Error
from dawn_env.support import hashing
from dawn_env.support.compiling import by_address, calling, entry_calling, jit
from dawn_env.support.hashing import view_hash
from dawn_env.support.shared_rows import done, take
from dawn_env.tables import COMMUNIST, N

SOURCE_FILES = (hashing.__file__, *(str(path) for path in sorted(Path(__file__).parent.glob("*.py"))))
"""Files whose compiled functions the loops call (``compiling.entry_calling``)."""

ADVICE = A + N
"""Numbers of advice on one position: one per action, one per country."""
ADVICE_VERSION = 1
"""Goes up whenever the same position would be judged differently: networks have learnt from these opinions."""
_PER_POINT, _ILLEGAL = 16, -128  # advice on actions: sixteenths of a victory point below the best
_COUNTRY_UNITS = 8

UNKNOWN = "the rule-based player knows no such decision, or no such verb of an event"

SCORE_TYPES = (numba.int8[::1], numba.int8[::1], numba.from_dtype(POSITION), numba.float32[::1])
_call_score = calling(*SCORE_TYPES)
_score_row = entry_calling(*SOURCE_FILES)(score_row)


@cache
def scorer():
    """The address of ``score_row``, for compiled loops that call ``score_by``."""
    return by_address(_score_row, *SCORE_TYPES)


@jit
def scored_by(score, observation, mask, p, scores):
    """``score_row`` by its address ``score``; false where it does not know what it is asked."""
    p.error = Error.NONE
    _call_score(score, observation, mask, p, scores)
    return p.error == Error.NONE


@jit
def score_by(score, observation, mask, p, scores):
    """As ``scored_by``. Raises ``ValueError`` where it does not know what it is asked."""
    if not scored_by(score, observation, mask, p, scores):
        raise ValueError(UNKNOWN)


def working_position(weights: Weights, members: int = 1) -> np.ndarray:
    """POSITION [members] with these weights, one for each thread, to be passed to the compiled functions."""
    positions = new_position(members)
    positions["w"], positions["shares"] = astuple(weights), shares_of(weights.progress)
    return positions


@entry_calling(*SOURCE_FILES)
def choose_rows(job, member, count, score, observations, masks, positions, actions):
    """Write the best action of each row into ``actions`` int64 [K], the first of equals; 0 where none is legal.

    ``job``, ``member``, ``count``: see ``dawn_env.support.shared_rows``; faults are decisions that it does not know.
    ``score`` is ``scorer()``; ``positions``: POSITION [members], work space whose weights are set.
    """
    scores, p = np.zeros(A, np.float32), positions[member]
    first, last = take(job, member, count)
    while first < last:
        faults = 0
        for row in range(first, last):
            faults += not scored_by(score, observations[row], masks[row], p, scores)
            actions[row] = best_legal(masks[row], scores)
        first, last = done(job, member, last - first, faults)


@entry_calling(*SOURCE_FILES)
def choose_rows_erring(job, member, count, score, observations, masks, positions, actions, errors, words, weights):
    """As ``choose_rows``, for a player who makes ``errors`` (ERRORS [1]); draws are by ``hashing.view_hash``.

    ``words`` int32 [K, W] of the observations, ``weights`` int64 [W].
    """
    scores, p = np.zeros(A, np.float32), positions[member]
    first, last = take(job, member, count)
    while first < last:
        faults = 0
        for row in range(first, last):
            faults += not scored_by(score, observations[row], masks[row], p, scores)
            misjudge(masks[row], scores, errors[0], view_hash(words[row], weights))
            actions[row] = best_legal(masks[row], scores)
        first, last = done(job, member, last - first, faults)


@entry_calling(*SOURCE_FILES)
def _advise_rows(score, observations, masks, positions, advice):
    scores, p = np.zeros(A, np.float32), positions[0]
    for row in range(len(observations)):
        score_by(score, observations[row], masks[row], p, scores)
        best = np.float32(-np.inf)
        for action in range(A):
            if masks[row, action]:
                best = max(best, scores[action])
        for action in range(A):
            below = max(-127.0, _PER_POINT * (scores[action] - best)) if masks[row, action] else _ILLEGAL
            advice[row, action] = int(below)
        value_board(p)
        sign = -_COUNTRY_UNITS if p.viewer == COMMUNIST else _COUNTRY_UNITS
        for n in range(N):
            advice[row, A + n] = int(min(127.0, max(-127.0, sign * p.worth[n])))


def advise(observations: np.ndarray, masks: np.ndarray, positions: np.ndarray) -> np.ndarray:
    """int8 [K, F + ADVICE]: observations [K, F], each followed by what the rule-based player thinks of it.

    Per action: sixteenths of a victory point below the best one, -127 at least, -128 when it is not legal.
    Per country: its worth for the viewer in eighths of a victory point.
    """
    advised = np.empty((len(observations), F + ADVICE), np.int8)
    advised[:, :F] = observations
    advice = np.empty((len(observations), ADVICE), np.int8)
    _advise_rows(scorer(), np.ascontiguousarray(observations), np.ascontiguousarray(masks), positions, advice)
    advised[:, F:] = advice
    return advised

"""Levels of play and the errors of each, and what follows from scores: answers and advice."""

from dataclasses import astuple, dataclass, fields, replace
from functools import cache

import numpy as np

from dawn_agents.players.heuristic_values.card_values import FORCED
from dawn_agents.players.heuristic_values.position_record import StyleWeights
from dawn_env.actions import ALL_ACTIONS
from dawn_env.observation import F
from dawn_env.players import ANSWER_TYPES
from dawn_env.support.compiling import (
    ADDRESS,
    BYTES,
    INT64,
    Vector,
    address_of,
    array_at,
    call_pointer,
    entry,
    function_pointer,
    jit,
)
from dawn_env.support.elementary import log
from dawn_env.support.hashing import mixed, view_hash, view_weights
from dawn_env.tables import COMMUNIST, N


@dataclass(frozen=True)
class Level:
    """Error sizes of a level; the errors of a view follow from it and the player's seed."""

    misjudges: float = 0.0  # size of the errors on what an option is worth, in victory points
    overlooks: float = 0.0  # chance not to see an option at all
    forgets: float = 0.0  # chance not to think of a scoring card that must be played, or let go, now
    foresight: float = 1.0  # share of its due that what pays later, or the opponent's answer, gets


LEVELS = {
    1: Level(2.5, 0.26, 0.53, 0.27),
    2: Level(1.6, 0.20, 0.40, 0.40),
    3: Level(1.17, 0.15, 0.29, 0.51),
    4: Level(0.9, 0.12, 0.20, 0.60),
    5: Level(0.65, 0.10, 0.15, 0.70),
    6: Level(0.5, 0.09, 0.11, 0.78),
    7: Level(0.38, 0.07, 0.08, 0.83),
    8: Level(0.27, 0.05, 0.05, 0.87),
    9: Level(0.15, 0.03, 0.02, 0.93),
    10: Level(),
}
"""The levels: even steps of strength above ``random``; on the last, no such errors are made."""
BEST = max(LEVELS)

ERRORS = np.dtype((np.record, [(field.name, "f8") for field in fields(Level)]))
"""A ``Level`` as a record."""


def errors_of(level: Level) -> np.ndarray:
    """ERRORS [1] of a level, for compiled functions."""
    return np.array([astuple(level)], ERRORS)


def weights_of(level: Level, weights: StyleWeights) -> StyleWeights:
    """Weights of a level, from the ``weights`` of its style."""
    later = ("progress", "cushion", "foothold", "struggle", "topple", "fear")
    return replace(weights, **{name: level.foresight * getattr(weights, name) for name in later})


_WORD = 0xFFFFFFFF
_STRIDE = 0x9E3779B1  # keeps the draws of one view apart
_UNSEEN = 4 * FORCED  # more than scores differ by


@jit
def best_legal(mask, scores):
    """The legal action with the highest score, the first of equals; 0 where none is legal."""
    best = -1
    for action in range(len(mask)):
        if mask[action] and (best < 0 or scores[action] > scores[best]):
            best = action
    return max(0, best)


@jit
def _draw(view, number):
    """The ``number``-th draw of a view, between 0 and 1; ``view`` is its hash."""
    return (mixed((view + (number + 1) * _STRIDE) & _WORD) + 0.5) * 2.0**-32


@jit
def _forget(mask, scores):
    """No urgency is felt: scoring cards count for what they score."""
    for action in range(len(mask)):
        if mask[action]:
            if scores[action] > FORCED / 2:
                scores[action] -= FORCED
            elif scores[action] < -FORCED / 2:
                scores[action] += FORCED


@jit
def add_errors(mask, scores, errors, view):
    """Change the ``scores`` of the legal actions by ``errors``, a record of ``ERRORS``.

    ``view``: hash of what the player sees and of their seed (``hashing.view_hash``). What is added has Gumbel's
    distribution, so that of two options worth x and y the odds are exp(x / misjudges) : exp(y / misjudges): the
    larger a blunder, the rarer.
    """
    if _draw(view, 0) < errors.forgets:
        _forget(mask, scores)
    for action in range(len(mask)):
        if mask[action]:
            scores[action] -= errors.misjudges * log(-log(_draw(view, 2 * action + 1)))
            if _draw(view, 2 * action + 2) < errors.overlooks:
                scores[action] -= _UNSEEN


# --- answers by scores -----------------------------------------------------------------------------


SCORE_TYPES = INT64, BYTES, BYTES, Vector(np.dtype(np.float32))
call_scorer = call_pointer(*SCORE_TYPES)
"""``call_scorer(scorer, work, observation, mask, scores)`` in compiled loops: writes float32 [A], scores of the legal
actions, or NaN everywhere for a decision that is not covered. ``work``: the address of what the scorer works on."""

ANSWERING = [
    ("scorer", ADDRESS), ("work", ADDRESS), ("scores", "f4", (ALL_ACTIONS,)),
    # For weaker players: the errors they make, and weights of the words of a view, from which draws follow.
    ("errs", "?"), ("errors", ERRORS), ("draws", "i8", (F // 4,)),
]  # fmt: skip
"""First fields of the memory of a player that answers by scores; ``position`` follows, what its scorer works on."""
_memory_at = array_at(np.dtype((np.record, ANSWERING)))


def fill_memory(memory: np.ndarray, scorer, level: Level, seed: int, size: int) -> np.ndarray:
    """Fill the first fields of a memory ``[1]`` for views of ``size`` numbers; returns it."""
    memory["scorer"], memory["work"][0] = scorer, address_of(memory["position"])
    memory["errs"], memory["errors"] = level != LEVELS[BEST], errors_of(level)
    memory["draws"][0, : size // 4] = view_weights(seed, size // 4)
    return memory


@entry
def _answer(memory, observation, mask, action):
    """The best action, the first of equals. Draws of errors are by ``hashing.view_hash``."""
    m = _memory_at(memory, 1)[0]
    scores = m.scores[: len(mask)]
    call_scorer(m.scorer, m.work, observation, mask, scores)
    known = not np.isnan(scores[0])
    if m.errs:
        add_errors(mask, scores, m.errors, view_hash(observation, m.draws[: len(observation) // 4]))
    action[0] = best_legal(mask, scores) if known else -1


@cache
def answer_pointer():
    """Function pointer of the answers (``dawn_env.players.CompiledPlayer``)."""
    return function_pointer(_answer, *ANSWER_TYPES)


# --- advice as numbers of one byte, for networks ---------------------------------------------------


OPINION_UNITS = 16
"""Numbers of advice on actions for a victory point below the best."""
_ILLEGAL = -128
_COUNTRY_UNITS = 8

ADVISE_TYPES = INT64, *SCORE_TYPES, BYTES
call_adviser = call_pointer(*ADVISE_TYPES)
"""``call_adviser(adviser, scorer, work, observation, mask, scores, advice)`` in compiled loops: as ``call_scorer``, and
writes int8 [A + N], advice by action and country, unless the decision is not covered."""


@jit
def advise_actions(scorer, work, observation, mask, scores, advice):
    """Write for each action how far its score is below the best one: sixteenths of a victory point, -127 at least, -128
    when it is not legal; False where the scorer does not cover the decision."""
    call_scorer(scorer, work, observation, mask, scores)
    if np.isnan(scores[0]):
        return False
    best = scores[best_legal(mask, scores)]
    for action in range(len(mask)):
        below = max(-127.0, OPINION_UNITS * (scores[action] - best)) if mask[action] else _ILLEGAL
        advice[action] = int(below)
    return True


@jit
def country_advice(viewer, worth):
    """Value of a country for the viewer, in eighths of a victory point, clipped to -127 ... 127.

    ``worth``: victory points, positive for the Democrat.
    """
    sign = -_COUNTRY_UNITS if viewer == COMMUNIST else _COUNTRY_UNITS
    return int(min(127.0, max(-127.0, sign * worth)))


@entry
def _advise_rows(adviser, scorer, work, advised, masks, scores):
    seen = advised.shape[1] - masks.shape[1] - N
    for row in range(len(advised)):
        call_adviser(adviser, scorer, work, advised[row, :seen], masks[row], scores, advised[row, seen:])
        if np.isnan(scores[0]):
            raise ValueError("the rule-based player knows no such decision, or no such verb of an event")


def advise_all(adviser, scorer, work: np.ndarray, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
    """int8 [K, F + A + N]: observations [K, F], each followed by what the rule-based player thinks of it.

    Per action and per country, in the units of ``advise_actions`` and ``country_advice``; ``work``: of the scorer.
    """
    size, actions = observations.shape[1], masks.shape[1]
    advised = np.empty((len(observations), size + actions + N), np.int8)
    advised[:, :size] = observations
    scores = np.zeros(actions, np.float32)
    _advise_rows(adviser, scorer, address_of(work), advised, np.ascontiguousarray(masks), scores)
    return advised

"""The compiled functions of the rule-based player: its choice in one game, its advice on many at once."""

from dataclasses import astuple
from functools import cache

import numpy as np

from dawn_agents.heuristic.card_decisions import score_cards, score_event_cards
from dawn_agents.heuristic.card_use_decisions import score_words
from dawn_agents.heuristic.play_levels import (
    BEST,
    ERRORS,
    LEVELS,
    Level,
    add_errors,
    best_legal,
    country_advice,
    errors_of,
    weights_of,
    write_opinions,
)
from dawn_agents.heuristic.space_decisions import score_spaces
from dawn_agents.heuristic.struggle_decisions import score_faces
from dawn_agents.heuristic_values.board_value import board_value, reset, shares_of
from dawn_agents.heuristic_values.memoized_operations import begin
from dawn_agents.heuristic_values.observation_reader import read
from dawn_agents.heuristic_values.position_record import POSITION, StyleWeights, new_position
from dawn_agents.heuristic_values.scoring_weights import write_scoring_weights
from dawn_env.actions import A
from dawn_env.observation import F
from dawn_env.players import ANSWER_TYPES
from dawn_env.state import Error
from dawn_env.support.compiling import (
    ADDRESS,
    BYTES,
    INT64,
    Vector,
    array_at,
    call_pointer,
    entry,
    function_pointer,
    jit,
)
from dawn_env.support.hashing import view_hash, view_weights
from dawn_env.tables import N


@jit
def _begin(p):
    write_scoring_weights(p)
    reset(p)
    begin(p)


@jit
def value_board(p):
    """Compute what the countries are worth, from what was read."""
    _begin(p)
    board_value(p)


def score_row(o, mask, p, scores):
    """Write what each legal action is worth into ``scores`` float32 [A]; what is not legal is left alone.

    ``o`` int8 [F], ``mask`` int8 [A], ``p`` a POSITION record whose weights are set: work space. Compiled once, by
    ``score_pointer``.
    """
    scores[:] = 0.0
    read(o, p)
    if score_faces(p, mask, scores):
        return
    _begin(p)
    if score_spaces(p, mask, scores):
        return
    if score_cards(p, mask, scores):
        return
    if score_event_cards(p, mask, scores):
        return
    score_words(p, mask, scores)


ADVICE = A + N
"""Numbers of advice on one position: one per action, one per country."""
ADVICE_VERSION = 1
"""Goes up whenever the same position would be judged differently: networks have learnt from these opinions."""
_UNKNOWN = "the rule-based player knows no such decision, or no such verb of an event"

SCORE_TYPES = BYTES, BYTES, POSITION, Vector(np.dtype(np.float32))
_call_score = call_pointer(*SCORE_TYPES)
_score_row = entry(score_row)


@cache
def score_pointer():
    """The address of ``score_row``, for compiled loops that call ``try_score``."""
    return function_pointer(_score_row, *SCORE_TYPES)


@jit
def try_score(score, observation, mask, p, scores):
    """Call ``score_row`` at the address ``score``; False for decisions that it does not cover."""
    p.error = Error.NONE
    _call_score(score, observation, mask, p, scores)
    return p.error == Error.NONE


def working_position(weights: StyleWeights) -> np.ndarray:
    """POSITION [1] with these weights, to be passed to the compiled functions."""
    positions = new_position()
    weigh(positions, weights)
    return positions


def weigh(positions: np.ndarray, weights: StyleWeights) -> None:
    """Set the weights of POSITION [n]."""
    positions["w"], positions["shares"] = astuple(weights), shares_of(weights.progress)


MEMORY = np.dtype((np.record, [
    ("scores", "f4", (A,)), ("score", ADDRESS),
    # For weaker players: the errors they make, and weights of the words of a view, from which draws follow.
    ("errors", ERRORS), ("draws", "i8", (F // 4,)),
    ("position", POSITION), ("errs", "?"),
]))  # fmt: skip
"""What answering a view takes: work space, and what kind of player it is."""
_memory_at = array_at(MEMORY)


@entry
def _answer(memory, observation, mask, action):
    """The best action, the first of equals. Draws of errors are by ``hashing.view_hash``."""
    m = _memory_at(memory, 1)[0]
    scores = m.scores[:]
    known = try_score(m.score, observation, mask, m.position, scores)
    if m.errs:
        add_errors(mask, scores, m.errors, view_hash(observation, m.draws))
    action[0] = best_legal(mask, scores) if known else -1


@cache
def answer_pointer():
    """Function pointer of the answers (``dawn_env.players.CompiledPlayer``)."""
    return function_pointer(_answer, *ANSWER_TYPES)


def new_memory(weights: StyleWeights, level: Level, seed: int) -> np.ndarray:
    """MEMORY [1] of a player of this style and level."""
    memory = np.zeros(1, MEMORY)
    weigh(memory["position"], weights_of(level, weights))
    memory["score"], memory["draws"] = score_pointer(), view_weights(seed, F // 4)
    memory["errs"], memory["errors"] = level != LEVELS[BEST], errors_of(level)
    return memory


ADVISE_TYPES = (INT64, *SCORE_TYPES, BYTES)
call_advise = call_pointer(*ADVISE_TYPES)
"""``call_advise(adviser, scorer, observation, mask, position, scores, advice)`` in compiled loops: writes int8 [ADVICE]
(``advise``), unless ``position.error`` says that the decision is not covered."""


@entry
def _advise_row(score, observation, mask, p, scores, advice):
    if not try_score(score, observation, mask, p, scores):
        return
    write_opinions(mask, scores, advice)
    value_board(p)
    for n in range(N):
        advice[A + n] = country_advice(p.viewer, p.worth[n])


@cache
def adviser():
    """Address of the function that ``call_advise`` calls."""
    return function_pointer(_advise_row, *ADVISE_TYPES)


@entry
def _advise_rows(adviser, score, advised, masks, positions, scores):
    p = positions[0]
    for row in range(len(advised)):
        call_advise(adviser, score, advised[row, :F], masks[row], p, scores, advised[row, F:])
        if p.error != Error.NONE:
            raise ValueError(_UNKNOWN)


def advise(observations: np.ndarray, masks: np.ndarray, positions: np.ndarray) -> np.ndarray:
    """int8 [K, F + ADVICE]: observations [K, F], each followed by what the rule-based player thinks of it.

    Per action and per country, in the units of ``write_opinions`` and ``country_advice``.
    """
    advised = np.empty((len(observations), F + ADVICE), np.int8)
    advised[:, :F] = observations
    _advise_rows(adviser(), score_pointer(), advised, np.ascontiguousarray(masks), positions, np.zeros(A, np.float32))
    return advised

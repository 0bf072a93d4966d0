"""Memo of results about a country from one decision to the next.

Most decisions meet countries that have been judged before: nothing has been placed there since, or the same was in
another game. A memory holds answers about countries as they were read, before anything is tried, each with all that it
depends on: the support points of both sides, what the country counts, and conditions that the question adds.
"""

import numpy as np

from dawn_env.support.compiling import jit
from dawn_env.tables import COUNTRY_OF, SIDES, N

MOST_SPACES = int(np.bincount(COUNTRY_OF).max())
"""Spaces of the largest country."""
_SETS, _WAYS = 2048, 4  # a country has its place in one of the sets, which takes so many
_SPREAD = np.random.default_rng(1).integers(2**50, size=(N, SIDES, MOST_SPACES))  # what boards are told apart by
_QUESTIONS = 0x9E3779  # and questions
_REST = 2**31 - 1


def memory_of(answer: list) -> np.dtype:
    """A memory of answers with these fields; ``known`` is 0 until something else is noted there."""
    key = [("board", "i1", (SIDES, MOST_SPACES)), ("known", "i4"), ("weights", "f8", (2,)), ("conditions", "i8")]
    kept = np.dtype((np.record, key + answer))
    # By set and way: the answers, the rest of their hashes, the decision in which each was last asked for.
    places = (_SETS, _WAYS)
    return np.dtype((np.record, [("kept", kept, places), ("rests", "i4", places), ("used", "i8", places)]))


@jit
def _hash(p, country, question):
    """A number that tells boards and questions apart."""
    total, democrat, communist = int(question) * _QUESTIONS, _SPREAD[country, 0], _SPREAD[country, 1]
    for i in range(MOST_SPACES):
        total += democrat[i] * p.board[country, 0, i] + communist[i] * p.board[country, 1, i]
    return total


@jit
def _answers(kept, p, country, conditions):
    """Return True if something kept is about a country as it is."""
    if kept.conditions != conditions:
        return False
    different = kept.weights[0] != p.weights[country, 0] or kept.weights[1] != p.weights[country, 1]
    for side in range(SIDES):
        for i in range(MOST_SPACES):
            different |= kept.board[side, i] != p.board[country, side, i]
    return not different


@jit
def _replace(kept, p, country, conditions):
    kept.known, kept.conditions = 0, conditions
    kept.weights[0], kept.weights[1] = p.weights[country, 0], p.weights[country, 1]
    for side in range(SIDES):
        for i in range(MOST_SPACES):
            kept.board[side, i] = p.board[country, side, i]


@jit
def memoized(memory, p, country, question, conditions):
    """Kept results for a country under these conditions, those of a kind of ``question``.

    Where there is nothing, a place for it: that of what was asked for longest ago among a few.
    """
    total = _hash(p, country, question)
    at, rest, oldest = total >> 20 & (_SETS - 1), total >> 32 & _REST, 0
    for way in range(_WAYS):
        if memory.rests[at, way] == rest and memory.used[at, way] > 0:
            if _answers(memory.kept[at, way], p, country, conditions):
                memory.used[at, way] = p.now
                return memory.kept[at, way]
        if memory.used[at, way] < memory.used[at, oldest]:
            oldest = way
    memory.rests[at, oldest], memory.used[at, oldest] = rest, p.now
    _replace(memory.kept[at, oldest], p, country, conditions)
    return memory.kept[at, oldest]

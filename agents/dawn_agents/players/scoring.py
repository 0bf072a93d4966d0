"""Scores of legal actions by compiled players, for searches, which ask about one position after another of a game.

A player's choice has the highest score.
"""

from collections.abc import Callable
from functools import cache

import numpy as np

from dawn_agents.heuristic import action_scores
from dawn_agents.heuristic.action_scores import try_score
from dawn_agents.players import sparse_player
from dawn_agents.players.heuristic_player import HeuristicPlayer
from dawn_agents.players.sparse_player import PretrainedPlayer, think
from dawn_env.players import CompiledPlayer
from dawn_env.support.compiling import (
    BYTES,
    INT64,
    Vector,
    array_at,
    call_pointer,
    entry,
    function_pointer,
    jit,
)

SCORE_TYPES = INT64, BYTES, BYTES, Vector(np.dtype(np.float32))
call_scores = call_pointer(*SCORE_TYPES)
"""``call_scores(score, memory, observation, mask, scores)`` in compiled loops: writes scores of the legal actions of
the standard game into float32 [A], NaN where the player does not know the decision. ``score``: of ``scoring``;
``memory``: of ``CompiledPlayer.new_memory``."""
_rules_at, _sparse_at = array_at(action_scores.MEMORY), array_at(sparse_player.MEMORY)


@jit
def _refuse(mask, scores):
    for action in range(len(mask)):
        if mask[action]:
            scores[action] = np.nan


@entry
def _score_by_rules(memory, observation, mask, scores):
    m = _rules_at(memory, 1)[0]
    if not try_score(m.score, observation, mask, m.position, scores):
        _refuse(mask, scores)


@entry
def _score_by_network(memory, observation, mask, scores):
    m = _sparse_at(memory, 1)[0]
    if think(m, observation, mask, True):
        for action in range(len(mask)):
            scores[action] = m.logits[action]
    else:
        _refuse(mask, scores)


_SCORES: dict[type[CompiledPlayer], Callable] = {HeuristicPlayer: _score_by_rules, PretrainedPlayer: _score_by_network}


@cache
def _address(kind: type[CompiledPlayer]):
    return function_pointer(_SCORES[kind], *SCORE_TYPES)


def scoring(player: CompiledPlayer):
    """Address of what writes the scores of a player; those of a network are logits, the others victory points."""
    return _address(next(kind for kind in _SCORES if isinstance(player, kind)))

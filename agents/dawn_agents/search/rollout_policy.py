"""Rollout policies of searches, the guides: compiled players that score the legal actions of records in compiled loops.

A player's choice has the highest score; scores of a network are logits, those of the rules of thumb victory points.
"""

from functools import cache
from typing import NamedTuple

import numpy as np

from dawn_agents.heuristic import action_scores
from dawn_agents.heuristic.action_scores import try_score
from dawn_agents.heuristic.play_levels import best_legal
from dawn_agents.players import sparse_player
from dawn_agents.players.heuristic_player import HeuristicPlayer
from dawn_agents.players.sparse_player import PretrainedPlayer, think
from dawn_agents.search.search_options import GuideName
from dawn_env.actions import A
from dawn_env.observation import F, write_observation
from dawn_env.players import CompiledPlayer
from dawn_env.support.compiling import (
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

_SCORE_TYPES = INT64, BYTES, BYTES, Vector(np.dtype(np.float32))
_call_scores = call_pointer(*_SCORE_TYPES)
_rules_at, _sparse_at = array_at(action_scores.MEMORY), array_at(sparse_player.MEMORY)


@jit
def _refuse(mask, scores):
    for action in range(len(mask)):
        if mask[action]:
            scores[action] = np.nan


@entry
def _score_by_rules(memory, observation, mask, scores):
    """Write scores of the legal actions of the standard game into float32 [A], NaN for a decision that is not known.

    ``memory``: address of that of the player (``CompiledPlayer.new_memory``).
    """
    m = _rules_at(memory, 1)[0]
    if not try_score(m.score, observation, mask, m.position, scores):
        _refuse(mask, scores)


@entry
def _score_by_network(memory, observation, mask, scores):
    """The same by networks of kind ``sparse``, which a search asks about one position after another of a game."""
    m = _sparse_at(memory, 1)[0]
    if think(m, observation, mask, True):
        for action in range(len(mask)):
            scores[action] = m.logits[action]
    else:
        _refuse(mask, scores)


_GUIDES = {"heuristic": (HeuristicPlayer, _score_by_rules), "pretrained": (PretrainedPlayer, _score_by_network)}
"""Player of each guide, and what writes its scores."""


@cache
def _score_pointer(name: GuideName):
    return function_pointer(_GUIDES[name][1], *_SCORE_TYPES)


def _player(name: GuideName) -> CompiledPlayer:
    kind, _ = _GUIDES[name]
    return kind(name, 0, kind.Options())


class Guide(NamedTuple):
    """A guide in compiled loops."""

    score: int  # function pointer, and address of its memory
    memory: int
    observation: np.ndarray  # int8 [F], what the side to act sees
    mask: np.ndarray  # int8 [A]
    scores: np.ndarray  # float32 [A], of the legal actions


class RolloutPolicy:
    """A guide by name, with the memory of one thread; ``guide`` is what compiled loops take."""

    def __init__(self, name: GuideName):
        self._name, self._player = name, _player(name)  # whose weights the memory refers to
        self._memory = self._player.new_memory(F)
        seen = np.zeros(F, np.int8), np.zeros(A, np.int8)
        self.guide = Guide(_score_pointer(name), address_of(self._memory), *seen, np.zeros(A, np.float32))

    def __reduce__(self) -> tuple:
        """Copies and pickles have a memory of their own."""
        return RolloutPolicy, (self._name,)

    def scores(self, observation: np.ndarray, mask: np.ndarray) -> np.ndarray:
        """Scores of the legal actions of a view, float32 [A], reused by every call."""
        _score(self.guide, observation, mask)
        return self.guide.scores


def guide_version(name: GuideName) -> list[str]:
    """Version of what a guide has learnt, if it has learnt."""
    return [] if name == "heuristic" else [_player(name).version]


@jit
def score_seen(guide, o, mask):
    """Write the scores of the legal actions into ``guide.scores``; ``o`` int8 [F], ``mask`` int8 [A].

    Raises ``ValueError`` for a decision that the guide does not know.
    """
    _call_scores(guide.score, guide.memory, o, mask, guide.scores)
    if np.isnan(guide.scores[best_legal(mask, guide.scores)]):
        raise ValueError("the guide knows no such decision, or no such verb of an event")


@jit
def best_action(guide, s):
    """The guide's choice, the first of equals; fills ``guide.scores`` for the legal actions."""
    write_observation(s, s.actor, guide.observation)
    for action in range(A):
        guide.mask[action] = s.legal[action]
    score_seen(guide, guide.observation, guide.mask)
    return best_legal(guide.mask, guide.scores)


@entry
def _score(guide, observation, mask):
    score_seen(guide, observation, mask)

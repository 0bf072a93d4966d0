"""Rollout policies of searches, the guides: a compiled player on records, in compiled loops."""

from typing import NamedTuple

import numpy as np

from dawn_agents.heuristic.play_levels import best_legal
from dawn_agents.players.heuristic_player import HeuristicPlayer
from dawn_agents.players.scoring import call_scores, scoring
from dawn_agents.players.sparse_player import PretrainedPlayer
from dawn_agents.search.search_options import GuideName
from dawn_env.actions import A
from dawn_env.observation import F, write_observation
from dawn_env.players import CompiledPlayer
from dawn_env.support.compiling import address_of, entry, jit


class Guide(NamedTuple):
    """A guide in compiled loops."""

    score: int  # function pointer and address of the memory, see ``players.scoring``
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
        self.guide = Guide(scoring(self._player), address_of(self._memory), *seen, np.zeros(A, np.float32))

    def __reduce__(self) -> tuple:
        """Copies and pickles have a memory of their own."""
        return RolloutPolicy, (self._name,)

    def scores(self, observation: np.ndarray, mask: np.ndarray) -> np.ndarray:
        """Scores of the legal actions of a view, float32 [A], reused by every call."""
        _score(self.guide, observation, mask)
        return self.guide.scores


_PLAYERS = {"heuristic": HeuristicPlayer, "pretrained": PretrainedPlayer}


def _player(name: GuideName) -> CompiledPlayer:
    kind = _PLAYERS[name]
    return kind(name, 0, kind.Options())


def guide_version(name: GuideName) -> list[str]:
    """Version of what a guide has learnt, if it has learnt."""
    return [] if name == "heuristic" else [_player(name).version]


@jit
def score_seen(guide, o, mask):
    """Write the scores of the legal actions into ``guide.scores``; ``o`` int8 [F], ``mask`` int8 [A].

    Raises ``ValueError`` for a decision that the guide does not know.
    """
    call_scores(guide.score, guide.memory, o, mask, guide.scores)
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


@jit
def card_play_index(s):
    """A number that changes with every card play."""
    return (int(s.turn) * 16 + s.action_round) * 2 + s.phasing


@entry
def _score(guide, observation, mask):
    score_seen(guide, observation, mask)

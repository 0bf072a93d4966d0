"""Rollout policies of searches, the guides: compiled players that score the legal actions of records in compiled loops.

A player's choice has the highest score; scores of a network are logits, those of the rules of thumb victory points.
"""

from functools import cache
from pathlib import Path
from typing import Annotated, NamedTuple

import numpy as np

from dawn_agents.players import sparse_player
from dawn_agents.players.choosing import Choosing
from dawn_agents.players.heuristic import action_scores
from dawn_agents.players.heuristic import family_entry_points as family
from dawn_agents.players.heuristic.play_levels import SCORE_TYPES, best_legal, call_scorer
from dawn_agents.players.heuristic_values.position_record import STYLES
from dawn_agents.players.search.search_options import check_guide
from dawn_agents.players.sparse_player import SHIPPED_POLICIES, PretrainedPlayer, think
from dawn_agents.players.specification import BadSpec
from dawn_env.actions import A
from dawn_env.observation import F, write_observation
from dawn_env.observation.view_layouts import FAMILY_LAYOUT, STANDARD_LAYOUT
from dawn_env.support.compiling import address_of, array_at, entry, function_pointer, jit

_sparse_at = array_at(sparse_player.MEMORY)


@entry
def _score_by_network(memory, observation, mask, scores):
    """Scores by networks of kind ``sparse`` (``play_levels.call_scorer``), which a search asks about one position after
    another of a game."""
    m = _sparse_at(memory, 1)[0]
    if think(m, observation, mask, True):
        for action in range(len(mask)):
            scores[action] = m.logits[action]
    else:
        scores[:] = np.nan


@cache
def _network_pointer():
    return function_pointer(_score_by_network, *SCORE_TYPES)


def _network_player(name: str) -> PretrainedPlayer:
    """Load the networks of a guide other than ``heuristic``; raises ``BadSpec`` and ``PolicyFileError``."""
    check_guide(name)
    player = PretrainedPlayer(name, 0, Choosing(), SHIPPED_POLICIES.get(name) or Path(name))
    if player.layout is not STANDARD_LAYOUT:
        raise BadSpec(f"guide: policies of the standard game expected, not of the {player.layout.name} game ({name})")
    return player


class Guide(NamedTuple):
    """A guide in compiled loops."""

    scorer: int  # function pointer, and address of what it works on
    work: int
    observation: Annotated[np.ndarray, np.int8, "F"]  # what the side to act sees
    mask: Annotated[np.ndarray, np.int8, "A"]
    scores: Annotated[np.ndarray, np.float32, "A"]  # of the legal actions


class RolloutPolicy:
    """Rollout policy (one of ``search_options.GUIDES``, or a folder) with work space of one thread; compiled loops take
    its ``guide``.

    In family mode, whose simulations have no guide, it scores the actions of views by the rules of thumb.
    """

    def __init__(self, name: str, is_family: bool = False):
        """Raises ``BadSpec`` for a guide that is not there, ``PolicyFileError`` for files that cannot be used."""
        self._arguments, layout = (name, is_family), FAMILY_LAYOUT if is_family else STANDARD_LAYOUT
        if is_family:
            scorer, self._work = family.score_pointer(), family.working_record()
        elif name == "heuristic":
            scorer, self._work = action_scores.score_pointer(), action_scores.working_position(STYLES["balanced"])
        else:
            self._player = _network_player(name)  # whose weights the work space refers to
            scorer, self._work = _network_pointer(), self._player.new_memory(F)
        seen = np.zeros(layout.size, np.int8), np.zeros(layout.actions, np.int8)
        self.guide = Guide(scorer, address_of(self._work), *seen, np.zeros(layout.actions, np.float32))

    def __reduce__(self) -> tuple:
        """Copies and pickles have a memory of their own."""
        return RolloutPolicy, self._arguments

    def scores(self, observation: np.ndarray, mask: np.ndarray) -> np.ndarray:
        """Scores of the legal actions of a view, float32 [A], reused by every call."""
        _score(self.guide, observation, mask)
        return self.guide.scores


def guide_version(name: str) -> list[str]:
    """Version of what a guide has learnt, if it has learnt; raises as ``RolloutPolicy`` does."""
    return [] if name == "heuristic" else [_network_player(name).version]


@jit
def score_seen(guide, o, mask):
    """Write the scores of the legal actions into ``guide.scores``; ``o`` int8 [F], ``mask`` int8 [A].

    Raises ``ValueError`` for a decision that the guide does not know.
    """
    call_scorer(guide.scorer, guide.work, o, mask, guide.scores)
    if np.isnan(guide.scores[0]):
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

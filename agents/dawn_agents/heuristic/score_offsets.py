"""Corrections of the rule-based player's scores, in victory points: tables, in compiled loops."""

import hashlib
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from dawn_agents.heuristic_values.observation_reader import marked
from dawn_env.actions import SPACE0, A
from dawn_env.observation import SLICES
from dawn_env.support.compiling import jit
from dawn_env.tables import S

DECISION, SOURCE = SLICES["decision"], SLICES["source"]
KINDS, SOURCES = (part.stop - part.start for part in (DECISION, SOURCE))
"""Kinds of decisions, and what is being resolved or carried out; one row more stands for nothing."""

EVERYWHERE = "turn", "round", "phasing", "vp", "left", "value"
"""Numbers of an observation that count for every action."""
THERE = "my_support", "their_support", "control", "reach"
"""Planes that count for actions that are spaces, at that space."""


assert SPACE0 == 0, "an action below S is a space"

FILE = Path(__file__).with_name("corrections.npz")
"""The corrections that are shipped."""

_SIDE = SLICES["side"].start
_EVERYWHERE = tuple(SLICES[name].start for name in EVERYWHERE)
_THERE = tuple(SLICES[name].start for name in THERE)
_DECISION0, _SOURCE0 = DECISION.start, SOURCE.start


class ScoreOffsets(NamedTuple):
    """Corrections by side; empty where nothing is corrected.

    ``by_kind`` float32 [SIDES, KINDS, A, 1 + E]: by the decision and the action, a constant and what each of
    ``EVERYWHERE`` adds; ``by_source`` float32 [SIDES, SOURCES + 1, A], the last (-1) for no source; ``by_space``
    float32 [SIDES, KINDS, S, T]: what each of ``THERE`` adds.
    """

    by_kind: np.ndarray
    by_source: np.ndarray
    by_space: np.ndarray


def _empty(sides: int) -> ScoreOffsets:
    shapes = (KINDS, A, 1 + len(EVERYWHERE)), (SOURCES + 1, A), (KINDS, S, len(THERE))
    return ScoreOffsets(*(np.zeros((sides, *shape), np.float32) for shape in shapes))


NONE = _empty(0)


@cache
def learned_offsets() -> ScoreOffsets:
    """Corrections shipped with the project."""
    with np.load(FILE) as kept:
        return ScoreOffsets(*(kept[name].astype(np.float32) for name in ScoreOffsets._fields))


@cache
def version() -> str:
    """Changes with them."""
    return hashlib.sha256(FILE.read_bytes()).hexdigest()[:12]


@jit
def correct(o, mask, scores, corrections):
    """Add to the ``scores`` float32 [A] of the legal actions what ``corrections``, not ``NONE``, say of them.

    ``o`` int8 [F], ``mask`` int8 [A]. Nothing is said of decisions that are not in an observation.
    """
    side, kind, source = o[_SIDE], marked(o, _DECISION0, KINDS), marked(o, _SOURCE0, SOURCES)
    if kind < 0:
        return
    by_kind, by_source = corrections.by_kind[side, kind], corrections.by_source[side, source]
    for action in range(A):
        if mask[action]:
            scores[action] += by_kind[action, 0] + by_source[action]
            for i in range(len(_EVERYWHERE)):
                scores[action] += by_kind[action, 1 + i] * o[_EVERYWHERE[i]]
    by_space = corrections.by_space[side, kind]
    for space in range(S):
        if mask[space]:
            for i in range(len(_THERE)):
                scores[space] += by_space[space, i] * o[_THERE[i] + space]

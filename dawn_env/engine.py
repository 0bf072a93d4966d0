"""The engine's entry points: start games, take decisions, deal hidden information anew.

Everything works on batches: ``states`` is an array ``[B]`` of ``STATE`` records, changed in place.
These functions trust their callers; ``dawn_env.game`` and ``dawn_env.batch`` check what they pass on.
"""

from collections.abc import Mapping
from functools import cache

import numpy as np

from dawn_env.errors import ChanceError, DawnError, MalformedPosition
from dawn_env.options import GameOptions
from dawn_env.rules import flow
from dawn_env.rules.redeal import redeal_rows
from dawn_env.state import Error, new_states
from dawn_env.support import compiling

RUN = flow.RUN
POSE = flow.POSE
PIECE = flow.PIECE


@cache
def step():
    """The address of the rules, for compiled loops over many decisions of one game.

    Pass it to an entry point that calls ``flow.call_step(step, record, action)``: it does to one record what
    ``advance`` does to every one, and the entry point compiles without the rules.
    """
    compiling.announce()
    return compiling.function_pointer(flow.advance, *flow.STEP_TYPES)


@cache
def begin():
    """The address of what starts a game, for compiled loops: ``flow.call_begin(begin, record, seed)``."""
    compiling.announce()
    return compiling.function_pointer(flow.begin, *flow.BEGIN_TYPES)


def reset(states: np.ndarray, seeds: np.ndarray, options: GameOptions | Mapping | None = None) -> None:
    """Start a new game in every record.

    ``seeds``: ``[B]`` integers in 0 ... 2**63 - 1. ``options`` as for ``GameOptions.of``, else ``BadOptions``.
    The first decision is pending afterwards.
    """
    GameOptions.of(options).write(states)
    flow.begin_rows(begin(), states, np.asarray(seeds, np.int64))


def advance(states: np.ndarray, actions: np.ndarray) -> None:
    """Take ``actions[i]`` in game i and run it to its next real decision or its end.

    ``actions``: ``[B]`` int64, legal action ids; ``RUN`` only runs on; ``POSE`` poses the pending
    decision again without running; from ``PIECE`` down as for ``flow.advance``. Games that are over do not move.
    """
    flow.advance_rows(step(), states, np.asarray(actions, np.int64))


def exception_for(error: int) -> type[DawnError]:
    """The class of exception for what has stopped a game, the field ``error`` of its record."""
    return MalformedPosition if error in (Error.STACK_FULL, Error.BROKEN) else ChanceError


def redeal(states: np.ndarray, side: int, seeds: np.ndarray) -> np.ndarray:
    """Copies with all cards hidden from ``side`` dealt anew (hands, draw pile, set-aside card,
    struggle cards, generator), consistent with what it does know. Their ``decisions`` are counted anew.

    ``seeds``: ``[B]`` integers, the only source of chance. The pending decision of the opponent is posed
    again for their new hand; hands with which they would have had no choice are dealt once more (ruling
    real-choices-only).
    """
    dealt = new_states(len(states))
    redeal_rows(step(), states, dealt, side, np.asarray(seeds, np.int64))
    return dealt

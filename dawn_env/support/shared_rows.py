"""Rows that threads share in compiled loops: whoever is free takes the next few.

A ``job`` is a few words of memory that all of its threads see. One of them leads: it says how many rows there are,
works like the others, and waits for the last. The others help, as many as there are just then: nobody waits for one
that has not begun. When no rows are left a helper stays awake for a moment, since the next step of a batch mostly
follows at once, and to wake a thread takes as long as some hundred decisions. Rows stay with the same thread from step
to step, as far as nobody is idle: to bring a game from one processor's cache to another's takes longer than a decision.

    first, last = take(job, member, rows)
    while first < last:
        ...  # first ... last - 1
        first, last = done(job, member, last - first, faults)
"""

import platform

import numba
import numpy as np
from llvmlite import ir
from numba.core import cgutils
from numba.extending import intrinsic

from dawn_env.support.compiling import COMPILED, jit

_LINE = 8  # words of a line of the cache: two threads that write to one line hinder each other
MEMBERS, ROWS, OPEN, DONE, FAULTS = (_LINE * number for number in range(5))
"""Words of a job: how many threads may share it, its rows, whether they may be taken (``DISMISSED``: helpers are to
leave), how many of them are done, and what went wrong in them."""
DISMISSED = -1
_FIRST = 5 * _LINE  # of the members, each with two words:
LEFT, HERE = 0, 1
"""Rows of its part that nobody has taken, and whether a helper is here."""
_LEAST = 4  # half of the rows that are left are taken at once, or all of so few
_PATIENCE = 40000  # looks before a helper leaves, somewhat less than a millisecond
_PAUSE = "llvm.x86.sse2.pause" if platform.machine() in ("x86_64", "AMD64") else ""
_ORDER = "seq_cst"


def new_job(members: int) -> np.ndarray:
    """int64: a job for a leader, member 0, and helpers, none of which is here."""
    job = np.zeros(_FIRST + _LINE * members, np.int64)
    job[MEMBERS] = members
    return job


@jit
def of_member(word, member):
    """Where this word of a member is."""
    return _FIRST + _LINE * member + word


if COMPILED:
    _WORDS = numba.types.Array(numba.int64, 1, "C")

    def _pointer(context, builder, words, place):
        array = context.make_array(_WORDS)(context, builder, words)
        return cgutils.get_item_pointer(context, builder, _WORDS, array, [place])

    @intrinsic
    def _look(_, words, place):
        """What a word holds now."""

        def generate(context, builder, _, values):
            pointer = _pointer(context, builder, *values)
            return builder.load_atomic(pointer, _ORDER, 8, typ=ir.IntType(64))

        return numba.int64(_WORDS, numba.intp), generate

    @intrinsic
    def _add(_, words, place, amount):
        """What a word held before ``amount`` was added to it."""

        def generate(context, builder, _, values):
            pointer = _pointer(context, builder, *values[:2])
            return builder.atomic_rmw("add", pointer, values[2], _ORDER)

        return numba.int64(_WORDS, numba.intp, numba.int64), generate

    @intrinsic
    def _swap(_, words, place, before, after):
        """Write ``after`` if a word still is ``before``, and say whether it was."""

        def generate(context, builder, _, values):
            pointer = _pointer(context, builder, *values[:2])
            swapped = builder.cmpxchg(pointer, values[2], values[3], _ORDER, _ORDER)
            return builder.extract_value(swapped, 1)

        return numba.boolean(_WORDS, numba.intp, numba.int64, numba.int64), generate

    @intrinsic
    def _set(_, words, place, value):
        """Write a word, visible to all together with what was written before."""

        def generate(context, builder, _, values):
            builder.store_atomic(values[2], _pointer(context, builder, *values[:2]), _ORDER, 8)
            return context.get_dummy_value()

        return numba.void(_WORDS, numba.intp, numba.int64), generate

    @intrinsic
    def _pause(_):
        """Tell the processor that this loop only waits."""

        def generate(context, builder, _, __):
            if _PAUSE:
                nothing = ir.FunctionType(ir.VoidType(), [])
                builder.call(cgutils.get_or_insert_function(builder.module, nothing, _PAUSE), [])
            return context.get_dummy_value()

        return numba.void(), generate

else:  # plain Python is one thread at a time

    def _look(words, place):
        return int(words[place])

    def _add(words, place, amount):
        words[place] += amount
        return int(words[place]) - amount

    def _swap(words, place, before, after):
        words[place] = after
        return True

    def _set(words, place, value):
        words[place] = value

    def _pause():
        pass


@jit
def take(job, member, rows):
    """The first rows for a ``member``; ``rows``: how many there are, if it leads."""
    if member == 0:
        _set(job, OPEN, 0)
        _set(job, DONE, 0)
        _set(job, FAULTS, 0)
        _set(job, ROWS, rows)
        for other in range(job[MEMBERS]):
            _set(job, of_member(LEFT, other), _start(job, other + 1) - _start(job, other))
        _set(job, OPEN, 1)
    return _next(job, member)


@jit
def done(job, member, rows, faults):
    """The next rows for a member that has done so many with so many faults; none when it is to return."""
    if faults:
        _add(job, FAULTS, faults)
    _add(job, DONE, rows)
    return _next(job, member)


@jit
def _next(job, member):
    patience = _PATIENCE
    while member == 0 or patience > 0:
        opened = _look(job, OPEN)
        if opened == DISMISSED and member:
            break
        if opened:
            for further in range(job[MEMBERS]):  # its own part first: the games in it are in its processor's cache
                part = (member + further) % job[MEMBERS]
                left = _look(job, of_member(LEFT, part))
                rest = left // 2 if left > _LEAST else 0
                if left > 0 and _swap(job, of_member(LEFT, part), left, rest):
                    return _start(job, part) + rest, _start(job, part) + left
        if member == 0 and _look(job, DONE) == job[ROWS]:
            return 0, 0
        patience -= 1
        _pause()
    _set(job, of_member(HERE, member), 0)
    return 0, 0


@jit
def _start(job, member):
    """The first row of a member's part."""
    return job[ROWS] * member // job[MEMBERS]

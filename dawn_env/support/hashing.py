"""Draws that follow from a seed and a view or a count, whatever else is drawn along with them."""

from functools import cache

import numpy as np

from dawn_env.support.compiling import COMPILED, jit

_WORD = 0xFFFFFFFF
_BLOCK = 32  # actions that are counted at once

if COMPILED:

    @jit
    def _long_word(x):
        return np.uint64(x)

else:

    def _long_word(x):
        return x & 2**64 - 1


@cache
def view_weights(seed: int, words: int) -> np.ndarray:
    """int64 [W] weights of a player with this ``seed`` for views of W words; do not write.

    They are below 2**20, so that sums stay within 64 bits. Up to three numbers at the end of a view are left out.
    """
    return np.random.default_rng(seed).integers(-(2**20), 2**20, words)


@jit
def multiply_xorshift(x, first, second, shift):
    """Hash of 32 bits with these two factors and the shift between them, by products that fit 64 bits."""
    x = ((x >> 16) ^ x) * first & _WORD
    x = ((x >> shift) ^ x) * second & _WORD
    return (x >> 16) ^ x


@jit
def mixed(x):
    """A number 0 ... 2**32 - 1 in which every bit depends on every bit of ``x``, a number of the same range."""
    return multiply_xorshift(x, 0x7FEB352D, 0x46A7CA6B, 15)


@jit
def mixed_count(seed, count):
    """32 bits that depend on every bit of a seed and on a count, such as that of decisions taken."""
    x = mixed(mixed((seed & _WORD) ^ 0x2545F491) ^ (seed >> 32))
    return mixed((x + count * 0x3779B97) & _WORD)


@jit
def mixed_word(x):
    """Hash (splitmix64) of numbers 0 ... 2**64 - 1 (splitmix64); larger ones are taken modulo that."""
    x = _long_word(x)
    x = _long_word((x ^ x >> 30) * 0xBF58476D1CE4E5B9)
    x = _long_word((x ^ x >> 27) * 0x94D049BB133111EB)
    return x ^ x >> 31


@jit
def view_hash(observation, weights):
    """0 ... 2**32 - 1 from one view, ``observation`` int8 [F], and ``weights`` int64 [F // 4] (``view_weights``)."""
    words, x = observation[: 4 * len(weights)].view(np.int32), 0
    for i in range(len(weights)):
        x += int(words[i]) * int(weights[i])
    return mixed((x ^ (x >> 32)) & _WORD)


@jit
def nth_legal(mask, nth):
    """The legal action that has ``nth`` legal ones before it: skips blocks of actions, then looks at each."""
    start = 0
    while start + _BLOCK <= len(mask):
        block, count = mask[start : start + _BLOCK], 0
        for i in range(_BLOCK):
            count += int(block[i])
        if nth < count:
            break
        nth -= count
        start += _BLOCK
    while start < len(mask) - 1 and mask[start] <= nth:
        nth -= int(mask[start])
        start += 1
    return start

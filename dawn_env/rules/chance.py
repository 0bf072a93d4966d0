"""Every die and every draw of the game: from the record's own generator, or from its script.

The generator is xoshiro128++ on 32-bit words held in 64-bit integers, so that compiled and plain
Python agree on every platform. Dice and cards have streams of their own.
"""

from dawn_env.state import TAPE, Chance, Error, Stream
from dawn_env.support.compiling import jit
from dawn_env.support.hashing import multiply_xorshift
from dawn_env.tables import OWNER, C

DIE = 6  # faces
ANY = -1  # in place of the owner of a card
_WORD = 0xFFFFFFFF
_BLOCK = 16  # cards that are counted at once


@jit
def _mix(x):
    """Hash of 32 bits with the constants that all seeded games depend on."""
    return multiply_xorshift(x, 0x45D9F3B, 0x45D9F3B, 16)


@jit
def seed_generator(s, seed):
    """Set both streams from a seed in 0 ... 2**63 - 1."""
    low, high = seed & _WORD, seed >> 32
    for stream in range(2):
        for word in range(4):
            s.generator[stream, word] = _mix(
                _mix(low + 0x9E3779B9 * (4 * stream + word + 1) & _WORD) ^ _mix(high + word)
            )
        s.generator[stream, 0] |= 1  # never all zero


@jit
def _rotate(x, k):
    return (x << k) & _WORD | x >> (32 - k)


@jit
def random_word(s, stream):
    """Next 32 bits of a stream."""
    a, b = int(s.generator[stream, 0]), int(s.generator[stream, 1])
    c, d = int(s.generator[stream, 2]), int(s.generator[stream, 3])
    result = (_rotate((a + d) & _WORD, 7) + a) & _WORD
    t = (b << 9) & _WORD
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= t
    d = _rotate(d, 11)
    s.generator[stream, 0], s.generator[stream, 1] = a, b
    s.generator[stream, 2], s.generator[stream, 3] = c, d
    return result


@jit
def below(s, stream, n):
    """Uniform integer in 0 ... n - 1 for n up to 2**31 (bias under n / 2**32)."""
    return (random_word(s, stream) * n) >> 32


@jit
def record(s, kind, outcome):
    """Keep an outcome of the generator on the tape, for records and logs."""
    at = s.tape_len[kind]
    if at >= TAPE:
        s.error = Error.TAPE_FULL
    else:
        s.tape[kind, at] = outcome
        s.tape_len[kind] = at + 1


@jit
def scripted(s, kind, default):
    """Next outcome of the script; ``default`` with an error set when it ran dry."""
    at = s.tape_at[kind]
    if at >= s.tape_len[kind]:
        s.error = Error.SCRIPT_DRY
        return default
    s.tape_at[kind] = at + 1
    return int(s.tape[kind, at])


@jit
def roll(s):
    """One die, 1-6."""
    if s.scripted:
        die = scripted(s, Chance.DICE, 1)
        if die < 1 or die > DIE:
            s.error = Error.SCRIPT_IMPOSSIBLE
        return die
    die = 1 + below(s, Stream.DICE, DIE)
    record(s, Chance.DICE, die)
    return die


@jit
def pick_from_zone(s, kind, zone, colour, count):
    """A uniform card of a zone, 0 when it holds none; ``count`` cards of the colour (an owner, or ANY) are there."""
    if count == 0:
        return 0
    if s.scripted:
        chosen = scripted(s, kind, 0)
        if 0 < chosen < C and _is_in(s, chosen, zone, colour):
            return chosen
        if s.error == Error.NONE:
            s.error = Error.SCRIPT_IMPOSSIBLE
        return _nth_in_zone(s, zone, colour, 0)
    chosen = _nth_in_zone(s, zone, colour, below(s, Stream.CARDS, count))
    record(s, kind, chosen)
    return chosen


@jit
def _is_in(s, card, zone, colour):
    return (s.where[card] == zone) & ((colour == ANY) | (OWNER[card] == colour))


@jit
def _nth_in_zone(s, zone, colour, nth):
    """The card that has ``nth`` before it, 0 if there is none: skips blocks of cards, then looks at each."""
    first = 1
    while first + _BLOCK <= C:
        count = 0
        for card in range(first, first + _BLOCK):
            count += int(_is_in(s, card, zone, colour))
        if nth < count:
            break
        nth -= count
        first += _BLOCK
    for card in range(first, C):
        if _is_in(s, card, zone, colour):
            if nth == 0:
                return card
            nth -= 1
    return 0


@jit
def pick_copy(s, kind, copies, total):
    """A face drawn uniformly from ``total`` > 0 cards given as copies per face."""
    if s.scripted:
        face = scripted(s, kind, -1)
        if face >= 0 and face < len(copies) and copies[face] > 0:
            return face
        if s.error == Error.NONE:
            s.error = Error.SCRIPT_IMPOSSIBLE
        return _face_at(copies, 0)
    face = _face_at(copies, below(s, Stream.CARDS, total))
    record(s, kind, face)
    return face


@jit
def _face_at(copies, nth):
    for face in range(len(copies)):
        nth -= copies[face]
        if nth < 0:
            return face
    return len(copies) - 1

"""Inputs of the value network: entries of the observation, and facts that follow from it by the rules (no opinions).

Each input has a row of weights in the first layer. Row i below ``OBSERVED`` belongs to entry i of the observation. A
fact takes one of a few values; it has a row for each of them, and of these the row of its present value is active. So
a position that follows another differs in few rows, and the sums of the first layer follow by adding and subtracting
these (as in Stockfish's NNUE). Facts of the same kind about different spaces or countries share rows, too, so that
learning generalises between them. Family mode has the facts about its board, hands and clock.
"""

from collections import namedtuple
from typing import NamedTuple

import numpy as np

from dawn_env.observation.family_observation import FAMILY_TABLE
from dawn_env.observation.parts import TABLE, F, offsets
from dawn_env.observation.view_layouts import FAMILY_LAYOUT, STANDARD_LAYOUT, ViewLayout
from dawn_env.rules.scoring import FINAL_POWER_VP, LEVEL_VP, level_of
from dawn_env.support.compiling import jit, spliced
from dawn_env.tables import (
    BATTLEGROUND,
    BATTLEGROUNDS,
    COMMUNIST,
    COUNTRY_OF,
    FIRST_ROMANIAN,
    FIRST_SPACE,
    LAST_TURN,
    MAX_NEIGHBOURS,
    NEIGHBOURS,
    OWNER,
    PRINTED_OPS,
    ROMANIAN_SPACES,
    ROUNDS,
    SCORING_CARD,
    STABILITY,
    C,
    N,
    S,
)

AT, FAMILY_AT = offsets(TABLE), offsets(FAMILY_TABLE)
LINE = 64
"""Entries that are compared at once."""
OBSERVED = -(-F // LINE) * LINE
"""Length of an observation in whole lines."""
EMPTY = OBSERVED - 1
"""Row of zeros, for facts whose usual value needs no weights."""
_WITHOUT_ROWS = ("control", "reach", "scope")  # what they say is in facts or in the legal actions

# --- declarations ------------------------------------------------------------------------------------

_MOST_LEAD, _MOST_NEAR, _MOST_SPACES, _MOST_GROUNDS, _MOST_SCORE, _MOST_VP = 6, 3, 5, 3, 8, 20
_MOST_OPS, _MOST_CARDS, _MOST_STRUGGLE_CARDS, _MOST_TIMES, _MOST_DUE = 24, 9, 15, 3, 3
_SCORES, _STATES, _LEVELS = 2 * _MOST_SCORE + 1, 5, 4
_ROUND_STATES = 2 * (ROUNDS + 1)


class Fact(NamedTuple):
    """A fact about each of ``count`` things.

    ``values``: how many it can take; ``pace``: step size of its rows relative to rows that all positions share;
    ``groups``: int [count], things of the same group share rows besides those of their own; None: no sharing.
    """

    name: str
    count: int
    values: int
    pace: float = 0.3
    groups: np.ndarray | None = None


_KIND = 5 * BATTLEGROUND.astype(np.int64) + STABILITY - 1
_ALIKE = np.zeros(N, np.int64)
FACTS = (
    Fact("lead", S, 2 * _MOST_LEAD + 1, 0.15, _KIND),  # my support less theirs
    Fact("near", S, 2 * _MOST_NEAR + 1, 0.15, BATTLEGROUND.astype(np.int64)),  # neighbours I control less theirs
    Fact("score_power", N, 2 * _SCORES, groups=_ALIKE),  # points if scored now, by who holds Power
    Fact("spaces", N, 2 * _MOST_SPACES + 1, groups=_ALIKE),  # spaces I control less theirs
    Fact("grounds", N, 2 * _MOST_GROUNDS + 1, groups=_ALIKE),  # the same of battlegrounds
    Fact("levels", N, _LEVELS**2, groups=_ALIKE),  # levels of both sides (rule 9.2)
    Fact("times", N, _MOST_TIMES + 1),  # how often Power was retained
    Fact("card_score", N, _STATES * _SCORES, 0.2, _ALIKE),  # points if scored now, by where the scoring card is
    Fact("vp", 1, 2 * _MOST_VP + 1),
    Fact("final", 1, 2 * _MOST_VP + 1),  # VP after a final scoring now, in steps of 2
    Fact("time", 1, (LAST_TURN + 1) * _ROUND_STATES, 0.4),  # turn, round, whose round
    Fact("due", 1, (_MOST_DUE + 1) * ROUNDS),  # scoring cards in my hand, by my action rounds left
    Fact("ops", 1, _MOST_OPS + 1),  # ops in my hand: of all cards, of my events, of theirs
    Fact("own_ops", 1, _MOST_OPS + 1),
    Fact("their_ops", 1, _MOST_OPS + 1),
    Fact("hand", 1, _MOST_CARDS + 1),  # cards in my hand and in theirs
    Fact("their_hand", 1, _MOST_CARDS + 1),
    Fact("ussr", 1, 5),
    Fact("track", 1, 9),  # box on the Tiananmen Square Track, mine and theirs
    Fact("their_track", 1, 9),
    Fact("struggle_cards", 1, _MOST_STRUGGLE_CARDS + 1),  # struggle cards held, mine and theirs
    Fact("their_struggle_cards", 1, _MOST_STRUGGLE_CARDS + 1),
)
_NUMBERS = (
    ("score_by_card", N * _STATES), ("score", N), ("total", 1), ("margin", 1), ("lead_spaces", 1), ("lead_grounds", 1),
    ("vp_by_turn", LAST_TURN + 1), ("margin_by_turn", LAST_TURN + 1),
)  # fmt: skip
"""Rows of quantities, which count times their size; names and numbers of rows."""
NUMBERS = 2 * N + 6
"""Quantities of a position."""


def _lay_out():
    slot, row, slots, rows = {}, {}, 0, OBSERVED
    for fact in FACTS:
        slot[fact.name], row[fact.name] = slots, rows
        slots, rows = slots + fact.count, rows + fact.count * fact.values
    for name, count in _NUMBERS:
        row[name], rows = rows, rows + count
    return namedtuple("Slot", slot)(**slot), namedtuple("Row", row)(**row), slots, rows


SLOT, ROW, SLOTS, INPUTS = _lay_out()
"""First slot of each fact, first row of each fact and quantity; number of slots, and of rows."""


def kept_bits(layout: ViewLayout) -> np.ndarray:
    """int8 [OBSERVED] mask of the bits of the entries that have rows."""
    kept = np.zeros(OBSERVED, bool)
    kept[: layout.size] = True
    for name in _WITHOUT_ROWS:
        kept[layout.slices.get(name, slice(0))] = False
    return np.where(kept, -1, 0).astype(np.int8)


_KEPT, _FAMILY_KEPT = kept_bits(STANDARD_LAYOUT), kept_bits(FAMILY_LAYOUT)
_WORDS, _FAMILY_WORDS = _KEPT.view(np.int64), _FAMILY_KEPT.view(np.int64)


MOST_ACTIVE = OBSERVED + 2 * SLOTS + 2 * NUMBERS
"""Rows that a position, or the step to one that follows it, can list at most."""


# --- in compiled loops -------------------------------------------------------------------------------


class Inputs(NamedTuple):
    """Inputs of a position (index 0) and of one that follows it (index 1), of one thread."""

    family: np.ndarray  # bool [1] games of family mode
    x: np.ndarray  # int8 [2, OBSERVED] observation, 0 beyond its end
    slots: np.ndarray  # int16 [2, SLOTS] row of the value of each fact
    near: np.ndarray  # int8 [2, S] neighbours that the viewer controls less those of the opponent
    scores: np.ndarray  # int64 [2, N] points of the viewer if a country were scored, less the opponent's
    spaces: np.ndarray  # int64 [2, N] spaces controlled, the viewer's less the opponent's
    grounds: np.ndarray  # int64 [2, N] the same of battlegrounds
    number_rows: np.ndarray  # int64 [2, NUMBERS]
    number_factors: np.ndarray  # float32 [2, NUMBERS]
    rows: np.ndarray  # int32 [MOST_ACTIVE] rows to be added to the sums
    factors: np.ndarray  # float32 [MOST_ACTIVE] and how many times
    listed: np.ndarray  # int64 [1] number of rows that are listed


def new_inputs(layout: ViewLayout) -> Inputs:
    """Empty inputs of games of a ``layout``."""
    pair = [np.zeros((2, N), np.int64) for _ in range(3)]
    return Inputs(
        np.array([layout is FAMILY_LAYOUT]), np.zeros((2, OBSERVED), np.int8),
        np.full((2, SLOTS), EMPTY, np.int16), np.zeros((2, S), np.int8), *pair,
        np.zeros((2, NUMBERS), np.int64), np.zeros((2, NUMBERS), np.float32),
        np.zeros(MOST_ACTIVE, np.int32), np.zeros(MOST_ACTIVE, np.float32), np.zeros(1, np.int64),
    )  # fmt: skip


_CARD = SCORING_CARD.astype(np.int64) - 1  # places in parts of the observation with an entry for each card
_OPS, _OWNER = PRINTED_OPS[1:C].astype(np.int64), OWNER[1:C].astype(np.int64)


@jit
def _clip(value, most):
    return min(max(value, -most), most)


@jit
def _list(k, row, factor):
    n = k.listed[0]
    k.rows[n], k.factors[n] = row, factor
    k.listed[0] = n + (row != EMPTY)


@jit
def _set_fact(k, at, slot, row):
    """Set the row of a fact; of a position that follows (``at`` 1), list what changes."""
    if at == 1 and k.slots[0, slot] != row:
        _list(k, k.slots[0, slot], np.float32(-1))
        _list(k, row, np.float32(1))
    k.slots[at, slot] = row


@jit
def _set_number(k, at, number, row, factor):
    """Set the row and the size of a quantity; of a position that follows, list what changes."""
    k.number_rows[at, number], k.number_factors[at, number] = row, factor
    if at == 1:
        before, size = k.number_rows[0, number], k.number_factors[0, number]
        if row != before:
            _list(k, before, -size)
            _list(k, row, factor)
        elif factor != size:
            _list(k, row, factor - size)


@jit
def _write_lead(k, at, space, mine, theirs):
    lead = _clip(int(k.x[at, mine + space]) - int(k.x[at, theirs + space]), _MOST_LEAD)
    row = ROW.lead + space * (2 * _MOST_LEAD + 1) + lead + _MOST_LEAD if lead else EMPTY
    _set_fact(k, at, SLOT.lead + space, row)


@jit
def _write_near(k, at, space):
    near = _clip(int(k.near[at, space]), _MOST_NEAR)
    row = ROW.near + space * (2 * _MOST_NEAR + 1) + near + _MOST_NEAR if near else EMPTY
    _set_fact(k, at, SLOT.near + space, row)


@jit
def _destroyed_space(x):
    """The space that Systematization (69) has destroyed, -1 for none."""
    for space in range(FIRST_ROMANIAN, FIRST_ROMANIAN + ROMANIAN_SPACES):
        if x[AT.destroyed + space]:
            return space
    return -1


@jit
def _map_variant(destroyed):
    """First index of ``NEIGHBOURS``."""
    return 0 if destroyed < 0 else destroyed - FIRST_ROMANIAN + 1


@jit
def _write_country(k, at, country, destroyed, control):
    """Facts about control in a country, and its score."""
    x = k.x[at]
    mine, theirs, my_grounds, their_grounds = 0, 0, 0, 0
    for space in range(FIRST_SPACE[country], FIRST_SPACE[country + 1]):
        controller = int(x[control + space])
        mine += controller > 0
        theirs += controller < 0
        my_grounds += int(controller > 0) & BATTLEGROUND[space]
        their_grounds += int(controller < 0) & BATTLEGROUND[space]
    lost = destroyed >= 0 and COUNTRY_OF[destroyed] == country and BATTLEGROUND[destroyed]
    existing = BATTLEGROUNDS[country] - (1 if lost else 0)
    level = level_of(mine, my_grounds, theirs, their_grounds, existing)
    their_level = level_of(theirs, their_grounds, mine, my_grounds, existing)
    spaces, grounds = mine - theirs, my_grounds - their_grounds
    k.spaces[at, country], k.grounds[at, country] = spaces, grounds
    k.scores[at, country] = LEVEL_VP[level, country] - LEVEL_VP[their_level, country] + grounds
    row = ROW.spaces + country * (2 * _MOST_SPACES + 1) + _clip(spaces, _MOST_SPACES) + _MOST_SPACES
    _set_fact(k, at, SLOT.spaces + country, row)
    row = ROW.grounds + country * (2 * _MOST_GROUNDS + 1) + _clip(grounds, _MOST_GROUNDS) + _MOST_GROUNDS
    _set_fact(k, at, SLOT.grounds + country, row)
    _set_fact(k, at, SLOT.levels + country, ROW.levels + (country * _LEVELS + level) * _LEVELS + their_level)


@jit
def _write_board(k, at, destroyed, mine, theirs, control):
    """Facts about all spaces and countries; ``mine``, ``theirs``, ``control``: where the parts of the board begin."""
    x, near = k.x[at], k.near[at]
    variant = _map_variant(destroyed)
    near[:] = 0
    for space in range(S):
        controller = x[control + space]
        if controller:
            for j in range(MAX_NEIGHBOURS):
                neighbour = NEIGHBOURS[variant, space, j]
                if neighbour < 0:
                    break
                near[neighbour] += controller
    for space in range(S):
        _write_lead(k, at, space, mine, theirs)
        _write_near(k, at, space)
    for country in range(N):
        _write_country(k, at, country, destroyed, control)


@jit
def _same(x, before, first, last):
    """True if bytes ``first`` ... ``last`` - 1, taken to whole words, are alike."""
    a, b = x.view(np.int64), before.view(np.int64)
    different = np.int64(0)
    for word in range(first // 8, (last + 7) // 8):
        different |= a[word] ^ b[word]
    return different == 0


@jit
def _write_changed_board(k, destroyed, mine, theirs, control):
    """Facts of the position that follows, on the map of the first (``_write_board``)."""
    x, before, near = k.x[1], k.x[0], k.near[1]
    for space in range(S):
        near[space] = k.near[0, space]
    for country in range(N):
        k.scores[1, country], k.spaces[1, country] = k.scores[0, country], k.spaces[0, country]
        k.grounds[1, country] = k.grounds[0, country]
    if _same(x, before, mine, control + S):
        return
    countries, variant = 0, _map_variant(destroyed)
    for space in range(S):
        if (x[mine + space] != before[mine + space]) | (x[theirs + space] != before[theirs + space]):
            _write_lead(k, 1, space, mine, theirs)
            change = x[control + space] - before[control + space]
            if change:
                countries |= 1 << COUNTRY_OF[space]
                for j in range(MAX_NEIGHBOURS):
                    neighbour = NEIGHBOURS[variant, space, j]
                    if neighbour < 0:
                        break
                    near[neighbour] += change
    if countries:
        for space in range(S):
            if near[space] != k.near[0, space]:
                _write_near(k, 1, space)
        for country in range(N):
            if countries >> country & 1:
                _write_country(k, 1, country, destroyed, control)


@jit
def _write_hand(k, at, side):
    x = k.x[at]
    ops, own_ops, their_ops, cards = 0, 0, 0, 0
    for card in range(C - 1):
        if x[AT.my_hand + card]:
            cards += 1
            ops += _OPS[card]
            own_ops += _OPS[card] if _OWNER[card] == side else 0
            their_ops += _OPS[card] if _OWNER[card] == 1 - side else 0
    _set_fact(k, at, SLOT.ops, ROW.ops + min(ops, _MOST_OPS))
    _set_fact(k, at, SLOT.own_ops, ROW.own_ops + min(own_ops, _MOST_OPS))
    _set_fact(k, at, SLOT.their_ops, ROW.their_ops + min(their_ops, _MOST_OPS))
    _set_fact(k, at, SLOT.hand, ROW.hand + min(cards, _MOST_CARDS))


@jit
def _write_scores(k, at, side):
    """Scores of the countries by Power and by where their cards are; quantities that sum over countries."""
    x = k.x[at]
    total, due, spaces, grounds, power_vp = 0, 0, 0, 0, 0
    for country in range(N):
        score, card = k.scores[at, country], _CARD[country]
        total, spaces, grounds = total + score, spaces + k.spaces[at, country], grounds + k.grounds[at, country]
        mine = int(x[AT.power + country] > 0)
        if mine == (side == COMMUNIST):  # the Communist holds Power
            power_vp += FINAL_POWER_VP if mine else -FINAL_POWER_VP
        held, discarded = int(x[AT.my_hand + card]), int(x[AT.discard_pile + card])
        removed, future = int(x[AT.removed + card]), int(x[AT.future + card])
        due += held
        state = 4 - 4 * held - 3 * discarded - 2 * removed - future
        bucket = _clip(score, _MOST_SCORE) + _MOST_SCORE
        _set_number(k, at, country, ROW.score_by_card + country * _STATES + state, np.float32(0.25 * score))
        _set_number(k, at, N + country, ROW.score + country, np.float32(0.25 * score))
        _set_fact(k, at, SLOT.score_power + country, ROW.score_power + (country * 2 + mine) * _SCORES + bucket)
        times = min(int(x[AT.times_scored + country]), _MOST_TIMES)
        _set_fact(k, at, SLOT.times + country, ROW.times + country * (_MOST_TIMES + 1) + times)
        _set_fact(k, at, SLOT.card_score + country, ROW.card_score + (country * _STATES + state) * _SCORES + bucket)
    return total, due, spaces, grounds, power_vp


@jit
def _write_sums(k, at, turn, vp, total, margin, spaces, grounds):
    """Sums over the countries; ``margin``: VP after a final scoring now."""
    _set_number(k, at, 2 * N, ROW.total, np.float32(0.125 * total))
    _set_number(k, at, 2 * N + 1, ROW.margin, np.float32(0.1 * margin))
    _set_number(k, at, 2 * N + 2, ROW.lead_spaces, np.float32(0.125 * spaces))
    _set_number(k, at, 2 * N + 3, ROW.lead_grounds, np.float32(0.25 * grounds))
    _set_number(k, at, 2 * N + 4, ROW.vp_by_turn + turn, np.float32(0.1 * vp))
    _set_number(k, at, 2 * N + 5, ROW.margin_by_turn + turn, np.float32(0.1 * margin))
    _set_fact(k, at, SLOT.vp, ROW.vp + _clip(vp, _MOST_VP) + _MOST_VP)
    _set_fact(k, at, SLOT.final, ROW.final + min(max((margin + 2 * _MOST_VP) // 2, 0), 2 * _MOST_VP))


@jit
def _write_rest(k, at, side):
    """Facts and quantities outside the board and the hand."""
    x = k.x[at]
    total, due, spaces, grounds, power_vp = _write_scores(k, at, side)
    vp, turn, number, phasing = int(x[AT.vp]), int(x[AT.turn]), int(x[AT.round]), int(x[AT.phasing])
    _write_sums(k, at, turn, vp, total, vp + total + power_vp, spaces, grounds)
    played = number > 0 and side == COMMUNIST and not phasing  # the Communist has the first part of a round
    left = min(max(ROUNDS - number - int(played), 0), ROUNDS - 1)
    _set_fact(k, at, SLOT.time, ROW.time + turn * _ROUND_STATES + 2 * number + phasing)
    _set_fact(k, at, SLOT.due, ROW.due + min(due, _MOST_DUE) * ROUNDS + left)
    _set_fact(k, at, SLOT.their_hand, ROW.their_hand + min(int(x[AT.their_hand_size]), _MOST_CARDS))
    _set_fact(k, at, SLOT.ussr, ROW.ussr + int(x[AT.ussr]))
    _set_fact(k, at, SLOT.track, ROW.track + int(x[AT.track]))
    _set_fact(k, at, SLOT.their_track, ROW.their_track + int(x[AT.track + 1]))
    held = min(int(x[AT.power_hand_size]), _MOST_STRUGGLE_CARDS)
    _set_fact(k, at, SLOT.struggle_cards, ROW.struggle_cards + held)
    held = min(int(x[AT.power_hand_size + 1]), _MOST_STRUGGLE_CARDS)
    _set_fact(k, at, SLOT.their_struggle_cards, ROW.their_struggle_cards + held)


@jit
def _write_standard(k, at):
    """Facts and quantities of a position of the standard game; those of the board from place 0 where they can be."""
    x, side, changed = k.x[at], int(k.x[at, AT.side]), at == 1
    destroyed, board = _destroyed_space(x), (AT.my_support, AT.their_support, AT.control)
    if changed and _same(x, k.x[0], AT.destroyed, AT.destroyed + S):
        _write_changed_board(k, destroyed, *board)
    else:
        _write_board(k, at, destroyed, *board)
    if not (changed and _same(x, k.x[0], AT.my_hand, AT.discard_pile)):
        _write_hand(k, at, side)
    _write_rest(k, at, side)


@jit
def _write_family(k, at):
    """Facts and quantities of a position of family mode."""
    x, board = k.x[at], (FAMILY_AT.my_support, FAMILY_AT.their_support, FAMILY_AT.control)
    if at == 1:
        _write_changed_board(k, -1, *board)
    else:
        _write_board(k, at, -1, *board)
    total, spaces, grounds = 0, 0, 0
    for country in range(N):
        score = k.scores[at, country]
        total, spaces, grounds = total + score, spaces + k.spaces[at, country], grounds + k.grounds[at, country]
        _set_number(k, at, N + country, ROW.score + country, np.float32(0.25 * score))
    vp, turn = int(x[FAMILY_AT.vp]), int(x[FAMILY_AT.turn])
    margin = vp + total
    _write_sums(k, at, turn, vp, total, margin, spaces, grounds)
    time = turn * _ROUND_STATES + 2 * int(x[FAMILY_AT.round]) + int(x[FAMILY_AT.phasing])
    _set_fact(k, at, SLOT.time, ROW.time + time)
    cards = 0
    for card in range(C - 1):
        cards += int(x[FAMILY_AT.my_hand + card])
    _set_fact(k, at, SLOT.hand, ROW.hand + min(cards, _MOST_CARDS))
    _set_fact(k, at, SLOT.their_hand, ROW.their_hand + min(int(x[FAMILY_AT.their_hand_size]), _MOST_CARDS))


@spliced
def _list_entries(k, kept, kept_words):
    """List the rows of the entries of the observation in place 0 that are not 0."""
    words = k.x[0].view(np.int64)
    for word in range(OBSERVED // 8):
        if words[word] & kept_words[word]:
            for entry in range(word * 8, word * 8 + 8):
                value = k.x[0, entry] & kept[entry]
                if value:
                    _list(k, entry, np.float32(value))


@spliced
def _list_changed_entries(k, kept, kept_words):
    """List the rows of the entries in which the observation in place 1 differs from that in place 0."""
    x, before = k.x[1], k.x[0]
    words, words_before = x.view(np.int64), before.view(np.int64)
    for line in range(OBSERVED // LINE):
        first, different = line * LINE // 8, np.int64(0)
        for word in range(first, first + LINE // 8):
            different |= (words[word] ^ words_before[word]) & kept_words[word]
        if different:
            for word in range(first, first + LINE // 8):
                if (words[word] ^ words_before[word]) & kept_words[word]:
                    for entry in range(word * 8, word * 8 + 8):
                        change = int(x[entry] & kept[entry]) - int(before[entry] & kept[entry])
                        if change:
                            _list(k, entry, np.float32(change))


@jit
def list_position(k):
    """List the active rows of the observation in place 0, and of its facts."""
    k.listed[0] = 0
    if k.family[0]:
        _write_family(k, 0)
        _list_entries(k, _FAMILY_KEPT, _FAMILY_WORDS)
    else:
        _write_standard(k, 0)
        _list_entries(k, _KEPT, _WORDS)
    for slot in range(SLOTS):
        _list(k, k.slots[0, slot], np.float32(1))
    for number in range(NUMBERS):
        if k.number_factors[0, number]:
            _list(k, k.number_rows[0, number], k.number_factors[0, number])


@jit
def list_changes(k):
    """List the rows in which the observation in place 1 differs from that in place 0, with those of their facts."""
    k.listed[0] = 0
    for slot in range(SLOTS):
        k.slots[1, slot] = k.slots[0, slot]
    if k.family[0]:
        _write_family(k, 1)
        _list_changed_entries(k, _FAMILY_KEPT, _FAMILY_WORDS)
    else:
        _write_standard(k, 1)
        _list_changed_entries(k, _KEPT, _WORDS)

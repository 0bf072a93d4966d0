"""Modifiers of a die roll, as pairs of a kind and a number other than 0.

A kind is a key of the text ``part`` of ``dawn_env.events.wording``, or the number of a card in play.
"""

from collections.abc import Iterable

import numpy as np

from dawn_env.cards.event_tables import EFFECTS, FIRST_EFFECT
from dawn_env.cards.event_verbs import USSR_STABILITY, Opcode
from dawn_env.cards.lasting_effects import EffectKind
from dawn_env.rules.board import controlled_neighbours, controls
from dawn_env.rules.cards_in_play import acts_in, any_in, applies
from dawn_env.rules.events.event_interpreter import roll_modifier
from dawn_env.rules.operations.ops_values import holds_award, ops_value
from dawn_env.rules.operations.support_checks import PROTECTION, check_value
from dawn_env.tables import OWNER, PETITION, PRINTED_OPS, RALLY

Parts = list[list]
"""Pairs of a key, or a card, and a number."""

OPS, BONUS, OWN_NEIGHBOURS, OTHER_NEIGHBOURS = "ops", "bonus", "own-neighbours", "other-neighbours"
STAND_FAST = 100
"""Number of the card Stand Fast."""
CHECK_KEYS = (OPS, BONUS, OWN_NEIGHBOURS, OTHER_NEIGHBOURS, STAND_FAST)
"""Parts of a support check besides cards in play."""
_PETITION = -2


def check_parts(state: np.record, f: np.record, space: int) -> Parts:
    """Return the modifiers of a support check in a space, of the series of checks ``f`` (rule 6.2.4)."""
    side = int(f.side)
    own, other = (controlled_neighbours(state, of, space) for of in (side, 1 - side))
    if any_in(state, EffectKind.NEIGHBOURS, side, space):
        other = 0
    protected = state.stand_fast == 1 - side and controls(state, 1 - side, space)
    return _some([
        (OPS, check_value(state, f, space)), (BONUS, f.bonus), (OWN_NEIGHBOURS, own),
        (OTHER_NEIGHBOURS, -other), (STAND_FAST, PROTECTION * protected),
        *((card, amount) for card, amount, effect in _cards(state, EffectKind.CHECK_ROLLS, side)
          if acts_in(state, effect, side, space)),
    ])  # fmt: skip


def aftermath_parts(state: np.record, winner: int, suit: int) -> Parts:
    """Return the modifiers of both rolls of the aftermath of a struggle won with a suit (rule 8.4)."""
    by_suit = {RALLY: ("rally", 2), PETITION: ("petition", _PETITION)}.get(suit, ("", 0))
    cards = [(card, amount) for card, amount, _ in _cards(state, EffectKind.AFTERMATH_ROLLS, winner)]
    return _some([by_suit, ("stakes", state.raised[0] + state.raised[1]), *cards])


def attempt_parts(state: np.record, side: int, card: int) -> Parts:
    """Return the modifiers of an attempt at the next box of the Tiananmen Square track with a card (rule 6.3)."""
    return _some([
        (OPS, ops_value(state, side, card, PRINTED_OPS[card], 0)), ("own-event", OWNER[card] == side),
        ("failed", state.tried_box[side]), ("award", holds_award(state, side, 1)),
        *((number, amount) for number, amount, _ in _cards(state, EffectKind.TRACK_ROLLS, side)),
    ])  # fmt: skip


def event_parts(state: np.record, f: np.record, row: np.record, space: int) -> Parts:
    """Return the modifiers of the roll of an event's instruction; ``space``: where the workers revolt (78)."""
    if row.opcode == Opcode.REVOLT_IN:
        return _some([(OTHER_NEIGHBOURS, -controlled_neighbours(state, 1 - int(f.side), space))])
    key = "ussr" if row.extra == USSR_STABILITY else ("democrat-spaces", "communist-spaces")[row.extra]
    return _some([(key, roll_modifier(state, f, row))])


def total(parts: Parts) -> int:
    """Sum of all parts."""
    return sum(number for _, number in parts)


def _cards(state: np.record, kind: int, side: int) -> list[tuple[int, int, np.record]]:
    """Cards in play with an effect of a kind for a side: card, amount, effect."""
    effects = EFFECTS[FIRST_EFFECT[kind] : FIRST_EFFECT[kind + 1]]
    return [(int(effect.card), int(effect.amount), effect) for effect in effects if applies(state, effect, side)]


def _some(parts: Iterable[tuple]) -> Parts:
    """Leave out parts that are 0."""
    return [[key, int(number)] for key, number in parts if number]

"""Costs and effects of a side's choices by the rules: values, sums of support checks."""

from typing import NamedTuple

import numpy as np

from dawn_env import engine
from dawn_env.cards.declarations import COMMON_EUROPEAN_HOME as HOME
from dawn_env.cards.event_tables import EFFECTS, FIRST_EFFECT
from dawn_env.cards.lasting_effects import EffectKind
from dawn_env.rules.board import controlled_neighbours, controls
from dawn_env.rules.cards import executor, has_home_card, playable
from dawn_env.rules.cards_in_play import acts_in, any_in
from dawn_env.rules.family import PRINTED_MAP, may_enter
from dawn_env.rules.operations.ops_values import card_value
from dawn_env.rules.operations.placement import cost
from dawn_env.rules.operations.support_checks import PROTECTION, check_value, check_vp
from dawn_env.state import FrameKind
from dawn_env.support.compiling import entry
from dawn_env.tables import CARD_TITLES, NEIGHBOURS, SPACE_ID, SPACES, C, S

_FIXED = ("the operation's bonus", "adjacent spaces you control", "adjacent spaces of the opponent", "Stand Fast")
_FIXED_PARTS = len(_FIXED)
_FIRST, _END = (int(FIRST_EFFECT[kind]) for kind in (EffectKind.CHECK_ROLLS, EffectKind.CHECK_ROLLS + 1))
_CARDS = [int(row.card) for row in EFFECTS[_FIRST:_END]]


class ChoiceCosts(NamedTuple):
    """``occurs`` bool [C]: the event can occur; ``values`` int64 [C]: of each card for the side; ``costs`` int64 [S]:
    of a support point; ``check_values`` int64 [S], ``modifiers`` int64 [S, M] and ``payments`` int64 [S]: of a support
    check, 0 unless one is to be made.
    """

    occurs: np.ndarray
    values: np.ndarray
    costs: np.ndarray
    check_values: np.ndarray
    modifiers: np.ndarray
    payments: np.ndarray


@entry
def _assess(states, side, occurs, values, costs, check_values, modifiers, payments):
    s = states[0]
    for card in range(1, C):
        occurs[card] = has_home_card(s, side) if card == HOME else playable(s, executor(card, side), card)
        values[card] = card_value(s, side, card)
    f = s.frames[max(0, s.depth - 1)]
    checking = s.depth > 0 and f.kind == FrameKind.CHECKS
    for space in range(S):
        costs[space] = cost(s, side, space)
        if not checking:
            continue
        check_values[space], payments[space] = check_value(s, f, space), check_vp(s, side, space)
        row = modifiers[space]
        row[0], row[1] = f.bonus, controlled_neighbours(s, side, space)
        if not any_in(s, EffectKind.NEIGHBOURS, side, space):
            row[2] = -controlled_neighbours(s, 1 - side, space)
        if s.stand_fast == 1 - side and controls(s, 1 - side, space):
            row[3] = PROTECTION
        for i in range(_FIRST, _END):
            if acts_in(s, EFFECTS[i], side, space):
                row[_FIXED_PARTS + i - _FIRST] = EFFECTS[i].amount


def assess(state: np.record, side: int) -> ChoiceCosts:
    """Assessment of a ``STATE`` record in the view of ``side``, independent of hidden cards."""
    dealt = engine.redeal(np.asarray(state).reshape(1), side, np.zeros(1, np.int64))
    found = ChoiceCosts(
        np.zeros(C, np.bool_), np.zeros(C, np.int64), np.zeros(S, np.int64), np.zeros(S, np.int64),
        np.zeros((S, _FIXED_PARTS + len(_CARDS)), np.int64), np.zeros(S, np.int64),
    )  # fmt: skip
    _assess(dealt, side, *found)
    return found


CHECK_PARTS = ("ops value", *_FIXED, *(f"{card} {CARD_TITLES[card]}" for card in _CARDS))
"""What can be added to the die of a support check."""


def check_sum(found: ChoiceCosts, space: int) -> dict:
    """A support check before it is rolled, as JSON values.

    ``parts``: what is added to the die, pairs of a place in ``CHECK_PARTS`` and a number; ``vp``: what the check itself
    pays, Democrat positive. The sum moves as many support points as it exceeds twice the stability by.
    """
    added = [int(found.check_values[space]), *found.modifiers[space].tolist()]
    return {"parts": [[at, n] for at, n in enumerate(added) if n or at == 0], "vp": int(found.payments[space])}


def immediate_attacks(state: np.record, origins: list[str]) -> dict[str, str]:
    """Family mode: the space attacked from each origin whose single point can go nowhere else.

    Choosing such an origin rolls the dice, since no question lies between.
    """
    side, found = int(state.actor), {}
    for name in origins:
        origin = SPACE_ID[name]
        ways = [near for near in NEIGHBOURS[PRINTED_MAP, origin] if near >= 0 and may_enter(state, side, near)]
        if state.support[side, origin] == 1 and len(ways) == 1 and not controls(state, side, ways[0]):
            found[name] = SPACES[ways[0]]
    return found

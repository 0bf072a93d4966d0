"""Costs, effects and odds of a side's choices by the rules: values, sums of support checks, faces of the die."""

from typing import NamedTuple

import numpy as np

from dawn_env import engine
from dawn_env.cards.declarations import COMMON_EUROPEAN_HOME as HOME
from dawn_env.cards.event_tables import EFFECTS, FIRST_EFFECT
from dawn_env.cards.lasting_effects import EffectKind
from dawn_env.events.roll_parts import CHECK_KEYS
from dawn_env.events.rolls import DIE, aftermath_result
from dawn_env.rules.board import controlled_neighbours, controls
from dawn_env.rules.cards import executor, has_home_card, playable
from dawn_env.rules.cards_in_play import acts_in, any_in
from dawn_env.rules.operations.operations import least_roll
from dawn_env.rules.operations.ops_values import card_value
from dawn_env.rules.operations.placement import cost
from dawn_env.rules.operations.support_checks import PROTECTION, check_value, check_vp
from dawn_env.rules.turn import STRIKE_NEED
from dawn_env.state import Decision, FrameKind
from dawn_env.support.compiling import entry
from dawn_env.tables import (
    AFTERMATH,
    COMMUNIST,
    FACE_ID,
    PRINTED_OPS,
    TACTIC_FAILS,
    C,
    S,
)

_FIXED_PARTS = len(CHECK_KEYS) - 1  # besides the value
_FIRST, _END = (int(FIRST_EFFECT[kind]) for kind in (EffectKind.CHECK_ROLLS, EffectKind.CHECK_ROLLS + 1))
_FACES = len(DIE)
_RALLY_RANK = 1  # any answer takes the initiative from it
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


CHECK_PARTS = (*CHECK_KEYS, *_CARDS)
"""What can be added to the die of a support check, see ``roll_parts``."""


def check_sum(found: ChoiceCosts, space: int) -> dict:
    """A support check before it is rolled, as JSON values.

    ``parts``: what is added to the die, pairs of one of ``CHECK_PARTS`` and a number; ``vp``: what the check itself
    pays, Democrat positive. The sum moves as many support points as it exceeds twice the stability by.
    """
    added = [int(found.check_values[space]), *found.modifiers[space].tolist()]
    return {"parts": [[of, n] for of, n in zip(CHECK_PARTS, added, strict=True) if n], "vp": int(found.payments[space])}


def winning_faces(state: np.record, legal: list[str]) -> dict[str, int]:
    """Faces of the die, 0 to 6, with which each of the ``legal`` choices succeeds, of those that roll.

    A Tiananmen attempt enters the box, an answer in a struggle takes the initiative, a discard ends the strike.
    Support checks have their own sums (``check_sum``).
    """
    if state.decision == Decision.DEFEND:
        faces = _FACES if state.led_rank == _RALLY_RANK else _from(int(state.led_rank))
        answers = [text for text in legal if text.startswith("power:")]
        return {text: faces for text in answers if FACE_ID[text.removeprefix("power:")] != TACTIC_FAILS}
    if state.decision == Decision.STRIKE_CARD:
        cards = {text: int(text.removeprefix("card:")) for text in legal}
        return {
            text: _from(STRIKE_NEED - int(card_value(state, COMMUNIST, card)))
            for text, card in cards.items()
            if PRINTED_OPS[card]
        }
    if "tiananmen" in legal:
        source = int(state.frames[state.depth - 1].source)
        return {"tiananmen": _from(int(least_roll(state, state.actor, source)))}
    return {}


def _from(least: int) -> int:
    """Faces of a die that are ``least`` or more."""
    return min(_FACES, max(0, _FACES + 1 - least))


def aftermath_table(state: np.record) -> list[int] | None:
    """Support points lost, and VP, for each face of the two dice, should the answer to an attack be to concede."""
    if state.decision != Decision.DEFEND:
        return None
    results = [aftermath_result(state, int(state.attacker), int(state.led_suit), die)[1] for die in DIE]
    return AFTERMATH[results].tolist()

"""Chances of a side's choices that roll a die, as numbers of faces of the die."""

import numpy as np

from dawn_env.events.rolls import DIE, aftermath_result
from dawn_env.rules.operations.operations import least_roll
from dawn_env.rules.operations.ops_values import card_value
from dawn_env.rules.turn import STRIKE_NEED
from dawn_env.state import Decision
from dawn_env.tables import AFTERMATH, COMMUNIST, FACE_ID, PRINTED_OPS, TACTIC_FAILS

_FACES = len(DIE)
_RALLY_RANK = 1  # any answer takes the initiative from it


def chances(state: np.record, legal: list[str]) -> dict[str, int]:
    """Faces of the die, 0 to 6, with which each of the ``legal`` choices succeeds, of those that roll.

    A Tiananmen attempt enters the box, an answer in a struggle takes the initiative, a discard ends the strike.
    Support checks have their own sums (``choice_costs``).
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

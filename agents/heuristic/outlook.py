"""How much each country will still count: whether its scoring card can come, and when."""

from agents.heuristic.sight import AT, holds_power
from agents.heuristic.style import SCORING, STRUGGLE
from dawn_env.rules.turn import LAST_TURN
from dawn_env.support.compiling import jit
from dawn_env.tables import COMMUNIST, LATE, PERIOD, SCORING_CARD, N

_LATE_DECK_TURN, _MIDDLE_DECK_TURN = 8, 4


@jit
def _is(o, at, card):
    return o[at + card - 1] != 0


@jit
def chance_scored(o, card):
    """How much the next play of a scoring card weighs, from where the card is."""
    turn = int(o[AT.turn])
    if _is(o, AT.my_hand, card) or _is(o, AT.known_theirs, card) or _is(o, AT.resolving, card):
        return 1.2
    if _is(o, AT.removed, card):
        return 0.0
    if _is(o, AT.future, card):
        ahead = (_LATE_DECK_TURN if PERIOD[card] == LATE else _MIDDLE_DECK_TURN) - turn
        return max(0.3, 0.7 - 0.08 * ahead)
    if _is(o, AT.discard_pile, card):
        return 0.5 if turn < LAST_TURN - 1 else 0.1
    return 1.0


@jit
def write_outlook(o, p):
    """Fill the outlook of a POSITION: weight of each country's points, and of its power struggle."""
    final = 0.05 + 0.045 * o[AT.turn]  # every country is scored once more at the end
    for country in range(N):
        chance = chance_scored(o, SCORING_CARD[country])
        if not holds_power(o, COMMUNIST, country):
            chance = 0.0
        p.outlook[country, 0] = p.w[SCORING] * (chance + final)
        p.outlook[country, 1] = p.w[STRUGGLE] * chance

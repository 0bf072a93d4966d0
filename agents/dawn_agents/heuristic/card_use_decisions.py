"""Decisions about the use of a card, and those that name a country or say yes or no."""

from dawn_agents.heuristic.card_decisions import DISCARD_COST
from dawn_agents.heuristic_values.board_value import gain
from dawn_agents.heuristic_values.card_values import FORCED, event_cost, own_event, scoring_gain, track_gain
from dawn_agents.heuristic_values.event_values import party_lead, two_ways_gain
from dawn_agents.heuristic_values.memoized_operations import card_operation_gain, prepare, value_gain, weigh_operations
from dawn_env.actions import COUNTRY0, Word
from dawn_env.cards.event_tables import PROGRAM, PROGRAM_START
from dawn_env.cards.event_verbs import Opcode
from dawn_env.rules.card_play import HOME
from dawn_env.rules.frames import fail
from dawn_env.rules.operations.ops_values import ops_value
from dawn_env.state import Decision
from dawn_env.support.compiling import jit
from dawn_env.tables import DEMOCRAT, FIRST_SPACE, N

_EVENT_FIRST = 0.2  # the opponent's event before one's operations: what it does can be answered
_AWARD_COST = 0.6  # an award used now is not there later
_PAIRING = 0.5  # what a second card adds to the operations of Common European Home
_LEAD_TO_END = 4  # victory points ahead with which the game is ended early


# --- uses of a card --------------------------------------------------------------------------------


@jit
def _score_use(p, mask, scores):
    card = p.source
    place, check = card_operation_gain(p, p.viewer, card)
    operations = max(place, check)
    cost = event_cost(p, card) if mask[Word.OPPONENT_EVENT] else 0.0
    event = _event_gain(p, card, operations) if mask[Word.EVENT] else 0.0
    scores[Word.EVENT] = event
    scores[Word.EVENT_AND_OPS] = event + operations - _AWARD_COST
    scores[Word.OPPONENT_EVENT] = operations - cost + _EVENT_FIRST
    scores[Word.CANCEL_EVENT] = operations - _AWARD_COST
    scores[Word.PLACE] = place - cost
    scores[Word.CHECK] = check - cost
    if mask[Word.TIANANMEN]:
        scores[Word.TIANANMEN] = track_gain(p, p.viewer, card)


@jit
def _event_gain(p, card, operations):
    """Worth of the event; that of Common European Home are the operations of a second card."""
    return operations + _PAIRING if card == HOME else own_event(p, card)


@jit
def _score_ops(p, mask, scores):
    first = PROGRAM[PROGRAM_START[p.source]]
    if first.opcode == Opcode.CHOOSE and first.extra == Decision.OPS:
        scores[Word.PLACE], scores[Word.CHECK] = two_ways_gain(p, p.viewer, p.source)
        return
    points = ops_value(p, p.viewer, p.source, p.value, 0)
    prepare(p, points, False)
    weigh_operations(p, p.viewer, p.bound)
    scores[Word.PLACE], scores[Word.CHECK] = value_gain(p, p.viewer, points)
    if mask[Word.TIANANMEN]:
        scores[Word.TIANANMEN] = track_gain(p, p.viewer, p.source)


# --- countries and the end of the game -------------------------------------------------------------


@jit
def _score_country(p, mask, scores):
    """The country with the best space to gain, by what still counts there."""
    scores[Word.PASS] = 0.0
    for country in range(N):
        if mask[COUNTRY0 + country]:
            best = 0.0
            for space in range(FIRST_SPACE[country], FIRST_SPACE[country + 1]):
                best = max(best, gain(p, p.viewer, space, 2, -1))
            scores[COUNTRY0 + country] = best


@jit
def _score_last_struggle(p, mask, scores):
    """The struggle of New Year's Eve Party: when behind, or when the odds are good."""
    scores[Word.PASS] = 2.0 if p.vp > 0 else -FORCED
    for country in range(N):
        if mask[COUNTRY0 + country]:
            scores[COUNTRY0 + country] = scoring_gain(p, DEMOCRAT, country)


@jit
def score_words(p, mask, scores):
    """Score a decision that names a use, a country or a word; words that are not named here are worth 0."""
    decision = p.decision
    if decision == Decision.USE:
        _score_use(p, mask, scores)
    elif decision == Decision.OPS:
        _score_ops(p, mask, scores)
    elif decision == Decision.COUNTRY:
        _score_country(p, mask, scores)
    elif decision == Decision.LAST_STRUGGLE:
        _score_last_struggle(p, mask, scores)
    elif decision == Decision.PARTY:
        scores[Word.END_GAME] = party_lead(p) - _LEAD_TO_END
    elif decision == Decision.CANCEL_WITH_HOME:
        # Common European Home instead of the event of the announced card, at the cost of that card.
        scores[Word.YES] = event_cost(p, p.source) - DISCARD_COST
    elif decision == Decision.NOMENKLATURA:
        scores[Word.ADD], scores[Word.REMOVE] = two_ways_gain(p, p.viewer, p.source)
    elif decision == Decision.EVENT_AFTER:
        scores[Word.CANCEL_EVENT] = event_cost(p, p.source) - _AWARD_COST
    elif decision == Decision.POWER:
        scores[Word.RETAIN] = 1.0
    elif decision == Decision.BORDER_BONUS:
        scores[Word.YES] = 1.0
    elif decision == Decision.BOTH_ORDER:
        scores[Word.EVENT] = 1.0
    elif decision > Decision.NONE:  # a game that is over asks nothing
        fail(p)

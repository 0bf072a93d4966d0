"""Decisions that name a strategy card, its use, a country or a word: scores of the legal answers."""

from dawn_agents.players.held_cards import scoring_cards
from dawn_agents.players.heuristic_values.board_value import gain
from dawn_agents.players.heuristic_values.card_values import (
    FORCED,
    chance_to_roll,
    event_cost,
    hand_card_gain,
    own_event,
    scoring_gain,
    track_gain,
)
from dawn_agents.players.heuristic_values.country_value import rounds_left
from dawn_agents.players.heuristic_values.event_values import event_gain, party_lead, two_ways_gain
from dawn_agents.players.heuristic_values.memoized_operations import (
    card_operation_gain,
    prepare,
    value_gain,
    weigh_operations,
)
from dawn_env.actions import CARD0, COUNTRY0, Word
from dawn_env.cards.event_tables import PROGRAM, PROGRAM_START
from dawn_env.cards.event_verbs import Opcode
from dawn_env.rules.card_play import HOME
from dawn_env.rules.cards import in_hand, is_scoring
from dawn_env.rules.frames import fail
from dawn_env.rules.operations.ops_values import card_value, ops_value
from dawn_env.rules.turn import STRIKE_NEED
from dawn_env.state import Decision
from dawn_env.support.compiling import jit
from dawn_env.tables import DEMOCRAT, FIRST_SPACE, PRINTED_OPS, SCORES, C, N

_DISCARD_COST = 1.0  # worth of a card that is given up
_SAFE_ROUNDS = 3  # rounds that must be left when cards are drawn that may have to be played
_STRIKE_ENDS = 3.0  # worth of ending the General Strike
_HIGH_CARD = 0.5  # worth of a printed point of the card paired with Common European Home
_IDLE_ROUND = -1.0  # worth of an extra round without a card
_EVENT_FIRST = 0.2  # the opponent's event before one's operations: what it does can be answered
_AWARD_COST = 0.6  # an award used now is not there later
_PAIRING = 0.5  # what a second card adds to the operations of Common European Home
_LEAD_TO_END = 4  # victory points ahead with which the game is ended early


# --- cards -----------------------------------------------------------------------------------------


@jit
def _drawing_is_risky(p):
    """Return True if a scoring card that is drawn now might be held too long, while there is none to lose."""
    return rounds_left(p) <= _SAFE_ROUNDS and scoring_cards(p, p.viewer) == 0


@jit
def _card_gain(p, card):
    """Worth of naming a card."""
    decision = p.decision
    if decision == Decision.CARD or decision == Decision.STASI_CARD:
        return hand_card_gain(p, card)
    if decision == Decision.STRIKE_CARD:
        worth = hand_card_gain(p, card)
        if is_scoring(card):  # in time; else a high value that is not missed
            return worth
        return _STRIKE_ENDS * chance_to_roll(STRIKE_NEED - card_value(p, p.viewer, card)) - worth
    if decision == Decision.EVENT_FROM_DISCARD or decision == Decision.LENIN:
        return scoring_gain(p, p.viewer, SCORES[card]) if is_scoring(card) else event_gain(p, p.viewer, card)
    if decision == Decision.HOME_CARD:  # Common European Home is paired with the worst event
        return event_cost(p, card) + _HIGH_CARD * PRINTED_OPS[card]
    if decision == Decision.KEEP_CARD or decision == Decision.TAKE_DISCARD:  # a scoring card if there is time for it
        late = is_scoring(card) and scoring_cards(p, p.viewer) + 2 > rounds_left(p)
        return -FORCED if late else min(hand_card_gain(p, card), FORCED / 2)
    if decision == Decision.SAMIZDAT and is_scoring(card):  # set aside if it would be lost
        return -scoring_gain(p, p.viewer, SCORES[card])
    return -min(FORCED / 2, hand_card_gain(p, card))  # what is given up: the least useful first


@jit
def _score_extra_round(p, scores):
    """Honecker's round: whenever some card is worth playing or must be."""
    best = _IDLE_ROUND
    for card in range(1, C):
        if in_hand(p, p.viewer, card):
            best = max(best, hand_card_gain(p, card))
    scores[Word.EXTRA_ROUND] = best


@jit
def score_cards(p, mask, scores):
    """Score a decision that names a card; False when it is none of them."""
    decision = p.decision
    if decision == Decision.SWAP_CARD:
        scores[Word.PASS] = -_DISCARD_COST
    elif decision == Decision.CANCEL_CHECK:
        scores[Word.PASS] = _DISCARD_COST
    elif decision == Decision.EXIT_VISAS or decision == Decision.SAMIZDAT:
        if _drawing_is_risky(p):  # else what would do harm goes, while what is drawn can still be played
            scores[Word.PASS] = FORCED
            return True
    elif decision == Decision.LENIN:  # operations with the card itself, instead of one of the red cards shown
        place, check = card_operation_gain(p, p.viewer, p.source)
        scores[Word.OPS] = max(place, check)
    elif not (
        decision == Decision.CARD
        or decision == Decision.STASI_CARD
        or decision == Decision.STRIKE_CARD
        or decision == Decision.EVENT_FROM_DISCARD
        or decision == Decision.HOME_CARD
        or decision == Decision.KEEP_CARD
        or decision == Decision.TAKE_DISCARD
        or decision == Decision.GIVE_CARD
    ):
        return False
    for card in range(1, C):
        if mask[CARD0 + card]:
            scores[CARD0 + card] = _card_gain(p, card)
    return True


# --- uses of a card --------------------------------------------------------------------------------


@jit
def _score_use(p, mask, scores):
    card = p.source
    place, check = card_operation_gain(p, p.viewer, card)
    operations = max(place, check)
    cost = event_cost(p, card) if mask[Word.OPPONENT_EVENT] else 0.0
    event = 0.0
    if mask[Word.EVENT]:  # that of Common European Home are the operations of a second card
        event = operations + _PAIRING if card == HOME else own_event(p, card)
    scores[Word.EVENT] = event
    scores[Word.EVENT_AND_OPS] = event + operations - _AWARD_COST
    scores[Word.OPPONENT_EVENT] = operations - cost + _EVENT_FIRST
    scores[Word.CANCEL_EVENT] = operations - _AWARD_COST
    scores[Word.PLACE] = place - cost
    scores[Word.CHECK] = check - cost
    if mask[Word.TIANANMEN]:
        scores[Word.TIANANMEN] = track_gain(p, p.viewer, card)


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


# --- countries and words ---------------------------------------------------------------------------


@jit
def _country_gain(p, country):
    """Worth of the country's best space to gain, by what still counts there; of its struggle at New Year's Eve."""
    if p.decision == Decision.LAST_STRUGGLE:
        return scoring_gain(p, DEMOCRAT, country)
    best = 0.0
    for space in range(FIRST_SPACE[country], FIRST_SPACE[country + 1]):
        best = max(best, gain(p, p.viewer, space, 2, -1))
    return best


@jit
def _score_countries(p, mask, scores):
    for country in range(N):
        if mask[COUNTRY0 + country]:
            scores[COUNTRY0 + country] = _country_gain(p, country)


@jit
def score_words(p, mask, scores):
    """Score a decision that names a use, a country or a word; words that are not named here are worth 0."""
    decision = p.decision
    if decision == Decision.USE:
        _score_use(p, mask, scores)
    elif decision == Decision.OPS:
        _score_ops(p, mask, scores)
    elif decision == Decision.EXTRA_ROUND:
        _score_extra_round(p, scores)
    elif decision == Decision.COUNTRY:
        _score_countries(p, mask, scores)
    elif decision == Decision.LAST_STRUGGLE:  # when behind, or when the odds are good
        scores[Word.PASS] = 2.0 if p.vp > 0 else -FORCED
        _score_countries(p, mask, scores)
    elif decision == Decision.PARTY:
        scores[Word.END_GAME] = party_lead(p) - _LEAD_TO_END
    elif decision == Decision.CANCEL_WITH_HOME:
        # Common European Home instead of the event of the announced card, at the cost of that card.
        scores[Word.YES] = event_cost(p, p.source) - _DISCARD_COST
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

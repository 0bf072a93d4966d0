"""Decisions that name a strategy card: scores of the legal ones."""

from dawn_agents.heuristic_values.card_values import (
    FORCED,
    chance_to_roll,
    event_cost,
    hand_card_gain,
    scoring_cards,
    scoring_gain,
)
from dawn_agents.heuristic_values.event_values import event_gain
from dawn_agents.heuristic_values.memoized_operations import card_operation_gain
from dawn_agents.heuristic_values.scoring_weights import rounds_left
from dawn_env.actions import CARD0, Word
from dawn_env.rules.cards import in_hand, is_scoring
from dawn_env.rules.operations.ops_values import card_value
from dawn_env.rules.turn import STRIKE_NEED
from dawn_env.state import Decision
from dawn_env.support.compiling import jit
from dawn_env.tables import PRINTED_OPS, SCORES, C

DISCARD_COST = 1.0
"""Worth of a card that is given up."""
_SAFE_ROUNDS = 3  # rounds that must be left when cards are drawn that may have to be played
_STRIKE_ENDS = 3.0  # worth of ending the General Strike
_HIGH_CARD = 0.5  # worth of a printed point of the card paired with Common European Home
_IDLE_ROUND = -1.0  # worth of an extra round without a card


# --- decisions that weigh what it is worth to play each card ---------------------------------------


@jit
def _score_hand(p, mask, scores):
    for card in range(1, C):
        if mask[CARD0 + card]:
            scores[CARD0 + card] = hand_card_gain(p, card)


@jit
def _score_giving_up(p, mask, scores, otherwise):
    """Cards to part with: the least useful first; passing is worth ``otherwise``."""
    scores[Word.PASS] = otherwise
    for card in range(1, C):
        if mask[CARD0 + card]:
            scores[CARD0 + card] = -min(FORCED / 2, hand_card_gain(p, card))


@jit
def _score_strike(p, mask, scores):
    """Under a General Strike: a scoring card in time, else a high value that is not missed."""
    for card in range(1, C):
        if not mask[CARD0 + card]:
            continue
        worth = hand_card_gain(p, card)
        if not is_scoring(card):
            chance = chance_to_roll(STRIKE_NEED - card_value(p, p.viewer, card))
            worth = _STRIKE_ENDS * chance - worth
        scores[CARD0 + card] = worth


@jit
def _score_keep(p, mask, scores):
    """Cards to take: a scoring card only if there is time for it."""
    scores[Word.PASS] = 0.0
    for card in range(1, C):
        if mask[CARD0 + card]:
            late = is_scoring(card) and scoring_cards(p) + 2 > rounds_left(p)
            scores[CARD0 + card] = -FORCED if late else min(hand_card_gain(p, card), FORCED / 2)


@jit
def _drawing_is_risky(p):
    """Return True if a scoring card that is drawn now might be held too long, while there is none to lose."""
    return rounds_left(p) <= _SAFE_ROUNDS and scoring_cards(p) == 0


@jit
def _score_exit_visas(p, mask, scores):
    """Let go what would do harm, while what is drawn can still be played."""
    if _drawing_is_risky(p):
        scores[Word.PASS] = FORCED
    else:
        _score_giving_up(p, mask, scores, 0.0)


@jit
def _score_samizdat(p, mask, scores):
    """Set aside a scoring card that would be lost, or a harmful event, if there is time for what is drawn."""
    if _drawing_is_risky(p):
        scores[Word.PASS] = FORCED
        return
    _score_giving_up(p, mask, scores, 0.0)
    for card in range(1, C):
        if mask[CARD0 + card] and is_scoring(card):
            scores[CARD0 + card] = -scoring_gain(p, p.viewer, SCORES[card])


@jit
def _score_extra_round(p, mask, scores):
    """Honecker's round: whenever some card is worth playing or must be."""
    best = _IDLE_ROUND
    for card in range(1, C):
        if in_hand(p, p.viewer, card):
            best = max(best, hand_card_gain(p, card))
    scores[Word.EXTRA_ROUND] = best
    scores[Word.PASS] = 0.0


@jit
def score_cards(p, mask, scores):
    """Score a decision that weighs cards by what it is worth to play them; False when it is none of them."""
    decision = p.decision
    if decision == Decision.CARD or decision == Decision.STASI_CARD:
        _score_hand(p, mask, scores)
    elif decision == Decision.STRIKE_CARD:
        _score_strike(p, mask, scores)
    elif decision == Decision.KEEP_CARD or decision == Decision.TAKE_DISCARD:
        _score_keep(p, mask, scores)
    elif decision == Decision.SWAP_CARD:
        _score_giving_up(p, mask, scores, -DISCARD_COST)
    elif decision == Decision.GIVE_CARD:
        _score_giving_up(p, mask, scores, 0.0)
    elif decision == Decision.CANCEL_CHECK:
        _score_giving_up(p, mask, scores, DISCARD_COST)
    elif decision == Decision.EXIT_VISAS:
        _score_exit_visas(p, mask, scores)
    elif decision == Decision.SAMIZDAT:
        _score_samizdat(p, mask, scores)
    elif decision == Decision.EXTRA_ROUND:
        _score_extra_round(p, mask, scores)
    else:
        return False
    return True


# --- decisions that make an event happen, or prevent it --------------------------------------------


@jit
def _score_events(p, mask, scores):
    """Score the cards with an event that happens at once; passing is worth 0."""
    scores[Word.PASS] = 0.0
    for card in range(1, C):
        if mask[CARD0 + card]:
            if is_scoring(card):
                scores[CARD0 + card] = scoring_gain(p, p.viewer, SCORES[card])
            else:
                scores[CARD0 + card] = event_gain(p, p.viewer, card)


@jit
def _score_home_card(p, mask, scores):
    """Pair Common European Home with the worst event."""
    for card in range(1, C):
        if mask[CARD0 + card]:
            scores[CARD0 + card] = event_cost(p, card) + _HIGH_CARD * PRINTED_OPS[card]


@jit
def score_event_cards(p, mask, scores):
    """Score a decision that names a card for its event; False when it is none of them."""
    decision = p.decision
    if decision == Decision.HOME_CARD:
        _score_home_card(p, mask, scores)
    elif decision == Decision.EVENT_FROM_DISCARD or decision == Decision.LENIN:
        if decision == Decision.LENIN:  # or operations with the card itself, instead of one of the red cards shown
            place, check = card_operation_gain(p, p.viewer, p.source)
            scores[Word.OPS] = max(place, check)
        _score_events(p, mask, scores)
    else:
        return False
    return True

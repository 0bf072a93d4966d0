"""The choice at each decision: scores of the legal actions, in victory points, from one observation."""

import numpy as np

from agents.heuristic.country import gain, set_up
from agents.heuristic.events import event_gain, pick_changes, way_gain
from agents.heuristic.operations import (
    check_gain,
    operation_anywhere,
    operation_gain,
    placing_rate,
    remember_operations,
)
from agents.heuristic.outlook import write_outlook
from agents.heuristic.plays import (
    MUST,
    hand_card_gain,
    opponents_event,
    own_event,
    scoring_cards,
    scoring_gain,
    track_gain,
)
from agents.heuristic.position import MAX_POINTS
from agents.heuristic.sight import (
    AT,
    check_modifier,
    countries_held,
    first_marked,
    map_variant,
    ops_value,
    read_support,
    rounds_left,
)
from agents.heuristic.struggle import score_attack, score_defend, score_stakes, score_suit
from dawn_env import actions
from dawn_env.actions import CARD0, COUNTRY0, SPACE0
from dawn_env.cards.effects import COUNT, END, OPCODE, PER, PICK_LOSE, PICK_PLACE, PICK_REMOVE
from dawn_env.cards.events import PROGRAM, PROGRAM_START, REGIONS
from dawn_env.state import (
    ATTACK,
    BORDER_BONUS,
    BOTH_ORDER,
    CANCEL_CHECK,
    CANCEL_WITH_HOME,
    CARD,
    CHECK,
    COUNTRY,
    DECISIONS,
    DEFEND,
    DESTROY,
    EVENT_AFTER,
    EVENT_FROM_DISCARD,
    EXIT_VISAS,
    EXTRA_ROUND,
    GIVE_CARD,
    HIDEOUT,
    HOME_CARD,
    KEEP_CARD,
    LAST_STRUGGLE,
    LENIN,
    MOVE,
    NOMENKLATURA,
    OPS,
    OPS_PLACE,
    PARTY,
    PLACE,
    POWER,
    REVOLT,
    SAMIZDAT,
    SETUP,
    STAKES,
    STASI_CARD,
    STRIKE_CARD,
    STRUGGLE_FRAME,
    SUIT,
    SUPPORT_LOSS,
    SWAP_CARD,
    TAKE_CONTROL,
    TAKE_DISCARD,
    USE,
)
from dawn_env.support.compiling import jit
from dawn_env.tables import (
    COMMUNIST,
    COUNTRY_OF,
    DEMOCRAT,
    EAST_GERMANY,
    PRINTED_OPS,
    SCORES,
    SOURCES,
    STABILITY,
    C,
    N,
    S,
)

_SETUP_POINTS = 2
_EVENT_FIRST = 0.2  # the opponent's event before one's operations: what it does can be answered
_AWARD_COST = 0.6  # an award used now is not there later
_DISCARD_COST = 1.0  # a card given up
_SAFE_ROUNDS = 3  # rounds that must be left when cards are drawn that may have to be played


def _pick_sizes() -> np.ndarray:
    """[SOURCES, 4] points moved by one pick of PLACE, REMOVE, REPLACE or LOSE of an event."""
    sizes = np.ones((SOURCES, 4), np.int64)
    for source in range(SOURCES):
        for pc in range(PROGRAM_START[source], len(PROGRAM)):
            opcode = PROGRAM[pc, OPCODE]
            if opcode == END:
                break
            if PICK_PLACE <= opcode <= PICK_LOSE:
                sizes[source, opcode - PICK_PLACE] = PROGRAM[pc, PER]
    return sizes


_PICK_SIZE = _pick_sizes()


@jit
def _source(o):
    """Card (or award) being resolved, 0 for none."""
    return max(0, first_marked(o, AT.frame_source, SOURCES))


# --- spaces ----------------------------------------------------------------------------------------


@jit
def _score_ops_place(o, p, mask, scores):
    own, left, bonus = o[AT.side], int(o[AT.frame_left]), int(o[AT.frame_bonus])
    for space in range(S):
        if mask[SPACE0 + space]:
            points = left + (bonus if COUNTRY_OF[space] == EAST_GERMANY else 0)
            scores[SPACE0 + space] = placing_rate(o, p, own, space, points)


@jit
def _score_setup(o, p, mask, scores):
    for space in range(S):
        if mask[SPACE0 + space]:
            scores[SPACE0 + space] = placing_rate(o, p, o[AT.side], space, _SETUP_POINTS)


@jit
def _score_check(o, p, mask, scores):
    own, variant = o[AT.side], map_variant(o)
    points = ops_value(o, own, int(o[AT.frame_value])) + int(o[AT.frame_bonus])
    scores[actions.PASS] = 0.0
    for space in range(S):
        if mask[SPACE0 + space]:
            total = points + check_modifier(o, p, own, space, variant)
            scores[SPACE0 + space] = check_gain(o, p, own, space, total)


@jit
def _score_picks(o, p, mask, scores, opcode):
    """PLACE, REMOVE, REPLACE and TAKE_CONTROL of events, and the loss of own points."""
    own = o[AT.side]
    source = _source(o)
    losing = opcode == PICK_REMOVE and not o[AT.frame_mine] and not o[AT.frame_kind + STRUGGLE_FRAME]
    size = _PICK_SIZE[source, opcode - PICK_PLACE] if opcode <= PICK_LOSE else 1
    if o[AT.frame_kind + STRUGGLE_FRAME]:
        size = 1
    for space in range(S):
        if not mask[SPACE0 + space]:
            continue
        if losing:
            scores[SPACE0 + space] = gain(p, own, space, -1, 0)
        else:
            mine, theirs = pick_changes(p, own, opcode, size, space)
            scores[SPACE0 + space] = gain(p, own, space, mine, theirs)


@jit
def _score_change(o, p, mask, scores, mine, theirs):
    """Every legal space by what adding points there is worth."""
    for space in range(S):
        if mask[SPACE0 + space]:
            scores[SPACE0 + space] = gain(p, o[AT.side], space, mine, theirs)


@jit
def _score_destroy(o, p, mask, scores):
    own = o[AT.side]
    for space in range(S):
        if mask[SPACE0 + space]:
            mine, theirs = -int(p.support[own, space]), -int(p.support[1 - own, space])
            scores[SPACE0 + space] = gain(p, own, space, mine, theirs)


@jit
def _score_hideout(o, p, mask, scores):
    """Hide where the Democrat is furthest from control (the Democrat hides them where he is nearest)."""
    for space in range(S):
        if mask[SPACE0 + space]:
            missing = int(STABILITY[space]) + int(p.support[COMMUNIST, space]) - int(p.support[DEMOCRAT, space])
            scores[SPACE0 + space] = -missing if o[AT.side] == DEMOCRAT else missing


@jit
def _score_revolt(o, p, mask, scores):
    """Workers Revolt (78): all of the opponent's points turn on a modified 4."""
    own, variant = o[AT.side], map_variant(o)
    for space in range(S):
        if mask[SPACE0 + space]:
            theirs = int(p.support[1 - own, space])
            against = max(0, -check_modifier(o, p, own, space, variant))
            chance = max(0.0, (3 - against) / 6)
            scores[SPACE0 + space] = chance * gain(p, own, space, theirs, -theirs)


# --- uses of a card --------------------------------------------------------------------------------


@jit
def _score_use(o, p, mask, scores):
    own, card, variant = o[AT.side], _source(o), map_variant(o)
    place, check = operation_anywhere(o, p, own, PRINTED_OPS[card], variant)
    cost = opponents_event(o, p, card, variant) if mask[actions.OPPONENT_EVENT] else 0.0
    event = own_event(o, p, card, variant) if mask[actions.EVENT] and card != 21 else 0.0
    if card == 21:
        event = max(place, check) + 0.5
    scores[actions.EVENT] = event
    scores[actions.EVENT_AND_OPS] = event + max(place, check) - _AWARD_COST
    scores[actions.OPPONENT_EVENT] = max(place, check) - cost + _EVENT_FIRST
    scores[actions.CANCEL_EVENT] = max(place, check) - _AWARD_COST
    scores[actions.PLACE] = place - cost
    scores[actions.CHECK] = check - cost
    scores[actions.TIANANMEN] = track_gain(o, p, own, card)


@jit
def _score_ops(o, p, scores):
    own, source, variant = o[AT.side], _source(o), map_variant(o)
    region = REGIONS[o[AT.frame_region]]
    if source == 76:  # Warsaw Pact Summit: four points where the opponent has none, or two checks
        first = PROGRAM_START[76]
        scores[actions.PLACE] = way_gain(o, p, own, 76, first + 1, variant)
        scores[actions.CHECK] = way_gain(o, p, own, 76, first + PROGRAM[first, COUNT], variant)
        return
    place, check = operation_gain(o, p, own, int(o[AT.frame_value]), region, variant)
    scores[actions.PLACE] = place
    scores[actions.CHECK] = check
    scores[actions.TIANANMEN] = track_gain(o, p, own, source)


@jit
def _remember_operations(o, p, mask):
    """Find out at once what operations with the cards on offer are worth, which costs little more than one."""
    least, most = MAX_POINTS, 0
    for card in range(1, C):
        if mask[CARD0 + card] and SCORES[card] < 0:
            points = ops_value(o, o[AT.side], PRINTED_OPS[card])
            least, most = min(least, points), max(most, points)
    if most > 0:
        remember_operations(o, p, o[AT.side], least, most, map_variant(o))


@jit
def _score_hand(o, p, mask, scores):
    _remember_operations(o, p, mask)
    variant = map_variant(o)
    for card in range(1, C):
        if mask[CARD0 + card]:
            scores[CARD0 + card] = hand_card_gain(o, p, card, variant)


@jit
def _score_events(o, p, mask, scores, otherwise):
    """Cards whose event happens at once; ``otherwise`` is the worth of passing."""
    own, variant = o[AT.side], map_variant(o)
    scores[actions.PASS] = otherwise
    for card in range(1, C):
        if mask[CARD0 + card]:
            if SCORES[card] >= 0:
                times = int(o[AT.times_scored + SCORES[card]])
                scores[CARD0 + card] = scoring_gain(p, own, SCORES[card], times)
            else:
                scores[CARD0 + card] = event_gain(o, p, own, card, variant)


@jit
def _score_lenin(o, p, mask, scores):
    _score_events(o, p, mask, scores, 0.0)
    place, check = operation_anywhere(o, p, o[AT.side], PRINTED_OPS[46], map_variant(o))
    scores[actions.OPS] = max(place, check)


@jit
def _score_giving_up(o, p, mask, scores, otherwise):
    """Cards to part with: the least useful first; passing is worth ``otherwise``."""
    _remember_operations(o, p, mask)
    variant = map_variant(o)
    scores[actions.PASS] = otherwise
    for card in range(1, C):
        if mask[CARD0 + card]:
            scores[CARD0 + card] = -min(MUST / 2, hand_card_gain(o, p, card, variant))


@jit
def _score_strike(o, p, mask, scores):
    """General Strike (5): a scoring card in time, else a high value that is not missed."""
    _remember_operations(o, p, mask)
    variant = map_variant(o)
    for card in range(1, C):
        if not mask[CARD0 + card]:
            continue
        worth = hand_card_gain(o, p, card, variant)
        if SCORES[card] >= 0:
            scores[CARD0 + card] = worth
        else:
            chance = min(1.0, (1 + ops_value(o, o[AT.side], PRINTED_OPS[card])) / 6)
            scores[CARD0 + card] = 3.0 * chance - worth


@jit
def _score_keep(o, p, mask, scores):
    """Award 3: a scoring card only if it pays and there is time for it."""
    _remember_operations(o, p, mask)
    variant = map_variant(o)
    for card in range(1, C):
        if mask[CARD0 + card]:
            late = SCORES[card] >= 0 and scoring_cards(o) + 2 > rounds_left(o)
            worth = hand_card_gain(o, p, card, variant)
            scores[CARD0 + card] = -MUST if late else min(worth, MUST / 2)


@jit
def _score_exit_visas(o, p, mask, scores):
    """Let go what would do harm, while what is drawn can still be played."""
    if rounds_left(o) <= _SAFE_ROUNDS and scoring_cards(o) == 0:
        scores[actions.PASS] = MUST
    else:
        _score_giving_up(o, p, mask, scores, 0.0)


@jit
def _score_samizdat(o, p, mask, scores):
    """Set aside a scoring card that would be lost, or a harmful event, if there is time for what is drawn."""
    if rounds_left(o) <= _SAFE_ROUNDS and scoring_cards(o) == 0:
        scores[actions.PASS] = MUST
        return
    _score_giving_up(o, p, mask, scores, 0.0)
    for card in range(1, C):
        if mask[CARD0 + card] and SCORES[card] >= 0:
            times = int(o[AT.times_scored + SCORES[card]])
            scores[CARD0 + card] = -scoring_gain(p, o[AT.side], SCORES[card], times)


# --- countries and words ---------------------------------------------------------------------------


@jit
def _score_country(o, p, mask, scores):
    """The country with the best space to gain, by what still counts there."""
    own = o[AT.side]
    scores[actions.PASS] = 0.0
    for country in range(N):
        if not mask[COUNTRY0 + country]:
            continue
        best = 0.0
        for space in range(S):
            if COUNTRY_OF[space] == country:
                best = max(best, gain(p, own, space, 2, -1))
        scores[COUNTRY0 + country] = best


@jit
def _score_last_struggle(o, p, mask, scores):
    """The struggle of the party (104): when behind, or when the odds are good."""
    scores[actions.PASS] = 2.0 if o[AT.vp] > 0 else -MUST
    for country in range(N):
        if mask[COUNTRY0 + country]:
            times = int(o[AT.times_scored + country])
            scores[COUNTRY0 + country] = scoring_gain(p, DEMOCRAT, country, times)


@jit
def _score_party(o, scores):
    lead = int(o[AT.vp]) + (3 if countries_held(o, o[AT.side]) >= 4 else -3)
    scores[actions.END_GAME] = lead - 4
    scores[actions.CONTINUE] = 0.0


@jit
def _score_home(o, p, scores):
    cost = 0.0
    variant = map_variant(o)
    card = first_marked(o, AT.resolving, C - 1) + 1
    if card > 0:
        cost = opponents_event(o, p, card, variant)
    scores[actions.YES] = cost - _DISCARD_COST
    scores[actions.NO] = 0.0


@jit
def _score_home_card(o, p, mask, scores):
    """Common European Home (21): pair it with the worst event."""
    variant = map_variant(o)
    for card in range(1, C):
        if mask[CARD0 + card]:
            scores[CARD0 + card] = opponents_event(o, p, card, variant) + 0.5 * PRINTED_OPS[card]


@jit
def _score_nomenklatura(o, p, scores):
    first, variant = PROGRAM_START[16], map_variant(o)
    scores[actions.ADD] = way_gain(o, p, COMMUNIST, 16, first + 1, variant)
    scores[actions.REMOVE] = way_gain(o, p, COMMUNIST, 16, first + PROGRAM[first, COUNT], variant)


@jit
def _score_event_after(o, p, scores):
    cost = opponents_event(o, p, _source(o), map_variant(o))
    scores[actions.CANCEL_EVENT] = cost - _AWARD_COST
    scores[actions.OPPONENT_EVENT] = 0.0


@jit
def _score_extra_round(o, p, scores):
    """Honecker's round: whenever some card is worth playing or must be."""
    best, variant = -1.0, map_variant(o)
    for card in range(1, C):
        if o[AT.my_hand + card - 1]:
            best = max(best, hand_card_gain(o, p, card, variant))
    scores[actions.EXTRA_ROUND] = best
    scores[actions.PASS] = 0.0


@jit
def _score_power(scores):
    scores[actions.RETAIN] = 1.0
    scores[actions.SURRENDER] = 0.0


# --- all of them -----------------------------------------------------------------------------------


@jit
def _score_spaces(o, p, mask, scores, decision):
    """Decisions that name a space; False when it is none of them."""
    if decision == OPS_PLACE:
        _score_ops_place(o, p, mask, scores)
    elif decision == CHECK:
        _score_check(o, p, mask, scores)
    elif PLACE <= decision <= TAKE_CONTROL:
        _score_picks(o, p, mask, scores, PICK_PLACE + decision - PLACE + (decision == TAKE_CONTROL))
    elif decision == SETUP:
        _score_setup(o, p, mask, scores)
    elif decision == SUPPORT_LOSS:
        _score_change(o, p, mask, scores, -1, 0)
    elif decision == MOVE:
        _score_change(o, p, mask, scores, 1, 0)
        scores[actions.PASS] = 0.3
    elif decision == DESTROY:
        _score_destroy(o, p, mask, scores)
    elif decision == HIDEOUT:
        _score_hideout(o, p, mask, scores)
    elif decision == REVOLT:
        _score_revolt(o, p, mask, scores)
    else:
        return False
    return True


@jit
def _score_cards(o, p, mask, scores, decision):
    """Decisions that name a card; False when it is none of them."""
    if decision == CARD or decision == STASI_CARD:
        _score_hand(o, p, mask, scores)
    elif decision == STRIKE_CARD:
        _score_strike(o, p, mask, scores)
    elif decision == KEEP_CARD or decision == TAKE_DISCARD:
        scores[actions.PASS] = 0.0
        _score_keep(o, p, mask, scores)
    elif decision == SWAP_CARD:
        _score_giving_up(o, p, mask, scores, -_DISCARD_COST)
    elif decision == GIVE_CARD:
        _score_giving_up(o, p, mask, scores, 0.0)
    elif decision == CANCEL_CHECK:
        _score_giving_up(o, p, mask, scores, _DISCARD_COST)
    elif decision == EXIT_VISAS:
        _score_exit_visas(o, p, mask, scores)
    elif decision == SAMIZDAT:
        _score_samizdat(o, p, mask, scores)
    elif decision == HOME_CARD:
        _score_home_card(o, p, mask, scores)
    elif decision == EVENT_FROM_DISCARD:
        _score_events(o, p, mask, scores, 0.0)
    elif decision == LENIN:
        _score_lenin(o, p, mask, scores)
    else:
        return False
    return True


@jit
def _score_words(o, p, mask, scores, decision):
    """Decisions that name a use, a country or a word."""
    if decision == USE:
        _score_use(o, p, mask, scores)
    elif decision == OPS:
        _score_ops(o, p, scores)
    elif decision == COUNTRY:
        _score_country(o, p, mask, scores)
    elif decision == LAST_STRUGGLE:
        _score_last_struggle(o, p, mask, scores)
    elif decision == PARTY:
        _score_party(o, scores)
    elif decision == CANCEL_WITH_HOME:
        _score_home(o, p, scores)
    elif decision == NOMENKLATURA:
        _score_nomenklatura(o, p, scores)
    elif decision == EVENT_AFTER:
        _score_event_after(o, p, scores)
    elif decision == EXTRA_ROUND:
        _score_extra_round(o, p, scores)
    elif decision == POWER:
        _score_power(scores)
    elif decision == BORDER_BONUS:
        scores[actions.YES] = 1.0
    elif decision == BOTH_ORDER:
        scores[actions.EVENT] = 1.0


@jit
def _score_struggle(o, mask, scores, decision):
    """Decisions about power struggle cards; False when it is none of them."""
    if decision == STAKES:
        score_stakes(o, mask, scores)
    elif decision == ATTACK:
        score_attack(o, mask, scores)
    elif decision == SUIT:
        score_suit(o, mask, scores)
    elif decision == DEFEND:
        score_defend(o, mask, scores)
    else:
        return False
    return True


def score_row(o, mask, p, scores):
    """Write what each legal action is worth into ``scores`` float32 [A]; what is not legal is left alone.

    ``o`` int8 [F], ``mask`` int8 [A], ``p`` a POSITION record whose weights are set: work space. Compiled once, in
    ``scoring.py``.
    """
    scores[:] = 0.0
    decision = first_marked(o, AT.decision, len(DECISIONS))
    if _score_struggle(o, mask, scores, decision):
        return
    read_support(o, p)
    write_outlook(o, p)
    set_up(p)
    if _score_spaces(o, p, mask, scores, decision):
        return
    if _score_cards(o, p, mask, scores, decision):
        return
    _score_words(o, p, mask, scores, decision)

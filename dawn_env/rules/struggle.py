"""Power struggles (rule 8.0): deal, stakes, play, aftermath, Power, country scoring."""

from dawn_env.actions import FACE0, SPACE0, SUIT0, Word
from dawn_env.cards.declarations import CROWD, SECURITATE, TYRANT
from dawn_env.cards.event_tables import EFFECTS, ENDS_WITH_STRUGGLE, FIRST_EFFECT, REGION_ROMANIA, REGIONS, SERVES_ONCE
from dawn_env.cards.lasting_effects import NOTHING, EffectKind
from dawn_env.rules.board import controlled_in, controls, score_vp, support_in, take_support, test_victory
from dawn_env.rules.cards import end_stays, in_play, leave_play, move_card
from dawn_env.rules.cards_in_play import total
from dawn_env.rules.chance import pick_copy, roll
from dawn_env.rules.frames import StruggleStep, allow, ask, fail, pop, push, start_event, withdraw
from dawn_env.rules.operations.operations import start_operation
from dawn_env.rules.resets import OF_THE_STRUGGLE, reset
from dawn_env.rules.scoring import country_score
from dawn_env.state import Chance, Decision, FrameKind, PowerZone, Result, Zone
from dawn_env.support.compiling import jit
from dawn_env.tables import (
    AFTERMATH,
    COMMUNIST,
    CROWD_OPERATION,
    DEMOCRAT,
    FACE_ID,
    FACE_RANK,
    FACE_SUIT,
    FIRST_SPACE,
    LEADER_SUIT,
    LEADER_TYPE,
    PETITION,
    POWER_VALUE,
    RALLY,
    ROMANIA,
    SCARE_TACTICS,
    SUITS,
    SUPPORT_FALTERS,
    SUPPORT_SURGES,
    TACTIC_FAILS,
    TYPE_OF,
    P,
)

CROWD_ACTED = 1  # flag: The Crowd (54) took effect in this struggle
STAKE = 3  # cards that raise the stakes
FIRST_SPACE_CARDS, NEXT_SPACE_CARDS = 6, 2  # dealt for controlled spaces
_CROWD_CARDS = 15
_RALLY_FACE = FACE_ID["rally-1"]


@jit
def start_struggle(s, starter, country, card):
    """Push a struggle; ``card`` is the scoring card, or 0 for the one of New Year's Eve (104)."""
    f = push(s, FrameKind.STRUGGLE, starter, card)
    f.country = country
    s.struggle, s.starter, s.attacker = country, starter, starter
    s.victory_waits = 1


@jit
def sees_their_hand(s, side):
    """Return True if Securitate (70) shows the other hand, from the deal on (ruling hands-seen-once-dealt)."""
    return s.struggle == ROMANIA and side == COMMUNIST and in_play(s, SECURITATE)


@jit
def move_face(s, face, source, target):
    """Move a struggle card ``face`` from zone ``source`` to zone ``target``."""
    s.power_cards[source, face] -= 1
    s.power_cards[target, face] += 1


@jit
def move_random(s, kind, source, target, count):
    """Move up to ``count`` random cards between zones (ruling short-struggle-deck)."""
    left = s.power_cards[source].sum()
    for _ in range(min(count, left)):
        face = pick_copy(s, kind, s.power_cards[source], left)
        move_face(s, face, source, target)
        left -= 1


@jit
def _cards_for(s, side, country):
    """Cards dealt for controlled spaces (rule 8.1.1)."""
    spaces = controlled_in(s, side, country)
    return 0 if spaces == 0 else FIRST_SPACE_CARDS + NEXT_SPACE_CARDS * (spaces - 1)


@jit
def _controls_some(s, side, country, region):
    """Return True if a side controls a space of a region in a country."""
    for space in range(FIRST_SPACE[country], FIRST_SPACE[country + 1]):
        if REGIONS[region, space] and controls(s, side, space):
            return True
    return False


@jit
def _deal(s, country):
    """Hand sizes, changed by cards in play before anyone looks (rule 8.1.2, ruling order-of-struggle-cards), then the
    deal."""
    cards_d, cards_c = _cards_for(s, DEMOCRAT, country), _cards_for(s, COMMUNIST, country)
    for row in range(FIRST_EFFECT[EffectKind.STRUGGLE_CARDS], FIRST_EFFECT[EffectKind.STRUGGLE_CARDS + 1]):
        effect = EFFECTS[row]
        if in_play(s, effect.card) and REGIONS[effect.region, FIRST_SPACE[country]]:
            taker = effect.side
            if effect.holding == NOTHING or _controls_some(s, taker, country, effect.holding):
                taken = min(effect.amount, cards_c if taker == DEMOCRAT else cards_d)
                gain = taken if taker == DEMOCRAT else -taken
                cards_d, cards_c = cards_d + gain, cards_c - gain
            if SERVES_ONCE[effect.card]:
                leave_play(s, effect.card)
    move_random(s, Chance.POWER_DEAL, PowerZone.DECK, PowerZone.HAND + DEMOCRAT, cards_d)
    move_random(s, Chance.POWER_DEAL, PowerZone.DECK, PowerZone.HAND + COMMUNIST, cards_c)


@jit
def _crowd(s, f):
    """The Crowd (54): fifteen cards, three points of operations in Romania per Rally (rule 7.6.2)."""
    rallies = s.power_cards[PowerZone.DISCARD, _RALLY_FACE]
    move_random(s, Chance.POWER_DRAWS, PowerZone.DECK, PowerZone.DISCARD, _CROWD_CARDS)
    rallies = s.power_cards[PowerZone.DISCARD, _RALLY_FACE] - rallies
    f.marks |= CROWD_ACTED
    start_operation(s, DEMOCRAT, CROWD_OPERATION, 3 * rallies, REGION_ROMANIA, 0)


@jit
def step_struggle(s, f):
    """The next piece of the struggle."""
    step, country = f.step, int(f.country)
    if step == StruggleStep.DEAL:
        _deal(s, country)
        f.step = StruggleStep.CROWD
    elif step == StruggleStep.CROWD:
        f.step = StruggleStep.STAKES
        if country == ROMANIA and in_play(s, CROWD):
            _crowd(s, f)
    elif step == StruggleStep.STAKES:
        _step_stakes(s, f)
    elif step == StruggleStep.LEAD:
        _step_lead(s, f, country)
    elif step == StruggleStep.SCARE:
        _step_scare(s, f, country)
    elif step == StruggleStep.NAME_SUIT:
        ask(s, Decision.SUIT, s.attacker)
        for suit in range(len(SUITS)):
            if suit != s.blocked:
                allow(s, SUIT0 + suit)
    elif step == StruggleStep.ANSWER:
        _step_answer(s, country)
    elif step == StruggleStep.LOSS_ROLL:
        f.left = AFTERMATH[_aftermath_roll(s)]
        f.step = StruggleStep.LOSING
    elif step == StruggleStep.LOSING:
        _step_losing(s, f, country)
    elif step == StruggleStep.VP_ROLL:
        _roll_vp(s, f)
    elif step == StruggleStep.POWER:
        ask(s, Decision.POWER, COMMUNIST)
        allow(s, Word.RETAIN)
        allow(s, Word.SURRENDER)
    elif step == StruggleStep.SCORING:
        _finish(s, f, country)
    else:
        fail(s)


@jit
def answer_struggle(s, f, decision, action):
    """Apply a choice inside the struggle."""
    country = int(f.country)
    if decision == Decision.STAKES:
        _answer_stakes(s, f, action)
    elif decision == Decision.ATTACK:
        _lead(s, f, action - FACE0)
    elif decision == Decision.REMOVE:
        take_support(s, 1 - s.attacker, action - SPACE0, 1)
        s.attacker = 1 - s.attacker
        f.step = StruggleStep.LEAD
    elif decision == Decision.SUIT:
        s.led_suit = action - SUIT0
        f.step = StruggleStep.ANSWER
    elif decision == Decision.DEFEND:
        _defend(s, f, action)
    elif decision == Decision.SUPPORT_LOSS:
        take_support(s, 1 - s.winner, action - SPACE0, 1)
        f.left -= 1
    elif decision == Decision.POWER:
        _settle_power(s, f, country, action == Word.RETAIN)
    else:
        fail(s)


# --- stakes (rule 8.2) ---------------------------------------------------------------------------


@jit
def _step_stakes(s, f):
    """The starter, then the other side, may discard three cards; ``f.asked`` counts the sides done."""
    if f.asked == 2:
        s.staked = 0
        f.step = StruggleStep.LEAD
        return
    side = f.side if f.asked == 0 else 1 - f.side
    hand = s.power_cards[PowerZone.HAND + side]
    missing = STAKE - s.staked
    if s.staked == 0 and hand.sum() < STAKE:
        f.asked += 1
        return
    if s.staked > 0 and hand.sum() == missing:  # ruling raise-takes-the-rest
        for face in range(P):
            s.power_cards[PowerZone.DISCARD, face] += hand[face]
            hand[face] = 0
        _raise_stakes(s, f, side)
        return
    ask(s, Decision.STAKES, side)
    for face in range(P):
        if hand[face] > 0:
            allow(s, FACE0 + face)
    if s.staked == 0:
        allow(s, Word.PASS)


@jit
def _raise_stakes(s, f, side):
    s.raised[side] = 1
    s.staked = 0
    f.asked += 1


@jit
def _answer_stakes(s, f, action):
    if action == Word.PASS:
        f.asked += 1
        return
    side = s.actor
    move_face(s, action - FACE0, PowerZone.HAND + side, PowerZone.DISCARD)
    s.staked += 1
    if s.staked == STAKE:
        _raise_stakes(s, f, side)


# --- play (rule 8.3) -----------------------------------------------------------------------------


@jit
def usable_leader(s, side, country, face):
    """Return True if a side controls a space of the type that a leader needs (rule 2.3.2)."""
    for space in range(FIRST_SPACE[country], FIRST_SPACE[country + 1]):
        if TYPE_OF[space] == LEADER_TYPE[face] and controls(s, side, space):
            return True
    return False


@jit
def _playable(s, side, country, face):
    """Return True if an attacker may lead a face."""
    suit = FACE_SUIT[face]
    if suit < LEADER_SUIT:
        return suit != s.blocked
    if suit == LEADER_SUIT:
        return usable_leader(s, side, country, face)
    return face != TACTIC_FAILS


@jit
def matches(s, side, country, suit_led, face):
    """Return True if a defender may answer a suit with a face."""
    suit = FACE_SUIT[face]
    if suit < LEADER_SUIT:
        return suit == suit_led
    if suit == LEADER_SUIT:
        return usable_leader(s, side, country, face)
    return face == TACTIC_FAILS


@jit
def _win(s, f, winner, suit):
    s.winner, s.winning_suit = winner, suit
    f.step = StruggleStep.LOSS_ROLL


@jit
def _step_lead(s, f, country):
    side = s.attacker
    ask(s, Decision.ATTACK, side)
    for face in range(P):
        if s.power_cards[PowerZone.HAND + side, face] > 0 and _playable(s, side, country, face):
            allow(s, FACE0 + face)
    if s.legal_count == 0:  # no playable card: the other side wins without a suit
        withdraw(s)
        _win(s, f, 1 - side, -1)


@jit
def _lead(s, f, face):
    side = s.attacker
    move_face(s, face, PowerZone.HAND + side, PowerZone.DISCARD)
    s.led_rank = FACE_RANK[face]
    if FACE_SUIT[face] == LEADER_SUIT:
        f.step = StruggleStep.NAME_SUIT
    elif FACE_SUIT[face] < LEADER_SUIT:
        s.led_suit = FACE_SUIT[face]
        f.step = StruggleStep.ANSWER
    elif face == SCARE_TACTICS:
        f.step = StruggleStep.SCARE
    elif face == SUPPORT_FALTERS:
        move_random(s, Chance.POWER_RANDOM_DISCARDS, PowerZone.HAND + 1 - side, PowerZone.DISCARD, 2)
        s.attacker = 1 - side
    elif face == SUPPORT_SURGES:
        move_random(s, Chance.POWER_DRAWS, PowerZone.DECK, PowerZone.HAND + side, 2)
        s.attacker = 1 - side
    else:
        fail(s)


@jit
def _step_scare(s, f, country):
    """One opposing support point of this country goes."""
    side = s.attacker
    ask(s, Decision.REMOVE, side)
    for space in range(FIRST_SPACE[country], FIRST_SPACE[country + 1]):
        if s.support[1 - side, space] > 0:
            allow(s, SPACE0 + space)
    if s.legal_count == 0:
        withdraw(s)
        s.attacker = 1 - side
        f.step = StruggleStep.LEAD


@jit
def _step_answer(s, country):
    side = 1 - s.attacker
    ask(s, Decision.DEFEND, side)
    for face in range(P):
        if s.power_cards[PowerZone.HAND + side, face] > 0 and matches(s, side, country, s.led_suit, face):
            allow(s, FACE0 + face)
    allow(s, Word.CONCEDE)


@jit
def _defend(s, f, action):
    if action == Word.CONCEDE:
        _win(s, f, s.attacker, s.led_suit)
        return
    side, face = 1 - s.attacker, action - FACE0
    move_face(s, face, PowerZone.HAND + side, PowerZone.DISCARD)
    f.step = StruggleStep.LEAD
    if face == TACTIC_FAILS:
        s.blocked = s.led_suit
    elif s.led_rank == 1 or roll(s) >= s.led_rank:
        s.attacker = side
    s.led_suit = -1


# --- aftermath and Power (rule 8.4) --------------------------------------------------------------


@jit
def aftermath_modifier(s, winner, suit):
    """Added to both rolls of the aftermath of a struggle won with a suit."""
    modifier = s.raised[0] + s.raised[1]
    if suit == RALLY:
        modifier += 2
    elif suit == PETITION:
        modifier -= 2
    return modifier + total(s, EffectKind.AFTERMATH_ROLLS, winner)


@jit
def _aftermath_roll(s):
    """A modified roll, cut to 0 ... 7."""
    return min(7, max(0, roll(s) + aftermath_modifier(s, s.winner, s.winning_suit)))


@jit
def _step_losing(s, f, country):
    """The loser takes off support points; all of them when there are no more than they must lose."""
    loser = 1 - s.winner
    if f.left > 0 and support_in(s, loser, country) > f.left:
        ask(s, Decision.SUPPORT_LOSS, loser)
        for space in range(FIRST_SPACE[country], FIRST_SPACE[country + 1]):
            if s.support[loser, space] > 0:
                allow(s, SPACE0 + space)
        return
    if f.left > 0:
        for space in range(FIRST_SPACE[country], FIRST_SPACE[country + 1]):
            take_support(s, loser, space, s.support[loser, space])
    f.step = StruggleStep.VP_ROLL


@jit
def _roll_vp(s, f):
    result = _aftermath_roll(s)
    score_vp(s, AFTERMATH[result] if s.winner == DEMOCRAT else -AFTERMATH[result])
    f.step = StruggleStep.POWER
    if s.winner == DEMOCRAT and result >= 4:
        _settle_power(s, f, int(f.country), False)


@jit
def _settle_power(s, f, country, retains):
    """The Communist keeps Power and scores for it, or it passes to the Democrat for good (rules 8.4.4-8.4.7)."""
    if retains:
        s.times_scored[country] += 1
        score_vp(s, -POWER_VALUE[country] * s.times_scored[country])
    else:
        s.power[country] = DEMOCRAT
    if f.source > 0:
        move_card(s, f.source, Zone.DISCARD_PILE if retains else Zone.REMOVED)
    f.step = StruggleStep.SCORING


@jit
def _finish(s, f, country):
    """Score the country, clear the table, test for victory (ruling one-test-per-struggle); a waiting Tyrant (97)
    resolves after that."""
    score_vp(s, country_score(s, country))
    end_stays(s, ENDS_WITH_STRUGGLE)
    crowd_acted = f.marks & CROWD_ACTED
    if crowd_acted:
        leave_play(s, CROWD)
        s.crowd_done = 1
    of_party = f.source == 0
    reset(s, OF_THE_STRUGGLE)  # and all 52 cards are in their deck again
    pop(s)
    if of_party:
        return
    s.victory_waits = 0
    test_victory(s)
    if crowd_acted and in_play(s, TYRANT) and s.result == Result.RUNNING:
        start_event(s, DEMOCRAT, TYRANT, 0)

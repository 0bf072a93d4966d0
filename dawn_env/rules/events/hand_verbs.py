"""Instructions about cards in hands and piles, and one card making the event of another happen."""

from dawn_env.actions import CARD0, Word
from dawn_env.cards.event_verbs import CardTest
from dawn_env.rules.cards import executor, hand_size, is_scoring, move_card, playable
from dawn_env.rules.chance import ANY, pick_from_zone
from dawn_env.rules.frames import DISPOSES, allow, allow_pass, ask, fail, skip_empty_choice, start_event
from dawn_env.rules.struggle import start_struggle
from dawn_env.state import Chance, Decision, Zone
from dawn_env.support.compiling import jit
from dawn_env.tables import ASTERISK, NEUTRAL, OWNER, SCORES, C


@jit
def trigger(s, side, card):
    """Begin a card's event for another card; a scoring card starts a struggle (rule 5.3)."""
    move_card(s, card, Zone.RESOLVING)
    if is_scoring(card):
        start_struggle(s, side, SCORES[card], card)
    else:
        start_event(s, side, card, DISPOSES)


@jit
def discard_random(s, side, neutral_occurs):
    """A side loses a random card; the event on it may occur, executed by the opponent (6, 71)."""
    card = pick_from_zone(s, Chance.RANDOM_DISCARDS, Zone.HAND + side, ANY, hand_size(s, side))
    if card == 0:
        return
    other = 1 - side
    if (OWNER[card] == other or (neutral_occurs and OWNER[card] == NEUTRAL)) and playable(s, other, card):
        trigger(s, other, card)
    else:
        move_card(s, card, Zone.DISCARD_PILE)


@jit
def _of_kind(s, kind, side, card):
    if kind == CardTest.OWN_WITH_ASTERISK:
        return OWNER[card] == side and ASTERISK[card]
    if kind == CardTest.SCORING:
        return is_scoring(card)
    if kind != CardTest.NOT_SCORING:
        fail(s)
    return not is_scoring(card)


@jit
def ask_event_from_discard(s, f, row):
    """Ask for a card of the discard pile with an event that can occur (36, 67, 89)."""
    side = int(f.side)
    ask(s, Decision.EVENT_FROM_DISCARD, side)
    for card in range(1, C):
        if s.where[card] == Zone.DISCARD_PILE and _of_kind(s, row.extra, side, card):
            if playable(s, executor(card, side), card):
                allow(s, CARD0 + card)
    if row.count != 0:
        allow_pass(s, f)
    else:
        skip_empty_choice(s, f)


@jit
def answer_event_from_discard(s, f, action):
    """Start the chosen event, or decline."""
    f.pc += 1
    if action != Word.PASS:
        card = action - CARD0  # ruling owner-executes-what-is-fetched
        trigger(s, executor(card, int(f.side)), card)

"""Verbs of events about cards in hands and piles."""

from dawn_env.actions import CARD0, Word
from dawn_env.cards.effects import CardTest, Opcode
from dawn_env.rules.cards import (
    count_in,
    draw,
    draw_to_hand,
    executor,
    in_hand,
    is_scoring,
    playable,
    put,
    random_hand_card,
)
from dawn_env.rules.knowledge import held, note_seen
from dawn_env.rules.programs import NOTHING_MORE, allow_pass, go_on_without_choice
from dawn_env.rules.stack import allow, ask, refuse, withdraw
from dawn_env.rules.triggers import trigger
from dawn_env.rules.values import card_value
from dawn_env.state import Decision, Zone
from dawn_env.support.compiling import jit
from dawn_env.tables import ASTERISK, DEMOCRAT, NEUTRAL, OWNER, C


@jit
def step_hands(s, f, row):
    """Carry out, or ask for, a verb from FIRST_OF_HANDS on. Those that ask leave the program where it is."""
    opcode = row.opcode
    if opcode == Opcode.TAKE_FROM_DISCARD:
        _ask_take_discard(s, f, row.extra)
    elif opcode == Opcode.PLAY_FROM_DISCARD:
        _ask_from_discard(s, f, row)
    elif opcode == Opcode.MAY_CANCEL:
        _ask_cancel_check(s, f, row.count)
    elif opcode == Opcode.DISCARD_ANY:
        _ask_exit_visas(s, f)
    elif opcode == Opcode.SET_CARD_ASIDE:
        _ask_samizdat(s, f)
    elif opcode == Opcode.DRAW_THREE:
        _ask_keep(s, f, row.count)
    elif opcode == Opcode.RANDOM_DISCARD:
        f.pc += 1
        _discard_random(s, row.extra, row.count != 0)
    else:
        refuse(s)


@jit
def answer_hands(s, f, decision, action):
    """What the choice of a card, or to decline, does."""
    if decision == Decision.EXIT_VISAS:
        _answer_exit_visas(s, f, action)
        return
    f.pc += 1
    side, card = int(f.side), action - CARD0
    if action == Word.PASS:
        return
    if decision == Decision.TAKE_DISCARD:
        put(s, card, Zone.HAND + side)
        s.known[card] = 1
    elif decision == Decision.EVENT_FROM_DISCARD:
        trigger(s, executor(card, side), card)
    elif decision == Decision.CANCEL_CHECK:
        put(s, card, Zone.DISCARD_PILE)
        f.pc = NOTHING_MORE
    elif decision == Decision.SAMIZDAT:
        _set_aside(s, card)
    elif decision == Decision.KEEP_CARD:
        _keep(s, side, card)
    else:
        refuse(s)


@jit
def _discard_random(s, side, neutral_occurs):
    """A side loses a random card; the event on it may occur, executed by the opponent (6, 71)."""
    card = random_hand_card(s, side)
    if card == 0:
        return
    other = 1 - side
    if (OWNER[card] == other or (neutral_occurs and OWNER[card] == NEUTRAL)) and playable(s, other, card):
        trigger(s, other, card)
    else:
        put(s, card, Zone.DISCARD_PILE)


@jit
def _of_kind(s, kind, side, card):
    if kind == CardTest.OWN_WITH_ASTERISK:
        return OWNER[card] == side and ASTERISK[card]
    if kind == CardTest.SCORING:
        return is_scoring(card)
    if kind != CardTest.NOT_SCORING:
        refuse(s)
    return not is_scoring(card)


@jit
def _ask_take_discard(s, f, kind):
    """Honecker (15): a card of the discard pile."""
    ask(s, Decision.TAKE_DISCARD, f.side)
    for card in range(1, C):
        if s.where[card] == Zone.DISCARD_PILE and _of_kind(s, kind, f.side, card):
            allow(s, CARD0 + card)
    allow_pass(s, f)


@jit
def _ask_from_discard(s, f, row):
    """A card of the discard pile whose event can occur (36, 67, 89)."""
    side = int(f.side)
    ask(s, Decision.EVENT_FROM_DISCARD, side)
    for card in range(1, C):
        if s.where[card] == Zone.DISCARD_PILE and _of_kind(s, row.extra, side, card):
            if playable(s, executor(card, side), card):
                allow(s, CARD0 + card)
    if row.count != 0:
        allow_pass(s, f)
    else:
        go_on_without_choice(s, f)


@jit
def _ask_cancel_check(s, f, value):
    """Inflationary Currency (44): the opponent may discard a card that is worth enough to them (ruling
    cancel-only-when-able)."""
    side = 1 - int(f.side)
    ask(s, Decision.CANCEL_CHECK, side)
    for card in range(1, C):
        if in_hand(s, side, card) and not is_scoring(card) and card_value(s, side, card) >= value:
            allow(s, CARD0 + card)
    allow_pass(s, f)


@jit
def _ask_exit_visas(s, f):
    """Exit Visas (75): discards one by one, then as many draws (LEFT counts them)."""
    ask(s, Decision.EXIT_VISAS, f.side)
    _allow_hand(s, f)
    if s.legal_count > 0:
        allow(s, Word.PASS)
    else:
        withdraw(s)
        _redraw(s, f)


@jit
def _allow_hand(s, f):
    for card in range(1, C):
        if in_hand(s, f.side, card):
            allow(s, CARD0 + card)


@jit
def _answer_exit_visas(s, f, action):
    if action == Word.PASS:
        _redraw(s, f)
    else:
        put(s, action - CARD0, Zone.DISCARD_PILE)
        f.left += 1


@jit
def _redraw(s, f):
    f.pc += 1
    for _ in range(f.left):
        draw_to_hand(s, int(f.side))


@jit
def _ask_samizdat(s, f):
    ask(s, Decision.SAMIZDAT, f.side)
    _allow_hand(s, f)
    allow_pass(s, f)


@jit
def _set_aside(s, card):
    """Samizdat (77), face down: it may be the card announced under Stasi (13)."""
    s.aside_unsure = s.stasi_card > 0 and in_hand(s, DEMOCRAT, s.stasi_card)
    s.aside_at = s.epoch
    s.where[card] = Zone.SET_ASIDE
    draw_to_hand(s, DEMOCRAT)


@jit
def _ask_keep(s, f, count):
    """Award 3: draw a few, keep one; LEFT is set once they are drawn (ruling award-3-is-secret)."""
    if f.left == 0:
        f.left = 1
        for _ in range(count):
            draw(s, int(f.side), Zone.DRAWN)
    ask(s, Decision.KEEP_CARD, f.side)
    for card in range(1, C):
        if s.where[card] == Zone.DRAWN:
            allow(s, CARD0 + card)
    go_on_without_choice(s, f)


@jit
def _keep(s, side, kept):
    """The drawn cards are the latest ones held; those discarded are seen."""
    first = held(s, side) - count_in(s, Zone.DRAWN)
    s.where[kept] = Zone.HAND + side
    for card in range(1, C):
        if s.where[card] == Zone.DRAWN:
            note_seen(s, side, card, first)
            put(s, card, Zone.DISCARD_PILE)

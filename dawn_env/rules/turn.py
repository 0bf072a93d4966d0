"""The turn: set-up, deal, action rounds, end of the turn, end of the game (rules 3.4, 4.5, 10.0)."""

from dawn_env import tables
from dawn_env.actions import CARD0, COUNTRY0, SPACE0, Word
from dawn_env.cards.declarations import GENERAL_STRIKE, PARTY, STASI
from dawn_env.cards.event_tables import EIGHTH_ROUND, ENDS_WITH_TURN
from dawn_env.cards.lasting_effects import EffectKind
from dawn_env.rules.board import change_support, end_game
from dawn_env.rules.card_play import meet_demand, start_play
from dawn_env.rules.cards import (
    add_deck,
    deal,
    draw_to_hand,
    end_stays,
    hand_size,
    holds_scoring,
    in_hand,
    in_play,
    is_scoring,
    leave_play,
    move_card,
)
from dawn_env.rules.cards_in_play import applies, spend_all, total
from dawn_env.rules.chance import roll
from dawn_env.rules.events.custom_cards import lose_at_round_end
from dawn_env.rules.frames import TurnStep, allow, ask, ask_card, fail, start_event, withdraw
from dawn_env.rules.knowledge import begin_absence, record_absence, reveal
from dawn_env.rules.operations.ops_values import card_value, holds_award
from dawn_env.rules.resets import OF_THE_ROUND, OF_THE_TURN, reset
from dawn_env.rules.scoring import decide_by_vp, final_scoring
from dawn_env.rules.setup import BATCH_SIDE, BATCHES, ask_setup, batch_points
from dawn_env.rules.struggle import start_struggle
from dawn_env.state import Decision, Reason, Result, Zone
from dawn_env.support.compiling import jit
from dawn_env.tables import (
    AWARD_6,
    COMMUNIST,
    DEMOCRAT,
    FIRST_TURN,
    HAND_SIZE,
    LAST_TURN,
    ROUNDS,
    SCORING_CARD,
    SIDES,
    C,
    N,
)

STRIKE_NEED = 6


@jit
def step_turn(s, f):
    """The next piece of the turn."""
    step = f.step
    if step == TurnStep.SET_UP:
        _step_setup(s, f)
    elif step == TurnStep.ROUND:
        _start_round(s, f)
    elif step == TurnStep.ROUND_END:
        _end_round(s, f)
    elif step == TurnStep.ANNOUNCE:
        _ask_announcement(s, f)
    elif step == TurnStep.AFTER_LAST_ROUND:
        _ask_extra_round(s, f)
    elif step == TurnStep.EXTRA_CHECK:
        f.step = TurnStep.VERIFY
        for side in range(SIDES):  # award 6: a free check (rule 4.5.3)
            if holds_award(s, side, 6):
                start_event(s, side, AWARD_6, 0)
    elif step == TurnStep.VERIFY:
        f.step = TurnStep.LAST_STRUGGLE
        _verify_held(s)
    elif step == TurnStep.LAST_STRUGGLE:
        _ask_last_struggle(s, f)
    elif step == TurnStep.PARTY_OVER:
        decide_by_vp(s, Reason.PARTY)
    elif step == TurnStep.END:
        _end_turn(s, f)
    elif step == TurnStep.START:
        f.step = TurnStep.SWAP
        _deal_turn(s)
    elif step == TurnStep.SWAP:
        _ask_swap(s, f)
    else:
        fail(s)


@jit
def answer_turn(s, f, decision, action):
    """Apply a choice outside any card."""
    if decision == Decision.SETUP:
        change_support(s, s.actor, action - SPACE0, 1)
        f.left -= 1
    elif decision == Decision.CARD:
        f.step = TurnStep.ROUND_END
        start_play(s, s.phasing, action - CARD0, False)
    elif decision == Decision.STRIKE_CARD:
        f.step = TurnStep.ROUND_END
        _strike_round(s, action - CARD0)
    elif decision == Decision.STASI_CARD:
        s.stasi_card = action - CARD0
        reveal(s, DEMOCRAT, s.stasi_card)
        _begin_round(s, f)
    elif decision == Decision.EXTRA_ROUND:
        leave_play(s, EIGHTH_ROUND.card)
        if action == Word.PASS:
            f.step = TurnStep.EXTRA_CHECK
        else:
            s.action_round, s.phasing = tables.EXTRA_ROUND, COMMUNIST
            _begin_round(s, f)
    elif decision == Decision.LAST_STRUGGLE:
        f.step = TurnStep.PARTY_OVER
        if action != Word.PASS:
            start_struggle(s, DEMOCRAT, action - COUNTRY0, 0)
    elif decision == Decision.SWAP_CARD:
        if action != Word.PASS:
            move_card(s, action - CARD0, Zone.DISCARD_PILE)
            draw_to_hand(s, s.actor)
        _begin_round(s, f)
    else:
        fail(s)


# --- set-up ----------------------------------------------------------------------------------------


@jit
def _step_setup(s, f):
    """The batches of the extra placement, ``batch`` counting those begun (rules 3.4, 13.0)."""
    while f.left == 0 and f.batch < BATCHES:
        f.side = BATCH_SIDE[f.batch]
        f.left = batch_points(s, f.batch)
        f.batch += 1
    if f.left > 0:
        ask_setup(s, int(f.side))
    else:
        s.turn, s.action_round, s.phasing = 1, 1, COMMUNIST
        _begin_round(s, f)


# --- action rounds ---------------------------------------------------------------------------------


@jit
def _begin_round(s, f):
    """Come to the start of an action round, where position files are taken."""
    f.step = TurnStep.ROUND
    f.side = s.phasing
    if s.phasing == DEMOCRAT:  # the announced card (13) is played now, unless it was set aside (77): shown by that
        if s.where[s.stasi_card] == Zone.SET_ASIDE:
            s.stasi_card = 0
            s.aside_at = -1
        s.aside_unsure = 0
    if s.stop_at_round:
        s.stop_at_round = 2


@jit
def _start_round(s, f):
    """Forfeit, strike round, announced card, or any card (rules 4.5.2, 5.1)."""
    side = int(s.phasing)
    if hand_size(s, side) == 0:
        f.step = TurnStep.ROUND_END
        meet_demand(s, side, 0)  # ruling forfeit-is-no-event
    elif side == COMMUNIST and in_play(s, GENERAL_STRIKE):
        ask_card(s, Decision.STRIKE_CARD, side, Zone.HAND + side, True)
    elif side == DEMOCRAT and s.stasi_card > 0 and in_hand(s, DEMOCRAT, s.stasi_card):
        f.step = TurnStep.ROUND_END
        start_play(s, side, s.stasi_card, True)
    else:
        ask_card(s, Decision.CARD, side, Zone.HAND + side, True)


@jit
def _strike_round(s, card):
    """General Strike (5): play a scoring card, or discard another and roll (rule 11.2)."""
    if is_scoring(card):
        start_play(s, COMMUNIST, card, False)
        return
    value = card_value(s, COMMUNIST, card)  # ruling use-has-modifiers
    move_card(s, card, Zone.DISCARD_PILE)
    if roll(s) + value >= STRIKE_NEED:
        leave_play(s, GENERAL_STRIKE)


@jit
def _end_round(s, f):
    """Apply Ceausescu's delayed loss (41), which may end the game, then find the next phasing side."""
    if s.ceausescu_due:
        lose_at_round_end(s)
    elif s.action_round == tables.EXTRA_ROUND:
        f.step = TurnStep.EXTRA_CHECK
    elif s.phasing == COMMUNIST:
        s.phasing = DEMOCRAT
        _begin_round(s, f)
    elif s.action_round < ROUNDS:
        s.phasing = COMMUNIST
        s.action_round += 1
        f.step = TurnStep.ANNOUNCE
    else:
        f.step = TurnStep.AFTER_LAST_ROUND


@jit
def _ask_announcement(s, f):
    """Stasi (13): the Democrat names the card of their next round."""
    reset(s, OF_THE_ROUND)
    if in_play(s, STASI) and hand_size(s, DEMOCRAT) > 0:
        ask_card(s, Decision.STASI_CARD, DEMOCRAT, Zone.HAND + DEMOCRAT, True)
    else:
        _begin_round(s, f)


@jit
def _ask_extra_round(s, f):
    """Honecker's (15) eighth round, offered to any hand (ruling extra-round-for-empty-hand)."""
    if applies(s, EIGHTH_ROUND, COMMUNIST):
        ask(s, Decision.EXTRA_ROUND, COMMUNIST)
        allow(s, Word.EXTRA_ROUND)
        allow(s, Word.PASS)
    else:
        f.step = TurnStep.EXTRA_CHECK


# --- the end of the turn ---------------------------------------------------------------------------


@jit
def _verify_held(s):
    """A held scoring card loses; both: a draw (rule 10.2)."""
    democrat, communist = holds_scoring(s, DEMOCRAT), holds_scoring(s, COMMUNIST)
    if democrat and communist:
        end_game(s, Result.DRAW, Reason.HELD_SCORING_CARD)
    elif democrat:
        end_game(s, Result.COMMUNIST, Reason.HELD_SCORING_CARD)
    elif communist:
        end_game(s, Result.DEMOCRAT, Reason.HELD_SCORING_CARD)
    else:  # going on, both sides have shown that they hold none
        for side in range(SIDES):
            begin_absence(s, side)
            for country in range(N):
                record_absence(s, side, SCORING_CARD[country])


@jit
def _ask_last_struggle(s, f):
    """New Year's Eve (104): a last struggle where the Communist holds Power, then the end (rule 10.3)."""
    if not in_play(s, PARTY):
        f.step = TurnStep.END
        return
    ask(s, Decision.LAST_STRUGGLE, DEMOCRAT)
    for country in range(N):
        if s.power[country] == COMMUNIST:
            allow(s, COUNTRY0 + country)
    if s.legal_count > 0:
        allow(s, Word.PASS)
    else:
        withdraw(s)
        f.step = TurnStep.PARTY_OVER


@jit
def _end_turn(s, f):
    """Drop what lasts this turn only; final scoring after the last turn, else the next turn (rule 4.5.6)."""
    end_stays(s, ENDS_WITH_TURN)
    reset(s, OF_THE_TURN)
    if s.turn == LAST_TURN:
        final_scoring(s, Reason.FINAL_SCORING)
        return
    for period in range(len(FIRST_TURN)):
        if FIRST_TURN[period] == s.turn + 1:
            add_deck(s, period)
    s.turn += 1
    s.action_round, s.phasing = 1, COMMUNIST
    f.step = TurnStep.START


@jit
def _deal_turn(s):
    """The card set aside by 77 returns, then the deal (rule 4.5.1)."""
    for card in range(1, C):
        if s.where[card] == Zone.SET_ASIDE:
            s.where[card] = Zone.HAND + DEMOCRAT
    s.aside_at = -1
    communist = HAND_SIZE + total(s, EffectKind.HAND_SIZE, COMMUNIST)
    democrat = HAND_SIZE + total(s, EffectKind.HAND_SIZE, DEMOCRAT)
    spend_all(s, EffectKind.HAND_SIZE)
    deal(s, COMMUNIST, communist, democrat)


@jit
def _ask_swap(s, f):
    """Award 5: its holder may discard a non-scoring card and draw one."""
    for side in range(2):
        if holds_award(s, side, 5):
            ask_card(s, Decision.SWAP_CARD, side, Zone.HAND + side, False)
            if s.legal_count > 0:
                allow(s, Word.PASS)
                return
            withdraw(s)
    _begin_round(s, f)

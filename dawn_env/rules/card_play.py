"""Playing one card in an action round: its use, and the order of event and operations (rule 5.0)."""

from enum import auto

from dawn_env.actions import CARD0, Word
from dawn_env.cards.declarations import COMMON_EUROPEAN_HOME as HOME
from dawn_env.cards.declarations import GORBACHEV_CHARMS, LIGACHEV
from dawn_env.rules.board import score_vp
from dawn_env.rules.cards import (
    dispose,
    executor,
    has_home_card,
    in_hand,
    in_play,
    is_scoring,
    leave_play,
    move_card,
    opponents_event,
    playable,
)
from dawn_env.rules.frames import PlayStep, allow, ask, fail, pop, push, start_event
from dawn_env.rules.operations.operations import can_attempt, conduct, start_operation
from dawn_env.rules.operations.ops_values import holds_award
from dawn_env.rules.operations.placement import can_place
from dawn_env.rules.struggle import start_struggle
from dawn_env.state import Decision, FrameKind, Zone
from dawn_env.support.compiling import AutoIntEnum, jit
from dawn_env.tables import COMMUNIST, DEMOCRAT, OWNER, PRINTED_OPS, SCORES


class PlayPart(AutoIntEnum):
    """Parts of a play, one or two of these in order."""

    NOTHING = auto()
    EVENT = auto()
    OPERATION = auto()
    EVENT_AFTER = auto()  # of the card that was used for operations, unless it is cancelled


_OCCURRED, _WITH_HOME = 1, 2  # marks of a play


@jit
def next_part(f):
    """The part of a play that follows what is being carried out, or NOTHING, which is 0."""
    return f.second * (f.step == PlayStep.SECOND)


@jit
def start_play(s, side, card, announced):
    """Push the play of a card from hand; ``announced``: it was named under Stasi (13), which stands."""
    move_card(s, card, Zone.RESOLVING)  # ruling resolving-is-not-discarded
    if announced:
        s.stasi_card = card
    f = push(s, FrameKind.PLAY, side, card)
    f.step = PlayStep.ANNOUNCED if announced else PlayStep.USE


@jit
def step_play(s, f):
    """The next piece of the play."""
    step = f.step
    if step == PlayStep.ANNOUNCED:
        _ask_cancel_with_home(s, f)
    elif step == PlayStep.USE:
        _ask_use(s, f)
    elif step == PlayStep.ORDER:
        ask(s, Decision.BOTH_ORDER, f.side)
        allow(s, Word.EVENT)
        allow(s, Word.OPS)
    elif step == PlayStep.PAIR:
        ask(s, Decision.HOME_CARD, f.side)
        for card in range(1, len(s.where)):
            if in_hand(s, f.side, card) and opponents_event(s, f.side, card):
                allow(s, CARD0 + card)
    elif step == PlayStep.COMMITTED:
        _start_use(s, f, f.use)
    elif step == PlayStep.FIRST:
        f.step = PlayStep.SECOND
        _carry_out(s, f, f.first)
    elif step == PlayStep.SECOND:
        f.step = PlayStep.DONE
        _carry_out(s, f, f.second)
    elif step == PlayStep.DONE:
        _finish(s, f)
    else:
        fail(s)


@jit
def answer_play(s, f, decision, action):
    """Apply a choice of the phasing player."""
    if decision == Decision.USE:
        f.use, f.step = action, PlayStep.COMMITTED
        _pay(s, f, action)
    elif decision == Decision.BOTH_ORDER:
        if action == Word.EVENT:
            _plan(f, PlayPart.EVENT, PlayPart.OPERATION)
        else:
            _plan(f, PlayPart.OPERATION, PlayPart.EVENT)
    elif decision == Decision.EVENT_AFTER:
        if action == Word.CANCEL_EVENT:
            s.award7_used = 1
            _plan(f, PlayPart.NOTHING, PlayPart.NOTHING)
        else:
            _plan(f, PlayPart.EVENT, PlayPart.NOTHING)
    elif decision == Decision.HOME_CARD:
        _pair(s, f, action - CARD0)
    elif decision == Decision.CANCEL_WITH_HOME:
        _answer_cancel_with_home(s, f, action)
    else:
        fail(s)


@jit
def _answer_cancel_with_home(s, f, action):
    if action == Word.YES:
        move_card(s, HOME, Zone.RESOLVING)
        f.marks |= _WITH_HOME
        meet_demand(s, int(f.side), 0)
        _plan(f, PlayPart.OPERATION, PlayPart.NOTHING)
    else:
        f.step = PlayStep.USE


@jit
def _plan(f, first, second):
    f.first, f.second, f.step = first, second, PlayStep.FIRST


# --- asking ----------------------------------------------------------------------------------------


@jit
def _ask_cancel_with_home(s, f):
    """Stasi: the announced card may be cancelled with Common European Home; off turn this looks like
    `use` (ruling secret-questions)."""
    if in_hand(s, f.side, HOME) and opponents_event(s, f.side, f.source):
        ask(s, Decision.CANCEL_WITH_HOME, f.side)
        allow(s, Word.YES)
        allow(s, Word.NO)
    else:
        f.step = PlayStep.USE


@jit
def _ask_use(s, f):
    """The uses of a card (rules 5.1, 5.2, 6.0)."""
    side, card = int(f.side), int(f.source)
    ask(s, Decision.USE, side)
    if is_scoring(card):
        allow(s, Word.EVENT)
        return
    if opponents_event(s, side, card):
        allow(s, Word.OPPONENT_EVENT)
        if _may_cancel(s, side):
            allow(s, Word.CANCEL_EVENT)
    elif card == HOME:
        announced = side == DEMOCRAT and s.stasi_card == HOME  # then it is for operations
        if has_home_card(s, side) and not announced:
            allow(s, Word.EVENT)
    elif OWNER[card] != 1 - side and playable(s, side, card):
        allow(s, Word.EVENT)
        if holds_award(s, side, 8) and not s.award8_used:
            allow(s, Word.EVENT_AND_OPS)
    if can_place(s, side, card, PRINTED_OPS[card], 0):
        allow(s, Word.PLACE)
    allow(s, Word.CHECK)
    if can_attempt(s, side):
        allow(s, Word.TIANANMEN)


@jit
def _may_cancel(s, side):
    return holds_award(s, side, 7) and not s.award7_used


# --- doing -----------------------------------------------------------------------------------------


@jit
def meet_demand(s, side, played):
    """Penalty for the Democrat if Ligachev (99) demanded card 14 and another event, or none (0), was ``played``."""
    if side == DEMOCRAT and in_play(s, LIGACHEV):
        leave_play(s, LIGACHEV)
        if played != GORBACHEV_CHARMS:
            score_vp(s, -3)


@jit
def _pay(s, f, action):
    """VP that a use costs before it begins: what was demanded (99), and 21 played alone (ruling
    home-needs-an-event)."""
    side, card = int(f.side), int(f.source)
    as_event = action == Word.EVENT or action == Word.EVENT_AND_OPS  # ruling both-halves-are-an-event
    meet_demand(s, side, card if as_event else 0)
    if card == HOME and not as_event:
        score_vp(s, 1 if side == COMMUNIST else -1)


@jit
def _start_use(s, f, action):
    """Plan the parts of the use chosen; operations begin at once."""
    side, card = int(f.side), int(f.source)
    if action == Word.EVENT:
        if card == HOME:
            f.step = PlayStep.PAIR
        else:
            _plan(f, PlayPart.EVENT, PlayPart.NOTHING)
    elif action == Word.OPPONENT_EVENT:
        _plan(f, PlayPart.EVENT, PlayPart.OPERATION)
    elif action == Word.CANCEL_EVENT:
        s.award7_used = 1
        _plan(f, PlayPart.OPERATION, PlayPart.NOTHING)
    elif action == Word.EVENT_AND_OPS:
        s.award8_used = 1
        f.step = PlayStep.ORDER
    else:  # the opponent's event follows the operations, unless they were a track attempt
        event_follows = action != Word.TIANANMEN and opponents_event(s, side, card)
        _plan(f, PlayPart.NOTHING, PlayPart.EVENT_AFTER if event_follows else PlayPart.NOTHING)
        f.step = PlayStep.SECOND
        conduct(s, side, card, PRINTED_OPS[card], 0, action)


@jit
def _pair(s, f, card):
    """Play a second card by Common European Home: its event is cancelled, its value counts."""
    move_card(s, card, Zone.RESOLVING)
    f.source = card
    f.marks |= _WITH_HOME
    _plan(f, PlayPart.OPERATION, PlayPart.NOTHING)


@jit
def _carry_out(s, f, part):
    """One part of a play; parts that ask leave the step to their answer."""
    side, card = int(f.side), int(f.source)
    if part == PlayPart.EVENT:
        _event(s, f, side, card)
    elif part == PlayPart.OPERATION:
        start_operation(s, side, card, PRINTED_OPS[card], 0, 0)
    elif part == PlayPart.EVENT_AFTER:
        if _may_cancel(s, side):
            f.step = PlayStep.SECOND
            ask(s, Decision.EVENT_AFTER, side)
            allow(s, Word.OPPONENT_EVENT)
            allow(s, Word.CANCEL_EVENT)
        else:
            _event(s, f, side, card)
    elif part != PlayPart.NOTHING:
        fail(s)


@jit
def _event(s, f, side, card):
    if is_scoring(card):
        start_struggle(s, side, SCORES[card], card)
    elif playable(s, executor(card, side), card):
        f.marks |= _OCCURRED
        start_event(s, executor(card, side), card, 0)


@jit
def _finish(s, f):
    card, marks = int(f.source), f.marks
    pop(s)
    dispose(s, card, marks & _OCCURRED != 0)
    if marks & _WITH_HOME:
        move_card(s, HOME, Zone.DISCARD_PILE)

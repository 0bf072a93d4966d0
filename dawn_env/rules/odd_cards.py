"""The cards no general verb describes: Deutsche Marks (20), Goodbye Lenin! (46), The Tyrant is Gone (97), New Year's
Eve Party (104), Kremlin Coup! (109). Others with code of their own are named where they matter."""

from dawn_env.actions import CARD0, COUNTRY0, SPACE0, Word
from dawn_env.cards.effects import Opcode
from dawn_env.cards.events import REGION_THAT_BUREAUCRAT
from dawn_env.rules.board import change_support, countries_held, missing_for_control, score_vp
from dawn_env.rules.cards import in_hand, opponents_event, playable, put
from dawn_env.rules.checks import BORDER_AUTO, KREMLIN, start_checks
from dawn_env.rules.knowledge import begin_lack, lacks, reveal
from dawn_env.rules.operations import TRACK_ALLOWED, start_operation
from dawn_env.rules.programs import go_on_without_choice
from dawn_env.rules.regions import in_region
from dawn_env.rules.stack import allow, ask, refuse
from dawn_env.rules.triggers import trigger
from dawn_env.state import Decision, Zone
from dawn_env.support.compiling import jit
from dawn_env.tables import COMMUNIST, DEMOCRAT, ELITE, FIRST_SPACE, PRINTED_OPS, RED_TITLE, TYPE_OF, C, N, S


@jit
def step_odd(s, f, row):
    """Carry out, or ask for, a verb from FIRST_ODD on. Those that ask leave the program where it is."""
    opcode = row.opcode
    if opcode == Opcode.GIVE_HIGHEST:
        _ask_highest(s, f)
    elif opcode == Opcode.CHOOSE_RED:
        _ask_lenin(s, f)
    elif opcode == Opcode.FLEE:
        _ask_hideout(s, f, row)
    elif opcode == Opcode.DECLARE_PARTY:
        ask(s, Decision.PARTY, COMMUNIST)
        allow(s, Word.END_GAME)
        allow(s, Word.CONTINUE)
    elif opcode == Opcode.COUP:
        _step_coup(s, f)
    elif opcode == Opcode.SHOW_RED:
        f.pc += 1
        _show_red(s)
    elif opcode == Opcode.DISCARD_GIVEN:
        f.pc += 1
        if f.value > 0 and s.where[f.value] == Zone.RESOLVING:
            put(s, f.value, Zone.DISCARD_PILE)
    else:
        refuse(s)


@jit
def answer_odd(s, f, decision, action):
    """What a choice on an odd card does."""
    if decision == Decision.COUNTRY:
        _answer_coup(s, f, action - COUNTRY0)
        return
    f.pc += 1
    if decision == Decision.GIVE_CARD:
        _give(s, f, action - CARD0)
    elif decision == Decision.LENIN:
        _answer_lenin(s, f, action)
    elif decision == Decision.HIDEOUT:
        s.hideout = action - SPACE0
    elif decision == Decision.PARTY:
        _answer_party(s, f, action)
    else:
        refuse(s)


@jit
def _answer_party(s, f, action):
    if action == Word.END_GAME:
        put(s, f.source, Zone.IN_PLAY)
        score_vp(s, party_vp(s))


@jit
def party_vp(s):
    """VP of declaring New Year's Eve Party (104): the Communist's with Power in four countries, else the Democrat's."""
    return -3 if countries_held(s, COMMUNIST) >= 4 else 3


# --- Deutsche Marks (20) -----------------------------------------------------------------------------


@jit
def _ask_highest(s, f):
    """Deutsche Marks (20): the Democrat's non-scoring cards of the highest printed value."""
    highest = 0
    for card in range(1, C):
        if in_hand(s, DEMOCRAT, card):
            highest = max(highest, PRINTED_OPS[card])
    ask(s, Decision.GIVE_CARD, DEMOCRAT)
    for card in range(1, C):
        if highest > 0 and in_hand(s, DEMOCRAT, card) and PRINTED_OPS[card] == highest:
            allow(s, CARD0 + card)
    if s.legal_count == 0:
        _show_lack_above(s, 0)
    go_on_without_choice(s, f)


@jit
def _give(s, f, card):
    """Deutsche Marks (20): a Communist event occurs, any other card serves for operations."""
    _show_lack_above(s, PRINTED_OPS[card])
    if opponents_event(s, DEMOCRAT, card):
        trigger(s, COMMUNIST, card)
        return
    put(s, card, Zone.RESOLVING)
    f.value = card
    start_operation(s, COMMUNIST, card, PRINTED_OPS[card], 0, TRACK_ALLOWED)


@jit
def _show_lack_above(s, value):
    """The Democrat has shown that they hold no card of more than ``value`` printed points (20)."""
    begin_lack(s, DEMOCRAT)
    for card in range(1, C):
        if PRINTED_OPS[card] > value:
            lacks(s, DEMOCRAT, card)


# --- Goodbye Lenin! (46) -----------------------------------------------------------------------------


@jit
def _show_red(s):
    """Goodbye Lenin! (46): the Communist shows all red cards they hold."""
    begin_lack(s, COMMUNIST)
    for card in range(1, C):
        if RED_TITLE[card]:
            if in_hand(s, COMMUNIST, card):
                reveal(s, COMMUNIST, card)
            else:
                lacks(s, COMMUNIST, card)


@jit
def _ask_lenin(s, f):
    """Goodbye Lenin! (46): of the red cards shown those that can occur may be taken (ruling
    red-card-or-operations)."""
    ask(s, Decision.LENIN, DEMOCRAT)
    for card in range(1, C):
        if RED_TITLE[card] and in_hand(s, COMMUNIST, card) and playable(s, DEMOCRAT, card):
            allow(s, CARD0 + card)
    allow(s, Word.OPS)


@jit
def _answer_lenin(s, f, action):
    side, source = int(f.side), f.source
    if action == Word.OPS:
        start_operation(s, side, source, PRINTED_OPS[source], 0, TRACK_ALLOWED)
    else:
        trigger(s, side, action - CARD0)


# --- The Tyrant is Gone (97) -------------------------------------------------------------------------


@jit
def _ask_hideout(s, f, row):
    """The Tyrant is Gone (97): a Romanian space without Democratic points, else 2 VP (ruling
    tyrant-leaves-when-resolved)."""
    s.tyrant_done = 1
    put(s, f.source, Zone.REMOVED)
    ask(s, Decision.HIDEOUT, DEMOCRAT)
    for space in range(S):
        if space != s.destroyed and in_region(row.region, -1, space) and s.support[DEMOCRAT, space] == 0:
            allow(s, SPACE0 + space)
    if s.legal_count == 0:
        score_vp(s, 2)
    go_on_without_choice(s, f)


# --- Kremlin Coup! (109) -----------------------------------------------------------------------------


@jit
def _step_coup(s, f):
    """Kremlin Coup! (109): VALUE holds the bits of the countries done (ruling coup-country-by-country)."""
    ask(s, Decision.COUNTRY, COMMUNIST)
    for country in range(N):
        if s.power[country] == COMMUNIST and not (f.value >> country) & 1:
            allow(s, COUNTRY0 + country)
    go_on_without_choice(s, f)


@jit
def _answer_coup(s, f, country):
    """The Elite space to control, then one check on the Bureaucrat space, with or without a target."""
    f.value |= 1 << country
    f.country = country
    for space in range(FIRST_SPACE[country], FIRST_SPACE[country + 1]):
        if TYPE_OF[space] == ELITE:
            change_support(s, COMMUNIST, space, missing_for_control(s, COMMUNIST, space))
    series = start_checks(s, COMMUNIST, f.source, PRINTED_OPS[f.source], 1, REGION_THAT_BUREAUCRAT, country, 1, False)
    series.marks = BORDER_AUTO | KREMLIN

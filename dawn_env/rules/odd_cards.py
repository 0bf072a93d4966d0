"""The cards no common verb describes; each has a verb of its own (``dawn_env.cards.events``)."""

from dawn_env import actions
from dawn_env.actions import CARD0, COUNTRY0, PASS, SPACE0
from dawn_env.cards.effects import (
    ADVANCE_TRACK,
    AT_ROUND_END,
    BAN_COUNTRY,
    CANCEL_CARD,
    CHOOSE_RED,
    CONTEST,
    COUNT,
    COUP,
    DASH,
    DECLARE_PARTY,
    DESTROY_SPACE,
    DISCARD_ANY,
    DISCARD_GIVEN,
    DRAW_THREE,
    EXTRA,
    FLEE,
    GIVE_HIGHEST,
    KISS,
    MAY_CANCEL,
    MOVE_OUT,
    OPCODE,
    PLAY_FROM_DISCARD,
    PROTECT,
    QUESTION,
    REFORMER,
    REGION_ID,
    REVOLT_IN,
    ROLL_ABOVE,
    ROLL_AT_LEAST,
    ROLL_NEPOTISM,
    ROLL_USSR,
    SET_CARD_ASIDE,
    SHOW_RED,
    SUFFER_PRUDENCE,
    TAKE_FROM_DISCARD,
)
from dawn_env.cards.events import REGION_THAT_BUREAUCRAT
from dawn_env.rules.board import (
    change_support,
    controlled_in,
    controlled_neighbours,
    controls,
    missing_for_control,
    score_vp,
    take_support,
)
from dawn_env.rules.cards import (
    count_in,
    countries_held,
    draw,
    draw_to_hand,
    executor,
    in_hand,
    in_play,
    is_scoring,
    opponents_event,
    playable,
    put,
    random_hand_card,
)
from dawn_env.rules.chance import roll
from dawn_env.rules.checks import BORDER_AUTO, KREMLIN, start_checks
from dawn_env.rules.knowledge import begin_lack, held, lacks, note_seen, reveal
from dawn_env.rules.operations import TRACK_ALLOWED, start_operation
from dawn_env.rules.programs import NOTHING_MORE
from dawn_env.rules.regions import in_region
from dawn_env.rules.stack import allow, ask, withdraw
from dawn_env.rules.tiananmen import advance_track
from dawn_env.rules.triggers import trigger
from dawn_env.rules.values import card_value
from dawn_env.state import (
    CANCEL_CHECK,
    COUNTRY,
    COUNTRY_NAMED,
    DESTROY,
    DISCARD_PILE,
    DRAWN,
    EVENT_FROM_DISCARD,
    EXIT_VISAS,
    FLAGS,
    GIVE_CARD,
    HAND,
    HIDEOUT,
    IN_PLAY,
    KEEP_CARD,
    LEFT,
    LENIN,
    MOVE,
    PARTY,
    PC,
    REMOVED,
    RESOLVING,
    REVOLT,
    SAMIZDAT,
    SET_ASIDE,
    SIDE,
    SOURCE,
    STEP,
    TAKE_DISCARD,
    VALUE,
)
from dawn_env.support.compiling import jit
from dawn_env.tables import (
    ASTERISK,
    COMMUNIST,
    DEMOCRAT,
    EAST_GERMANY,
    ELITE,
    FIRST_SPACE,
    OWNER,
    PRINTED_OPS,
    RED_TITLE,
    SPACE_ID,
    TIANANMEN_BOXES,
    TYPE_OF,
    C,
    N,
    S,
)

_LUTHERAN_CHURCH, _BUCURESTI = SPACE_ID["Lutheran Church"], SPACE_ID["Bucuresti"]
_CANCEL_VALUE = 3  # least value of a card that cancels the check of Inflationary Currency (44)
_MOVES_PER_SPACE = 2


@jit
def step_odd(s, f, row):
    """Carry out, or ask for, the verb of an odd card. Those that ask leave the program where it is."""
    opcode = row[OPCODE]
    if opcode == GIVE_HIGHEST:
        _ask_highest(s, f)
    elif opcode == TAKE_FROM_DISCARD:
        _ask_take_discard(s, f)
    elif opcode == PLAY_FROM_DISCARD:
        _ask_from_discard(s, f, row[EXTRA])
    elif opcode == MAY_CANCEL:
        _ask_cancel_check(s, f)
    elif opcode == CHOOSE_RED:
        _ask_lenin(s, f)
    elif opcode == MOVE_OUT:
        _ask_move(s, f, row)
    elif opcode == DESTROY_SPACE:
        _ask_spaces(s, f, DESTROY, row)
    elif opcode == DISCARD_ANY:
        _ask_exit_visas(s, f)
    elif opcode == SET_CARD_ASIDE:
        _ask_hand(s, f, SAMIZDAT)
    elif opcode == REVOLT_IN:
        _ask_spaces(s, f, REVOLT, row)
    elif opcode == DRAW_THREE:
        _ask_keep(s, f)
    elif opcode == FLEE:
        _ask_hideout(s, f, row)
    elif opcode == DECLARE_PARTY:
        ask(s, PARTY, COMMUNIST)
        allow(s, actions.END_GAME)
        allow(s, actions.CONTINUE)
    elif opcode == COUP:
        _step_coup(s, f)
    else:
        f[PC] += 1
        _step_unasked(s, f, row)


@jit
def _step_unasked(s, f, row):
    opcode, side = row[OPCODE], int(f[SIDE])
    if opcode == QUESTION:
        _question(s)
    elif opcode == SHOW_RED:
        _show_red(s)
    elif opcode == KISS:
        _kiss(s)
    elif opcode == DISCARD_GIVEN:
        if f[VALUE] > 0 and s.where[f[VALUE]] == RESOLVING:
            put(s, f[VALUE], DISCARD_PILE)
    elif opcode == ADVANCE_TRACK:
        if s.track[side] < TIANANMEN_BOXES:
            advance_track(s, side)
    elif opcode == CONTEST:
        if not _wins_contest(s):
            f[PC] = NOTHING_MORE
    elif opcode == SUFFER_PRUDENCE:
        s.prudence[1 - side] -= 1
    elif opcode == PROTECT:
        s.stand_fast = side
    elif opcode == BAN_COUNTRY:
        s.debt_burden = f[COUNTRY_NAMED]
    elif opcode == AT_ROUND_END:
        s.ceausescu_due = 1
    elif opcode == CANCEL_CARD:
        if in_play(s, row[COUNT]):
            put(s, row[COUNT], REMOVED)


@jit
def answer_odd(s, f, row, decision, action):
    """What a choice on an odd card does."""
    if decision == EXIT_VISAS:
        _answer_exit_visas(s, f, action)
    elif decision == MOVE:
        _answer_move(s, f, action)
    elif decision == COUNTRY:
        _answer_coup(s, f, action - COUNTRY0)
    else:
        f[PC] += 1
        _answer_once(s, f, decision, action)


@jit
def _answer_once(s, f, decision, action):
    side = int(f[SIDE])
    if decision == GIVE_CARD:
        _give(s, f, action - CARD0)
    elif decision == TAKE_DISCARD:
        if action != PASS:
            put(s, action - CARD0, HAND + COMMUNIST)
            s.known[action - CARD0] = 1
    elif decision == EVENT_FROM_DISCARD:
        if action != PASS:
            trigger(s, executor(action - CARD0, side), action - CARD0)
    elif decision == CANCEL_CHECK:
        if action != PASS:
            put(s, action - CARD0, DISCARD_PILE)
            f[PC] = NOTHING_MORE
    elif decision == LENIN:
        if action == actions.OPS:
            start_operation(s, side, f[SOURCE], PRINTED_OPS[f[SOURCE]], 0, TRACK_ALLOWED)
        else:
            trigger(s, side, action - CARD0)
    elif decision == DESTROY:
        _destroy(s, action - SPACE0)
    elif decision == SAMIZDAT:
        if action != PASS:
            _set_aside(s, action - CARD0)
    elif decision == REVOLT:
        _revolt(s, side, action - SPACE0)
    elif decision == KEEP_CARD:
        _keep(s, side, action - CARD0)
    elif decision == HIDEOUT:
        s.hideout = action - SPACE0
    elif decision == PARTY:
        if action == actions.END_GAME:
            put(s, f[SOURCE], IN_PLAY)
            score_vp(s, party_vp(s))


# --- asking ----------------------------------------------------------------------------------------


@jit
def _ask_spaces(s, f, decision, row):
    """A space of the region; for a revolt one with opposing points where the opponent holds Power."""
    side = int(f[SIDE])
    ask(s, decision, side)
    for space in range(S):
        if space != s.destroyed and in_region(row[REGION_ID], f[COUNTRY_NAMED], space):
            if decision == DESTROY or _may_revolt(s, side, space):
                allow(s, SPACE0 + space)
    _go_on_without_choice(s, f)


@jit
def _may_revolt(s, side, space):
    country = 0
    while FIRST_SPACE[country + 1] <= space:
        country += 1
    return s.power[country] == 1 - side and s.support[1 - side, space] > 0


@jit
def _go_on_without_choice(s, f):
    if s.legal_count == 0:
        withdraw(s)
        f[PC] += 1


@jit
def _ask_hand(s, f, decision):
    """Any card of the executor's hand, or none."""
    ask(s, decision, f[SIDE])
    for card in range(1, C):
        if in_hand(s, f[SIDE], card):
            allow(s, CARD0 + card)
    _allow_pass(s, f)


@jit
def _allow_pass(s, f):
    """Offer to decline, unless there is nothing to decline."""
    if s.legal_count > 0:
        allow(s, PASS)
    _go_on_without_choice(s, f)


@jit
def _ask_highest(s, f):
    """Deutsche Marks (20): the Democrat's non-scoring cards of the highest printed value."""
    highest = 0
    for card in range(1, C):
        if in_hand(s, DEMOCRAT, card):
            highest = max(highest, PRINTED_OPS[card])
    ask(s, GIVE_CARD, DEMOCRAT)
    for card in range(1, C):
        if highest > 0 and in_hand(s, DEMOCRAT, card) and PRINTED_OPS[card] == highest:
            allow(s, CARD0 + card)
    if s.legal_count == 0:
        _show_lack_above(s, 0)
    _go_on_without_choice(s, f)


@jit
def _ask_take_discard(s, f):
    """Honecker (15): any non-scoring card of the discard pile."""
    ask(s, TAKE_DISCARD, COMMUNIST)
    for card in range(1, C):
        if s.where[card] == DISCARD_PILE and not is_scoring(card):
            allow(s, CARD0 + card)
    _allow_pass(s, f)


@jit
def _may_fetch(s, side, kind, card):
    """Cards that Dash for the West (36), Reformer (67) and Domino Theory (89) may take from the discard pile."""
    if s.where[card] != DISCARD_PILE:
        return False
    if kind == DASH:
        return OWNER[card] == DEMOCRAT and ASTERISK[card] and playable(s, DEMOCRAT, card)
    if kind == REFORMER:
        return not is_scoring(card) and playable(s, executor(card, side), card)
    return is_scoring(card)


@jit
def _ask_from_discard(s, f, kind):
    side = int(f[SIDE])
    ask(s, EVENT_FROM_DISCARD, side)
    for card in range(1, C):
        if _may_fetch(s, side, kind, card):
            allow(s, CARD0 + card)
    if kind == DASH or kind == REFORMER:
        _go_on_without_choice(s, f)
    else:
        _allow_pass(s, f)


@jit
def _ask_cancel_check(s, f):
    """Inflationary Currency (44): the opponent may discard a card worth 3 or more to him."""
    side = 1 - int(f[SIDE])
    ask(s, CANCEL_CHECK, side)
    for card in range(1, C):
        if in_hand(s, side, card) and not is_scoring(card) and card_value(s, side, card) >= _CANCEL_VALUE:
            allow(s, CARD0 + card)
    _allow_pass(s, f)


@jit
def _ask_lenin(s, f):
    """Goodbye Lenin! (46): of the red cards shown those that can occur may be taken."""
    ask(s, LENIN, DEMOCRAT)
    for card in range(1, C):
        if RED_TITLE[card] and in_hand(s, COMMUNIST, card) and playable(s, DEMOCRAT, card):
            allow(s, CARD0 + card)
    allow(s, actions.OPS)


@jit
def _ask_move(s, f, row):
    """We are the People! (48): up to four points leave Lutheran Church."""
    if f[STEP] == 0:
        f[STEP], f[LEFT] = 1, row[COUNT]
        s.picked[:] = 0
    ask(s, MOVE, DEMOCRAT)
    if f[LEFT] > 0 and s.support[DEMOCRAT, _LUTHERAN_CHURCH] > 0:
        for space in range(S):
            if in_region(row[REGION_ID], -1, space) and s.picked[space] < _MOVES_PER_SPACE:
                allow(s, SPACE0 + space)
    _allow_pass(s, f)


@jit
def _answer_move(s, f, action):
    if action == PASS:
        f[PC] += 1
        return
    space = action - SPACE0
    s.picked[space] += 1
    f[LEFT] -= 1
    change_support(s, DEMOCRAT, _LUTHERAN_CHURCH, -1)
    change_support(s, DEMOCRAT, space, 1)


@jit
def _ask_exit_visas(s, f):
    """Exit Visas (75): discards one by one, then as many draws (LEFT counts them)."""
    ask(s, EXIT_VISAS, DEMOCRAT)
    for card in range(1, C):
        if in_hand(s, DEMOCRAT, card):
            allow(s, CARD0 + card)
    if s.legal_count > 0:
        allow(s, PASS)
    else:
        withdraw(s)
        _redraw(s, f)


@jit
def _answer_exit_visas(s, f, action):
    if action == PASS:
        _redraw(s, f)
    else:
        put(s, action - CARD0, DISCARD_PILE)
        f[LEFT] += 1


@jit
def _redraw(s, f):
    f[PC] += 1
    for _ in range(f[LEFT]):
        draw_to_hand(s, DEMOCRAT)


@jit
def _ask_keep(s, f):
    """Award 3: draw three, keep one (LEFT is set once they are drawn)."""
    if f[LEFT] == 0:
        f[LEFT] = 1
        for _ in range(3):
            draw(s, int(f[SIDE]), DRAWN)
    ask(s, KEEP_CARD, f[SIDE])
    for card in range(1, C):
        if s.where[card] == DRAWN:
            allow(s, CARD0 + card)
    _go_on_without_choice(s, f)


@jit
def _keep(s, side, kept):
    """The drawn cards are the latest ones held; those discarded are seen."""
    first = held(s, side) - count_in(s, DRAWN)
    s.where[kept] = HAND + side
    for card in range(1, C):
        if s.where[card] == DRAWN:
            note_seen(s, side, card, first)
            put(s, card, DISCARD_PILE)


@jit
def _ask_hideout(s, f, row):
    """The Tyrant is Gone (97): a Romanian space without Democratic points, else 2 VP."""
    s.tyrant_done = 1
    put(s, f[SOURCE], REMOVED)
    ask(s, HIDEOUT, DEMOCRAT)
    for space in range(S):
        if space != s.destroyed and in_region(row[REGION_ID], -1, space) and s.support[DEMOCRAT, space] == 0:
            allow(s, SPACE0 + space)
    if s.legal_count == 0:
        score_vp(s, 2)
    _go_on_without_choice(s, f)


# --- doing -----------------------------------------------------------------------------------------


@jit
def _question(s):
    """Brought in for Questioning (6): a random card of the Democrat."""
    card = random_hand_card(s, DEMOCRAT)
    if card == 0:
        return
    if opponents_event(s, DEMOCRAT, card):
        trigger(s, COMMUNIST, card)
    else:
        put(s, card, DISCARD_PILE)


@jit
def _kiss(s):
    """Kiss of Death (71): a random card of the Communist."""
    card = random_hand_card(s, COMMUNIST)
    if card == 0:
        return
    if OWNER[card] != COMMUNIST and playable(s, DEMOCRAT, card):
        trigger(s, DEMOCRAT, card)
    else:
        put(s, card, DISCARD_PILE)


@jit
def _give(s, f, card):
    """Deutsche Marks (20): a Communist event occurs, any other card serves for operations."""
    _show_lack_above(s, PRINTED_OPS[card])
    if opponents_event(s, DEMOCRAT, card):
        trigger(s, COMMUNIST, card)
        return
    put(s, card, RESOLVING)
    f[VALUE] = card
    start_operation(s, COMMUNIST, card, PRINTED_OPS[card], 0, TRACK_ALLOWED)


@jit
def _show_lack_above(s, value):
    """The Democrat has shown that he holds no card of more than ``value`` printed points (20)."""
    begin_lack(s, DEMOCRAT)
    for card in range(1, C):
        if PRINTED_OPS[card] > value:
            lacks(s, DEMOCRAT, card)


@jit
def _show_red(s):
    """Goodbye Lenin! (46): the Communist shows all red cards he holds."""
    begin_lack(s, COMMUNIST)
    for card in range(1, C):
        if RED_TITLE[card]:
            if in_hand(s, COMMUNIST, card):
                reveal(s, COMMUNIST, card)
            else:
                lacks(s, COMMUNIST, card)


@jit
def party_vp(s):
    """VP of declaring New Year's Eve Party (104): the Communist's with Power in four countries, else the Democrat's."""
    return -3 if countries_held(s, COMMUNIST) >= 4 else 3


@jit
def _set_aside(s, card):
    """Samizdat (77), face down: it may be the card announced under Stasi (13)."""
    s.aside_unsure = s.stasi_card > 0 and in_hand(s, DEMOCRAT, s.stasi_card)
    s.aside_at = s.epoch
    s.where[card] = SET_ASIDE
    draw_to_hand(s, DEMOCRAT)


@jit
def _destroy(s, space):
    """Systematization (69): Communist points move to Bucuresti, the rest is lost (rule 11.1)."""
    moved = int(s.support[COMMUNIST, space])
    s.support[:, space] = 0
    s.destroyed = space
    change_support(s, COMMUNIST, _BUCURESTI, moved)


@jit
def _revolt(s, side, space):
    """Workers Revolt (78)."""
    if roll(s) - controlled_neighbours(s, 1 - side, space) >= 4:
        gone = take_support(s, 1 - side, space, s.support[1 - side, space])
        change_support(s, side, space, gone)


@jit
def _wins_contest(s):
    """The Wall Must Go! (86): first to win two rounds, ties rolled again.

    The phasing side rolls first, then first and second change places every round (docs/rulings.md).
    """
    lead = controlled_in(s, DEMOCRAT, EAST_GERMANY) - controlled_in(s, COMMUNIST, EAST_GERMANY)
    won_d = won_c = 0
    democrat_first = s.phasing == DEMOCRAT
    while won_d < 2 and won_c < 2 and s.error == 0:
        margin = roll(s) - roll(s)
        if not democrat_first:
            margin = -margin
        won_d += margin + lead > 0
        won_c += margin + lead < 0
        democrat_first = not democrat_first
    return won_d == 2


@jit
def _step_coup(s, f):
    """Kremlin Coup! (109): country by country; VALUE holds the bits of those done."""
    ask(s, COUNTRY, COMMUNIST)
    for country in range(N):
        if s.power[country] == COMMUNIST and not (f[VALUE] >> country) & 1:
            allow(s, COUNTRY0 + country)
    _go_on_without_choice(s, f)


@jit
def _answer_coup(s, f, country):
    """The Elite space to control, then one check on the Bureaucrat space, with or without a target."""
    f[VALUE] |= 1 << country
    f[COUNTRY_NAMED] = country
    for space in range(FIRST_SPACE[country], FIRST_SPACE[country + 1]):
        if TYPE_OF[space] == ELITE:
            change_support(s, COMMUNIST, space, missing_for_control(s, COMMUNIST, space))
    series = start_checks(s, COMMUNIST, f[SOURCE], PRINTED_OPS[f[SOURCE]], 1, REGION_THAT_BUREAUCRAT, country, 1, False)
    series[FLAGS] = BORDER_AUTO | KREMLIN


@jit
def roll_dice(s, f, row):
    """The verbs that roll to see whether, or how, an event goes on; and the USSR marker."""
    opcode = row[OPCODE]
    if opcode == ROLL_ABOVE:
        goes_on = roll(s) > _controlled(s, f, row)
    elif opcode == ROLL_AT_LEAST:
        goes_on = roll(s) - _controlled(s, f, row) >= row[COUNT]
    elif opcode == ROLL_USSR:
        goes_on = roll(s) + s.ussr >= row[COUNT]
    elif opcode == ROLL_NEPOTISM:
        die = roll(s)
        f[VALUE] = 4 if die <= 2 else 3 if die <= 4 else 1
        goes_on = True
    else:
        s.ussr = row[COUNT]
        goes_on = True
    if not goes_on:
        f[PC] = NOTHING_MORE


@jit
def _controlled(s, f, row):
    """Spaces of the region that the side in EXTRA controls."""
    count = 0
    for space in range(S):
        if in_region(row[REGION_ID], f[COUNTRY_NAMED], space):
            count += controls(s, row[EXTRA], space)
    return count

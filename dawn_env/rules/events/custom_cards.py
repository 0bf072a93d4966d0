"""Instructions that serve one card each: ``step_custom`` carries them out, ``answer_custom`` takes the answers.

Cards with rules elsewhere are named where they matter.
"""

from dawn_env.actions import CARD0, COUNTRY0, SPACE0, Word
from dawn_env.cards.event_tables import REGION_THAT_BUREAUCRAT
from dawn_env.cards.event_verbs import FIRST_CUSTOM_QUESTION, Opcode
from dawn_env.rules.board import (
    change_support,
    controlled_neighbours,
    countries_held,
    in_region,
    map_variant,
    missing_for_control,
    score_vp,
    take_support,
)
from dawn_env.rules.cards import count_in, draw, draw_to_hand, in_hand, is_scoring, move_card, opponents_event, playable
from dawn_env.rules.chance import DIE, roll
from dawn_env.rules.events.hand_verbs import trigger
from dawn_env.rules.events.space_verbs import controlled_in_region
from dawn_env.rules.frames import NOTHING_MORE, allow, allow_pass, ask, ask_card, fail, skip_empty_choice, withdraw
from dawn_env.rules.knowledge import begin_absence, record_absence, record_seen, reveal, unknown_count
from dawn_env.rules.operations.operations import TRACK_ALLOWED, advance_track, start_operation
from dawn_env.rules.operations.ops_values import card_value
from dawn_env.rules.operations.support_checks import BORDER_AUTO, KREMLIN, start_checks
from dawn_env.state import Decision, Error, Zone
from dawn_env.support.compiling import jit
from dawn_env.tables import (
    COMMUNIST,
    COUNTRY_OF,
    DEMOCRAT,
    ELITE,
    FIRST_SPACE,
    MAX_NEIGHBOURS,
    NEIGHBOURS,
    PRINTED_OPS,
    RED_TITLE,
    SPACE_ID,
    TIANANMEN_BOXES,
    TYPE_OF,
    C,
    N,
    S,
)

_BUCURESTI, _CLUJ_NAPOCA = SPACE_ID["Bucuresti"], SPACE_ID["Cluj-Napoca"]  # Ceausescu (41)


@jit
def step_custom(s, f, row):
    """Carry out, or ask for, an instruction from FIRST_CUSTOM on. Those that ask leave the program where it is."""
    if row.opcode >= FIRST_CUSTOM_QUESTION:
        _ask(s, f, row)
    else:
        f.pc += 1
        _carry_out(s, f, row)


@jit
def _carry_out(s, f, row):
    """Instructions that ask nothing; the program has already gone on."""
    opcode, side = row.opcode, int(f.side)
    if opcode == Opcode.LOWER_OPS:
        s.prudence[1 - side] -= row.count
    elif opcode == Opcode.KEEP_COUNTRY:
        s.debt_burden = f.country
    elif opcode == Opcode.PROTECT:
        s.stand_fast = side
    elif opcode == Opcode.AT_ROUND_END:
        s.ceausescu_due = 1
    elif opcode == Opcode.ADVANCE_TRACK:
        if s.track[side] < TIANANMEN_BOXES:  # ruling tank-column-on-the-last-box
            advance_track(s, side)
    elif opcode == Opcode.ROLL_POINTS:
        f.value = row.extra // 10 ** (DIE - roll(s)) % 10  # a digit per face
    elif opcode == Opcode.CONTEST:
        if not _wins_contest(s, f, row):
            f.pc = NOTHING_MORE
    elif opcode == Opcode.SHOW_RED:
        _show_red(s)
    elif opcode == Opcode.DISCARD_GIVEN:
        if f.value > 0 and s.where[f.value] == Zone.RESOLVING:
            move_card(s, f.value, Zone.DISCARD_PILE)
    else:
        fail(s)


@jit
def _ask(s, f, row):
    opcode = row.opcode
    if opcode == Opcode.MOVE_OUT:
        _ask_move(s, f, row)
    elif opcode == Opcode.DESTROY_SPACE or opcode == Opcode.REVOLT_IN:
        _ask_space(s, f, row)
    elif opcode == Opcode.TAKE_FROM_DISCARD:
        ask_card(s, Decision.TAKE_DISCARD, f.side, Zone.DISCARD_PILE, False)
        allow_pass(s, f)
    elif opcode == Opcode.MAY_CANCEL:
        _ask_cancel_check(s, f, row.count)
    elif opcode == Opcode.DISCARD_ANY:
        _ask_exit_visas(s, f)
    elif opcode == Opcode.SET_CARD_ASIDE:
        ask_card(s, Decision.SAMIZDAT, f.side, Zone.HAND + f.side, True)
        allow_pass(s, f)
    elif opcode == Opcode.DRAW_THREE:
        _ask_keep(s, f, row.count)
    elif opcode == Opcode.GIVE_HIGHEST:
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
    else:
        fail(s)


@jit
def answer_custom(s, f, row, decision, action):
    """Carry out a choice; those made several times leave the program where it is."""
    if decision == Decision.COUNTRY:
        _answer_coup(s, f, action - COUNTRY0)
    elif decision == Decision.MOVE:
        _answer_move(s, f, row, action)
    elif decision == Decision.EXIT_VISAS:
        if action == Word.PASS:
            _redraw(s, f)
        else:
            move_card(s, action - CARD0, Zone.DISCARD_PILE)
            f.left += 1
    else:
        f.pc += 1
        if action != Word.PASS:
            _answer_once(s, f, row, decision, action)


@jit
def _answer_once(s, f, row, decision, action):
    side, card, space = int(f.side), action - CARD0, action - SPACE0
    if decision == Decision.DESTROY:
        _destroy(s, space, row.extra)
    elif decision == Decision.REVOLT:
        _revolt(s, side, space, row.count)
    elif decision == Decision.TAKE_DISCARD:
        move_card(s, card, Zone.HAND + side)
        s.known[card] = 1
    elif decision == Decision.CANCEL_CHECK:
        move_card(s, card, Zone.DISCARD_PILE)
        f.pc = NOTHING_MORE
    elif decision == Decision.SAMIZDAT:
        _set_aside(s, card)
    elif decision == Decision.KEEP_CARD:
        _keep(s, side, card)
    elif decision == Decision.GIVE_CARD:
        _give(s, f, card)
    elif decision == Decision.LENIN:
        _answer_lenin(s, f, action)
    elif decision == Decision.HIDEOUT:
        s.hideout = space
    elif decision == Decision.PARTY:
        if action == Word.END_GAME:  # ruling party-pays-when-declared
            move_card(s, f.source, Zone.IN_PLAY)
            score_vp(s, party_vp(s))
    else:
        fail(s)


@jit
def party_vp(s):
    """VP of declaring New Year's Eve Party (104): the Communist's with Power in four countries, else the Democrat's."""
    return -3 if countries_held(s, COMMUNIST) >= 4 else 3


# --- Deutsche Marks (20) -----------------------------------------------------------------------------


@jit
def _ask_highest(s, f):
    """Deutsche Marks (20): the Democrat's non-scoring cards of the highest printed value (ruling
    highest-as-printed)."""
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
    skip_empty_choice(s, f)


@jit
def _give(s, f, card):
    """Deutsche Marks (20): a Communist event occurs, any other card serves for operations (ruling
    attempt-by-an-event)."""
    _show_lack_above(s, PRINTED_OPS[card])
    if opponents_event(s, DEMOCRAT, card):
        trigger(s, COMMUNIST, card)
        return
    move_card(s, card, Zone.RESOLVING)
    f.value = card
    start_operation(s, COMMUNIST, card, PRINTED_OPS[card], 0, TRACK_ALLOWED)


@jit
def _show_lack_above(s, value):
    """The Democrat has shown that they hold no card of more than ``value`` printed points (20)."""
    begin_absence(s, DEMOCRAT)
    for card in range(1, C):
        if PRINTED_OPS[card] > value:
            record_absence(s, DEMOCRAT, card)


# --- Goodbye Lenin! (46) -----------------------------------------------------------------------------


@jit
def _show_red(s):
    """Goodbye Lenin! (46): the Communist shows all red cards they hold."""
    begin_absence(s, COMMUNIST)
    for card in range(1, C):
        if RED_TITLE[card]:
            if in_hand(s, COMMUNIST, card):
                reveal(s, COMMUNIST, card)
            else:
                record_absence(s, COMMUNIST, card)


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
    move_card(s, f.source, Zone.REMOVED)
    ask(s, Decision.HIDEOUT, DEMOCRAT)
    for space in range(S):
        if space != s.destroyed and in_region(row.region, -1, space) and s.support[DEMOCRAT, space] == 0:
            allow(s, SPACE0 + space)
    if s.legal_count == 0:
        score_vp(s, 2)
    skip_empty_choice(s, f)


# --- Kremlin Coup! (109) -----------------------------------------------------------------------------


@jit
def _step_coup(s, f):
    """Kremlin Coup! (109): VALUE holds the bits of the countries done (ruling coup-country-by-country)."""
    ask(s, Decision.COUNTRY, COMMUNIST)
    for country in range(N):
        if s.power[country] == COMMUNIST and not (f.value >> country) & 1:
            allow(s, COUNTRY0 + country)
    skip_empty_choice(s, f)


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


# --- Ceausescu (41) ---------------------------------------------------------------------------------


@jit
def lose_at_round_end(s):
    """Ceausescu (41): a Communist point leaves Bucuresti if the Democrat stands next to Cluj-Napoca."""
    s.ceausescu_due = 0
    around = NEIGHBOURS[map_variant(s), _CLUJ_NAPOCA]
    for i in range(MAX_NEIGHBOURS):
        if around[i] < 0:
            return
        if s.support[DEMOCRAT, around[i]] > 0:
            take_support(s, COMMUNIST, _BUCURESTI, 1)
            return


# --- The Wall Must Go! (86) -------------------------------------------------------------------------


@jit
def _wins_contest(s, f, row):
    """The Wall Must Go! (86): first to win enough rounds, ties rolled again.

    The phasing side rolls first, then first and second change places every round (ruling rounds-of-the-wall).
    """
    lead = controlled_in_region(s, f, row, DEMOCRAT) - controlled_in_region(s, f, row, COMMUNIST)
    won_d = won_c = 0
    democrat_first = s.phasing == DEMOCRAT
    while won_d < row.count and won_c < row.count and s.error == Error.NONE:
        margin = roll(s) - roll(s)
        if not democrat_first:
            margin = -margin
        won_d += margin + lead > 0
        won_c += margin + lead < 0
        democrat_first = not democrat_first
    return won_d == row.count


# --- choices of spaces (48, 69, 78) -----------------------------------------------------------------


@jit
def _ask_space(s, f, row):
    """A space of the region; for a revolt one with opposing points where the opponent holds Power."""
    side, destroys = int(f.side), row.opcode == Opcode.DESTROY_SPACE
    ask(s, Decision.DESTROY if destroys else Decision.REVOLT, side)
    for space in range(S):
        if space != s.destroyed and in_region(row.region, f.country, space):
            may_revolt = s.power[COUNTRY_OF[space]] == 1 - side and s.support[1 - side, space] > 0
            if destroys or may_revolt:
                allow(s, SPACE0 + space)
    skip_empty_choice(s, f)


@jit
def _destroy(s, space, moves_to):
    """Systematization (69): Communist points move, the rest is lost."""
    moved = int(s.support[COMMUNIST, space])
    s.support[:, space] = 0
    s.destroyed = space
    change_support(s, COMMUNIST, moves_to, moved)


@jit
def _revolt(s, side, space, need):
    """Workers Revolt (78)."""
    if roll(s) - controlled_neighbours(s, 1 - side, space) >= need:
        gone = take_support(s, 1 - side, space, s.support[1 - side, space])
        change_support(s, side, space, gone)


@jit
def _ask_move(s, f, row):
    """We are the People! (48): a few points leave a space, not too many for the same one (ruling
    people-move-one-by-one)."""
    side = int(f.side)
    if f.step == 0:
        f.step, f.left = 1, row.count
        s.picked[:] = 0
    ask(s, Decision.MOVE, side)
    if f.left > 0 and s.support[side, row.extra] > 0:
        for space in range(S):
            if in_region(row.region, -1, space) and s.picked[space] < row.cap:
                allow(s, SPACE0 + space)
    allow_pass(s, f)


@jit
def _answer_move(s, f, row, action):
    if action == Word.PASS:
        f.pc += 1
        return
    side, space = int(f.side), action - SPACE0
    s.picked[space] += 1
    f.left -= 1
    change_support(s, side, row.extra, -1)
    change_support(s, side, space, 1)


# --- cards in hands (44, 75, 77, award 3) ---------------------------------------------


@jit
def _ask_cancel_check(s, f, value):
    """Inflationary Currency (44): the opponent may discard a card that is worth enough to them (ruling
    cancel-only-when-able, ruling use-has-modifiers)."""
    side = 1 - int(f.side)
    ask(s, Decision.CANCEL_CHECK, side)
    for card in range(1, C):
        if in_hand(s, side, card) and not is_scoring(card) and card_value(s, side, card) >= value:
            allow(s, CARD0 + card)
    allow_pass(s, f)


@jit
def _ask_exit_visas(s, f):
    """Exit Visas (75): discards one by one, then as many draws (LEFT counts them)."""
    ask_card(s, Decision.EXIT_VISAS, f.side, Zone.HAND + f.side, True)
    if s.legal_count > 0:
        allow(s, Word.PASS)
    else:
        withdraw(s)
        _redraw(s, f)


@jit
def _redraw(s, f):
    f.pc += 1
    for _ in range(f.left):
        draw_to_hand(s, int(f.side))


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
    ask_card(s, Decision.KEEP_CARD, f.side, Zone.DRAWN, True)
    skip_empty_choice(s, f)


@jit
def _keep(s, side, kept):
    """Keep one of the drawn cards and discard the others, which the opponent then sees."""
    first = unknown_count(s, side) - count_in(s, Zone.DRAWN)
    s.where[kept] = Zone.HAND + side
    for card in range(1, C):
        if s.where[card] == Zone.DRAWN:
            record_seen(s, side, card, first)
            move_card(s, card, Zone.DISCARD_PILE)

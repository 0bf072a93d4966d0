"""The turn of family mode: deal, placement phase, eight rounds, scoring (TR.2, TR.3)."""

from dawn_env.actions import CARD0, MOST_POINTS, PASS, POINTS0, SPACE0
from dawn_env.calendar import FAMILY_ROUNDS, LAST_TURN
from dawn_env.rules.board import change_support, controls, end_game, test_victory
from dawn_env.rules.cards import hand_size, in_hand, put
from dawn_env.rules.family.board import PRINTED_MAP, may_enter, may_leave, may_place
from dawn_env.rules.family.cards import deal, sort_by_colour
from dawn_env.rules.family.fight import ask_face, play_face, roll_sums, settle
from dawn_env.rules.family.frame import (
    ATTACK,
    ATTACK_STEP,
    CARD_STEP,
    DEAL_STEP,
    DEFENCE,
    DEFENCE_STEP,
    DESTINATION_STEP,
    FACE,
    FROM,
    INTO,
    MOVED,
    PLACE_STEP,
    POINTS_STEP,
    ROUND_STEP,
    SCORE_STEP,
)
from dawn_env.rules.family.frame import CARD as PLAYED
from dawn_env.rules.scoring import country_score
from dawn_env.rules.stack import allow, ask, push, withdraw
from dawn_env.state import (
    ATTACK_CARD,
    CARD,
    COMMUNIST_WINS,
    DEFENCE_CARD,
    DEMOCRAT_WINS,
    DESTINATION,
    DISCARD_PILE,
    FAMILY_FRAME,
    FINAL_SCORING,
    ORIGIN,
    PLACE,
    POINTS,
    RESOLVING,
    RUNNING,
    SIDE,
    STEP,
)
from dawn_env.support.compiling import jit
from dawn_env.tables import DEMOCRAT, MAX_NEIGHBOURS, NEIGHBOURS, PRINTED_OPS, C, N, S


@jit
def start_family(s):
    """Cards by colour; the fixed support points are all there is (TR.1)."""
    sort_by_colour(s)
    s.turn = 1
    push(s, FAMILY_FRAME, DEMOCRAT, 0)
    _start_turn(s, s.frames[0])
    _ask_card(s, s.frames[0])


@jit
def _start_turn(s, f):
    deal(s)
    s.action_round, s.phasing = 0, DEMOCRAT
    _come_to(s, f, CARD_STEP)


@jit
def _come_to(s, f, step):
    """Come to the start of a card's placement or of a round, where position files are taken."""
    f[STEP], f[SIDE] = step, s.phasing
    if s.stop_at_round:
        s.stop_at_round = 2


@jit
def step_family(s, f):
    """The next piece of the turn."""
    step = f[STEP]
    if step == DEAL_STEP:
        _start_turn(s, f)
    elif step == CARD_STEP:
        _ask_card(s, f)
    elif step == PLACE_STEP:
        _ask_place(s, f)
    elif step == ROUND_STEP:
        _ask_origin(s, f)
    elif step == DESTINATION_STEP:
        _ask_destination(s, f)
    elif step == POINTS_STEP:
        _ask_points(s, f)
    elif step == ATTACK_STEP:
        ask_face(s, ATTACK_CARD, int(f[SIDE]))
    elif step == DEFENCE_STEP:
        ask_face(s, DEFENCE_CARD, 1 - int(f[SIDE]))
    else:
        _score(s, f)


@jit
def answer_family(s, f, decision, action):
    """What a choice does."""
    if decision == CARD:
        f[PLAYED] = action - CARD0
        put(s, f[PLAYED], RESOLVING)
        f[STEP] = PLACE_STEP
    elif decision == PLACE:
        change_support(s, f[SIDE], action - SPACE0, PRINTED_OPS[f[PLAYED]])
        _end_placement(s, f)
    elif decision == ORIGIN:
        if action == PASS:
            _end_round(s, f)
        else:
            f[FROM], f[STEP] = action - SPACE0, DESTINATION_STEP
    elif decision == DESTINATION:
        f[INTO], f[STEP] = action - SPACE0, POINTS_STEP
    elif decision == POINTS:
        _take_points(s, f, action - POINTS0)
    elif decision == ATTACK_CARD:
        f[FACE] = play_face(s, f[SIDE], action)
        f[STEP] = DEFENCE_STEP
    else:
        settle(s, f, play_face(s, 1 - f[SIDE], action))
        _end_round(s, f)


# --- the placement phase ---------------------------------------------------------------------------


@jit
def _ask_card(s, f):
    """Cards are played in turn until both hands are empty (ours F1)."""
    side = int(s.phasing)
    if hand_size(s, side) == 0:
        if hand_size(s, 1 - side) > 0:
            s.phasing = 1 - side
            f[SIDE] = s.phasing
        else:
            s.action_round, s.phasing = 1, DEMOCRAT
            _come_to(s, f, ROUND_STEP)
        return
    ask(s, CARD, side)
    for card in range(1, C):
        if in_hand(s, side, card):
            allow(s, CARD0 + card)


@jit
def _ask_place(s, f):
    """All points of a card go into one space (ours F3), at one each (F5); without a space they are lost (F4)."""
    side = int(f[SIDE])
    ask(s, PLACE, side)
    for space in range(S):
        if may_place(s, side, space):
            allow(s, SPACE0 + space)
    if s.legal_count == 0:
        withdraw(s)
        _end_placement(s, f)


@jit
def _end_placement(s, f):
    put(s, f[PLAYED], DISCARD_PILE)
    f[PLAYED] = 0
    s.phasing = 1 - s.phasing
    _come_to(s, f, CARD_STEP)


# --- the rounds ------------------------------------------------------------------------------------


@jit
def _ask_origin(s, f):
    """Where points leave from, for a shift or a take-over; passing is always possible (ours F14)."""
    side = int(f[SIDE])
    ask(s, ORIGIN, side)
    for space in range(S):
        if may_leave(s, side, space):
            allow(s, SPACE0 + space)
    allow(s, PASS)


@jit
def _ask_destination(s, f):
    """An own space makes it a shift, another a take-over (ours F6 to F8)."""
    side = int(f[SIDE])
    ask(s, DESTINATION, side)
    around = NEIGHBOURS[PRINTED_MAP, f[FROM]]
    for i in range(MAX_NEIGHBOURS):
        if around[i] >= 0 and may_enter(s, side, around[i]):
            allow(s, SPACE0 + around[i])


@jit
def _ask_points(s, f):
    """How many points move: 1 or more of the origin, as many as an action can name at a time."""
    side = int(f[SIDE])
    ask(s, POINTS, side)
    for points in range(0 if f[MOVED] > 0 else 1, min(MOST_POINTS, s.support[side, f[FROM]] - f[MOVED]) + 1):
        allow(s, POINTS0 + points)


@jit
def _take_points(s, f, points):
    """The greatest number that can be named asks for more while there is any."""
    f[MOVED] += points
    side, origin = f[SIDE], f[FROM]
    if points == MOST_POINTS and f[MOVED] < s.support[side, origin]:
        return
    is_shift = controls(s, side, f[INTO])
    change_support(s, side, origin, -f[MOVED])
    if is_shift:
        change_support(s, side, f[INTO], f[MOVED])
        _end_round(s, f)
    else:
        roll_sums(s, f)
        f[STEP] = ATTACK_STEP


@jit
def _end_round(s, f):
    """The sides take rounds in turn."""
    f[FROM], f[INTO], f[MOVED], f[ATTACK], f[DEFENCE], f[FACE] = 0, 0, 0, 0, 0, 0
    if s.action_round == FAMILY_ROUNDS:
        f[STEP] = SCORE_STEP
        return
    s.action_round += 1
    s.phasing = 1 - s.phasing
    _come_to(s, f, ROUND_STEP)


# --- scoring ---------------------------------------------------------------------------------------


@jit
def _score(s, f):
    """All six countries (ours F15); 20 VP count only afterwards (F16), and in the end 0 is the Communist's."""
    for country in range(N):
        s.vp += country_score(s, country)
    test_victory(s)
    if s.turn == LAST_TURN:
        end_game(s, DEMOCRAT_WINS if s.vp > 0 else COMMUNIST_WINS, FINAL_SCORING)
    if s.result == RUNNING:
        s.turn += 1
        f[STEP] = DEAL_STEP

"""The turn of family mode: deal, placement phase, eight rounds, scoring (TR.2, TR.3)."""

from dawn_env.actions import CARD0, MOST_POINTS, POINTS0, SPACE0, Word
from dawn_env.rules.board import change_support, controls, end_game, test_victory
from dawn_env.rules.cards import hand_size, move_card
from dawn_env.rules.family.decks import deal, sort_by_colour
from dawn_env.rules.family.movement import PRINTED_MAP, may_enter, may_leave, may_place
from dawn_env.rules.family.takeover import NO_FACE, ask_face, play_face, roll_sums, settle
from dawn_env.rules.frames import FamilyStep, allow, ask, ask_card, push, withdraw
from dawn_env.rules.scoring import country_score
from dawn_env.state import Decision, FrameKind, Reason, Result, Zone
from dawn_env.support.compiling import jit
from dawn_env.tables import DEMOCRAT, FAMILY_ROUNDS, LAST_TURN, MAX_NEIGHBOURS, NEIGHBOURS, PRINTED_OPS, N, S

NOWHERE = -1  # no space


@jit
def start_family(s):
    """Cards by colour; the fixed support points are all there is (TR.1)."""
    sort_by_colour(s)
    s.turn = 1
    f = push(s, FrameKind.FAMILY, DEMOCRAT, 0)
    _start_turn(s, f)
    _ask_card(s, f)


@jit
def _start_turn(s, f):
    deal(s)
    s.action_round, s.phasing = 0, DEMOCRAT
    _come_to(s, f, FamilyStep.CARD)


@jit
def _come_to(s, f, step):
    """Come to the start of a card's placement or of a round, where position files are taken."""
    f.step, f.side = step, s.phasing
    if s.stop_at_round:
        s.stop_at_round = 2


@jit
def step_family(s, f):
    """The next piece of the turn."""
    step = f.step
    if step == FamilyStep.DEAL:
        _start_turn(s, f)
    elif step == FamilyStep.CARD:
        _ask_card(s, f)
    elif step == FamilyStep.PLACE:
        _ask_place(s, f)
    elif step == FamilyStep.ORIGIN:
        _ask_origin(s, f)
    elif step == FamilyStep.DESTINATION:
        _ask_destination(s, f)
    elif step == FamilyStep.POINTS:
        _ask_points(s, f)
    elif step == FamilyStep.ATTACK:
        ask_face(s, Decision.ATTACK_CARD, f.side)
    elif step == FamilyStep.DEFENCE:
        ask_face(s, Decision.DEFENCE_CARD, 1 - f.side)
    else:
        _score(s, f)


@jit
def answer_family(s, f, decision, action):
    """Apply a choice."""
    if decision == Decision.CARD:
        f.source = action - CARD0
        move_card(s, f.source, Zone.RESOLVING)
        f.step = FamilyStep.PLACE
    elif decision == Decision.PLACE:
        change_support(s, f.side, action - SPACE0, PRINTED_OPS[f.source])
        _end_placement(s, f)
    elif decision == Decision.ORIGIN:
        if action == Word.PASS:
            _end_round(s, f)
        else:
            s.origin, f.step = action - SPACE0, FamilyStep.DESTINATION
    elif decision == Decision.DESTINATION:
        s.destination, f.step = action - SPACE0, FamilyStep.POINTS
    elif decision == Decision.POINTS:
        _take_points(s, f, action - POINTS0)
    elif decision == Decision.ATTACK_CARD:
        s.attack_face = play_face(s, f.side, action)
        f.step = FamilyStep.DEFENCE
    else:
        settle(s, f.side, play_face(s, 1 - f.side, action))
        _end_round(s, f)


# --- the placement phase ---------------------------------------------------------------------------


@jit
def _ask_card(s, f):
    """Cards are played in turn until both hands are empty (ruling family-all-cards-placed)."""
    side = int(s.phasing)
    if hand_size(s, side) == 0:
        if hand_size(s, 1 - side) > 0:
            s.phasing = 1 - side
            f.side = s.phasing
        else:
            s.action_round, s.phasing = 1, DEMOCRAT
            _come_to(s, f, FamilyStep.ORIGIN)
        return
    ask_card(s, Decision.CARD, side, Zone.HAND + side)


@jit
def _ask_place(s, f):
    """All points of a card go into one space (ruling family-one-space-a-card), at one each (ruling
    family-one-point-each); without a space they are lost (ruling family-no-space-no-points)."""
    ask(s, Decision.PLACE, f.side)
    for space in range(S):
        if may_place(s, f.side, space):
            allow(s, SPACE0 + space)
    if s.legal_count == 0:
        withdraw(s)
        _end_placement(s, f)


@jit
def _end_placement(s, f):
    move_card(s, f.source, Zone.DISCARD_PILE)
    f.source = 0
    s.phasing = 1 - s.phasing
    _come_to(s, f, FamilyStep.CARD)


# --- the rounds ------------------------------------------------------------------------------------


@jit
def _ask_origin(s, f):
    """Ask for the origin of a shift or a take-over; passing is always legal (ruling family-passing)."""
    ask(s, Decision.ORIGIN, f.side)
    for space in range(S):
        if may_leave(s, f.side, space):
            allow(s, SPACE0 + space)
    allow(s, Word.PASS)


@jit
def _ask_destination(s, f):
    """An own space makes it a shift, another a take-over (ruling family-one-shift, ruling
    family-take-over-next-door, ruling family-contested-spaces-stand)."""
    ask(s, Decision.DESTINATION, f.side)
    around = NEIGHBOURS[PRINTED_MAP, s.origin]
    for i in range(MAX_NEIGHBOURS):
        if around[i] >= 0 and may_enter(s, f.side, around[i]):
            allow(s, SPACE0 + around[i])


@jit
def _ask_points(s, f):
    """Ask for the number of points to move: from 1 to those of the origin, or the most that one action names."""
    ask(s, Decision.POINTS, f.side)
    least, most = 0 if s.moved > 0 else 1, s.support[f.side, s.origin] - s.moved
    for points in range(least, min(MOST_POINTS, most) + 1):
        allow(s, POINTS0 + points)


@jit
def _take_points(s, f, points):
    """The greatest number that can be named asks for more while there is any."""
    s.moved += points
    if points == MOST_POINTS and s.moved < s.support[f.side, s.origin]:
        return
    is_shift = controls(s, f.side, s.destination)
    change_support(s, f.side, s.origin, -s.moved)
    if is_shift:
        change_support(s, f.side, s.destination, s.moved)
        _end_round(s, f)
    else:
        roll_sums(s, f.side)
        f.step = FamilyStep.ATTACK


@jit
def clear_move(s):
    """Reset the fields of a shift or take-over."""
    s.origin, s.destination, s.moved, s.attack, s.defence, s.attack_face = NOWHERE, NOWHERE, 0, 0, 0, NO_FACE


@jit
def _end_round(s, f):
    """The sides take rounds in turn."""
    clear_move(s)
    if s.action_round == FAMILY_ROUNDS:
        f.step = FamilyStep.SCORE
        return
    s.action_round += 1
    s.phasing = 1 - s.phasing
    _come_to(s, f, FamilyStep.ORIGIN)


# --- scoring ---------------------------------------------------------------------------------------


@jit
def _score(s, f):
    """All six countries (ruling family-all-countries); 20 VP count only afterwards (ruling family-twenty-points),
    and in the end 0 is the Communist's."""
    for country in range(N):
        s.vp += country_score(s, country)
    test_victory(s)
    if s.turn == LAST_TURN:
        end_game(s, Result.DEMOCRAT if s.vp > 0 else Result.COMMUNIST, Reason.FINAL_SCORING)
    if s.result == Result.RUNNING:
        s.turn += 1
        f.step = FamilyStep.DEAL

"""Family mode (rules TR.1 to TR.3): a game without events, struggles and Power on the same board.

A turn is a deal, a placement phase, eight rounds and scoring.
"""

from dawn_env.actions import CARD0, FACE0, MOST_POINTS, POINTS0, SPACE0, Word
from dawn_env.rules.board import change_support, controls, end_game, test_victory
from dawn_env.rules.cards import deal, hand_size, move_card
from dawn_env.rules.chance import roll
from dawn_env.rules.frames import FamilyStep, allow, ask, ask_card, push, withdraw
from dawn_env.rules.operations.placement import within_reach
from dawn_env.rules.resets import OF_THE_MOVE, reset
from dawn_env.rules.scoring import country_score
from dawn_env.rules.struggle import move_face, move_random
from dawn_env.state import Chance, Decision, FrameKind, PowerZone, Reason, Result, Zone
from dawn_env.support.compiling import jit
from dawn_env.tables import (
    COMMUNIST,
    DEMOCRAT,
    FACE_RANK,
    FACE_SUIT,
    FAMILY_HAND_SIZE,
    FAMILY_POWER_HAND_SIZE,
    FAMILY_ROUNDS,
    LAST_TURN,
    MAX_NEIGHBOURS,
    NEIGHBOURS,
    NEUTRAL,
    OWNER,
    PRINTED_OPS,
    RALLY,
    SIDES,
    STABILITY,
    C,
    N,
    P,
    S,
)


@jit
def start_family(s):
    """All cards of a side are its deck, whatever their period; neutral ones are removed. The fixed support points are
    all there is (TR.1)."""
    for card in range(1, C):
        s.where[card] = Zone.REMOVED if OWNER[card] == NEUTRAL else Zone.DRAW_PILE
    s.turn = 1
    f = push(s, FrameKind.FAMILY, DEMOCRAT, 0)
    _start_turn(s, f)
    _ask_card(s, f)


@jit
def _start_turn(s, f):
    _deal_all(s)
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
    """Ask for the next card; the phase ends once both hands are empty (ruling family-all-cards-placed)."""
    side = int(s.phasing)
    if hand_size(s, side) == 0:
        if hand_size(s, 1 - side) > 0:
            s.phasing = 1 - side
            f.side = s.phasing
        else:
            s.action_round, s.phasing = 1, DEMOCRAT
            _come_to(s, f, FamilyStep.ORIGIN)
        return
    ask_card(s, Decision.CARD, side, Zone.HAND + side, True)


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
def _end_round(s, f):
    """The sides take rounds in turn."""
    reset(s, OF_THE_MOVE)
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


# --- legal spaces (TR.2.4.2, TR.2.4.3) -------------------------------------------------------------


PRINTED_MAP = 0  # variant of NEIGHBOURS


@jit
def may_place(s, side, space):
    """A space with points of the side, or next to one, that the opponent does not control (ruling
    family-presence-places)."""
    return within_reach(s, side, space, PRINTED_MAP) and not controls(s, 1 - side, space)


@jit
def may_enter(s, side, space):
    """Return True if points may go to a space next to their own: a shift, or a take-over (ruling family-one-shift,
    ruling family-take-over-next-door, ruling family-contested-spaces-stand)."""
    empty = s.support[0, space] == 0 and s.support[1, space] == 0
    return empty or controls(s, side, space) or controls(s, 1 - side, space)


@jit
def may_leave(s, side, space):
    """Return True if points of a side may leave a space: it is controlled, and there is somewhere to go."""
    if not controls(s, side, space):
        return False
    around = NEIGHBOURS[PRINTED_MAP, space]
    for i in range(MAX_NEIGHBOURS):
        if around[i] < 0:
            return False
        if may_enter(s, side, around[i]):
            return True
    return False


# --- the fight of a take-over (TR.2.4.3) -----------------------------------------------------------


NO_FACE = -1


@jit
def roll_sums(s, attacker):
    """Attack: points moved and a die. Defence: a die, and what holds a controlled space (ruling
    family-empty-space-fought, ruling family-points-in-the-target)."""
    defender, space = 1 - attacker, s.destination
    s.attack = s.moved + roll(s)
    s.defence = roll(s)
    if controls(s, defender, space):
        s.defence += s.support[defender, space] + STABILITY[space]


@jit
def ask_face(s, decision, side):
    """A side may add one of its power struggle cards, the attacker first (ruling family-attacker-first)."""
    ask(s, decision, side)
    for face in range(P):
        if s.power_cards[PowerZone.HAND + side, face] > 0:
            allow(s, FACE0 + face)
    allow(s, Word.PASS)


@jit
def play_face(s, side, action):
    """The card is played openly; which it is, or ``NO_FACE``."""
    if action == Word.PASS:
        return NO_FACE
    face = action - FACE0
    move_face(s, face, PowerZone.HAND + side, PowerZone.DISCARD)
    s.power_known[side, face] = max(0, s.power_known[side, face] - 1)
    return face


@jit
def _wins_outright(face):
    """W stands on the Rally cards (ruling family-rally-wins)."""
    return face != NO_FACE and FACE_SUIT[face] == RALLY


@jit
def _rank(face):
    return 0 if face == NO_FACE else FACE_RANK[face]


@jit
def attacker_wins(s, attacker, defence_face):
    """One W wins; otherwise the higher total, of which two Ws are no part (ruling family-two-rallies), and a tie is
    the Communist's."""
    attack_w, defence_w = _wins_outright(s.attack_face), _wins_outright(defence_face)
    if attack_w != defence_w:
        return attack_w
    lead = s.attack - s.defence
    if not attack_w:
        lead += _rank(s.attack_face) - _rank(defence_face)
    return lead > 0 or (lead == 0 and attacker == COMMUNIST)


@jit
def settle(s, attacker, defence_face):
    """The winner keeps all points in the space, the loser loses all there."""
    if attacker_wins(s, attacker, defence_face):
        s.support[attacker, s.destination] += s.moved
        s.support[1 - attacker, s.destination] = 0
    else:
        s.support[attacker, s.destination] = 0


# --- each side draws from a deck of its colour, both from one power struggle deck (TR.2) -----------


@jit
def _rebuild_power_deck(s):
    """Make the discards the deck; both hands follow by counting now (ruling family-counted-hands)."""
    for face in range(P):
        for side in range(SIDES):
            s.power_known[side, face] = s.power_cards[PowerZone.HAND + side, face]
        s.power_cards[PowerZone.DECK, face] += s.power_cards[PowerZone.DISCARD, face]
        s.power_cards[PowerZone.DISCARD, face] = 0


@jit
def _draw_power(s, side):
    """A side draws a power struggle card."""
    deck = s.power_cards[PowerZone.DECK]
    if deck.sum() == 0:
        _rebuild_power_deck(s)
    left = deck.sum()
    move_random(s, Chance.POWER_DRAWS, PowerZone.DECK, PowerZone.HAND + side, 1)
    if left == 1:
        _rebuild_power_deck(s)


@jit
def power_hand_size(s, side):
    """Power struggle cards in a side's hand."""
    return s.power_cards[PowerZone.HAND + side].sum()


@jit
def _deal_all(s):
    """Fill the hands of both sides (TR.2.4.1), card by card, the Democrat first (ruling family-deal-in-turn)."""
    deal(s, DEMOCRAT, FAMILY_HAND_SIZE, FAMILY_HAND_SIZE)
    missing_d = FAMILY_POWER_HAND_SIZE - power_hand_size(s, DEMOCRAT)
    missing_c = FAMILY_POWER_HAND_SIZE - power_hand_size(s, COMMUNIST)
    for i in range(max(missing_d, missing_c)):
        if i < missing_d:
            _draw_power(s, DEMOCRAT)
        if i < missing_c:
            _draw_power(s, COMMUNIST)

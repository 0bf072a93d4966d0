"""Observation of family mode, declared and written like the standard game's (``parts``).

Nothing in it depends on what the viewer may not know: the opponent's cards but for those that follow by counting, what
is in the decks, the generator.
"""

import numpy as np

from dawn_env.observation.parts import (
    FAMILY_DECISIONS,
    MOST,
    POWER_CARDS,
    Axis,
    cards,
    faces,
    flag,
    number,
    offsets,
    one_of,
    side_of,
)
from dawn_env.observation.standard_writer import put_all, put_one_hot, put_pair, put_zone, write_mask
from dawn_env.rules.board import is_control
from dawn_env.rules.cards import deck_size, hand_size
from dawn_env.rules.family import power_hand_size
from dawn_env.state import PowerZone, Result, Zone
from dawn_env.support.compiling import entry, jit
from dawn_env.tables import (
    DEMOCRAT,
    FAMILY_HAND_SIZE,
    FAMILY_POWER_HAND_SIZE,
    FAMILY_ROUNDS,
    LAST_TURN,
    PRINTED_OPS,
    P,
    S,
)

FAMILY_OBSERVATION_VERSION = 2
"""Goes up with every change of meaning, order or size."""

FAMILY_TABLE = (
    # The clock and the score.
    flag("side", "the viewer: 0 Democrat, 1 Communist"),
    number("turn", 0, LAST_TURN, "turn"),
    number("round", 0, FAMILY_ROUNDS, "round, 0 in the placement phase"),
    flag("phasing", "the placement or round is mine"),
    number("vp", -MOST, MOST, "victory points, positive when I lead"),
    # The board.
    number("my_support", 0, MOST, "my support points", Axis.SPACE),
    number("their_support", 0, MOST, "the opponent's support points", Axis.SPACE),
    side_of("control", "who controls it", Axis.SPACE),
    one_of("origin", Axis.SPACE, "points leave it in the shift or take-over in progress"),
    one_of("destination", Axis.SPACE, "points go there in the shift or take-over in progress"),
    # The cards.
    cards("my_hand", "in my hand"),
    cards("discard_pile", "in its discard pile"),
    number("their_hand_size", 0, FAMILY_HAND_SIZE, "strategy cards in the opponent's hand"),
    number("deck_size", 0, MOST, "strategy cards left to draw", Axis.OWNER),
    faces("my_power_hand", "copies in my hand"),
    faces("their_power_known", "copies in the opponent's hand, told from the deck's end"),
    faces("power_discard", "copies in the discard pile"),
    number("power_hand_size", 0, FAMILY_POWER_HAND_SIZE, "power struggle cards held", Axis.OWNER),
    number("power_deck_size", 0, POWER_CARDS, "power struggle cards left to draw"),
    # The pending decision.
    flag("acting", "the decision is mine"),
    one_of("decision", Axis.FAMILY_DECISION, "pending decision"),
    number("points", 0, MOST, "support points of the card that is being placed, or that move"),
    number("attack", 0, MOST, "sum of the attacker in a take-over"),
    number("defence", 0, MOST, "sum of the defender in a take-over"),
    one_of("attack_face", Axis.FACE, "power struggle card that the attacker has added"),
    # The opponent's strategy cards.
    cards("known_theirs", "in the opponent's hand, as follows by counting"),
)
"""The parts of the vector, in order."""

FAMILY_F = sum(part.size for part in FAMILY_TABLE)
"""Length of the vector."""

_AT = offsets(FAMILY_TABLE)
_DECISIONS = np.array(FAMILY_DECISIONS)


@jit
def _clipped(value):
    return min(max(value, -MOST), MOST)


@jit
def _write_board(s, side, out):
    for i in range(S):
        mine, theirs = s.support[side, i], s.support[1 - side, i]
        out[_AT.my_support + i], out[_AT.their_support + i] = _clipped(mine), _clipped(theirs)
        out[_AT.control + i] = int(is_control(mine - theirs, i)) - int(is_control(theirs - mine, i))


@jit
def _write_cards(s, side, out):
    put_zone(out, _AT.my_hand, s.where, Zone.HAND + side)
    put_zone(out, _AT.discard_pile, s.where, Zone.DISCARD_PILE)
    put_all(out, _AT.known_theirs, s.counted[1 - side, 1:])
    out[_AT.their_hand_size] = hand_size(s, 1 - side)
    out[_AT.deck_size], out[_AT.deck_size + 1] = deck_size(s, side), deck_size(s, 1 - side)
    put_all(out, _AT.my_power_hand, s.power_cards[PowerZone.HAND + side])
    put_all(out, _AT.their_power_known, s.power_known[1 - side])
    put_all(out, _AT.power_discard, s.power_cards[PowerZone.DISCARD])
    put_pair(out, _AT.power_hand_size, (power_hand_size(s, 0), power_hand_size(s, 1)), side)
    out[_AT.power_deck_size] = s.power_cards[PowerZone.DECK].sum()


@jit
def _write_move(s, out):
    """The card, shift or take-over in progress, all of it open."""
    put_one_hot(out, _AT.origin, S, s.origin)
    put_one_hot(out, _AT.destination, S, s.destination)
    out[_AT.points] = _clipped(PRINTED_OPS[s.frames[0].source] + s.moved)
    out[_AT.attack], out[_AT.defence] = _clipped(s.attack), _clipped(s.defence)
    put_one_hot(out, _AT.attack_face, P, s.attack_face)


@entry
def write_family_view(s, side, out, mask):
    """Write the view of a side in family mode into ``out``, int8 [FAMILY_F], and the legal actions into ``mask``, int8
    [ALL_ACTIONS]: zeros unless the decision is theirs."""
    out[:] = 0
    out[_AT.side], out[_AT.turn], out[_AT.round], out[_AT.phasing] = side, s.turn, s.action_round, s.phasing == side
    out[_AT.vp] = _clipped(s.vp if side == DEMOCRAT else -s.vp)
    _write_board(s, side, out)
    _write_cards(s, side, out)
    if s.result == Result.RUNNING:
        out[_AT.acting] = s.actor == side
        for i in range(len(_DECISIONS)):
            out[_AT.decision + i] = s.decision == _DECISIONS[i]
        _write_move(s, out)
    write_mask(s, side, mask)

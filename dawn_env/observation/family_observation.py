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
    one_of,
    places,
    side_of,
)
from dawn_env.observation.standard_writer import CARDS, write_mask
from dawn_env.rules.cards import deck_size
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
    STABILITY,
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

_PLACES = places(FAMILY_TABLE)
_AT = {name: place.start for name, place in _PLACES.items()}
FAMILY_F = _PLACES[FAMILY_TABLE[-1].name].stop
"""Length of the vector."""

(
    _SIDE, _TURN, _ROUND, _PHASING, _VP, _MINE, _THEIRS, _CONTROL, _ORIGIN, _DESTINATION, _HAND, _DISCARD, _THEIR_HAND,
    _DECKS, _POWER_HAND, _POWER_KNOWN, _POWER_DISCARD, _POWER_SIZES, _POWER_LEFT, _ACTING, _DECISION, _POINTS, _ATTACK,
    _DEFENCE, _FACE, _KNOWN,
) = _AT.values()  # fmt: skip
_STABILITY = STABILITY.astype(np.int16)
_DECISIONS = np.array(FAMILY_DECISIONS)


@jit
def _clipped(value):
    return min(max(value, -MOST), MOST)


@jit
def _write_board(s, side, out):
    for i in range(S):
        mine, theirs = s.support[side, i], s.support[1 - side, i]
        out[_MINE + i], out[_THEIRS + i] = _clipped(mine), _clipped(theirs)
        lead = mine - theirs
        out[_CONTROL + i] = 1 if lead >= _STABILITY[i] else -1 if -lead >= _STABILITY[i] else 0


@jit
def _write_cards(s, side, out):
    theirs = 0
    for i in range(CARDS):
        zone = s.where[i + 1]
        out[_HAND + i] = zone == Zone.HAND + side
        out[_DISCARD + i] = zone == Zone.DISCARD_PILE
        out[_KNOWN + i] = s.counted[1 - side, i + 1]
        theirs += zone == Zone.HAND + 1 - side
    out[_THEIR_HAND] = theirs
    out[_DECKS], out[_DECKS + 1] = deck_size(s, side), deck_size(s, 1 - side)
    for face in range(P):
        out[_POWER_HAND + face] = s.power_cards[PowerZone.HAND + side, face]
        out[_POWER_KNOWN + face] = s.power_known[1 - side, face]
        out[_POWER_DISCARD + face] = s.power_cards[PowerZone.DISCARD, face]
    out[_POWER_SIZES], out[_POWER_SIZES + 1] = power_hand_size(s, side), power_hand_size(s, 1 - side)
    out[_POWER_LEFT] = s.power_cards[PowerZone.DECK].sum()


@jit
def _write_move(s, out):
    """The card, shift or take-over in progress, all of it open."""
    f = s.frames[0]
    if s.origin >= 0:
        out[_ORIGIN + int(s.origin)] = 1
    if s.destination >= 0:
        out[_DESTINATION + int(s.destination)] = 1
    out[_POINTS] = _clipped(PRINTED_OPS[f.source] + s.moved)
    out[_ATTACK], out[_DEFENCE] = _clipped(s.attack), _clipped(s.defence)
    if s.attack_face >= 0:
        out[_FACE + int(s.attack_face)] = 1


@entry
def write_family_view(s, side, out, mask):
    """Write the view of a side in family mode into ``out``, int8 [FAMILY_F], and the legal actions into ``mask``, int8
    [ALL_ACTIONS]: zeros unless the decision is theirs."""
    out[:] = 0
    out[_SIDE], out[_TURN], out[_ROUND], out[_PHASING] = side, s.turn, s.action_round, s.phasing == side
    out[_VP] = _clipped(s.vp if side == DEMOCRAT else -s.vp)
    _write_board(s, side, out)
    _write_cards(s, side, out)
    if s.result == Result.RUNNING:
        out[_ACTING] = s.actor == side
        for i in range(len(_DECISIONS)):
            out[_DECISION + i] = s.decision == _DECISIONS[i]
        _write_move(s, out)
    write_mask(s, side, mask)

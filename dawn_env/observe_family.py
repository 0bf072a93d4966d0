"""What a player of family mode sees: a vector of its own, declared and written like the standard game's (``observe``).

Nothing in it depends on what the viewer may not know: the opponent's cards but for those that can be told by counting,
what is in the decks, the generator.
"""

import numpy as np

from dawn_env.calendar import FAMILY_HAND_SIZE, FAMILY_POWER_HAND_SIZE, FAMILY_ROUNDS, LAST_TURN
from dawn_env.observe import CARDS, DECK, MOST, Slice, write_mask
from dawn_env.rules.family.cards import deck_size, power_hand_size
from dawn_env.state import Decision, PowerZone, Result, Zone
from dawn_env.support.compiling import entry, jit
from dawn_env.tables import (
    CARD_TITLES,
    COUNTRIES,
    COUNTRY_OF,
    DEMOCRAT,
    FACES,
    PRINTED_OPS,
    SIDE_NAMES,
    SPACES,
    STABILITY,
    P,
    S,
)

FAMILY_OBSERVATION_VERSION = 1
"""Goes up with every change of meaning, order or size."""

SEEN_DECISIONS = (
    Decision.CARD, Decision.PLACE, Decision.ORIGIN, Decision.DESTINATION, Decision.POINTS, Decision.ATTACK_CARD,
    Decision.DEFENCE_CARD,
)  # fmt: skip
"""The decisions of family mode, in the order of the part ``decision``."""

FAMILY_TABLE = (
    # The clock and the score.
    Slice("side", (1,), 0, 1, "the viewer: 0 Democrat, 1 Communist"),
    Slice("turn", (1,), 0, LAST_TURN, "turn"),
    Slice("round", (1,), 0, FAMILY_ROUNDS, "round, 0 in the placement phase"),
    Slice("phasing", (1,), 0, 1, "the placement or round is mine"),
    Slice("vp", (1,), -MOST, MOST, "victory points, positive when I lead"),
    # The board.
    Slice("my_support", (S,), 0, MOST, "per space: my support points"),
    Slice("their_support", (S,), 0, MOST, "per space: the opponent's support points"),
    Slice("control", (S,), -1, 1, "per space: 1 I control it, -1 the opponent does"),
    Slice("origin", (S,), 0, 1, "per space: points leave it in the shift or take-over in progress"),
    Slice("destination", (S,), 0, 1, "per space: points go there in the shift or take-over in progress"),
    # The cards.
    Slice("my_hand", (CARDS,), 0, 1, f"per strategy card 1-{CARDS}: in my hand"),
    Slice("discard_pile", (CARDS,), 0, 1, f"per strategy card 1-{CARDS}: in its discard pile"),
    Slice("their_hand_size", (1,), 0, FAMILY_HAND_SIZE, "strategy cards in the opponent's hand"),
    Slice("deck_size", (2,), 0, MOST, "strategy cards left to draw: mine, the opponent's"),
    Slice("my_power_hand", (P,), 0, 6, "per power struggle face: copies in my hand"),
    Slice("their_power_known", (P,), 0, 6, "per face: copies in the opponent's hand, told from the deck's end"),
    Slice("power_discard", (P,), 0, 6, "per power struggle face: copies in the discard pile"),
    Slice("power_hand_size", (2,), 0, FAMILY_POWER_HAND_SIZE, "power struggle cards held: by me, by the opponent"),
    Slice("power_deck_size", (1,), 0, DECK, "power struggle cards left to draw"),
    # The pending decision.
    Slice("acting", (1,), 0, 1, "the decision is mine"),
    Slice("decision", (len(SEEN_DECISIONS),), 0, 1, "one-hot: card, place, origin, destination, points, attack-card, "
          "defence-card"),
    Slice("points", (1,), 0, MOST, "support points of the card that is being placed, or that move"),
    Slice("attack", (1,), 0, MOST, "sum of the attacker in a take-over"),
    Slice("defence", (1,), 0, MOST, "sum of the defender in a take-over"),
    Slice("attack_face", (P,), 0, 1, "one-hot: power struggle card that the attacker has added"),
)  # fmt: skip
"""The slices of the vector, in order."""

_ENDS = np.cumsum([np.prod(part.shape) for part in FAMILY_TABLE]).tolist()
_AT = dict(zip((part.name for part in FAMILY_TABLE), [0, *_ENDS], strict=False))
FAMILY_F = _ENDS[-1]
"""Length of the vector."""

(
    _SIDE, _TURN, _ROUND, _PHASING, _VP, _MINE, _THEIRS, _CONTROL, _ORIGIN, _DESTINATION, _HAND, _DISCARD, _THEIR_HAND,
    _DECKS, _POWER_HAND, _POWER_KNOWN, _POWER_DISCARD, _POWER_SIZES, _POWER_LEFT, _ACTING, _DECISION, _POINTS, _ATTACK,
    _DEFENCE, _FACE,
) = _AT.values()  # fmt: skip
_STABILITY = STABILITY.astype(np.int16)
_DECISIONS = np.array(SEEN_DECISIONS)


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


@jit
def write_family(s, side, out):
    """Write what ``side`` sees of a ``STATE`` record of family mode into ``out``, int8 [FAMILY_F]."""
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


@entry
def write_family_view(s, side, out, mask):
    """What ``side`` sees, and its legal actions, int8 [ALL_ACTIONS]: zeros unless the decision is theirs."""
    write_family(s, side, out)
    write_mask(s, side, mask)


@entry
def observe_family_rows(states, sides, observations, masks):
    """As ``observe.observe_rows``, of games of family mode."""
    for i in range(len(states)):
        write_family(states[i], sides[i], observations[i])
        write_mask(states[i], sides[i], masks[i])


def explain_family(observation: np.ndarray) -> str:
    """An observation of family mode as text, one topic a line; support reads mine:theirs."""
    view = {part.name: observation[_AT[part.name] :][: np.prod(part.shape)].tolist() for part in FAMILY_TABLE}
    (viewer,), (turn,), (number,), (vp,) = (view[name] for name in ("side", "turn", "round", "vp"))
    (held,), (mine, theirs) = view["their_hand_size"], view["deck_size"]
    lines = [
        f"I am the {SIDE_NAMES[viewer]}, VP {vp:+d}, turn {turn}, round {number}",
        f"my_hand: {', '.join(f'{i + 1} {CARD_TITLES[i + 1]}' for i in range(CARDS) if view['my_hand'][i]) or '-'}",
        f"they hold {held} cards, decks {mine}/{theirs} (mine/theirs)",
    ]
    for name in ("my_power_hand", "their_power_known", "power_discard"):
        faces = (f"{count}x {face}" for face, count in zip(FACES, view[name], strict=True) if count)
        lines.append(f"{name}: {', '.join(faces) or '-'}")
    lines.append(
        f"power struggle cards: they hold {view['power_hand_size'][1]}, {view['power_deck_size'][0]} in the deck"
    )
    for country, name in enumerate(COUNTRIES):
        spaces = (_explain_space(view, space) for space in np.flatnonzero(COUNTRY_OF == country))
        lines.append(f"{name}: {'; '.join(spaces)}")
    return "\n".join(lines)


def _explain_space(view: dict[str, list[int]], space: int) -> str:
    holder = {1: " mine", -1: " theirs", 0: ""}[view["control"][space]]
    return f"{SPACES[space]} {view['my_support'][space]}:{view['their_support'][space]}{holder}"

"""What a player sees: one vector ``[F]`` of int8, from his own point of view (mine and theirs).

``TABLE`` declares every slice once; offsets, bounds, the decoder and ``docs/observation.md`` follow
from it. Nothing in the vector depends on what the viewer may not know: the opponent's hands, the order
and content of the draw pile, the other side's set-aside and drawn cards, the generator. The legal
actions are not part of it either: the mask is separate, and belongs to the acting side only.
"""

from collections import namedtuple
from math import prod
from typing import NamedTuple

import numpy as np

from dawn_env.rules.play import USE_STEP
from dawn_env.rules.struggle import sees_their_hand
from dawn_env.state import (
    DECISIONS,
    FRAME_KINDS,
    STANDARD_DECISIONS,
    STANDARD_FRAME_KINDS,
    Decision,
    FrameKind,
    PowerZone,
    Result,
    Zone,
)
from dawn_env.support import compiling
from dawn_env.support.compiling import entry, jit
from dawn_env.tables import (
    CARD_TITLES,
    COMMUNIST,
    COUNTRIES,
    COUNTRY_OF,
    DEMOCRAT,
    FACES,
    SIDE_NAMES,
    SOURCE_TITLES,
    SOURCES,
    SPACES,
    STABILITY,
    SUITS,
    C,
    N,
    P,
    S,
)

OBSERVATION_VERSION = 1
"""Goes up with every change of meaning, order or size."""

CARDS = C - 1
DECK = 52  # power struggle cards
MOST = 127  # bound of counts that the rules do not bound more tightly


class Slice(NamedTuple):
    """A named part of the vector: its shape, least and greatest value, and meaning."""

    name: str
    shape: tuple[int, ...]
    low: int
    high: int
    meaning: str


def _flag(name: str, meaning: str) -> Slice:
    return Slice(name, (1,), 0, 1, meaning)


def _number(name: str, low: int, high: int, meaning: str) -> Slice:
    return Slice(name, (1,), low, high, meaning)


def _spaces(name: str, low: int, high: int, meaning: str) -> Slice:
    return Slice(name, (S,), low, high, f"per space: {meaning}")


def _cards(name: str, meaning: str) -> Slice:
    return Slice(name, (CARDS,), 0, 1, f"per strategy card 1-{CARDS}: {meaning}")


def _faces(name: str, high: int, meaning: str) -> Slice:
    return Slice(name, (P,), 0, high, f"per power struggle face: {meaning}")


def _one_hot(name: str, size: int, meaning: str) -> Slice:
    return Slice(name, (size,), 0, 1, f"one-hot: {meaning}")


TABLE = (
    # The clock and the score.
    _flag("side", "the viewer: 0 Democrat, 1 Communist"),
    _number("turn", 0, 10, "turn, 0 in the set-up"),
    _number("round", 0, 8, "action round"),
    _flag("phasing", "the action round is mine"),
    _number("vp", -MOST, MOST, "victory points, positive when I lead"),
    # The board.
    _spaces("my_support", 0, MOST, "my support points"),
    _spaces("their_support", 0, MOST, "the opponent's support points"),
    _spaces("control", -1, 1, "1 I control it, -1 the opponent does"),
    _spaces("destroyed", 0, 1, "destroyed by Systematization (69)"),
    _spaces("hideout", 0, 1, "the Ceausescus hide here (97)"),
    _spaces("picked", 0, MOST, "picks it has received in the choice in progress"),
    _spaces("reach", 0, 1, "within reach of the placement in progress"),
    # The countries.
    Slice("power", (N,), -1, 1, "per country: 1 I hold Power, -1 the opponent does"),
    Slice("times_scored", (N,), 0, MOST, "per country: how often the Communist has retained Power"),
    # The strategy cards.
    _cards("my_hand", "in my hand"),
    _cards("discard_pile", "in the discard pile"),
    _cards("removed", "removed from the game"),
    _cards("in_play", "on the table: a lasting event is in effect"),
    _cards("future", "in a deck that has not been added yet"),
    _cards("resolving", "being played"),
    _cards("known_theirs", "in the opponent's hand, or set aside (77) from it, and I know it"),
    _cards("known_mine", "in my hand, or set aside (77) from it, and the opponent knows it"),
    _cards("set_aside", "set aside by Samizdat (77); the Democrat's secret, zero for the Communist"),
    _cards("drawn", "drawn for the third Tiananmen award; seen by its winner only, while he chooses"),
    _cards("stasi_card", "announced under Stasi (13)"),
    _flag("any_set_aside", "some card is set aside by Samizdat (77)"),
    _number("their_hand_size", 0, CARDS, "cards in the opponent's hand"),
    _number("draw_pile_size", 0, CARDS, "cards in the draw pile"),
    _number("discard_pile_size", 0, CARDS, "cards in the discard pile"),
    # The tracks and lasting conditions.
    _number("ussr", 0, 4, "USSR Stability Track"),
    Slice("track", (2,), 0, 8, "Tiananmen Square Track: my box, the opponent's box"),
    Slice("tried_box", (2,), 0, 1, "an attempt at the next box has failed: mine, the opponent's"),
    Slice("tried_turn", (2,), 0, 1, "the attempt of this turn is used: mine, the opponent's"),
    _flag("award7_used", "the seventh Tiananmen award is used"),
    _flag("award8_used", "the eighth Tiananmen award is used"),
    Slice("prudence", (2,), -MOST, 0, "change of ops values by Prudence (8): mine, the opponent's"),
    _number("stand_fast", -1, 1, "Stand Fast (100) protects: 1 me, -1 the opponent, 0 nobody"),
    _one_hot("debt_burden", N, "country named with Foreign Currency Debt Burden (49)"),
    _flag("crowd_done", "The Crowd Turns Against Ceausescu (54) has taken effect"),
    _flag("tyrant_done", "The Tyrant is Gone (97) has taken effect"),
    _flag("ceausescu_due", "the end of the round tests Ceausescu's event (41)"),
    Slice("extra_support", (2,), 0, MOST, "extra set-up points of this game: mine, the opponent's"),
    # The struggle.
    _one_hot("struggle", N, "country of the power struggle that is fought"),
    _flag("started", "I started the struggle"),
    _flag("attacking", "I am the attacker"),
    Slice("raised", (2,), 0, 1, "has raised the stakes: me, the opponent"),
    _number("staked", 0, 2, "cards discarded so far towards a raise"),
    _one_hot("blocked", len(SUITS), "suit blocked by Tactic Fails"),
    _one_hot("led_suit", len(SUITS), "suit of the card led"),
    _number("led_rank", 0, 6, "rank of the card led, 0 when none is"),
    _number("struggle_won", -1, 1, "the struggle is decided: 1 for me, -1 for the opponent"),
    _one_hot("winning_suit", len(SUITS), "suit it was won with"),
    _faces("my_power_hand", 6, "copies in my hand"),
    _faces("their_power_hand", 6, "copies in the opponent's hand, for a Communist under Securitate (70) in Romania"),
    _faces("power_discard", 6, "copies in the discard pile"),
    Slice("power_hand_size", (2,), 0, DECK, "power struggle cards held: by me, by the opponent"),
    _number("power_deck_size", 0, DECK, "power struggle cards left to draw"),
    # The pending decision, and the innermost thing being resolved.
    _flag("acting", "the decision is mine"),
    _one_hot(
        "decision", len(STANDARD_DECISIONS), "pending decision, off turn as far as it is public (docs/rulings.md)"
    ),
    _one_hot("frame_kind", len(STANDARD_FRAME_KINDS), "kind of the thing being resolved"),
    _one_hot("frame_source", SOURCES, "card, award or operation it comes from, 0 for none"),
    _flag("frame_mine", "I carry it out"),
    _number("frame_step", 0, MOST, "how far it has come"),
    _number("frame_left", 0, MOST, "picks, points or checks left"),
    _number("frame_value", 0, MOST, "its ops value or amount"),
    _number("frame_region", 0, MOST, "number of the region it is bound to"),
    _one_hot("frame_country", N, "country named or bound to"),
    _number("frame_bonus", 0, MOST, "bonus to its rolls or points"),
    _number("frame_flags", 0, MOST, "its flags, as one small integer"),
    _spaces("check_target", 0, 1, "target of the check for which the border bonus is offered"),
    _number("play_step", 0, MOST, "how far the card play around it has come"),
    _number("play_first", 0, 2, "first part of the card play: 1 event, 2 operations"),
    _number("play_second", 0, 3, "second part of the card play, likewise; 3 the event of a card used for operations"),
    _number("play_flags", 0, MOST, "flags of the card play around it"),
)  # fmt: skip
"""The slices of the vector, in order."""


def _offsets() -> list[int]:
    ends = np.cumsum([prod(part.shape) for part in TABLE]).tolist()
    return [0, *ends]


SLICES = {part.name: slice(a, b) for part, a, b in zip(TABLE, _offsets(), _offsets()[1:], strict=False)}
"""Name of each part to its place in the vector."""

F = _offsets()[-1]
"""Length of the vector."""

_AT = namedtuple("Offsets", SLICES)(*(place.start for place in SLICES.values()))  # constants for the compiler
_STABILITY = STABILITY.astype(np.int16)


SHOWN_OFF_TURN = np.arange(len(DECISIONS))
"""[decisions] what the side that does not act is shown. Some questions are only asked because of what a hand holds:
the one about 21 looks like the question that follows it in any case; those about cards to give (20) or to discard
(44) are not named."""
SHOWN_OFF_TURN[Decision.CANCEL_WITH_HOME] = Decision.USE
SHOWN_OFF_TURN[[Decision.CANCEL_CHECK, Decision.GIVE_CARD]] = Decision.NONE
SHOWN_OFF_TURN.setflags(write=False)


def low() -> np.ndarray:
    """``[F]`` int8, least value of each entry."""
    return np.concatenate([np.full(prod(part.shape), part.low, np.int8) for part in TABLE])


def high() -> np.ndarray:
    """``[F]`` int8, greatest value of each entry."""
    return np.concatenate([np.full(prod(part.shape), part.high, np.int8) for part in TABLE])


# --- writing ---------------------------------------------------------------------------------------


@jit
def _put(out, at, value):
    """Store an integer, clipped to int8."""
    out[at] = min(max(value, -128), 127)


@jit
def _mark(out, at, size, index):
    """One-hot: mark ``index`` of a part; nothing when it is outside."""
    if 0 <= index < size:
        out[at + int(index)] = 1


@jit
def _mark_side(out, at, owner, side):
    """1 for me, -1 for the opponent, nothing for -1."""
    if owner >= 0:
        out[at] = 1 if owner == side else -1


@jit
def _write_clock(s, side, out):
    out[_AT.side] = side
    out[_AT.turn] = s.turn
    out[_AT.round] = s.action_round
    out[_AT.phasing] = s.phasing == side
    _put(out, _AT.vp, s.vp if side == DEMOCRAT else -s.vp)


@jit
def _write_board(s, side, out):
    support, picked, reach = s.support, s.picked, s.reach
    for i in range(S):
        mine, theirs = support[side, i], support[1 - side, i]
        _put(out, _AT.my_support + i, mine)
        _put(out, _AT.their_support + i, theirs)
        lead = mine - theirs
        out[_AT.control + i] = 1 if lead >= _STABILITY[i] else -1 if -lead >= _STABILITY[i] else 0
    for i in range(S):
        out[_AT.picked + i] = picked[i]
        out[_AT.reach + i] = reach[i]
    _mark(out, _AT.destroyed, S, s.destroyed)
    _mark(out, _AT.hideout, S, s.hideout)
    for i in range(N):
        out[_AT.power + i] = 1 if s.power[i] == side else -1
        out[_AT.times_scored + i] = s.times_scored[i]


@jit
def _write_cards(s, side, out):
    """Planes of the zones a side may see; zone -1 stands for one that is hidden from it."""
    my_zone = np.int8(Zone.HAND + side)
    aside = np.int8(Zone.SET_ASIDE if side == DEMOCRAT else -1)
    drawn = np.int8(Zone.DRAWN if s.decision == Decision.KEEP_CARD and s.actor == side else -1)
    where, known = s.where, s.known
    for i in range(CARDS):
        zone = where[i + 1]
        out[_AT.my_hand + i] = zone == my_zone
        out[_AT.discard_pile + i] = zone == Zone.DISCARD_PILE
        out[_AT.removed + i] = zone == Zone.REMOVED
        out[_AT.in_play + i] = zone == Zone.IN_PLAY
        out[_AT.future + i] = zone == Zone.FUTURE
        out[_AT.resolving + i] = zone == Zone.RESOLVING
        out[_AT.set_aside + i] = zone == aside
        out[_AT.drawn + i] = zone == drawn
    for i in range(CARDS):
        zone = where[i + 1]
        mine = (zone == my_zone) | (zone == aside)
        out[_AT.known_mine + i] = known[i + 1] & mine
        out[_AT.known_theirs + i] = known[i + 1] & (not mine)
    _mark(out, _AT.stasi_card, CARDS, s.stasi_card - 1)


@jit
def _write_card_counts(s, side, out):
    theirs, draw_pile, discard_pile, aside = 0, 0, 0, 0
    their_zone, where = np.int8(Zone.HAND + 1 - side), s.where
    for i in range(1, C):
        zone = where[i]
        theirs += zone == their_zone
        draw_pile += zone == Zone.DRAW_PILE
        discard_pile += zone == Zone.DISCARD_PILE
        aside += zone == Zone.SET_ASIDE
    out[_AT.their_hand_size] = theirs
    out[_AT.draw_pile_size] = draw_pile
    out[_AT.discard_pile_size] = discard_pile
    out[_AT.any_set_aside] = aside > 0


@jit
def _write_pair(out, at, pair, side):
    """Mine, then theirs, of a field kept per side."""
    out[at] = pair[side]
    out[at + 1] = pair[1 - side]


@jit
def _write_tracks(s, side, out):
    out[_AT.ussr] = s.ussr
    _write_pair(out, _AT.track, s.track, side)
    _write_pair(out, _AT.tried_box, s.tried_box, side)
    _write_pair(out, _AT.tried_turn, s.tried_turn, side)
    out[_AT.award7_used] = s.award7_used
    out[_AT.award8_used] = s.award8_used
    _write_pair(out, _AT.prudence, s.prudence, side)
    _mark_side(out, _AT.stand_fast, s.stand_fast, side)
    _mark(out, _AT.debt_burden, N, s.debt_burden)
    out[_AT.crowd_done] = s.crowd_done
    out[_AT.tyrant_done] = s.tyrant_done
    out[_AT.ceausescu_due] = s.ceausescu_due
    _write_pair(out, _AT.extra_support, s.extra_support, side)


@jit
def _write_faces(out, at, copies):
    for face in range(P):
        out[at + face] = copies[face]


@jit
def _write_struggle(s, side, out):
    _mark(out, _AT.struggle, N, s.struggle)
    out[_AT.started] = s.starter == side
    out[_AT.attacking] = s.attacker == side
    _write_pair(out, _AT.raised, s.raised, side)
    out[_AT.staked] = s.staked
    _mark(out, _AT.blocked, len(SUITS), s.blocked)
    _mark(out, _AT.led_suit, len(SUITS), s.led_suit)
    out[_AT.led_rank] = s.led_rank
    _mark_side(out, _AT.struggle_won, s.winner, side)
    _mark(out, _AT.winning_suit, len(SUITS), s.winning_suit)
    mine, theirs = s.power_cards[PowerZone.HAND + side], s.power_cards[PowerZone.HAND + 1 - side]
    _write_faces(out, _AT.my_power_hand, mine)
    if sees_their_hand(s, side):
        _write_faces(out, _AT.their_power_hand, theirs)
    _write_faces(out, _AT.power_discard, s.power_cards[PowerZone.DISCARD])
    out[_AT.power_hand_size] = mine.sum()
    out[_AT.power_hand_size + 1] = theirs.sum()
    out[_AT.power_deck_size] = s.power_cards[PowerZone.DECK].sum()


@jit
def shown_decision(s, side):
    """The pending decision as far as ``side`` may know it."""
    return int(s.decision) if s.actor == side else SHOWN_OFF_TURN[s.decision]


@jit
def _shown_step(s, side, frame):
    """How far a frame has come, likewise."""
    return USE_STEP if s.decision == Decision.CANCEL_WITH_HOME and s.actor != side else frame.step


@jit
def _write_frames(s, side, out):
    """The innermost frame, and the card play it belongs to."""
    if s.depth == 0:
        return
    frame = s.frames[s.depth - 1]
    _mark(out, _AT.frame_kind, len(STANDARD_FRAME_KINDS), frame.kind)
    _mark(out, _AT.frame_source, SOURCES, frame.source)
    out[_AT.frame_mine] = frame.side == side
    _put(out, _AT.frame_step, _shown_step(s, side, frame))
    _put(out, _AT.frame_left, frame.left + frame.first)
    _put(out, _AT.frame_value, frame.value + frame.second + frame.batch + frame.asked)
    _put(out, _AT.frame_region, frame.region)
    _mark(out, _AT.frame_country, N, frame.country)
    _put(out, _AT.frame_bonus, frame.bonus)
    _put(out, _AT.frame_flags, frame.marks)
    if s.decision == Decision.BORDER_BONUS:
        _mark(out, _AT.check_target, S, frame.target)
    for depth in range(s.depth):
        if s.frames[depth].kind == FrameKind.PLAY:
            _write_play(s, side, s.frames[depth], out)


@jit
def _write_play(s, side, play, out):
    """The card play that is going on; there is one at most."""
    _put(out, _AT.play_step, _shown_step(s, side, play))
    _put(out, _AT.play_first, play.first)
    _put(out, _AT.play_second, play.second)
    _put(out, _AT.play_flags, play.marks)


@jit
def _write_decision(s, side, out):
    out[_AT.acting] = s.actor == side and s.result == Result.RUNNING
    _mark(out, _AT.decision, len(STANDARD_DECISIONS), shown_decision(s, side))


@jit
def write_observation(s, side, out):
    """Write what ``side`` sees of a ``STATE`` record into ``out``, ``[F]`` int8."""
    out[:] = 0
    _write_clock(s, side, out)
    _write_board(s, side, out)
    _write_cards(s, side, out)
    _write_card_counts(s, side, out)
    _write_tracks(s, side, out)
    _write_struggle(s, side, out)
    _write_decision(s, side, out)
    _write_frames(s, side, out)


@jit
def write_mask(s, side, out):
    """Write the legal actions of ``side`` into ``out``, ``[A]`` int8: zeros unless the decision is his."""
    if s.actor == side and s.result == Result.RUNNING:
        out[:] = s.legal[: len(out)]
    else:
        out[:] = 0


@entry
def observe_rows(states, sides, observations, masks):
    """Views of a batch, in place: row i is game i seen by ``sides[i]``.

    ``states``: ``[B]`` STATE; ``sides``: ``[B]`` integers; ``observations``: ``[B, F]`` int8;
    ``masks``: ``[B, A]`` int8.
    """
    for i in range(len(states)):
        write_observation(states[i], sides[i], observations[i])
        write_mask(states[i], sides[i], masks[i])


@entry
def _observe_one(states, side, out):
    write_observation(states[0], side, out)


def observe(state: np.record, side: int) -> np.ndarray:
    """``[F]`` int8: what ``side`` sees of a ``STATE`` record."""
    compiling.announce()
    out = np.empty(F, np.int8)
    _observe_one(np.asarray(state).reshape(1), side, out)
    return out


def full_view(state: np.record) -> np.ndarray:
    """``[2 * F]`` int8: the Democrat's view, then the Communist's; for critics, never for players.

    Together they show both hands and all secrets; the draw pile is what neither view shows.
    """
    return np.concatenate([observe(state, DEMOCRAT), observe(state, COMMUNIST)])


# --- reading ---------------------------------------------------------------------------------------


def decode(observation: np.ndarray) -> dict[str, np.ndarray]:
    """The parts of an observation by name, each in its declared shape, int8."""
    return {part.name: observation[SLICES[part.name]].reshape(part.shape) for part in TABLE}


def _chosen(one_hot: np.ndarray, names) -> str:
    """Name marked by a one-hot part, ``-`` when none is."""
    marked = np.flatnonzero(one_hot)
    return names[marked[0]] if len(marked) else "-"


def _card_list(plane: np.ndarray) -> str:
    """Cards of a plane: number and title."""
    return ", ".join(f"{i + 1} {CARD_TITLES[i + 1]}" for i in np.flatnonzero(plane)) or "-"


def _face_list(copies: np.ndarray) -> str:
    """Power struggle faces with their number of copies."""
    return ", ".join(f"{copies[i]}x {FACES[i]}" for i in np.flatnonzero(copies)) or "-"


def _explain_clock(view: dict[str, np.ndarray]) -> list[str]:
    own = int(view["side"][0])
    phasing = "mine" if view["phasing"][0] else "theirs"
    acting = "mine" if view["acting"][0] else "theirs"
    return [
        f"I am the {SIDE_NAMES[own]}, VP {view['vp'][0]:+d}",
        f"Turn {view['turn'][0]}, round {view['round'][0]} ({phasing})",
        f"Decision: {_chosen(view['decision'], DECISIONS)} ({acting})",
        f"Resolving: {_chosen(view['frame_kind'], FRAME_KINDS)} {_chosen(view['frame_source'], SOURCE_TITLES)}, "
        + ", ".join(f"{name} {view['frame_' + name][0]}" for name in ("left", "value", "bonus", "step", "flags")),
    ]


def _explain_cards(view: dict[str, np.ndarray]) -> list[str]:
    planes = ("my_hand", "known_mine", "known_theirs", "set_aside", "drawn", "stasi_card", "resolving", "in_play")
    counts = ("their_hand_size", "draw_pile_size", "discard_pile_size", "any_set_aside")
    lines = [f"{name}: {_card_list(view[name])}" for name in (*planes, "discard_pile", "removed")]
    return [*lines, ", ".join(f"{name} {view[name][0]}" for name in counts)]


def _explain_tracks(view: dict[str, np.ndarray]) -> list[str]:
    pairs = ("track", "tried_box", "tried_turn", "prudence", "extra_support")
    single = ("ussr", "award7_used", "award8_used", "stand_fast", "crowd_done", "tyrant_done", "ceausescu_due")
    return [
        ", ".join(f"{name} {view[name][0]}" for name in single)
        + f", debt_burden {_chosen(view['debt_burden'], COUNTRIES)}",
        ", ".join(f"{name} {view[name][0]}/{view[name][1]}" for name in pairs) + " (mine/theirs)",
    ]


def _explain_struggle(view: dict[str, np.ndarray]) -> list[str]:
    if not view["struggle"].any():
        return []
    attacker = "me" if view["attacking"][0] else "them"
    led = f"{_chosen(view['led_suit'], SUITS)} {view['led_rank'][0]}"
    return [
        f"Struggle in {_chosen(view['struggle'], COUNTRIES)}, attacker {attacker}, raised {view['raised'].tolist()}",
        f"led: {led}; blocked: {_chosen(view['blocked'], SUITS)}",
        f"my_power_hand: {_face_list(view['my_power_hand'])}",
        f"their_power_hand ({view['power_hand_size'][1]} cards): {_face_list(view['their_power_hand'])}",
        f"power_discard: {_face_list(view['power_discard'])}; {view['power_deck_size'][0]} left in the deck",
    ]


def _explain_space(view: dict[str, np.ndarray], space: int) -> str:
    holder = {1: " mine", -1: " theirs", 0: ""}[int(view["control"][space])]
    marks = "".join(f" {name}" for name in ("destroyed", "hideout") if view[name][space])
    return f"{SPACES[space]} {view['my_support'][space]}:{view['their_support'][space]}{holder}{marks}"


def _explain_board(view: dict[str, np.ndarray]) -> list[str]:
    lines = []
    for country, name in enumerate(COUNTRIES):
        power = "mine" if view["power"][country] > 0 else "theirs"
        spaces = "; ".join(_explain_space(view, space) for space in np.flatnonzero(COUNTRY_OF == country))
        lines.append(f"{name} (Power {power}, scored {view['times_scored'][country]}x): {spaces}")
    return lines


def explain(observation: np.ndarray) -> str:
    """An observation as text, one topic a line; support reads mine:theirs."""
    view = decode(observation)
    parts = (_explain_clock, _explain_cards, _explain_tracks, _explain_struggle, _explain_board)
    return "\n".join(line for part in parts for line in part(view))

"""Validation of untrusted ``STATE`` records.

Compiled code trusts its records. So bounds come first, then what must fit together, and last the pending decision:
posed again it must come out as it stands in the record, bit for bit. Each check may rely on those before it.
"""

from collections.abc import Iterator

import numpy as np

from dawn_env import engine
from dawn_env.actions import A
from dawn_env.cards.declarations import COMMON_EUROPEAN_HOME
from dawn_env.cards.event_tables import EIGHTH_ROUND, PROGRAM, PROGRAM_END, PROGRAM_START, REGIONS, STAYING, cards_with
from dawn_env.cards.event_verbs import Opcode
from dawn_env.errors import BadOptions, MalformedPosition
from dawn_env.glossary import card_name
from dawn_env.options import GameOptions
from dawn_env.rules.bid import TIED
from dawn_env.rules.card_play import PlayPart
from dawn_env.rules.frames import FamilyStep, PlayStep, StruggleStep, TurnStep
from dawn_env.rules.setup import BATCH_SIDE, BATCHES, batch_points
from dawn_env.state import (
    DECISIONS,
    FIELDS,
    FRAME,
    FRAME_KINDS,
    MARKERS,
    MAX_HAND,
    MAX_HELD,
    MOST_EXTRA_SUPPORT,
    RESULTS,
    STATE,
    Decision,
    FrameKind,
    Mode,
    PowerZone,
    Result,
    Zone,
    cards_in,
)
from dawn_env.tables import (
    AWARD_6,
    COMMUNIST,
    COUNTRIES,
    CROWD_OPERATION,
    DEMOCRAT,
    EXTRA_ROUND,
    FACE_COUNT,
    FIRST_TURN,
    PERIOD,
    SCORING_CARD,
    SIDE_NAMES,
    SIDES,
    SOURCES,
    SPACES,
    TIANANMEN_BOXES,
    C,
    N,
    S,
)
from dawn_env.validation import other_games_validity as others
from dawn_env.validation.other_games_validity import Problems


def check_state(state: np.record) -> None:
    """Raise ``MalformedPosition``, naming field and reason, unless ``state`` is a game that can be played on."""
    for problem in _problems(state):
        raise MalformedPosition(problem)


def _problems(state) -> Problems:
    yield from _out_of_bounds(state)
    family = state.mode == Mode.FAMILY
    bidding = not family and state.frames[0].kind == FrameKind.BID
    if family:
        yield from others.family_table_problems(state)
    elif not bidding:
        yield from others.offer_problems(state)
        yield from others.no_family_problems(state)
        yield from _zone_problems(state)
        yield from _marker_problems(state)
    if state.result != Result.RUNNING:
        if bidding or state.decision != Decision.NONE or state.reason == 0:
            yield f"result: a game that is over ({RESULTS[state.result]}) has a reason and asks nothing"
        return
    for depth in range(state.depth):
        yield from _frame_problems(state.frames[depth], f"frame {depth}")
    if family:
        yield from others.family_course_problems(state)
    elif bidding:
        yield from others.bid_problems(state)
    else:
        yield from _course_problems(state)
    yield from _knowledge_problems(state)
    if state.decision != Decision.NONE:
        yield from _posed_otherwise(state)


# --- bounds ------------------------------------------------------------------------------------

_FLAG = (0, 1)
_OPERATION = {"source": (1, SOURCES - 1), "value": (0, 40), "region": (0, len(REGIONS) - 1)}
FRAME_BOUNDS = {
    FrameKind.TURN: {"step": (TurnStep.SET_UP, TurnStep.SWAP), "left": (0, MOST_EXTRA_SUPPORT), "batch": (0, BATCHES)},
    FrameKind.PLAY: {
        "step": (0, PlayStep.DONE), "source": (1, C - 1), "first": (0, PlayPart.EVENT_AFTER),
        "second": (0, PlayPart.EVENT_AFTER), "use": (0, A - 1), "marks": (0, 3),
    },
    FrameKind.OPERATIONS: _OPERATION | {"marks": _FLAG},
    FrameKind.PLACEMENT: _OPERATION | {"left": (0, 40), "bonus": _FLAG},
    FrameKind.CHECKS: _OPERATION
    | {"step": _FLAG, "left": (0, 5), "bonus": (0, 3), "target": (0, S - 1), "marks": (0, 15)},
    FrameKind.EVENT: {
        "step": _FLAG, "source": (1, SOURCES - 1), "left": (0, MAX_HELD), "value": (0, C - 1),
        "pc": (0, len(PROGRAM) - 1), "marks": _FLAG,
    },
    FrameKind.BID: {"step": (0, TIED)},
    FrameKind.FAMILY: {"step": (FamilyStep.CARD, FamilyStep.DEFENCE), "source": (0, C - 1)},
    FrameKind.STRUGGLE: {
        "step": (0, StruggleStep.SCORING), "source": (0, C - 1), "left": (0, 4), "country": (0, N - 1), "asked": (0, 2),
        "marks": _FLAG,
    },
}  # fmt: skip
"""Least and greatest value of each column that a kind of frame uses; ``side`` is one of two everywhere, ``country`` a
country or -1; columns that are not named are 0."""


def _out_of_bounds(state) -> Problems:
    for field in FIELDS:
        if not field.is_within(state[field.name]):
            yield f"{field.name}: {field.expected} expected, not {np.asarray(state[field.name]).tolist()}"
    try:
        GameOptions.of_state(state)
    except BadOptions as error:
        yield str(error)
    if not state.generator.any(axis=1).all():
        yield "generator: a stream whose four words are all 0 does not move"
    if (state.tape_at > state.tape_len).any():
        yield f"tape_at: at most tape_len {state.tape_len.tolist()} expected, not {state.tape_at.tolist()}"


def frame_bounds(kind: int, column: str) -> tuple[int, int]:
    """Minimum and maximum of a column in frames of a kind."""
    return ({"side": _FLAG, "country": (-1, N - 1)} | FRAME_BOUNDS[FrameKind(kind)]).get(column, (0, 0))


def _frame_problems(frame, name: str) -> Problems:
    if not 0 <= frame.kind < len(FRAME_KINDS):
        yield f"{name}: kind 0 ... {len(FRAME_KINDS) - 1} expected, not {frame.kind}"
    for column in FRAME.names[1:]:
        low, high = frame_bounds(frame.kind, column)
        if not low <= frame[column] <= high:
            yield f"{name} ({FRAME_KINDS[frame.kind]}): {column} {low} ... {high} expected, not {frame[column]}"
    if frame.kind == FrameKind.EVENT and not PROGRAM_START[frame.source] <= frame.pc < PROGRAM_END[frame.source]:
        yield f"{name} (event): pc {frame.pc} is not in the program of source {frame.source}"


# --- the table -----------------------------------------------------------------------------------


def _zone_problems(state) -> Problems:
    where = state.where
    if where[0] != Zone.NOWHERE:
        yield "where: number 0 has no place"
    for card in np.flatnonzero(where[1:] == Zone.NOWHERE) + 1:
        yield f"card {card} is missing; each card of a deck in the game has a place"
    future = np.take(FIRST_TURN, PERIOD[1:]) > state.turn
    for card in np.flatnonzero((where[1:] == Zone.FUTURE) != future) + 1:
        yield f"card {card} belongs to the deck of turn {FIRST_TURN[PERIOD[card]]}, but it is turn {state.turn}"
    if wrong := sorted(set(cards_in(state, Zone.IN_PLAY)) - STAYING):
        yield f"in_play: cards {wrong} never stay in play; those that do: {sorted(STAYING)}"
    for side, name in enumerate(SIDE_NAMES):
        if (size := len(cards_in(state, Zone.HAND + side))) > MAX_HAND:
            yield f"hand of the {name}: {size} cards, more than the {MAX_HAND} a hand can come to"
    if len(cards_in(state, Zone.SET_ASIDE)) > 1:
        yield f"set aside: one card at most, not {cards_in(state, Zone.SET_ASIDE)}"
    if (drawn := cards_in(state, Zone.DRAWN)) and (state.decision != Decision.KEEP_CARD or len(drawn) > 3):
        yield f"drawn to choose from: up to 3 cards while one is chosen, not {drawn}"
    if state.known[(where < Zone.HAND) & (where != Zone.SET_ASIDE)].any():
        yield "known: only cards in a hand, or set aside, can be known to the opponent"
    if (state.power_cards.sum(axis=0) != FACE_COUNT).any():
        yield "power_cards: each face has the printed number of copies in all zones together"


def _marked_by_cards(state) -> Iterator[tuple[str, bool, int, tuple[int, ...]]]:
    """Markers, whether they are there, the card each comes from, and the zones where that card then lies."""
    for field in MARKERS:
        if field.marker.zone is not None:
            yield field.key, state[field.name] != field.start, field.marker.card, (field.marker.zone,)
    for card, box in cards_with(Opcode.USSR).items():
        yield "ussr", state.ussr >= box, card, (Zone.IN_PLAY,) if card in STAYING else (Zone.RESOLVING, Zone.REMOVED)
    yield f"round {EXTRA_ROUND}", state.action_round == EXTRA_ROUND, EIGHTH_ROUND.card, (Zone.REMOVED,)


def _marker_problems(state) -> Problems:
    """Markers without the cards they come from, and what the map does not allow."""
    for name, there, card, zones in _marked_by_cards(state):
        if there and state.where[card] not in zones:
            place = "in play" if Zone.IN_PLAY in zones else "removed"
            yield f"{name}: needs card {card} {place}, its event having occurred"
    for field in MARKERS:
        if field.marker.needs and state[field.name] != field.start and not state[field.marker.needs]:
            yield f"{field.key}: needs {field.marker.needs}, {card_name(field.marker.card)} having taken effect"
    if state.destroyed >= 0 and state.support[:, state.destroyed].any():
        yield f"support.{SPACES[state.destroyed]}: a destroyed space has no support points"
    for box, used in ((7, state.award7_used), (8, state.award8_used)):
        if used and state.track.max() < box:
            yield f"award{box}_used: nobody has reached box {box}"
    if state.tried_box[state.track == TIANANMEN_BOXES].any():
        yield f"tried_box: there is no attempt from box {TIANANMEN_BOXES}"
    if state.action_round == EXTRA_ROUND and state.phasing != COMMUNIST:
        yield f"round {EXTRA_ROUND}: is the Communist's alone"


# --- what is going on ----------------------------------------------------------------------------


def _course_problems(state) -> Problems:
    yield from _clock_problems(state)
    for country in np.flatnonzero(state.power == DEMOCRAT):
        if state.where[SCORING_CARD[country]] != Zone.REMOVED:
            yield f"power.{COUNTRIES[country]}: the Democrat's once card {SCORING_CARD[country]} is removed, not before"
    frames = state.frames[: state.depth]
    if frames[0].kind != FrameKind.TURN or not all(map(_may_lie_on, frames, frames[1:])):
        kinds = [FRAME_KINDS[kind] for kind in frames["kind"]]
        yield f"frames: {kinds} cannot come out of each other, the first of the turn, as they stand"
    for frame in frames[frames["kind"] == FrameKind.EVENT]:
        if not _picks_fit(state, frame):
            yield f"picked, left: not the picks of source {frame.source}"
    yield from _resolving_problems(state, frames)
    if not _struggle_fits(state, frames[frames["kind"] == FrameKind.STRUGGLE]):
        yield "struggle: its fields, Power and what is being resolved do not agree"
    if state.decision == Decision.NONE and (state.depth > 1 or frames[0].step not in (TurnStep.SET_UP, TurnStep.ROUND)):
        yield "decision: none is pending, but no round is about to begin either"


def _clock_problems(state) -> Problems:
    if (state.turn == 0) != (state.action_round == 0):
        yield f"round: 0 in the set-up, else 1 ... {EXTRA_ROUND}, not {state.action_round} in turn {state.turn}"
    if not state.victory_waits and abs(state.vp) >= 20:
        yield f"vp: -19 ... 19 expected while the game goes on, not {state.vp}"
    turn = state.frames[0]
    if (turn.step == TurnStep.SET_UP) != (state.turn == 0):
        yield f"frame 0: step {turn.step} does not fit turn {state.turn}"
    if state.turn == 0:
        batch = int(turn.batch) - 1
        if batch < 0 or turn.side != BATCH_SIDE[batch] or turn.left > batch_points(state, batch):
            yield "frame 0: not a batch of the set-up"
        if state.phasing != COMMUNIST:
            yield "phasing: the Communist's in the set-up"


def _picks_fit(state, frame) -> bool:
    """Return True if the picks of an event's frame, done and left, are as many as its instruction says."""
    row = PROGRAM[frame.pc]
    picking = frame.step == 1 and (row.opcode <= Opcode.PICK_TAKE_CONTROL or row.opcode == Opcode.MOVE_OUT)
    return not picking or state.picked.sum() + frame.left == (frame.value if row.count < 0 else row.count)


_OPERATIONS = (FrameKind.OPERATIONS, FrameKind.PLACEMENT, FrameKind.CHECKS)
_OF_THE_TURN = {
    FrameKind.PLAY: TurnStep.ROUND_END,
    FrameKind.EVENT: TurnStep.VERIFY,
    FrameKind.STRUGGLE: TurnStep.PARTY_OVER,
}
"""What the turn frame can start, and the step at which it then goes on."""
_OPERATION_VERBS = {Opcode.OPERATION, Opcode.CHOOSE_RED, Opcode.GIVE_HIGHEST}
_STARTED_BY = {
    FrameKind.OPERATIONS: _OPERATION_VERBS,
    FrameKind.PLACEMENT: _OPERATION_VERBS,
    FrameKind.CHECKS: _OPERATION_VERBS | {Opcode.CHECKS},
    FrameKind.STRUGGLE: {Opcode.RANDOM_DISCARD, Opcode.PLAY_FROM_DISCARD},
    FrameKind.EVENT: {Opcode.RANDOM_DISCARD, Opcode.PLAY_FROM_DISCARD, Opcode.GIVE_HIGHEST, Opcode.CHOOSE_RED}
    | {Opcode.ADVANCE_TRACK},
}
"""Verbs of an event that start a frame; the event then stands behind the verb."""


def _may_lie_on(below, above) -> bool:
    kind, step = int(above.kind), int(below.step)
    if below.kind == FrameKind.TURN:
        of_the_turn = kind == FrameKind.PLAY or above.source == (AWARD_6 if kind == FrameKind.EVENT else 0)
        return _OF_THE_TURN.get(kind) == step and of_the_turn
    if below.kind == FrameKind.PLAY:
        started = (*_OPERATIONS, FrameKind.EVENT, FrameKind.STRUGGLE)
        return kind in started and PlayStep.SECOND <= step <= PlayStep.DONE
    if below.kind == FrameKind.STRUGGLE:
        return kind in _OPERATIONS and above.source == CROWD_OPERATION and step == StruggleStep.STAKES
    if below.kind == FrameKind.EVENT and kind in _STARTED_BY:
        at, start = int(below.pc), PROGRAM_START[below.source]
        coup = kind == FrameKind.CHECKS and PROGRAM[at].opcode == Opcode.COUP
        return coup or (at > start and PROGRAM[at - 1].opcode in _STARTED_BY[kind])
    return False


def _resolving_problems(state, frames) -> Problems:
    """Check that the cards being resolved are those on the stack; Deutsche Marks (20) and Common European Home (21)
    hold one more."""
    played, events = frames[frames["kind"] == FrameKind.PLAY], frames[frames["kind"] == FrameKind.EVENT]
    started = frames["source"][np.isin(frames["kind"], (FrameKind.EVENT, FrameKind.STRUGGLE))]
    cards = [card for card in started.tolist() if 0 < card < C]
    if len(set(cards)) < len(cards):
        yield f"frames: an event cannot be resolved twice at once, but sources are {cards}"
    resolving = {*played["source"].tolist(), *cards}
    for card in resolving:
        if state.where[card] not in (Zone.RESOLVING, Zone.IN_PLAY, Zone.REMOVED):
            yield f"card {card}: is being played, but lies elsewhere"
    held = {*events["value"].tolist(), *([COMMON_EUROPEAN_HOME] if len(played) else [])}
    if stray := sorted({*cards_in(state, Zone.RESOLVING)} - resolving - held):
        yield f"cards {stray}: lie as if being played, but nothing plays them"
    if (played["side"] != state.phasing).any():
        yield f"frames: a card is played by another side than {state.phasing}, whose round it is"


def _struggle_fits(state, fought) -> bool:
    """Return True if the fields of a struggle are those of its frame, ``fought`` FRAME [0] or [1], or blank."""
    if len(fought) != (state.struggle >= 0) or len(fought) != state.victory_waits:
        return False
    if len(fought) == 0:
        sides = state.starter, state.attacker, state.winner
        suits = state.winning_suit, state.led_suit, state.blocked
        raised = state.led_rank or state.staked or state.raised.any()
        return {*sides, *suits} == {-1} and not raised and (state.power_cards[PowerZone.DECK] == FACE_COUNT).all()
    frame, country = fought[0], state.struggle
    if frame.country != country or frame.source not in (0, SCORING_CARD[country]) or state.power[country] != COMMUNIST:
        return False
    return min(state.starter, state.attacker) >= 0 and (state.winner >= 0) == (frame.step >= StruggleStep.LOSS_ROLL)


# --- what is known -------------------------------------------------------------------------------


def _knowledge_problems(state) -> Problems:
    if (state.since > state.epoch).any() or (state.drawn_at > state.epoch).any() or state.aside_at > state.epoch:
        yield f"since, drawn_at, aside_at: at most the epoch {state.epoch} expected"
    for side in range(SIDES):
        yield from _held_problems(state, side)
    aside = cards_in(state, Zone.SET_ASIDE)
    if (state.aside_at >= 0) != any(not state.known[card] or state.aside_unsure for card in aside):
        yield "aside_at: is there while a card is set aside that the Communist does not know"
    announced = state.stasi_card > 0 and state.where[state.stasi_card] in (Zone.SET_ASIDE, Zone.HAND + DEMOCRAT)
    if state.aside_unsure and not (aside and announced and state.known[state.stasi_card]):
        yield "aside_unsure: needs a card set aside and one announced"


def _held_problems(state, side: int) -> Problems:
    hidden = (state.where == Zone.HAND + side) | ((state.where == Zone.DRAWN) & (state.actor == side))
    hidden |= (state.where == Zone.SET_ASIDE) & (side == DEMOCRAT)
    since = np.sort(state.since[side, hidden & (state.known == 0)])[:MAX_HELD]
    drawn_at = state.drawn_at[side, : len(since)]
    rest = state.drawn_at[side, len(since) :]
    if (drawn_at < 0).any() or (rest >= 0).any() or (np.diff(drawn_at) < 0).any():
        yield f"drawn_at: {len(since)} epochs, ascending, expected for the {SIDE_NAMES[side]}"
    if (since > drawn_at).any():
        yield f"since: the {SIDE_NAMES[side]} cannot have drawn what they hold"


# --- the pending decision ------------------------------------------------------------------------


def _posed_otherwise(state) -> Problems:
    """Yield what is wrong with the pending decision, and with the numbers of cards counted."""
    posed = np.array([state], STATE)
    posed["recount"] = 1
    engine.advance(posed, np.array([engine.POSE]))
    if (posed["counted"][0] != state.counted).any():
        yield "counted: marks just the cards that must be in a hand"
        posed["counted"][0] = state.counted
    if state.legal_count < 2 or posed.tobytes() != state.tobytes():
        yield f"decision: {DECISIONS[state.decision]} with these legal actions is not what the game would ask now"

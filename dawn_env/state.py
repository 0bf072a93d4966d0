"""One game is one record of ``STATE``; a batch is an array of records.

Nothing that follows from other fields is stored (control, holders of awards, the opponent), with one
exception: the pending decision keeps its set of legal actions, which is computed when it is posed.
"""

from enum import auto

import numpy as np

from dawn_env.actions import ALL_ACTIONS, MOST_POINTS
from dawn_env.state_fields import Field, Lasts, Marker, Used, flag, named, number, one_of
from dawn_env.support.compiling import AutoIntEnum
from dawn_env.tables import (
    COMMUNIST,
    COUNTRIES,
    EXTRA_ROUND,
    FACE_COUNT,
    FIRST_ROMANIAN,
    LAST_TURN,
    ROMANIAN_SPACES,
    SETUP,
    SIDE_LETTERS,
    SIDES,
    SPACES,
    SUITS,
    TIANANMEN_BOXES,
    C,
    N,
    P,
    S,
)

# --- enumerations ------------------------------------------------------------------------------


class Mode(AutoIntEnum):
    """Kind of game."""

    STANDARD = auto()
    FAMILY = auto()


class Zone(AutoIntEnum):
    """Zones of strategy cards: each card is in exactly one (rule 2.2.4). ``HAND + side`` is a side's hand."""

    NOWHERE = auto()
    FUTURE = auto()  # in a deck not yet added
    DRAW_PILE = auto()
    DISCARD_PILE = auto()
    REMOVED = auto()
    IN_PLAY = auto()  # on the table because something still refers to it: also the flag of every lasting event
    RESOLVING = auto()  # being played
    SET_ASIDE = auto()  # by Samizdat (77), the Democrat's secret
    DRAWN = auto()  # for award 3, the acting player's secret
    HAND = auto()


class PowerZone(AutoIntEnum):
    """Zones of power struggle cards. ``HAND + side`` is a side's hand."""

    DECK = auto()
    DISCARD = auto()
    HAND = auto()


class Decision(AutoIntEnum):
    """Pending decision (``docs/reference/actions.md``)."""

    NONE = auto()
    SETUP = auto()
    CARD = auto()
    USE = auto()
    OPS = auto()
    BOTH_ORDER = auto()
    EVENT_AFTER = auto()
    OPS_PLACE = auto()
    CHECK = auto()
    BORDER_BONUS = auto()
    PLACE = auto()
    REMOVE = auto()
    REPLACE = auto()
    TAKE_CONTROL = auto()
    MOVE = auto()
    COUNTRY = auto()
    KEEP_CARD = auto()
    SWAP_CARD = auto()
    STRIKE_CARD = auto()
    STASI_CARD = auto()
    CANCEL_WITH_HOME = auto()
    HOME_CARD = auto()
    GIVE_CARD = auto()
    EXIT_VISAS = auto()
    SAMIZDAT = auto()
    CANCEL_CHECK = auto()
    TAKE_DISCARD = auto()
    EVENT_FROM_DISCARD = auto()
    LENIN = auto()
    NOMENKLATURA = auto()
    DESTROY = auto()
    HIDEOUT = auto()
    REVOLT = auto()
    PARTY = auto()
    LAST_STRUGGLE = auto()
    EXTRA_ROUND = auto()
    STAKES = auto()
    ATTACK = auto()
    SUIT = auto()
    DEFEND = auto()
    SUPPORT_LOSS = auto()
    POWER = auto()
    # Of a bid, up to three.
    OFFER_SIDE = auto()
    OFFER_POINTS = auto()
    OWN_OFFER = auto()
    # Of family mode, besides CARD and PLACE.
    ORIGIN = auto()
    DESTINATION = auto()
    POINTS = auto()
    ATTACK_CARD = auto()
    DEFENCE_CARD = auto()


class Result(AutoIntEnum):
    """Result of a game."""

    RUNNING = auto()
    DEMOCRAT = auto()
    COMMUNIST = auto()
    DRAW = auto()


class Reason(AutoIntEnum):
    """Reason of a game's end."""

    RUNNING = auto()
    AUTOMATIC_VICTORY = auto()
    HELD_SCORING_CARD = auto()
    FINAL_SCORING = auto()
    PARTY = auto()


class Chance(AutoIntEnum):
    """Kinds of chance outcome, each with its own queue."""

    DICE = auto()
    DRAWS = auto()
    RANDOM_DISCARDS = auto()
    POWER_DEAL = auto()
    POWER_DRAWS = auto()
    POWER_RANDOM_DISCARDS = auto()


class Stream(AutoIntEnum):
    """The generators of a game."""

    DICE = auto()
    CARDS = auto()


class Error(AutoIntEnum):
    """Error that stopped the engine."""

    NONE = auto()
    SCRIPT_DRY = auto()
    SCRIPT_IMPOSSIBLE = auto()
    TAPE_FULL = auto()
    STACK_FULL = auto()
    BROKEN = auto()


class FrameKind(AutoIntEnum):
    """Kinds of frame: what can be being resolved."""

    TURN = auto()
    PLAY = auto()
    OPERATIONS = auto()
    PLACEMENT = auto()
    CHECKS = auto()
    EVENT = auto()
    STRUGGLE = auto()
    BID = auto()
    FAMILY = auto()


def _texts(enumeration: type[AutoIntEnum], between: str) -> tuple[str, ...]:
    return tuple(member.name.lower().replace("_", between) for member in enumeration)


MODES = _texts(Mode, " ")
DECISIONS = _texts(Decision, "-")
STANDARD_DECISIONS = DECISIONS[: Decision.POWER + 1]
RESULTS = _texts(Result, " ")
REASONS = (*_texts(Reason, " ")[:-1], "new year's eve party")
CHANCE_KINDS = _texts(Chance, "_")
FRAME_KINDS = _texts(FrameKind, " ")
STANDARD_FRAME_KINDS = FRAME_KINDS[: FrameKind.STRUGGLE + 1]
ERRORS = (
    "none", "the script of chance ran dry", "a scripted outcome is impossible", "more chance than a step can hold",
    "more is being resolved than the stack can hold", "the record is at no step that the rules know",
)  # fmt: skip

TAPE = 64  # outcomes of one kind that one step can hold; a struggle deals at most 36, a turn at most 16

MAX_EPOCH = 126  # of ``epoch``; see rules.knowledge
MAX_HAND = 12  # cards in a hand: 8 dealt, award 3 and Honecker (15) add one each; more never come together
MOST_EXTRA_SUPPORT = 20  # points a side can be given by a bid; more than any space is worth
MAX_HELD = MAX_HAND + 4  # with the card set aside (77) and the three of award 3

# --- frames: what is being resolved, innermost last ----------------------------------------------

MAX_FRAMES = 16  # longest chain: turn, play, the seven events that trigger others, struggle, operation, checks

FRAME = np.dtype((np.record, [
    # Every frame: FrameKind, how far it has come (steps of its kind), the side that carries it out, and the card,
    # award or operation it comes from (0 for none).
    ("kind", "i1"), ("step", "i1"), ("side", "i1"), ("source", "i1"),
    # Picks, points, checks or losses left.
    ("left", "i1"),
    # Turn: batch of the set-up that comes next.
    ("batch", "i1"),
    # Play: its two parts, and the use that was chosen (an action).
    ("first", "i1"), ("second", "i1"), ("use", "i2"),
    # Operations, placement, checks: the printed value, or for a placement the one it began with. Event: what a roll
    # gave, a card, or a set of countries.
    ("value", "i1"),
    # Operations, placement, checks: region they are bound to. Checks, event, struggle: country named, -1: none.
    ("region", "i1"), ("country", "i1"),
    # Placement: points to spend in the region of BOUND_OPS only. Checks: added to every roll; the target.
    ("bonus", "i1"), ("target", "i1"),
    # Event: row of PROGRAM. Struggle: players that have been asked to raise the stakes.
    ("pc", "i2"), ("asked", "i1"),
    # Marks of its kind, as bits.
    ("marks", "i1"),
]))  # fmt: skip

NEW_FRAMES = np.zeros(MAX_FRAMES, FRAME)
"""FRAME [MAX_FRAMES]: all columns 0, but no country."""
NEW_FRAMES["country"] = -1
NEW_FRAMES.setflags(write=False)

# --- the record --------------------------------------------------------------------------------------

_ALWAYS, _IN_GAMES = {"used": Used.ALWAYS}, {"used": Used.IN_GAMES}
_PUBLIC = {"public": True}
_EFFECT = _PUBLIC | {"effect": True}
_FIGHT = _PUBLIC | {"lasts": Lasts.STRUGGLE}
_MOVE = _PUBLIC | {"lasts": Lasts.MOVE, "used": Used.FAMILY}
_IN_ROMANIA = {"first": FIRST_ROMANIAN, "count": ROMANIAN_SPACES}
_KINDS = (len(CHANCE_KINDS),)
_CARDS = [Zone.NOWHERE] + [Zone.FUTURE] * (C - 1)
_DECK = np.zeros((4, P), np.int8)
_DECK[PowerZone.DECK] = FACE_COUNT

FIELDS = (
    # The clock. turn 1-10 (0 in the set-up), action round 1-8, phasing side.
    number("turn", 0, LAST_TURN, key="turn", **_IN_GAMES, **_PUBLIC),
    number("action_round", 0, EXTRA_ROUND, key="round", **_IN_GAMES, **_PUBLIC),
    flag("phasing", start=COMMUNIST, key="phasing", names=SIDE_LETTERS, **_IN_GAMES, **_PUBLIC),
    # Victory points, Democrat positive, never clamped (ruling unbounded-vp). victory_waits: inside a struggle or
    # Final Scoring, where +-20 is not tested (rule 10.1).
    number("vp", -200, 200, kind="i2", key="vp", **_IN_GAMES, **_EFFECT),
    flag("victory_waits", **_PUBLIC),
    # RESULTS and REASONS.
    number("result", 0, len(RESULTS) - 1, **_IN_GAMES, **_PUBLIC),
    number("reason", 0, len(REASONS) - 1, **_IN_GAMES, **_PUBLIC),
    # Support points per side and space.
    number("support", 0, 150, (SIDES, S), "i2", start=SETUP, **_IN_GAMES, **_EFFECT),
    # Side that holds Power per country; how often the Communist has scored for it there.
    flag("power", (N,), start=COMMUNIST, **_EFFECT),
    number("times_scored", 0, 40, (N,), **_PUBLIC),
    # Zone of each strategy card; index 0 is unused and NOWHERE.
    number("where", Zone.NOWHERE, Zone.HAND + COMMUNIST, (C,), start=_CARDS, **_IN_GAMES),
    # 1: the card lies in a hand, or was set aside from it (77), and the opponent knows it.
    flag("known", (C,)),
    # What a side can tell of the other's hidden cards (rules.knowledge): epochs so far; per holder and card the
    # epoch from which on it can have been drawn; per holder the epochs in which the cards that the opponent does
    # not know were drawn, ascending, then -1. Epoch of the card set aside (77), -1: none, or the Communist knows
    # it; 1: it may be the announced one (13).
    number("epoch", 0, MAX_EPOCH, **_IN_GAMES),
    number("since", 0, MAX_EPOCH, (SIDES, C), **_IN_GAMES),
    number("drawn_at", 0, MAX_EPOCH, (SIDES, MAX_HELD), start=-1, none=-1, **_IN_GAMES),
    number("aside_at", 0, MAX_EPOCH, start=-1, none=-1),
    flag("aside_unsure"),
    # Per holder, 1: the opponent has not seen the card, but it must be in the hand, since no others can
    # (rules.knowledge); 1: to be counted anew before the step ends.
    flag("counted", (SIDES, C), **_IN_GAMES),
    flag("recount", (SIDES,), **_IN_GAMES),
    # Number of copies of each face per power struggle zone; of those in a hand, how many the opponent can tell
    # since the deck ran empty (family mode only).
    number(
        "power_cards", 0, int(FACE_COUNT.max()), (4, P), start=_DECK, lasts=Lasts.STRUGGLE, effect=True, **_IN_GAMES
    ),
    number("power_known", 0, int(FACE_COUNT.max()), (SIDES, P), used=Used.FAMILY),
    # USSR Stability Track 0-4. Tiananmen Square track: box 0-8, failed attempt at the next box, attempt used.
    number("ussr", 0, 4, key="ussr", event="USSR stability: {value}", **_EFFECT),
    number("track", 0, TIANANMEN_BOXES, (SIDES,), **_EFFECT),
    flag("tried_box", (SIDES,), **_PUBLIC),
    flag("tried_turn", (SIDES,), lasts=Lasts.TURN, **_EFFECT),
    flag("award7_used", key="award7_used", lasts=Lasts.TURN, **_PUBLIC),
    flag("award8_used", key="award8_used", lasts=Lasts.TURN, **_PUBLIC),
    # Change of each side's ops values by Prudence (8), 0 or negative.
    number("prudence", -20, 0, (SIDES,), key="prudence", lasts=Lasts.TURN, **_EFFECT,
           marker=Marker(8, note="ops {:+d}")),
    # Side protected by Stand Fast (100), country named with 49, space destroyed by 69 and where the
    # Ceausescus hide (97); -1: none.
    named("stand_fast", SIDE_LETTERS, key="stand_fast", lasts=Lasts.TURN, **_EFFECT,
          marker=Marker(100, Zone.IN_PLAY, note="{}")),
    named("debt_burden", COUNTRIES, key="debt_burden", lasts=Lasts.TURN, **_EFFECT,
          marker=Marker(49, Zone.IN_PLAY, note="{}")),
    named("destroyed", SPACES, **_IN_ROMANIA, key="systematized", **_EFFECT,
          marker=Marker(69, Zone.IN_PLAY, words="destroyed", sign="x")),
    named("hideout", SPACES, **_IN_ROMANIA, key="ceausescu_hideout", **_EFFECT,
          marker=Marker(97, needs="tyrant_done", words="the Ceausescus hide here", label="Ceausescus hide", sign="h")),
    # Cards 54 and 97 have taken effect; 41 is to be tested when the round ends.
    flag("crowd_done", key="crowd_done", **_EFFECT, marker=Marker(54, Zone.REMOVED)),
    flag("tyrant_done", key="tyrant_done", **_EFFECT, marker=Marker(97, Zone.REMOVED)),
    flag("ceausescu_due", **_EFFECT, marker=Marker(41, note="tested at the round's end")),
    # Card announced under Stasi (13), 0: none.
    number("stasi_card", 1, C - 1, none=0, key="stasi_card", lasts=Lasts.ROUND, **_EFFECT,
           marker=Marker(13, Zone.IN_PLAY, note="announced: {}")),
    # The struggle that is fought: country (-1 none), starter, attacker, raised stakes, discards towards a
    # raise, blocked suit and suit led (-1 none), rank led (0 none), winner (-1 none) and suit they won with (-1 none).
    one_of("struggle", N, effect=True, **_FIGHT),
    one_of("starter", SIDES, **_FIGHT),
    one_of("attacker", SIDES, **_FIGHT),
    flag("raised", (SIDES,), effect=True, **_FIGHT),
    number("staked", 0, 2, **_FIGHT),
    one_of("blocked", len(SUITS), **_FIGHT),
    one_of("led_suit", len(SUITS), **_FIGHT),
    number("led_rank", 0, 6, **_FIGHT),
    one_of("winner", SIDES, **_FIGHT),
    one_of("winning_suit", len(SUITS), **_FIGHT),
    # The shift or take-over of family mode that is made: spaces (-1 none), points that move, sums of attack and
    # defence, power struggle card that the attacker has added (-1 none).
    one_of("origin", S, **_MOVE),
    one_of("destination", S, **_MOVE),
    number("moved", 0, 150, kind="i2", **_MOVE),
    number("attack", 0, 156, kind="i2", **_MOVE),
    number("defence", 0, 161, kind="i2", **_MOVE),
    one_of("attack_face", P, **_MOVE),
    # Options: Mode; whether the players bid for sides; support points a side places after the set-up (rule 13.0),
    # which a bid finds out.
    number("mode", 0, len(MODES) - 1, start=None, **_IN_GAMES, **_PUBLIC),
    flag("bid", start=None, **_PUBLIC),
    number("extra_support", 0, MOST_EXTRA_SUPPORT, (SIDES,), start=None, **_PUBLIC),
    # The bid: per player (first, second) the side offered and its points, -1 while there is no offer; 1 when the
    # first player plays the Communist.
    number("offers", 0, MOST_POINTS, (SIDES, 2), start=-1, none=-1),
    flag("swapped", **_PUBLIC),
    # The stack of frames.
    number("depth", 1, MAX_FRAMES, **_IN_GAMES),
    Field("frames", FRAME, (MAX_FRAMES,), NEW_FRAMES, **_ALWAYS),
    # Per space: support points moved by the pick in progress; within reach of the placement in progress.
    number("picked", 0, MAX_HELD, (S,), **_PUBLIC),
    flag("reach", (S,), **_PUBLIC),
    # The pending decision, who takes it, and what they may do.
    number("decision", 0, len(DECISIONS) - 1, **_ALWAYS),
    flag("actor", **_ALWAYS),
    flag("legal", (ALL_ACTIONS,), **_ALWAYS),
    number("legal_count", 0, ALL_ACTIONS, kind="i2", **_ALWAYS),
    number("last_legal", 0, ALL_ACTIONS - 1, kind="i2", **_ALWAYS),
    # 1: halt without a decision when the next action round is about to start (position files end there).
    number("stop_at_round", 0, 0, **_ALWAYS),
    # Decisions taken so far.
    number("decisions", 0, 2**31 - 1, kind="i4", **_ALWAYS),
    # Chance: seed of the game, xoshiro128++ words per stream, and the tape. The tape holds the outcomes of
    # the latest step, or, when scripted, those to come; tape_at is what has been consumed.
    number("seed", 0, 2**63 - 1, kind="i8", **_ALWAYS),
    Field("generator", "u4", (2, 4), **_ALWAYS),
    flag("scripted", **_ALWAYS),
    Field("tape", "i1", (len(CHANCE_KINDS), TAPE), **_ALWAYS),
    number("tape_len", 0, TAPE, _KINDS, **_ALWAYS),
    number("tape_at", 0, TAPE, _KINDS, **_ALWAYS),
    number("error", 0, 0, **_IN_GAMES),
)  # fmt: skip
"""The fields of a record, in order. Resets, bounds, position files, events and markers follow from them."""

STATE = np.dtype((np.record, [(field.name, field.kind, field.shape) for field in FIELDS]))
_BLOCK = np.dtype((np.void, STATE.itemsize))  # numpy copies records field by field, blocks at once: ten times faster

FIELD = {field.name: field for field in FIELDS}
MARKERS = tuple(field for field in FIELDS if field.marker)
"""Fields with words for what an event leaves on the table."""
SPACE_MARKERS = tuple(field for field in MARKERS if field.names is SPACES)


def _start() -> np.ndarray:
    states = np.zeros(1, STATE)
    for field in FIELDS:
        if field.start is not None:
            states[field.name] = field.start
    states.setflags(write=False)
    return states


START = _start()
"""STATE [1]: every field as in a new game, options 0."""


def cards_in(state: np.record, zone: int) -> list[int]:
    """Numbers of the cards in a zone, ascending."""
    return np.flatnonzero(state.where == zone).tolist()


def take_states(states: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Copies ``[K]`` of the records in ``rows`` (integers [K])."""
    return states.view(_BLOCK)[rows].view(STATE)


def put_states(states: np.ndarray, rows: np.ndarray | slice, records: np.ndarray) -> None:
    """Copy ``records`` [K] into ``rows`` of ``states``."""
    states.view(_BLOCK)[rows] = records.view(_BLOCK)


def copy_states(states: np.ndarray) -> np.ndarray:
    """Copies of all records."""
    return states.view(_BLOCK).copy().view(STATE)


def new_states(count: int) -> np.ndarray:
    """``[count]`` blank records; ``dawn_env.engine.reset`` turns them into games."""
    return np.zeros(count, STATE)

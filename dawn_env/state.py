"""One game is one record of ``STATE``; a batch is an array of records.

Nothing that follows from other fields is stored (control, holders of awards, the opponent), with one
exception: the pending decision keeps its set of legal actions, which is computed when it is posed.
"""

from enum import auto

import numpy as np

from dawn_env.actions import ALL_ACTIONS
from dawn_env.support.compiling import AutoIntEnum
from dawn_env.tables import SIDES, C, N, P, S

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

_FIELDS = [
    # The clock. turn 1-10 (0 in the set-up), action round 1-8, phasing side.
    ("turn", "i1"), ("action_round", "i1"), ("phasing", "i1"),
    # Victory points, Democrat positive, never clamped (ruling unbounded-vp). victory_waits: inside a struggle or
    # Final Scoring, where +-20 is not tested (rule 10.1).
    ("vp", "i2"), ("victory_waits", "i1"),
    # RESULTS and REASONS.
    ("result", "i1"), ("reason", "i1"),
    # Support points per side and space.
    ("support", "i2", (SIDES, S)),
    # Side that holds Power per country; how often the Communist has scored for it there.
    ("power", "i1", (N,)), ("times_scored", "i1", (N,)),
    # Zone of each strategy card; index 0 is unused and NOWHERE.
    ("where", "i1", (C,)),
    # 1: the card lies in a hand, or was set aside from it (77), and the opponent knows it.
    ("known", "i1", (C,)),
    # What a side can tell of the other's hidden cards (rules.knowledge): epochs so far; per holder and card the
    # epoch from which on it can have been drawn; per holder the epochs in which the cards that the opponent does
    # not know were drawn, ascending, then -1. Epoch of the card set aside (77), -1: none, or the Communist knows
    # it; 1: it may be the announced one (13).
    ("epoch", "i1"), ("since", "i1", (SIDES, C)), ("drawn_at", "i1", (SIDES, MAX_HELD)),
    ("aside_at", "i1"), ("aside_unsure", "i1"),
    # Per holder, 1: the opponent has not seen the card, but it must be in the hand, since no others can
    # (rules.knowledge); 1: to be counted anew before the step ends.
    ("counted", "i1", (SIDES, C)), ("recount", "i1", (SIDES,)),
    # Number of copies of each face per power struggle zone; of those in a hand, how many the opponent can tell
    # since the deck ran empty (family mode only).
    ("power_cards", "i1", (4, P)), ("power_known", "i1", (SIDES, P)),
    # USSR Stability Track 0-4. Tiananmen Square track: box 0-8, failed attempt at the next box, attempt used.
    ("ussr", "i1"), ("track", "i1", (SIDES,)), ("tried_box", "i1", (SIDES,)), ("tried_turn", "i1", (SIDES,)),
    ("award7_used", "i1"), ("award8_used", "i1"),
    # Change of each side's ops values by Prudence (8), 0 or negative.
    ("prudence", "i1", (SIDES,)),
    # Side protected by Stand Fast (100), country named with 49, space destroyed by 69 and where the
    # Ceausescus hide (97); -1: none.
    ("stand_fast", "i1"), ("debt_burden", "i1"), ("destroyed", "i1"), ("hideout", "i1"),
    # Cards 54 and 97 have taken effect; 41 is to be tested when the round ends.
    ("crowd_done", "i1"), ("tyrant_done", "i1"), ("ceausescu_due", "i1"),
    # Card announced under Stasi (13), 0: none.
    ("stasi_card", "i1"),
    # The struggle that is fought: country (-1 none), starter, attacker, raised stakes, discards towards a
    # raise, blocked suit and suit led (-1 none), rank led (0 none), winner (-1 none) and suit they won with (-1 none).
    ("struggle", "i1"), ("starter", "i1"), ("attacker", "i1"), ("raised", "i1", (SIDES,)), ("staked", "i1"),
    ("blocked", "i1"), ("led_suit", "i1"), ("led_rank", "i1"), ("winner", "i1"), ("winning_suit", "i1"),
    # The shift or take-over of family mode that is made: spaces (-1 none), points that move, sums of attack and
    # defence, power struggle card that the attacker has added (-1 none).
    ("origin", "i1"), ("destination", "i1"), ("moved", "i2"), ("attack", "i2"), ("defence", "i2"),
    ("attack_face", "i1"),
    # Options: Mode; whether the players bid for sides; support points a side places after the set-up (rule 13.0),
    # which a bid finds out.
    ("mode", "i1"), ("bid", "i1"), ("extra_support", "i1", (SIDES,)),
    # The bid: per player (first, second) the side offered and its points, -1 while there is no offer; 1 when the
    # first player plays the Communist.
    ("offers", "i1", (SIDES, 2)), ("swapped", "i1"),
    # The stack of frames.
    ("depth", "i1"), ("frames", FRAME, (MAX_FRAMES,)),
    # Per space: support points moved by the pick in progress; within reach of the placement in progress.
    ("picked", "i1", (S,)), ("reach", "i1", (S,)),
    # The pending decision, who takes it, and what they may do.
    ("decision", "i1"), ("actor", "i1"), ("legal", "i1", (ALL_ACTIONS,)), ("legal_count", "i2"), ("last_legal", "i2"),
    # 1: halt without a decision when the next action round is about to start (position files end there).
    ("stop_at_round", "i1"),
    # Decisions taken so far.
    ("decisions", "i4"),
    # Chance: seed of the game, xoshiro128++ words per stream, and the tape. The tape holds the outcomes of
    # the latest step, or, when scripted, those to come; tape_at is what has been consumed.
    ("seed", "i8"), ("generator", "u4", (2, 4)), ("scripted", "i1"),
    ("tape", "i1", (len(CHANCE_KINDS), TAPE)), ("tape_len", "i1", (len(CHANCE_KINDS),)),
    ("tape_at", "i1", (len(CHANCE_KINDS),)),
    ("error", "i1"),
]  # fmt: skip

STATE = np.dtype((np.record, _FIELDS))
_BLOCK = np.dtype((np.void, STATE.itemsize))  # numpy copies records field by field, blocks at once: ten times faster


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

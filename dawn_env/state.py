"""One game is one record of ``STATE``; a batch is an array of records.

Nothing that follows from other fields is stored (control, holders of awards, the opponent), with one
exception: the pending decision keeps its set of legal actions, which is computed when it is posed.
"""

import numpy as np

from dawn_env.actions import ALL_ACTIONS
from dawn_env.tables import SIDES, C, N, P, S

# --- enumerations ------------------------------------------------------------------------------

MODES = ("standard", "family")
STANDARD, FAMILY = range(2)

# Zones of the strategy cards: each card is in exactly one (rule 1.6).
NOWHERE, FUTURE, DRAW_PILE, DISCARD_PILE, REMOVED, IN_PLAY, RESOLVING, SET_ASIDE, DRAWN, HAND = range(10)
# HAND + side is a side's hand. FUTURE: in a deck not yet added. IN_PLAY: on the table because something
# still refers to the card, so this zone is also the flag of every lasting event. RESOLVING: being played.
# SET_ASIDE: by Samizdat (77), the Democrat's secret. DRAWN: for award 3, the acting player's secret.

# Zones of the power struggle cards.
POWER_DECK, POWER_DISCARD, POWER_HAND = range(3)  # POWER_HAND + side

STANDARD_DECISIONS = (
    "none", "setup", "card", "use", "ops", "both-order", "event-after", "ops-place", "check", "border-bonus",
    "place", "remove", "replace", "take-control", "move", "country", "keep-card", "swap-card", "strike-card",
    "stasi-card", "cancel-with-home", "home-card", "give-card", "exit-visas", "samizdat", "cancel-check",
    "take-discard", "event-from-discard", "lenin", "nomenklatura", "destroy", "hideout", "revolt", "party",
    "last-struggle", "extra-round", "stakes", "attack", "suit", "defend", "support-loss", "power",
)  # fmt: skip
(
    NO_DECISION, SETUP, CARD, USE, OPS, BOTH_ORDER, EVENT_AFTER, OPS_PLACE, CHECK, BORDER_BONUS,
    PLACE, REMOVE, REPLACE, TAKE_CONTROL, MOVE, COUNTRY, KEEP_CARD, SWAP_CARD, STRIKE_CARD,
    STASI_CARD, CANCEL_WITH_HOME, HOME_CARD, GIVE_CARD, EXIT_VISAS, SAMIZDAT, CANCEL_CHECK,
    TAKE_DISCARD, EVENT_FROM_DISCARD, LENIN, NOMENKLATURA, DESTROY, HIDEOUT, REVOLT, PARTY,
    LAST_STRUGGLE, EXTRA_ROUND, STAKES, ATTACK, SUIT, DEFEND, SUPPORT_LOSS, POWER,
) = range(len(STANDARD_DECISIONS))  # fmt: skip
BID_DECISIONS = ("offer-side", "offer-points", "own-offer")
OFFER_SIDE, OFFER_POINTS, OWN_OFFER = range(POWER + 1, POWER + 4)
FAMILY_DECISIONS = ("origin", "destination", "points", "attack-card", "defence-card")  # besides card and place
ORIGIN, DESTINATION, POINTS, ATTACK_CARD, DEFENCE_CARD = range(OWN_OFFER + 1, OWN_OFFER + 6)
DECISIONS = STANDARD_DECISIONS + BID_DECISIONS + FAMILY_DECISIONS

RESULTS = ("running", "democrat", "communist", "draw")
RUNNING, DEMOCRAT_WINS, COMMUNIST_WINS, DRAW = range(4)
REASONS = ("running", "automatic victory", "held scoring card", "final scoring", "new year's eve party")
NO_REASON, AUTOMATIC, HELD_CARD, FINAL_SCORING, PARTY_ENDED = range(5)

# Kinds of chance outcome, each with its own queue.
CHANCE_KINDS = ("dice", "draws", "random_discards", "power_deal", "power_draws", "power_random_discards")
DICE, DRAWS, RANDOM_DISCARDS, POWER_DEAL, POWER_DRAWS, POWER_RANDOM_DISCARDS = range(6)
TAPE = 64  # outcomes of one kind that one step can hold; a struggle deals at most 36, a turn at most 16

DICE_STREAM, CARD_STREAM = range(2)

MAX_EPOCH = 127  # of ``epoch``; see rules.knowledge
MAX_HAND = 12  # cards in a hand: 8 dealt, award 3 and Honecker (15) add one each; more never come together
MAX_HELD = MAX_HAND + 4  # with the card set aside (77) and the three of award 3

ERRORS = (
    "none", "the script of chance ran dry", "a scripted outcome is impossible", "more chance than a step can hold",
    "more is being resolved than the stack can hold",
)  # fmt: skip
NO_ERROR, SCRIPT_DRY, SCRIPT_IMPOSSIBLE, TAPE_FULL, STACK_FULL = range(5)

# --- frames: what is being resolved, innermost last ----------------------------------------------

STANDARD_FRAME_KINDS = ("turn", "play", "operations", "placement", "checks", "event", "struggle")
FRAME_KINDS = (*STANDARD_FRAME_KINDS, "bid", "family")
(
    TURN_FRAME, PLAY_FRAME, OPS_FRAME, PLACEMENT_FRAME, CHECKS_FRAME, EVENT_FRAME, STRUGGLE_FRAME,
    BID_FRAME, FAMILY_FRAME,
) = range(len(FRAME_KINDS))  # fmt: skip
MAX_FRAMES = 16  # longest chain: turn, play, the seven events that trigger others, struggle, operation, checks

# Columns of a frame.
KIND, STEP, SIDE, SOURCE, LEFT, VALUE, REGION, COUNTRY_NAMED, BONUS, FLAGS, PC = range(11)
FRAME_LEN = 11

_FIELDS = [
    # The clock. turn 1-10 (0 in the set-up), action round 1-8, phasing side.
    ("turn", "i1"), ("action_round", "i1"), ("phasing", "i1"),
    # Victory points, Democrat positive, never clamped (rule 1.5). victory_waits: inside a struggle or
    # Final Scoring, where +-20 is not tested (rule 9.1).
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
    # raise, blocked suit and suit led (-1 none), rank led (0 none), winner (-1 none) and suit he won with (-1 none).
    ("struggle", "i1"), ("starter", "i1"), ("attacker", "i1"), ("raised", "i1", (SIDES,)), ("staked", "i1"),
    ("blocked", "i1"), ("led_suit", "i1"), ("led_rank", "i1"), ("winner", "i1"), ("winning_suit", "i1"),
    # Options: MODES; whether the players bid for sides; support points a side places after the set-up (rule 13),
    # which a bid finds out.
    ("mode", "i1"), ("bid", "i1"), ("extra_support", "i1", (SIDES,)),
    # The bid: per player (first, second) the side offered and its points, -1 while there is no offer; 1 when the
    # first player plays the Communist.
    ("offers", "i1", (SIDES, 2)), ("swapped", "i1"),
    # The stack of frames.
    ("depth", "i1"), ("frames", "i2", (MAX_FRAMES, FRAME_LEN)),
    # Per space: support points moved by the pick in progress; within reach of the placement in progress.
    ("picked", "i1", (S,)), ("reach", "i1", (S,)),
    # The pending decision, who takes it, and what he may do.
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

"""The parts of the observation, each declared once with the things it is about and what its numbers say.

Offsets, bounds, views by name, ``docs/reference/observation.md`` and what policy files keep follow from ``TABLE``.
Nothing in the vector depends on what the viewer may not know: the opponent's hands, the order and content of the draw
pile, the other side's set-aside and drawn cards, the generator. The legal actions are no part of it: the mask is
separate, and belongs to the acting side only.
"""

from collections import namedtuple
from enum import Enum
from hashlib import blake2b
from typing import Any, NamedTuple

import numpy as np

from dawn_env.state import DECISIONS, MOST_EXTRA_SUPPORT, STANDARD_DECISIONS, STANDARD_FRAME_KINDS, Decision
from dawn_env.tables import COUNTRIES, FACE_COUNT, FACES, SETUP_BATCHES, SIDE_NAMES, SOURCE_TITLES, SPACES, SUITS, C

OBSERVATION_VERSION = 3
"""Goes up with every change of meaning, order or size."""

MOST = 127  # bound of counts that the rules do not bound more tightly
POWER_CARDS = int(FACE_COUNT.sum())

BID_DECISIONS = (Decision.OFFER_SIDE, Decision.OFFER_POINTS, Decision.OWN_OFFER)
FAMILY_DECISIONS = (
    Decision.CARD, Decision.PLACE, Decision.ORIGIN, Decision.DESTINATION, Decision.POINTS, Decision.ATTACK_CARD,
    Decision.DEFENCE_CARD,
)  # fmt: skip
"""The decisions of a bid, and those of family mode."""


class Axis(Enum):
    """Names of the entries of a part, in order."""

    ONE = ("",)
    SPACE = SPACES
    CARD = tuple(range(1, C))
    COUNTRY = COUNTRIES
    FACE = FACES
    SUIT = SUITS
    OWNER = ("mine", "theirs")
    DECISION = STANDARD_DECISIONS
    ACTIVITY = STANDARD_FRAME_KINDS
    SOURCE = SOURCE_TITLES
    SIDE = SIDE_NAMES
    BID_DECISION = tuple(DECISIONS[decision] for decision in BID_DECISIONS)
    FAMILY_DECISION = tuple(DECISIONS[decision] for decision in FAMILY_DECISIONS)


class EntryKind(Enum):
    """Meaning of a number."""

    FLAG = "1: it is so"
    ONE_HOT = "1 at one entry, or at none"
    NUMBER = "how many, or how much"
    SIDE = "1: mine, -1: the opponent's, 0: nobody's"


class ObservationPart(NamedTuple):
    """A named part of the vector: an entry per name of its axis, least and greatest value, and meaning."""

    name: str
    axis: Axis
    kind: EntryKind
    low: int
    high: int
    meaning: str

    @property
    def size(self) -> int:
        """Number of entries."""
        return len(self.axis.value)

    @property
    def digest(self) -> str:
        """Changes with anything that is declared about the part."""
        declared = (self.name, self.axis.name, self.axis.value, self.kind.name, *self[3:])
        return blake2b(repr(declared).encode(), digest_size=6).hexdigest()


def flag(name: str, meaning: str, axis: Axis = Axis.ONE) -> ObservationPart:
    """Yes or no."""
    return ObservationPart(name, axis, EntryKind.FLAG, 0, 1, meaning)


def number(name: str, low: int, high: int, meaning: str, axis: Axis = Axis.ONE) -> ObservationPart:
    """A count or an amount."""
    return ObservationPart(name, axis, EntryKind.NUMBER, low, high, meaning)


def side_of(name: str, meaning: str, axis: Axis = Axis.ONE) -> ObservationPart:
    """Owner relative to the viewer: mine, the opponent's or neutral."""
    return ObservationPart(name, axis, EntryKind.SIDE, -1, 1, meaning)


def one_of(name: str, axis: Axis, meaning: str) -> ObservationPart:
    """One entry, or none."""
    return ObservationPart(name, axis, EntryKind.ONE_HOT, 0, 1, meaning)


def cards(name: str, meaning: str) -> ObservationPart:
    """One flag (0 or 1) for each strategy card."""
    return flag(name, meaning, Axis.CARD)


def faces(name: str, meaning: str) -> ObservationPart:
    """Copies per power struggle face."""
    return number(name, 0, 6, meaning, Axis.FACE)


TABLE = (
    # The clock and the score.
    flag("side", "the viewer: 0 Democrat, 1 Communist"),
    number("turn", 0, 10, "turn, 0 in the set-up"),
    number("round", 0, 8, "action round"),
    flag("phasing", "the action round is mine"),
    number("vp", -MOST, MOST, "victory points, positive when I lead"),
    # The board.
    number("my_support", 0, MOST, "my support points", Axis.SPACE),
    number("their_support", 0, MOST, "the opponent's support points", Axis.SPACE),
    side_of("control", "who controls it", Axis.SPACE),
    one_of("destroyed", Axis.SPACE, "destroyed by Systematization (69)"),
    one_of("hideout", Axis.SPACE, "the Ceausescus hide here (97)"),
    number("picked", 0, MOST, "picks it has received in the choice in progress", Axis.SPACE),
    flag("reach", "within reach of the placement in progress", Axis.SPACE),
    flag("scope", "events, checks and operations: may touch it; once a target is named, that one", Axis.SPACE),
    # The countries.
    side_of("power", "who holds Power", Axis.COUNTRY),
    number("times_scored", 0, MOST, "how often the Communist has retained Power", Axis.COUNTRY),
    # The strategy cards.
    cards("my_hand", "in my hand"),
    cards("discard_pile", "in the discard pile"),
    cards("removed", "removed from the game"),
    cards("in_play", "on the table: a lasting event is in effect"),
    cards("future", "in a deck that has not been added yet"),
    cards("resolving", "being played"),
    cards("known_theirs", "in the opponent's hand, or set aside (77) from it: seen there, or it follows by counting"),
    cards("known_mine", "in my hand, or set aside (77) from it: seen there by the opponent"),
    cards("set_aside", "set aside by Samizdat (77); the Democrat's secret, zero for the Communist"),
    cards("drawn", "drawn for the third Tiananmen award; seen by its winner only, while they choose"),
    one_of("stasi_card", Axis.CARD, "announced under Stasi (13)"),
    flag("any_set_aside", "some card is set aside by Samizdat (77)"),
    number("their_hand_size", 0, C - 1, "cards in the opponent's hand"),
    number("draw_pile_size", 0, C - 1, "cards in the draw pile"),
    number("discard_pile_size", 0, C - 1, "cards in the discard pile"),
    # The tracks and lasting conditions.
    number("ussr", 0, 4, "USSR Stability Track"),
    number("track", 0, 8, "box on the Tiananmen Square Track", Axis.OWNER),
    flag("tried_box", "an attempt at the next box has failed", Axis.OWNER),
    flag("tried_turn", "the attempt of this turn is used", Axis.OWNER),
    flag("award7_used", "the seventh Tiananmen award is used"),
    flag("award8_used", "the eighth Tiananmen award is used"),
    number("prudence", -MOST, 0, "change of ops values by Prudence (8)", Axis.OWNER),
    side_of("stand_fast", "whom Stand Fast (100) protects"),
    one_of("debt_burden", Axis.COUNTRY, "named with Foreign Currency Debt Burden (49)"),
    flag("crowd_done", "The Crowd Turns Against Ceausescu (54) has taken effect"),
    flag("tyrant_done", "The Tyrant is Gone (97) has taken effect"),
    flag("ceausescu_due", "the end of the round tests Ceausescu's event (41)"),
    number("extra_support", 0, MOST_EXTRA_SUPPORT, "extra set-up points of this game", Axis.OWNER),
    # The power struggle; all zero when none is fought.
    one_of("struggle", Axis.COUNTRY, "where it is fought"),
    flag("started", "I started it"),
    flag("attacking", "I am the attacker"),
    flag("raised", "has raised the stakes", Axis.OWNER),
    number("staked", 0, 2, "cards discarded so far towards a raise"),
    one_of("blocked", Axis.SUIT, "blocked by Tactic Fails"),
    one_of("led_suit", Axis.SUIT, "suit of the card led"),
    number("led_rank", 0, 6, "rank of the card led, 0 when none is"),
    side_of("struggle_won", "who has won it"),
    one_of("winning_suit", Axis.SUIT, "suit it was won with"),
    faces("my_power_hand", "copies in my hand"),
    faces("their_power_hand", "copies in the opponent's hand, for a Communist under Securitate (70) in Romania"),
    faces("power_discard", "copies in the discard pile"),
    number("power_hand_size", 0, POWER_CARDS, "power struggle cards held", Axis.OWNER),
    number("power_deck_size", 0, POWER_CARDS, "power struggle cards left to draw"),
    # The pending decision, and the innermost thing that is being resolved.
    flag("acting", "the decision is mine"),
    one_of("decision", Axis.DECISION, "pending decision, off turn as far as it is public (docs/rulings.md)"),
    one_of("activity", Axis.ACTIVITY, "kind of the innermost thing being resolved"),
    one_of("source", Axis.SOURCE, "card, award or operation it comes from, the first entry for none"),
    flag("executing", "I carry it out"),
    number("left", 0, MOST, "picks, points, checks or losses left; cards discarded so far by Exit Visas (75)"),
    number("value", 0, MOST, "operations and checks: printed value; placement: ops value"),
    number("roll_bonus", 0, 3, "checks: added to every roll by the event"),
    number("bound_points", 0, 1, "placement: points left for East Germany alone (58)"),
    flag("bonus_declared", "checks: the bonus of Austria-Hungary Border Reopened (58) was declared, which binds them"),
    one_of("country_named", Axis.COUNTRY, "country it is bound to"),
    number("setup_batch", 0, len(SETUP_BATCHES) + 2, "batches of the set-up begun so far"),
    flag("event_to_come", "an event follows in the card play around it"),
    flag("operations_to_come", "operations follow in the card play around it"),
)  # fmt: skip
"""The parts of the vector, in order."""


def places(table: tuple[ObservationPart, ...]) -> dict[str, slice]:
    """Name of each part to its place in the vector."""
    ends = np.cumsum([part.size for part in table]).tolist()
    return {part.name: slice(start, end) for part, start, end in zip(table, [0, *ends], ends, strict=False)}


def offsets(table: tuple[ObservationPart, ...]) -> Any:
    """Offset of each part, as a named tuple, whose fields are constants for the compiler."""
    begins = {name: place.start for name, place in places(table).items()}
    return namedtuple("Offsets", begins)(**begins)


SLICES = places(TABLE)
"""Name of each part to its place in the vector."""

F = SLICES[TABLE[-1].name].stop
"""Length of the vector."""

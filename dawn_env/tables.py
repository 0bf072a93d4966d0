"""The printed facts of the game as constant arrays, read once from ``data/*.csv``.

Sizes: ``S`` = 75 spaces, ``C`` = 111 card numbers (0 is unused), ``N`` = 6 countries,
``P`` = 20 power struggle faces. All arrays are read-only.
"""

import csv
from pathlib import Path

import numpy as np

DATA = Path(__file__).parent / "data"

DEMOCRAT, COMMUNIST = 0, 1
SIDES = 2
NEUTRAL = 2  # owner of a card of both sides
SIDE_NAMES = ("democrat", "communist")
SIDE_LETTERS = ("D", "C")

EARLY, MIDDLE, LATE = 0, 1, 2
PERIODS = ("early", "middle", "late")
"""Names of the periods, sorted by the turn in which their cards join the deck (``FIRST_TURN``)."""


def _rows(name: str) -> list[dict[str, str]]:
    with open(DATA / name, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def constant(values, dtype=np.int64) -> np.ndarray:
    """Read-only array."""
    array = np.array(values, dtype)
    array.setflags(write=False)
    return array


# --- countries ---------------------------------------------------------------------------------

_countries = _rows("countries.csv")
COUNTRIES = tuple(row["country"] for row in _countries)
N = len(COUNTRIES)
EAST_GERMANY, POLAND, CZECHOSLOVAKIA, HUNGARY, ROMANIA, BULGARIA = range(N)

PRESENCE = constant([row["presence"] for row in _countries])
"""[N] VP for Presence (rule 2.1.9)."""
DOMINATION = constant([row["domination"] for row in _countries])
"""[N] VP for Domination."""
CONTROL = constant([row["control"] for row in _countries])
"""[N] VP for Control."""
POWER_VALUE = constant([row["power"] for row in _countries])
"""[N] VP for retaining Power, per time scored."""
SCORING_CARD = constant([row["scoring_card"] for row in _countries])
"""[N] number of the country's scoring card."""

# --- spaces ------------------------------------------------------------------------------------

_spaces = _rows("spaces.csv")  # country by country
SPACES = tuple(row["name"] for row in _spaces)
S = len(SPACES)
SPACE_ID = {name: index for index, name in enumerate(SPACES)}

SPACE_TYPES = ("elite", "bureaucrat", "worker", "farmer", "intellectual", "student", "church", "minority")
ELITE, BUREAUCRAT, WORKER, FARMER, INTELLECTUAL, STUDENT, CHURCH, MINORITY = range(len(SPACE_TYPES))

COUNTRY_OF = constant([COUNTRIES.index(row["country"]) for row in _spaces])
"""[S] country of each space."""
TYPE_OF = constant([SPACE_TYPES.index(row["type"]) for row in _spaces])
"""[S] type of each space."""
STABILITY = constant([row["stability"] for row in _spaces])
"""[S] stability 1-5; control needs that lead in support points (rules 2.1.4, 2.1.7)."""
BATTLEGROUND = constant([row["battleground"] == "1" for row in _spaces], np.bool_)
"""[S] whether the space is a battleground."""
SETUP = constant([[row["setup_democrat"] for row in _spaces], [row["setup_communist"] for row in _spaces]], np.int16)
"""[2, S] fixed support points of the set-up (rules 3.2, 3.3)."""
FIRST_SPACE = constant([COUNTRY_OF.tolist().index(n) for n in range(N)] + [S])
"""[N + 1] spaces of country n are FIRST_SPACE[n] ... FIRST_SPACE[n + 1] - 1."""
BATTLEGROUNDS = constant([(BATTLEGROUND & (COUNTRY_OF == n)).sum() for n in range(N)])
"""[N] battlegrounds a country has while none is destroyed."""

FIRST_ROMANIAN = int(FIRST_SPACE[ROMANIA])
ROMANIAN_SPACES = int(FIRST_SPACE[ROMANIA + 1]) - FIRST_ROMANIAN


def _adjacency() -> list[set[int]]:
    neighbours: list[set[int]] = [set() for _ in range(S)]
    for row in _rows("edges.csv"):
        a, b = SPACE_ID[row["a"]], SPACE_ID[row["b"]]
        neighbours[a].add(b)
        neighbours[b].add(a)
    return neighbours


def _without(neighbours: list[set[int]], gone: int) -> list[set[int]]:
    """Adjacency after ``gone`` is destroyed: its neighbours become adjacent to each other, once (69)."""
    result = [set(around) for around in neighbours]
    for a in neighbours[gone]:
        result[a] |= neighbours[gone] - {a}
        result[a].discard(gone)
    result[gone] = set()
    return result


_map = _adjacency()
_variants = [_map] + [_without(_map, FIRST_ROMANIAN + i) for i in range(ROMANIAN_SPACES)]
MAX_NEIGHBOURS = max(len(around) for variant in _variants for around in variant)
NEIGHBOURS = constant(
    [[sorted(around) + [-1] * (MAX_NEIGHBOURS - len(around)) for around in variant] for variant in _variants],
    np.int8,
)
"""[15, S, MAX_NEIGHBOURS] neighbours, ended by -1; variant 0 is the printed map, variant i the map
after the i-th Romanian space (from 1) was destroyed."""

HALF = S // 2 + 1
"""Spaces of the first half of the board; the second has the others, S - HALF."""
NEAR = constant([
    [
        [sum(1 << other - first for other in {space, *around} if first <= other < first + HALF)
         for space, around in enumerate(variant)]
        for first in (0, HALF)
    ]
    for variant in _variants
])  # fmt: skip
"""[15, 2, S] a space and its neighbours in each half of the board, as bits from the first space of the half on."""


def _abroad(country: int) -> list[int]:
    """Spaces of other countries next to a country, on any of the maps."""
    around = set().union(
        *(near for variant in _variants for near in variant[slice(*FIRST_SPACE[country : country + 2])])
    )
    return sorted(space for space in around if COUNTRY_OF[space] != country)


_borders = [_abroad(country) for country in range(N)]
_MOST_ABROAD = max(map(len, _borders))
ABROAD = constant([spaces + [-1] * (_MOST_ABROAD + 1 - len(spaces)) for spaces in _borders])
"""[N, ...] spaces of other countries that are next to a country on some map, ended by -1."""

# --- strategy cards ----------------------------------------------------------------------------

_cards = sorted(_rows("cards.csv"), key=lambda row: int(row["number"]))
C = len(_cards) + 1
CARD_TITLES = ("",) + tuple(row["title"] for row in _cards)
_OWNERS = {"democrat": DEMOCRAT, "communist": COMMUNIST, "both": NEUTRAL}

OWNER = constant([NEUTRAL] + [_OWNERS[row["side"]] for row in _cards])
"""[C] DEMOCRAT, COMMUNIST or NEUTRAL."""
PERIOD = constant([-1] + [PERIODS.index(row["period"]) for row in _cards])
"""[C] deck of the card, -1 for number 0."""
ASTERISK = constant([False] + [row["removed_after_event"] == "1" for row in _cards], np.bool_)
"""[C] removed from the game once its event has occurred."""
RED_TITLE = constant([False] + [row["red_title"] == "1" for row in _cards], np.bool_)
"""[C] may be taken by Goodbye Lenin! (46)."""
SCORES = constant([SCORING_CARD.tolist().index(card) if card in SCORING_CARD else -1 for card in range(C)])
"""[C] country of a scoring card, else -1."""

# Events that no card carries have numbers of their own behind the cards.
AWARD_3, AWARD_4, AWARD_6, CROWD_OPERATION = range(C, C + 4)
SOURCES = C + 4
SOURCE_TITLES = CARD_TITLES + (
    "Tiananmen award 3",
    "Tiananmen award 4",
    "Tiananmen award 6",
    "The Crowd Turns Against Ceausescu (operation)",
)
PRINTED_OPS = constant([0] + [row["ops"] for row in _cards] + [0, 0, 2, 0])
"""[SOURCES] printed operations value; 0 for scoring cards; award 6 counts as 2 (rule 6.3.5)."""

# --- power struggle cards ----------------------------------------------------------------------

_faces = _rows("power_cards.csv")
FACES = tuple(row["face"] for row in _faces)
P = len(FACES)
FACE_ID = {face: index for index, face in enumerate(FACES)}

SUITS = ("rally", "march", "strike", "petition")
RALLY, MARCH, STRIKE, PETITION = range(len(SUITS))
LEADER_SUIT = len(SUITS)  # in FACE_SUIT: a leader, its suit is named when it is led
WILD_SUIT = LEADER_SUIT + 1

SUPPORT_FALTERS, SUPPORT_SURGES, SCARE_TACTICS, TACTIC_FAILS = (
    FACE_ID[name] for name in ("support-falters", "support-surges", "scare-tactics", "tactic-fails")
)


def _face_suit(row: dict[str, str]) -> int:
    if row["kind"] == "suit":
        return SUITS.index(row["suit_or_space_type"])
    return LEADER_SUIT if row["kind"] == "leader" else WILD_SUIT


FACE_SUIT = constant([_face_suit(row) for row in _faces])
"""[P] suit, or LEADER_SUIT, or WILD_SUIT."""
FACE_RANK = constant([row["rank"] or 0 for row in _faces])
"""[P] die needed by a matching defender; 3 for leaders, 0 for wild cards (rule 2.3.3)."""
FACE_COUNT = constant([row["count"] for row in _faces], np.uint8)
"""[P] copies in the deck of 52."""
LEADER_TYPE = constant(
    [SPACE_TYPES.index(row["suit_or_space_type"]) if row["kind"] == "leader" else -1 for row in _faces]
)
"""[P] space type a leader needs, else -1."""

AFTERMATH = constant([0, 0, 1, 1, 2, 2, 3, 4])
"""[8] support points lost, and VP won, by modified roll 0-7 (rules 8.4.2, 8.4.3)."""

# --- tracks ------------------------------------------------------------------------------------

TIANANMEN_NEED = constant([[0, 5, 5, 6, 6, 7, 8, 9, 10], [0, 6, 6, 7, 7, 8, 7, 6, 5]])
"""[2, 9] total needed to enter each box of the Tiananmen Square track (rule 6.3.2)."""
TIANANMEN_BOXES = 8
SETUP_BATCHES = ((COMMUNIST, 2), (DEMOCRAT, 3), (COMMUNIST, 3), (DEMOCRAT, 4), (COMMUNIST, 2))
"""Extra placement of the set-up, in order: side and support points (rule 3.4)."""


LAST_TURN = 10
"""Turns are 1 ... ``LAST_TURN``; 0 is the set-up."""

FIRST_TURN = (0, 4, 8)
"""First turn with the cards of each of ``tables.PERIODS`` (rule 4.4)."""

ROUNDS = 7
"""Action rounds of a turn."""

EXTRA_ROUND = ROUNDS + 1
"""The round that Honecker (15) gives the Communist (rule 4.1)."""

HAND_SIZE = 8
"""Cards of a hand after the deal (rule 4.5.1)."""

FAMILY_ROUNDS, FAMILY_HAND_SIZE, FAMILY_POWER_HAND_SIZE = 8, 5, 3
"""In family mode: rounds of a turn, strategy and power struggle cards of a hand after the deal (rule TR.2)."""

"""The verbs events are written in, and their translation to one integer table.

A verb is an instruction of ``INSTRUCTION_LEN`` integers; ``dawn_env.rules.event`` runs them. Regions
are named sets of spaces; conditions are tests on the game or on one space.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from dawn_env.tables import COUNTRIES, COUNTRY_OF, SPACE_ID, SPACE_TYPES, TYPE_OF, S

# --- opcodes -------------------------------------------------------------------------------------

(
    END, PICK_PLACE, PICK_REMOVE, PICK_REPLACE, PICK_LOSE, PICK_TAKE_CONTROL, ADD, CLEAR, FILL,
    CHECKS, OPERATION, VP, STAY, UNLESS, BRANCH, NAME_COUNTRY, CHOOSE_NOMENKLATURA, CHOOSE_OPERATION,
    ROLL_ABOVE, ROLL_AT_LEAST, ROLL_USSR, ROLL_NEPOTISM, USSR,
    QUESTION, KISS, GIVE_HIGHEST, DISCARD_GIVEN, TAKE_FROM_DISCARD, PLAY_FROM_DISCARD, MAY_CANCEL,
    SHOW_RED, CHOOSE_RED, MOVE_OUT, DESTROY_SPACE, DISCARD_ANY, SET_CARD_ASIDE, REVOLT_IN, ADVANCE_TRACK, CONTEST,
    DRAW_THREE, FLEE, DECLARE_PARTY, COUP, SUFFER_PRUDENCE, PROTECT, BAN_COUNTRY, AT_ROUND_END, CANCEL_CARD,
) = range(48)  # fmt: skip

INSTRUCTION_LEN = 7
OPCODE, COUNT, REGION_ID, CAP, WHERE, PER, EXTRA = range(INSTRUCTION_LEN)
"""Columns: what; how many picks; region; most points per space (0: no limit); condition on the space;
points moved per pick; extra argument."""

ALL_OF_THEM = 999  # as PER or COUNT: everything that is there

# Conditions on a space (column WHERE), ``side`` being the executor.
(
    ANY_SPACE, NOT_OPPONENTS, UNCONTROLLED, WITHOUT_OPPONENT, NOT_OWN,
) = range(5)  # fmt: skip

# Conditions on the game (UNLESS, BRANCH).
(
    TYRANT_GONE, COMMUNIST_LEADS, EARLY_YEAR, MIDDLE_YEAR, WALL_IS_GONE, WALL_STANDS, CZECH_WRITERS_NOT_FREE,
    ARMY_REVOLTED, CROWD_WAITS,
) = range(9)  # fmt: skip

# Countries a card may name (NAME_COUNTRY).
OPPONENT_HOLDS, EXECUTOR_HOLDS, NOT_ROMANIA = range(3)

# Cards that may be fetched from the discard pile (PLAY_FROM_DISCARD).
DASH, REFORMER, DOMINO = range(3)

# --- regions -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Region:
    """A named set of spaces, combined with ``&``, ``|`` and ``-``; ``bound`` marks a region named by the
    chosen country of the event as well."""

    spaces: frozenset[int]
    text: str
    bound: bool = False

    def __and__(self, other: "Region") -> "Region":
        return Region(self.spaces & other.spaces, f"{self.text} in {other.text}", self.bound or other.bound)

    def __or__(self, other: "Region") -> "Region":
        return Region(self.spaces | other.spaces, f"{self.text} or {other.text}", self.bound or other.bound)

    def __sub__(self, other: "Region") -> "Region":
        return Region(self.spaces - other.spaces, f"{self.text} except {other.text}", self.bound)


def named(*names: str) -> Region:
    """The region of the spaces with these names."""
    return Region(frozenset(SPACE_ID[name] for name in names), ", ".join(names))


ANYWHERE = Region(frozenset(range(S)), "anywhere")
THAT_COUNTRY = Region(frozenset(range(S)), "that country", bound=True)


def _country(number: int) -> Region:
    return Region(frozenset(np.flatnonzero(COUNTRY_OF == number).tolist()), COUNTRIES[number])


def _type(number: int) -> Region:
    return Region(frozenset(np.flatnonzero(TYPE_OF == number).tolist()), f"{SPACE_TYPES[number]} spaces")


IN_EAST_GERMANY, IN_POLAND, IN_CZECHOSLOVAKIA, IN_HUNGARY, IN_ROMANIA, IN_BULGARIA = map(_country, range(6))
ELITES, BUREAUCRATS, WORKERS, FARMERS, INTELLECTUALS, STUDENTS, CHURCHES, MINORITIES = map(_type, range(8))
EASTERN_EUROPE = IN_EAST_GERMANY | IN_POLAND | IN_CZECHOSLOVAKIA | IN_HUNGARY
BALKANS = IN_ROMANIA | IN_BULGARIA

# --- instructions --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Verb:
    """One instruction before translation."""

    opcode: int
    count: int = 0
    region: Region = ANYWHERE
    cap: int = 0
    where: int = ANY_SPACE
    per: int = 1
    extra: int = 0


def place(count, region, at_most=0, where=ANY_SPACE):
    """Place own support points one by one (free)."""
    return Verb(PICK_PLACE, count, region, at_most, where)


def place_in_one(count, region):
    """Place all of ``count`` points in one space of choice."""
    return Verb(PICK_PLACE, 1, region, per=count)


def place_rolled(region):
    """Place as many points as the last roll gave."""
    return Verb(PICK_PLACE, -1, region)


def remove(count, region, at_most=0):
    """Remove the opponent's points one by one."""
    return Verb(PICK_REMOVE, count, region, at_most)


def remove_from_one(count, region, where=ANY_SPACE):
    """Remove up to ``count`` points from one space of choice."""
    return Verb(PICK_REMOVE, 1, region, where=where, per=count)


def replace_in_one(count, region):
    """Turn up to ``count`` of the opponent's points in one space into own ones."""
    return Verb(PICK_REPLACE, 1, region, per=count)


def opponent_removes(count, region):
    """The opponent removes his own points, one by one."""
    return Verb(PICK_LOSE, count, region)


def take_control(region):
    """Bring one space, not yet controlled, to control."""
    return Verb(PICK_TAKE_CONTROL, 1, region, where=NOT_OWN)


def add(count, region, where=ANY_SPACE):
    """Add points to every space of a region."""
    return Verb(ADD, count, region, where=where)


def clear(region, side, most=ALL_OF_THEM):
    """Remove up to ``most`` points of a side from every space of a region."""
    return Verb(CLEAR, most, region, extra=side)


def fill(region):
    """Add what is missing for control in every space of a region."""
    return Verb(FILL, region=region)


def check(count, region=ANYWHERE, bonus=0):
    """Up to ``count`` support checks with the card's value and a bonus on the roll."""
    return Verb(CHECKS, count, region, per=bonus)


def operation(region=ANYWHERE):
    """Placement or two checks with the card's value."""
    return Verb(OPERATION, region=region)


def vp(points):
    """Move the VP marker, Democrat positive."""
    return Verb(VP, points)


def unless(condition):
    """Nothing further happens when the condition holds."""
    return Verb(UNLESS, extra=condition)


def odd(opcode, region=ANYWHERE, extra=0, count=0):
    """A verb that only one or two cards use."""
    return Verb(opcode, count, region, extra=extra)


def either(opcode, first: Iterable[Verb], second: Iterable[Verb], condition=0) -> list[Verb]:
    """Two ways to go on, by a player's choice or (``BRANCH``) by a condition; each ends the event."""
    first = [*first, Verb(END)]
    return [Verb(opcode, count=len(first) + 1, extra=condition), *first, *second]


# --- translation ---------------------------------------------------------------------------------


@dataclass
class Translator:
    """Collects regions and instructions; ``tables`` gives the constant arrays."""

    regions: list[Region] = field(default_factory=lambda: [ANYWHERE, THAT_COUNTRY])
    rows: list[list[int]] = field(default_factory=list)

    def region(self, region: Region) -> int:
        """Number of a region, entered on first use."""
        for number, known in enumerate(self.regions):
            if known.spaces == region.spaces and known.bound == region.bound:
                return number
        self.regions.append(region)
        return len(self.regions) - 1

    def program(self, verbs: Iterable[Verb]) -> int:
        """Enter a program, ended by END; returns the row it starts at."""
        start = len(self.rows)
        for verb in [*verbs, Verb(END)]:
            row = [verb.opcode, verb.count, self.region(verb.region), verb.cap, verb.where, verb.per, verb.extra]
            self.rows.append(row)
        return start

    def tables(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Instructions ``[I, 7]`` int64, region masks ``[R, S]`` bool, bound flags ``[R]`` bool."""
        masks = np.array([[space in region.spaces for space in range(S)] for region in self.regions])
        return np.array(self.rows), masks, np.array([region.bound for region in self.regions])

"""Reasons why spaces cannot be chosen: for each space that is not legal now, the first rule against it.

The rules themselves mark what is legal; here each of their tests is a mask of spaces with its reason.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cache

import numpy as np

from dawn_env.actions import SPACE0
from dawn_env.cards.declarations import EVENTS
from dawn_env.cards.event_tables import EFFECTS, FIRST_EFFECT, PROGRAM, REGION_BOUND, REGIONS
from dawn_env.cards.event_verbs import Opcode, SpaceTest
from dawn_env.cards.lasting_effects import EffectKind
from dawn_env.cards.named_regions import ANYWHERE, BUREAUCRATS, IN_ROMANIA, THAT_COUNTRY
from dawn_env.observation.player_view import View
from dawn_env.rules.board import MEMBERS, map_variant
from dawn_env.rules.cards_in_play import applies
from dawn_env.rules.operations.ops_values import in_bound_region
from dawn_env.rules.operations.support_checks import BORDER_ON, KREMLIN
from dawn_env.state import Decision, FrameKind
from dawn_env.tables import COUNTRIES, COUNTRY_OF, DEMOCRAT, NEIGHBOURS, SIDE_NAMES, SPACES, STABILITY, S

SYSTEMATIZATION = 69
_BOUND_REGION = np.array([bool(in_bound_region(space)) for space in range(S)])

Bar = tuple[dict, np.ndarray]
"""Fields of the text ``barred`` of ``dawn_env.events.wording``, and the spaces bool [S] that they bar."""


def barred_spaces(view: View) -> list[tuple[dict, list[int]]]:
    """Reasons with their spaces, for all spaces that are not legal; empty where no space is legal.

    It depends on the view alone, that of the side to act.
    """
    state = view._dealt[0]
    left = view.mask[SPACE0 : SPACE0 + S] == 0
    return [] if left.all() else first_reasons(_bars(state), left)


def first_reasons(bars: Iterable[Bar], left: np.ndarray) -> list[tuple[dict, list[int]]]:
    """Pair each reason with the entries of ``left`` (bool) that it is the first to bar."""
    found = []
    for reason, entries in bars:
        if (barred := entries & left).any():
            found.append((reason, np.flatnonzero(barred).tolist()))
            left = left & ~entries
    return found


def _bars(state: np.record) -> Iterator[Bar]:
    """All reasons of the pending decision in the order in which they count, each also for what others bar."""
    f = state.frames[state.depth - 1]
    if 0 <= state.destroyed:
        yield {"barred": "destroyed", "card": SYSTEMATIZATION}, np.arange(S) == state.destroyed
    by_kind: dict[int, Callable[[np.record, np.record], Iterator[Bar]]] = {
        FrameKind.TURN: _set_up, FrameKind.PLACEMENT: _placement, FrameKind.CHECKS: _checks, FrameKind.EVENT: _event,
        FrameKind.STRUGGLE: _struggle, FrameKind.FAMILY: _family,
    }  # fmt: skip
    yield from by_kind[int(f.kind)](state, f)


# --- masks of spaces ------------------------------------------------------------------------------------


def _controlled(state: np.record, side: int) -> np.ndarray:
    support = state.support.astype(int)
    return support[side] - support[1 - side] >= STABILITY


def _open(state: np.record) -> np.ndarray:
    """Spaces where points of a shift or a take-over may go: empty or controlled ones."""
    return ~state.support.any(0) | _controlled(state, 0) | _controlled(state, 1)


def _next_to(state: np.record, spaces: np.ndarray) -> np.ndarray:
    """Neighbours of ``spaces``, bool [S]."""
    return np.append(spaces, False)[NEIGHBOURS[map_variant(state)]].any(1)  # -1, for no neighbour, is the last


def _out_of_reach(state: np.record, side: int) -> Bar:
    held = state.support[side] > 0
    return {"barred": "reach", "side": SIDE_NAMES[side], "began": False}, ~(held | _next_to(state, held))


def _by_control(state: np.record, side: int) -> Bar:
    return {"barred": "controlled", "side": SIDE_NAMES[side]}, _controlled(state, side)


def _by_points(state: np.record, side: int) -> Bar:
    return {"barred": "points", "side": SIDE_NAMES[side]}, state.support[side] > 0


def _by_no_points(state: np.record, side: int) -> Bar:
    return {"barred": "no-points", "side": SIDE_NAMES[side]}, state.support[side] == 0


def _outside(f: np.record, region: int, country: int) -> Bar:
    """Spaces outside of a region, in words with the country that was named."""
    where = region_words(region)
    if country >= 0:
        where = where.replace(THAT_COUNTRY.text, COUNTRIES[country])
    return {"barred": "region", "source": int(f.source), "where": where}, MEMBERS[region, country] == 0


@cache
def region_words(number: int) -> str:
    """A region of the event programs as a place in a sentence."""
    verbs = [verb for event in EVENTS.values() for verb in event.verbs]
    declared = [ANYWHERE, THAT_COUNTRY, IN_ROMANIA, BUREAUCRATS & THAT_COUNTRY, *(verb.region for verb in verbs)]
    spaces, bound = frozenset(np.flatnonzero(REGIONS[number]).tolist()), bool(REGION_BOUND[number])
    return next(region.where for region in declared if (region.spaces, region.bound) == (spaces, bound))


def _in_force(state: np.record, kind: int, side: int) -> Iterator[Bar]:
    """Cards in play with an effect of a kind on a side, and the spaces in which each acts."""
    for effect in EFFECTS[FIRST_EFFECT[kind] : FIRST_EFFECT[kind + 1]]:
        if applies(state, effect, side):
            card = {"barred": "ban", "card": int(effect.card), "side": SIDE_NAMES[side]}
            yield card, MEMBERS[effect.region, state.debt_burden] > 0


# --- by what is going on -------------------------------------------------------------------------------


def _set_up(state: np.record, f: np.record) -> Iterator[Bar]:
    yield _by_points(state, 1 - int(state.actor))


def _placement(state: np.record, f: np.record) -> Iterator[Bar]:
    side, left, bonus = int(f.side), int(f.left), int(f.bonus)
    yield _outside(f, int(f.region), -1)
    yield _out_of_reach(state, side)
    yield {"barred": "reach", "side": SIDE_NAMES[side], "began": True}, state.reach == 0
    double = _controlled(state, 1 - side)
    for _, spaces in _in_force(state, EffectKind.DOUBLE_COST, side):
        double &= ~spaces
    yield {"barred": "bonus"}, (left < 1) & ~_BOUND_REGION
    yield {"barred": "price", "side": SIDE_NAMES[1 - side]}, double & (left + bonus * _BOUND_REGION < 2)


def _checks(state: np.record, f: np.record) -> Iterator[Bar]:
    side = int(f.side)
    yield _outside(f, int(f.region), int(f.country))
    if f.marks & BORDER_ON:
        yield {"barred": "border"}, ~_BOUND_REGION
    yield from _in_force(state, EffectKind.BAN, side)
    if not f.marks & KREMLIN:
        yield _by_no_points(state, 1 - side)


def _event(state: np.record, f: np.record) -> Iterator[Bar]:
    row, side = PROGRAM[f.pc], int(f.side)
    yield _outside(f, int(row.region), int(f.country))
    if row.opcode == Opcode.REVOLT_IN:
        powerless = np.isin(COUNTRY_OF, np.flatnonzero(state.power == side))
        yield {"barred": "power", "side": SIDE_NAMES[1 - side]}, powerless
        yield _by_no_points(state, 1 - side)
    elif row.opcode == Opcode.FLEE:
        yield _by_points(state, DEMOCRAT)
    elif row.opcode != Opcode.DESTROY_SPACE:
        yield from _picks(state, row, side)


def _picks(state: np.record, row: np.record, side: int) -> Iterator[Bar]:
    """Conditions on spaces that are picked one by one."""
    if row.where in (SpaceTest.NOT_OPPONENTS, SpaceTest.UNCONTROLLED):
        yield _by_control(state, 1 - side)
    if row.where in (SpaceTest.NOT_OWN, SpaceTest.UNCONTROLLED):
        yield _by_control(state, side)
    if row.where == SpaceTest.WITHOUT_OPPONENT:
        yield _by_points(state, 1 - side)
    if row.opcode in (Opcode.PICK_REMOVE, Opcode.PICK_REPLACE):
        yield _by_no_points(state, 1 - side)
    if row.cap:
        yield {"barred": "full", "most": int(row.cap)}, state.picked >= row.cap


def _struggle(state: np.record, f: np.record) -> Iterator[Bar]:
    yield {"barred": "country", "country": COUNTRIES[f.country]}, COUNTRY_OF != f.country
    yield _by_no_points(state, int(state.actor) ^ int(state.decision == Decision.REMOVE))


def _family(state: np.record, f: np.record) -> Iterator[Bar]:
    side = int(f.side)
    if state.decision == Decision.PLACE:
        yield _out_of_reach(state, side)
        yield _by_control(state, 1 - side)
    elif state.decision == Decision.ORIGIN:
        yield {"barred": "not-controlled", "side": SIDE_NAMES[side]}, ~_controlled(state, side)
        yield {"barred": "stuck"}, ~_next_to(state, _open(state))
    else:
        around = NEIGHBOURS[map_variant(state), state.origin]
        yield {"barred": "apart", "space": SPACES[state.origin]}, ~np.isin(np.arange(S), around)
        yield {"barred": "contested"}, ~_open(state)

"""The declarations of the cards as constant integer arrays, for the compiled rules.

Programs of instructions, regions, conditions, and a table per kind of lasting effect; all arrays are read-only.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from dawn_env.cards.declarations import EVENTS
from dawn_env.cards.event_conditions import CONDITION, NEVER, NO_CONDITION, Condition
from dawn_env.cards.event_verbs import INSTRUCTION, Opcode, Verb
from dawn_env.cards.lasting_effects import EFFECT, NOTHING, Duration, Effect, EffectKind
from dawn_env.cards.named_regions import ANYWHERE, BUREAUCRATS, IN_EAST_GERMANY, IN_ROMANIA, THAT_COUNTRY, Region
from dawn_env.tables import SOURCES, C, S, constant


@dataclass
class Translator:
    """Collects regions, conditions and instructions as they are first mentioned."""

    regions: list[Region] = field(default_factory=lambda: [ANYWHERE, THAT_COUNTRY])
    conditions: list[Condition] = field(default_factory=lambda: [NO_CONDITION, NEVER])
    rows: list[tuple[int, ...]] = field(default_factory=list)

    def region(self, region: Region) -> int:
        """Number of a region, entered on first use."""
        for number, known in enumerate(self.regions):
            if known.spaces == region.spaces and known.bound == region.bound:
                return number
        self.regions.append(region)
        return len(self.regions) - 1

    def condition(self, condition: Condition) -> int:
        """Number of a condition, entered on first use."""
        if condition not in self.conditions:
            self.conditions.append(condition)
        return self.conditions.index(condition)

    def program(self, verbs: Iterable[Verb]) -> int:
        """Enter a program, ended by END; returns the row it starts at."""
        start = len(self.rows)
        for verb in [*verbs, Verb(Opcode.END)]:
            extra = verb.extra if verb.condition is None else self.condition(verb.condition)
            self.rows.append((verb.opcode, verb.count, self.region(verb.region), verb.cap, verb.where, verb.per, extra))
        return start

    def effect(self, card: int, effect: Effect) -> tuple[int, ...]:
        """The row of a lasting effect."""
        holding = NOTHING if effect.holding is None else self.region(effect.holding)
        return (card, effect.side, self.region(effect.region), effect.amount, holding)


# --- programs ------------------------------------------------------------------------------------

_translator = Translator()
REGION_ROMANIA = _translator.region(IN_ROMANIA)
_translator.region(IN_EAST_GERMANY)
REGION_THAT_BUREAUCRAT = _translator.region(BUREAUCRATS & THAT_COUNTRY)
_empty = _translator.program([])


def _start(source: int) -> int:
    verbs = EVENTS[source].verbs if source in EVENTS else ()
    return _translator.program(verbs) if verbs else _empty


PROGRAM_START = constant([_start(source) for source in range(SOURCES)])
"""[SOURCES] row of PROGRAM where the event of a card (or award) starts."""

PROGRAM = constant(_translator.rows, INSTRUCTION)
"""[I] instructions."""

_ON_SPACES = {
    Opcode.PICK_PLACE, Opcode.PICK_REMOVE, Opcode.PICK_REPLACE, Opcode.PICK_TAKE_CONTROL,
    Opcode.MOVE_OUT, Opcode.DESTROY_SPACE, Opcode.REVOLT_IN, Opcode.FLEE,
}  # fmt: skip
TOUCHES = constant([row.region if row.opcode in _ON_SPACES else -1 for row in PROGRAM.view(np.recarray)])
"""[I] region in which an instruction asks for spaces, -1 where it asks for none."""

_starts = np.array([*sorted(set(PROGRAM_START.tolist())), len(PROGRAM)])
PROGRAM_END = constant(_starts[np.searchsorted(_starts, PROGRAM_START, "right")])
"""[SOURCES] row of PROGRAM behind the event of a card (or award)."""

CAN_OCCUR = constant([_translator.condition(EVENTS[n].when) if n in EVENTS else 0 for n in range(C)])
"""[C] row of CONDITIONS under which the event of a card can occur (rules 5.2, 7.5)."""

# --- cards in play -------------------------------------------------------------------------------

_STAYS = {card: verb for card, event in EVENTS.items() for verb in event.verbs if verb.opcode == Opcode.STAY}


def _until(duration: int) -> np.ndarray:
    return constant([card for card, verb in _STAYS.items() if verb.duration == duration])


ENDS_WITH_TURN, ENDS_WITH_STRUGGLE = _until(Duration.TURN), _until(Duration.STRUGGLE)
"""[K] cards that leave play at the end of the turn; of the next power struggle."""
SERVES_ONCE = constant([n in _STAYS and _STAYS[n].duration == Duration.UNTIL_USED for n in range(C)], np.bool_)
"""[C] a card that leaves play when it has been of use once."""
STAYING = frozenset(_STAYS) | {
    n for n, event in EVENTS.items() for verb in event.verbs if verb.opcode == Opcode.DECLARE_PARTY
}
"""Cards that can be in play: something may still refer to them."""


_declared = [(card, effect) for card, verb in _STAYS.items() for effect in verb.effects]
_declared.sort(key=lambda declared: declared[1].kind)
EFFECTS = constant([_translator.effect(card, effect) for card, effect in _declared], EFFECT)
"""[K] the lasting effects, by kind."""
FIRST_EFFECT = constant(np.searchsorted([effect.kind for _, effect in _declared], range(len(EffectKind) + 1)))
"""[kinds + 1] where the effects of each kind begin in EFFECTS."""

BOUND_OPS, EIGHTH_ROUND = (EFFECTS[FIRST_EFFECT[kind]] for kind in (EffectKind.BOUND_OPS, EffectKind.ROUNDS))
"""The only effects of their kinds."""

# --- regions and conditions mentioned above --------------------------------------------------------

REGIONS = constant([[space in region.spaces for space in range(S)] for region in _translator.regions], np.bool_)
"""[R, S] spaces of each region."""
REGION_BOUND = constant([region.bound for region in _translator.regions], np.bool_)
"""[R] the region is further limited to the country the event has named."""
CONDITIONS = constant([condition.row() for condition in _translator.conditions], CONDITION)
"""[K] conditions; number 0 always holds."""


def condition_number(condition: Condition) -> int:
    """The row of CONDITIONS of a condition that some card has."""
    return _translator.conditions.index(condition)


def cards_with(opcode: int) -> dict[int, int]:
    """Cards with a verb in their event, and the ``count`` of the verb."""
    return {card: verb.count for card, event in EVENTS.items() for verb in event.verbs if verb.opcode == opcode}

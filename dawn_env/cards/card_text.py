"""English text of each card, generated from its declaration.

Verbs are told one sentence each (``dawn_env.cards.event_verbs``), in the order in which they happen, then what a card
in play changes.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cache

from dawn_env.cards.declarations import EVENTS
from dawn_env.cards.event_conditions import NO_CONDITION, cited_card
from dawn_env.cards.event_verbs import ADJECTIVES, Opcode, Verb, gainer, side_name
from dawn_env.cards.lasting_effects import Duration, Effect, EffectKind
from dawn_env.cards.named_regions import ANYWHERE
from dawn_env.tables import (
    ASTERISK,
    CARD_TITLES,
    CONTROL,
    COUNTRIES,
    DOMINATION,
    NEUTRAL,
    OWNER,
    PERIOD,
    PERIODS,
    POWER_VALUE,
    PRESENCE,
    PRINTED_OPS,
    SCORES,
)

# --- cards in play -----------------------------------------------------------------------------------

_SPANS = {
    Duration.TURN: "This turn",
    Duration.UNTIL_USED: "Once only,",
    Duration.STRUGGLE: "In the next power struggle",
    Duration.GAME: "From now on",
}


_STAYS = {
    Duration.TURN: "to the end of the turn",
    Duration.UNTIL_USED: "until it has served",
    Duration.STRUGGLE: "to the end of the next power struggle",
    Duration.GAME: "for good",
}


def _checks_of(effect: Effect) -> str:
    return f"{ADJECTIVES[effect.side]} checks {effect.region.where}"


def _takes_cards(effect: Effect, _: str) -> str:
    taker, loser = side_name(effect.side), side_name(1 - effect.side)
    where = f" {effect.region.where}" if effect.region != ANYWHERE else ""
    cards = "a random struggle card goes" if effect.amount == 1 else f"{effect.amount} random struggle cards go"
    holding = f", if the {taker} controls one of the {effect.holding.text} of the country" if effect.holding else ""
    return f"In the next power struggle{where} {cards} from the {loser} to the {taker}{holding}"


_EFFECTS: dict[int, Callable[[Effect, str], str]] = {
    EffectKind.CHECK_ROLLS: lambda e, span: f"{span} {_checks_of(e)} get {e.amount:+}",
    EffectKind.OPS_VALUES: lambda e, span: f"{span} all ops values of the {side_name(e.side)} are {e.amount} higher",
    EffectKind.BOUND_OPS: lambda e, span: (
        f"{span} operations of the {side_name(e.side)} that are spent {e.region.where} only are worth {e.amount} more"
    ),
    EffectKind.TRACK_ROLLS: lambda e, span: (
        f"{span} Tiananmen Square attempts of the {side_name(e.side)} get {e.amount:+}"
    ),
    EffectKind.AFTERMATH_ROLLS: lambda e, span: (
        f"{span}, if the {side_name(e.side)} wins, both rolls of the aftermath get {e.amount:+}"
    ),
    EffectKind.HAND_SIZE: lambda e, _: f"At the next deal the {side_name(e.side)} is dealt up to {-e.amount} card less",
    EffectKind.ROUNDS: lambda e, span: f"{span} the {side_name(e.side)} may take an eighth action round",
    EffectKind.NEIGHBOURS: lambda e, span: (
        f"{span} {_checks_of(e)} suffer nothing from adjacent spaces of the opponent"
    ),
    EffectKind.DOUBLE_COST: lambda e, span: (
        f"{span} the {side_name(e.side)} pays no double cost for placing {e.region.where}"
    ),
    EffectKind.BAN: lambda e, span: f"{span} the {side_name(e.side)} cannot make support checks {e.region.where}",
    EffectKind.PAYMENT: lambda e, span: f"{span} {_checks_of(e)} give the {gainer(e.amount)} {abs(e.amount)} VP each",
    EffectKind.STRUGGLE_CARDS: _takes_cards,
}
"""What a lasting effect says, given the words for how long the card stays."""


def _consequences(card: int) -> Iterator[str]:
    """Text of a card's influence on the events of other cards."""
    for other, event in EVENTS.items():
        if event.when.card == card:
            yield f"{cited_card(other)} {'can occur from now on' if event.when.expected else 'cannot occur any more'}."
    void = [other for other, event in EVENTS.items() if any(_voids(card, verb) for verb in event.verbs)]
    if void:
        yield f"{', '.join(map(cited_card, void))} {'has' if len(void) == 1 else 'have'} no effect any more."


def _voids(card: int, verb: Verb) -> bool:
    return verb.opcode == Opcode.UNLESS and verb.condition.card == card and verb.condition.expected


# --- cards -------------------------------------------------------------------------------------------


@cache
def effect_text(card: int) -> str:
    """Text of the event of a card (1-110)."""
    if SCORES[card] >= 0:
        return _scoring_text(int(SCORES[card]))
    event = EVENTS[card]
    lasting = [
        f"{_EFFECTS[effect.kind](effect, _SPANS[verb.duration])}." for verb in event.verbs for effect in verb.effects
    ]
    return " ".join(filter(None, (*(verb.text for verb in event.verbs), *lasting, event.text, *_consequences(card))))


def _scoring_text(country: int) -> str:
    return (
        f"Fight a power struggle in {COUNTRIES[country]}, then score it: Presence {PRESENCE[country]}, "
        f"Domination {DOMINATION[country]}, Control {CONTROL[country]}, 1 for each battleground. A Communist who "
        f"retains Power gains {POWER_VALUE[country]} VP times the number of struggles here after which they retained "
        "it, this one included. Whoever still holds the card at the end of the turn loses the game."
    )


@cache
def condition_text(card: int) -> str:
    """Text of a card's prerequisite; empty if it has none."""
    when = EVENTS[card].when if card in EVENTS else NO_CONDITION
    return f"{'once' if when.once else 'while'} {when.text}" if when.text else ""


@cache
def stay_text(card: int) -> str:
    """Text of a card's duration in play after its event; empty if it does not stay."""
    stays = [verb.duration for verb in _verbs(card) if verb.opcode == Opcode.STAY]
    cancelled_by = [n for n in EVENTS if any(v.opcode == Opcode.CANCEL_CARD and v.count == card for v in _verbs(n))]
    ends = [_STAYS[duration] for duration in stays if duration != Duration.GAME or not cancelled_by]
    return " or ".join(ends + [f"until {cited_card(n)} has occurred" for n in cancelled_by])


def _verbs(card: int) -> Sequence[Verb]:
    return EVENTS[card].verbs if card in EVENTS else ()


def printed_facts(card: int) -> list[str]:
    """Value, side, year and what else is printed on a card besides its event."""
    side = "either side" if OWNER[card] == NEUTRAL else side_name(OWNER[card])
    facts = [f"{PRINTED_OPS[card]} ops" if SCORES[card] < 0 else "scoring card", side, f"{PERIODS[PERIOD[card]]} year"]
    return facts + (["removed once it has occurred"] if ASTERISK[card] else [])


def card_text(card: int) -> str:
    """Title, facts and effect of a card (1-110), a line for each paragraph."""
    facts = printed_facts(card)
    facts += [f"can occur only {condition_text(card)}"] if condition_text(card) else []
    return f"{card} {CARD_TITLES[card]}: {', '.join(facts)}.\n{effect_text(card)}"

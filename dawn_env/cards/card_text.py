"""English text of each card, generated from its declaration.

The executor is spoken to: "place" means that they place their own support points, "remove" that they remove the
opponent's. Verbs are told one sentence each, in the order in which they happen, then what a card in play changes.
"""

from collections.abc import Callable, Iterator, Sequence

from dawn_env.cards.declarations import EVENTS
from dawn_env.cards.event_conditions import NO_CONDITION, cited_card
from dawn_env.cards.event_verbs import (
    ALL_OF_THEM,
    FIRST_CUSTOM,
    USSR_STABILITY,
    CardTest,
    CountryTest,
    Opcode,
    SpaceTest,
    Verb,
)
from dawn_env.cards.lasting_effects import Duration, Effect, EffectKind
from dawn_env.cards.named_regions import ANYWHERE, Region
from dawn_env.tables import (
    ASTERISK,
    CARD_TITLES,
    COMMUNIST,
    CONTROL,
    COUNTRIES,
    DEMOCRAT,
    DOMINATION,
    NEUTRAL,
    OWNER,
    PERIOD,
    PERIODS,
    POWER_VALUE,
    PRESENCE,
    PRINTED_OPS,
    SCORES,
    SIDE_NAMES,
)

_ADJECTIVES = ("Democratic", "Communist")

_SPACE_CONDITIONS = {
    SpaceTest.ANY: "",
    SpaceTest.NOT_OPPONENTS: " that the opponent does not control",
    SpaceTest.UNCONTROLLED: " that nobody controls",
    SpaceTest.WITHOUT_OPPONENT: " without points of the opponent",
    SpaceTest.NOT_OWN: " that is not yours",
}
_NAMED_COUNTRIES = {
    CountryTest.OPPONENT_HOLDS: "where the opponent holds Power",
    CountryTest.EXECUTOR_HOLDS: "where you hold Power",
    CountryTest.NOT_ROMANIA: "other than Romania",
}
_FETCHED = {
    CardTest.OWN_WITH_ASTERISK: "a card with an asterisk of your own side",
    CardTest.NOT_SCORING: "a card that scores nothing",
    CardTest.SCORING: "a scoring card",
}


# --- verbs -------------------------------------------------------------------------------------------


def _name(side: int) -> str:
    return SIDE_NAMES[side].capitalize()


def _gainer(vp: int) -> str:
    return _name(COMMUNIST if vp < 0 else DEMOCRAT)


def _where(region: Region) -> str:
    return region.text if region.text.startswith("anywhere") else f"in {region.text}"


def _points(count: int) -> str:
    if count == ALL_OF_THEM:
        return "all points"
    return "1 point" if count == 1 else f"{count} points"


def _remove(verb: Verb) -> str:
    if verb.extra:
        return f"The opponent removes {_points(verb.count)} of their own {_where(verb.region)}."
    return _pick(verb, "Remove")


def _roll(verb: Verb) -> str:
    if verb.extra == USSR_STABILITY:
        return f"Roll a die and add the USSR Stability; go on only with {verb.count} or more."
    number, region = f"the number of {_name(verb.extra)}-controlled spaces", verb.region.text
    if verb.count == 1:
        return f"Roll a die; go on only if it is above {number} in {region}."
    return f"Roll a die and subtract {number} ({region}); go on only with {verb.count} or more."


def _pick(verb: Verb, word: str) -> str:
    """Placing, removing or replacing, in several spaces or all in one."""
    space, whose = _SPACE_CONDITIONS[verb.where], "" if verb.opcode == Opcode.PICK_PLACE else " of the opponent"
    if verb.per != 1 or verb.opcode == Opcode.PICK_REPLACE:
        return f"{word} {_points(verb.per)}{whose} in one space ({verb.region.text}){space}."
    amount = "as many points as rolled" if verb.count < 0 else _points(verb.count)
    most = f", at most {verb.cap} in a space" if verb.cap else ""
    spaces = f", only in spaces{space}" if space else ""
    return f"{word} {amount}{whose} {_where(verb.region)}{most}{spaces}."


def _add(verb: Verb) -> str:
    each = " each" if len(verb.region.spaces) > 1 else ""
    spaces = f"those spaces of {verb.region.text}{_SPACE_CONDITIONS[verb.where]}" if verb.where else verb.region.text
    return f"Add {_points(verb.count)}{each} to {spaces}."


def _clear(verb: Verb) -> str:
    amount = "All" if verb.count == ALL_OF_THEM else f"Up to {verb.count}"
    return f"{amount} {_ADJECTIVES[verb.extra]} points leave {verb.region.text}."


def _checks(verb: Verb) -> str:
    checks = "a support check" if verb.count == 1 else f"up to {verb.count} support checks"
    bonus = f", with +{verb.per} on the roll" if verb.per else ""
    return f"You may make {checks} {_where(verb.region)}{bonus}."


def _name_country(verb: Verb) -> str:
    named = f"a country {_NAMED_COUNTRIES[verb.extra]}"
    return f"You may name {named}; only if you do, go on." if verb.count else f"Name {named}."


def _discard_random(verb: Verb) -> str:
    loser, other = _name(verb.extra), _ADJECTIVES[1 - verb.extra]
    kinds = f"{other} or neutral event" if verb.count else f"{other} event"
    return f"The {loser} discards a random card; a {kinds} on it occurs, carried out by the other side."


def _fetch(verb: Verb) -> str:
    may = "You may choose" if verb.count else "Choose"
    return f"{may} {_FETCHED[verb.extra]} in the discard pile; its event occurs."


_SENTENCES: dict[int, Callable[[Verb], str]] = {
    Opcode.PICK_PLACE: lambda v: _pick(v, "Place"),
    Opcode.PICK_REMOVE: _remove,
    Opcode.PICK_REPLACE: lambda v: _pick(v, "Replace"),
    Opcode.PICK_TAKE_CONTROL: lambda v: (
        f"Add what control needs to one space ({v.region.text}){_SPACE_CONDITIONS[v.where]}."
    ),
    Opcode.ADD: _add,
    Opcode.CLEAR: _clear,
    Opcode.FILL: lambda v: f"Add what control needs to {v.region.text}.",
    Opcode.CHECKS: _checks,
    Opcode.OPERATION: lambda v: f"Place points as an operation, or make two support checks, {_where(v.region)}.",
    Opcode.VP: lambda v: f"The {_gainer(v.count)} gains {abs(v.count)} VP.",
    Opcode.STAY: lambda _: "",  # what it changes comes last
    Opcode.UNLESS: lambda v: f"If {v.condition.text}, nothing further happens.",
    Opcode.NAME_COUNTRY: _name_country,
    Opcode.ROLL: _roll,
    Opcode.USSR: lambda v: f"The USSR Stability marker moves to {v.count}.",
    Opcode.CANCEL_CARD: lambda v: f"{cited_card(v.count)} leaves play.",
    Opcode.RANDOM_DISCARD: _discard_random,
    Opcode.PLAY_FROM_DISCARD: _fetch,
}
"""Sentences of general verbs."""

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
    return f"{_ADJECTIVES[effect.side]} checks {_where(effect.region)}"


def _takes_cards(effect: Effect, _: str) -> str:
    taker, loser = _name(effect.side), _name(1 - effect.side)
    where = f" {_where(effect.region)}" if effect.region != ANYWHERE else ""
    cards = "a random struggle card goes" if effect.amount == 1 else f"{effect.amount} random struggle cards go"
    holding = f", if the {taker} controls one of the {effect.holding.text} of the country" if effect.holding else ""
    return f"In the next power struggle{where} {cards} from the {loser} to the {taker}{holding}"


_EFFECTS: dict[int, Callable[[Effect, str], str]] = {
    EffectKind.CHECK_ROLLS: lambda e, span: f"{span} {_checks_of(e)} get {e.amount:+}",
    EffectKind.OPS_VALUES: lambda e, span: f"{span} all ops values of the {_name(e.side)} are {e.amount} higher",
    EffectKind.BOUND_OPS: lambda e, span: (
        f"{span} operations of the {_name(e.side)} that are spent {_where(e.region)} only are worth {e.amount} more"
    ),
    EffectKind.TRACK_ROLLS: lambda e, span: f"{span} Tiananmen Square attempts of the {_name(e.side)} get {e.amount:+}",
    EffectKind.AFTERMATH_ROLLS: lambda e, span: (
        f"{span}, if the {_name(e.side)} wins, both rolls of the aftermath get {e.amount:+}"
    ),
    EffectKind.HAND_SIZE: lambda e, _: f"At the next deal the {_name(e.side)} is dealt up to {-e.amount} card less",
    EffectKind.ROUNDS: lambda e, span: f"{span} the {_name(e.side)} may take an eighth action round",
    EffectKind.NEIGHBOURS: lambda e, span: (
        f"{span} {_checks_of(e)} suffer nothing from adjacent spaces of the opponent"
    ),
    EffectKind.DOUBLE_COST: lambda e, span: (
        f"{span} the {_name(e.side)} pays no double cost for placing {_where(e.region)}"
    ),
    EffectKind.BAN: lambda e, span: f"{span} the {_name(e.side)} cannot make support checks {_where(e.region)}",
    EffectKind.PAYMENT: lambda e, span: f"{span} {_checks_of(e)} give the {_gainer(e.amount)} {abs(e.amount)} VP each",
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


def _sentences(verbs: Sequence[Verb]) -> Iterator[str]:
    """A program in order; where it has two ways to go on, one after the other."""
    for at, verb in enumerate(verbs):
        if verb.opcode in (Opcode.BRANCH, Opcode.CHOOSE):
            first, second = verbs[at + 1 : at + verb.count - 1], verbs[at + verb.count :]  # between them lies an END
            condition = f"If {verb.condition.text}:" if verb.opcode == Opcode.BRANCH else "Choose, either:"
            yield from (condition, *_sentences(first), "Or:" if verb.opcode != Opcode.BRANCH else "Otherwise:")
            yield from _sentences(second)
            return
        yield verb.text if verb.opcode >= FIRST_CUSTOM else _SENTENCES[verb.opcode](verb)


# --- cards -------------------------------------------------------------------------------------------


def effect_text(card: int) -> str:
    """Text of the event of a card (1-110)."""
    if SCORES[card] >= 0:
        return _scoring_text(int(SCORES[card]))
    event = EVENTS[card]
    lasting = [
        f"{_EFFECTS[effect.kind](effect, _SPANS[verb.duration])}." for verb in event.verbs for effect in verb.effects
    ]
    return " ".join(filter(None, (*_sentences(event.verbs), *lasting, event.text, *_consequences(card))))


def _scoring_text(country: int) -> str:
    return (
        f"Fight a power struggle in {COUNTRIES[country]}, then score it: Presence {PRESENCE[country]}, "
        f"Domination {DOMINATION[country]}, Control {CONTROL[country]}, 1 for each battleground. A Communist who "
        f"retains Power gains {POWER_VALUE[country]} VP times the number of struggles here after which they retained "
        "it, this one included. Whoever still holds the card at the end of the turn loses the game."
    )


def condition_text(card: int) -> str:
    """Text of a card's prerequisite; empty if it has none."""
    when = EVENTS[card].when if card in EVENTS else NO_CONDITION
    return f"{'once' if when.once else 'while'} {when.text}" if when.text else ""


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
    side = "either side" if OWNER[card] == NEUTRAL else _name(OWNER[card])
    facts = [f"{PRINTED_OPS[card]} ops" if SCORES[card] < 0 else "scoring card", side, f"{PERIODS[PERIOD[card]]} year"]
    return facts + (["removed once it has occurred"] if ASTERISK[card] else [])


def card_text(card: int) -> str:
    """Title, facts and effect of a card (1-110), a line for each paragraph."""
    facts = printed_facts(card)
    facts += [f"can occur only {condition_text(card)}"] if condition_text(card) else []
    return f"{card} {CARD_TITLES[card]}: {', '.join(facts)}.\n{effect_text(card)}"

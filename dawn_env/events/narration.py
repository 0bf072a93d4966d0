"""Telling a recorded game the way a player would."""

from collections.abc import Callable, Iterable, Iterator

from dawn_env.bids import PLAYER_NAMES
from dawn_env.errors import DawnError, MalformedPosition
from dawn_env.events.board_changes import Event, changes, check_sum, side_changes
from dawn_env.game import Game
from dawn_env.state import FrameKind, Zone
from dawn_env.tables import (
    CARD_TITLES,
    COUNTRIES,
    SIDE_LETTERS,
    SIDE_NAMES,
    SOURCE_TITLES,
)

_PHRASES = {
    "setup": "sets up in {}",
    "card": "plays {}",
    "use": "uses it for: {}",
    "ops": "spends the operations on: {}",
    "both-order": "takes first: {}",
    "event-after": "lets the event occur: {}",
    "ops-place": "places support in {}",
    "check": "makes a support check in {}",
    "border-bonus": "uses the border bonus: {}",
    "place": "places support in {}",
    "remove": "removes support from {}",
    "replace": "replaces support in {}",
    "take-control": "takes control of {}",
    "move": "moves support: {}",
    "country": "names {}",
    "attack": "attacks with {}",
    "suit": "calls {}",
    "defend": "answers with {}",
    "stakes": "raises the stakes: {}",
    "support-loss": "loses support in {}",
    "power": "decides on Power: {}",
    "party": "at the New Year's Eve Party: {}",
    "keep-card": "keeps {}",
    "swap-card": "exchanges {}",
    "strike-card": "under the strike: {}",
    "stasi-card": "announces {}",
    "cancel-with-home": "cancels the event with Common European Home: {}",
    "home-card": "adds {} to Common European Home",
    "give-card": "gives {}",
    "exit-visas": "exchanges {}",
    "samizdat": "sets aside {}",
    "cancel-check": "cancels the check with {}",
    "take-discard": "takes {} from the discard pile",
    "event-from-discard": "takes the event {} from the discard pile",
    "lenin": "chooses {}",
    "destroy": "destroys {}",
    "hideout": "names the hideout {}",
    "revolt": "lets the workers revolt in {}",
    "last-struggle": "starts the last struggle in {}",
    "extra-round": "decides on {}",
    "offer-side": "gives away the {}",
    "offer-points": "offers {} support points with it",
    "own-offer": "has the higher roll; their own offer counts: {}",
    "origin": "moves support from {}",
    "destination": "moves it to {}",
    "points": "moves {} points",
    "attack-card": "adds {} to the attack",
    "defence-card": "adds {} to the defence",
}
_OF_THE_BID = ("offer-side", "offer-points", "own-offer")
_WHOLE_PHRASES = {"pass": "declines ({})", "concede": "concedes"}
_WHO = {name: at for names in (SIDE_NAMES, PLAYER_NAMES) for at, name in enumerate(names)}
_A_SECRET_CARD = "a card in secret"
_OWN_NEWS = {"my_hand": "you get", "known_theirs": "you learn that the opponent holds"}
_ZONE_WORDS = {
    "resolving": "is being played",
    "in_play": "takes lasting effect",
    "discard_pile": "is discarded",
    "removed": "leaves the game",
}
"""How a card came to a zone that everybody sees."""
_CHANCE_WORDS = {
    "dice": "dice",
    "draws": "draws",
    "random_discards": "discards at random",
    "power_deal": "struggle hands",
    "power_draws": "draws for the struggle",
    "power_random_discards": "loses from the struggle hand",
}


def action_words(text: str) -> str:
    """An action text for people: spaces and countries by name, cards by number and title."""
    family, _, name = text.partition(":")
    if not name:
        return text.replace("-", " ")
    if family == "offer":
        return name.capitalize()
    return card_name(int(name)) if family == "card" else name


def card_name(card: int) -> str:
    """Number and title of a strategy card."""
    return f"{card} {CARD_TITLES[card]}"


def decision_words(side: int, decision: str, action: str, words: str | None = None) -> str:
    """Narrated action: a side, the name of a decision, and the text of its action, or ``words`` instead of it."""
    default = decision.replace("-", " ")
    phrase = _WHOLE_PHRASES.get(action, "").format(default) or _PHRASES.get(decision, default + ": {}")
    names = PLAYER_NAMES if decision in _OF_THE_BID else SIDE_NAMES
    return f"{names[side].capitalize()} {phrase.format(words or action_words(action))}"


def event_words(event: Event) -> list[str]:
    """Lines for an event of ``dawn_env.events``."""
    return _EVENT_WORDS[event["event"]](event)


def _decided(event: Event) -> list[str]:
    side = _WHO[event["who"]]
    return [decision_words(side, event["decision"], event["action"] or "", None if event["action"] else _A_SECRET_CARD)]


def _cards(event: Event) -> list[str]:
    names = [card_name(card) for card in event["cards"]]
    if event["to"] in _OWN_NEWS:
        return [f"{_OWN_NEWS[event['to']]} {', '.join(names)}"]
    return [f"{name} {_ZONE_WORDS[event['to']]}" for name in names]


def _struggle_cards(event: Event) -> list[str]:
    where = {"power_discard": "struggle cards on the table:", "my_power_hand": "you get the struggle cards"}
    return [f"{where[event['to']]} {', '.join(event['cards'])}"]


def _support(event: Event) -> list[str]:
    changes = [
        f"{letter} {event[name][0]} -> {event[name][1]}"
        for name, letter in zip(SIDE_NAMES, SIDE_LETTERS, strict=True)
        if name in event
    ]
    return [f"{event['space']}: {', '.join(changes)}"]


def _check(event: Event) -> list[str]:
    die, value, modifiers = event["die"], event["value"], event["modifiers"]
    sign = "-" if modifiers < 0 else "+"
    total = die + value + modifiers
    return [f"die {die} + ops {value} {sign} {abs(modifiers)} = {total}, needs more than {event['needed']}"]


def _struggle(event: Event) -> list[str]:
    return [f"power struggle in {event['country']}" if event["country"] else "the struggle is over"]


def _sides(event: Event) -> list[str]:
    at = SIDE_NAMES.index(event["first"])
    sides = [SIDE_NAMES[at].capitalize(), SIDE_NAMES[1 - at].capitalize()]
    first, second = (f"the {who} plays the {side}" for who, side in zip(PLAYER_NAMES, sides, strict=True))
    extra = [(name.capitalize(), points) for name, points in event["extra_support"].items() if points]
    return [f"{first}, {second}", *(f"{points} more support points for the {side}" for side, points in extra)]


def _dice(dice: Iterable[int]) -> str:
    return ", ".join(map(str, dice))


_EVENT_WORDS: dict[str, Callable[[Event], list[str]]] = {
    "decision": _decided,
    "cards": _cards,
    "struggle-cards": _struggle_cards,
    "struggle-won": lambda event: [f"{event['side']} wins the struggle"],
    "dice": lambda event: [f"dice: {_dice(event['dice'])}"],
    "check": _check,
    "support": _support,
    "track": lambda event: [f"{event['side']} reaches box {event['box']} of the Tiananmen Square track"],
    "vp": lambda event: [f"VP {event['by']:+d}, now {event['vp']:+d}"],
    "struggle": _struggle,
    "power": lambda event: [f"{event['side']} takes Power in {event['country']}"],
    "offer": lambda event: [f"{event['who'].capitalize()} offers {event['points']} for the {event['side']}"],
    "equal-offers": lambda event: [f"the offers are equal; the dice of both: {_dice(event['dice'])}"],
    "sides": _sides,
    "attack-dice": lambda event: [f"dice: attack {event['attack']}, defence {event['defence']}"],
    "attack": lambda event: [f"attack {event['attack']} against defence {event['defence']}"],
}
"""Lines by kind of event."""


def narrate(record: dict) -> str:
    """A readable log: one line per decision with what chance did and how the VP moved, then the result.

    Raises ``MalformedPosition`` when the record does not replay from its seed.
    """
    game = Game(record["seed"], record["options"])
    players = ", ".join(f"{name} {record['players'][SIDE_LETTERS[side]]}" for side, name in enumerate(SIDE_NAMES))
    lines = [f"Seed {record['seed']}: {players}"]
    heading = ""
    for number, text in enumerate(record["decisions"], 1):
        if heading_words(game) != heading:
            heading = heading_words(game)
            lines += ["", heading]
        lines += _tell_decision(game, number, text)
    lines += ["", f"Result: {game.result} ({game.reason}), {game.vp:+d} VP in turn {game.state.turn}"]
    return "\n".join(lines)


def tell_decisions(game: Game, decisions: Iterable[str]) -> Iterator[list[str]]:
    """The lines of each decision, as in ``narrate``; takes them in ``game``."""
    for number, text in enumerate(decisions, 1):
        yield [line.removeprefix("  ") for line in _tell_decision(game, number, text)]


def heading_words(game: Game) -> str:
    """Heading of the current situation."""
    if game.state.turn == 0:
        return "Set-up" if game.state.where[1:].max() >= Zone.HAND else "Bid"
    if game.state.action_round == 0:
        return f"Turn {game.state.turn}, placement phase"
    action_round = game.state.action_round
    return f"Turn {game.state.turn}, round {action_round}, {SIDE_NAMES[game.state.phasing].capitalize()} to play"


def _event_title(game: Game) -> str:
    """Title of the innermost event being resolved, empty when there is none."""
    frames = game.state.frames[: game.state.depth]
    sources = [int(frame.source) for frame in frames if frame.kind == FrameKind.EVENT]
    return SOURCE_TITLES[sources[-1]] if sources else ""


def _tell_decision(game: Game, number: int, text: str) -> list[str]:
    """The lines of one decision; takes it."""
    decision, before = game.decision, game.copy()
    event, country = _event_title(game), int(game.state.struggle)
    did = decision_words(game.actor, decision, text)
    context = [f"event {event}"] if event else []
    context += [f"struggle in {COUNTRIES[country]}"] if country >= 0 else []
    try:
        game.step(text)
    except DawnError as error:
        raise MalformedPosition(f"decision {number}: {error}") from error
    lines = [f"  {did}" + (f"  [{'; '.join(context)}]" if context else "")]
    return lines + [f"      {line}" for line in _consequences(before, game, text)]


def _consequences(before: Game, game: Game, text: str) -> list[str]:
    """Results of a step: chance, the sum of a check, and changes."""
    lines = [f"{_CHANCE_WORDS[kind]}: {_chance_words(kind, queue)}" for kind, queue in game.chance.items()]
    events = side_changes(before, game) + changes(before, game)
    if before.decision == "check" and text != "pass" and "dice" in game.chance:
        events.insert(0, check_sum(before, text, game.chance["dice"][0]))
    return lines + [line for event in events for line in event_words(event)]


def _chance_words(kind: str, queue: list) -> str:
    if kind in ("draws", "random_discards"):
        return ", ".join(map(card_name, queue))
    return ", ".join(map(str, queue))

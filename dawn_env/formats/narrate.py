"""Telling a recorded game the way a player would."""

from collections.abc import Iterable, Iterator

import numpy as np

from dawn_env.bids import PLAYER_NAMES, is_bid
from dawn_env.errors import DawnError, MalformedPosition
from dawn_env.game import Game
from dawn_env.rules.checks import check_modifiers, check_value
from dawn_env.state import FrameKind, Zone
from dawn_env.support.compiling import entry
from dawn_env.tables import (
    CARD_TITLES,
    COUNTRIES,
    SIDE_LETTERS,
    SIDE_NAMES,
    SOURCE_TITLES,
    SPACE_ID,
    SPACES,
    STABILITY,
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
    """Who did what: a side, the name of a decision, and the text of its action, or ``words`` instead of it."""
    default = decision.replace("-", " ")
    phrase = _WHOLE_PHRASES.get(action, "").format(default) or _PHRASES.get(decision, default + ": {}")
    names = PLAYER_NAMES if decision in _OF_THE_BID else SIDE_NAMES
    return f"{names[side].capitalize()} {phrase.format(words or action_words(action))}"


def change_words(before: Game, after: Game) -> list[str]:
    """Lines for support points, boxes of the track and VP that differ between two moments of a game."""
    old, new = before.state, after.state
    changed = np.flatnonzero((old.support != new.support).any(axis=0)).tolist()
    lines = [_support_words(old, new, space) for space in changed]
    lines += [
        f"{name} reaches box {new.track[side]} of the Tiananmen Square track"
        for side, name in enumerate(SIDE_NAMES)
        if new.track[side] != old.track[side]
    ]
    return lines + ([f"VP {new.vp - old.vp:+d}, now {new.vp:+d}"] if new.vp != old.vp else [])


def side_words(before: Game, after: Game) -> list[str]:
    """Lines for the sides and the support points that a bid has given, once it is over."""
    old, new = before.state, after.state
    if not is_bid(old.decision) or is_bid(new.decision):
        return []
    names = [name.capitalize() for name in SIDE_NAMES]
    sides = names[::-1] if new.swapped else names
    first, second = (f"the {who} plays the {side}" for who, side in zip(PLAYER_NAMES, sides, strict=True))
    extra = zip(names, new.extra_support.tolist(), strict=True)
    return [f"{first}, {second}", *(f"{points} more support points for the {side}" for side, points in extra if points)]


def _support_words(old: np.record, new: np.record, space: int) -> str:
    changes = [
        f"{letter} {old.support[side, space]} -> {new.support[side, space]}"
        for side, letter in enumerate(SIDE_LETTERS)
        if old.support[side, space] != new.support[side, space]
    ]
    return f"{SPACES[space]}: {', '.join(changes)}"


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
    """What goes on, as a heading for what is done."""
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
    """What followed: chance, the sum of a check, and what changed."""
    lines = [f"{_CHANCE_WORDS[kind]}: {_chance_words(kind, queue)}" for kind, queue in game.chance.items()]
    if before.decision == "check" and text != "pass" and "dice" in game.chance:
        lines.append(check_words(before, text, game.chance["dice"][0]))
    return lines + side_words(before, game) + change_words(before, game)


@entry
def _sum_check(states, space, sums):
    s = states[0]
    frame = s.frames[s.depth - 1]
    sums[0], sums[1] = check_value(s, frame, space), check_modifiers(s, frame, space)


def check_words(before: Game, text: str, die: int) -> str:
    """The sum of a support check against twice the stability."""
    space, sums = SPACE_ID[text.removeprefix("space:")], np.zeros(2, np.int64)
    _sum_check(before.states, space, sums)
    value, modifiers = sums.tolist()
    sign = "-" if modifiers < 0 else "+"
    total, needed = die + value + modifiers, 2 * STABILITY[space]
    return f"die {die} + ops {value} {sign} {abs(modifiers)} = {total}, needs more than {needed}"


def _chance_words(kind: str, queue: list) -> str:
    if kind in ("draws", "random_discards"):
        return ", ".join(map(card_name, queue))
    return ", ".join(map(str, queue))

"""The pending decision as a question to a person: what is to be chosen, for which card, and how much is left."""

import numpy as np

from dawn_env.observation.player_view import View
from dawn_env.observation.view_layouts import FAMILY_LAYOUT
from dawn_env.state import FrameKind
from dawn_env.tables import COUNTRIES, FACES, SOURCE_TITLES, SUITS

QUESTIONS = {
    "setup": "place a support point where the opponent has none",
    "card": "play a card",
    "use": "use the card for what?",
    "ops": "which operations?",
    "both-order": "what comes first?",
    "event-after": "the opponent's event follows",
    "ops-place": "place support points",
    "check": "make a support check",
    "border-bonus": "claim the bonus of the open border, for checks in East Germany alone?",
    "place": "place support",
    "remove": "remove support",
    "replace": "replace support",
    "take-control": "take control of a place",
    "move": "move support from Lutheran Church to",
    "country": "name a country",
    "keep-card": "keep one of these cards",
    "swap-card": "you may discard a card and draw another",
    "strike-card": "play a scoring card, or discard a card and roll against the strike",
    "stasi-card": "announce the card of your next round",
    "cancel-with-home": "cancel the event with 21 Common European Home?",
    "home-card": "choose the card whose event is cancelled",
    "give-card": "give one of your highest cards",
    "exit-visas": "discard cards, then draw as many",
    "samizdat": "set a card aside for the next turn and draw another",
    "cancel-check": "discard a card worth 3 or more to cancel the check?",
    "take-discard": "take a card from the discard pile",
    "event-from-discard": "choose a card of the discard pile, its event occurs",
    "lenin": "choose the event of a card, or operations",
    "nomenklatura": "add or remove support?",
    "destroy": "destroy a place",
    "hideout": "where do the Ceausescus hide?",
    "revolt": "where do the workers revolt?",
    "party": "end the game with this turn?",
    "last-struggle": "a last power struggle in which country?",
    "extra-round": "play an eighth round?",
    "stakes": "discard three struggle cards to raise the stakes?",
    "attack": "attack with a card",
    "suit": "which suit does the leader stand for?",
    "defend": "answer",
    "support-loss": "choose where you lose support",
    "power": "keep Power?",
    "offer-side": "which side do you give away?",
    "offer-points": "how many support points do you give with it?",
    "own-offer": "of the equal offers, is your own to count?",
    "origin": "move support points from where?",
    "destination": "to where? A place that is not yours is a take-over",
    "points": "how many support points?",
    "attack-card": "add a struggle card to the attack?",
    "defence-card": "add a struggle card to the defence?",
}
"""By decision, every one there is."""

_UNITS = {
    "setup": "point", "ops-place": "point", "move": "point", "support-loss": "point", "check": "check",
    "place": "pick", "remove": "pick", "replace": "pick", "take-control": "pick",
}  # fmt: skip
_STAKE = 3  # struggle cards


def question(view: View) -> str:
    """Question of the pending decision in one line, from the view of the side to act."""
    parts = view.layout.decode(view.observation)
    asked = QUESTIONS[view.decision]
    if view.layout is FAMILY_LAYOUT:
        return _joined(asked, _family_facts(view.decision, parts))
    return _joined(_about(parts) + asked + _led(view.decision, parts), _left(view.decision, parts))


def _joined(asked: str, facts: list[str]) -> str:
    """Question and its explanation."""
    told = ", ".join(facts)
    return f"{asked} {told[0].upper()}{told[1:]}" if told and asked.endswith("?") else ", ".join([asked, *facts])


def _family_facts(decision: str, parts: dict) -> list[str]:
    """Explanation of a question of family mode."""
    if decision == "place":
        return [f"{parts['points'][0]} points for one place"]
    if decision in ("attack-card", "defence-card"):
        face = _marked(parts["attack_face"])
        added = [f"they have added {FACES[face]}"] if face >= 0 else []
        return [f"attack {parts['attack'][0]} against defence {parts['defence'][0]}", *added]
    return [f"{parts['points'][0]} named so far"] if decision == "points" and parts["points"][0] else []


def moment(view: View) -> tuple[int, ...]:
    """Key that changes when the board should be shown again: turn, round, side, struggle, part of the set-up."""
    parts = view.layout.decode(view.observation)
    if view.layout is FAMILY_LAYOUT:
        return tuple(int(parts[name][0]) for name in ("turn", "round", "phasing"))
    batch = parts["setup_batch"][0]
    return *(int(parts[name][0]) for name in ("turn", "round", "phasing")), _marked(parts["struggle"]), int(batch)


def _marked(one_hot: np.ndarray) -> int:
    """Index of the marked entry of a one-hot part, -1 for none."""
    return int(one_hot.argmax()) if one_hot.any() else -1


def _about(parts: dict) -> str:
    """Context of the question."""
    source, kind = _marked(parts["source"]), _marked(parts["activity"])
    if kind == FrameKind.STRUGGLE:
        return f"Power struggle in {COUNTRIES[_marked(parts['struggle'])]}: "
    if kind == FrameKind.TURN:
        return "Set-up: " if parts["turn"][0] == 0 else ""
    return f"{SOURCE_TITLES[source]}: " if source > 0 else ""


def _led(decision: str, parts: dict) -> str:
    """The card to be answered in a struggle."""
    if decision != "defend":
        return ""
    return f" {SUITS[_marked(parts['led_suit'])]} of rank {parts['led_rank'][0]}"


def _left(decision: str, parts: dict) -> list[str]:
    """Remaining or finished amount."""
    count, bonus = int(parts["left"][0]), int(parts["bound_points"][0])
    if decision == "stakes":
        return [f"card {parts['staked'][0] + 1} of {_STAKE}"]
    if decision == "exit-visas":
        return [f"{count} discarded so far"]
    if decision == "remove" and _marked(parts["activity"]) != FrameKind.EVENT:
        return []  # by Scare Tactics, one
    if decision not in _UNITS:
        return []
    left = [f"{count} {_UNITS[decision]}{'s' if count != 1 else ''} left"]
    return left + ([f"{bonus} more in East Germany alone"] if decision == "ops-place" and bonus else [])

"""The pending decision as a question to a person: what is chosen, for which card, how much is left, and the choices."""

from itertools import groupby

import numpy as np

from dawn_env.actions import ACTIONS
from dawn_env.cards.declarations import EVENTS
from dawn_env.cards.event_verbs import Opcode
from dawn_env.events.wording import TABLE, say
from dawn_env.glossary import card_name
from dawn_env.observation.player_view import View
from dawn_env.observation.view_layouts import FAMILY_LAYOUT
from dawn_env.picture.board_text import listed, wrapped
from dawn_env.state import FrameKind
from dawn_env.tables import (
    CARD_TITLES,
    COUNTRIES,
    COUNTRY_OF,
    FACES,
    NEUTRAL,
    OWNER,
    PRINTED_OPS,
    SIDE_LETTERS,
    SPACE_ID,
    SUITS,
)

QUESTIONS = TABLE["question"]["cases"]
"""By decision, every one there is."""


def question(view: View) -> str:
    """Question of the pending decision in one line, from the view of the side to act."""
    fields = question_fields(view)
    return say("about", fields) + say("question", fields)


def question_fields(view: View) -> dict:
    """Fields of the texts ``about`` and ``question`` of ``dawn_env.events.wording``."""
    parts = view.layout.decode(view.observation)
    if view.layout is FAMILY_LAYOUT:
        return {"decision": view.decision, "activity": "none", **_family_fields(parts)}
    return {"decision": view.decision, **_about(parts), **_counts(view.decision, parts)}


def _family_fields(parts: dict) -> dict:
    face = _marked(parts["attack_face"])
    numbers = {name: int(parts[name][0]) for name in ("points", "attack", "defence")}
    return numbers | {"face": [FACES[face]] if face >= 0 else None}


def redraw_key(view: View) -> tuple[int, ...]:
    """Key that changes when the board should be shown again: turn, round, side, struggle, part of the set-up."""
    parts = view.layout.decode(view.observation)
    moment = tuple(int(parts[name][0]) for name in ("turn", "round", "phasing"))
    if view.layout is FAMILY_LAYOUT:
        return moment
    return *moment, _marked(parts["struggle"]), int(parts["setup_batch"][0])


def _marked(one_hot: np.ndarray) -> int:
    """Index of the marked entry of a one-hot part, -1 for none."""
    return int(one_hot.argmax()) if one_hot.any() else -1


def _about(parts: dict) -> dict:
    source, kind = _marked(parts["source"]), _marked(parts["activity"])
    if kind == FrameKind.STRUGGLE:
        return {"activity": "struggle", "country": COUNTRIES[_marked(parts["struggle"])]}
    if kind == FrameKind.TURN:
        return {"activity": "none" if parts["turn"][0] else "set-up"}
    return {"activity": "card", "source": source} if source > 0 else {"activity": "none"}


def _counts(decision: str, parts: dict) -> dict:
    """Numbers in the text of a question: points or picks left, cards chosen so far, the attack to be answered."""
    scared = decision == "remove" and _marked(parts["activity"]) == FrameKind.STRUGGLE  # by Scare Tactics, one
    numbers = {"left": None if scared else int(parts["left"][0]), "bonus": int(parts["bound_points"][0])}
    if decision == "place" and (source := _marked(parts["source"])) in EVENTS:
        numbers["points"] = next(
            (v.per for v in EVENTS[source].verbs if v.opcode == Opcode.PICK_PLACE and v.per > 1), None
        )
    if decision == "defend":
        numbers |= {"suit": SUITS[_marked(parts["led_suit"])], "rank": int(parts["led_rank"][0])}
    return numbers | ({"stake": int(parts["staked"][0]) + 1} if decision == "stakes" else {})


# --- its choices -------------------------------------------------------------------------------


class Menu:
    """The legal actions of a view: ``names`` are all that may be typed, with their actions.

    Cards are typed by the number printed on them or by title, places by name. Where there are neither, the
    choices are numbered.
    """

    def __init__(self, view: View):
        self._decision = view.decision
        self.cards = [int(name) for name in _named(view, "card")]
        self.places = _named(view, "space")
        self.others = [text for text in view.texts if text.partition(":")[0] not in ("card", "space")]
        self._copies = dict(zip(FACES, view.layout.decode(view.observation)["my_power_hand"].tolist(), strict=True))
        self.names: dict[str, int] = {}
        for action, text in zip(view.legal.tolist(), view.texts, strict=True):
            family, _, name = text.partition(":")
            typed = (name, CARD_TITLES[int(name)]) if family == "card" else (name or text,)
            self.names |= dict.fromkeys((text, *typed), action)
        if self.numbered:
            self.names |= {str(number): ACTIONS.index(text) for number, text in enumerate(self.others, 1)}

    @property
    def numbered(self) -> bool:
        """Return True if the choices get numbers: they are neither cards, nor places, nor numbers themselves."""
        return not self.cards and not self.places and self.others[0].partition(":")[0] != "points"

    def text(self, columns: int) -> str:
        """All choices, for a terminal of so many columns."""
        lines = [listed(map(_card_words, self.cards))] if self.cards else []
        for country, places in groupby(self.places, lambda name: COUNTRIES[COUNTRY_OF[SPACE_ID[name]]]):
            lines.append(f"{country}: {listed(places)}")
        words = [_bare(text) + (f" ({hint})" if (hint := self.hint(text)) else "") for text in self.others]
        if self.numbered:
            lines += [f"{number} {word}" for number, word in enumerate(words, 1)]
        elif words:
            lines.append(f"or {listed(words)}" if lines else listed(words))
        return "\n".join(wrapped(f"  {line}", columns) for line in lines)

    def hint(self, text: str) -> str:
        """Help text of a choice that is neither a card nor a space."""
        if (copies := self._copies.get(_bare(text), 0)) > 1:
            return f"you hold {copies}"
        if text == "pass":
            return say("pass", {"decision": self._decision})
        opponents = {"opponent-event", "check"} <= {*self.others}
        return (say("hint-then", {"action": text}) if opponents else "") or say("hint", {"action": text})


def _named(view: View, family: str) -> list[str]:
    return [text.partition(":")[2] for text in view.texts if text.startswith(f"{family}:")]


def _bare(text: str) -> str:
    return text.partition(":")[2] or text


def _card_words(card: int) -> str:
    """Number, title, side of the event and value of a card; scoring cards lack the last two."""
    value, owner = int(PRINTED_OPS[card]), int(OWNER[card])
    sides = "".join(letter for side, letter in enumerate(SIDE_LETTERS) if owner in (side, NEUTRAL))
    return f"{card_name(card)} ({sides} {value})" if value else card_name(card)

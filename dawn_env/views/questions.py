"""The pending decision as a question: what is chosen, for which card, how much is left, and what choices mean."""

import numpy as np

from dawn_env.cards.declarations import EVENTS, GENERAL_STRIKE, PARTY, STASI
from dawn_env.cards.event_tables import EIGHTH_ROUND
from dawn_env.cards.event_verbs import Opcode
from dawn_env.events.wording import TABLE, say
from dawn_env.observation.player_view import View
from dawn_env.observation.view_layouts import FAMILY_LAYOUT
from dawn_env.state import DECISIONS, Decision, FrameKind
from dawn_env.tables import COUNTRIES, FACES, SUITS
from dawn_env.views.consequences import consequences

QUESTIONS = TABLE["question"]["cases"]
"""By decision, every one there is."""


_ASKING = {
    DECISIONS[Decision.STASI_CARD]: STASI, DECISIONS[Decision.STRIKE_CARD]: GENERAL_STRIKE,
    DECISIONS[Decision.EXTRA_ROUND]: int(EIGHTH_ROUND.card), DECISIONS[Decision.LAST_STRUGGLE]: PARTY,
}  # fmt: skip
"""Cards in play that ask, by decision; cards that are being played are the source of what goes on."""


def question(view: View) -> str:
    """Question of the pending decision in one line, from the view of the side to act."""
    fields = question_fields(view)
    return say("about", fields) + say("question", fields)


def question_fields(view: View) -> dict:
    """Fields of the texts ``about`` and ``question`` of ``dawn_env.events.wording``."""
    parts = view.layout.decode(view.observation)
    if view.layout is FAMILY_LAYOUT:
        face = marked(parts["attack_face"])
        numbers = {name: int(parts[name][0]) for name in ("points", "attack", "defence")}
        return {"decision": view.decision, "activity": "none", **numbers, "face": [FACES[face]] if face >= 0 else None}
    return {"decision": view.decision, **_about(view.decision, parts), **_counts(view.decision, parts)}


def marked(one_hot: np.ndarray) -> int:
    """Index of the marked entry of a one-hot part, -1 for none."""
    return int(one_hot.argmax()) if one_hot.any() else -1


def _about(decision: str, parts: dict) -> dict:
    source, kind = _ASKING.get(decision, marked(parts["source"])), marked(parts["activity"])
    if kind == FrameKind.STRUGGLE:
        return {"activity": "struggle", "country": COUNTRIES[marked(parts["struggle"])]}
    if kind == FrameKind.TURN and decision not in _ASKING:
        return {"activity": "none" if parts["turn"][0] else "set-up"}
    return {"activity": "card", "source": source} if source > 0 else {"activity": "none"}


def _counts(decision: str, parts: dict) -> dict:
    """Numbers in the text of a question: points or picks left, cards chosen so far, the attack to be answered."""
    scared = decision == "remove" and marked(parts["activity"]) == FrameKind.STRUGGLE  # by Scare Tactics, one
    numbers = {"left": None if scared else int(parts["left"][0]), "bonus": int(parts["bound_points"][0])}
    if decision == "place" and (source := marked(parts["source"])) in EVENTS:
        numbers["points"] = next(
            (v.per for v in EVENTS[source].verbs if v.opcode == Opcode.PICK_PLACE and v.per > 1), None
        )
    if decision == "defend":
        numbers |= {"suit": SUITS[marked(parts["led_suit"])], "rank": int(parts["led_rank"][0])}
    return numbers | ({"stake": int(parts["staked"][0]) + 1} if decision == "stakes" else {})


def choice_hint(view: View, text: str) -> str:
    """Help text of a choice that is neither a card nor a space, with what cannot be taken back; empty without one."""
    found = consequences(view).get(text)
    return "; ".join(filter(None, (_bare_hint(view, text), say("consequence", found) if found else "")))


def _bare_hint(view: View, text: str) -> str:
    held = dict(zip(FACES, view.layout.decode(view.observation)["my_power_hand"].tolist(), strict=True))
    if (copies := held.get(text.partition(":")[2], 0)) > 1:
        return f"you hold {copies}"
    if text == "pass":
        return say("pass", {"decision": view.decision})
    opponents = {"opponent-event", "check"} <= {*view.texts}
    return (say("hint-then", {"action": text}) if opponents else "") or say("hint", {"action": text})

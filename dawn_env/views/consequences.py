"""Irreversible effects of choices: victory points of keeping Power, boxes of the track, odds of take-overs."""

from collections.abc import Iterator

import numpy as np

from dawn_env.events.rolls import DIE
from dawn_env.glossary import AWARDS
from dawn_env.observation.player_view import View
from dawn_env.rules.board import controls, countries_held
from dawn_env.rules.events.custom_cards import party_vp
from dawn_env.rules.operations.operations import least_roll
from dawn_env.rules.scoring import FINAL_POWER_VP
from dawn_env.state import Decision
from dawn_env.tables import COMMUNIST, COUNTRIES, POWER_VALUE, SIDE_NAMES, SPACE_ID, STABILITY

Effects = Iterator[tuple[str, dict]]


def consequences(view: View) -> dict[str, dict]:
    """Fields of the text ``consequence`` of ``dawn_env.events.wording`` for choices that have one, by action text.

    They depend on the view alone, that of the side to act.
    """
    state, legal = view._dealt[0], {*view.texts}
    by_decision = {
        Decision.POWER: _power, Decision.PARTY: _party, Decision.BORDER_BONUS: _border,
        Decision.DESTINATION: _destinations, Decision.POINTS: _points,
    }  # fmt: skip
    found = dict(by_decision[state.decision](state, view.texts)) if state.decision in by_decision else {}
    if "tiananmen" in legal:  # the next box, its award (for the first side to enter it), and the die needed
        box, source = int(state.track[view.side]) + 1, int(state.frames[state.depth - 1].source)
        award = AWARDS[box - 1] if state.track[1 - view.side] < box else None
        needed = max(1, int(least_roll(state, view.side, source)))
        found["tiananmen"] = {"box": box, "award": award, "needed": needed}
    return {action: {"decision": view.decision, "action": action} | fields for action, fields in found.items()}


def _power(state: np.record, legal: list[str]) -> Effects:
    """Keeping Power scores now, more each time, and at final scoring; a scoring card goes where it can come back."""
    f = state.frames[state.depth - 1]
    country, card = int(f.country), int(f.source)
    vp = int(POWER_VALUE[country] * (state.times_scored[country] + 1))
    yield "retain", {"card": card, "vp": vp, "final": FINAL_POWER_VP}
    yield "surrender", {"card": card, "country": COUNTRIES[country]}


def _party(state: np.record, legal: list[str]) -> Effects:
    vp, held = int(party_vp(state)), int(countries_held(state, COMMUNIST))
    yield "end-game", {"side": SIDE_NAMES[vp < 0], "vp": abs(vp), "countries": held}


def _border(state: np.record, legal: list[str]) -> Effects:
    yield from (("yes", {}), ("no", {}))


# --- take-overs of family mode (TR.2.4.3) -----------------------------------------------------------------


def _destinations(state: np.record, legal: list[str]) -> Effects:
    """Take-overs with all points of the origin."""
    side = int(state.actor)
    for text in legal:
        space = SPACE_ID[text.removeprefix("space:")]
        if not controls(state, side, space):
            points = int(state.support[side, state.origin])
            yield text, {"points": points, "percent": _percent(state, side, space, points)}


def _points(state: np.record, legal: list[str]) -> Effects:
    side, space = int(state.actor), int(state.destination)
    if controls(state, side, space):
        return
    for text in legal:
        points = int(state.moved) + int(text.removeprefix("points:"))
        yield text, {"points": points, "percent": _percent(state, side, space, points)}


def _percent(state: np.record, side: int, space: int, points: int) -> int:
    """Chance that points win a space by the two dice, before struggle cards are added; a tie is the Communist's."""
    other = 1 - side
    held = int(state.support[other, space] + STABILITY[space]) if controls(state, other, space) else 0
    needed = held - points + (side != COMMUNIST)
    return round(100 * sum(attack - defence >= needed for attack in DIE for defence in DIE) / len(DIE) ** 2)

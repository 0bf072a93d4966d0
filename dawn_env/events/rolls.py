"""Dice of a piece of play, as events that say what they were rolled for and what was needed."""

import numpy as np

from dawn_env.actions import CARD0, SPACE0
from dawn_env.cards.declarations import GENERAL_STRIKE, LIGACHEV
from dawn_env.cards.event_tables import EFFECTS, FIRST_EFFECT, PROGRAM
from dawn_env.cards.event_verbs import Opcode
from dawn_env.cards.lasting_effects import EffectKind
from dawn_env.events.board_changes import Event
from dawn_env.events.roll_parts import aftermath_parts, attempt_parts, check_parts, event_parts, total
from dawn_env.rules.cards_in_play import acts_in
from dawn_env.rules.events.space_verbs import controlled_in_region
from dawn_env.rules.frames import StruggleStep
from dawn_env.rules.operations.operations import least_roll
from dawn_env.rules.operations.ops_values import card_value
from dawn_env.rules.operations.support_checks import check_value
from dawn_env.rules.scoring import LEVEL_VP, LEVELS, levels
from dawn_env.rules.struggle import aftermath_modifier
from dawn_env.rules.turn import STRIKE_NEED
from dawn_env.state import SPACE_MARKERS, Chance, Decision, FrameKind, Reason, Zone
from dawn_env.tables import (
    AFTERMATH,
    COMMUNIST,
    COUNTRIES,
    DEMOCRAT,
    SIDE_NAMES,
    SIDES,
    SPACES,
    STABILITY,
    TIANANMEN_NEED,
    N,
)

DIE = range(1, 7)
_STEPS = {StruggleStep.LOSS_ROLL: "support", StruggleStep.VP_ROLL: "vp"}


def aftermath_result(state: np.record, winner: int, suit: int, die: int) -> tuple[int, int]:
    """Modifier and modified roll of the aftermath of a struggle won with a suit, -1 for none."""
    modifier = int(aftermath_modifier(state, winner, suit))
    return modifier, min(len(AFTERMATH) - 1, max(0, die + modifier))


def dice_between(old: np.record, new: np.record) -> list[int]:
    """Dice rolled from ``old`` to ``new``, two moments of one step."""
    place = "tape_at" if old.scripted else "tape_len"
    return new.tape[Chance.DICE, int(old[place][Chance.DICE]) : int(new[place][Chance.DICE])].tolist()


def roll_events(old: np.record, new: np.record, action: int) -> list[Event]:
    """Events of the dice rolled between ``old`` and ``new``, one piece of a step of ``action`` (-1: none)."""
    dice = dice_between(old, new)
    if not dice:
        return []
    f = old.frames[old.depth - 1]
    if f.kind == FrameKind.CHECKS:
        return [_check(old, f, dice[0])]
    if f.kind == FrameKind.STRUGGLE and f.step in _STEPS:
        return [_aftermath(old, _STEPS[StruggleStep(f.step)], dice[0])]
    if old.decision == Decision.DEFEND:
        return [{"event": "initiative", "die": dice[0], "needed": int(old.led_rank), "side": SIDE_NAMES[new.attacker]}]
    if old.decision == Decision.STRIKE_CARD:
        value = int(card_value(old, COMMUNIST, action - CARD0))
        over = bool(new.where[GENERAL_STRIKE] != Zone.IN_PLAY)
        return [{"event": "strike", "die": dice[0], "value": value, "needed": STRIKE_NEED, "success": over}]
    tried = np.flatnonzero(new.tried_turn > old.tried_turn)
    if len(tried):
        return [_tiananmen(old, new, int(tried[0]), int(f.source), dice[0])]
    return _event_rolls(old, new, action, dice)


def _check(old: np.record, f: np.record, die: int) -> Event:
    space = int(f.target)
    value, parts, needed = int(check_value(old, f, space)), check_parts(old, f, space), int(2 * STABILITY[space])
    added = total(parts)
    return {
        "event": "check", "side": SIDE_NAMES[f.side], "space": SPACES[space], "die": die, "value": value,
        "modifiers": added - value, "parts": parts, "sum": die + added, "needed": needed,
        "moved": max(0, die + added - needed),
    }  # fmt: skip


def _aftermath(old: np.record, of: str, die: int) -> Event:
    modifier, result = aftermath_result(old, int(old.winner), int(old.winning_suit), die)
    parts = aftermath_parts(old, int(old.winner), int(old.winning_suit))
    return {
        "event": "aftermath", "of": of, "die": die, "modifiers": modifier, "parts": parts, "sum": die + modifier,
        "result": result,
        "amount": int(AFTERMATH[result]), "side": SIDE_NAMES[old.winner],
    }  # fmt: skip


def _tiananmen(old: np.record, new: np.record, side: int, source: int, die: int) -> Event:
    box, parts = int(old.track[side]) + 1, attempt_parts(old, side, source)
    return {
        "event": "tiananmen", "side": SIDE_NAMES[side], "box": box, "die": die, "parts": parts,
        "sum": die + total(parts), "box_needs": int(TIANANMEN_NEED[side, box]),
        "needed": int(least_roll(old, side, source)), "success": bool(new.track[side] > old.track[side]),
    }  # fmt: skip


def _event_rolls(old: np.record, new: np.record, action: int, dice: list[int]) -> list[Event]:
    """Events of the dice rolled by the event of a card."""
    f = old.frames[old.depth - 1]
    row = PROGRAM[f.pc]
    if row.opcode == Opcode.ROLL_POINTS:
        return [{"event": "points-roll", "die": dice[0], "points": int(new.frames[new.depth - 1].value)}]
    if row.opcode == Opcode.CONTEST:
        spaces = [int(controlled_in_region(old, f, row, side)) for side in range(SIDES)]
        return _contest(spaces, dice, bool(old.phasing == DEMOCRAT))
    parts, needed = event_parts(old, f, row, action - SPACE0), int(row.count)
    modifiers = total(parts)
    rolled = {"die": dice[0], "modifiers": modifiers, "parts": parts, "sum": dice[0] + modifiers, "needed": needed}
    return [{"event": "event-roll", **rolled, "success": rolled["sum"] >= needed}]


def _contest(spaces: list[int], dice: list[int], democrat_first: bool) -> list[Event]:
    """Events of the rounds of The Wall Must Go! (86), from the number of ``spaces`` of each side and the dice in order.

    The sides take turns to roll first.
    """
    events: list[Event] = []
    for first, second in zip(dice[::2], dice[1::2], strict=True):
        rolls = [first, second] if democrat_first else [second, first]
        democrat, communist = (die + held for die, held in zip(rolls, spaces, strict=True))
        winner = None if democrat == communist else SIDE_NAMES[communist > democrat]
        sums = {"democrat": democrat, "communist": communist}
        events.append({"event": "contest-round", "dice": rolls, **sums, "winner": winner})
        democrat_first = not democrat_first
    return events


def score_event(state: np.record, country: int) -> Event:
    """Scoring of a country item by item: of each side its level with the VP for it, and its battlegrounds."""
    level_d, battlegrounds_d, level_c, battlegrounds_c = levels(state, country)
    sides = [_side_score(country, level_d, battlegrounds_d), _side_score(country, level_c, battlegrounds_c)]
    vp = sides[0]["vp"] - sides[1]["vp"]
    return {"event": "score", "country": COUNTRIES[country], **dict(zip(SIDE_NAMES, sides, strict=True)), "vp": vp}


def _side_score(country: int, level: int, battlegrounds: int) -> dict:
    """Level of a side with the VP for it, and its battlegrounds."""
    for_level, battlegrounds = int(LEVEL_VP[level, country]), int(battlegrounds)
    vp = for_level + battlegrounds
    return {"level": LEVELS[level], "for_level": for_level, "battlegrounds": battlegrounds, "vp": vp}


def scorings(old: np.record, new: np.record) -> list[Event]:
    """Countries scored from ``old`` to ``new``: at the end of a struggle, of family mode's turns, of the last turn."""
    f = old.frames[old.depth - 1]
    if f.kind == FrameKind.STRUGGLE and f.step == StruggleStep.SCORING:
        return [score_event(old, int(f.country))]
    final = new.reason == Reason.FINAL_SCORING and f.kind == FrameKind.TURN
    of_all = old.vp != new.vp and f.kind == FrameKind.FAMILY
    if not (of_all or final):
        return []
    events = [score_event(old, country) for country in range(N)]
    begin = [{"event": "final-scoring"}] if final else []
    scored = [event for event in events if event["vp"] or event["democrat"]["vp"]]
    return begin + scored + _final_bonus(old, new, events)


def vp_source(old: np.record, new: np.record, scored: list[Event]) -> dict:
    """Keys of a ``vp`` event that name the source: ``card`` of a lasting effect, ``in_all`` for several scorings."""
    if len(scored) > 1:
        return {"in_all": True}
    for field in SPACE_MARKERS:  # what left the map
        if old[field.name] >= 0 > new[field.name]:
            return {"card": field.marker.card}
    if old.where[LIGACHEV] == Zone.IN_PLAY != new.where[LIGACHEV]:
        return {"card": LIGACHEV}
    f = old.frames[old.depth - 1]
    if f.kind == FrameKind.CHECKS:
        for effect in EFFECTS[FIRST_EFFECT[EffectKind.PAYMENT] : FIRST_EFFECT[EffectKind.PAYMENT + 1]]:
            if acts_in(old, effect, f.side, f.target):
                return {"card": int(effect.card)}
    return {}


def _final_bonus(old: np.record, new: np.record, scored: list[Event]) -> list[Event]:
    """VP of Power and of the Ceausescus in final scoring."""
    rest = int(new.vp) - int(old.vp) - sum(event["vp"] for event in scored)
    held, at_large = int((old.power == COMMUNIST).sum()), bool(old.hideout >= 0)
    return [{"event": "final-power", "vp": rest, "countries": held, "at_large": at_large}] if rest else []

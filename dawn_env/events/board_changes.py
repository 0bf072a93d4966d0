"""Differences between two moments of a game, as events.

An event is a JSON object; ``event`` says of which kind it is, ``docs/reference/protocol.md`` lists all of them.
"""

from typing import Any

import numpy as np

from dawn_env.bids import PLAYER_NAMES, is_bid
from dawn_env.cards.event_tables import PROGRAM
from dawn_env.cards.event_verbs import Opcode
from dawn_env.events.secret_questions import EVERYTHING
from dawn_env.game import Game
from dawn_env.rules.frames import StruggleStep
from dawn_env.state import FIELDS, REASONS, RESULTS, Decision, FrameKind, PowerZone, Result, Zone
from dawn_env.tables import COMMUNIST, COUNTRIES, RED_TITLE, SIDE_NAMES, SPACES, SUITS

Event = dict[str, Any]

_EFFECTS = [field.name for field in FIELDS if field.effect]
"""Fields of a state that events of cards change, besides the places of cards."""
_TOLD = [field for field in FIELDS if field.event]
_OFFERS = (Decision.OFFER_SIDE, Decision.OFFER_POINTS)


def changes(old: np.record, new: np.record) -> list[Event]:
    """Support points, boxes of the Tiananmen Square track, markers that tell of changes, and VP that differ."""
    changed = np.flatnonzero((old.support != new.support).any(axis=0))
    found: list[Event] = [{"event": "support"} | support_change(old.support, new.support, at) for at in changed]
    found += [
        {"event": "track", "side": name, "box": int(new.track[side])}
        for side, name in enumerate(SIDE_NAMES)
        if new.track[side] != old.track[side]
    ]
    found += [
        {"event": "marker", "marker": field.key, "value": field.value(new[field.name])}
        for field in _TOLD
        if new[field.name] != old[field.name]
    ]
    return found + ([{"event": "vp", "by": int(new.vp - old.vp), "vp": int(new.vp)}] if new.vp != old.vp else [])


def support_change(old: np.ndarray, new: np.ndarray, space: int) -> dict[str, Any]:
    """Name of a ``space``, and ``[from, to]`` of each side with other support there; ``old``, ``new`` [SIDES, S]."""
    pairs = zip(SIDE_NAMES, old[:, space].tolist(), new[:, space].tolist(), strict=True)
    return {"space": SPACES[space]} | {side: [then, now] for side, then, now in pairs if then != now}


def struggle_changes(old: np.record, new: np.record) -> list[Event]:
    """Events of a power struggle: its beginning, the cards dealt, raised stakes, its winner."""
    found: list[Event] = []
    if new.struggle != old.struggle and new.struggle >= 0:
        found.append({"event": "struggle", "country": COUNTRIES[new.struggle]})
    frame = old.frames[old.depth - 1]
    if (frame.kind, frame.step) == (FrameKind.STRUGGLE, StruggleStep.DEAL):
        hands = new.power_cards[PowerZone.HAND :].sum(1).tolist()
        found.append({"event": "dealt", **dict(zip(SIDE_NAMES, hands, strict=True))})
    found += [{"event": "stakes", "side": SIDE_NAMES[side]} for side in np.flatnonzero(new.raised > old.raised)]
    if new.winner >= 0 > old.winner:
        suit = SUITS[new.winning_suit] if new.winning_suit >= 0 else None
        found.append({"event": "struggle-won", "side": SIDE_NAMES[new.winner], "suit": suit})
    return found


def power_changes(old: np.record, new: np.record) -> list[Event]:
    """Sides that take Power somewhere, and the end of a struggle."""
    found = [
        {"event": "power", "country": COUNTRIES[country], "side": SIDE_NAMES[new.power[country]]}
        for country in np.flatnonzero(old.power != new.power)
    ]
    return found + ([{"event": "struggle", "country": None}] if old.struggle >= 0 > new.struggle else [])


def course_changes(old: np.record, new: np.record) -> list[Event]:
    """The end of a turn, the round that begins, the end of the game."""
    if new.result != Result.RUNNING:
        ended = {"result": RESULTS[new.result], "reason": REASONS[new.reason], "vp": int(new.vp)}
        return [{"event": "end", **ended}]
    if new.turn == 0 or all(old[name] == new[name] for name in ("turn", "action_round", "phasing")):
        return []
    now = {"turn": int(new.turn), "round": int(new.action_round), "side": SIDE_NAMES[new.phasing]}
    ended = [{"event": "turn-end", "turn": int(old.turn)}] if new.turn > old.turn > 0 else []
    return [*ended, {"event": "round", **now}]


def event_begun(old: np.record, new: np.record) -> list[Event]:
    """The event of a card, or an award, that begins to occur."""
    was, now = (state.frames[state.depth - 1] for state in (old, new))
    begun = new.depth > old.depth or (new.depth == old.depth and (was.kind, was.source) != (now.kind, now.source))
    return [{"event": "occurs", "card": int(now.source)}] if begun and now.kind == FrameKind.EVENT else []


def event_ended(old: np.record, new: np.record, card: int) -> list[Event]:
    """Event for the end of a card's event without other events, from ``old``, before it, to ``new``, after it."""
    moved = np.flatnonzero(old.where != new.where)
    if card in moved and new.where[card] == Zone.IN_PLAY:
        return [{"event": "cards", "cards": [card], "to": "in_play"}]
    unchanged = (moved == card).all() and all(np.array_equal(old[name], new[name]) for name in _EFFECTS)
    return [{"event": "no-effect"}] if unchanged else []


def _instruction(state: np.record) -> np.record | None:
    """Current instruction of the card event in progress, None without one."""
    f = state.frames[state.depth - 1]
    return PROGRAM[f.pc] if f.kind == FrameKind.EVENT and state.decision == Decision.NONE else None


def loses_at_random(state: np.record) -> int | None:
    """Side that loses a random card by the current instruction, None without one."""
    row = _instruction(state)
    return int(row.extra) if row is not None and row.opcode == Opcode.RANDOM_DISCARD else None


def no_card(old: np.record, new: np.record) -> list[Event]:
    """Event for an instruction that finds no card: a red one in a hand (46) or one in the discard pile (36, 67, 89)."""
    row = _instruction(old)
    if row is None or row.opcode not in (Opcode.SHOW_RED, Opcode.PLAY_FROM_DISCARD):
        return []
    shows = (RED_TITLE & (old.where == Zone.HAND + COMMUNIST)).any() if row.opcode == Opcode.SHOW_RED else new.decision
    return [] if shows else [{"event": "no-card"}]


def bid_events(before: Game, after: Game, action: str, player: int) -> list[Event]:
    """Events of the step ``action`` of a bid for the first (0) or the second ``player`` (1), or for others.

    Offers stay secret until both are made.
    """
    was_secret, is_secret = (game.state.decision in _OFFERS for game in (before, after))
    decided = {"event": "decision", "who": PLAYER_NAMES[before.actor], "decision": before.decision, "action": action}
    if is_secret:
        return [decided] if player in (before.actor, EVERYTHING) else []
    return (_offers(after) if was_secret else [decided]) + _side_changes(before, after)


def _offers(game: Game) -> list[Event]:
    """Both, and the dice where they are equal."""
    offers = game.state.offers.tolist()
    events = [
        {"event": "offer", "who": who, "side": SIDE_NAMES[side], "points": points}
        for who, (side, points) in zip(PLAYER_NAMES, offers, strict=True)
    ]
    equal = [{"event": "equal-offers", "dice": game.chance["dice"][-2:]}] if offers[0] == offers[1] else []
    return events + equal


def _side_changes(before: Game, after: Game) -> list[Event]:
    """The sides and the support points that a bid has given, once it is over."""
    old, new = before.state, after.state
    if not is_bid(old.decision) or is_bid(new.decision):
        return []
    extra = dict(zip(SIDE_NAMES, new.extra_support.tolist(), strict=True))
    return [{"event": "sides", "first": SIDE_NAMES[new.swapped], "extra_support": extra}]

"""Conversion of the steps of a game into the events that one seat sees, in the order in which they happen.

Nothing hidden from it is told, nor which questions it raised. What is told must be the same whether the opponent was
asked in secret and declined, or was not asked at all. So a side is told nothing while such a question waits for its
answer; afterwards it is told everything since its last news in one go.
"""

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from dawn_env import engine
from dawn_env.actions import ACTIONS, action_id
from dawn_env.bids import is_bid
from dawn_env.events.board_changes import (
    Event,
    bid_events,
    changes,
    course_changes,
    event_begun,
    event_ended,
    loses_at_random,
    no_card,
    power_changes,
    struggle_changes,
)
from dawn_env.events.rolls import dice_between, roll_events, scorings, vp_source
from dawn_env.events.secret_questions import EVERYTHING, PUBLIC, asked_in_secret, is_silent_refusal
from dawn_env.game import Game
from dawn_env.observation.view_layouts import layout_of
from dawn_env.options import GameOptions
from dawn_env.state import DECISIONS, STATE, Decision, Mode, PowerZone, Result, Zone, copy_states
from dawn_env.tables import DEMOCRAT, FACE_ID, FACES, SIDE_NAMES, SIDES, SPACES, SUITS

SHOWN = ("resolving", "in_play", "discard_pile", "removed")
"""Zones of cards that everybody sees."""
_OPEN = (*SHOWN, "stasi_card")
_SEEN = ("my_hand", "known_theirs", *_OPEN)
_PARTS = (*_SEEN, "power_discard", "my_power_hand")
_FACE_DOWN = (Decision.SAMIZDAT, Decision.KEEP_CARD)
"""Choices that stay secret even where the card is known to be held."""
_ON_THE_BOARD = ("space", "country")
"""Kinds of actions of which everybody sees whether there are others."""
_NO_ACTION = -1
_KEPT = 4  # latest steps


class Moment:
    """Copy of a ``STATE`` record as plain Python values, read by attribute or name: faster than reading the record."""

    def __init__(self, record: np.record):
        vars(self).update(zip(STATE.names, record.item(), strict=True))
        self.record = record

    def __getitem__(self, name: str) -> Any:
        return vars(self)[name]


class Piece(NamedTuple):
    """Two moments of a step between which the rules did one thing; ``action``: the one taken there, -1 for none."""

    old: Moment
    new: Moment
    action: int

    @property
    def decided(self) -> tuple[int, int, str] | None:
        """Side, decision and action text, if a side decided here, also where it had no choice."""
        if self.action == _NO_ACTION:
            return None
        return int(self.old.actor), int(self.old.decision), ACTIONS[self.action]


@lru_cache(_KEPT)
def pieces(before: bytes, action: int) -> list[Piece]:
    """The step ``action`` from a ``STATE`` record on, piece by piece; kept for the next viewer of the same step."""
    states, found, code = np.frombuffer(bytearray(before), STATE), [], engine.PIECE - 1 - action
    states["tape_len"] *= states["scripted"][:, None]
    new = Moment(copy_states(states)[0])
    while True:
        old = new
        if code < engine.PIECE:
            taken = engine.PIECE - 1 - code
        else:  # a decision with a single legal action is not asked
            taken = int(old.last_legal) if old.decision != Decision.NONE else _NO_ACTION
        engine.advance(states, np.array([code]))
        new = Moment(copy_states(states)[0])
        found.append(Piece(old, new, taken))
        code, now = engine.PIECE, states[0]
        asks = now["decision"] != Decision.NONE and now["legal_count"] > 1
        if asks or now["result"] != Result.RUNNING or now["error"] or now["stop_at_round"] > 1:
            return found


class EventObserver:
    """Converts the steps of a game into the events that one seat sees."""

    def __init__(self, seat: int):
        """``seat``: 0 Democrat, 1 Communist, in games with a bid the first and the second player; or ``PUBLIC``, or
        ``EVERYTHING``."""
        self._seat = self._viewer = seat
        self.moments: list[np.record] = []
        """Positions at the events told last, ``STATE`` records: what each of them and those before have changed."""
        self._pieces: list[Piece] = []  # of the steps that are not told yet
        self._named: set[int] = set()  # cards of their decisions

    def see(self, before: Game, after: Game, action: str) -> list[Event]:
        """Events of the step ``action`` from ``before`` to ``after``, and of earlier steps that had to wait for it.

        None while the opponent is asked something of which the viewer must not know.
        """
        if is_bid(before.state.decision):
            events = bid_events(before, after, action, self._seat)
            self.moments = [after.state.copy()] * len(events)
            return events
        self.moments = []
        self._viewer = self._seat if self._seat < 0 else self._seat ^ int(before.state.swapped)
        self._pieces += pieces(before.state.tobytes(), action_id(action))
        if not before.options.is_family and asked_in_secret(after, self._viewer):
            return []
        events = self._events()
        self._pieces, self._named = [], set()
        return events

    def _events(self) -> list[Event]:
        """Events of all pieces, without those of rounds in which nothing happens."""
        views, told, moments, begun = self._views(), [], [], None
        for at, piece in enumerate(self._pieces):
            decided = self._decision(at, views)
            happened = self._piece(piece, views[2 * at], views[2 * at + 1])
            told += decided + happened
            moments += [(piece.old if happened else piece.new).record] * len(decided) + _moments(piece, happened)
            if cards := [event["card"] for event in happened if event["event"] == "occurs"]:
                begun, card, so_far = piece, cards[0], len(told)
            elif begun and piece.new.depth < begun.new.depth:
                told += event_ended(begun.old, piece.new, card) if len(told) == so_far else []
                moments += [piece.new.record] * (len(told) - len(moments))
                begun = None
        kinds = [event["event"] for event in told] + [""]
        kept = [at for at in range(len(told)) if not kinds[at] == kinds[at + 1] == "round"]
        self.moments = [moments[at] for at in kept]
        return [told[at] for at in kept]

    def _views(self) -> list[dict]:
        """Visible cards before and after each piece of the step, by part of the observation."""
        layout, side = layout_of(GameOptions.of_state(self._pieces[0].new.record)), max(DEMOCRAT, self._viewer)
        moments = b"".join(state.record.tobytes() for piece in self._pieces for state in (piece.old, piece.new))
        states = np.frombuffer(bytearray(moments), STATE)
        seen = np.empty((len(states), layout.size), np.int8)
        layout.rows(states, np.full(len(states), side, np.int8), seen, np.empty((len(states), layout.actions), np.int8))
        places = {name: layout.slices[name] for name in _PARTS if name in layout.slices}
        return [{name: row[place] for name, place in places.items()} for row in seen]

    def _piece(self, piece: Piece, old: dict, new: dict) -> list[Event]:
        """Events of one piece of a step."""
        family = piece.new.mode == Mode.FAMILY
        events = _family_attack(piece) if family else roll_events(piece.old, piece.new, piece.action)
        events += struggle_changes(piece.old, piece.new)
        events += [] if family else self._cards_shown(piece, old, new) + self._faces_shown(piece, old, new)
        scored, changed = scorings(piece.old, piece.new), changes(piece.old, piece.new)
        if changed and changed[-1]["event"] == "vp":
            changed[-1] |= vp_source(piece.old, piece.new, scored)
        events += no_card(piece.old, piece.new) + scored + changed
        events += event_begun(piece.old, piece.new) + power_changes(piece.old, piece.new)
        return events + course_changes(piece.old, piece.new) + self._own_news(piece, old, new)

    # --- decisions -------------------------------------------------------------------------------------

    def _decision(self, at: int, views: list[dict]) -> list[Event]:
        """A side's decision; of a card chosen in secret by the opponent only that it was chosen."""
        piece = self._pieces[at]
        if not (decided := piece.decided):
            return []
        side, decision, action = decided
        forced, family = piece.old.legal_count == 1, piece.new.mode == Mode.FAMILY
        if is_silent_refusal(decision, piece.action) and (forced or side != self._viewer) or (forced and family):
            return []
        kind, _, name = action.partition(":")
        secret = kind == "card" and not self._sees(side, decision, int(name), views[2 * at + 1 :])
        if kind == "card" and not secret:
            self._named.add(int(name))
        told = {"event": "decision", "who": SIDE_NAMES[side], "decision": DECISIONS[decision]}
        told["action"] = None if secret else action
        if forced and (side == self._viewer or self._viewer == EVERYTHING or kind in _ON_THE_BOARD):
            told["forced"] = True
        if action == "concede":
            told |= self._no_answer(piece, side, "forced" in told)
        return [told]

    def _no_answer(self, piece: Piece, side: int, forced: bool) -> Event:
        """Keys for the reason of a concession: no struggle card, or, if visible to the viewer, none that matches."""
        if not piece.old.power_cards[PowerZone.HAND + side].any():
            return {"held": 0}
        return {"suit": SUITS[piece.old.led_suit], "own": side == self._viewer} if forced else {}

    def _sees(self, side: int, decision: int, card: int, later: list[dict]) -> bool:
        """Return True if the chosen card is visible to the viewer, at once or at a later piece of the step."""
        if side == self._viewer or self._viewer == EVERYTHING:
            return True
        zones = _OPEN if self._viewer == PUBLIC else _SEEN
        return decision not in _FACE_DOWN and any(
            view[zone][card - 1] for view in later for zone in zones if zone in view
        )

    # --- cards -----------------------------------------------------------------------------------------

    def _own_news(self, piece: Piece, old: dict, new: dict) -> list[Event]:
        """Events of cards that the viewer draws or learns of; of all drawn cards when it is ``EVERYTHING``."""
        if self._viewer == PUBLIC:
            return []
        if self._viewer == EVERYTHING:
            return _drawn(piece)
        events = [_cards(new[zone] > old[zone], zone) for zone in ("my_hand", "known_theirs") if zone in new]
        if "my_power_hand" in new and piece.new.mode == Mode.FAMILY:
            copies = new["my_power_hand"].astype(int) - old["my_power_hand"]
            events.append(_faces(copies, "my_power_hand"))
        return [event for event in events if event["cards"]]

    def _cards_shown(self, piece: Piece, old: dict, new: dict) -> list[Event]:
        """Cards that have come to light, but for those of decisions."""
        seen_before = np.any([old[zone] for zone in SHOWN], axis=0)
        seen_before[[card - 1 for card in self._named]] = True
        events = [_cards((new[zone] > 0) & ~seen_before, zone) for zone in SHOWN]
        lost = {"lost_by": SIDE_NAMES[side]} if (side := loses_at_random(piece.old)) is not None else {}
        return [event | lost for event in events if event["cards"]]

    def _faces_shown(self, piece: Piece, old: dict, new: dict) -> list[Event]:
        """Power struggle cards that went to their discard pile, but for that of the decision."""
        copies = new["power_discard"].astype(int) - old["power_discard"]
        kind, _, face = ACTIONS[piece.action].partition(":") if piece.decided else ("", "", "")
        if kind == "power":
            copies[FACE_ID[face]] -= 1
        shown = _faces(copies, "power_discard")
        return [shown] if shown["cards"] else []


def _moments(piece: Piece, events: list[Event]) -> list[np.record]:
    """Positions at the events of a piece: its end, with the VP so far where several countries are scored together."""
    scored = [event["event"] in ("score", "final-power") for event in events]
    found, vp = [piece.new.record] * len(events), piece.old.vp
    if sum(scored) < 2:
        return found
    for at, event in enumerate(events):
        vp = piece.new.vp if event["event"] == "vp" else vp + (event["vp"] if scored[at] else 0)
        found[at] = piece.new.record.copy()
        found[at].vp = vp
    return found


def _cards(marked: np.ndarray, to: str) -> Event:
    return {"event": "cards", "cards": (np.flatnonzero(marked) + 1).tolist(), "to": to}


def _faces(copies: np.ndarray, to: str) -> Event:
    shown = [FACES[face] for face in np.flatnonzero(copies > 0) for _ in range(copies[face])]
    return {"event": "struggle-cards", "cards": shown, "to": to}


def _drawn(piece: Piece) -> list[Event]:
    """Cards that came to each hand."""
    now, was = (np.asarray(state.where) for state in (piece.new, piece.old))
    hands = [np.flatnonzero((now == Zone.HAND + side) & (was != Zone.HAND + side)).tolist() for side in range(SIDES)]
    return [
        {"event": "cards", "cards": cards, "to": f"{SIDE_NAMES[side]}_hand"}
        for side, cards in enumerate(hands)
        if cards
    ]


def _family_attack(piece: Piece) -> list[Event]:
    """Dice and sums of an attack of family mode; or, in the piece that ends the attack, whether it succeeded."""
    if piece.old.attack and not piece.new.attack:
        side, space = int(piece.old.phasing), int(piece.old.destination)
        success = bool(piece.new.support[side, space] > 0)  # the loser has no points left there
        return [{"event": "take-over", "side": SIDE_NAMES[side], "space": SPACES[space], "success": success}]
    if piece.old.attack or not piece.new.attack:
        return []
    attack, defence = int(piece.new.attack), int(piece.new.defence)
    attack_die, defence_die = dice_between(piece.old, piece.new)
    dice = {"attack": attack_die, "defence": defence_die}
    return [{"event": "attack-dice", **dice}, {"event": "attack", "attack": attack, "defence": defence}]

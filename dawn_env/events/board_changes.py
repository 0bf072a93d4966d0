"""Public differences between two moments of a game, as events.

An event is a JSON object; ``event`` says of which kind it is, ``docs/reference/protocol.md`` lists all of them.
"""

from typing import Any

import numpy as np

from dawn_env.bids import is_bid
from dawn_env.game import Game
from dawn_env.rules.operations.support_checks import check_modifiers, check_value
from dawn_env.support.compiling import entry
from dawn_env.tables import COUNTRIES, SIDE_NAMES, SPACE_ID, SPACES, STABILITY

Event = dict[str, Any]


def changes(before: Game, after: Game) -> list[Event]:
    """Support points, boxes of the Tiananmen Square track and VP that differ."""
    old, new = before.state, after.state
    found = [_support(old, new, space) for space in np.flatnonzero((old.support != new.support).any(axis=0))]
    found += [
        {"event": "track", "side": name, "box": int(new.track[side])}
        for side, name in enumerate(SIDE_NAMES)
        if new.track[side] != old.track[side]
    ]
    return found + ([{"event": "vp", "by": int(new.vp - old.vp), "vp": int(new.vp)}] if new.vp != old.vp else [])


def _support(old: np.record, new: np.record, space: int) -> Event:
    points = {
        name: [int(old.support[side, space]), int(new.support[side, space])]
        for side, name in enumerate(SIDE_NAMES)
        if old.support[side, space] != new.support[side, space]
    }
    return {"event": "support", "space": SPACES[space], **points}


def power_changes(before: Game, after: Game) -> list[Event]:
    """The struggle that begins or is over, and who takes Power where."""
    old, new, found = before.state, after.state, []
    if new.struggle != old.struggle:
        found.append({"event": "struggle", "country": COUNTRIES[new.struggle] if new.struggle >= 0 else None})
    return found + [
        {"event": "power", "country": COUNTRIES[country], "side": SIDE_NAMES[new.power[country]]}
        for country in np.flatnonzero(old.power != new.power)
    ]


def side_changes(before: Game, after: Game) -> list[Event]:
    """The sides and the support points that a bid has given, once it is over."""
    old, new = before.state, after.state
    if not is_bid(old.decision) or is_bid(new.decision):
        return []
    extra = dict(zip(SIDE_NAMES, new.extra_support.tolist(), strict=True))
    return [{"event": "sides", "first": SIDE_NAMES[new.swapped], "extra_support": extra}]


@entry
def _sum_check(states, space, sums):
    s = states[0]
    frame = s.frames[s.depth - 1]
    sums[0], sums[1] = check_value(s, frame, space), check_modifiers(s, frame, space)


def check_sum(before: Game, action: str, die: int) -> Event:
    """The parts of a support check that ``action`` has begun; it succeeds if their sum is more than is ``needed``."""
    name, sums = action.removeprefix("space:"), np.zeros(2, np.int64)
    _sum_check(before.states, SPACE_ID[name], sums)
    value, modifiers = sums.tolist()
    needed = 2 * int(STABILITY[SPACE_ID[name]])
    return {"event": "check", "space": name, "die": die, "value": value, "modifiers": modifiers, "needed": needed}

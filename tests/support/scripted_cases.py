"""Cases in text files: a situation, what is done in it, and what must then hold.

    ## 71 Kiss of Death                                          (a heading)
    the scoring card starts a struggle                           (the title of a case)
      # Ruling NAME                                              (a comment)
      D: 71 / C: 42; turn 4; Berlin 0-3; dice 1 4 > event = D asks stakes > pass, pass = D asks attack; 42 removed
        > march-6 = vp 3                                         (a line that is indented further goes on)
      given C: 22; turn 8                                        (what the next lines of the case begin with)

Each line of a case is a game of its own: a situation, then actions after ``>`` and expectations after ``=``.

Situation: the arguments of ``scenario`` in any order, by ``;``.

    D: 1 2 / C: 3                        hands, the phasing side first
    Berlin 0-3                           support in Berlin: Democrat 0, Communist 3; everywhere 9-0
    turn 4, round 7, vp -3, ussr 1, phasing D, boxes 6 0 (Democrat, Communist)
    in play 2 9, removed 3, discard 4 5, draw pile 6..20 (or none)
    power Poland, Hungary                held by the Democrat
    scored Poland 2                      the Communist has retained Power there twice
    dice 1 4, draws 1..16, random discards 48, power draws rally-11, power random discards march-65
    power deal D march-665544 / C leader-elite x4        all chance must be used up
    runs on                              past the next action round
    family                               family mode, where ``power deal`` is the struggle cards held
    bid                                  a game with a bid, before the offers
    prudence {"D": -1, "C": 0}           any other key of a position with its value in JSON

Actions by ``,``: spaces and struggle cards by their names, ``card 1``, others by their texts; ``Berlin x2`` repeats
one; ``unscripted`` goes back to the generator.

Expectations by ``;``:

    Berlin 0-1, 71 removed (in play, discard, draw pile, nowhere), 1 held by C, total D 4 (points on the map)
    D asks stakes, asks stakes, D asks   decision and actor; asks none: the end
    choices card 1, pass                 exactly these actions; can ..., cannot ...: some of them
    spaces Lodz, Gdansk                  exactly these may be picked; spaces of Poland but Lodz
    count choices 3                      or count spaces 3, count hands.D 8
    struggle cards 6 5, struggle cards D 6, vp 3, turn 5, round 1, ussr 2
    over, not over, result democrat, reason final scoring, enabled 15, not enabled 15
    power.East_Germany.holder D          a key of the position with its value in JSON; no samizdat
    state winner 1, state track.0 3      a field of the state
"""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from scenario import Scenario, scenario, targets

from dawn_env.formats import position_file
from dawn_env.state import PowerZone
from dawn_env.tables import COUNTRIES, COUNTRY_OF, FACE_ID, SPACE_ID, SPACES

_CHANCE = ("draws", "random discards", "power draws", "power random discards", "power deal")


@dataclass
class Case:
    heading: str
    title: str
    lines: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        return f"{self.heading}: {self.title}"

    def games(self) -> Iterator[str]:
        """Each game of the case, with what is given before it."""
        given = ""
        for line in self.lines:
            if line.startswith("given "):
                given = line.removeprefix("given ") + "; "
            else:
                yield given + line

    def run(self) -> None:
        for game in self.games():
            play(game)


def cases_in(folder: Path) -> list[Case]:
    """Read the cases of all text files of a folder, by name of the file."""
    return [case for file in sorted(folder.glob("*.txt")) for case in read_cases(file)]


def read_cases(file: Path) -> Iterator[Case]:
    heading, case = file.stem, None
    for text in file.read_text(encoding="utf-8").splitlines():
        indent, words = len(text) - len(text.lstrip()), text.strip()
        if words.startswith("## "):
            heading = words[3:]
        elif not words or words.startswith("#"):
            continue
        elif not indent:
            if case:
                yield case
            case = Case(heading, words)
        elif indent == 2:
            case.lines.append(words)
        else:
            case.lines[-1] += f" {words}"
    if case:
        yield case


def play(text: str) -> Scenario:
    """Play one game as a line of a case says."""
    first, *parts = re.split(r"(?:^| )([>=]) ", text)
    assert "=" in parts, f"nothing is expected: {text}"
    game = situation(first)
    for sign, words in zip(parts[::2], parts[1::2], strict=True):
        if sign == ">":
            for action in filter(None, map(str.strip, words.split(","))):
                _act(game, action)
        else:
            for expected in words.split(";"):
                found, wanted = expect(game, expected.strip())
                assert found == wanted, f"{expected.strip()}: {found}\n{text}"
    return game.finish()


# --- situations ------------------------------------------------------------------------------------


def situation(text: str) -> Scenario:
    given = {"hand": "", "support": {}, "chance": {}}
    for item in filter(None, map(str.strip, text.split(";"))):
        key, rest = _split(item, _SETTINGS)
        if re.match("[DC]:", item):
            given["hand"] = item
        elif points := _points(item):
            given["support"] |= points
        elif key in _CHANCE:
            given["chance"][key.replace(" ", "_")] = _SETTINGS[key](rest)
        elif key:
            given[key.replace(" ", "_")] = _SETTINGS[key](rest)
        else:
            key, _, rest = item.partition(" ")
            given[key] = _value(rest)
    if given.pop("bid", False):
        return _bid(**given)
    given["stop"] = not given.pop("runs_on", False)
    return _family(**given) if given.pop("family", False) else scenario(**given)


def _bid(dice: Iterable[int] = (), **_) -> Scenario:
    game = Scenario(1, {"bid": True})
    if dice:
        game.script({"dice": dice})
    return game


def _family(hand: str, support: dict, chance: dict, dice: Iterable[int] = (), stop: bool = True, **given) -> Scenario:
    """At the start of a placement (round 0) or of a round; without any chance given, the generator goes on."""
    hands, faces = dict(re.findall(r"([DC]):([^/]*)", hand)), chance.pop("power_deal", {})
    at = {
        "mode": "family", "turn": 1, "round": 0, "vp": 0, "discard": [], "power_discard": [],
        "phasing": "C" if given.get("round", 0) and given["round"] % 2 == 0 else "D",
        "support": {space: list(points) for space, points in support.items()},
        "hands": {side: sorted(map(int, hands.get(side, "").split())) for side in "DC"},
        "power_hands": {side: faces.get(side, []) for side in "DC"},
    }  # fmt: skip
    game = Scenario.of(position_file.from_json(at | given)[0])
    game.state.stop_at_round = int(stop)
    if dice or chance:
        game.script({"dice": dice, **chance})
    game.resume()
    return game


def _split(item: str, keys: Iterable[str]) -> tuple[str, str]:
    """Split an item into the key that it begins with and the rest; the key is empty if none of ``keys`` fits."""
    key = next((key for key in keys if item == key or item.startswith(f"{key} ")), "")
    return key, item[len(key) :].strip()


def _points(item: str) -> dict[str, tuple[int, int]]:
    match = re.fullmatch(r"(.+) (\d+)-(\d+)", item)
    names = SPACES if match and match[1] == "everywhere" else [match[1]] if match and match[1] in SPACE_ID else []
    return {name: (int(match[2]), int(match[3])) for name in names}


def _range(text: str) -> list[int]:
    """Numbers; ``2..5`` are those from 2 to 5, ``none`` is an empty list."""
    ends = [word.split("..") for word in text.split() if word != "none"]
    return [number for first, *last in ends for number in range(int(first), int(last[0] if last else first) + 1)]


def _faces(text: str) -> list[str]:
    """Struggle cards; ``march-665`` is two of ``march-6`` and one of ``march-5``, ``x4`` repeats a card."""
    found = []
    for word in text.split():
        suit, _, ranks = word.rpartition("-")
        if re.fullmatch("x[0-9]+", word):
            found += [found[-1]] * (int(word[1:]) - 1)
        else:
            found += [f"{suit}-{rank}" for rank in ranks] if ranks.isdigit() else [word]
    return found


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _value(text: str):
    try:
        return json.loads(text)
    except ValueError:
        return text


_SETTINGS = {
    **dict.fromkeys(("turn", "round", "vp", "ussr"), int),
    **dict.fromkeys(("in play", "removed", "discard", "draw pile", "dice", "draws", "random discards"), _range),
    **dict.fromkeys(("power draws", "power random discards"), _faces),
    "power deal": lambda rest: {part.strip()[0]: _faces(part.strip()[1:]) for part in rest.split("/")},
    "power": _names,
    "boxes": lambda rest: tuple(map(int, rest.split())),
    "scored": lambda rest: {rest.rpartition(" ")[0]: int(rest.rpartition(" ")[2])},
    "runs on": lambda rest: True,
    **dict.fromkeys(("family", "bid"), lambda rest: True),
}


# --- actions ---------------------------------------------------------------------------------------


def _act(game: Scenario, action: str) -> None:
    if action == "unscripted":
        game.end_script()
        return
    name, times = re.fullmatch(r"(.+?)(?: x(\d+))?", action).groups()
    for _ in range(int(times or 1)):
        game.take(action_text(name))


def action_text(name: str) -> str:
    """The text of an action that is named in short."""
    if name in SPACE_ID:
        return f"space:{name}"
    if name in FACE_ID:
        return f"power:{name}"
    return re.sub(r"^card (\d+)$", r"card:\1", name)


# --- expectations ----------------------------------------------------------------------------------


def expect(game: Scenario, item: str) -> tuple[object, object]:
    if points := _points(item):
        return {space: game.support(space) for space in points}, points
    if match := re.fullmatch(r"([DC])? ?asks ?(.*)", item):
        side, decision = match.groups()
        found = "DC"[game.actor] if side else None, game.decision if decision else ""
        return found, (side, decision)
    if match := re.fullmatch(r"(\d+) (.+)", item):
        zone = match[2].replace("held by ", "").replace(" ", "_")
        return game.zone(int(match[1])), zone
    key, rest = _split(item, tuple(_EXPECTATIONS))
    return _EXPECTATIONS[key](game, rest) if key else _position(game, item)


def _position(game: Scenario, item: str) -> tuple[object, object]:
    path, _, wanted = item.partition(" ")
    return _entry(game, path), _value(wanted)


def _entry(game: Scenario, path: str):
    """An entry of the game's position, as in ``power.East_Germany.holder``."""
    found = game.position()
    for key in path.split("."):
        found = found[key.replace("_", " ") if key.replace("_", " ") in COUNTRIES else key]
    return found


def _among(wanted: bool):
    def check(game: Scenario, rest: str):
        actions = [action_text(name) for name in _names(rest)]
        return [action in game.legal for action in actions], [wanted] * len(actions)

    return check


def _spaces_of(game: Scenario, rest: str):
    country, _, without = rest.partition(" but ")
    whole = {name for name, at in zip(SPACES, COUNTRY_OF, strict=True) if at == COUNTRIES.index(country)}
    return targets(game), whole - set(_names(without))


def _state(game: Scenario, rest: str):
    name, _, wanted = rest.partition(" ")
    name, _, place = name.partition(".")
    found = getattr(game.state, name)
    return np.asarray(found[int(place)] if place else found).tolist(), _value(wanted)


def _struggle_cards(game: Scenario, rest: str):
    held = dict(zip("DC", game.state.power_cards[PowerZone.HAND :].sum(axis=1).tolist(), strict=True))
    side, _, wanted = rest.partition(" ")
    return ([held[side]], [int(wanted)]) if side in held else ([*held.values()], [*map(int, rest.split())])


def _count(game: Scenario, rest: str):
    what, wanted = rest.split()
    things = {"choices": game.legal, "spaces": targets(game)}
    return len(things[what] if what in things else _entry(game, what)), int(wanted)


_EXPECTATIONS = {
    "turn": lambda game, rest: (game.state.turn, int(rest)),
    "round": lambda game, rest: (game.state.action_round, int(rest)),
    "vp": lambda game, rest: (game.vp, int(rest)),
    "ussr": lambda game, rest: (game.state.ussr, int(rest)),
    "choices": lambda game, rest: (sorted(game.legal), sorted(action_text(name) for name in _names(rest))),
    "can": _among(True),
    "cannot": _among(False),
    "spaces of": _spaces_of,
    "spaces": lambda game, rest: (targets(game), set(_names(rest))),
    "total": lambda game, rest: (int(game.state.support["DC".index(rest[0])].sum()), int(rest[1:])),
    "over": lambda game, rest: (game.over, True),
    "not over": lambda game, rest: (game.over, False),
    "result": lambda game, rest: (game.result, rest),
    "reason": lambda game, rest: (game.reason, rest),
    "enabled": lambda game, rest: (int(rest) in game.position()["events_enabled"], True),
    "not enabled": lambda game, rest: (int(rest) in game.position()["events_enabled"], False),
    "state": _state,
    "struggle cards": _struggle_cards,
    "count": _count,
    "no": lambda game, rest: (rest in game.position(), False),
}

"""A ladder of one's own: players placed on the standing scale, with their games in a database of results.

A player that has changed is another one on the ladder: what it was before keeps its place, as ``NAME@EDITION``.
"""

import random
from collections.abc import Iterable, Mapping
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from dawn_agents.players.registry import make_player
from dawn_agents.sqlite_files import StoreError
from dawn_agents.tournaments.costs import total_costs
from dawn_agents.tournaments.entrants import Entrant, EntryError, enter_one, labels
from dawn_agents.tournaments.match import FORFEIT, Outcome
from dawn_agents.tournaments.result_database import ResultDatabase
from dawn_agents.tournaments.strength.rating_scale import Rated, Scale, read_scale
from dawn_agents.tournaments.strength.strength_estimate import StrengthEstimate
from dawn_env import engine
from dawn_env.actions import ACTIONS
from dawn_env.errors import DawnError
from dawn_env.game import Game
from dawn_env.observation.player_view import View
from dawn_env.options import GameOptions
from dawn_env.players import Player, ViewPlayer
from dawn_env.state import RESULTS, Result
from dawn_env.tables import SIDE_NAMES

OWN = Path("runs/ladder.db")
"""Where commands keep the ladder, unless another file is named."""


def edition(version: str, source: str) -> str:
    """Text that tells a player from what it was before it changed: its ``version`` and the digest of its files."""
    return version if version.endswith(source) else f"{version}+{source}"


@dataclass(frozen=True)
class Place:
    """A player's place on the ladder.

    ``label`` of the player's ``name``; ``edition``: see the function; ``standing``: whether it is of the standing
    scale; ``side``: the only one that it plays, None for both; ``games`` that count, ``forfeits`` among them;
    ``seconds`` a decision took on average, None where it has taken none in the games of the ladder; ``costs``: what a
    decision has cost on average besides, by name (``Player.costs``).
    """

    name: str
    label: str
    edition: str
    standing: bool
    rated: Rated
    side: int | None
    games: int
    forfeits: int
    seconds: float | None
    costs: dict[str, float]

    @property
    def rating(self) -> float:
        """Elo in the mean of both sides, or on the only one; the bound where no more is known."""
        main = self.rated.both if self.side is None else self.rated[1 + self.side]
        bounds = [bound for bound in main.bounds if bound is not None]
        return bounds[0] if main.beyond and bounds else main.value

    def to_json(self) -> dict[str, Any]:
        """The place as JSON values; null for what is not known, or was not measured."""
        values, rated = asdict(self), self.rated
        del values["rated"]
        sides = {side: rated[1 + number].known() for number, side in enumerate(SIDE_NAMES)}
        if self.side is not None:
            sides[SIDE_NAMES[1 - self.side]] = None
        both = rated.both if self.side is None else rated[1 + self.side]
        return values | {"side": None if self.side is None else SIDE_NAMES[self.side]} | both.known() | sides


# --- reading -----------------------------------------------------------------------------------------------


def places(store: ResultDatabase, scale: Scale | None = None) -> list[Place]:
    """All players of the standing scale and of the ladder in ``store``, strongest first.

    Games against players of the scale count, in the version that was measured.
    """
    scale = scale or read_scale()
    players, sources, games = store.players(), store.sources(), store.games()
    versions = {rung.name: rung.version for rung in scale.rungs}
    rungs = {name for name, version in versions.items() if players.get(name, {}).get("version") == version}
    called, found = labels(players | {name: {} for name in versions}), []
    for rung in scale.rungs:
        rated, costs = scale.ratings()[rung.name], _per_decision([g for g in games if rung.name in rungs], rung.name)
        found.append(Place(rung.name, called[rung.name], rung.version, True, rated, None, rung.games, 0, *costs))
    for name, player in players.items():
        counted = [game for game in games if name in game.players and rungs & {*game.players}]
        if name in versions or not counted:
            continue
        sides = {game.players.index(name) for game in counted if game.forfeited_by != name}
        side = min(sides) if len(sides) == 1 else None  # a player that has forfeited all games on the other
        estimate = StrengthEstimate(scale, side)
        estimate.add_games(counted, name)
        forfeits = sum(game.forfeited_by == name for game in estimate.played)
        which, costs = edition(player["version"], sources.get(name, "")), _per_decision(counted, name)
        place = Place(name, called[name], which, False, estimate.rated(), side, estimate.games, forfeits, *costs)
        found.append(place)
    return sorted(found, key=lambda place: -place.rating)


def _per_decision(games: Iterable[Outcome], name: str) -> tuple[float | None, dict[str, float]]:
    """``Place.seconds`` and ``Place.costs`` of a player."""
    mine = [(game, game.players.index(name)) for game in games if name in game.players]
    moves = sum(game.moves[side] for game, side in mine)
    if not moves:
        return None, {}
    costs = total_costs([game for game, _ in mine], name)
    seconds = sum(game.seconds[side] for game, side in mine) / moves
    return seconds, {cost: amount / moves for cost, amount in costs.items()}


def opponents(path: Path) -> list[tuple[Place, Entrant]]:
    """Players of the ladder in a file, weakest first, that can be made here as they were when they were measured.

    Nobody where there is no ladder yet at the usual place; raises ``StoreError`` for another file that is none.
    """
    if path == OWN and not path.exists():
        return []
    with ResultDatabase(path, read_only=True) as store:
        own, seeds = [place for place in reversed(places(store)) if not place.standing], store.players()
    found = []
    for place in own:
        try:
            entrant = enter_one(place.name, seeds[place.name]["seed"])
        except EntryError:
            continue
        if edition(entrant.version, entrant.source) == place.edition:
            found.append((place, entrant))
    return found


# --- writing -----------------------------------------------------------------------------------------------


def make_room(store: ResultDatabase, player: Entrant) -> str:
    """Rename the former version of a changed player, and restore a version that is current again. Returns the new name
    of the former version, empty if the player has not changed."""
    wanted, present, retired = edition(player.version, player.source), _editions(store), ""
    if present.get(player.name, wanted) != wanted:
        retired = f"{player.name}@{present[player.name]}"
        store.rename(player.name, retired)
    if (kept := f"{player.name}@{wanted}") in present:
        store.rename(kept, player.name)
    return retired


def _editions(store: ResultDatabase) -> dict[str, str]:
    sources = store.sources()
    return {name: edition(player["version"], sources.get(name, "")) for name, player in store.players().items()}


def merge(store: ResultDatabase, path: Path) -> tuple[int, list[str]]:
    """Add the games of another database; the number of new ones, and the names here of the players that are measured.

    A player that is another one there is added under the name of its edition. Raises ``StoreError``.
    """
    here = _editions(store)
    with ResultDatabase(path, read_only=True) as other:
        own = {name: which for name, which in _editions(other).items() if name not in read_scale().names}
    renamed = {name: f"{name}@{which}" for name, which in own.items() if here.get(name, which) != which}
    return store.merge(path, renamed), [renamed.get(name, name) for name in own]


# --- replaying ---------------------------------------------------------------------------------------------


def replay_sample(path: Path, sample: int) -> tuple[int, int]:
    """Check another person's results: replay a random sample of games and repeat the decisions of players of the
    standing scale. Returns the numbers of games and of decisions checked.

    Raises ``StoreError`` where anything differs, and for other versions of the rules or of standing players.
    """
    versions = {rung.name: rung.version for rung in read_scale().rungs}
    with ResultDatabase(path, read_only=True) as store:
        store.check(store.options)
        players, games = store.players(), list(store.outcomes())
        for name in versions.keys() & players.keys():
            if (version := players[name]["version"]) != versions[name]:
                raise StoreError(
                    f"{path}: its {name} is of version {version}, not {versions[name]} as on the standing scale"
                )
        drawn = random.SystemRandom().sample(games, min(sample, len(games)))
        seeds = {name: players[name]["seed"] for name in versions.keys() & players.keys()}
        return len(drawn), sum(_replay(game, store.options, seeds, path) for game in drawn)


def _replay(game: Outcome, options: GameOptions, seeds: Mapping[str, int], path: Path) -> int:
    """Replay a game and repeat the decisions of its standing players (``seeds`` by name); returns their number.

    Raises ``StoreError``.
    """
    again, actions, moments = Game(game.seed, options), list(game.actions), []
    try:
        for action in actions:
            moments.append(again.states.copy())
            engine.advance(again.states, np.array([again.check(action)]))
    except DawnError as error:
        raise StoreError(f"{path}: game {game.seed}, decision {len(moments)}: {error}") from error
    told = game.result, game.reason, game.vp, game.turn
    ended = again.result, again.reason, again.vp, int(again.state.turn)
    if game.reason == FORFEIT:  # the moves do not tell the result
        told, ended = (RESULTS[Result.RUNNING], *told[2:]), (again.result, *ended[2:])
    if told != ended:
        raise StoreError(f"{path}: game {game.seed}: it ends with {_listed(told)}, replayed with {_listed(ended)}")
    return sum(
        _ask_again(make_player(name, seeds[name]), side, np.concatenate(moments), actions, f"{path}: game {game.seed}")
        for side, name in enumerate(game.players)
        if name in seeds and moments
    )


def _listed(values: Iterable) -> str:
    return ", ".join(map(str, values))


def _ask_again(player: Player, side: int, states: np.ndarray, actions: list[int], where: str) -> int:
    """Ask a player again in the positions in which it was to act; raises ``StoreError`` that begins with ``where``."""
    rows = np.flatnonzero(states["actor"] == side)
    views = [View(states[row]) for row in rows]
    if not views:
        return 0
    with closing(player):
        if isinstance(player, ViewPlayer):
            chosen = player.choose_each(views)
        else:
            chosen = player.choose(np.array([v.observation for v in views]), np.array([v.mask for v in views]))
    for row, action in zip(rows.tolist(), chosen, strict=True):
        if action != actions[row]:
            raise StoreError(
                f"{where}, decision {row + 1}: {player.name} decides {ACTIONS[action]}, not {ACTIONS[actions[row]]} as "
                "recorded"
            )
    return len(rows)

"""Measure the standing rating scale: Elo ratings, by side, of the reference players.

Each player meets the next stronger one and the one after that. The scale is written to
agents/dawn_agents/tournaments/strength/scale.json, which dawn evaluate, the browser and docs/reference/ladder.md
(``make docs``) read. Results of a meeting are taken from that file where playing it again would repeat
the same games.
"""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from dawn_agents.command_line import COUNT, executor_of, exit_status, output_file
from dawn_agents.commands.tournament import add_play_arguments, play_with_progress
from dawn_agents.players.registry import files_of
from dawn_agents.tournaments.entrants import enter
from dawn_agents.tournaments.match import Outcome
from dawn_agents.tournaments.rating.estimates import Estimate
from dawn_agents.tournaments.rating.pair_results import Meetings, PairResult, pair_results
from dawn_agents.tournaments.rating.result_model import Posterior, model_of
from dawn_agents.tournaments.reporting.tables import Sheet, console
from dawn_agents.tournaments.result_database import ResultDatabase
from dawn_agents.tournaments.strength.rating_scale import (
    FORMAT,
    STANDING,
    YARDSTICK,
    ZERO,
    Scale,
    ScalePlayer,
    read_scale,
)
from dawn_agents.tournaments.tournament_plan import Plan

from dawn_env.errors import BadInput
from dawn_env.support.atomic_files import atomic_write
from dawn_env.tables import SIDES

RUNGS = {
    "random": 1000,
    **{f"heuristic:level={level}": 1000 for level in range(1, 10)},
    "heuristic": 1000,
    "pretrained:sample=true,temperature=3": 1000,
    "value": 300,
    "pretrained": 1000,
    "distilled": 1000,
    "search:sims=16": 100,
    "search": 200,
}
"""The players of the standing scale, weakest first, and pairs of games that their speed allows against one other."""
_LEVELS = (0.0, 0.5, 1.0)  # points in a game


Couple = tuple[str, str]
"""Names of two players, in alphabetical order."""


def couple(one: str, two: str) -> Couple:
    """Return two names in alphabetical order."""
    return min(one, two), max(one, two)


@dataclass(frozen=True)
class ScalePlan(Plan):
    """Pairings of each player with the next and, in half as many ``pairs`` of games, with the next but one.

    The entrants come weakest first. Of those in ``RUNGS`` the slower one says how many pairs they play at most; two
    that simulate do not meet. ``known``: results of meetings that are not played, as of ``known_meetings``.
    """

    known: Mapping[Couple, np.ndarray] = field(default_factory=dict)

    @property
    def meetings(self) -> list[tuple[str, str, int]]:
        """Two players and their pairs, for every meeting that is to be played."""
        return [meeting for meeting in self.all_meetings if couple(*meeting[:2]) not in self.known]

    @property
    def all_meetings(self) -> list[tuple[str, str, int]]:
        """Two players and their pairs, for every meeting."""
        found = []
        for step, share in ((1, 1), (2, 2)):
            for one, two in zip(self.entrants, self.entrants[step:], strict=False):
                pairs = min(RUNGS.get(name, self.pairs) for name in (one.name, two.name))
                if not (one.name.startswith("search") and two.name.startswith("search")):
                    found.append((one.name, two.name, max(1, min(self.pairs, pairs) // share)))
        return found


def known_meetings(before: Scale | None, plan: ScalePlan, engine: str) -> dict[Couple, np.ndarray]:
    """Return results, in the form of ``_count``, that the previous scale ``before`` has for meetings of the ``plan``.

    Only meetings whose games would be the same if they were played again: engine, seed, number of pairs and the
    versions of both players are those of the scale. Code that changed under the same version is not noticed.
    """
    if before is None or (before.origin.get("engine"), before.origin.get("seed")) != (engine, plan.seed):
        return {}
    versions = {rung.name: rung.version for rung in before.rungs}
    unchanged = {entrant.name for entrant in plan.entrants if versions.get(entrant.name) == entrant.version}
    pairs = {couple(one, two): count for one, two, count in plan.all_meetings}
    told = {(met["one"], met["two"]): np.array(met["pairs"]) for met in before.origin["meetings"]}
    return {
        players: counts
        for players, counts in told.items()
        if unchanged.issuperset(players) and pairs.get(players) == counts.sum()
    }


def make_scale(
    games: Sequence[Outcome],
    versions: Mapping[str, str],
    origin: Mapping,
    known: Mapping[Couple, np.ndarray],
    before: Scale | None,
) -> Scale:
    """Fit the scale to ``games``, complete pairs, and to the results of ``known`` meetings.

    ``versions`` of the players by name; ``before``: the previous scale, if there is one. Raises ``BadInput`` when the
    yardstick or the player rated 0 has not played.
    """
    results = [*pair_results(games).values(), *_listed(known)]
    names = sorted({name for result in results for name in (result.one, result.two)})
    for name in (ZERO, YARDSTICK):
        if name not in names:
            raise BadInput(f"a scale needs {ZERO} and {YARDSTICK}; {name} has played no pair")
    _, mean, covariance = fit_ratings(results)
    order = np.argsort([mean[place] + mean[len(names) + place] for place in range(len(names))], kind="stable").tolist()
    rows = [*order, *(len(names) + place for place in order), 2 * len(names), 2 * len(names) + 1]
    rungs = [_rung(names[place], versions, games, results, before) for place in order]
    meetings = [{"one": one, "two": two, "pairs": counts.tolist()} for (one, two), counts in _count(results).items()]
    return Scale(tuple(rungs), mean[rows], covariance[np.ix_(rows, rows)], {**origin, "meetings": meetings})


def _rung(
    name: str,
    versions: Mapping[str, str],
    games: Sequence[Outcome],
    results: Sequence[PairResult],
    before: Scale | None,
) -> ScalePlayer:
    """Return a player's entry. Its thinking time is that in ``games``, or that in the scale ``before`` if the player
    has not changed since."""
    count = 2 * sum(name in (result.one, result.two) for result in results)
    for rung in before.rungs if before else ():
        if (rung.name, rung.version) == (name, versions[name]):
            return rung._replace(games=count)
    seconds = [game.seconds[side] for game in games for side in range(SIDES) if game.players[side] == name]
    return ScalePlayer(name, versions[name], float(np.median(seconds)), count)


def _listed(known: Mapping[Couple, np.ndarray]) -> list[PairResult]:
    """Expand the counts of ``known`` meetings into a list with one result a pair; the inverse of ``_count``."""
    return [
        PairResult(*players, _LEVELS[as_democrat], _LEVELS[as_communist])
        for players, counts in known.items()
        for as_democrat, as_communist in np.argwhere(counts)
        for _ in range(counts[as_democrat, as_communist])
    ]


def _count(results: Sequence[PairResult]) -> dict[Couple, np.ndarray]:
    """Pairs int64 [3, 3] of two players by points of the first as Democrat and as Communist: 0, 1/2, 1."""
    met: dict[Couple, np.ndarray] = {}
    for one, two, as_democrat, as_communist, *_ in sorted(results):
        counts = met.setdefault((one, two), np.zeros((3, 3), np.int64))
        counts[_LEVELS.index(as_democrat), _LEVELS.index(as_communist)] += 1
    return met


def fit_ratings(results: Sequence[PairResult]) -> tuple[list[str], np.ndarray, np.ndarray]:
    """Names, sorted; parameters [2 K + 2] as in ``Scale``, ``ZERO`` at 0; their covariance, ``YARDSTICK`` at 0."""
    meetings = Meetings(results)
    fitted = Posterior(model_of(meetings.leads(by_side=True)), meetings.tallies, meetings)
    zero, yardstick = (_shift(len(meetings.names), meetings.names.index(name)) for name in (ZERO, YARDSTICK))
    return meetings.names, zero @ fitted.best, yardstick @ fitted.covariance @ yardstick.T


def _shift(count: int, place: int) -> np.ndarray:
    """float [P, P]: takes a player's ratings on both sides from all of that side; games stay as likely as they were."""
    shift = np.eye(2 * count + 2)
    shift[:count, place] -= 1
    shift[count : 2 * count, count + place] -= 1
    shift[2 * count, [place, count + place]] += 1, -1
    return shift


def steps(scale: Scale) -> list[tuple[float, float, float]]:
    """Differences from each player to the next: Elo in the mean, as Democrat, as Communist."""
    ratings = [[estimate.value for estimate in rated] for rated in scale.ratings().values()]
    return [tuple(above - below for below, above in zip(*two, strict=True)) for two in pairwise(ratings)]


# --- the file and the table


def listed_json(told: Mapping[str, Any]) -> str:
    """A JSON object as text with a line for each value, and for each item of a list: differences are easy to read."""
    texts = []
    for key, value in told.items():
        text = json.dumps(value)
        if isinstance(value, list):
            text = "[\n  " + ",\n  ".join(map(json.dumps, value)) + "\n ]"
        texts.append(f" {json.dumps(key)}: {text}")
    return "{\n" + ",\n".join(texts) + "\n}\n"


def write_scale(scale: Scale, path: Path) -> None:
    """Keep a scale in a file: JSON, a line for each player, meeting and row of the covariance."""
    ratings = scale.ratings()
    players = [
        rung._asdict()
        | {"seconds": round(rung.seconds, 4)}
        | _rounded(ratings[rung.name].both)
        | {side: _rounded(getattr(ratings[rung.name], side)) for side in ("democrat", "communist")}
        for rung in scale.rungs
    ]
    scale_json = {"format": FORMAT, "zero": ZERO, "yardstick": YARDSTICK, **scale.origin, "players": players}
    scale_json["parameters"] = [[_short(number)] for number in scale.mean]
    scale_json["covariance"] = [[_short(number) for number in row] for row in scale.covariance]
    with atomic_write(path, parents=True) as file:
        file.write(listed_json(scale_json))


def _rounded(estimate: Estimate) -> dict[str, float]:
    names = ("rating", "low", "high")
    return {name: round(value, 1) + 0.0 for name, value in zip(names, estimate, strict=False)}


def _short(number: float) -> float:
    return float(f"{number:.6g}") + 0.0


def scale_sheet(scale: Scale) -> Sheet:
    """Ratings with their intervals, weakest player first."""
    ratings = scale.ratings()
    rows = [
        (rung.name, *(estimate.text() for estimate in ratings[rung.name]), str(rung.games), f"{rung.seconds:.3f}")
        for rung in scale.rungs
    ]
    title = f"The standing scale: {ZERO} = 0 Elo; 95% intervals of the distance from {YARDSTICK}"
    return Sheet(title, ("player", "Elo", "as Democrat", "as Communist", "games", "s/game"), rows)


# --- the command

LARGEST_STEP = 200  # Elo between neighbours


def parse(arguments: list[str] | None) -> argparse.Namespace:
    """Command line options."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", nargs="+", default=list(RUNGS), metavar="SPEC", help="weakest first")
    parser.add_argument("--db", type=Path, default="runs/ladder.db", metavar="FILE", help="keeps results (%(default)s)")
    parser.add_argument(
        "--scale", type=output_file, default=str(STANDING), metavar="FILE", help="the file to write (%(default)s)"
    )
    parser.add_argument(
        "--pairs", type=COUNT, default=max(RUNGS.values()), help="pairs of games per meeting (%(default)s)"
    )
    add_play_arguments(parser)
    return parser.parse_args(arguments)


def run(options: argparse.Namespace) -> None:
    """Play, fit, write the scale, and print it with the steps between its players."""
    entrants = enter(options.players, options.player_seed)
    if any(entrant.is_external for entrant in entrants):
        raise BadInput("programs and people have no place on the scale: nobody could repeat their games")
    plan = ScalePlan(entrants, pairs=options.pairs, seed=options.seed)
    before = read_scale(options.scale) if options.scale.is_file() else None
    with executor_of(options, files_of(plan.names)) as executor, ResultDatabase.create(options.db) as store:
        plan = replace(plan, known=known_meetings(before, plan, store.engine))
        print(f"{len(plan.meetings)} of {len(plan.all_meetings)} meetings to play; {options.scale} has the others")
        play_with_progress(plan, store, executor, with_luck=False)
        games = plan.results(store)
    versions = {entrant.name: entrant.version for entrant in entrants}
    scale = make_scale(games, versions, _origin(options, store.engine), plan.known, before)
    write_scale(scale, options.scale)
    console().print(scale_sheet(scale))
    by_way = list(zip(*steps(scale), strict=True))
    largest, least = max(by_way[0]), min(map(min, by_way[1:]))
    print(f"largest step {largest:.0f} Elo (wished: at most {LARGEST_STEP}); least step on a side {least:.0f} Elo")


def _origin(options: argparse.Namespace, engine: str) -> dict[str, object]:
    words = [f"--pairs {options.pairs}", f"--seed {options.seed}"]
    if options.players != list(RUNGS):
        words = [f"--players {' '.join(options.players)}", *words]
    return {
        "game": "standard",
        "engine": engine,
        "date": datetime.now(UTC).date().isoformat(),
        "command": f"python -m scripts.laboratory.measure_scale {' '.join(words)}",
        "seed": options.seed,
    }


def main(arguments: list[str] | None = None) -> int:
    """Entry point; 0 when all is well, 2 for bad input, 1 when something failed, 130 after Ctrl-C."""
    options = parse(arguments)
    return exit_status(lambda: run(options), f"stopped; games are kept in {options.db}")


if __name__ == "__main__":
    sys.exit(main())

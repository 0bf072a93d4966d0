"""Regression check of strength and speed: players of the standing scale and their costs, measured anew.

Ratings are compared with agents/dawn_agents/tournaments/strength/scale.json, costs (as multiples of a decision of a
batch, in the same run) with scripts/laboratory/speed.json, and the trained policies meet players they must beat on
both sides. Ends with status 1 when something is worse.
"""

import argparse
import math
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

from annotated_types import Gt
from dawn_agents.command_line import exit_status, integer, seed
from dawn_agents.commands import benchmark
from dawn_agents.commands.tournament import play_with_progress
from dawn_agents.players.registry import make_player
from dawn_agents.players.sparse_player import PRETRAINED
from dawn_agents.tournaments.entrants import enter_one
from dawn_agents.tournaments.rating.estimates import Estimate, Score, Z
from dawn_agents.tournaments.reporting.tables import Sheet, console
from dawn_agents.tournaments.result_database import ResultDatabase
from dawn_agents.tournaments.strength import adaptive_plan
from dawn_agents.tournaments.strength.adaptive_plan import AdaptivePlan
from dawn_agents.tournaments.strength.rating_scale import YARDSTICK, ZERO, read_scale
from dawn_agents.tournaments.strength.strength_estimate import Goal, StrengthEstimate
from dawn_agents.work.executor import LocalExecutor

from dawn_env.errors import BadInput
from dawn_env.support.atomic_files import write_json
from dawn_env.support.compiled_code import source_hash
from dawn_env.support.optional_packages import require_extra
from dawn_env.support.safe_text import escape_text
from dawn_env.tables import SIDE_NAMES
from dawn_env.validation.checked_input import read
from dawn_env.validation.untrusted_json import read_format

SPEED = Path(__file__).with_name("speed.json")
"""The standing costs."""
FORMAT = 1
_LONGEST = 2**20  # bytes of a file
_NOISE = 3.0  # standard errors: of some twenty comparisons none may fall beyond by chance
_SLOWER = 1.3  # times the cost that was measured before; ratios of one run vary by a tenth


@dataclass(frozen=True)
class Check:
    """One comparison: ``what`` was measured, what is expected and what was found, in words, and whether it is worse."""

    what: str
    expected: str
    found: str
    worse: bool


def rating_check(name: str, standing: Estimate, found: Estimate) -> Check:
    """Compare a rating with the standing one; worse if it has fallen by more than chance."""
    error = math.hypot(standing.high - standing.low, found.high - found.low) / (2 * Z)
    return Check(f"Elo of {name}", standing.text(), found.text(), found.value < standing.value - _NOISE * error)


def version_check(name: str, measured: str, now: str) -> Check:
    """Compare versions; worse unless a player is the one that stands on the scale."""
    return Check(f"version of {name}", measured, now, now != measured)


def score_check(what: str, score: Score) -> Check:
    """Compare a score with one half; worse unless its whole interval is above."""
    return Check(what, "above 50.0%", str(score), score.interval()[0] <= 0.5)


def cost_checks(standing: Mapping[str, float], found: Mapping[str, float]) -> list[Check]:
    """Compare costs, which are multiples of something measured in the same run; worse if more than chance."""
    return [
        Check(f"cost of {name}", f"{cost:.2f}", f"{found[name]:.2f}", found[name] > _SLOWER * cost)
        for name, cost in standing.items()
        if name in found
    ]


def checks_sheet(checks: Iterable[Check]) -> Sheet:
    """The comparisons and their verdicts."""
    rows = [("worse" if check.worse else "ok", check.what, check.expected, check.found) for check in checks]
    return Sheet("Against the standing figures", ("verdict", "", "expected", "found"), rows, words=2)


# --- the file of costs --------------------------------------------------------------------------------


def write_costs(costs: Mapping[str, float], origin: Mapping[str, Any], path: Path = SPEED) -> None:
    """Keep costs; ``origin``: when and how they were measured."""
    rounded = {name: round(cost, 3) for name, cost in costs.items()}
    write_json({"format": FORMAT, **origin, "costs": rounded}, path)


def read_costs(path: Path = SPEED) -> dict[str, float]:
    """Read what ``write_costs`` has written; raises ``BadInput``."""
    remedy = "check_strength --record makes the file"
    told = read_format(path, "file of costs", FORMAT, most=_LONGEST, remedy=remedy)
    try:
        return read(dict[str, Annotated[float, Gt(0)]], told.get("costs"), "costs")
    except ValueError as error:
        raise BadInput(f"{escape_text(path)}: {error}") from None


# --- the command

POLICIES = "pretrained"
BEATEN = ("heuristic", "heuristic:style=events", "greedy")
"""Players that ``POLICIES`` must beat on either side, however they play."""
_GAMES = integer(2, 10**6)
PARTS = ("ratings", "policies", "speed")


def parse(arguments: list[str] | None) -> argparse.Namespace:
    """Command line options."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS, help="leave the other parts out")
    parser.add_argument("--players", nargs="+", metavar="NAME", help="players of the scale (all but the fixed ones)")
    parser.add_argument("--games", type=_GAMES, default=400, metavar="N", help="of each player (%(default)s)")
    parser.add_argument("--thinking", type=_GAMES, default=40, metavar="N", help="of those that think (%(default)s)")
    parser.add_argument("--seconds", type=float, default=3.0, help="time for each measurement of speed (%(default)s)")
    parser.add_argument("--seed", type=seed, default=2, help="seed of the deals, not that of the scale (%(default)s)")
    parser.add_argument("--record", action="store_true", help=f"keep the costs found, in {SPEED.name}")
    options = parser.parse_args(arguments)
    if options.record and "speed" not in options.only:
        parser.error("--record keeps what --only speed measures")
    return options


def ratings(options: argparse.Namespace) -> Iterator[Check]:
    """Measure each player's rating against the others."""
    scale = read_scale()
    standing = scale.ratings()
    for rung in scale.rungs:
        if rung.name in (ZERO, YARDSTICK) or (options.players and rung.name not in options.players):
            continue
        player = enter_one(rung.name)
        yield version_check(rung.name, rung.version, player.version)
        others, opponents, _ = adaptive_plan.opponents(scale, player, 0)
        if player.batch:  # those that think would take most of the time
            opponents = [opponent for opponent in opponents if opponent.batch]
            others = others.of([opponent.name for opponent in opponents])
        goal = Goal(1, options.games if player.batch else options.thinking)
        evaluation = StrengthEstimate(others)
        plan = AdaptivePlan([player, *opponents], seed=options.seed, evaluation=evaluation, goal=goal)
        with (
            tempfile.TemporaryDirectory() as folder,
            ResultDatabase.create(Path(folder) / "games.db") as store,
        ):
            play_with_progress(plan, store, LocalExecutor(), with_luck=False)
        yield rating_check(rung.name, standing[rung.name].both, evaluation.rated().both)


def policies(options: argparse.Namespace) -> Iterator[Check]:
    """The trained policies on either side against those they must beat."""
    require_extra("train")
    from dawn_agents.training.policy_matches import evaluate
    from dawn_agents.training.sparse_ppo import SparsePolicy

    found = {side: SparsePolicy.load(PRETRAINED / f"{side}.zip")[0] for side in SIDE_NAMES}
    beaten = {name: make_player(name) for name in BEATEN}
    scores = evaluate(found, beaten, options.games, 256, options.seed << 32)
    for (side, name), score in scores.items():
        yield score_check(f"{POLICIES} as {side} against {name}", score)


def costs(seconds: float) -> dict[str, float]:
    """Costs of a decision, as multiples of one of a batch with a random player."""
    unit = 1 / benchmark.batch_figures(1024, seconds)["batch_decisions_per_second"]
    found = {name: 1 / benchmark.player_rate(name, seconds) / unit for name in (YARDSTICK, POLICIES)}
    found["search:sims=200"] = benchmark.search_milliseconds("search:sims=200", seconds) * 1e-3 / unit
    return found


def speed(options: argparse.Namespace) -> Iterator[Check]:
    """Costs; with ``--record`` they are kept."""
    found = costs(options.seconds)
    if options.record:
        origin = {"date": datetime.now(UTC).date().isoformat(), "engine": source_hash()} | benchmark.machine()
        write_costs(found, origin)
    yield from cost_checks(read_costs(), found)


def run(options: argparse.Namespace) -> int:
    """Measure and tell; 1 when something is worse."""
    parts = {"ratings": ratings, "policies": policies, "speed": speed}
    checks = [check for name in PARTS if name in options.only for check in parts[name](options)]
    console().print(checks_sheet(checks))
    worse = [check.what for check in checks if check.worse]
    print(f"worse: {', '.join(worse)}" if worse else f"nothing is worse in {len(checks)} comparisons")
    return 1 if worse else 0


def main(arguments: list[str] | None = None) -> int:
    """Entry point; 0 when nothing is worse, 1 when something is, 2 for bad input, 130 after Ctrl-C."""
    options = parse(arguments)
    return exit_status(lambda: run(options), "stopped")


if __name__ == "__main__":
    sys.exit(main())

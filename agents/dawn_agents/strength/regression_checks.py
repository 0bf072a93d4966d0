"""Has anything become worse? Ratings and costs measured anew, against those that are kept with the project."""

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.table import Table

from dawn_agents.rating.estimates import Estimate, Score, Z
from dawn_agents.strength.rating_scale import ScaleError
from dawn_env.support.atomic_files import whole_file
from dawn_env.support.safe_text import plain
from dawn_env.validation.untrusted_json import parse_json, read_text

SPEED = Path(__file__).parents[1] / "data" / "speed.json"
"""The costs that come with the project."""
_FORMAT = 1
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
    """Return True if a rating has fallen by more than chance. Both with intervals of 95 %."""
    error = math.hypot(standing.high - standing.low, found.high - found.low) / (2 * Z)
    return Check(f"Elo of {name}", _elo(standing), _elo(found), found.rating < standing.rating - _NOISE * error)


def _elo(estimate: Estimate) -> str:
    return f"{estimate.rating:+.0f} ({estimate.low:+.0f} to {estimate.high:+.0f})"


def version_check(name: str, measured: str, now: str) -> Check:
    """Return True if a player is the one that stands on the scale."""
    return Check(f"version of {name}", measured, now, now != measured)


def score_check(what: str, score: Score) -> Check:
    """Return True if the whole interval of a score is above one half."""
    low, high = score.interval()
    return Check(what, "above 50.0%", f"{score.rate:.1%} ({low:.1%} to {high:.1%})", low <= 0.5)


def cost_checks(standing: Mapping[str, float], found: Mapping[str, float]) -> list[Check]:
    """Return True if anything costs more than it did; costs as multiples of something measured in the same run."""
    return [
        Check(f"cost of {name}", f"{cost:.2f}", f"{found[name]:.2f}", found[name] > _SLOWER * cost)
        for name, cost in standing.items()
        if name in found
    ]


def checks_table(checks: Iterable[Check]) -> Table:
    """Describe the change in words."""
    table = Table(title="Against the standing figures")
    for heading in ("", "expected", "found", "verdict"):
        table.add_column(heading, justify="left" if heading in ("", "verdict") else "right")
    for check in checks:
        table.add_row(check.what, check.expected, check.found, "[red]worse[/red]" if check.worse else "ok")
    return table


# --- the file of costs --------------------------------------------------------------------------------


def write_costs(costs: Mapping[str, float], origin: Mapping[str, Any], path: Path = SPEED) -> None:
    """Keep costs; ``origin``: when and how they were measured."""
    with whole_file(path, parents=True) as file:
        rounded = {name: round(cost, 3) for name, cost in costs.items()}
        json.dump({"format": _FORMAT, **origin, "costs": rounded}, file, indent=1)
        file.write("\n")


def read_costs(path: Path = SPEED) -> dict[str, float]:
    """Read what ``write_costs`` has written; raises ``ScaleError``."""
    try:
        told = parse_json(read_text(path, _LONGEST))
    except OSError as error:
        raise ScaleError(f"{plain(path)}: {error.strerror}; strength --record makes the file") from None
    except ValueError as error:
        raise ScaleError(f"{plain(path)}: no file of costs: {error}") from None
    if not isinstance(told, dict) or told.get("format") != _FORMAT or not isinstance(told.get("costs"), dict):
        raise ScaleError(f"{plain(path)}: a file of costs of format {_FORMAT} expected")
    wrong = [name for name, cost in told["costs"].items() if type(cost) not in (int, float) or not cost > 0]
    if wrong:
        raise ScaleError(f"{plain(path)}: cost of {plain(wrong[0])}: a number above 0 expected")
    return told["costs"]

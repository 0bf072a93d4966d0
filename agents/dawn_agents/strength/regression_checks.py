"""Regression check: ratings and costs measured anew, against those that are kept with the project."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from annotated_types import Gt

from dawn_agents.rating.estimates import Estimate, Score, Z
from dawn_agents.reporting.tables import Sheet
from dawn_agents.strength.rating_scale import ScaleError
from dawn_env.support.atomic_files import write_json
from dawn_env.support.safe_text import escape_text
from dawn_env.validation.checked_input import read
from dawn_env.validation.untrusted_json import read_format

SPEED = Path(__file__).parents[1] / "data" / "speed.json"
"""The costs that come with the project."""
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
    """Read what ``write_costs`` has written; raises ``ScaleError``."""
    remedy = "strength --record makes the file"
    told = read_format(path, "file of costs", FORMAT, ScaleError, most=_LONGEST, remedy=remedy)
    try:
        return read(dict[str, Annotated[float, Gt(0)]], told.get("costs"), "costs")
    except ValueError as error:
        raise ScaleError(f"{escape_text(path)}: {error}") from None

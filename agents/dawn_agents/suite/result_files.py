"""Results as files: JSON that fits ``result.schema.json``."""

import json
import math
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
from scipy.stats import trim_mean

from dawn_agents.rating.estimates import Estimate, Z, beyond_of_mean
from dawn_env.errors import BadInput
from dawn_env.support.atomic_files import write_json
from dawn_env.support.safe_text import escape_text
from dawn_env.validation.untrusted_json import read_format

FORMAT = 1
_LONGEST = 2**22  # bytes of a file
SEEDS = 3
"""Training seeds of a complete result at least."""
_RESAMPLES, _SEED, _TRIM = 2000, 1, 0.25  # of the bootstrap


@cache
def _schema() -> dict[str, Any]:
    return json.loads((Path(__file__).parent / "result.schema.json").read_text(encoding="utf-8"))


def summarise(result: dict[str, Any]) -> dict[str, Any]:
    """Scores over all training seeds by way of playing."""
    ways, runs = result["runs"][0]["scores"], result["runs"]
    scores = {way: [Estimate.of_known(run["scores"][way]) for run in runs] for way in ways}
    return {way: interquartile_mean(each).known("value") for way, each in scores.items()}


def interquartile_mean(scores: Sequence[Estimate]) -> Estimate:
    """The mean of the middle half of ``scores``, one a training seed, and its interval of 95 %.

    The bootstrap resamples the seeds and, in each, the score within its own interval; one seed alone has the interval
    of its games. With up to three seeds it is the plain mean. A seed that lost or won everything makes it a bound.
    """
    if len(scores) == 1:
        return scores[0]
    values, errors = np.array([_value_and_error(score) for score in scores]).T
    random = np.random.default_rng(_SEED)
    drawn = random.integers(0, len(scores), (_RESAMPLES, len(scores)))
    resampled = trim_mean(values[drawn] + errors[drawn] * random.standard_normal(drawn.shape), _TRIM, axis=1)
    ends = np.percentile(resampled, (2.5, 97.5)).tolist()
    return Estimate(float(trim_mean(values, _TRIM)), *ends, beyond_of_mean(score.beyond for score in scores))


def _value_and_error(score: Estimate) -> tuple[float, float]:
    """Value and standard error; the bound, which is sure, where there is no value, and nan where there is none."""
    if score.beyond:
        return next((end for end in score.bounds if end is not None), math.nan), 0.0
    return score.value, (score.high - score.low) / (2 * Z)


def write_result(result: dict[str, Any], path: Path) -> None:
    """Check a result against the schema and keep it."""
    jsonschema.validate(result, _schema())
    write_json(result, path)


def read_result(path: Path) -> dict[str, Any]:
    """A result that fits the schema; raises ``BadInput``."""
    told = read_format(path, "result of the suite", FORMAT, most=_LONGEST)
    try:
        jsonschema.validate(told, _schema())
    except jsonschema.ValidationError as error:
        where = "/".join(map(str, error.absolute_path)) or "the whole"
        raise BadInput(
            f"{escape_text(path)}: no result of the suite: {where}: {escape_text(error.message[:200])}"
        ) from None
    return told

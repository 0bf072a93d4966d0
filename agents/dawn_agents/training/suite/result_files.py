"""Results as files: JSON of ``result_schema.Result``."""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from dawn_agents.tournaments.rating.estimates import Estimate, Z, beyond_of_mean
from dawn_agents.training.suite.result_schema import Result
from dawn_env.errors import BadInput
from dawn_env.support.atomic_files import write_json
from dawn_env.support.safe_text import escape_text
from dawn_env.validation.checked_input import read
from dawn_env.validation.untrusted_json import read_format

FORMAT = 2
_LONGEST = 2**22  # bytes of a file
SEEDS = 3
"""Training seeds of a complete result at least."""
_RESAMPLES, _SEED = 2000, 1  # of the bootstrap


def summarise(result: dict[str, Any]) -> dict[str, Any]:
    """Scores over all training seeds, for each way of playing: sampled, greedy or plain."""
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
    resampled = _middle_mean(values[drawn] + errors[drawn] * random.standard_normal(drawn.shape))
    ends = np.percentile(resampled, (2.5, 97.5)).tolist()
    return Estimate(float(_middle_mean(values)), *ends, beyond_of_mean(score.beyond for score in scores))


def _middle_mean(values: np.ndarray) -> np.ndarray:
    """Mean of the middle half along the last axis; a quarter rounded down is left out at each end."""
    count, left_out = values.shape[-1], values.shape[-1] // 4
    return np.partition(values, (left_out, count - left_out - 1))[..., left_out : count - left_out].mean(axis=-1)


def _value_and_error(score: Estimate) -> tuple[float, float]:
    """Value and standard error; the bound, which is sure, where there is no value, and nan where there is none."""
    if score.beyond:
        return next((end for end in score.bounds if end is not None), math.nan), 0.0
    return score.value, (score.high - score.low) / (2 * Z)


def write_result(result: dict[str, Any], path: Path) -> None:
    """Check that a result is complete and keep it."""
    write_json(read(Result, result), path)


def read_result(path: Path) -> dict[str, Any]:
    """A result that is complete and has no unknown keys; raises ``BadInput``."""
    told = read_format(path, "result of the suite", FORMAT, most=_LONGEST)
    try:
        result = read(Result, told)
        _refuse_gaps(result)
    except ValueError as error:
        raise BadInput(f"{escape_text(path)}: no result of the suite: {error}") from None
    return result


def _refuse_gaps(result: dict[str, Any]) -> None:
    """Raise ``ValueError`` unless summary, seeds and curves have the same ways of playing, each with whole scores."""
    runs = result["runs"]
    scored = [result["summary"], *(one["scores"] for run in runs for one in (run, *run["curve"]))]
    if any(scores.keys() != result["summary"].keys() for scores in scored):
        raise ValueError("the same ways of playing in the summary, in all seeds and in their curves expected")
    for problem in (interval_gap(score) for scores in scored for score in scores.values()):
        if problem:
            raise ValueError(problem)


def interval_gap(score: Mapping[str, Any]) -> str:
    """Problem of a score that lacks its value and interval, or the bound that stands in their place; empty for none."""
    known = {"": (True, True, True), "below": (False, False, True), "above": (False, True, False)}
    there = tuple(score[name] is not None for name in ("value", "low", "high"))
    right = there == known.get(score["beyond"], (False,) * 3)
    return "" if right else "value, low and high expected, or the one bound that beyond names"

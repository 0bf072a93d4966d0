"""Interquartile mean of the scores of several training seeds, with a bootstrap interval."""

import math
from collections.abc import Sequence

import numpy as np
from scipy.stats import trim_mean

from dawn_agents.rating.estimates import ENDS, Estimate, Z, beyond_of_mean

_RESAMPLES, _SEED, _TRIM = 2000, 1, 0.25


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
    ends = np.percentile(resampled, ENDS).tolist()
    return Estimate(float(trim_mean(values, _TRIM)), *ends, beyond_of_mean(score.beyond for score in scores))


def _value_and_error(score: Estimate) -> tuple[float, float]:
    """Value and standard error; the bound, which is sure, where there is no value, and nan where there is none."""
    if score.beyond:
        return next((end for end in score.bounds if end is not None), math.nan), 0.0
    return score.value, (score.high - score.low) / (2 * Z)

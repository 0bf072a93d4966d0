"""Interquartile mean over training seeds with a bootstrap interval, and bounds where there is no number."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.stats import trim_mean

from dawn_agents.rating.estimates import Z

_RESAMPLES, _SEED, _TRIM = 2000, 1, 0.25
_ENDS = (2.5, 97.5)

Score = dict[str, Any]
"""``value``, ``low``, ``high`` and ``beyond``: ``below`` ``high`` or ``above`` ``low``, then the other two are None."""


def interquartile_mean(scores: Sequence[Score]) -> Score:
    """The mean of the middle half of ``scores``, one a training seed, and its interval of 95 %.

    The bootstrap resamples the seeds and, in each, the score within its own interval; one seed alone has the interval
    of its games. With up to three seeds it is the plain mean. A seed that lost or won everything makes it a bound.
    """
    if len(scores) == 1:
        return {key: scores[0][key] for key in ("value", "low", "high", "beyond")}
    kinds = {score["beyond"] for score in scores} - {""}
    values, errors = np.array([_known(score) for score in scores]).T
    random = np.random.default_rng(_SEED)
    drawn = random.integers(0, len(scores), (_RESAMPLES, len(scores)))
    resampled = trim_mean(values[drawn] + errors[drawn] * random.standard_normal(drawn.shape), _TRIM, axis=1)
    low, high = np.percentile(resampled, _ENDS).tolist()
    if len(kinds) > 1:
        return {"value": None, "low": None, "high": None, "beyond": "above and below"}
    if kinds == {"below"}:
        return {"value": None, "low": None, "high": high, "beyond": "below"}
    if kinds == {"above"}:
        return {"value": None, "low": low, "high": None, "beyond": "above"}
    return {"value": float(trim_mean(values, _TRIM)), "low": low, "high": high, "beyond": ""}


def _known(score: Score) -> tuple[float, float]:
    """Value and standard error; the bound, which is sure, where there is no value."""
    if score["beyond"]:
        return score["high"] if score["beyond"] == "below" else score["low"], 0.0
    return score["value"], (score["high"] - score["low"]) / (2 * Z)


def score_text(score: Score, unit: str = "") -> str:
    """A score with its interval, or its bound; never a number alone."""
    if score["beyond"] == "above and below":
        return "no bound"
    if score["beyond"]:
        bound = score["high"] if score["beyond"] == "below" else score["low"]
        return f"{score['beyond']} {bound:+z.0f}{unit}"
    return f"{score['value']:+z.0f}{unit} ({score['low']:+z.0f} to {score['high']:+z.0f})"

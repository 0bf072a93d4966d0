"""Options of a game: what is accepted, what is refused and how that reads."""

import numpy as np
import pytest

from dawn_env.errors import BadOptions
from dawn_env.options import GameOptions


def test_json_round_trip():
    options = GameOptions(extra_support=(2, 1))
    assert options.to_json() == {"extra_support": [2, 1]}
    assert GameOptions.of(options.to_json()) == options
    assert GameOptions.of(None) == GameOptions() == GameOptions.of({})


def test_integers_of_any_kind_are_plain_integers_afterwards():
    points = GameOptions(extra_support=np.array([3, 20])).extra_support
    assert points == (3, 20) and all(type(number) is int for number in points)


@pytest.mark.parametrize(
    "points", [(200, 3), (-1, 0), (0, 21), (1,), (1, 2, 3), (1.7, 0), (float("nan"), 0), "ab", ("1", "2"), 5, None]
)
def test_bad_extra_support_is_refused_by_name(points):
    with pytest.raises(BadOptions, match=r"extra_support: \(democrat, communist\), each an integer 0 \.\.\. 20, not"):
        GameOptions(extra_support=points)


@pytest.mark.parametrize("options", [{"bid": True}, [1, 2], "extra_support", 7])
def test_unknown_options_are_refused_with_the_known_ones(options):
    with pytest.raises(BadOptions, match="some of the keys extra_support expected"):
        GameOptions.of(options)

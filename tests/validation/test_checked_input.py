"""Declared input: exact types, no unknown keys, one line for the first problem."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from annotated_types import Interval
from pydantic import ValidationError
from tables import table

from dawn_env.options import STANDARD, GameOptions
from dawn_env.validation import checked_input
from dawn_env.validation.checked_input import FROM_LIST, Checked, keyed, read
from dawn_env.validation.untrusted_json import check_format


@dataclass(frozen=True)
class Inner(Checked):
    share: Annotated[float, Interval(ge=0, le=1)] = 0.5
    kind: Literal["one", "two"] = "one"


@dataclass(frozen=True)
class Outer(Checked):
    count: Annotated[int, Interval(ge=1)]
    inner: Inner = Inner()
    sides: keyed({"D": bool, "C": bool}, {"more": list[int]}) | None = None  # type: ignore[valid-type]
    pair: Annotated[tuple[int, str], FROM_LIST] | None = None
    options: GameOptions = STANDARD

    def __post_init__(self):
        if self.count == 13:
            raise ValueError("count: another number than 13 expected")


def test_objects_of_json_become_dataclasses():
    told = {"count": 2, "inner": {"share": 1}, "sides": {"D": True, "C": False}, "pair": [1, "a"]}
    made = read(Outer, told | {"options": {"bid": True}})
    assert made == Outer(2, Inner(1.0), {"D": True, "C": False}, (1, "a"), GameOptions(bid=True))
    assert type(made.inner.share) is float


@pytest.mark.parametrize(("value", "words"), table(Path(__file__).with_name("wrong_values.txt")))
def test_the_first_problem_is_one_line_that_names_the_field(value, words):
    with pytest.raises(ValueError) as caught:
        read(Outer, json.loads(value))
    assert str(caught.value).startswith(words) and str(caught.value).isprintable() and len(str(caught.value)) < 400


def test_large_numbers():
    assert read(Outer, {"count": 16**5000}).count == 16**5000
    with pytest.raises(ValueError, match="^inner.share: a valid number expected, not 1000"):
        read(Outer, {"count": 1, "inner": {"share": 10**400}})


def test_values_without_a_class_are_as_strict():
    for kind, value in ((int, True), (list[int], ["3"]), (float, float("inf")), (dict[str, int], {"a": "1"})):
        with pytest.raises(ValueError, match="^here"):
            read(kind, value, "here")


def test_lists_stop_at_their_first_problem():
    for kind in (list[str], keyed({"a": list[str]})):
        value: Any = [1] * 1000 if kind == list[str] else {"a": [1] * 1000}
        with pytest.raises(ValidationError) as caught:
            checked_input._validator(kind).validate_python(value)
        assert caught.value.error_count() == 1


@pytest.mark.parametrize("found", [None, [], {}, {"format": 2}, {"format": "1"}, {"format": True}])
def test_another_version_is_named(found):
    with pytest.raises(ValueError, match="^format .*, but format 1 is needed$"):
        check_format(found, 1)

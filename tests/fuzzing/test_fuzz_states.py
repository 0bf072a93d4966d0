"""Short runs of the fuzzer over states, in every way that one can be given, and over positions."""

import pytest

from fuzzing.attempt import ACCEPTED, REFUSED
from fuzzing.child import try_all
from fuzzing.report import findings
from fuzzing.targets import TARGETS


@pytest.mark.parametrize(("name", "count"), [("states", 150), ("positions", 100)])
def test_games_are_refused_clearly_or_played_on(name, count, tmp_path):
    outcomes = list(try_all(TARGETS[name], 1, count, tmp_path))
    assert findings(outcomes) == {}
    assert {outcome.kind for outcome in outcomes} == {REFUSED, ACCEPTED}

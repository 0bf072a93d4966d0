"""The rules, one scripted situation per rule or ruling: the cases of the text files beside."""

from pathlib import Path

import pytest
from scripted_cases import cases_in, play

pytestmark = pytest.mark.plain

CASES = cases_in(Path(__file__).parent)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case(case):
    case.run()


# --- the notation ------------------------------------------------------------------------------------

GAME = "D: 60 / C: 1 4; turn 4; vp 2; Halle 0-3; Gdansk 1-0 > event, Halle"
RIGHT = (
    "Halle 1-3; 60 nowhere; 1 held by C; asks place; D asks place; D asks; choices {}; can Gdansk; cannot Berlin, "
    "pass; spaces {}; total D 2; struggle cards 0 0; struggle cards D 0; vp 2; turn 4; round 1; ussr 0; not over; "
    "result running; enabled 14; not enabled 107; hands.C [1, 4]; power.Poland.holder C; no samizdat; state winner -1"
)
WRONG = (
    "Halle 1-2", "Hale 1-3", "60 discard", "1 held by D", "asks check", "C asks place", "C asks", "choices Gdansk",
    "can Berlin", "cannot Berlin, Gdansk", "spaces Gdansk", "spaces of Poland", "count choices 3", "count hands.C 3",
    "total D 1", "struggle cards 6 0", "struggle cards D 6", "vp 3", "turn 5", "round 2", "ussr 1", "over",
    "result democrat", "reason final scoring", "enabled 107", "not enabled 14", "hands.C [1]", "power.Poland.holder D",
    "no hands", "state winner 1", "state track.0 1", "something else",
)  # fmt: skip


def test_what_is_expected_rightly_holds():
    worker_spaces = ", ".join(sorted(name.removeprefix("space:") for name in play(f"{GAME} = vp 2").legal))
    play(f"{GAME} = {RIGHT.format(worker_spaces, worker_spaces)}")


@pytest.mark.parametrize("wrong", WRONG)
def test_what_is_expected_wrongly_fails(wrong):
    with pytest.raises((AssertionError, KeyError, AttributeError)):
        play(f"{GAME} = {wrong}")


@pytest.mark.parametrize("text", [GAME, f"{GAME}, Berlin = vp 2", f"dice 1; {GAME} = vp 2", f"Hale 1-0; {GAME} = vp 2"])
def test_games_that_cannot_be_played_as_told_fail(text):
    with pytest.raises((AssertionError, ValueError)):
        play(text)

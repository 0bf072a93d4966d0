"""The rules, one scripted situation per rule or ruling: the cases of the text files beside, and a few of code."""

from pathlib import Path

import pytest
from scenario import asked
from scripted_cases import cases_in, play, situation

from dawn_env.state import PowerZone
from dawn_env.tables import COMMUNIST, FACE_COUNT, FACE_ID, FACE_RANK, FACE_SUIT

CASES = cases_in(Path(__file__).parent)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case(case):
    case.run()


@pytest.mark.parametrize(("turn", "first", "last"), [(3, 41, 81), (7, 82, 110)])
def test_decks_are_added_without_the_discards(turn, first, last):
    game = situation(f"D: 26 40; turn {turn}; round 7; draw pile 1; discard 3 4").take("card:26")
    game.end_script()
    at = game.take("event").position()
    assert {*at["draw_pile"], *at["hands"]["C"], *at["hands"]["D"]} == {1, 40, *range(first, last + 1)}
    assert at["discard"] == [3, 4]


def test_no_deck_is_added_in_between():
    game = situation("D: 26 40; turn 2; round 7").take("card:26")
    game.end_script()
    assert max(game.take("event").position()["draw_pile"]) <= 40


def test_struggle_deck():
    assert (FACE_COUNT.sum(), len(FACE_COUNT)) == (52, 20)
    assert [int(FACE_COUNT[FACE_SUIT == suit].sum()) for suit in range(6)] == [6, 12, 12, 6, 12, 4]
    assert FACE_RANK[FACE_ID["leader-church"]] == 3 and FACE_RANK[FACE_ID["rally-1"]] == 1


def test_support_surges_draws_what_is_left():
    """Ruling short-struggle-deck."""
    hands = "power deal D march-665544 / C support-surges strike-66554; power draws rally-1"
    game = situation(f"C: 22; turn 8; Poznan 3-0; Lodz 0-3; {hands}").take("pass", "pass")
    cards, rally = game.state.power_cards, FACE_ID["rally-1"]
    cards[PowerZone.DISCARD] += cards[PowerZone.DECK]
    cards[PowerZone.DECK] = 0
    cards[[PowerZone.DECK, PowerZone.DISCARD], rally] += [1, -1]
    game.take("power:support-surges")
    assert cards[PowerZone.HAND :].sum(axis=1).tolist() == [6, 6] and asked(game) == ("attack", "D")
    game.finish()


def test_no_round_begins_after_a_victory_by_ceausescus_loss():
    romania = "Bucuresti 3-1; Craiova 1-0; crowd_done true; tyrant_done true; ceausescu_hideout Bucuresti"
    game = situation(f"C: 12 / D: 9; turn 8; vp 18; dice 1; runs on; {romania}")
    game.state.ceausescu_due = 1
    game.take("check", "space:Craiova", "pass")
    assert (game.result, game.vp, game.state.phasing) == ("democrat", 20, COMMUNIST)


# --- the notation ------------------------------------------------------------------------------------

GAME = "D: 60 / C: 1 4; turn 4; vp 2; Halle 0-3; Gdansk 1-0 > event, Halle"
WRONG = (
    "Halle 1-2", "Hale 1-3", "60 discard", "1 held by D", "asks check", "C asks place", "C asks", "choices Gdansk",
    "can Berlin", "cannot Berlin, Gdansk", "spaces Gdansk", "spaces of Poland", "count choices 3", "count hands.C 3",
    "total D 1", "struggle cards 6 0", "struggle cards D 6", "vp 3", "turn 5", "round 2", "ussr 1", "over",
    "result democrat", "reason final scoring", "enabled 107", "not enabled 14", "hands.C [1]", "power.Poland.holder D",
    "no hands", "state winner 1", "state track.0 1", "something else",
)  # fmt: skip


@pytest.mark.parametrize("wrong", WRONG)
def test_what_is_expected_wrongly_fails(wrong):
    with pytest.raises((AssertionError, KeyError, AttributeError)):
        play(f"{GAME} = {wrong}")


@pytest.mark.parametrize("text", [GAME, f"{GAME}, Berlin = vp 2", f"dice 1; {GAME} = vp 2", f"Hale 1-0; {GAME} = vp 2"])
def test_games_that_cannot_be_played_as_told_fail(text):
    with pytest.raises((AssertionError, ValueError)):
        play(text)

"""Each card, one scripted situation per effect or ruling: the cases of the text files beside, and a few of code."""

import re
from pathlib import Path

import pytest
from scenario import scenario
from scripted_cases import cases_in

from dawn_env.state import PowerZone
from dawn_env.tables import C

CASES = cases_in(Path(__file__).parent)
ONE_EACH = {
    "D": ["march-6", "march-6", "march-5", "march-5", "march-4", "march-4"],
    "C": ["strike-6", "strike-6", "strike-5", "strike-5", "strike-4", "strike-4"],
}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case(case):
    case.run()


def test_each_card_has_a_case():
    assert {int(number) for case in CASES for number in re.findall(r"\d+", case.heading)} >= set(range(1, C))


def test_54_cards_drawn_go_to_the_discard_and_hands_stay():
    draws = ["rally-1"] * 2 + ["leader-intellectual"] * 4 + ["leader-elite"] * 4 + ["strike-3"] * 4 + ["march-3"]
    chance = {"power_deal": ONE_EACH, "power_draws": draws}
    s = scenario("C: 95", {"Timisoara": (3, 0), "Bucuresti": (0, 3)}, turn=8, in_play=[54], chance=chance)
    assert s.state.power_cards[PowerZone.DISCARD].sum() == 15
    s.take("place", *["space:Craiova"] * 4, *["space:Timisoara"] * 2)
    assert s.state.power_cards[PowerZone.HAND :].sum(axis=1).tolist() == [6, 6]
    s.finish()


@pytest.mark.parametrize("card, in_play, open_hand", [(95, [70], True), (95, [], False), (43, [70], False)])
def test_70_opens_the_democrats_hand_in_romania(card, in_play, open_hand):
    support = {"Timisoara": (3, 0), "Bucuresti": (0, 3), "Sofia": (0, 3), "Ruse": (3, 0)}
    s = scenario(f"C: {card}", support, turn=8, in_play=in_play, chance={"power_deal": ONE_EACH})
    hand = s.state.power_cards[PowerZone.HAND].tolist()
    s.end_script()
    dealt = [s.redeal(1, seed).state.power_cards[PowerZone.HAND].tolist() for seed in range(8)]
    assert all(other == hand for other in dealt) == open_hand

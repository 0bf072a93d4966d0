"""The scoring cards: Poland (22), Hungary (23), East Germany (42), Bulgaria (43), Czechoslovakia (55), Romania (95)."""

import pytest
from scenario import scenario
from situations import MIXED, late

from dawn_env.tables import COUNTRIES

pytestmark = pytest.mark.plain

SCORING = {42: "East Germany", 43: "Bulgaria", 55: "Czechoslovakia"}
BATTLEGROUNDS = {
    "East Germany": ["Berlin", "Lutheran Church", "Magdeburg", "Leipzig", "Karl-Marx-Stadt", "Dresden"],
    "Poland": ["Gdansk", "Poznan", "Warszawa", "Wroclaw", "Lodz", "Krakow"],
    "Bulgaria": ["Sofia", "Ruse", "Burgas", "Varna", "Plovdiv"],
    "Czechoslovakia": ["Praha", "Charles University", "Czech Writers", "Brno", "Ostrava", "Bratislava"],
}
OTHER_SPACE = {"East Germany": "Halle", "Bulgaria": "Sliven", "Czechoslovakia": "Kosice"}


# --- 22, 23 Poland and Hungary Scoring ------------------------------------------------------------


def won_by_the_communist(card, support, vp=0, played=0):
    """The Democrat starts without a card, so the Communist wins, and low dice leave the scoring alone."""
    count = len(support)
    s = scenario(f"D: {card}", support, vp=vp, dice=[1, 1], chance={"power_deal": {"C": MIXED[: 6 + 2 * (count - 1)]}})
    s.state.times_scored[:] = played
    return s.take("pass")


@pytest.mark.parametrize(
    "names, points",
    [(["Szczecin"], 3), (["Gdansk"], 4), (["Szczecin", "Gdansk"], 7), (BATTLEGROUNDS["Poland"], 15)],
)
def test_22_poland_scoring_levels(names, points):
    s = won_by_the_communist(22, {name: (0, 4) for name in names}).take("surrender").finish()
    assert s.vp == -points


@pytest.mark.parametrize(
    "names, points",
    [
        (["Gyor"], 1),
        (["Budapest"], 2),
        (["Gyor", "Budapest"], 3),
        (["Miskolc", "Debrecen", "Budapest", "Szeged"], 8),
    ],
)
def test_23_hungary_scoring_levels(names, points):
    s = won_by_the_communist(23, {name: (0, 4) for name in names}).take("surrender").finish()
    assert s.vp == -points


@pytest.mark.parametrize("card, name, country, value", [(22, "Szczecin", "Poland", 3), (23, "Gyor", "Hungary", 1)])
@pytest.mark.parametrize("played", [0, 1])
def test_22_23_scoring_power_retained(card, name, country, value, played):
    s = won_by_the_communist(card, {name: (0, 4)}, played=played).take("retain").finish()
    assert s.vp == -value * (played + 1) - value and s.zone(card) == "discard"
    assert s.position()["power"][country] == {"holder": "C", "scored": played + 1}


@pytest.mark.parametrize("card, name, country, value", [(22, "Szczecin", "Poland", 3), (23, "Gyor", "Hungary", 1)])
def test_22_23_scoring_power_surrendered(card, name, country, value):
    s = won_by_the_communist(card, {name: (0, 4)}).take("surrender").finish()
    assert s.vp == -value and s.zone(card) == "removed"
    assert s.position()["power"][country]["holder"] == "D"


# --- 42, 43, 55: scoring --------------------------------------------------------------------------


def won_by_the_democrat(card, held):
    """VP of the Democrat's spaces alone; the Communist starts without cards, loses and gives Power away."""
    cards = MIXED[: 6 + 2 * (len(held) - 1)]
    support = {space: (5, 0) for space in held}
    s = scenario(f"C: {card}", support, turn=4, chance={"power_deal": {"D": cards}}, dice=[1, 1])
    s.take("pass", "surrender").finish()
    assert s.zone(card) == "removed" and s.position()["power"][SCORING[card]]["holder"] == "D"
    return s.vp


@pytest.mark.parametrize("card, value", [(42, 3), (43, 1), (55, 2)])
def test_scoring_presence(card, value):
    assert won_by_the_democrat(card, BATTLEGROUNDS[SCORING[card]][:1]) == value + 1
    assert won_by_the_democrat(card, [OTHER_SPACE[SCORING[card]]]) == value


@pytest.mark.parametrize("card, value", [(42, 6), (43, 2), (55, 4)])
def test_scoring_domination(card, value):
    country = SCORING[card]
    assert won_by_the_democrat(card, [*BATTLEGROUNDS[country][:2], OTHER_SPACE[country]]) == value + 2


@pytest.mark.parametrize("card, value", [(42, 9), (43, 3), (55, 6)])
def test_scoring_control(card, value):
    held = BATTLEGROUNDS[SCORING[card]]
    assert won_by_the_democrat(card, held) == value + len(held)


@pytest.mark.parametrize("card, value", [(42, 3), (43, 1), (55, 2)])
@pytest.mark.parametrize("before", [0, 2])
def test_scoring_power_retained(card, value, before):
    """Each time the Communist retains Power its value counts once more; the card is discarded."""
    s = scenario(f"C: {card}", turn=4, dice=[1, 1])
    s.state.times_scored[COUNTRIES.index(SCORING[card])] = before
    s.take("retain").finish()
    assert s.vp == -value * (before + 1) and s.zone(card) == "discard"
    assert s.position()["power"][SCORING[card]] == {"holder": "C", "scored": before + 1}


# --- 95 Romania Scoring ---------------------------------------------------------------------------


def test_95_communist_retains_or_surrenders():
    s = late("C: 95", dice=[1, 3])
    assert (s.decision, s.actor) == ("power", 1)
    kept = s.copy()
    kept.step("retain")
    assert kept.vp == 1 - 2 and kept.state.times_scored[COUNTRIES.index("Romania")] == 1
    s.take("surrender")
    assert s.vp == 1 and s.zone(95) == "removed"
    s.finish()

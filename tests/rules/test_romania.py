"""Romania: destroyed spaces, the Crowd, the Tyrant's flight and capture."""

import pytest
from scenario import Scenario, asked, scenario, spaces, targets
from situations import PETITIONS, check_total, end_of_turn

from dawn_env.tables import COUNTRIES, SPACES

pytestmark = pytest.mark.plain


def test_systematization_moves_and_joins():
    game = scenario("C: 69", {"Timisoara": (3, 2), "Bucuresti": (0, 1)}, turn=4).take("event", "space:Timisoara")
    assert (game.support("Timisoara"), game.support("Bucuresti")) == ((0, 0), (0, 3))
    extra = {"turn": 4, "systematized": "Timisoara", "in_play": [69]}
    assert targets(scenario("D: 31", {"Szeged": (1, 0)}, **extra).take("place")) == {
        "Szeged", "Budapest", "Pecs", "Cluj-Napoca", "Craiova",
    }  # fmt: skip


def test_systematization_of_bucuresti_loses_all():
    game = scenario("C: 69", {"Bucuresti": (1, 4)}, turn=4).take("event", "space:Bucuresti")
    assert game.state.support.sum() == 0


@pytest.mark.parametrize(("gone", "target", "neighbour"), [
    ("Ploiesti", "Brasov", "Bucuresti"), ("Brasov", "Ploiesti", "Bucuresti"), ("Bucuresti", "Brasov", "Ploiesti"),
])  # fmt: skip
def test_adjacency_is_a_set(gone, target, neighbour):
    extra = {"systematized": gone, "in_play": [69], "support": {neighbour: (0, 3)}}
    assert check_total("C", target, **extra) == 8
    assert check_total("D", target, die=6, **extra) == 9


def test_destroyed_battleground_lowers_the_need_for_control():
    others = {name: (4, 0) for name in ("Timisoara", "Cluj-Napoca", "Iasi", "Bucuresti", "Galati")}
    extra = {"turn": 10, "power": COUNTRIES, "support": others}
    assert end_of_turn("D: 26", "event", systematized="Brasov", in_play=[69], **extra).vp == 6 + 5
    assert end_of_turn("D: 26", "event", systematized="Craiova", in_play=[69], **extra).vp == 2 + 5


def test_coup_without_bucuresti():
    held = [name for name in COUNTRIES if name != "Romania"]
    game = scenario(
        "C: 109", turn=8, in_play=[33, 81, 84, 69], ussr=3, power=held, systematized="Bucuresti"
    ).take("event")  # fmt: skip
    assert (game.support("Cluj-Napoca"), game.support("Bucuresti")) == ((0, 4), (0, 0))
    game.finish()


def test_events_skip_the_destroyed_space():
    """Ruling destroyed-space-does-nothing."""
    game = scenario("D: 73", turn=4, in_play=[69], systematized="Timisoara").take("event")
    assert (game.support("Timisoara"), game.support("Harghita/Covasna")) == ((0, 0), (1, 0))


CROWD_DRAWS = ["rally-1"] * 2 + ["march-3"] * 4 + ["march-4"] * 4 + ["strike-3"] * 4 + ["strike-4"]


@pytest.mark.parametrize(("extra", "points"), [
    ({}, 6), ({"in_play": [54, 50]}, 7), ({"prudence": {"D": -1, "C": 0}}, 5), ({"prudence": {"D": -9, "C": 0}}, 0),
])  # fmt: skip
def test_the_crowd(extra, points):
    """Ruling value-of-the-crowd."""
    setting = {"in_play": [54], **extra}
    chance = {"power_deal": {"D": PETITIONS}, "power_draws": CROWD_DRAWS}
    game = scenario("C: 95", {"Craiova": (1, 0)}, turn=8, chance=chance, dice=[1, 1], **setting)
    place_all(game, "Craiova")
    assert game.support("Craiova") == (1 + points, 0)


def place_all(game: Scenario, space: str) -> None:
    """Spend the operation in one space if a placement is offered."""
    if "place" in game.legal:
        game.take("place")
        while game.decision == "ops-place":
            game.take(f"space:{space}")


def test_the_crowd_reaches_over_the_border_but_places_in_romania():
    chance = {"power_draws": CROWD_DRAWS}
    game = scenario("C: 95", {"Szeged": (1, 0)}, turn=8, in_play=[54], chance=chance, dice=[1, 1])
    game.take("place")
    assert (game.support("Timisoara"), game.support("Szeged"), game.decision) == ((6, 0), (1, 0), "power")


def test_no_place_to_flee_to():
    support = {name: (1, 0) for name in SPACES[49:63]}
    game = scenario("D: 97", support, turn=8, crowd_done=True).take("event")
    assert (game.vp, game.state.hideout, game.decision) == (2, -1, "none")


def test_the_tyrant_waits_for_the_crowd():
    game = scenario("D: 97", {"Cluj-Napoca": (0, 5)}, turn=8, in_play=[54]).take("event")
    assert (game.zone(97), game.support("Cluj-Napoca"), game.decision) == ("in_play", (0, 5), "none")


def test_the_tyrant_flees_at_once_after_the_crowd():
    game = scenario("D: 97", {"Cluj-Napoca": (0, 5), "Iasi": (1, 0)}, turn=8, crowd_done=True).take("event")
    assert (game.support("Cluj-Napoca"), *asked(game)) == ((0, 1), "hideout", "D")
    assert "Iasi" not in targets(game) and len(targets(game)) == 13


@pytest.mark.parametrize(("card", "in_play"), [(33, []), (81, [33]), (84, [33, 81])])
def test_capture_by_enough_for_control(card, in_play):
    extra = {"ceausescu_hideout": "Harghita/Covasna", "crowd_done": True, "tyrant_done": True}
    game = scenario(f"D: {card}", turn=8, in_play=in_play, ussr=len(in_play), **extra)
    game.take("event", "space:Harghita/Covasna")
    assert (game.vp, game.state.hideout) == ({33: 1, 81: 3, 84: 5}[card] + 2, -1)


def test_capture_when_communist_points_leave():
    extra = {"ceausescu_hideout": "Iasi", "crowd_done": True, "tyrant_done": True}
    game = scenario("D: 56", {"Iasi": (3, 2)}, turn=8, **extra).take("event")
    assert (game.vp, game.state.hideout) == (2, -1)


@pytest.mark.parametrize("card", [10, 41, 69, 101, 107])
def test_ceausescu_events_after_the_tyrant(card):
    tyrant_went = {"turn": 8, "crowd_done": True, "tyrant_done": True}
    game = scenario(f"C: {card}", {"Iasi": (2, 0)}, in_play=[73], **tyrant_went).take("event")
    assert (game.zone(card), game.support("Iasi"), game.support("Cluj-Napoca")) == ("removed", (2, 0), (0, 0))


def test_ceausescu_loses_bucuresti_when_the_round_ends():
    support = {"Craiova": (1, 0), "Timisoara": (4, 0), "Bucuresti": (0, 2)}
    game = scenario("C: 41", support, turn=4).take("event", *spaces(*["Timisoara"] * 3), "pass")
    assert (game.support("Bucuresti"), game.support("Timisoara")) == ((0, 1), (1, 0))
    away = scenario("C: 41", {"Craiova": (4, 0), "Bucuresti": (0, 2)}, turn=4).take("event", "pass")
    assert away.support("Bucuresti") == (0, 2)

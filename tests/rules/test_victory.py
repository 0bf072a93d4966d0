"""The end of the game: automatic victory, held scoring cards, final scoring, New Year's Eve Party."""

import pytest
from scenario import asked, scenario, spaces
from situations import end_of_turn

from dawn_env.tables import COMMUNIST, COUNTRIES, SPACES

pytestmark = pytest.mark.plain


# --- victory --------------------------------------------------------------------------------------


def test_automatic_victory_in_mid_event():
    """Ruling victory-at-once."""
    game = scenario("D: 84", turn=8, in_play=[81], vp=15).take("event")
    assert (game.result, game.vp, game.support("Razgrad")) == ("democrat", 20, (0, 0))
    game = scenario("C: 79", turn=4, vp=-18).take("event")
    assert (game.result, game.support("German Writers")) == ("communist", (0, 0))


def test_nineteen_is_not_enough():
    assert not scenario("C: 79", turn=4, vp=-17).take("event").over


@pytest.mark.parametrize(("hands", "result"), [
    ("D: 26 22", "communist"), ("D: 26 40 / C: 23", "democrat"), ("D: 26 22 / C: 23", "draw"),
])  # fmt: skip
def test_held_scoring_cards(hands, result):
    game = end_of_turn(hands, "card:26", "event")
    assert (game.result, game.reason) == (result, "held scoring card")


def test_victory_in_step_3_comes_before_held_cards():
    game = end_of_turn(
        "D: 40 22", "card:40", "event", *spaces("Pecs", "Pecs", "Pecs"), support={"Czech Writers": (2, 0)},
        boxes=(0, 6), in_play=[26], vp=19, dice=[1],
    ).take("space:Czech Writers")  # fmt: skip
    assert (game.result, game.reason) == ("democrat", "automatic victory")


@pytest.mark.parametrize(("power", "extra", "vp"), [
    ((), {}, -24), (COUNTRIES, {}, 0), (COUNTRIES[:2], {}, -16),
    (COUNTRIES, {"ceausescu_hideout": "Iasi", "crowd_done": True, "tyrant_done": True}, -2),
])  # fmt: skip
def test_final_scoring(power, extra, vp):
    game = end_of_turn("D: 26", "event", turn=10, power=power, stop=False, **extra)
    assert (game.vp, game.reason) == (vp, "final scoring")
    assert game.result == ("draw" if vp == 0 else "communist")


def test_final_scoring_has_no_limit():
    """Ruling unbounded-vp."""
    support = {name: (9, 0) for name in SPACES}
    game = end_of_turn("D: 26", "event", turn=10, support=support, power=COUNTRIES, vp=10)
    assert (game.vp, game.result) == (10 + 9 + 9 + 6 + 4 + 6 + 3 + 33, "democrat")


@pytest.mark.parametrize(("power", "vp"), [(COUNTRIES[:2], -3), (COUNTRIES[:3], 3)])
def test_new_years_eve_pays_by_power(power, vp):
    game = scenario("C: 104", turn=8, power=power)
    game.take("event")
    assert game.legal == ["continue", "end-game"]
    declined = game.copy()
    game.take("end-game")
    assert (game.vp, game.zone(104)) == (vp, "in_play")
    declined.step("continue")
    assert (declined.vp, declined.state.where[104] == game.state.where[104]) == (0, False)


def test_new_years_eve_without_last_struggle():
    game = end_of_turn("D: 26 40", "card:26", "event", turn=8, in_play=[104], vp=2)
    assert asked(game) == ("last-struggle", "D")
    assert game.legal == sorted([f"country:{name}" for name in COUNTRIES] + ["pass"])
    game.take("pass")
    assert (game.vp, game.result, game.reason) == (2, "democrat", "new year's eve party")


def test_new_years_eve_held_card_comes_first():
    game = end_of_turn("D: 26 22", "card:26", "event", turn=8, in_play=[104], vp=2)
    assert (game.result, game.reason) == ("communist", "held scoring card")


def test_new_years_eve_replaces_final_scoring():
    game = end_of_turn("D: 26", "event", turn=10, in_play=[104], support={"Brno": (0, 3)}, vp=1).take("pass")
    assert (game.vp, game.reason) == (1, "new year's eve party")


def test_new_years_eve_ignores_the_ceausescus():
    extra = {"ceausescu_hideout": "Iasi", "crowd_done": True, "tyrant_done": True}
    game = end_of_turn("D: 26", "event", turn=8, in_play=[104], vp=1, **extra).take("pass")
    assert (game.vp, game.result) == (1, "democrat")


def test_new_years_eve_leaves_the_tyrant_waiting():
    deck = {"power_draws": ["march-3"] * 4 + ["march-4"] * 4 + ["strike-3"] * 4 + ["strike-4"] * 3}
    game = end_of_turn(
        "D: 26", "event", turn=8, in_play=[104, 54, 97], support={"Cluj-Napoca": (0, 2)}, vp=9, chance=deck, dice=[1, 1]
    )
    game.take("country:Romania")
    while not game.over:
        game.take("pass" if "pass" in game.legal else "retain" if "retain" in game.legal else game.legal[0])
    assert (game.zone(97), game.support("Cluj-Napoca")) == ("in_play", (0, 2))
    assert game.reason == "new year's eve party"


# --- nothing after the instant of victory ---------------------------------------------------------


@pytest.mark.parametrize("use", ["tiananmen", "check", "place"])
@pytest.mark.parametrize(
    ("hand", "extra"),
    [("D: 21 / C: 7", {"vp": -19}), ("C: 21 / D: 7", {"vp": 19}), ("D: 12 / C: 7", {"vp": -17, "in_play": [99]})],
)
def test_nothing_happens_after_a_victory_by_the_price_of_a_use(hand, extra, use):
    """Ruling victory-at-once."""
    game = scenario(hand, {"Lodz": (2, 2)}, turn=8, **extra)
    before = game.copy()
    game.take(use)
    assert game.over and game.reason == "automatic victory" and abs(game.vp) == 20
    assert (game.state.track == before.state.track).all() and not game.state.tried_turn.any()
    assert (game.state.support == before.state.support).all() and not game.state.award7_used


def test_nothing_happens_after_a_victory_by_ligachev_before_award_8():
    game = scenario("D: 4", turn=8, vp=-17, boxes=(8, 0), in_play=[99]).take("event-and-ops")
    assert game.over and not game.state.award8_used


CAPTURE_WINS = {"turn": 8, "crowd_done": True, "tyrant_done": True, "vp": 18}


def test_a_check_that_wins_by_a_capture_places_nothing_more():
    """Ruling order-within-a-check."""
    game = scenario("D: 31", {"Iasi": (3, 1)}, dice=[6], ceausescu_hideout="Iasi", **CAPTURE_WINS)
    game.take("check", "space:Iasi")
    assert (game.result, game.vp, game.support("Iasi")) == ("democrat", 20, (3, 0))


def test_no_round_begins_after_a_victory_by_ceausescus_loss():
    support = {"Bucuresti": (3, 1), "Craiova": (1, 0)}
    game = scenario("C: 12 / D: 9", support, dice=[1], stop=False, ceausescu_hideout="Bucuresti", **CAPTURE_WINS)
    game.state.ceausescu_due = 1
    game.take("check", "space:Craiova", "pass")
    assert (game.result, game.vp, game.state.phasing) == ("democrat", 20, COMMUNIST)

"""The end of the game: automatic victory, held scoring cards, final scoring, New Year's Eve Party."""

import pytest
from scenario import scenario
from situations import end_of_turn

from dawn_env.tables import COMMUNIST, COUNTRIES, SPACES

pytestmark = pytest.mark.plain


# --- victory --------------------------------------------------------------------------------------


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


CAPTURE_WINS = {"turn": 8, "crowd_done": True, "tyrant_done": True, "vp": 18}


def test_no_round_begins_after_a_victory_by_ceausescus_loss():
    support = {"Bucuresti": (3, 1), "Craiova": (1, 0)}
    game = scenario("C: 12 / D: 9", support, dice=[1], stop=False, ceausescu_hideout="Bucuresti", **CAPTURE_WINS)
    game.state.ceausescu_due = 1
    game.take("check", "space:Craiova", "pass")
    assert (game.result, game.vp, game.state.phasing) == ("democrat", 20, COMMUNIST)

"""The USSR Stability Track."""

import pytest
from scenario import scenario

from dawn_env.tables import COUNTRIES

pytestmark = pytest.mark.plain


@pytest.mark.parametrize(("side", "card", "in_play", "vp", "step"), [
    ("D", 33, [], 1, 1), ("D", 81, [33], 3, 2), ("D", 84, [33, 81], 5, 3), ("C", 109, [33, 81, 84], -3, 4),
])  # fmt: skip
def test_ussr_track(side, card, in_play, vp, step):
    game = scenario(f"{side}: {card}", turn=8, in_play=in_play, ussr=step - 1, power=COUNTRIES).take("event")
    assert (game.vp, game.state.ussr) == (vp, step)


@pytest.mark.parametrize(("step", "die", "vp"), [(0, 3, 0), (0, 4, 3), (3, 1, 3), (2, 1, 0)])
def test_malta_summit_counts_the_steps(step, die, vp):
    in_play = [33, 81, 84][:step]
    assert scenario("D: 110", turn=8, ussr=step, in_play=in_play, dice=[die]).take("event").vp == vp

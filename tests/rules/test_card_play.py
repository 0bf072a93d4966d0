"""The play of a card: event, operations, cancelling, awards 7 and 8, conditions."""

import pytest
from scenario import scenario

from dawn_env.tables import COUNTRIES

pytestmark = pytest.mark.plain


PLAYABLE = [
    ("D", 3, {"in_play": [2]}), ("D", 61, {"in_play": [24]}), ("D", 81, {"in_play": [33]}),
    ("D", 84, {"in_play": [81]}), ("C", 109, {"in_play": [84]}), ("D", 97, {"in_play": [54]}),
    ("D", 97, {"crowd_done": True}), ("C", 107, {"in_play": [73]}), ("C", 96, {"boxes": (0, 7)}),
    ("D", 67, {"boxes": (3, 2)}), ("C", 67, {"boxes": (2, 3)}), ("D", 89, {"power": COUNTRIES[:2]}),
    ("C", 106, {"power": COUNTRIES[:1]}),
]  # fmt: skip
BARRED = [
    ("C", 14, {"in_play": [84]}), ("D", 14, {"in_play": [84]}), ("C", 15, {"in_play": [83]}), ("D", 110, {"ussr": 4}),
]  # fmt: skip


@pytest.mark.parametrize(("side", "card", "condition"), PLAYABLE)
def test_condition_of_an_event(side, card, condition):
    assert "event" in scenario(f"{side}: {card}", turn=8, **condition).legal
    assert "event" not in scenario(f"{side}: {card}", turn=8).legal


@pytest.mark.parametrize(("side", "card", "condition"), BARRED)
def test_barred_event(side, card, condition):
    assert "event" not in scenario(f"{side}: {card}", turn=8, **condition).legal
    assert "event" in scenario(f"{side}: {card}", turn=8).legal

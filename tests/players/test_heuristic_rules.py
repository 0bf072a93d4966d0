"""The rule-based player has no rules of its own: it reads the state of the game, and asks ``dawn_env.rules``."""

import numpy as np
import pytest
from dawn_agents.players.heuristic_values.observation_reader import read
from dawn_agents.players.heuristic_values.position_record import SHARED, new_position
from hidden_cards import random_positions
from processes import python

from dawn_env.cards.event_tables import REGIONS
from dawn_env.game import Game
from dawn_env.observation import observe, shown_decision
from dawn_env.state import Decision, FrameKind, PowerZone, Zone
from dawn_env.tables import COMMUNIST, COUNTRY_OF, DEMOCRAT, SIDES, N

SECRET = ("where", "power_cards", "decision")
"""Shared fields of which a side sees a part."""


def zones_seen(game: Game, side: int) -> np.ndarray:
    """Zones of the cards as a side knows them: NOWHERE for what is hidden from it."""
    s = game.state
    zones, known = s.where.copy(), (s.known != 0) | (s.counted[1 - side] != 0)
    chooses = s.decision == Decision.KEEP_CARD and s.actor == side
    hidden = (zones == Zone.DRAW_PILE) | (zones == Zone.HAND + 1 - side) & ~known
    hidden |= (zones == Zone.DRAWN) & (not chooses)
    if side == COMMUNIST:
        hidden |= (zones == Zone.SET_ASIDE) & ~known
        zones[(zones == Zone.SET_ASIDE) & known] = Zone.HAND + DEMOCRAT
    zones[hidden] = Zone.NOWHERE
    return zones


def check_position(game: Game, side: int, p: np.record) -> None:
    """All that the position shares with the state is equal, as far as the side can tell."""
    s, frame = game.state, game.state.frames[game.state.depth - 1]
    assert p.viewer == side and p.decision == shown_decision(s, side)
    for name in set(SHARED) - set(SECRET):
        assert (p[name] == s[name]).all(), name
    assert (p.where == zones_seen(game, side)).all()
    assert (p.power_cards[PowerZone.HAND + side] == s.power_cards[PowerZone.HAND + side]).all()
    assert (p.power_cards[PowerZone.DISCARD] == s.power_cards[PowerZone.DISCARD]).all()
    assert not p.power_cards[PowerZone.DECK].any()
    assert (p.power_hands == s.power_cards[PowerZone.HAND :].sum(1)).all()
    assert (p.executor, p.source) == (frame.side, frame.source)
    if p.decision == Decision.OPS and frame.kind == FrameKind.OPERATIONS:
        for country in range(N):
            assert (REGIONS[frame.region][COUNTRY_OF == country] == (p.bound >> country & 1)).all()


@pytest.mark.parametrize("seed", [0, 1, 11, 32, 44, 60])
def test_a_position_is_the_state_as_far_as_a_side_knows_it(seed):
    """The seeds were chosen so that nearly all decisions, struggles and zones of cards occur."""
    position, hidden = new_position()[0], 0
    for game in random_positions(seed, 4):
        for side in range(SIDES):
            read(observe(game.state, side), position)
            check_position(game, side, position)
            hidden += np.count_nonzero(position.where != game.state.where)
    assert hidden


RULINGS = {
    "board.is_control": "lambda lead, space: True",
    "board.missing_for_control": "lambda s, side, space: 5",
    "cards.playable": "lambda s, side, card: False",
    "cards.opponents_event": "lambda s, side, card: False",
    "operations.support_checks.banned": "lambda s, side, space: True",
    "operations.support_checks.check_vp": "lambda s, side, space: 3",
    "operations.support_checks.points_moved": "lambda total, space: 1",
    "operations.support_checks.space_modifiers": "lambda s, side, space: 2",
    "events.space_verbs.meets_space_test": "lambda s, side, where, space: False",
    "cards.holds": "lambda s, condition, side: True",
    "operations.placement.cost": "lambda s, side, space: 2",
    "operations.placement.within_reach": "lambda s, side, space, variant: False",
    "struggle.matches": "lambda s, side, country, suit, face: False",
    "operations.operations.can_attempt": "lambda s, side: False",
    "operations.operations.least_roll": "lambda s, side, card: 1",
    "operations.ops_values.card_value": "lambda s, side, card: 5",
    "operations.ops_values.ops_value": "lambda s, side, source, base, border: 5",
}
"""A wrong ruling for every question the player asks the rules about the board, operations and events."""

PLANTING = """
import importlib, sys
import numpy as np

views, rulings = np.load(sys.argv[1]), {rulings!r}

def scores():
    for name in [name for name in sys.modules if name.startswith("dawn_agents.players.heuristic")]:
        del sys.modules[name]
    from dawn_agents.players.heuristic.action_scores import score_row
    from dawn_agents.players.heuristic.action_scores import working_position
    from dawn_agents.players.heuristic_values.position_record import STYLES
    position, row = working_position(STYLES["balanced"]), np.zeros(views["masks"].shape[1], np.float32)
    for observation, mask in zip(views["observations"], views["masks"]):
        score_row(position, observation, mask, row)
        yield np.where(mask, row, 0)

right = list(scores())
for name, wrong in rulings.items():
    module, _, function = name.rpartition(".")
    module = importlib.import_module("dawn_env.rules." + module)
    before = getattr(module, function)
    setattr(module, function, eval(wrong))
    if all((a == b).all() for a, b in zip(right, scores())):
        print(name)
    setattr(module, function, before)
"""


def views_by_decision(seeds) -> tuple[np.ndarray, np.ndarray]:
    """Observations and masks: each kind of decision, as it comes up last in each of some random games."""
    views = {}
    for seed in seeds:
        for game in random_positions(seed, 1):
            views[seed, game.decision] = observe(game.state, game.actor), game.mask.copy()
    observations, masks = zip(*views.values(), strict=True)
    return np.array(observations), np.array(masks)


def test_a_wrong_ruling_changes_what_it_thinks(tmp_path):
    observations, masks = views_by_decision((4, 1))
    np.savez(tmp_path / "views.npz", observations=observations, masks=masks)
    program = PLANTING.format(rulings=RULINGS)
    done = python("-c", program, tmp_path / "views.npz", variables={"NUMBA_DISABLE_JIT": "1"})
    assert (done.returncode, done.stdout) == (0, ""), done.stdout + done.stderr

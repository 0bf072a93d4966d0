"""The player that looks ahead with values: what it may know, its choices, its files."""

import itertools
import json
import zipfile

import numpy as np
import pytest
from dawn_agents.players.afterstate.inputs import AT
from dawn_agents.players.afterstate.lookahead import DIE, SETTLE, STEP, judge_candidates, seeds_by_die
from dawn_agents.players.afterstate.network import HEAD, HEAD_BIAS, ROWS, fold, fresh_weights
from dawn_agents.players.afterstate.value_files import read_values, write_values
from dawn_agents.players.afterstate.value_player import ValuePlayer, playing_lookahead
from dawn_agents.players.held_cards import plays_left
from dawn_agents.players.networks.policy_metadata import PolicyFileError, PolicyMetadata
from dawn_agents.players.registry import make_player
from dawn_agents.players.search.rollout_policy import RolloutPolicy
from dawn_agents.players.specification import BadSpec
from dawn_agents.tournaments.match import Pairing, play_games
from hidden_cards import random_positions, random_steps, swap_hidden_cards
from scenario import scenario

from dawn_env import engine
from dawn_env.actions import action_id
from dawn_env.cards.event_tables import EIGHTH_ROUND
from dawn_env.errors import PlayerFailure
from dawn_env.game import Game
from dawn_env.observation.player_view import View
from dawn_env.observation.view_layouts import FAMILY_LAYOUT, STANDARD_LAYOUT
from dawn_env.players import choose_action
from dawn_env.rules.chance import roll, seed_generator
from dawn_env.state import Decision, Zone, new_states
from dawn_env.tables import COMMUNIST, DEMOCRAT, ROUNDS, SIDE_NAMES, SPACES


def weights(seed: int = 1, noise: float = 0.02) -> np.ndarray:
    rng = np.random.default_rng(seed)
    made = fold(fresh_weights(rng, 16, STANDARD_LAYOUT))
    return made + rng.normal(0, noise, made.shape).astype(np.float32)


def player(seed: int = 0, **options) -> ValuePlayer:
    made = ValuePlayer.of("value", np.stack([weights(1), weights(2)]), (0, 1), seed)
    made._choosing = ValuePlayer.Options(**options)
    return made


@pytest.fixture
def files(tmp_path):
    for side, name in enumerate(SIDE_NAMES):
        write_values(tmp_path / f"{name}.zip", weights(side), PolicyMetadata(name))
    return tmp_path


@pytest.mark.parametrize(
    "options",
    [
        {"depth": "step"},
        {"depth": "settle"},
        {"depth": "settle", "reply": False},
        {"depth": "everywhere", "deals": 2, "samples": 4},
        {"guide": "pretrained"},
    ],
    ids=str,
)
def test_it_depends_on_what_its_side_knows_only(options):
    rng, swapped, one = np.random.default_rng(3), 0, player(**options)
    for game in random_positions(30, 12):
        other = game.copy()
        swap_hidden_cards(other.state, game.actor, rng)
        swapped += other != game
        choice = one.choose(View(game.state))
        assert choice == one.choose(View(other.state)) and game.mask[choice]
    assert swapped > 5


def test_answers_do_not_depend_on_those_asked_along_with_it_nor_on_threads():
    views = [View(game.state) for game in random_positions(31, 25)]
    one, two = player(), player()
    two.threads = 2
    assert one.choose_each(views) == two.choose_each(views[::-1])[::-1] == [player().choose(view) for view in views]


@pytest.mark.parametrize("guide", ["heuristic", "pretrained"])
def test_a_guide_that_is_trusted_decides(guide):
    trusting, other = player(guide=guide, trust=1000.0), make_player(guide)
    views = [View(game.state) for game in random_positions(32, 40)]
    choices = [choose_action(other, view) for view in views]
    assert trusting.choose_each(views) == choices != player(guide=guide, trust=0.0).choose_each(views)


def test_a_guide_of_family_mode_is_the_rule_based_player():
    family = ValuePlayer.of("value", np.stack([weights(1), weights(2)]), (0, 1), 0, None, FAMILY_LAYOUT)
    family._choosing = ValuePlayer.Options(guide="heuristic", trust=1000.0)
    views = [View(game.state) for game in random_positions(6, 20, {"mode": "family"})]
    rules, heuristic = RolloutPolicy("heuristic", is_family=True), make_player("heuristic")
    for view, action in zip(views, family.choose_each(views), strict=True):
        scores = rules.scores(view.observation, view.mask)  # equal for some actions
        assert scores[action] == scores[choose_action(heuristic, view)] == scores[view.legal].max()


def test_it_takes_a_victory_and_shuns_a_loss():
    game = scenario("D: 33 5 4 19", vp=19, turn=10, round=5, phasing="D", stop=False)
    blind = ValuePlayer.of("blind", np.stack([np.zeros_like(weights())] * 2), (0, 1))  # sees nothing but victory points
    for expected in ("card:33", "event"):
        assert blind.choose(View(game.state)) == action_id(expected)
        game.take(expected)
    assert game.over
    game = scenario("D: 22 5", round=7, phasing="D", vp=15, stop=False)  # a scoring card must not be kept
    assert blind.choose(View(game.state)) == action_id("card:22")


def test_of_two_actions_both_are_tried_in_all_deals_and_answered():
    """The loss by a held scoring card is seen once the Democrat has answered, in deals beyond the first ones."""
    game = scenario("C: 22 4 / D: 19", round=7, phasing="C", vp=-15, stop=False)
    blind = ValuePlayer.of("blind", np.stack([np.zeros_like(weights())] * 2), (0, 1))
    assert len(game.legal) == 2 and blind.choose(View(game.state)) == action_id("card:22")


def test_a_victory_counts_more_than_anything_a_network_may_expect():
    game = scenario("D: 33 5 4 19", vp=19, turn=10, round=5, phasing="D", stop=False)
    hopeful, values = np.zeros((2, *weights().shape), np.float32), np.zeros((1, len(game.legal)))
    hopeful[:, HEAD_BIAS] = 10  # 50 victory points more than now wherever the game goes on
    actions = View(game.state).legal
    judge_candidates(
        engine.step(), STANDARD_LAYOUT.view, np.array([[game.state]]), DEMOCRAT, np.array([actions]), hopeful, SETTLE,
        np.ones((1, 1), np.int64), playing_lookahead(hopeful.shape[2], STANDARD_LAYOUT, False), values,
    )  # fmt: skip
    assert values.argmax() == list(actions).index(action_id("card:33")) and sorted(values[0])[-2] < values.max() == 20


def test_a_scoring_card_that_can_no_longer_be_played_has_lost():
    """The network's values of such positions are unreliable, since self-play avoids them, and must not be used."""
    work, weights_of_both = playing_lookahead(16, STANDARD_LAYOUT, False), np.stack([weights(1), weights(2)])
    for hands, action_round, lost in (
        ("C: 22 4 / D: 19", 7, {"card:22": False, "card:4": True}),
        ("C: 22 4 / D: 19", 6, {"card:22": False, "card:4": False}),
        ("C: 22 23 4 / D: 19", 6, {"card:22": False, "card:23": False, "card:4": True}),
        ("D: 22 23 4 / C: 19", 6, {"card:22": False, "card:23": False, "card:4": True}),
        ("D: 22 23 4 / C: 19", 5, {"card:22": False, "card:23": False, "card:4": False}),
    ):
        game = scenario(hands, round=action_round, stop=False)
        actions, values = [action_id(text) for text in lost], np.zeros((1, len(lost)))
        judge_candidates(
            engine.step(), STANDARD_LAYOUT.view, np.array([[game.state]]), int(game.actor), np.array([actions]),
            weights_of_both, SETTLE, np.ones((1, 1), np.int64), work, values,
        )  # fmt: skip
        assert set(game.legal) == set(lost) and (values[0] == -20).tolist() == list(lost.values()), hands


def test_card_plays_left_are_those_that_are_begun():
    """``plays_left`` is constant between two choices of a card by a side in the same turn."""
    checked = 0
    for seed in range(3):
        said: list[dict[int, list[int]]] = [{}, {}]  # by side and turn: numbers since its last choice of a card
        for game, _, _ in random_steps(seed):
            s = game.state
            for side in range(2):
                left = int(plays_left(s, side))
                said[side].setdefault(int(s.turn), []).append(left)
                if s.decision in (Decision.CARD, Decision.STRIKE_CARD) and s.actor == side:
                    before = said[side].pop(int(s.turn))
                    eighth = side == COMMUNIST and s.where[EIGHTH_ROUND.card] == Zone.IN_PLAY
                    assert left == max(ROUNDS - s.action_round, 0) + 1 + eighth
                    assert eighth or before == [left] * len(before)
                    checked += len(before)
    assert checked > 1000


def judged(work, deals, actions, depth):
    """float64 [n] values of ``actions``, means over ``deals``, in all of which the same side decides."""
    values, both = np.zeros((1, len(actions))), np.stack([weights(1), weights(2)])
    judge_candidates(
        engine.step(), STANDARD_LAYOUT.view, deals[None], int(deals[0]["actor"]), np.array([actions]), both, depth,
        np.ones((1, 1), np.int64), work, values,
    )  # fmt: skip
    return values[0]


def last_action(deal, action, plan):
    """The position before the last action of a card play, and that action: ``action`` in ``deal``, then the ``plan``.

    None unless the plan is the whole rest of the card play: it fits the decisions, no die is rolled, and the opponent
    decides afterwards.
    """
    state, chosen = deal[None].copy(), int(action)
    for decision, following in plan:
        engine.advance(state, np.array([chosen]))
        if state["decision"][0] != decision:
            return None
        chosen = int(following)
    settled = state.copy()
    engine.advance(settled, np.array([chosen]))
    rolled = settled["generator"].tobytes() != deal["generator"].tobytes()
    return None if rolled or settled["actor"][0] == deal["actor"] or not len(plan) else (state, chosen)


def test_decisions_before_any_die_are_planned_in_the_first_deal_and_repeated_in_the_others():
    work, checked = playing_lookahead(16, STANDARD_LAYOUT, False), 0
    for game in random_positions(36, 3):
        view = View(game.state)
        if view.decision not in ("card", "use", "ops"):
            continue
        deals = view.deal(np.arange(2))
        means = judged(work, deals, view.legal, SETTLE)
        plans = [work.plans[action, : work.planned[action]].copy() for action in view.legal]
        for action, plan, mean in zip(view.legal, plans, means, strict=True):
            ends = [last_action(deal, action, plan) for deal in deals]
            if None not in ends:
                values = [judged(work, state, [chosen], STEP)[0] for state, chosen in ends]
                assert mean == pytest.approx(np.mean(values), abs=1e-4)
                checked += 1
    assert checked > 20


@pytest.mark.parametrize(("replies", "expected"), [(False, 0.0), (True, -1.0)])
def test_it_expects_the_answer_of_the_opponent(replies, expected):
    game = scenario("C: 5 4 / D: 33", round=3, stop=False)  # Sajudis is worth a point to the Democrat
    blind, values = np.zeros((2, *weights().shape), np.float32), np.zeros((1, 1))
    deals, candidates = np.array([[game.state]]), np.array([[action_id("card:5")]])
    work = playing_lookahead(blind.shape[2], STANDARD_LAYOUT, replies)
    judge_candidates(
        engine.step(), STANDARD_LAYOUT.view, deals, COMMUNIST, candidates, blind, SETTLE, np.ones((1, 1), np.int64),
        work, values,
    )  # fmt: skip
    assert values[0, 0] == pytest.approx(20 * np.tanh(expected / 20))


def test_the_opponent_answers_in_later_rounds_only_but_always_in_struggles():
    views = [View(game.state) for game in random_positions(33, 2)]
    struggling = [view.decision in ("stakes", "attack", "suit") for view in views]
    for samples, same in ((2, True), (8, False)):
        answers = [player(deals=2, samples=samples, reply=reply).choose_each(views) for reply in (True, False)]
        differ = [one != two for one, two in zip(*answers, strict=True)]
        assert any(itertools.compress(differ, struggling))
        assert any(itertools.compress(differ, np.logical_not(struggling))) != same


def test_seeds_are_sorted_by_their_first_die():
    s = new_states(1)[0]
    for face in range(DIE):
        for seed in seeds_by_die()[face, :5]:
            seed_generator(s, seed)
            s.tape_len[:] = 0
            assert roll(s) == face + 1


def test_files_hold_the_weights(files):
    info, read = read_values(files / "democrat.zip")
    assert info.side == "democrat" and read.shape == (ROWS, 16) and read.flags.writeable
    np.testing.assert_allclose(read, weights(0), atol=2e-3)


def test_a_folder_plays_both_sides_and_a_file_its_own(files):
    both, one = make_player(f"value:{files}"), make_player(f"value:{files / 'democrat.zip'}")
    ((_, outcome),) = play_games([Pairing(1, both, both)])
    assert outcome.reason != "forfeit" and both.version != one.version
    ((_, outcome),) = play_games([Pairing(1, make_player("random"), one)])
    assert outcome.reason == "forfeit" and "has no values for the communist" in outcome.failure
    with pytest.raises(PlayerFailure, match="has no values for the communist"):
        one.begin_game(1, Game(1).options)
    with pytest.raises(PlayerFailure, match="standard game"):
        one.choose(View(Game(1, {"mode": "family"}).state))


def test_values_of_family_mode_play_it(tmp_path):
    for name in SIDE_NAMES:
        write_values(tmp_path / f"{name}.zip", weights(), PolicyMetadata(name, rules={"mode": "family"}))
    one = make_player(f"value:{tmp_path}")
    ((_, outcome),) = play_games([Pairing(2, one, make_player("random"))], options={"mode": "family"})
    assert outcome.reason != "forfeit"
    for game in random_positions(6, 29, {"mode": "family"}):
        assert game.mask[one.choose(View(game.state))]
    write_values(tmp_path / "democrat.zip", weights(), PolicyMetadata("democrat"))
    with pytest.raises(PolicyFileError, match="values of one kind of game expected"):
        make_player(f"value:{tmp_path}")


def test_a_policy_player_says_how_the_file_is_played(files):
    with pytest.raises(PolicyFileError, match=r"as a player it is value:"):
        make_player(f"policy:{files / 'democrat.zip'}")


def test_options_are_checked():
    for options, words in (
        ("samples=0", "deals and samples"),
        ("deals=25", "deals and samples"),
        ("depth=deep", "depth"),
        ("guide=random", "guide"),
        ("guide=pretrained,trust=-1", "trust"),
    ):
        with pytest.raises(BadSpec, match=words):
            make_player(f"value:{options}")


def _changed(path, metadata=None, weights_=None):
    with zipfile.ZipFile(path) as archive:
        told, packed = json.loads(archive.read("policy.json")), archive.read("weights.bin")
    told |= metadata or {}
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("policy.json", json.dumps(told))
        archive.writestr("weights.bin", packed if weights_ is None else weights_)
    return path


@pytest.mark.parametrize(
    ("metadata", "packed", "words"),
    [
        ({"network": {"kind": "afterstate", "width": 24, "dtype": "float16"}}, None, "a multiple of 16 expected"),
        ({"network": {"kind": "afterstate", "width": 32, "dtype": "float16"}}, None, "bytes of weights"),
        ({"network": {"kind": "sparse", "width": 16}}, None, "kind afterstate expected"),
        ({"inputs_version": 99}, None, "inputs version 99"),
        ({"side": "neither"}, None, "damaged policy file"),
        ({}, np.full(ROWS * 16, np.nan, np.float16).tobytes(), "finite numbers expected"),
        ({}, b"", "bytes of weights"),
    ],
)
def test_hostile_files_are_refused_in_a_line(files, metadata, packed, words):
    with pytest.raises(PolicyFileError, match=words) as error:
        make_player(f"value:{_changed(files / 'democrat.zip', metadata, packed)}")
    assert "\n" not in str(error.value)


def test_the_action_with_the_highest_value_is_chosen():
    game = Game(3)  # the set-up: a support point for any of many spaces
    for action in np.flatnonzero(game.mask)[::9]:
        lover = np.zeros((2, *weights().shape), np.float32)
        lover[:, AT.my_support + action - action_id(f"space:{SPACES[0]}"), 0] = 1.0
        lover[:, HEAD:HEAD_BIAS, 0] = 1.0
        assert ValuePlayer.of("lover", lover, (0, 1)).choose(View(game.state)) == action

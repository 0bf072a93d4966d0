"""Games with a bid and family mode at every door: environments, batches, views, matches, policies, the terminal."""

import json
import pickle
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from operator import itemgetter

import numpy as np
import pytest
from dawn_agents.players.registry import make_player
from dawn_agents.tournaments.match import Pairing, play_games
from hidden_cards import random_positions
from pettingzoo.test import api_test, seed_test
from random_records import played_record

from dawn_env import dawn_bid_v0, dawn_v0
from dawn_env.actions import ALL_ACTIONS, MOST_POINTS, A, action_id
from dawn_env.batch import Batch
from dawn_env.bids import SPREAD, Offer, is_bid, sample_offers
from dawn_env.envs.seat import DawnSeat
from dawn_env.envs.vector import DawnVectorEnv
from dawn_env.errors import BadOptions
from dawn_env.events.narration import narrate
from dawn_env.formats.game_record import verify
from dawn_env.game import Game
from dawn_env.host.random_play import random_games, random_record
from dawn_env.observation.player_view import View
from dawn_env.observation.view_layouts import BID_LAYOUT, FAMILY_LAYOUT, STANDARD_LAYOUT, layout_of
from dawn_env.options import GameOptions
from dawn_env.players import BatchPlayer, RandomPlayer, choose_action
from dawn_env.state import DECISIONS, Result
from dawn_env.tables import COMMUNIST, DEMOCRAT, SIDE_NAMES, SIDES
from dawn_env.views.questions import QUESTIONS, question

FAMILY, BID = {"mode": "family"}, {"bid": True}
OTHERS = (FAMILY, BID)


# --- layouts ---------------------------------------------------------------------------------------


def test_each_kind_of_game_has_its_observation_and_number_of_actions():
    assert layout_of(GameOptions()) is STANDARD_LAYOUT and STANDARD_LAYOUT.actions == GameOptions().actions == A == 234
    for options, layout in ((FAMILY, FAMILY_LAYOUT), (BID, BID_LAYOUT)):
        agreed = GameOptions.of(options)
        assert layout_of(agreed) is layout and layout.actions == agreed.actions == ALL_ACTIONS
        assert len(Game(1, options).mask) == ALL_ACTIONS
    assert len(Game(1).mask) == A


@pytest.mark.parametrize("options", OTHERS)
def test_observations_keep_their_bounds(options):
    layout = layout_of(GameOptions.of(options))
    for game in random_positions(3, 5, options):
        for side in range(SIDES):
            seen = layout.one(game.state, side)
            assert (seen >= layout.low()).all() and (seen <= layout.high()).all()


def test_a_game_with_a_bid_is_seen_as_one_without_once_sides_are_known():
    plain, bid = Game(1), Game(1, BID)
    for action in ("offer:communist", "points:0", "offer:democrat", "points:0"):
        seen = BID_LAYOUT.decode(BID_LAYOUT.one(bid.state, bid.actor))
        assert not BID_LAYOUT.one(bid.state, bid.actor)[: STANDARD_LAYOUT.size].any() and seen["bid_acting"] == 1
        bid.step(action)
    for side in range(SIDES):
        seen = BID_LAYOUT.one(bid.state, side)
        assert (seen[: STANDARD_LAYOUT.size] == STANDARD_LAYOUT.one(plain.state, side)).all()
    assert View(bid.state).layout is STANDARD_LAYOUT


def test_family_views_say_what_is_going_on():
    game = next(game for game in random_positions(4, 1, FAMILY) if game.decision == "defence-card")
    seen = FAMILY_LAYOUT.decode(FAMILY_LAYOUT.one(game.state, game.actor))
    assert seen["attack"] == game.state.attack and seen["defence"] == game.state.defence
    assert seen["origin"].argmax() == game.state.origin and seen["destination"].argmax() == game.state.destination
    assert seen["points"] == game.state.moved and seen["acting"] == 1
    assert "turn: " in FAMILY_LAYOUT.explain(FAMILY_LAYOUT.one(game.state, game.actor))


# --- hidden information ------------------------------------------------------------------------------


@pytest.mark.parametrize("made", range(1, 4))
def test_no_view_of_a_bid_depends_on_the_other_offer(made):
    offers = [("democrat", 0), ("communist", 12), ("democrat", 7)]
    for viewer in range(SIDES):
        seen = set()
        for side, points in offers:
            game = Game(1, BID)
            for at in range(made):
                of_other = at // 2 != viewer
                mine = ("offer:communist", "points:4")
                game.step((f"offer:{side}", f"points:{points}")[at % 2] if of_other else mine[at % 2])
            view = BID_LAYOUT.one(game.state, viewer).tobytes()
            dealt = View(game.state).deal([1]).tobytes() if game.actor == viewer else b""
            seen.add((view, dealt, game.redeal(viewer, 5).to_bytes()))
        assert len(seen) == 1


# --- environments ------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("make", [lambda: dawn_v0.env(options=FAMILY), dawn_bid_v0.env])
def test_pettingzoo_api(make):
    api_test(make(), num_cycles=300)
    seed_test(make, 60)


def test_the_agents_of_a_bid_keep_their_names():
    env = dawn_bid_v0.raw_env()
    env.reset(seed=3)
    assert env.possible_agents == ["player_0", "player_1"]
    asked = []
    for action in ("offer:democrat", "points:2", "offer:democrat", "points:1"):
        asked.append(env.agent_selection)
        env.step(action_id(action))
    assert asked == ["player_0", "player_0", "player_1", "player_1"]
    assert env.agent_selection == "player_0", "the Communist sets up first"
    assert env.observe("player_0")["observation"][0] == COMMUNIST
    again = pickle.loads(pickle.dumps(env))
    assert again.agent_selection == "player_0" and again.observe("player_1")["observation"][0] == DEMOCRAT


def test_rewards_of_a_bid_go_to_players():
    env, rng = dawn_bid_v0.raw_env(), np.random.default_rng(1)
    env.reset(seed=3)
    first = [action_id(text) for text in ("offer:democrat", "points:2", "offer:democrat", "points:1")]
    while not env.terminations["player_0"]:
        env.step(first.pop(0) if first else int(rng.choice(np.flatnonzero(env.last()[0]["action_mask"]))))
    won = {Result.DEMOCRAT: 1.0, Result.COMMUNIST: -1.0, Result.DRAW: 0.0}[int(env._states[0].result)]
    assert env.rewards == {"player_0": -won, "player_1": won}


@pytest.mark.parametrize("options", OTHERS)
def test_seats_play_to_the_end(options):
    env = DawnSeat(options=options)
    seen, info = env.reset(seed=3)
    assert env.observation_space.contains(seen) and info["action_mask"].shape == (ALL_ACTIONS,)
    ended = False
    while not ended:
        seen, reward, ended, _, info = env.step(env.action_space.sample())
    assert reward in (-1.0, 0.0, 1.0)


def test_the_bid_is_the_first_decision_of_a_learner():
    env = DawnVectorEnv(8, options=BID)
    seen, info = env.reset(seed=1)
    decisions = env.games.states["decision"]
    assert {DECISIONS[decision] for decision in decisions} == {"offer-side"}
    assert set(env.games.states["actor"]) == {0, 1}, "as either player"
    player = RandomPlayer(1)
    while not env.games.finished:
        seen, reward, ended, _, info = env.step(player.choose(seen, info["action_mask"]))
    rows = np.arange(8)[~ended]
    states = env.games.states[rows]
    begun = states["turn"] > 0
    assert (states["actor"] == info["side"][rows])[begun].all()


@pytest.mark.parametrize("side", range(SIDES))
def test_for_a_learner_of_one_side_the_bid_is_made(side):
    """Around the opponent's offer, here 5 for the Communist, SPREAD points either way."""
    env = DawnVectorEnv(40, SIDE_NAMES[side], Bidder("other", Offer(COMMUNIST, 5)), options=BID)
    seen, info = env.reset(seed=1)
    states = env.games.states
    assert seen.shape[1] == STANDARD_LAYOUT.size and info["action_mask"].shape[1] == A
    assert (info["side"] == side).all() and not is_bid(states["decision"]).any() and (states["actor"] == side).all()
    extra = states["extra_support"][:, COMMUNIST]
    assert set(extra) <= set(range(1, 10)) and len(set(extra)) > 4 and not states["extra_support"][:, DEMOCRAT].any()
    assert set(states["swapped"]) == {0, 1}, "as either player"
    while not env.games.finished:
        env.step(info["action_mask"].argmax(axis=1))
        info = {"action_mask": env.games.masks}
    assert {game.side for game in env.games.finished} == {SIDE_NAMES[side]}
    assert (env.games.sides == side).all() and set(env.games.opponent(0).sides) == {1 - side}


def test_offers_around_zero_are_of_both_sides():
    offers = sample_offers([Offer(DEMOCRAT, 1)] * 60, np.arange(60))
    assert offers.shape == (60, 2, 2) and set(offers[..., 0].ravel()) == {DEMOCRAT, COMMUNIST}
    assert offers[..., 1].max() == 1 + SPREAD and (sample_offers([Offer(0, 1)], np.array([7])) == offers[7]).all()
    assert sample_offers([Offer(DEMOCRAT, MOST_POINTS)] * 60, np.arange(60))[..., 1].max() == MOST_POINTS


def test_what_a_reset_cannot_change_is_refused():
    env = dawn_v0.raw_env()
    with pytest.raises(BadOptions, match="mode, bid: cannot be changed by reset"):
        env.reset(seed=1, options=FAMILY)
    with pytest.raises(ValueError, match="a game of another kind"):
        Batch(1, 0).put(0, Game(1, FAMILY))


@pytest.mark.parametrize("mode", [-1, 2, 99])
def test_a_mode_that_there_is_not_is_refused(mode):
    game = Game(1)
    game.state.mode = mode
    with pytest.raises(BadOptions, match=f"mode: 0 ... 1 expected in a state, not {mode}"):
        Batch(1, 0).put(0, game)


# --- random games, records -----------------------------------------------------------------------------


@pytest.mark.parametrize("options", OTHERS)
def test_records_of_random_games_verify_and_can_be_told(options):
    seeds = np.arange(2)
    for seed, actions in zip(seeds, random_games(seeds, options), strict=True):
        record = random_record(seed, actions, options)
        verify(json.loads(json.dumps(record)))
        assert narrate(record).splitlines()[-1].startswith("Result:")


# --- players -----------------------------------------------------------------------------------------


class Bidder(BatchPlayer):
    """Bids what it is told, and plays the first legal action."""

    def __init__(self, name: str, offer):
        super().__init__(name)
        self.offer, self.sides = offer, []

    def bid(self, options):
        return self.offer

    def begin_game(self, side, options):
        self.sides.append(side)

    def choose(self, observations, masks):
        assert observations.shape[1] == STANDARD_LAYOUT.size and masks.shape[1] == A
        return masks.argmax(axis=1)


def test_offers_of_players_give_their_sides():
    one, two = Bidder("one", Offer(DEMOCRAT, 2)), Bidder("two", (DEMOCRAT, 1))
    outcomes = [outcome for _, outcome in play_games([Pairing(1, one, two), Pairing(1, two, one)], options=BID)]
    assert {outcome.players for outcome in outcomes} == {("two", "one")}
    assert {outcome.first for outcome in outcomes} == {"one", "two"} == {outcome.seat for outcome in outcomes}
    assert one.sides == [COMMUNIST] * 2 and two.sides == [DEMOCRAT] * 2


@pytest.mark.parametrize("offer", [None, (0, -1), (2, 1), (0, 13), (0, 1.5), "ab"])
def test_whoever_offers_what_is_none_forfeits(offer):
    ((_, outcome),) = play_games([Pairing(1, Bidder("good", Offer(1, 0)), Bidder("bad", offer))], options=BID)
    assert outcome.reason == "forfeit" and "bad offered" in outcome.failure


@pytest.mark.parametrize("side", range(SIDES))
def test_rules_of_thumb_beat_greedy_ones_in_family_mode(side):
    players = [make_player("greedy", 1), make_player("greedy", 1)]
    players[side] = make_player("heuristic")
    games = play_games([Pairing(seed, *players) for seed in range(40)], options=FAMILY)
    assert sum(outcome.points[side] for _, outcome in games) >= 38


# --- people ------------------------------------------------------------------------------------------


def test_every_question_of_family_mode_is_put_in_words():
    asked = set()
    for game in random_positions(1, 1, FAMILY):
        asked.add(game.decision)
        assert question(View(game.state))
    assert asked == {"card", "place", "origin", "destination", "points", "attack-card", "defence-card"}
    assert asked <= set(QUESTIONS)


def test_the_record_of_a_bid_names_players_by_side():
    record = played_record(1, itemgetter(0), BID, {"D": "one", "C": "two"})
    assert record["players"] == {"D": "one", "C": "two"}
    assert "First player wants the opponent to play the Communist" in narrate(record)


def test_a_policy_of_family_mode_is_kept_and_plays(tmp_path):
    pytest.importorskip("torch")
    from dawn_agents.players.networks.policy_file import load_policy, save_policy
    from dawn_agents.players.networks.policy_metadata import PolicyInfo
    from dawn_agents.players.networks.policy_networks import NetworkOptions, build_network

    shape = NetworkOptions(width=16, depth=1, space_width=4, card_width=4, advice=True)
    for side in ("democrat", "communist"):
        info = PolicyInfo(side, GameOptions.of(FAMILY).to_json(), network=shape)
        save_policy(tmp_path / f"{side}.zip", build_network(shape, FAMILY_LAYOUT), info)
    assert load_policy(tmp_path / "democrat.zip")[0].layout is FAMILY_LAYOUT
    players = [make_player(f"policy:{tmp_path / side}.zip") for side in ("democrat", "communist")]
    ((_, outcome),) = play_games([Pairing(1, *players)], options=FAMILY)
    assert not outcome.failure
    ((_, outcome),) = play_games([Pairing(1, *players)])
    assert "trained for the family game" in outcome.failure


def test_rules_of_thumb_are_asked_by_threads_at_once():
    views = [View(game.state) for game in random_positions(3, 3, FAMILY, most=400)]
    choose = partial(choose_action, make_player("heuristic"))
    alone = [choose(view) for view in views]
    with ThreadPoolExecutor(4) as pool:
        for _ in range(5):
            assert list(pool.map(choose, views)) == alone

"""The game for OpenSpiel: its own tests, its searches, and that nothing hidden is told."""

import json
import pickle
import re

import numpy as np
import pytest
from paths import ROOT

pytest.importorskip("open_spiel")

import pyspiel  # noqa: E402
from open_spiel.python.algorithms import ismcts, mcts  # noqa: E402
from open_spiel.python.algorithms.evaluate_bots import evaluate_bots  # noqa: E402
from open_spiel.python.bots.uniform_random import UniformRandomBot  # noqa: E402
from open_spiel.python.observation import make_observation  # noqa: E402
from scenario import scenario  # noqa: E402

from dawn_env.actions import action_id  # noqa: E402
from dawn_env.errors import BadOptions, IllegalAction  # noqa: E402
from dawn_env.events.secret_questions import asked_in_secret  # noqa: E402
from dawn_env.game import Game  # noqa: E402
from dawn_env.observation.player_view import View  # noqa: E402
from dawn_env.open_spiel import PlayerBot, PlayOutEvaluator  # noqa: E402
from dawn_env.players import make_player  # noqa: E402
from dawn_env.tables import SIDES  # noqa: E402

PARAMETERS = [{"extra_support_communist": 2}, {"bid": True}, {"mode": "family"}]
PUBLIC = pyspiel.IIGObservationType(perfect_recall=False, public_info=True, private_info=pyspiel.PrivateInfoType.NONE)
EVERYTHING = pyspiel.IIGObservationType(
    perfect_recall=False, public_info=True, private_info=pyspiel.PrivateInfoType.ALL_PLAYERS
)


def load(parameters=None):
    return pyspiel.load_game("python_dawn", parameters or {})


def act(state, random):
    outcomes = [outcome for outcome, _ in state.chance_outcomes()] if state.is_chance_node() else state.legal_actions()
    state.apply_action(int(random.choice(outcomes)))


def played(parameters=None, seed=0, decisions=10_000):
    """A state after some random decisions that waits for another, or is over."""
    state, random = load(parameters).new_initial_state(), np.random.default_rng(seed)
    while not state.is_terminal() and (decisions or state.is_chance_node()):
        decisions -= not state.is_chance_node()
        act(state, random)
    return state


def situations(parameters, games=2):
    """States with a decision pending, all through some games."""
    for seed in range(games):
        state, random, count = load(parameters).new_initial_state(), np.random.default_rng(seed), 0
        while not state.is_terminal():
            act(state, random)
            count += 1
            if count % 7 == 0 and not state.is_chance_node() and not state.is_terminal():
                yield state


@pytest.mark.parametrize("parameters", PARAMETERS)
def test_the_tests_of_open_spiel_pass(parameters):
    pyspiel.random_sim_test(load(parameters), num_sims=1, serialize=True, verbose=False)


def test_parameters_are_options_of_the_game():
    game = load({"extra_support_democrat": 1, "extra_support_communist": 2})
    assert game.options.extra_support == (1, 2) and pickle.loads(pickle.dumps(game)).options == game.options
    assert load({"mode": "family"}).num_distinct_actions() > load().num_distinct_actions()
    with pytest.raises(BadOptions, match="mode"):
        load({"mode": "solo"})


def test_the_deal_is_that_of_a_seed():
    state = load().new_initial_state()
    for outcome in (7, 1, 0, 0):
        state.apply_action(outcome)
    assert state.position == Game(7 + 256)


@pytest.mark.parametrize("parameters", PARAMETERS)
def test_a_history_gives_the_state_and_copies_go_on_alike(parameters):
    state = played(parameters, seed=3, decisions=60)
    again = load(parameters).new_initial_state()
    for action in state.history():
        again.apply_action(action)
    twin, unpacked, random = state.clone(), pickle.loads(pickle.dumps(state)), np.random.default_rng(1)
    while not state.is_terminal():
        action = int(random.choice(state.legal_actions()))
        for other in (state, again, twin, unpacked):
            other.apply_action(action)
        assert str(state) == str(again) == str(twin) == str(unpacked)
        assert all(len({s.information_state_string(p) for s in (state, again, twin)}) == 1 for p in range(SIDES))


def test_dice_to_come_are_not_in_a_clone():
    """What a search sees after an action that rolls dice differs from simulation to simulation."""
    state = next(s for s in situations({}) if _leads_to_chance(s))
    after = set()
    for outcome in range(30):
        tried = _tried(state)
        tried.apply_action(outcome)
        after.add(str(tried))
    assert len(after) > 1


def _leads_to_chance(state):
    return _tried(state).is_chance_node()


def _tried(state):
    tried = state.clone()
    tried.apply_action(state.legal_actions()[0])
    return tried


def everything_known(state, player):
    """All that a player is told of a state."""
    texts = state.information_state_string(player), state.observation_string(player)
    return *texts, state.observation_tensor(player), state.information_state_tensor(player), state.legal_actions(player)


@pytest.mark.parametrize("parameters", PARAMETERS)
def test_what_a_player_is_told_does_not_depend_on_what_is_hidden(parameters):
    changed, random = 0, np.random.default_rng(5)
    for state in situations(parameters):
        for player in range(SIDES):
            dealt = state.resample_from_infostate(player, random.random)
            assert everything_known(dealt, player) == everything_known(state, player)
            changed += dealt.observation_tensor(1 - player) != state.observation_tensor(1 - player)
    assert changed > 10


@pytest.mark.parametrize("parameters", PARAMETERS)
def test_a_resampled_state_follows_from_what_the_player_knows(parameters):
    """The true deal is in no part of it: not in the history, nor in what the opponent remembers."""
    random = np.random.default_rng(6)
    for state in situations(parameters, games=1):
        player = state.current_player()
        other_deal = state.resample_from_infostate(player, random.random)
        one, two = (s.resample_from_infostate(player, lambda: 0.25) for s in (state, other_deal))
        assert one.history() == two.history() == [] and str(one) == str(two)
        assert everything_known(one, 1 - player) == everything_known(two, 1 - player)


@pytest.mark.parametrize("parameters", PARAMETERS)
def test_what_is_public_is_known_to_both(parameters):
    observation, random = make_observation(load(parameters), PUBLIC), np.random.default_rng(7)
    for state in situations(parameters, games=1):
        for player in range(SIDES):
            observation.set_from(state, player)
            tensor, text = observation.tensor.copy(), observation.string_from(state, player)
            for knows in range(SIDES):
                dealt = state.resample_from_infostate(knows, random.random)
                observation.set_from(dealt, player)
                if dealt.current_player() == state.current_player():
                    assert (observation.tensor == tensor).all() and observation.string_from(dealt, player) == text


def test_pieces_are_the_parts_of_the_observation():
    game, state = load(), played(decisions=60)
    whole, public = make_observation(game), make_observation(game, PUBLIC)
    both = make_observation(game, EVERYTHING)
    for observation in (whole, public, both):
        observation.set_from(state, 0)
    assert list(whole.dict) == [part.name for part in game.layout.table]
    assert (whole.tensor == state.seen(0)).all() and (whole.tensor == state.observation_tensor(0)).all()
    assert "my_hand" not in public.dict and (public.dict["in_play"] == whole.dict["in_play"]).all()
    theirs = game.layout.decode(state.seen(1))["my_hand"]
    assert (both.dict["their_secret my_hand"] == theirs).all() and theirs.any()
    assert "turn: " in whole.string_from(state, 0)
    mine = make_observation(game, pyspiel.IIGObservationType(False, False, pyspiel.PrivateInfoType.SINGLE_PLAYER))
    assert set(mine.dict) | set(public.dict) == set(whole.dict) and set(mine.dict) & set(public.dict) == {"decision"}


def test_information_states_remember():
    one, two = played(seed=1, decisions=4), played(seed=1, decisions=4)
    first, other = one.legal_actions()[:2]
    player = one.current_player()
    assert one.information_state_string(player) == two.information_state_string(player)
    one.apply_action(first)
    two.apply_action(other)
    assert one.information_state_string(player) != two.information_state_string(player)


def told(game, viewer, *actions):
    """What a viewer remembers of a position set up by hand, after some actions."""
    game.state.scripted = game.state.stop_at_round = 0
    game.state.tape_len[:] = 0
    state = load().state_at(game.state, viewer)
    for action in actions:
        state.apply_action(action_id(action))
    return state.information_state_string(viewer)


def checked_in_poland(hand):
    game = scenario(hand, turn=4, support={"Gdansk": (1, 4), "Lodz": (0, 3)}, phasing="D")
    return game.take("event", "country:Poland", "space:Gdansk")


def test_questions_that_the_other_is_asked_in_secret_leave_no_trace():
    asked, not_asked = (checked_in_poland(hand) for hand in ("D: 44 / C: 25 7", "D: 44 / C: 1 7"))
    assert told(asked, 0, "space:Gdansk", "pass") == told(not_asked, 0, "space:Gdansk")
    assert told(asked, 0, "space:Gdansk", "card:25") != told(not_asked, 0, "space:Gdansk")
    asked, not_asked = (scenario(f"C: 20 12 / D: {hand}", {"Gdansk": (1, 4)}) for hand in ("33 39", "33 26"))
    assert told(asked, 1, "card:20", "event", "card:33") == told(not_asked, 1, "card:20", "event")


@pytest.mark.parametrize("parameters", PARAMETERS)
def test_players_remember_their_actions_and_nothing_else_while_the_other_is_asked_in_secret(parameters):
    random, questions = np.random.default_rng(8), 0
    for _ in range(2):
        state = load(parameters).new_initial_state()
        while not state.is_terminal():
            before, actor = [state._recalls[player] for player in range(SIDES)], state.current_player()
            act(state, random)
            if actor >= 0:
                acted = before[actor].acted(state.history()[-1])
                assert state.recalled(actor) in (acted.past, acted.saw(state.seen(actor).tobytes()).past)
                before[actor] = acted
            if state.is_chance_node() or state.is_terminal():
                continue
            for player in range(SIDES):
                if asked_in_secret(state.position, state.side_of(player)):
                    questions += 1
                    assert state._recalls[player] == before[player]
    assert questions > 5 or "mode" in parameters


@pytest.mark.parametrize("outcome", [-2, 256, 2**40])
def test_chance_has_no_other_outcomes(outcome):
    dealing = load().new_initial_state()
    waiting = next(_tried(state) for state in situations({}) if _leads_to_chance(state))
    for state in (dealing, waiting):
        before = str(state)
        with pytest.raises(IllegalAction, match="^outcome: an integer 0 ... 255 expected at a chance node, not"):
            state.apply_action(outcome)
        assert str(state) == before
        state.apply_action(3)


@pytest.mark.parametrize("parameters", PARAMETERS)
def test_the_searches_of_open_spiel_play_whole_games(parameters):
    game, evaluator, random = load(parameters), PlayOutEvaluator(seed=1), np.random.RandomState(1)
    bots = [
        mcts.MCTSBot(game, 2.0, 3, evaluator, random_state=random),
        ismcts.ISMCTSBot(game, evaluator, 2.0, 3, random_state=random),
    ]
    state, chance = game.new_initial_state(), np.random.default_rng(2)
    while not state.is_terminal():
        if state.is_chance_node():
            act(state, chance)
        else:
            state.apply_action(int(bots[state.current_player()].step(state)))
    assert sum(state.returns()) == 0


def test_compiled_bots_do_not_end_the_process():
    state, evaluator = played(decisions=40), pyspiel.RandomRolloutEvaluator(1, 1)
    compiled = pyspiel.ISMCTSBot(1, evaluator, 2.0, 3)
    with pytest.raises(pyspiel.SpielError, match="cannot resample games written in Python; use open_spiel.python"):
        compiled.step(state)
    planner = pyspiel.MCTSBot(state.get_game(), evaluator, 2.0, 3, 100, False, 1, False)
    assert planner.step(state) in state.legal_actions()
    poker = pyspiel.load_game("kuhn_poker").new_initial_state()
    for card in (0, 1):
        poker.apply_action(card)
    assert compiled.step(poker) in poker.legal_actions()


def test_players_of_ours_are_evaluated_against_other_bots():
    random = np.random.RandomState(1)
    bots = [PlayerBot(make_player("heuristic")), UniformRandomBot(1, random)]
    for _ in range(2):
        assert evaluate_bots(load().new_initial_state(), bots, random) == [1.0, -1.0]


def test_the_example_of_the_documentation_runs(capsys):
    page = ROOT / "docs" / "how-to" / "recipes.md"
    (example,) = re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    exec(compile(example.replace("2.0, 5,", "2.0, 2,"), page.name, "exec"), {})
    assert "1.0" in capsys.readouterr().out


@pytest.mark.parametrize("parameters", [{"bid": True}, {"mode": "family"}], ids=str)
def test_structs_are_the_json_of_views(parameters):
    game = load(parameters)
    assert game.new_initial_state().to_struct().to_dict() == {"current_player": pyspiel.PlayerId.CHANCE, "views": []}
    state, random = played(parameters, seed=3, decisions=1), np.random.default_rng(3)
    for _ in range(12):
        seen = state.to_observation_struct()
        assert seen.to_json() == View(state.record[0]).to_json() and seen == game.ObservationStruct(seen.to_json())
        assert seen.decision == seen.to_dict()["decision"] and seen.acts
        both = [state.to_observation_struct(player).to_dict() for player in range(SIDES)]
        assert json.loads(state.to_json()) == {"current_player": state.current_player(), "views": both}
        assert [state.struct_to_actions(game.ActionStruct(answer)) for answer in seen.legal] == [
            [action] for action in state.legal_actions()
        ]
        action = int(random.choice(state.legal_actions()))
        struct, history = game.ActionStruct(state.action_to_struct(action).to_json()), state.history()
        assert struct == state.actions_to_struct([action]) == state.action_to_struct(state.current_player(), action)
        assert state.apply_action_struct(struct).ok() and state.history() == [*history, action]
        while state.is_chance_node():
            assert state.apply_action_struct(state.action_to_struct(int(random.integers(256)))).ok()


def test_structs_do_not_depend_on_what_is_hidden():
    state, random = played(seed=4, decisions=60), np.random.default_rng(4)
    for player in range(SIDES):
        dealt = state.resample_from_infostate(player, random.random)
        assert dealt.to_observation_struct(player) == state.to_observation_struct(player)
        assert dealt.to_observation_struct(1 - player) != state.to_observation_struct(1 - player)


def test_bad_structs_are_refused_and_change_nothing():
    state = played(decisions=5)
    before, game = str(state), state.get_game()
    for action in ("space:Nowhere", 5, None):
        status = state.apply_action_struct(game.ActionStruct({"action": action}))
        assert not status.ok() and "is not legal now" in status.message() and str(state) == before
    for text in ("[", "[1]"):
        with pytest.raises(pyspiel.SpielError, match="^ActionStruct: "):
            game.ActionStruct(text)
    with pytest.raises(pyspiel.SpielError, match="one action expected, not 2"):
        state.actions_to_struct(state.legal_actions()[:2])
    with pytest.raises(pyspiel.SpielError, match="before the deal"):
        game.new_initial_state().to_observation_struct(0)
    with pytest.raises(ValueError, match="^player: "):
        state.to_observation_struct(2)


def test_returns_are_by_player_not_by_side():
    """Who bids first is player 0, whichever side comes of it."""
    sides = set()
    for seed in range(12):
        state = played({"bid": True}, seed=seed)
        won = {"democrat": 0, "communist": 1}.get(state.position.result)
        assert won is None or state.returns()[won ^ int(state.position.state.swapped)] == 1
        sides.add(state.side_of(0))
    assert sides == {0, 1}


def test_what_cannot_be_done_is_named():
    state = played(decisions=5)
    with pytest.raises(IllegalAction, match="is not legal at decision 'setup'"):
        state.apply_action(233)
    waiting = next(_tried(s) for s in situations({}) if _leads_to_chance(s))
    with pytest.raises(pyspiel.SpielError, match="not at a chance node"):
        waiting.resample_from_infostate(0, np.random.default_rng(0).random)
    for nobody in (-1, 2, None):
        with pytest.raises(ValueError, match=r"^player: an integer 0 \.\.\. 1 expected"):
            state.resample_from_infostate(nobody, np.random.default_rng(0).random)
    recalling = pyspiel.IIGObservationType(True, True, pyspiel.PrivateInfoType.NONE)
    with pytest.raises(ValueError, match="perfect recall"):
        make_observation(load(), recalling)
    with pytest.raises(ValueError, match="parameters: none expected"):
        make_observation(load(), PUBLIC, {"history": True})

"""Bad arguments everywhere: one line that names what is expected, and nothing has changed."""

from functools import partial

import numpy as np
import pytest

from dawn_env import dawn_v0
from dawn_env.actions import ACTIONS, ALL_ACTIONS
from dawn_env.batch import Batch
from dawn_env.envs.seat import DawnSeat
from dawn_env.envs.vector import DawnVectorEnv
from dawn_env.errors import BadOptions, BadSeed, ChanceError, IllegalAction
from dawn_env.formats.game_record import record_from_actions
from dawn_env.game import Game
from dawn_env.host.host import Host
from dawn_env.host.random_play import game_seeds, random_games, random_record
from dawn_env.observation.player_view import View
from dawn_env.players import RandomPlayer
from dawn_env.support.argument_checks import integer
from dawn_env.support.seeds import checked_seeds, row_seeds

BAD_SEEDS = [-1, 2**63, 2**64, 1.7, float("nan"), "7", True, b"7", {"seed": 1}, np.float64(3), np.bool_(True)]
BAD_ARRAYS = [np.zeros(2), np.uint64([1, 2**63]), np.zeros(2, bool), np.ones((1, 2), int), np.array([1, None])]
BAD_LISTS = [[1], [1, 2, 3], [1, -1], [1, 2**63], [1, 1.5], [1, None], [1, True], "12", [[1, 2]], *BAD_ARRAYS]
NAN, INF = float("nan"), float("inf")
BAD_ACTIONS = [233, 234, 1.9, True, None, NAN, INF, b"pass", [3], {}, np.float64(1), "no", -1, 2**70, np.array([1])]
BAD_ACTIONS += ALL_ACTIONS - 1, ACTIONS[-1]  # of other games
BAD_PAIRS = [(200, 3), (-1, 0), (0, 21), (1.5, 0), (NAN, 0), (2**70, 0), (True, 0), ("1", "2"), (1,), (1, 2, 3)]
BAD_SUPPORT = [*BAD_PAIRS, "ab", None, 5]
BAD_NUMBERS = [float("nan"), float("inf"), -float("inf"), "0.1", None, True, [0.1]]
BAD_COUNTS = [0, -1, 1.5, float("nan"), "4", None, True, 2**40, [3]]
BAD_SIDES = [7, -1, 2, 1.0, "red", True, None]
BAD_WEIGHTS = [[1], [1, 2, 3], [0, 0], [-1, 2], ["a", "b"], [1, None], [np.nan, 1], 5]


def sb3(**options):
    pytest.importorskip("stable_baselines3")
    from dawn_env.envs.sb3 import DawnVecEnv

    return DawnVecEnv(**{"num_envs": 2, **options})


ENVIRONMENTS = {"AEC": dawn_v0.env, "seat": DawnSeat, "vector": partial(DawnVectorEnv, 2), "SB3": sb3}
ONE_SEED = {
    "Game": Game,
    "Game.redeal": lambda seed: Game(1).redeal(0, seed),
    "View.deal": lambda seed: View(Game(1).state).deal([seed]),
    "Batch": lambda seed: Batch(2, seed),
    "Batch.reset": lambda seed: Batch(2, 1).reset(seed),
    "Batch.restart": lambda seed: Batch(2, 1).restart([0], [seed]),
    "Host.begin": lambda seed: Host(2).begin([0], [seed], [[0, 0]]),
    "AEC": lambda seed: dawn_v0.env(seed=seed),
    "AEC reset": lambda seed: dawn_v0.env().reset(seed=seed),
    "seat": lambda seed: DawnSeat().reset(seed=seed),
    "vector": lambda seed: DawnVectorEnv(2).reset(seed=seed),
    "SB3": lambda seed: sb3().seed(seed),
    "RandomPlayer": RandomPlayer,
    "game_seeds": lambda seed: game_seeds(seed, 3),
    "record": lambda seed: record_from_actions(seed, []),
}
EXTRA_SUPPORT = {
    "Game": lambda points: Game(1, {"extra_support": points}),
    "Batch": lambda points: Batch(2, 1, {"extra_support": points}),
    "Host": lambda points: Host(2, {"extra_support": points}),
    "AEC reset": lambda points: dawn_v0.env().reset(seed=1, options={"extra_support": points}),
    "seat reset": lambda points: DawnSeat().reset(seed=1, options={"extra_support": points}),
    "vector reset": lambda points: DawnVectorEnv(2).reset(seed=1, options={"extra_support": points}),
    "random_games": lambda points: random_games(np.ones(1, int), {"extra_support": points}),
    "random_record": lambda points: random_record(1, [], {"extra_support": points}),
    "record_from_actions": lambda points: record_from_actions(1, [], {"extra_support": points}),
    **{way: lambda points, make=make: make(options={"extra_support": points}) for way, make in ENVIRONMENTS.items()},
}
SHAPING = {way: lambda shaping, make=make: make(shaping=shaping) for way, make in ENVIRONMENTS.items()}
RESET = {
    "seat": lambda options: DawnSeat().reset(options=options),
    "AEC": lambda options: dawn_v0.env().reset(options=options),
}
COUNTS = {
    "Batch": lambda count: Batch(count, 1),
    "Host": Host,
    "vector": DawnVectorEnv,
    "SB3": lambda count: sb3(num_envs=count),
    "game_seeds": lambda count: game_seeds(1, count),
}

REDEAL = {"Game.redeal": lambda side: Game(1).redeal(side, 1)}
POOL = {"vector": lambda pool: DawnVectorEnv(2, opponents=pool)}
TWO = [RandomPlayer(1, "one"), RandomPlayer(2, "two")]
WEIGHTS = {"vector": lambda weights: DawnVectorEnv(2, opponents=TWO, weights=weights)}
GIVEN = {way: ONE_SEED[way] for way in ("Game", "Game.redeal", "View.deal", "Batch.restart", "game_seeds")}
REFUSED = [
    (BadSeed, r"^seeds?: .*integers? .*0 \.\.\. 2\*\*63 - 1 expected, not", BAD_SEEDS, ONE_SEED),
    (BadSeed, "not .*None", [None], GIVEN),
    (BadSeed, "^seeds: a sequence of integers in .* expected, not 5", [5], {"View.deal": View(Game(1).state).deal}),
    (BadOptions, r"extra_support: \(democrat, .*\), each an integer 0 \.\.\. 20, not", BAD_SUPPORT, EXTRA_SUPPORT),
    (ValueError, "^shaping: a finite number expected, not", BAD_NUMBERS, SHAPING),
    (ValueError, r"^(num_envs|count|width|games): an integer 1 \.\.\. 2147483647 expected, not", BAD_COUNTS, COUNTS),
    (ValueError, r"^side: 0 \(democrat\) or 1 \(communist\) expected, not", BAD_SIDES, REDEAL),
    (
        ValueError,
        r"^side: democrat \(0\), communist \(1\) or None .* expected, not",
        BAD_SIDES[:-1],
        {"seat": DawnSeat},
    ),
    (TypeError, r"a STATE record expected, such as game\.state, not", [Game(1), Game(1).states, 5], {"View": View}),
    (ValueError, "^opponents", [[], [RandomPlayer(1), RandomPlayer(1)]], POOL),
    (ValueError, "^weights: 2 numbers of at least 0, not all 0, expected, not", BAD_WEIGHTS, WEIGHTS),
    (ValueError, "^options: a mapping or None expected", [5, "opponent", ["opponent"]], RESET),
]
"""Error, message, bad values, and by name all ways of passing them."""


def refused(error, text, call, *arguments):
    """The call raises just this, in one line."""
    with pytest.raises(error, match=text) as caught:
        call(*arguments)
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 250


@pytest.mark.parametrize(
    ("error", "text", "values", "call"),
    [(*what, call) for *what, ways in REFUSED for call in ways.values()],
    ids=[f"{what[:12]}-{way}" for _, what, _, ways in REFUSED for way in ways],
)
def test_bad_arguments(error, text, values, call):
    for value in values:
        refused(error, text, call, value)


@pytest.mark.parametrize("seeds", [*BAD_LISTS, np.array([7])], ids=repr)
def test_bad_lists_of_seeds(seeds):
    batch, env = Batch(2, 5), DawnVectorEnv(2)
    env.reset(seed=5)
    before = batch.states.copy(), env.games.states.copy()
    refused(BadSeed, "^seeds: 2 integers in", batch.reset, seeds)
    refused(BadSeed, "^seeds: 2 integers in", batch.restart, [0, 1], seeds)
    refused(BadSeed, "^seeds: 2 integers in", lambda: env.reset(seed=seeds))
    assert (batch.states == before[0]).all() and (env.games.states == before[1]).all()


def test_numbers_of_any_kind_will_do():
    DawnSeat(shaping=np.float32(0.5))
    for seed in (np.int8(5), np.uint64(5), np.array(5)):
        assert Game(seed) == Game(5) and Batch(1, seed).game(0) == Game(5)
    assert checked_seeds(np.array([1, 2**63 - 1], np.uint64)).tolist() == [1, 2**63 - 1]
    assert checked_seeds(range(3)).dtype == np.int64 and checked_seeds([]).tolist() == []
    assert checked_seeds(np.array([3], np.int8)).tolist() == [3]
    assert row_seeds(2**63 - 1, 2).tolist() == [2**63 - 1, 0]
    seat = DawnSeat("communist")
    assert (seat.reset(seed=np.int64(5))[0] == seat.reset(seed=5)[0]).all()
    game = Game(5)
    assert game.redeal(np.int64(1), np.int64(3)) == game.redeal(1, 3)


def test_seeds_of_stable_baselines_are_consecutive():
    env = sb3()
    assert env.seed(2**63 - 1) == [2**63 - 1, 0] and env.reset().shape[0] == 2
    assert len(set(env.seed())) == 2


@pytest.mark.parametrize(
    "rows", [[2], [-1], [0, 0], [0.5], [True], ["0"], 0, None, [[0]], [[0], [0, 1]], np.array([0.0]), [2**64]], ids=repr
)
def test_bad_rows(rows):
    batch = Batch(2, 5)
    before = batch.states.copy()
    count = len(rows) if isinstance(rows, (list, np.ndarray)) else 1
    refused(ValueError, r"^rows: integers 0 \.\.\. 1, each once, expected, not", batch.restart, rows, [1] * count)
    refused(ValueError, r"^rows: integers 0 \.\.\. 1, each once, expected, not", batch.step_rows, rows, [1] * count)
    assert (batch.states == before).all()


@pytest.mark.parametrize("row", [2, -1, 0.5, None, True, "0"])
def test_bad_row(row):
    batch = Batch(2, 1)
    before = batch.states.tobytes(), batch.observations.tobytes()
    refused(ValueError, r"^row: an integer 0 \.\.\. 1 expected, not", batch.game, row)
    refused(ValueError, r"^row: an integer 0 \.\.\. 1 expected, not", batch.put, row, Game(99))
    assert (batch.states.tobytes(), batch.observations.tobytes()) == before


def test_restart_takes_a_seed_for_every_row():
    batch = Batch(4, 5)
    batch.restart([3, 1], [7, 8])
    assert batch.game(3) == Game(7) and batch.game(1) == Game(8) and batch.game(0) == Game(5)


@pytest.mark.parametrize("action", BAD_ACTIONS, ids=repr)
def test_bad_actions(action):
    game, env, seat = Game(3), dawn_v0.env(), DawnSeat()
    env.reset(seed=3)
    seat.reset(seed=3)
    before = game.copy(), env.unwrapped._states.copy(), seat.games.states.copy()
    with pytest.raises(IllegalAction, match="is not legal at decision 'setup' of .*; legal: ") as caught:
        game.step(action)
    assert "\n" not in str(caught.value)
    said = r"^-?\d+ \(.+\) is not legal at decision 'setup' of .*; legal: .* \(\d+\)$"
    if integer(action) is None:
        said = "^action: an integer expected, not"
    for step in (env.step, seat.step):
        with pytest.raises((IllegalAction, TypeError), match=said) as caught:
            step(action)
        assert "\n" not in str(caught.value)
    assert game == before[0] and (env.unwrapped._states == before[1]).all() and (seat.games.states == before[2]).all()


def test_integers_of_any_kind_are_actions():
    game, number = Game(3), int(Game(3).mask.argmax())
    game.step(number)
    for kind in ("u1", "<i2", ">i4", ">i8", "u8"):
        same, batch, action = Game(3), Batch(2, [3, 3]), np.full(2, number).astype(kind)
        same.step(action[0])
        batch.step(action)
        assert game == same == batch.game(0) == batch.game(1)


@pytest.mark.parametrize(
    "chance",
    [{"dice": 5}, {"dice": [1.5]}, {"dice": [300]}, {"dice": [-1]}, {"dice": "66"}, {"dice": [None]}, {"coins": [1]},
     {"power_deal": ["joker"]}, {"power_deal": {"D": 3}}, {"power_draws": [[]]}, {"draws": [1] * 65}, [("dice", [1])]],
    ids=repr,
)  # fmt: skip
def test_bad_scripts_leave_the_game_alone(chance):
    game = Game(3)
    refused(ChanceError, "expected, not|unknown kinds|at most", game.script, {"dice": [6]} | chance
            if isinstance(chance, dict) else chance)  # fmt: skip
    assert game == Game(3)


class Nameless:
    def choose(self, observations, masks):
        return masks.argmax(1)


@pytest.mark.parametrize("opponent", [
    "randon", 5, RandomPlayer, Nameless(), object(), print, lambda: 0, lambda a, b, c: 0,
])  # fmt: skip
def test_bad_opponents(opponent):
    refused(ValueError, "^opponents: .*(expected|no player is called)", DawnSeat, None, opponent)
    refused(ValueError, "^opponents: ", lambda: DawnVectorEnv(2, opponents=[opponent]))
    refused(ValueError, "^opponents: ", lambda: DawnVectorEnv(2, opponents=opponent))
    env = DawnSeat("communist")
    env.reset(seed=1)
    before, generator = env.games.states.copy(), env.np_random.bit_generator.state
    refused(ValueError, "^opponents: ", lambda: env.reset(seed=2, options={"opponents": opponent}))
    assert (env.games.states == before).all() and env.np_random.bit_generator.state == generator

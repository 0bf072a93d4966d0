"""States, in every way that one can be given."""

import copy
import json
import pickle
from functools import partial
from pathlib import Path
from random import Random

from dawn_env.batch import Batch
from dawn_env.dawn_v0 import raw_env
from dawn_env.errors import DawnError
from dawn_env.game import Game
from dawn_env.state import STATE
from fuzzing.games import MOST_DECISIONS, Subject, play_out, random_action, random_subject
from fuzzing.mutation import mutate_bytes, mutate_json, mutate_record
from fuzzing.target import BrokenRule, Mutant, Target


class _Pickled:
    """Pickles as a ``Game`` with this state."""

    def __init__(self, data: bytes):
        self.data = data

    def __reduce__(self):
        return object.__new__, (Game,), self.data


def _json(random: Random, subject: Subject) -> Mutant:
    text = mutate_json(random, json.loads(subject.game.to_json())).decode(errors="replace")
    return Mutant(lambda: Game.from_json(text), partial(play_out, random))


def _bytes(random: Random, subject: Subject) -> Mutant:
    data = _mutated(random, subject)
    return Mutant(lambda: Game.from_bytes(data), partial(play_out, random))


def _pickle(random: Random, subject: Subject) -> Mutant:
    data = pickle.dumps(_Pickled(_mutated(random, subject)))
    return Mutant(lambda: pickle.loads(data), partial(play_out, random))


def _batch(random: Random, subject: Subject) -> Mutant:
    game = Game(0, subject.options)
    game.states[:] = mutate_record(random, subject.game.states)
    game.states["result"], game.states["scripted"] = 0, 0  # games that a batch does not take
    batch = Batch(1, 0, subject.options)

    def put() -> Game:
        batch.put(0, game)
        return batch.game(0)

    return Mutant(put, partial(play_out, random))


def _copied_env(random: Random, subject: Subject) -> Mutant:
    """An environment at the same moment, its pickle changed within the state."""
    env = raw_env(options=subject.options)
    env.reset(seed=subject.seed)
    for action in subject.actions:
        env.step(action)
    state, changed = subject.game.to_bytes(), mutate_record(random, subject.game.states).tobytes()
    data = pickle.dumps(env)
    if data.count(state) != 1:
        raise BrokenRule("the pickle of an environment does not hold its state once")
    return Mutant(lambda: copy.deepcopy(pickle.loads(data.replace(state, changed))), partial(_play_env, random))


def _play_env(random: Random, env: raw_env) -> None:
    for _ in range(MOST_DECISIONS):
        agent = env.agent_selection
        if env.terminations[agent]:
            return
        env.step(random_action(random, env.observe(agent)["action_mask"]))
    raise BrokenRule(f"the game has not ended after {MOST_DECISIONS} decisions")


def _mutated(random: Random, subject: Subject) -> bytes:
    """Bytes of a state, mostly as long as one, so that its contents are looked at."""
    if random.random() < 0.8:
        return mutate_record(random, subject.game.states).tobytes()
    data = mutate_bytes(random, subject.game.to_bytes())
    return data if random.random() < 0.2 else data.ljust(STATE.itemsize, b"\0")[: STATE.itemsize]


def mutant(random: Random, folder: Path) -> Mutant:
    return random.choice((_json, _bytes, _pickle, _batch, _copied_env))(random, random_subject(random))


TARGET = Target("states", mutant, (DawnError,), 10_000)

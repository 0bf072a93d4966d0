"""The game as an environment of OpenEnv, against a player of the standing scale. openenv 0.10.0.

    python docs/examples/openenv_server.py --steps 100
    uvicorn --app-dir docs/examples openenv_server:app

An action names a legal answer. One that is none changes nothing, and the next observation says so.
"""

import argparse
import random

from dawn_agents.tournaments.strength.rubric import rubric
from openenv.core.env_server import Action, Environment, Observation, State, create_fastapi_app

from dawn_env import Game
from dawn_env.actions import ACTIONS
from dawn_env.events import EventObserver
from dawn_env.players import choose_action, make_player


class DawnAction(Action):
    action: str


class DawnObservation(Observation):
    text: str
    legal: list[str]
    problem: str = ""


class DawnEnvironment(Environment):
    """Games of one side: the reward is 1 for a win, 1/2 for a draw; ``metadata`` has the whole rubric at the end."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, side=0, opponent="heuristic:level=3", detail="medium"):
        super().__init__()
        self.side, self.opponent, self.detail = side, make_player(opponent), detail

    def reset(self, seed=None, episode_id=None, **_):
        self.game = Game(random.getrandbits(63) if seed is None else seed)
        self.observer, self.state_, self.illegal = EventObserver(self.side), State(episode_id=episode_id), 0
        return self._observe(self._others_act())

    def step(self, action, timeout_s=None, **_):
        self.state_.step_count += 1
        if action.action not in self.game.legal:
            self.illegal += 1
            return self._observe([], f"{action.action} is not legal")
        return self._observe(self._take(action.action) + self._others_act())

    def _take(self, action):
        before = self.game.copy()
        self.game.step(action)
        return self.observer.see(before, self.game, action)

    def _others_act(self):
        news = []
        while not self.game.over and self.game.actor != self.side:
            news += self._take(ACTIONS[choose_action(self.opponent, self.game.view())])
        return news

    def _observe(self, news, problem=""):
        game, view = self.game, self.game.view(self.side)
        seen = DawnObservation(text=view.text(self.detail, news), legal=view.texts, problem=problem, done=game.over)
        if game.over:
            answers = self.state_.step_count
            seen.metadata = rubric(game.result, self.side, self.opponent.name, answers, self.illegal)
            seen.reward = seen.metadata["result"]
        return seen

    @property
    def state(self):
        return self.state_


app = create_fastapi_app(DawnEnvironment, DawnAction, DawnObservation)

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=100)
    wanted, env, steps, seen = parser.parse_args().steps, DawnEnvironment(detail="short"), 0, None
    random.seed(3)
    while steps < wanted or not seen.done:
        if seen is None or seen.done:
            seen = env.reset(seed=steps)
            assert env.step(DawnAction(action="castle")).legal == seen.legal
        seen = env.step(DawnAction(action=random.choice(seen.legal)))
        steps += 1
    print(f"{steps} steps, {seen.metadata}")

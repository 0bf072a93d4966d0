"""The game as an environment of OpenEnv, against a player of the standing scale. openenv 0.10.0.

    python docs/examples/openenv_server.py --steps 100
    uvicorn --app-dir docs/examples openenv_server:app

An action names a legal answer. One that is none changes nothing, and the next observation says so.
"""

import argparse
import random

from dawn_agents.frontends.tool_server.hosted_game import HostedGame
from dawn_agents.tournaments.strength.rating_scale import rubric
from openenv.core.env_server import Action, Environment, Observation, State, create_fastapi_app

from dawn_env.errors import IllegalAction
from dawn_env.players import make_player


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
        self.side, self.opponent, self.detail = side, opponent, detail

    def reset(self, seed=None, episode_id=None, **_):
        seed = random.getrandbits(63) if seed is None else seed
        self.game = HostedGame(seed, self.side, make_player(self.opponent))
        self.state_, self.illegal = State(episode_id=episode_id), 0
        return self._observe()

    def step(self, action, timeout_s=None, **_):
        self.state_.step_count += 1
        try:
            self.game.act(action.action)
        except IllegalAction as error:
            self.illegal += 1
            return self._observe(str(error))
        return self._observe()

    def _observe(self, problem=""):
        game = self.game
        text, legal = game.text(self.detail), game.view.texts
        if not game.over:
            return DawnObservation(text=text, legal=legal, problem=problem)
        earned = rubric(game.result, self.side, self.opponent, self.state_.step_count, self.illegal)
        return DawnObservation(text=text, legal=legal, done=True, reward=earned["result"], metadata=earned)

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

"""The game as an environment of TextArena: both players read and write. textarena 0.7.4.

    python docs/examples/textarena_env.py --steps 100

An answer names a legal action in square brackets; the last one counts. Players see what their side may know, and what
has happened since their latest decision.
"""

import argparse
import random
import re

import textarena as ta

from dawn_env import Game
from dawn_env.events import EventObserver

SIDES = "Democrat", "Communist"


class DawnTextEnv(ta.Env):
    """Set up games of ``options``; player 0 is the Democrat. ``detail`` of texts: short, medium or full."""

    def __init__(self, detail="medium", **options):
        self.detail, self.options = detail, options

    def reset(self, num_players=2, seed=None):
        self.game = Game(random.getrandbits(63) if seed is None else seed, self.options)
        self.observers, self.news = [EventObserver(side) for side in range(2)], [[], []]
        self.state = ta.TwoPlayerState(num_players=num_players, seed=seed, error_allowance=2)
        self.state.reset(player_prompt_function=self._prompt, role_mapping=dict(enumerate(SIDES)))
        self._ask()

    def _prompt(self, player_id, game_state):
        return f"You play 1989: Dawn of Freedom as the {SIDES[player_id]}. Name an answer in brackets: [space:Berlin]."

    def _ask(self):
        player, view = self.game.actor, self.game.view()
        if player != self.state.current_player_id:
            self.state.manually_set_current_player_id(player)
        text = view.text(self.detail, self.news[player])
        self.state.add_observation(to_id=player, message=text, observation_type=ta.ObservationType.GAME_BOARD)

    def step(self, action):
        player = self.game.actor  # only they see what they wrote: it may name a secret
        self.state.add_observation(
            from_id=player, to_id=player, message=action, observation_type=ta.ObservationType.PLAYER_ACTION
        )
        named = re.findall(r"\[([^\[\]]+)\]", action)
        if named and named[-1] in self.game.legal:
            before, self.news[player] = self.game.copy(), []
            self.game.step(named[-1])
            for side, observer in enumerate(self.observers):
                self.news[side] += observer.see(before, self.game, named[-1])
        else:
            self.state.set_invalid_move(reason=f"{named[-1] if named else 'no answer in brackets'} is not legal.")
        if self.game.over:
            winner = {"democrat": 0, "communist": 1}.get(self.game.result)
            if winner is None:
                self.state.set_draw(reason=self.game.reason)
            else:
                self.state.set_winner(player_id=winner, reason=self.game.reason)
        done, info = self.state.step(rotate_player=False)
        if not done:
            self._ask()
        return done, info


ta.register(id="Dawn-v0", entry_point=DawnTextEnv)

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=100)
    wanted, env, steps, done = parser.parse_args().steps, ta.make("Dawn-v0", detail="short"), 0, True
    while steps < wanted or not done:
        if done:
            env.reset(num_players=2, seed=steps)
        player, messages = env.get_observation()
        assert messages[-1][1].startswith(f"You are the {SIDES[player]}.")
        done, _ = env.step(f"I have read it all.\n[{random.choice(env.game.legal)}]")
        steps += 1
    rewards, about = env.close()
    print(f"{steps} steps, rewards {rewards}, {about[0]['reason']}")

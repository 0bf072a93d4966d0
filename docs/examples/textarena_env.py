"""The game as an environment of TextArena: both players read and write. textarena 0.7.4.

    python docs/examples/textarena_env.py --steps 100

An answer names a legal action in square brackets; the last one counts. Players see what their side may know, and what
has happened since their latest decision.
"""

import argparse
import random
import re

import textarena as ta

from dawn_env.errors import IllegalAction
from dawn_env.views.narrated_game import NarratedGame

PROMPT = "You play 1989: Dawn of Freedom. Name an answer in brackets: [space:Berlin]."


class DawnTextEnv(ta.Env):
    """Set up games of ``options``; player 0 is the Democrat, or bids first. ``detail``: short, medium or full."""

    def __init__(self, detail="medium", **options):
        self.detail, self.options = detail, options

    def reset(self, num_players=2, seed=None):
        self.told = NarratedGame(random.getrandbits(63) if seed is None else seed, self.options)
        self.state = ta.TwoPlayerState(num_players=num_players, seed=seed, error_allowance=2)
        self.state.reset(player_prompt_function=lambda player_id, game_state: PROMPT)
        self._ask()

    def _ask(self):
        player = self.told.seat
        if player != self.state.current_player_id:
            self.state.manually_set_current_player_id(player)
        text = self.told.text(player, self.detail)
        self.state.add_observation(to_id=player, message=text, observation_type=ta.ObservationType.GAME_BOARD)

    def step(self, action):
        player, kind = self.told.seat, ta.ObservationType.PLAYER_ACTION
        # only they see what they wrote: it may name a secret
        self.state.add_observation(from_id=player, to_id=player, message=action, observation_type=kind)
        named = ["no answer in brackets", *re.findall(r"\[([^\[\]]+)\]", action)][-1]
        try:
            self.told.step(named)
        except IllegalAction:
            self.state.set_invalid_move(reason=f"{named} is not legal.")
        if self.told.game.over and self.told.winner is None:
            self.state.set_draw(reason=self.told.game.reason)
        elif self.told.game.over:
            self.state.set_winner(player_id=self.told.winner, reason=self.told.game.reason)
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
        assert messages[-1][1].startswith(("You are the Democrat.", "You are the Communist.")[player])
        done, _ = env.step(f"I have read it all.\n[{random.choice(env.told.game.legal)}]")
        steps += 1
    rewards, about = env.close()
    print(f"{steps} steps, rewards {rewards}, {about[0]['reason']}")

"""A front end of one's own: one side is played at the keyboard, the other by a player."""

import sys
from collections.abc import Callable

from dawn_env import EXTERNAL, Ending, Host, View, as_player


def play(seed: int, opponent: str, choose: Callable[[View], int]) -> Ending:
    """Play one game as the Democrat, whose actions are those of ``choose``; returns how it ended."""
    host = Host(1, on_failure="forfeit")
    host.begin([0], [seed], [[EXTERNAL, host.register(as_player(opponent))]])
    while True:
        while host.unfinished:
            host.advance()  # the opponent decides
        if endings := host.ended_games():
            host.close()
            return endings[0]
        host.step([0], [choose(View(host.states[0]))])


def ask(view: View) -> int:
    """Ask the person to choose by number."""
    for number, text in enumerate(view.texts):
        print(f"{number:4} {text}")
    return int(view.legal[int(input(f"{view.decision}? "))])


if __name__ == "__main__":
    ending = play(int(sys.argv[1]), sys.argv[2], ask)
    print(f"{ending.result} ({ending.reason}), {ending.vp:+d} VP in turn {ending.turn} {ending.failure}")

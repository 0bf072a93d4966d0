"""Test players whose games are short, or take a known time."""

import time

import numpy as np

from dawn_env.players import RandomPlayer, ViewPlayer


class Illegal(RandomPlayer):
    """Always answers action 0, which forfeits early."""

    def choose(self, observations, masks):
        return np.zeros(len(observations), np.int64)


class Slow(ViewPlayer):
    """Waits two milliseconds and takes the first legal action: its games are long enough to be interrupted."""

    def choose(self, view):
        time.sleep(0.002)
        return int(view.legal[0])

"""Players of tests whose games end early, or take a known time."""

import time

import numpy as np

from dawn_env.players import RandomPlayer, ViewPlayer


class Illegal(RandomPlayer):
    """Answers action 0 always, and so forfeits early."""

    def choose(self, observations, masks):
        return np.zeros(len(observations), np.int64)


class Slow(ViewPlayer):
    """Takes the first legal action after two milliseconds, so that its games last long enough to be interrupted."""

    def choose(self, view):
        time.sleep(0.002)
        return int(view.legal[0])

"""A player of one's own: plays scoring cards when it can, all else at random."""

from dataclasses import dataclass

import numpy as np

from dawn_env import View, ViewPlayer, view_seed
from dawn_env.tables import SCORING_CARD

SCORING = {f"card:{card}" for card in SCORING_CARD}


class Scorer(ViewPlayer):
    @dataclass(frozen=True)
    class Options:
        eagerness: float = 0.9

    def choose(self, view: View) -> int:
        random = np.random.default_rng(view_seed(view, self.seed))
        scoring = [action for action, text in zip(view.legal, view.texts, strict=True) if text in SCORING]
        eager = scoring and random.random() < self.options["eagerness"]
        return int(random.choice(scoring if eager else view.legal))

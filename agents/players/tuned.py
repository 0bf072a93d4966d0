"""The rule-based player, corrected by what was learnt from simulations."""

import numpy as np

from agents.family import scoring as family
from agents.heuristic.choice import best_legal
from agents.heuristic.scoring import scorer
from agents.search import guide
from agents.search.guide import new_scratch, score_seen
from agents.tuned import corrections
from agents.tuned.corrections import learnt
from dawn_env.layouts import FAMILY_LAYOUT
from dawn_env.players import BatchPlayer
from dawn_env.support.compiling import entry_calling


@entry_calling(guide.__file__, *guide.SOURCE_FILES)
def _choose(score, observations, masks, scratch, actions):
    for row in range(len(observations)):
        score_seen(score, observations[row], masks[row], scratch)
        actions[row] = best_legal(masks[row], scratch.scores)


class TunedPlayer(BatchPlayer):
    """The rule-based player with corrections learnt from simulations: as fast, and far stronger."""

    def __init__(self, name: str, seed: int, options: BatchPlayer.Options):
        super().__init__(name, seed, options)
        self.version = corrections.version()
        self._scratch = new_scratch(learnt())

    def choose(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """Legal actions, int64 [K]; 0 in rows whose mask is empty. In family mode nothing was learnt."""
        seen, legal = np.ascontiguousarray(observations), np.ascontiguousarray(masks)
        if observations.shape[1] == FAMILY_LAYOUT.size:
            return family.choose(seen, legal)
        actions = np.zeros(len(observations), np.int64)
        _choose(scorer(), seen, legal, self._scratch, actions)
        return actions

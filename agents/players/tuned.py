"""The rule-based player, corrected by what was learnt from simulations."""

import numpy as np

from agents.family import scoring as family
from agents.heuristic.choice import best_legal
from agents.heuristic.scoring import SOURCE_FILES, UNKNOWN, scored_by, scorer, working_position
from agents.heuristic.style import STYLES
from agents.players.heuristic import TIMES
from agents.tuned import corrections
from agents.tuned.corrections import correct, learnt
from dawn_env.actions import A
from dawn_env.layouts import FAMILY_LAYOUT
from dawn_env.players import BatchPlayer
from dawn_env.support.compiling import entry_calling
from dawn_env.support.shared_rows import done, take
from dawn_env.support.threads import Team, checked_threads


@entry_calling(*SOURCE_FILES, *corrections.SOURCE_FILES)
def _choose_rows(job, member, count, score, observations, masks, positions, learnt, actions):
    scores, p = np.zeros(A, np.float32), positions[member]
    first, last = take(job, member, count)
    while first < last:
        faults = 0
        for row in range(first, last):
            faults += not scored_by(score, observations[row], masks[row], p, scores)
            correct(observations[row], masks[row], scores, learnt)
            actions[row] = best_legal(masks[row], scores)
        first, last = done(job, member, last - first, faults)


class TunedPlayer(BatchPlayer):
    """The rule-based player with corrections learnt from simulations: as fast, and far stronger."""

    def __init__(self, name: str, seed: int, options: BatchPlayer.Options):
        super().__init__(name, seed, options)
        self.version = corrections.version()
        self._team = Team(checked_threads(None), TIMES)
        self._positions = working_position(STYLES["balanced"], self._team.members)
        self._learnt = learnt()

    def choose(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """Legal actions, int64 [K]; 0 in rows whose mask is empty. In family mode nothing was learnt."""
        seen, legal = np.ascontiguousarray(observations), np.ascontiguousarray(masks)
        if observations.shape[1] == FAMILY_LAYOUT.size:
            return family.choose(seen, legal)
        actions = np.zeros(len(observations), np.int64)
        if self._team.share(
            len(actions), _choose_rows, scorer(), seen, legal, self._positions, self._learnt, actions
        ):
            raise ValueError(UNKNOWN)
        return actions

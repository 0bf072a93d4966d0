"""The rule-based player, corrected by what was learnt from simulations."""

from functools import cache

import numpy as np

from dawn_agents.heuristic import family_entry_points as family
from dawn_agents.heuristic import score_offsets
from dawn_agents.heuristic.action_scores import score_pointer, try_score, weigh
from dawn_agents.heuristic.play_levels import BEST, LEVELS, best_legal
from dawn_agents.heuristic.score_offsets import NONE, ScoreOffsets, correct, learned_offsets
from dawn_agents.heuristic_values.position_record import POSITION, STYLES
from dawn_env.actions import A
from dawn_env.observation.view_layouts import FAMILY_LAYOUT
from dawn_env.players import ANSWER_TYPES, CompiledPlayer
from dawn_env.support.compiling import ADDRESS, array_at, entry, function_pointer
from dawn_env.tables import SIDES

MEMORY = np.dtype((np.record, [
    ("scores", "f4", (A,)), ("score", ADDRESS), ("position", POSITION),
    *((name, "f4", (SIDES, *table.shape[1:])) for name, table in NONE._asdict().items()),
]))  # fmt: skip
_memory_at = array_at(MEMORY)


@entry
def _answer(memory, observation, mask, action):
    m = _memory_at(memory, 1)[0]
    scores = m.scores[:]
    known = try_score(m.score, observation, mask, m.position, scores)
    correct(observation, mask, scores, ScoreOffsets(m.by_kind[:], m.by_source[:], m.by_space[:]))
    action[0] = best_legal(mask, scores) if known else -1


@cache
def _answerer():
    return function_pointer(_answer, *ANSWER_TYPES)


class TunedPlayer(CompiledPlayer):
    """The rule-based player with corrections learnt from simulations: as fast, and far stronger."""

    def __init__(self, name: str, seed: int, options: CompiledPlayer.Options):
        super().__init__(name, seed, options)
        self.version = score_offsets.version()

    def answer(self, size: int) -> int:
        """Answer with the learnt corrections, in family mode without."""
        return family.answer_pointer() if size == FAMILY_LAYOUT.size else _answerer()

    def new_memory(self, size: int) -> np.ndarray:
        """New work arrays of one thread."""
        if size == FAMILY_LAYOUT.size:
            return family.new_memory(LEVELS[BEST], self.seed)
        memory = np.zeros(1, MEMORY)
        weigh(memory["position"], STYLES["balanced"])
        memory["score"] = score_pointer()
        for name, table in learned_offsets()._asdict().items():
            memory[name] = table
        return memory

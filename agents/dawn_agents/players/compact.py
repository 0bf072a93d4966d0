"""The compact policies: networks of kind ``sparse``, compiled, so that they play without torch."""

from functools import cache
from pathlib import Path

import numpy as np

from dawn_agents.heuristic import family_entry_points as family
from dawn_agents.heuristic.action_scores import ADVICE, adviser, call_advise, scorer, weigh
from dawn_agents.heuristic.play_levels import BEST, LEVELS, best_legal
from dawn_agents.heuristic_values.position_record import POSITION, STYLES
from dawn_agents.networks.policy_metadata import read_sparse_policy
from dawn_agents.networks.sparse_forward import write_logits
from dawn_agents.networks.sparse_weights import LANES, compiled_weights, padded_width
from dawn_agents.players.choosing import Choosing, file_version
from dawn_env.actions import A
from dawn_env.observation import SLICES, F
from dawn_env.observation.view_layouts import FAMILY_LAYOUT
from dawn_env.players import ANSWER_TYPES, CompiledPlayer
from dawn_env.state import Error
from dawn_env.support.compiling import ADDRESS, address_of, array_at, by_address, entry_with_arrays, jit
from dawn_env.support.elementary import exp
from dawn_env.support.hashing import view_hash, view_weights
from dawn_env.tables import SIDE_NAMES, SIDES

COMPACT = Path(__file__).parents[1] / "compact"
_SIDE = SLICES["side"].start
_MOST_WIDTH = 2048

MEMORY = np.dtype((np.record, [
    ("logits", "f4", (A,)), ("advice", "i1", (ADVICE,)), ("units", "f4", (_MOST_WIDTH,)),
    ("sums", "f4", (_MOST_WIDTH,)), ("lanes", "f4", (LANES,)),
    ("adviser", ADDRESS), ("scorer", ADDRESS), ("position", POSITION),
    # By side: the weights, their number, and the shape of the network.
    ("weights", ADDRESS, (SIDES,)), ("length", "i8", (SIDES,)), ("width", "i8", (SIDES,)), ("depth", "i8", (SIDES,)),
    ("advised", "i1", (SIDES,)), ("samples", "?"), ("temperature", "f8"), ("draws", "i8", (F // 4,)),
]))  # fmt: skip
"""Work space of one thread, and how it chooses; the weights are shared."""
_memory_at, _weights_at = array_at(MEMORY), array_at(np.dtype(np.float32))


@jit
def draw_legal(mask, logits, temperature, at):
    """The legal action at which the summed probabilities pass ``at``, 0 ... 1, of all; 0 where none is legal."""
    best = best_legal(mask, logits)
    total, last = 0.0, best
    for action in range(A):
        if mask[action]:
            total += exp((logits[action] - logits[best]) / temperature)
    left = at * total
    for action in range(A):
        if mask[action]:
            last = action
            left -= exp((logits[action] - logits[best]) / temperature)
            if left < 0:
                break
    return last


@jit
def _think(m, observation, mask):
    """Write the logits of the legal actions into ``m.logits``; False where the adviser does not know the decision."""
    side, advice, logits = observation[_SIDE], m.advice[:0], m.logits[:]
    if m.advised[side]:
        advice = m.advice[:]
        call_advise(m.adviser, m.scorer, observation, mask, m.position, logits, advice)
        if m.position.error != Error.NONE:
            return False
    width = m.width[side]
    work = m.units[:width], m.sums[:width], m.lanes[:]
    weights = _weights_at(m.weights[side], m.length[side])
    write_logits(observation, mask, advice, weights, m.depth[side], work, logits)
    return True


@entry_with_arrays
def _answer(memory, observation, mask, action):
    """The likeliest action, the first of equals, or one drawn by ``hashing.view_hash``."""
    m = _memory_at(memory, 1)[0]
    known, logits = _think(m, observation, mask), m.logits[:]
    if not known:
        action[0] = -1
    elif m.samples:
        action[0] = draw_legal(mask, logits, m.temperature, view_hash(observation, m.draws) * 2.0**-32)
    else:
        action[0] = best_legal(mask, logits)


@entry_with_arrays
def _write_rows(memory, observations, masks, logits):
    m = _memory_at(memory, 1)[0]
    for row in range(len(observations)):
        if not _think(m, observations[row], masks[row]):
            raise ValueError("the rule-based player knows no such decision")
        for action in range(A):
            if masks[row, action]:
                logits[row, action] = m.logits[action]


@cache
def _answerer():
    return by_address(_answer, *ANSWER_TYPES)


class CompactPlayer(CompiledPlayer):
    """Small networks that have learnt from the trained policies, compiled: nearly as strong, without torch."""

    Options = Choosing

    def __init__(self, name: str, seed: int, options: Choosing, folder: Path = COMPACT):
        """``folder``: with ``democrat.zip`` and ``communist.zip``; raises ``PolicyFileError``."""
        super().__init__(name, seed, options.to_json())
        paths = [folder / f"{side}.zip" for side in SIDE_NAMES]
        policies = [read_sparse_policy(path) for path in paths]
        self._networks = [info.network for info, _ in policies]
        self._weights = [compiled_weights(weights, info.network) for info, weights in policies]
        self._choosing = options
        self.version = "+".join(map(file_version, paths))

    def answer(self, size: int) -> int:
        """Answer by the networks, in family mode by the rules of thumb."""
        return family.answerer() if size == FAMILY_LAYOUT.size else _answerer()

    def new_memory(self, size: int) -> np.ndarray:
        """New work arrays of one thread."""
        if size == FAMILY_LAYOUT.size:
            return family.new_memory(LEVELS[BEST], self.seed)
        memory = np.zeros(1, MEMORY)
        weigh(memory["position"], STYLES["balanced"])
        memory["adviser"], memory["scorer"] = adviser(), scorer()
        for side, (network, weights) in enumerate(zip(self._networks, self._weights, strict=True)):
            memory["weights"][0, side], memory["length"][0, side] = address_of(weights), len(weights)
            memory["width"][0, side], memory["depth"][0, side] = padded_width(network), network.depth
            memory["advised"][0, side] = network.advice
        memory["samples"], memory["temperature"] = self._choosing.sample, self._choosing.temperature
        memory["draws"] = view_weights(self.seed, F // 4)
        return memory

    def logits(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """float32 [K, A]: logits of the legal actions, -inf for the others, in the standard game."""
        memory, logits = self.new_memory(F), np.full(masks.shape, -np.inf, np.float32)
        seen, legal = np.ascontiguousarray(observations), np.ascontiguousarray(masks)
        _write_rows(address_of(memory), seen, legal, logits)
        return logits

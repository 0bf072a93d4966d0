"""Players that choose by networks of kind ``sparse``, compiled: they need no torch."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from dawn_agents.players.choosing import Choosing, file_version
from dawn_agents.players.heuristic import action_scores
from dawn_agents.players.heuristic import family_entry_points as family
from dawn_agents.players.heuristic.play_levels import BEST, LEVELS, answer_pointer, best_legal, call_adviser
from dawn_agents.players.heuristic_values.position_record import POSITION, STYLES
from dawn_agents.players.networks.network_options import NetworkOptions
from dawn_agents.players.networks.policy_metadata import PolicyFileError, PolicyInfo, read_sparse_policy
from dawn_agents.players.networks.sparse_forward import update_units, write_logits, write_units
from dawn_agents.players.networks.sparse_weights import LANES, SHAPE, compiled_shape, compiled_weights
from dawn_env.actions import ALL_ACTIONS
from dawn_env.observation.view_layouts import FAMILY_LAYOUT, STANDARD_LAYOUT, ViewLayout
from dawn_env.players import ANSWER_TYPES, CompiledPlayer
from dawn_env.state import STATE
from dawn_env.support.compiling import ADDRESS, address_of, array_at, entry, function_pointer, jit
from dawn_env.support.elementary import exp
from dawn_env.support.hashing import view_hash, view_weights
from dawn_env.tables import SIDE_NAMES, SIDES

SHIPPED_POLICIES = {name: Path(__file__).with_name(name) for name in ("pretrained", "distilled")}
"""Folders of the shipped policy networks by player; each holds ``democrat.zip`` and ``communist.zip``."""
PRETRAINED = SHIPPED_POLICIES["pretrained"]
_SIDE = STANDARD_LAYOUT.slices["side"].start  # in family mode too
_MOST_WIDTH = 2048
_MOST_ADVICE = max(action_scores.ADVICE, family.FAMILY_ADVICE)
_MOST_INPUTS = -(-(STANDARD_LAYOUT.size + _MOST_ADVICE) // 8) * 8  # more than in family mode, in whole words

MEMORY = np.dtype((np.record, [
    # By side: what its network saw last and the sums of its first layer, if they are kept (``update_units``).
    ("seen", "i1", (SIDES, _MOST_INPUTS)), ("sums", "i4", (SIDES, _MOST_WIDTH)), ("kept", "i1", (SIDES,)),
    ("logits", "f4", (ALL_ACTIONS,)), ("advice", "i1", (_MOST_ADVICE,)),
    ("units", "f4", (_MOST_WIDTH,)), ("lanes", "f4", (LANES,)),
    ("adviser", ADDRESS), ("scorer", ADDRESS), ("work", ADDRESS), ("position", POSITION), ("record", STATE),
    ("weights", ADDRESS, (SIDES,)), ("shapes", ADDRESS, (SIDES,)), ("known", "i1", (SIDES,)),  # by side
    ("samples", "?"), ("temperature", "f8"), ("draws", "i8", (STANDARD_LAYOUT.size // 4,)),
]))  # fmt: skip
"""Work space of one thread, and how it chooses; the weights are shared."""
_memory_at, _weights_at, _shape_at = array_at(MEMORY), array_at(np.dtype(np.float32)), array_at(SHAPE)


@dataclass(frozen=True)
class SparseWeights:
    """A network: ``flat`` float32 [n] as of ``compiled_weights``, for games of a ``layout``."""

    flat: np.ndarray
    options: NetworkOptions
    layout: ViewLayout

    @classmethod
    def read(cls, path: Path) -> tuple["SparseWeights", PolicyInfo]:
        """The network of a policy file, and its metadata; raises ``PolicyFileError``."""
        info, weights = read_sparse_policy(path)
        flat = compiled_weights(weights, info.network, info.layout)
        return cls(flat, info.network, info.layout), info

    @property
    def shape(self) -> np.ndarray:
        """SHAPE [1]."""
        return compiled_shape(self.options, self.layout)


@jit
def draw_legal(mask, logits, temperature, at):
    """The legal action at which the summed probabilities pass ``at``, 0 ... 1, of all; 0 where none is legal."""
    best = best_legal(mask, logits)
    total, last = 0.0, best
    for action in range(len(mask)):
        if mask[action]:
            total += exp((logits[action] - logits[best]) / temperature)
    left = at * total
    for action in range(len(mask)):
        if mask[action]:
            last = action
            left -= exp((logits[action] - logits[best]) / temperature)
            if left < 0:
                break
    return last


@jit
def think(m, observation, mask, keeps):
    """Write the logits of the legal actions to ``m.logits``; returns False for a decision without advice and for a
    side without a network.

    ``keeps``: begin with the sums of the side's last position, for weights that do not change.
    """
    side = observation[_SIDE]
    if m.known[side] == 0:
        return False
    shape, logits = _shape_at(m.shapes[side], 1)[0], m.logits[: len(mask)]
    advice, units = m.advice[: shape.advice], m.units[: shape.width]
    if len(advice):
        call_adviser(m.adviser, m.scorer, m.work, observation, mask, logits, advice)
        if np.isnan(logits[0]):
            return False
    weights = _weights_at(m.weights[side], shape.length)
    if keeps:
        sums = m.sums[side, : shape.width]
        update_units(observation, advice, weights, shape, m.kept[side], m.seen[side], sums, units)
        m.kept[side] = 1
    else:
        write_units(observation, advice, weights, shape, units)
    write_logits(observation, mask, advice, weights, shape, units, m.lanes[:], logits)
    return True


@entry
def _answer(memory, observation, mask, action):
    """The likeliest action, the first of equals, or one drawn by ``hashing.view_hash``."""
    m = _memory_at(memory, 1)[0]
    known, logits = think(m, observation, mask, False), m.logits[: len(mask)]
    if not known:
        action[0] = -1
    elif m.samples:
        draws = m.draws[: len(observation) // 4]
        action[0] = draw_legal(mask, logits, m.temperature, view_hash(observation, draws) * 2.0**-32)
    else:
        action[0] = best_legal(mask, logits)


@entry
def _write_rows(memory, observations, masks, logits):
    m = _memory_at(memory, 1)[0]
    for row in range(len(observations)):
        if not think(m, observations[row], masks[row], False):
            raise ValueError("no network for this side, or the rule-based player knows no such decision")
        for action in range(masks.shape[1]):
            if masks[row, action]:
                logits[row, action] = m.logits[action]


@cache
def _answerer():
    return function_pointer(_answer, *ANSWER_TYPES)


class SparsePlayer(CompiledPlayer):
    """Plays by one network a side. Weights that change while it plays take effect at once."""

    def __init__(self, name: str, seed: int, choosing: Choosing, networks: Mapping[int, SparseWeights]):
        """``networks``: by side, all of one layout."""
        super().__init__(name, seed, choosing.to_json())
        self.networks, self._choosing = dict(networks), choosing
        (self.layout,) = {network.layout for network in networks.values()}

    def answer(self, size: int) -> int:
        """Answer by the networks, in family mode without networks for it by the rules of thumb; raises ``ValueError``
        for other games."""
        if size not in (self.layout.size, FAMILY_LAYOUT.size):
            raise ValueError(f"{self.name}: networks of the {self.layout.name} game cannot play this one")
        return _answerer() if size == self.layout.size else answer_pointer()

    def new_memory(self, size: int) -> np.ndarray:
        """New work arrays of one thread."""
        if size != self.layout.size:
            return family.new_memory(LEVELS[BEST], self.seed)
        memory = np.zeros(1, MEMORY)
        action_scores.weigh(memory["position"], STYLES["balanced"])
        memory["record"] = family.working_record()
        rules, work = (family, "record") if self.layout is FAMILY_LAYOUT else (action_scores, "position")
        memory["adviser"], memory["scorer"] = rules.adviser(), rules.score_pointer()
        memory["work"][0] = address_of(memory[work])
        for side, network in self.networks.items():
            memory["weights"][0, side], memory["shapes"][0, side] = map(address_of, (network.flat, network.shape))
            memory["known"][0, side] = True
        memory["samples"], memory["temperature"] = self._choosing.sample, self._choosing.temperature
        memory["draws"][0, : size // 4] = view_weights(self.seed, size // 4)
        return memory

    def logits(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """float32 [K, A]: logits of the legal actions, -inf for the others, in games of its layout."""
        memory, logits = self.new_memory(self.layout.size), np.full(masks.shape, -np.inf, np.float32)
        seen, legal = np.ascontiguousarray(observations), np.ascontiguousarray(masks)
        _write_rows(address_of(memory), seen, legal, logits)
        return logits

    def probabilities(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """float64 [K, A]: probabilities of the actions at its temperature, 0 for those that are not legal."""
        logits = self.logits(observations, masks).astype(np.float64) / self._choosing.temperature
        weights = np.exp(logits - logits.max(1, keepdims=True))
        return weights / weights.sum(1, keepdims=True)


class PretrainedPlayer(SparsePlayer):
    """The trained networks that come with the project, one for each side: compiled, without torch."""

    Options = Choosing

    def __init__(self, name: str, seed: int, options: Choosing, folder: Path = PRETRAINED):
        """``folder``: with ``democrat.zip`` and ``communist.zip``; raises ``PolicyFileError``."""
        paths, networks = [folder / f"{side}.zip" for side in SIDE_NAMES], {}
        for side, path in enumerate(paths):
            networks[side], info = SparseWeights.read(path)
            if info.side != SIDE_NAMES[side]:
                raise PolicyFileError(f"{path}: a policy of the {SIDE_NAMES[side]} expected, not of the {info.side}")
        super().__init__(name, seed, options, networks)
        self.version = "+".join(map(file_version, paths))


class DistilledPlayer(PretrainedPlayer):
    """The networks of ``pretrained``, fine-tuned by distillation of lookahead (``dawn train distilled``)."""

    def __init__(self, name: str, seed: int, options: Choosing):
        super().__init__(name, seed, options, SHIPPED_POLICIES["distilled"])


class SparsePolicies(PretrainedPlayer):
    """Policies of both sides that the learner ``sparse-ppo`` has made, compiled."""

    @dataclass(frozen=True)
    class Options(Choosing):
        """``sparse:FOLDER`` or ``sparse:sample,FOLDER``; ``path``: folder with ``democrat.zip``, ``communist.zip``."""

        path: str

    def __init__(self, name: str, seed: int, options: Options):
        """Raises ``PolicyFileError`` for files that cannot be used."""
        super().__init__(name, seed, options, Path(options.path))

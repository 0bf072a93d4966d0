"""Compiled loops of ``sparse-ppo``: actions in many games, advantages, the gradient of the loss, and the steps of Adam.

Inputs of a decision are int8 [F + ADVICE], as of ``networks.inference``. What depends on the order of sums is done in
slices of a batch, ``slice_count``, whatever the number of threads.
"""

import math
from typing import NamedTuple

import numpy as np

from dawn_agents.players.networks.network_options import NetworkOptions
from dawn_agents.players.networks.sparse_forward import (
    OPINION_RANGE,
    WORD,
    add_row,
    direct_row,
    value_of,
    write_logits,
    write_units,
)
from dawn_agents.players.networks.sparse_weights import LANES, compiled_shape, row_scales
from dawn_env.observation.view_layouts import ViewLayout
from dawn_env.support.compiling import entry, jit, spliced
from dawn_env.support.thread_pool import ThreadTeam

_MOST_SLICES, _LEAST_ROWS = 16, 128
_PADDED = 64  # numbers in the row of one thread, so that two threads never write to one cache line
METRICS = "policy_loss", "value_loss", "entropy", "kl", "clip_fraction", "reference_kl"
"""Sums over the decisions of a batch, in this order."""


def empty_metrics(slices: int) -> np.ndarray:
    """Zeros float64 [slices, METRICS], in rows that share no cache line."""
    return np.zeros((slices, _PADDED))[:, : len(METRICS)]


def slice_count(batch_size: int) -> int:
    """Number of slices of a batch, each with its own gradient; at most so many threads share the work."""
    return max(1, min(_MOST_SLICES, batch_size // _LEAST_ROWS))


class Decisions(NamedTuple):
    """Decisions of a rollout [K]: what was seen and done, and what is to be learnt from it."""

    inputs: np.ndarray  # int8 [K, F + ADVICE]
    masks: np.ndarray  # int8 [K, A]
    actions: np.ndarray  # int64 [K]
    log_probs: np.ndarray  # float32 [K]: log-probabilities under the behaviour policy
    values: np.ndarray  # float32 [K], as the network gave them
    advantages: np.ndarray  # float32 [K]
    returns: np.ndarray  # float32 [K]
    reference: np.ndarray  # float32 [K, A]: logits of the reference policy, or [K, 0] without

    @classmethod
    def of(cls, count: int, inputs: int, actions: int, refers: bool) -> "Decisions":
        """Arrays of zeros for ``count`` decisions."""
        floats = np.zeros((4, count), np.float32)
        reference = np.zeros((count, actions if refers else 0), np.float32)
        seen = np.zeros((count, inputs), np.int8), np.zeros((count, actions), np.int8)
        return cls(*seen, np.zeros(count, np.int64), *floats, reference)


class Loss(NamedTuple):
    """Weights of the parts of the loss, per decision of a batch."""

    clip_range: float
    policy: float
    value: float
    entropy: float
    kl_coef: float
    value_only: bool  # the value head alone learns


class Work(NamedTuple):
    """Work space of one slice."""

    units: np.ndarray  # float32 [S, width]
    deltas: np.ndarray  # float32 [S, width]
    lanes: np.ndarray  # float32 [S, _PADDED], the first LANES in use
    logits: np.ndarray  # float32 [S, A]
    logit_gradients: np.ndarray  # float32 [S, A]

    @classmethod
    def of(cls, slices: int, width: int, actions: int) -> "Work":
        """New work space."""
        sizes = width, width, _PADDED, actions, actions
        return cls(*(np.zeros((slices, size), np.float32) for size in sizes))


@jit
def normalise(mask, logits):
    """Turn the ``logits`` of the legal actions into log-probabilities."""
    best, total = np.float32(-np.inf), 0.0
    for action in range(len(mask)):
        if mask[action]:
            best = max(best, logits[action])
    for action in range(len(mask)):
        if mask[action]:
            total += math.exp(logits[action] - best)
    shift = best + np.float32(math.log(total))
    for action in range(len(mask)):
        if mask[action]:
            logits[action] -= shift


@jit
def _forward(row, mask, weights, shape, work, slot):
    """Write units and log-probabilities into the ``slot`` of ``work``; returns the value."""
    o, advice, units, lanes = row[: shape.size], row[shape.size :], work.units[slot], work.lanes[slot, :LANES]
    write_units(o, advice, weights, shape, units)
    write_logits(o, mask, advice, weights, shape, units, lanes, work.logits[slot])
    normalise(mask, work.logits[slot])
    return value_of(weights, shape, units, lanes)


@jit
def _sample_action(mask, logits, at):
    """Return the legal action at which the summed probabilities pass ``at``, 0 ... 1."""
    last = 0
    for action in range(len(mask)):
        if mask[action]:
            last = action
            at -= math.exp(logits[action])
            if at < 0:
                break
    return last


@entry
def act_rows(first, last, number, inputs, masks, draws, weights, shapes, work, actions, log_probs, values):
    """Draw actions of ``inputs[first:last]`` by ``draws`` float64 [n], 0 ... 1; write ``log_probs`` and ``values``."""
    for row in range(first, last):
        values[row] = _forward(inputs[row], masks[row], weights, shapes[0], work, number)
        actions[row] = _sample_action(masks[row], work.logits[number], draws[row])
        log_probs[row] = work.logits[number, actions[row]]
    return 0


@entry
def refer_rows(first, last, number, inputs, masks, weights, shapes, work, reference):
    """Write the log-probabilities of the legal actions of rows ``first`` ... ``last - 1`` into ``reference``."""
    for row in range(first, last):
        _forward(inputs[row], masks[row], weights, shapes[0], work, number)
        for action in range(masks.shape[1]):
            if masks[row, action]:
                reference[row, action] = work.logits[number, action]
    return 0


@entry
def estimate_advantages(rewards, ended, values, last_values, gamma, decay, advantages):
    """Write generalised advantage estimates, all arrays [T, n], of T decisions in n games; ``last_values`` [n]."""
    for game in range(rewards.shape[1]):
        advantage, following = 0.0, float(last_values[game])
        for step in range(len(rewards) - 1, -1, -1):
            if ended[step, game]:
                advantage, following = 0.0, 0.0
            error = rewards[step, game] + gamma * following - values[step, game]
            advantage = error + gamma * decay * advantage
            advantages[step, game] = advantage
            following = values[step, game]


# --- the gradient -----------------------------------------------------------------------------------


@jit
def _entropy_and_kl(mask, logs, reference):
    """Entropy, and divergence (KL) from the reference policy, 0 without one."""
    entropy, reference_kl = 0.0, 0.0
    for action in range(len(mask)):
        if mask[action]:
            chance = math.exp(logs[action])
            entropy -= chance * logs[action]
            if len(reference):
                reference_kl += chance * (logs[action] - reference[action])
    return entropy, reference_kl


@jit
def _write_logit_gradients(d, at, loss, logs, logit_gradients, metrics):
    """Write derivatives of the loss by the logits of decision ``at`` into ``logit_gradients``; add to ``metrics``."""
    mask, taken, reference = d.masks[at], d.actions[at], d.reference[at]
    log_ratio = logs[taken] - d.log_probs[at]
    ratio, advantage = math.exp(log_ratio), d.advantages[at]
    clipped = abs(ratio - 1) > loss.clip_range
    is_clipped = clipped and (ratio > 1) == (advantage > 0)
    policy_gradient = 0.0 if is_clipped else loss.policy * advantage * ratio
    entropy, reference_kl = _entropy_and_kl(mask, logs, reference)
    for action in range(len(mask)):
        if mask[action]:
            chance = math.exp(logs[action])
            logit_gradient = chance * (policy_gradient + loss.entropy * (logs[action] + entropy))
            if len(reference):
                logit_gradient += loss.kl_coef * chance * (logs[action] - reference[action] - reference_kl)
            logit_gradients[action] = logit_gradient
    logit_gradients[taken] -= policy_gradient
    limited = min(1 + loss.clip_range, max(1 - loss.clip_range, ratio))
    metrics[0] -= min(ratio * advantage, limited * advantage)
    metrics[2] += entropy
    metrics[3] += ratio - 1 - log_ratio
    metrics[4] += int(clipped)
    metrics[5] += reference_kl


@spliced
def _head(start, output_gradient, weights, gradient, units, deltas):
    """Pass the derivative by one output, a product of the units with the weights at ``start``, back to both."""
    row, row_gradient = weights[start : start + len(units)], gradient[start : start + len(units)]
    for unit in range(len(units)):
        row_gradient[unit] += output_gradient * units[unit]
        deltas[unit] += output_gradient * row[unit]


@jit
def _pass_outputs_back(o, advice, mask, logit_gradients, weights, shape, units, deltas, gradient):
    """Add the gradient of the layers behind the hidden units, and the derivatives by these units to ``deltas``."""
    actions, width = shape.actions, len(units)
    decision = direct_row(o, shape.decision, shape.decisions, shape.direct, actions)
    source = direct_row(o, shape.source, shape.sources, shape.direct + shape.decisions * actions, actions)
    for action in range(actions):
        if mask[action]:
            logit_gradient = logit_gradients[action]
            _head(shape.head + action * width, logit_gradient, weights, gradient, units, deltas)
            gradient[shape.head_bias + action] += logit_gradient
            if len(advice):
                gradient[shape.trust] += logit_gradient * advice[action]
            if decision >= 0:
                gradient[decision + action] += logit_gradient
            if source >= 0:
                gradient[source + action] += logit_gradient


@spliced
def _accumulate_row_gradient(place, factor, deltas, gradient, touched):
    """Add to the gradient of a row of the first layer."""
    touched[place] = 1
    start = place * len(deltas)
    add_row(deltas, 0, np.float32(factor), gradient[start : start + len(deltas)])


@jit
def _pass_units_back(o, advice, shape, deltas, gradient, touched):
    """Add the gradient of the first layer, from the derivatives by its units."""
    add_row(deltas, 0, np.float32(1), gradient[shape.bias : shape.bias + len(deltas)])
    count = len(o) // WORD
    words = o[: count * WORD].view(np.int64)
    for word in range(count):
        if words[word]:
            for place in range(word * WORD, (word + 1) * WORD):
                if o[place]:
                    _accumulate_row_gradient(place, o[place], deltas, gradient, touched)
    for place in range(count * WORD, len(o)):
        if o[place]:
            _accumulate_row_gradient(place, o[place], deltas, gradient, touched)
    for place in range(len(advice)):
        advice_feature = OPINION_RANGE + int(advice[place]) if place < shape.actions else int(advice[place])
        if advice_feature > 0 or (advice_feature < 0 and place >= shape.actions):
            _accumulate_row_gradient(shape.size + place, advice_feature, deltas, gradient, touched)


@jit
def _add_decision(d, at, loss, weights, shape, work, slot, gradient, touched, metrics):
    """Add the gradient of the loss of decision ``at``."""
    row, mask = d.inputs[at], d.masks[at]
    o, advice, units, deltas = row[: shape.size], row[shape.size :], work.units[slot], work.deltas[slot]
    value = _forward(row, mask, weights, shape, work, slot)
    _write_logit_gradients(d, at, loss, work.logits[slot], work.logit_gradients[slot], metrics)
    error = value - d.returns[at]
    metrics[1] += error * error
    deltas[:] = np.float32(0)
    value_gradient = np.float32(2 * loss.value * error * (1 - value * value))
    _head(shape.value, value_gradient, weights, gradient, units, deltas)
    gradient[shape.value_bias] += value_gradient
    if loss.value_only:
        return
    _pass_outputs_back(o, advice, mask, work.logit_gradients[slot], weights, shape, units, deltas, gradient)
    for unit in range(len(units)):
        if units[unit] == 0:
            deltas[unit] = np.float32(0)
    _pass_units_back(o, advice, shape, deltas, gradient, touched)


@entry
def add_gradients(first, last, number, rows, d, loss, weights, shapes, work, gradients, touched, metrics):
    """Add gradients of the decisions ``rows`` int64 [B] of ``d``: slices ``first:last`` of P.

    ``gradients`` float32 [P, n]; ``touched`` int8 [P, blocks], 1 for rows of the first layer that have one;
    ``metrics`` float64 [P, METRICS].
    """
    parts = len(gradients)
    for part in range(first, last):
        for i in range(len(rows) * part // parts, len(rows) * (part + 1) // parts):
            _add_decision(
                d, rows[i], loss, weights, shapes[0], work, part, gradients[part], touched[part], metrics[part]
            )
    return 0


# --- the steps of Adam ------------------------------------------------------------------------------
# In blocks of ``width`` weights: a block is a row of the first layer, or a part of what follows it. Rows without a
# gradient stay as they are, moments included, and each row counts its own steps: most inputs are 0 in most positions.

_FIRST, _SECOND, _LEAST = 0.9, 0.999, 1e-5  # decay of the moments, and what is added to the root of the second


@entry
def _add_up(first, last, number, gradients, touched, scales, norms):
    """Add the gradients of all slices to that of the first in blocks ``first:last``, and write their squared norms."""
    width = gradients.shape[1] // len(scales)
    for block in range(first, last):
        norms[block] = 0.0
        start, found = block * width, False
        for part in range(len(gradients)):
            found |= touched[part, block] != 0
        if not found:
            continue
        sums, norm = gradients[0, start : start + width], 0.0
        for part in range(1, len(gradients)):
            row = gradients[part, start : start + width]
            for i in range(width):
                sums[i] += row[i]
        for i in range(width):
            sums[i] *= scales[block]
            norm += sums[i] * sums[i]
        norms[block] = norm
        touched[0, block] = 1
    return 0


@entry
def _step(first, last, number, gradients, touched, scales, factor, rate, counts, moments, squares, weights):
    """Take a step in the touched blocks of ``first:last`` and clear their gradients."""
    width = gradients.shape[1] // len(scales)
    for block in range(first, last):
        if touched[0, block] == 0:
            continue
        start = block * width
        counts[block] += 1
        pace = np.float32(rate * scales[block] / (1 - _FIRST ** counts[block]))
        shrink = np.float32(1 / math.sqrt(1 - _SECOND ** counts[block]))
        summed, moment = gradients[0, start : start + width], moments[start : start + width]
        square, weight = squares[start : start + width], weights[start : start + width]
        for i in range(width):
            mean_gradient = summed[i] * np.float32(factor)
            moment[i] = np.float32(_FIRST) * moment[i] + np.float32(1 - _FIRST) * mean_gradient
            square[i] = np.float32(_SECOND) * square[i] + np.float32(1 - _SECOND) * mean_gradient * mean_gradient
            weight[i] -= pace * moment[i] / (np.sqrt(square[i]) * shrink + np.float32(_LEAST))
        for part in range(len(gradients)):
            gradients[part, start : start + width] = np.float32(0)
    return 0


class SparseAdam:
    """The Adam optimiser for ``weights`` float32 [n], with the gradients that ``add_gradients`` accumulates.

    ``gradients`` float32 [slices, n] and ``touched`` int8 [slices, blocks] are all 0 between two steps, but for the
    blocks behind the first layer, which always count as touched.
    """

    def __init__(self, weights: np.ndarray, options: NetworkOptions, layout: ViewLayout, slices: int, team: ThreadTeam):
        """Adam for weights in the form of ``sparse_weights.compiled_weights``."""
        shape, rows = compiled_shape(options, layout)[0], row_scales(options, layout)
        self.weights, self._team = weights, team
        self.scales = np.ones(shape.length // shape.width, np.float32)
        self.scales[: len(rows)] = rows
        self._inputs, blocks = len(rows), len(self.scales)
        self.gradients, self.touched = np.zeros((slices, len(weights)), np.float32), np.zeros((slices, blocks), np.int8)
        self._norms = np.zeros(blocks)
        self.moments, self.squares = np.zeros((2, len(weights)), np.float32)
        self.counts = np.zeros(blocks, np.int64)

    def step(self, rate: float, most_norm: float) -> None:
        """Take one step of size ``rate``; a longer gradient is shortened to ``most_norm``."""
        self.touched[:, self._inputs :] = 1
        blocks = len(self.scales)
        self._team.run(_add_up, blocks, self.gradients, self.touched, self.scales, self._norms)
        factor = min(1.0, most_norm / (float(np.sqrt(self._norms.sum())) + 1e-6))
        self._team.run(
            _step, blocks, self.gradients, self.touched, self.scales, factor, rate, self.counts, self.moments,
            self.squares, self.weights,
        )  # fmt: skip
        self.touched[:] = 0

    def drop(self) -> None:
        """Set the accumulated gradients to 0."""
        self.gradients[:], self.touched[:] = 0, 0

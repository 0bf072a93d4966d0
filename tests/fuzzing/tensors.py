"""Changes at random of what torch saves."""

import io
from random import Random
from typing import Any

import torch

from fuzzing.mutation import mutate_value, times

_STRANGE = (
    torch.tensor(float("nan")), torch.zeros(0), torch.zeros(1).expand(2**40), torch.ones(3, dtype=torch.int8),
    torch.zeros(2, 2).to_sparse(), torch.tensor(1 + 1j), "text", None, [], {}, -1, 2**70, 0.5, float("nan"),
)  # fmt: skip
_VALUES = (float("nan"), float("inf"), -float("inf"), 3e38, -3e38, 1e30, 0.0, -1.0, 127.0)


def saved(value: Any) -> bytes:
    file = io.BytesIO()
    torch.save(value, file)
    return file.getvalue()


def mutate_tensors(random: Random, tree: Any, spared: tuple[str, ...] = ()) -> Any:
    """A copy with keys, types, shapes or numbers changed; what lies under the keys ``spared`` keeps its numbers."""
    changed = mutate_value(random, tree, _STRANGE) if random.random() < 0.6 else tree
    places = list(_tensor_places(changed, spared))
    for _ in range(times(random)):
        if places:
            outer, key = random.choice(places)
            outer[key] = _mutated(random, outer[key])
    return changed


def _tensor_places(value: Any, spared: tuple[str, ...]):
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in list(pairs):
        if isinstance(item, torch.Tensor) and key not in spared:
            yield value, key
        yield from _tensor_places(item, spared)


def _mutated(random: Random, tensor: torch.Tensor) -> torch.Tensor:
    way = random.randrange(5)
    if way == 0 or not 0 < tensor.numel() < 2**30 or tensor.layout != torch.strided:
        return random.choice(_STRANGE[:6])
    if way == 1:
        return tensor.to(random.choice((torch.float64, torch.int32, torch.bool, torch.uint8)))
    if way == 2:
        return random.choice(
            (tensor.flatten(), tensor[None], tensor.flatten()[:-1], tensor.T if tensor.dim() == 2 else tensor)
        )
    flat = tensor.clone().flatten()
    value, numbers = random.choice(_VALUES), flat.is_floating_point()
    flat[random.randrange(len(flat))] = value if numbers else random.choice((-1, 0, 1, 2, 100))
    return flat.view_as(tensor)

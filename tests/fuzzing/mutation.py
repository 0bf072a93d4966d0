"""Changes at random of bytes, of JSON values and of records of numbers; everything follows from the ``Random``."""

import json
from collections.abc import Iterator
from copy import deepcopy
from random import Random
from typing import Any

import numpy as np

_EDGES = (
    -1, 0, 1, 2, 3, 7, 8, 9, 10, 19, 20, 21, 100, 110, 111, 127, 128, -128, -129, 255, 256, 32767, -32768, 2**31 - 1,
    2**31, 2**53, 2**63 - 1, 2**63, -(2**63), 10**30, 10**400, 0.5, 1.0, -0.5, 1e-300, 1e300, float("nan"),
    float("inf"), -float("inf"),
)  # fmt: skip
_OTHERS = (
    None, True, False, "", "x", "D", "Berlin", "\x1b[31m[b]", "\ud800", "9" * 5000, [], {}, [[]], [1, 2], {"x": 1},
)  # fmt: skip
_BYTES = (0, 1, 2, 4, 8, 9, 10, 15, 16, 32, 64, 126, 127, 128, 254, 255)
_NEST = "@nest@"  # stands for brackets within brackets until the value is a text
_DEPTHS = (10, 65, 1_000, 100_000)


def _times(random: Random) -> int:
    """Draw the number of changes to combine: often one, at most six."""
    count = 1
    while count < 6 and random.random() < 0.4:
        count += 1
    return count


def mutate_bytes(random: Random, data: bytes) -> bytes:
    """``data`` with some spans left out, doubled, filled, or replaced by random bytes."""
    changed = bytearray(data)
    for _ in range(_times(random)):
        start = random.randrange(len(changed) + 1)
        span = slice(start, start + random.choice((1, 1, 1, random.randint(0, 64), 400, len(changed))))
        old = changed[span]
        flipped = bytes(byte ^ 1 << random.randrange(8) for byte in old[:1]) + old[1:]
        filled = bytes([random.choice(_BYTES)]) * len(old)
        changed[span] = random.choice((flipped, filled, filled, random.randbytes(len(old) or 16), old * 2, b""))
    return bytes(changed)


# --- values of JSON and of settings -----------------------------------------------------------------


def mutate_value(random: Random, value: Any) -> Any:
    """A copy with some numbers, types, keys and entries changed."""
    holder = [deepcopy(value)]
    for _ in range(_times(random)):
        _change(random, *random.choice(list(_places(holder))))
    return holder[0]


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    for key in list(value) if isinstance(value, dict) else range(len(value)):
        yield value, key
        if isinstance(value[key], dict | list):
            yield from _places(value[key])


def _change(random: Random, outer: Any, key: Any) -> None:
    """Change an entry of a list or dict: remove, repeat, exchange or replace it."""
    old, way = outer[key], random.randrange(12)
    other = random.choice(list(outer) if isinstance(outer, dict) else range(len(outer)))
    if way == 0 and len(outer) > 1:
        del outer[key]
    elif way == 1 and isinstance(outer, dict):
        outer[random.choice(["x", "", f"{key}s", "__array__"])] = deepcopy(old)
    elif way == 1 and len(outer) > 1:
        outer.insert(key, deepcopy(old))
    elif way == 2:
        outer[key], outer[other] = outer[other], old
    else:
        near = [old - 1, old + 1, -old] if type(old) in (int, float) else [[old], {"x": old}, _cut(random, old)]
        values = [*near, outer[other], random.choice(_EDGES), random.choice(_OTHERS)]
        outer[key] = deepcopy(random.choice([*values, f"{_NEST}{random.choice(_DEPTHS)}"]))


def _cut(random: Random, value: Any) -> Any:
    if not isinstance(value, list | str | dict):
        return value
    kept = random.randrange(len(value) + 1)
    return dict(list(value.items())[:kept]) if isinstance(value, dict) else value[:kept]


def open_nests(text: str) -> str:
    """``text`` with brackets within brackets where the changed value has a sign for them."""
    head, *tails = text.split(f'"{_NEST}')
    for tail in tails:
        depth, _, rest = tail.partition('"')
        head += "[" * int(depth or 0) + "]" * int(depth or 0) + rest
    return head


def mutate_json(random: Random, value: Any) -> bytes:
    """``value`` as JSON or what comes near it, changed as a value, as bytes, or both."""
    way = random.random()
    data = open_nests(json.dumps(mutate_value(random, value) if way < 0.85 else value)).encode()
    return data if way < 0.8 else mutate_bytes(random, data)


# --- numpy ------------------------------------------------------------------------------------------


def mutate_record(random: Random, record: np.ndarray) -> np.ndarray:
    """A copy of an array ``[1]`` of records with some numbers changed."""
    changed = record.copy()
    for _ in range(_times(random)):
        numbers = _numbers(random, changed)
        place, other, bounds = random.randrange(len(numbers)), random.randrange(len(numbers)), np.iinfo(numbers.dtype)
        if random.random() < 0.2:
            numbers[[place, other]] = numbers[[other, place]]
            continue
        near, edges = int(numbers[place]) + random.choice((-1, 1)), (bounds.min, bounds.max, -1, 0, 1)
        value = random.choice((near, near, random.randrange(12), random.randrange(12), random.choice(edges)))
        numbers[place] = min(max(value, bounds.min), bounds.max)
    return changed


def _numbers(random: Random, records: np.ndarray) -> np.ndarray:
    """One of the fields of records, or of the records within them, as a flat view."""
    field = records[random.choice(records.dtype.names)]
    return _numbers(random, field) if field.dtype.names else field.reshape(-1)
